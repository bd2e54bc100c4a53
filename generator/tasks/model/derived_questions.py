"""Questions about derived fields of rows in hand.

Invariant: the value is what the blueprint's own node gives, and there are other figures that it could be mistaken for.
Not covered: which fields there are (`derived_fields`), their words in an instruction (`wording`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.model.derived_fields import DerivedField, row_value
from autoforge.generator.tasks.operators import OperatorFault
from autoforge.mcp_envs.paths import NoSuchPart
from autoforge.mcp_envs.task import Answer, Output

if TYPE_CHECKING:
    from autoforge.generator.tasks.builder import Builder, Thing

__all__ = ["derived_question"]

_THINGS = 6
_MOST_OTHERS = 12


def derived_question(builder: Builder, fields: Sequence[DerivedField]) -> Answer:
    """A question about a derived field of a row in hand; adds the node that gives it. Raises Rejection."""
    ideas = list(_ideas(builder, fields))
    if not ideas:
        raise Rejection("nothing to ask for")
    thing, field, others = builder.chance.choice(ideas)
    node = builder.reason(reason="expression", over=thing.source(""), by=field.words, expression=field.expression)
    value = builder.values[node]
    others = [other for other in others if other != value][:_MOST_OTHERS]
    return Answer(name=field.words, type="number", value=value, source=Output(node=node), others=tuple(others))


def _ideas(builder: Builder, fields: Sequence[DerivedField]) -> Iterator[tuple[Thing, DerivedField, list[Any]]]:
    for thing in builder.things[-_THINGS:]:
        for field in (f for f in fields if f.table == thing.table):
            value = _number(field, thing.item)
            others = [] if value is None else _others(field, thing, value)
            if others:
                yield thing, field, others


def _others(field: DerivedField, thing: Thing, value: Any) -> list[Any]:
    """The field of the rows beside it, and the figures that the row shows; none where the value is one of these."""
    shown = list(_shown(thing))
    if value in shown:
        return []
    found = [*(_number(field, sibling) for sibling in thing.siblings), *shown]
    return list(dict.fromkeys(v for v in found if v is not None and v != value))


def _shown(thing: Thing) -> Iterator[int | float]:
    for path, type in thing.rows.types.items():
        if type != "number":
            continue
        try:
            value = thing.value(path)
        except NoSuchPart:
            continue
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield value


def _number(field: DerivedField, item: Any) -> int | float | None:
    try:
        value = row_value(field, item)
    except OperatorFault:
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
