"""`place`: how the tools' parameters and outputs map onto the data, and what of either has no counterpart.

Invariant: every parameter, every output property and every column is either in a match or in the report, but for
paging and sorting. Not covered: changing the documentation or the data; the tools' code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from autoforge.generator.data.match import Candidate, Property, candidates, observed, properties_of
from autoforge.generator.data.sample import DataSample
from autoforge.generator.documents.model import Documentation, ToolDocument
from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.words import split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["Match", "Placement", "Unplaced", "place"]

_PAGING = word_set("page page_size per_page limit offset cursor sort sort_by sort_order order_by max_results next_page")
"""Parameters that say how to list and are no data."""
_ENOUGH = 2
"""Least score of a match."""


class Match(NamedTuple):
    """One property of one tool, and what it may mean in the data, best first."""

    tool: str
    side: Literal["parameter", "output"]
    path: str
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        return self.candidates[0]


class Unplaced(NamedTuple):
    """One thing without counterpart, or that contradicts it."""

    kind: Literal["table", "column", "parameter", "output", "value"]
    where: str
    """`table.column` or `tool.property`."""
    sentence: str


@dataclass(frozen=True)
class Placement:
    """What was matched, and the report of what was not."""

    matches: tuple[Match, ...]
    unplaced: tuple[Unplaced, ...]

    def of(self, tool: str, path: str, side: Literal["parameter", "output"] = "parameter") -> Match | None:
        """The match of a property, or None."""
        return next((m for m in self.matches if (m.tool, m.side, m.path) == (tool, side, path)), None)


def place(sample: DataSample, documentation: Documentation) -> Placement:
    """Match every documented property with the columns of the data."""
    matches: list[Match] = []
    lost: list[Unplaced] = []
    for tool in documentation.tools:
        for side, prop in _properties(tool):
            found = tuple(c for c in candidates(sample, prop, tool.name, side == "parameter") if c.score >= _ENOUGH)
            if found:
                matches.append(Match(tool.name, side, prop.path, found))
                lost += _contradictions(sample, tool, prop, found[0])
            elif not _holds_others(prop) and "_".join(split_words(prop.name)) not in _PAGING:
                lost.append(_no_counterpart(tool, side, prop))
    return Placement(tuple(matches), (*_untouched(sample, matches), *lost))


def _properties(tool: ToolDocument) -> Iterator[tuple[Literal["parameter", "output"], Property]]:
    for prop in properties_of(tool.input_schema):
        yield "parameter", prop
    for prop in properties_of(tool.output_schema):
        yield "output", prop


def _holds_others(prop: Property) -> bool:
    """Whether the property only wraps others, which are matched themselves."""
    return sum(1 for _ in properties_of({"properties": {prop.name: prop.schema}})) > 1


def _no_counterpart(tool: ToolDocument, side: Literal["parameter", "output"], prop: Property) -> Unplaced:
    where = f"{tool.name}.{prop.path}"
    kind = prop.schema.get("type", "any value")
    what = "Parameter" if side == "parameter" else "Output"
    return Unplaced(side, where, f"{what} {where} ({kind}) has no counterpart in the data.")


def _contradictions(sample: DataSample, tool: ToolDocument, prop: Property, best: Candidate) -> Iterator[Unplaced]:
    """Values of the data that the documentation does not allow."""
    documented = [v for v in prop.schema.get("enum") or () if isinstance(v, str)]
    if best.column is None:
        return
    where, column = f"{tool.name}.{prop.path}", f"{sample.entity(best.entity).table}.{best.column}"
    attribute = sample.entity(best.entity).attribute(best.column)
    assert attribute is not None
    held = observed(sample, best.entity, best.column)
    outside = [v for v in held if v not in documented]
    if documented and outside and attribute.type is ColumnType.TEXT:
        shown = ", ".join(map(repr, outside[:5]))
        yield Unplaced(
            "value",
            column,
            f"{column} holds {shown}, which {where} does not document ({', '.join(map(repr, documented[:6]))}).",
        )
    if prop.schema.get("type") in ("integer", "number") and attribute.type is ColumnType.TEXT and held:
        yield Unplaced(
            "value",
            column,
            f"{column} holds texts such as {next(iter(held))!r}, but {where} is documented as {prop.schema['type']}.",
        )


def _untouched(sample: DataSample, matches: list[Match]) -> Iterator[Unplaced]:
    touched: dict[str, set[str | None]] = defaultdict(set)
    for match in matches:
        for candidate in match.candidates:
            touched[candidate.entity].add(candidate.column)
    for entity in sample.entities:
        hidden = sample.hidden[entity.name]
        visible = [a.name for a in entity.attributes if a.name not in hidden]
        rest = [name for name in visible if name not in touched[entity.name]]
        rows = len(sample.rows[entity.name])
        if not touched[entity.name]:
            yield Unplaced(
                "table",
                entity.table,
                f"Table {entity.table} ({rows} row{'s' * (rows != 1)}): no tool names it or a column of it.",
            )
        elif rest and None not in touched[entity.name]:
            named = ", ".join(sample.names[entity.name].get(n, n) for n in rest)
            yield Unplaced("column", entity.table, f"Table {entity.table}: no tool takes or returns {named}.")
