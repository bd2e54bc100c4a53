"""What each part of a documented output is: a row, a list, a map, a count, a value, a constant.

Invariant: a plan is data; it holds no expression. Not covered: how a plan is found (`outputs`) and filled
(`planned_outputs`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "ConstantPlan", "CountPlan", "EnvelopePlan", "ListPlan", "MapPlan", "Plan", "RowPlan", "ValuePlan",
    "planned_entities",
]  # fmt: skip


@dataclass(slots=True)
class ConstantPlan:
    """Something the state does not hold: a confirmation, or the least value that the schema admits."""

    schema: dict[str, Any]
    name: str = ""
    confirms: bool = False


@dataclass(slots=True)
class ValuePlan:
    """A column of the row at hand."""

    column: str
    schema: dict[str, Any]
    required: bool = False


@dataclass(slots=True)
class RowPlan:
    """An object that is one row of an entity; `through` is the column of the outer row that refers to it."""

    entity: str
    properties: dict[str, Plan] = field(default_factory=dict)
    through: str | None = None
    origin: str | None = None
    """The entity that the tool acts on, where the row is a record of what was done."""
    required: set[str] = field(default_factory=set)
    open: bool = False
    """The schema names no properties: all public columns."""


@dataclass(slots=True)
class ListPlan:
    """A list of rows, or of one column of them."""

    entity: str
    item: Plan
    child_of: str | None = None
    """The outer entity whose row the items refer to."""


@dataclass(slots=True)
class MapPlan:
    """An open object over the rows: counts by a column, or values by key."""

    entity: str
    counts: bool
    column: str | None = None


@dataclass(slots=True)
class CountPlan:
    """How many rows."""

    entity: str
    total: bool = False
    """Before paging."""


@dataclass(slots=True)
class EnvelopePlan:
    """An object that is no row."""

    properties: dict[str, Plan] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)


Plan = ConstantPlan | ValuePlan | RowPlan | ListPlan | MapPlan | CountPlan | EnvelopePlan


def planned_entities(plan: Plan | None) -> Iterator[str]:
    """Entities whose rows a plan shows, at any depth."""
    if isinstance(plan, RowPlan | ListPlan | MapPlan | CountPlan):
        yield plan.entity
    if isinstance(plan, RowPlan | EnvelopePlan):
        for part in plan.properties.values():
            yield from planned_entities(part)
    elif isinstance(plan, ListPlan):
        yield from planned_entities(plan.item)
