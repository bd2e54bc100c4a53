"""What the agent must tell: fields of rows in hand, counts and totals of lists.

Invariant: a question is asked only where gold shows other values that could be mistaken for the answer. Not covered:
how telling is judged (`gym.reward`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from autoforge.generator.tasks.builder import Builder, Thing, words_of
from autoforge.generator.tasks.catalogue import RowSet, ToolModel
from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.hand import seen
from autoforge.generator.tasks.model.derived_questions import derived_question
from autoforge.generator.tasks.operators.registry import alternatives
from autoforge.generator.tasks.row_sets import type_of_value
from autoforge.generator.tasks.selectors import selections
from autoforge.mcp_envs.paths import NoSuchPart, extract, part
from autoforge.mcp_envs.task import Answer, AnswerType, Output, Reasoning

__all__ = ["question_about", "question_in_hand"]

_MOST_OTHERS = 12
_LONGEST = 60
_DERIVED = 0.5
"""How often a question is for a derived field, where there are any."""


def question_in_hand(builder: Builder) -> Answer:
    """A question about a row in hand. Raises Rejection where nothing can be asked."""
    if builder.setting.derived and builder.chance.random() < _DERIVED:
        with suppress(Rejection):
            return derived_question(builder, builder.setting.derived)
    ideas = [answer for thing in builder.things[-6:] for answer in _about(builder, thing)]
    if not ideas:
        raise Rejection("nothing to ask for")
    return builder.chance.choice(ideas)


def question_about(builder: Builder, tool: ToolModel, node: str) -> Answer:
    """A question that a reading step answers. Raises Rejection."""
    ideas: list[Answer] = []
    for rows in tool.rows:
        if not rows.many:
            for thing in builder.things:
                ideas += _about(builder, thing) if thing.node == node else []
            continue
        items = builder.items(node, rows)
        if len(items) > 2:
            return _of_list(builder, node, rows, items)
    if not ideas:
        raise Rejection("nothing to ask for", tool.name)
    return builder.chance.choice(ideas)


def _of_list(builder: Builder, node: str, rows: RowSet, items: Sequence[Any]) -> Answer:
    """A count or total of some items, or a field of one of them."""
    ways = selections(items, rows.types, builder.chance, ids=builder.ids_of(rows))
    over = Output(node=node, path=rows.path)
    filtered = [w for w in ways if len(w.chain) == 2]
    if filtered and builder.chance.random() < 0.6:
        way = filtered[0]
        kept = builder.choose(over, way._replace(chain=way.chain[:1]), builder.entity(rows.table))
        over = Output(node=kept)
        numbers = [p for p, t in rows.types.items() if t == "number" and p not in builder.ids_of(rows)]
        by = builder.chance.choice(numbers) if numbers and builder.chance.random() < 0.6 else None
        reason = builder.chance.choice(("sum", "average", "maximum", "minimum")) if by else "count"
        derived = builder.reason(reason=reason, over=over, by=by)
        return _answer_of(builder, derived, rows, by, reason)
    for way in ways:
        if way.chain[-1].reason in ("argmin", "argmax", "nth_lowest", "nth_highest"):
            item = items[way.place]
            siblings = tuple(o for i, o in enumerate(items) if i != way.place)
            chosen = builder.choose(over, way, builder.entity(rows.table))
            ideas = list(_about(builder, Thing(rows.table, item, chosen, "$", rows, siblings), way.chain[-1].by))
            if ideas:
                return builder.chance.choice(ideas)
    raise Rejection("nothing to ask for", rows.path)


def _answer_of(builder: Builder, node: str, rows: RowSet, by: str | None, reason: str) -> Answer:
    reasoning = next(n for n in builder.nodes if n.id == node and isinstance(n, Reasoning))
    over = builder.values[reasoning.over.node] if isinstance(reasoning.over, Output) else []
    value = builder.values[node]
    near = [v for v in alternatives(reasoning, over, {}) if type(v) in (int, float) and v != value]
    source = next(
        (n for n in builder.nodes if isinstance(reasoning.over, Output) and n.id == reasoning.over.node), None
    )
    if isinstance(source, Reasoning) and isinstance(source.over, Output):
        whole = extract(builder.values[source.over.node], source.over.path)
        near += [len(whole)] if reason == "count" and len(whole) != value else []
    if not near or value is None:
        raise Rejection("nothing to mistake the answer for")
    entity = builder.entity(rows.table).replace("_", " ")
    field = " ".join(words_of((by or "").rpartition(".")[2]))
    names = {"count": f"number of matching {entity} entries", "sum": f"total {field}", "average": f"average {field}",
             "maximum": f"highest {field}", "minimum": f"lowest {field}"}  # fmt: skip
    return Answer(
        name=names[reason], type="number", value=value, source=Output(node=node), others=tuple(_distinct(near, value))
    )


def _about(builder: Builder, thing: Thing, chosen_by: str | None = None) -> Iterator[Answer]:
    ids = builder.ids_of(thing.rows)
    told = list(builder.known.values())
    for path, kind in thing.rows.types.items():
        if path in ids or path == chosen_by or kind not in ("number", "text", "date"):
            continue
        try:
            value = thing.value(path)
        except NoSuchPart:
            continue
        if value is None or value in told or type_of_value(value) != kind or not _is_telling(value):
            continue
        column = next((c for c, p in thing.rows.fields.items() if p == path), None)
        near = [v for v in seen(builder, thing.table, column) if type_of_value(v) == kind] if column else []
        near += [v for s in thing.siblings if (v := part(s, path)) is not None and type_of_value(v) == kind]
        near += [
            v for p, k in thing.rows.types.items() if k == kind != "text" and (v := part(thing.item, p)) is not None
        ]
        others = _distinct(near, value)
        if others:
            name = " ".join(words_of(path.rpartition(".")[2] or builder.entity(thing.table)))
            types: dict[str, AnswerType] = {"number": "number", "text": "text", "date": "date"}
            yield Answer(name=name, type=types[kind], value=value, source=thing.source(path), others=tuple(others))


def _is_telling(value: Any) -> bool:
    return not isinstance(value, str) or (0 < len(value.strip()) <= _LONGEST and not value.startswith("http"))


def _distinct(values: Sequence[Any], value: Any) -> list[Any]:
    found: list[Any] = []
    for other in values:
        if other != value and other not in found and not isinstance(other, bool | list | dict) and other is not None:
            found.append(other)
    return found[:_MOST_OTHERS]
