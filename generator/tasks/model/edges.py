"""Edges that a model vouches for: one more kind of evidence in the dependency graph.

Invariant: an edge that only a model vouches for is walked only where a value really flowed; otherwise it stays in the
graph to be looked at, with the evidence `model` alone. What the rules found is never taken away. Not covered: which
pairs are asked about (`pairs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict

from autoforge.generator.conformance.subject import Subject, Tool
from autoforge.generator.tasks.catalogue import Catalogue, Slot, ToolModel
from autoforge.generator.tasks.graph import Edge, Graph
from autoforge.generator.tasks.model.adviser import Adviser, Question
from autoforge.generator.tasks.model.flow import flows
from autoforge.generator.tasks.model.pairs import Key, Pair, likely_pairs, ruled_pairs
from autoforge.generator.tasks.model.words import EDGES
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.paths import NoSuchPart, extract

__all__ = ["EdgesAnswer", "judge_edges"]

_PAIRS_PER_REQUEST = 50
_MOST_CARRIERS = 5
_DESCRIPTION = 160
"""Characters of a description."""


class EdgesAnswer(BaseModel):
    """Numbers of the pairs that make sense."""

    model_config = ConfigDict(extra="ignore")

    sensible: list[int]


def judge_edges(graph: Graph, catalogue: Catalogue, stage: Stage, adviser: Adviser) -> Graph:
    """The graph with the evidence `model` on edges that it confirms, and with edges that it alone vouches for.

    Raises Unanswered where the service gives no answer at all.
    """
    ruled, likely = ruled_pairs(graph, catalogue), likely_pairs(graph, catalogue)
    sensible = _judged([*ruled, *likely], catalogue, adviser)
    confirmed = {pair.key for pair in ruled if pair.key in sensible}
    kept = [_confirmed(edge, catalogue, confirmed) for edge in graph.edges]
    tools = {tool.name: tool for tool in Subject.read(stage.folder.path).tools}
    alone = [pair for pair in likely if pair.key in sensible]
    vouched = [edge for pair in alone for edge in _vouched(pair, tools[pair.consumer], catalogue, stage)]
    walked = [edge for edge in vouched if "flow" in edge.evidence]
    judged = Graph(catalogue.tools, [*kept, *walked], catalogue)
    judged.edges = (*judged.edges, *(edge for edge in vouched if "flow" not in edge.evidence))
    # Which ids users must know follows from what is certain.
    judged.user_ids = graph.user_ids
    adviser.tell(
        f"edges: {len(confirmed)} of {len(ruled)} pairs confirmed; {len(vouched)} edges by the model alone, of which "
        f"{len(walked)} let a value flow"
    )
    return judged


def _judged(pairs: Sequence[Pair], catalogue: Catalogue, adviser: Adviser) -> set[Key]:
    """Keys of the pairs that the model finds sensible."""
    batches = [pairs[i : i + _PAIRS_PER_REQUEST] for i in range(0, len(pairs), _PAIRS_PER_REQUEST)]
    answers = adviser.ask("edges", [_question(batch, catalogue) for batch in batches], EdgesAnswer)
    found: set[Key] = set()
    for batch, answer in zip(batches, answers, strict=True):
        numbers = answer.sensible if answer is not None else []
        found |= {batch[n - 1].key for n in numbers if 1 <= n <= len(batch)}
    return found


def _confirmed(edge: Edge, catalogue: Catalogue, confirmed: set[Key]) -> Edge:
    rows = catalogue.tools[edge.producer].rows[edge.row_set]
    if (rows.table, edge.field, edge.consumer, edge.slot.path) not in confirmed or "model" in edge.evidence:
        return edge
    return edge._replace(evidence=(*edge.evidence, "model"))


def _vouched(pair: Pair, tool: Tool, catalogue: Catalogue, stage: Stage) -> Iterator[Edge]:
    for carrier in pair.carriers:
        evidence = ("model", "flow") if flows(stage, catalogue, carrier, tool, pair.slot) else ("model",)
        yield Edge(carrier.producer, carrier.row_set, carrier.field, pair.consumer, pair.slot, evidence)


# What the model is shown ---------------------------------------------------------------------------------------------


def _question(batch: Sequence[Pair], catalogue: Catalogue) -> Question:
    lines = [f"{number}. {_line(pair, catalogue)}" for number, pair in enumerate(batch, 1)]
    names = dict.fromkeys(name for pair in batch for name in (pair.consumer, *_producers(pair)))
    tools = [f"- {name}: {_short(catalogue.tools[name].description)}" for name in names]
    return Question(EDGES, (("Tools", "\n".join(tools)), ("Pairs", "\n".join(lines))))


def _line(pair: Pair, catalogue: Catalogue) -> str:
    table = catalogue.tables.get(pair.table)
    example = _example(pair, catalogue)
    shown = f"{pair.field} of a {table.entity if table else pair.table}{f' (such as {example})' if example else ''}"
    more = len(pair.carriers) - _MOST_CARRIERS
    producers = ", ".join(_producers(pair)) + (f" and {more} more" if more > 0 else "")
    return f"{shown}, from {producers} -> {_parameter(pair.slot)} of {pair.consumer}"


def _producers(pair: Pair) -> list[str]:
    return list(dict.fromkeys(carrier.producer for carrier in pair.carriers))[:_MOST_CARRIERS]


def _parameter(slot: Slot) -> str:
    words = _short(str(slot.schema.get("description") or ""))
    return ".".join(map(str, slot.path)) + (f" ({words})" if words else "")


def _example(pair: Pair, catalogue: Catalogue) -> str:
    carrier = pair.carriers[0]
    producer: ToolModel = catalogue.tools[carrier.producer]
    rows = producer.rows[carrier.row_set]
    for sample in producer.samples:
        try:
            items = extract(sample.value, rows.path)
            value = extract((items if rows.many else [items])[0], carrier.field)
        except (NoSuchPart, IndexError):
            continue
        if value is not None:
            return _short(repr(value))
    return ""


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _DESCRIPTION else plain[:_DESCRIPTION].rstrip() + "…"
