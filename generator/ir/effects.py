"""What an operation does to the tables, read from its steps.

Invariant: effects are derived, never declared, so they cannot disagree with the code. Not covered: what foreign keys do
to other rows (`conformance.effects`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel

from autoforge.generator.ir.operations import Operation
from autoforge.generator.ir.steps import Delete, Find, Insert, Select, Update, walk_steps

__all__ = ["Effects", "effects_of", "expressions_of"]


class Effects(NamedTuple):
    """What an operation does to tables, by entity name."""

    reads: frozenset[str]
    creates: frozenset[str]
    updates: frozenset[tuple[str, str]]
    """(entity, column) pairs."""
    deletes: frozenset[str]

    @property
    def read_only(self) -> bool:
        return not (self.creates or self.updates or self.deletes)


def expressions_of(node: BaseModel) -> Iterator[BaseModel]:
    """Every expression below a step or expression, the node itself included when it is one."""
    if getattr(node, "kind", None) is not None and not isinstance(node, Operation):
        yield node
    for value in node.__dict__.values():
        yield from _inside(value)


def _inside(value: Any) -> Iterator[BaseModel]:
    if isinstance(value, BaseModel):
        yield from expressions_of(value)
    elif isinstance(value, tuple):
        for part in value:
            yield from _inside(part)


def effects_of(operation: Operation) -> Effects:
    reads: set[str] = set()
    creates: set[str] = set()
    updates: set[tuple[str, str]] = set()
    deletes: set[str] = set()
    for step in walk_steps(operation.steps):
        if isinstance(step, Find | Select):
            reads.add(step.entity)
            reads.update(entity for f in step.where for _, entity in f.through)
        elif isinstance(step, Insert):
            creates.add(step.entity)
        elif isinstance(step, Update):
            updates.update((step.entity, column) for column, _ in step.values)
        elif isinstance(step, Delete):
            deletes.add(step.entity)
    return Effects(frozenset(reads), frozenset(creates), frozenset(updates), frozenset(deletes))
