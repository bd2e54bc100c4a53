"""Pairs of a shown field and a parameter that a model is asked about: what the rules connected, and what might fit too.

Proposing is cheap: like names or like measures, and types that fit. Invariant: the same graph gives the same pairs in
the same order, and their number is bounded. Not covered: whether they hold (`edges`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from autoforge.generator.conformance.columns import words
from autoforge.generator.conformance.values import kinds
from autoforge.generator.tasks.catalogue import Catalogue, RowSet, Slot, ToolModel
from autoforge.generator.tasks.derived import MONEY
from autoforge.generator.tasks.graph import Edge, Graph

__all__ = ["Carrier", "Key", "Pair", "likely_pairs", "ruled_pairs"]

_MOST_RULED = 300
_MOST_LIKELY = 200
_MOST_FOR_A_SLOT = 4
_LEAST = 1.0
"""Likeness from which on a pair is worth a question."""
_DAYS = frozenset(
    "date day on from to until since start end begin due time deadline arrival departure fecha datum".split()
)
_SAY_NOTHING = frozenset("id name value type the of a to text".split())


class Carrier(NamedTuple):
    """Where an output shows a field."""

    producer: str
    row_set: int
    field: str


Key: TypeAlias = tuple[str, str, str, tuple[str | int, ...]]
"""Table, field, consumer, path of the slot."""


class Pair(NamedTuple):
    """A field of one kind of row, and a parameter of one tool."""

    table: str
    field: str
    """Path inside the row set's item."""
    consumer: str
    slot: Slot
    carriers: tuple[Carrier, ...]
    """All tools that show the field."""

    @property
    def key(self) -> Key:
        return self.table, self.field, self.consumer, self.slot.path


def ruled_pairs(graph: Graph, catalogue: Catalogue) -> list[Pair]:
    """What the rules connected, with all tools that show a field together, at most 300."""
    found: dict[Key, Pair] = {}
    for edge in graph.edges:
        rows = catalogue.tools[edge.producer].rows[edge.row_set]
        one = Pair(
            rows.table, edge.field, edge.consumer, edge.slot, (Carrier(edge.producer, edge.row_set, edge.field),)
        )
        _add(found, one)
    return list(found.values())[:_MOST_RULED]


def likely_pairs(graph: Graph, catalogue: Catalogue) -> list[Pair]:
    """What the rules did not connect though names or measures are alike and types fit; at most 200, likeliest first."""
    linked = {_linked(edge, catalogue) for edge in graph.edges}
    ranked: list[tuple[float, Pair]] = []
    for consumer in catalogue.tools.values():
        for slot in consumer.slots:
            fed = slot.role == "reference" and (consumer.name, slot.path) in graph.producers
            if consumer.samples and _is_open(slot) and not fed:
                ranked += _ranked_for(catalogue, consumer, slot, linked)
    ranked.sort(key=lambda pair: -pair[0])
    return [pair for _, pair in ranked[:_MOST_LIKELY]]


def _linked(edge: Edge, catalogue: Catalogue) -> Key:
    rows = catalogue.tools[edge.producer].rows[edge.row_set]
    return rows.table, edge.field, edge.consumer, edge.slot.path


def _is_open(slot: Slot) -> bool:
    """Whether a value of an output could be put in: no choice of fixed values, no switch."""
    return slot.role != "control" and not slot.schema.get("enum") and "boolean" not in kinds(slot.schema)


def _ranked_for(catalogue: Catalogue, consumer: ToolModel, slot: Slot, linked: set[Key]) -> list[tuple[float, Pair]]:
    found: dict[Key, Pair] = {}
    scores: dict[Key, float] = {}
    for producer, place, rows, path, type in _shown(catalogue):
        if producer is consumer or (rows.table, path, consumer.name, slot.path) in linked or not _fits(type, slot):
            continue
        score = _likeness(rows, path, type, consumer, slot, catalogue)
        if score >= _LEAST:
            pair = Pair(rows.table, path, consumer.name, slot, (Carrier(producer.name, place, path),))
            _add(found, pair)
            scores[pair.key] = max(score, scores.get(pair.key, 0.0))
    best = sorted(found.values(), key=lambda pair: -scores[pair.key])[:_MOST_FOR_A_SLOT]
    return [(scores[pair.key], pair) for pair in best]


def _shown(catalogue: Catalogue) -> Iterator[tuple[ToolModel, int, RowSet, str, str]]:
    for tool in catalogue.tools.values():
        if not tool.samples:
            continue
        for place, rows in enumerate(tool.rows):
            for path, type in rows.types.items():
                yield tool, place, rows, path, type


def _fits(type: str, slot: Slot) -> bool:
    wanted = set(kinds(slot.schema))
    dated = slot.schema.get("format") in ("date", "date-time")
    if type == "number":
        return bool(wanted & {"number", "integer"})
    if type == "date":
        return "string" in wanted
    return type == "text" and "string" in wanted and not dated


def _likeness(rows: RowSet, path: str, type: str, consumer: ToolModel, slot: Slot, catalogue: Catalogue) -> float:
    """Shared words of the names, the entity counted with the field, and whether both are money or both days."""
    shown, asked = set(words(path.rpartition(".")[2])), set(words(slot.name))
    table = catalogue.tables.get(rows.table)
    around = set(words(table.entity if table else rows.table))
    score = 2.0 * len((shown & asked) - _SAY_NOTHING) / max(1, len((shown | asked) - _SAY_NOTHING))
    if shown & asked and around & asked:
        score += 1.0
    if type == "number" and shown & MONEY and asked & MONEY:
        score += 1.0
    if type == "date" and (slot.schema.get("format") in ("date", "date-time") or asked & _DAYS):
        score += 1.0
    same_entity = consumer.record.entity is not None and table is not None and consumer.record.entity == table.entity
    return score + (0.25 if score and same_entity else 0.0)


def _add(found: dict[Key, Pair], pair: Pair) -> None:
    before = found.get(pair.key)
    found[pair.key] = pair if before is None else before._replace(carriers=(*before.carriers, *pair.carriers))
