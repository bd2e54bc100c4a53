"""Which names steps bind and which they read.

Invariant: a sentence of a refusal counts as reading the rows that it names. Not covered: what the names hold (`scope`).
"""

from __future__ import annotations

import re

from pydantic import BaseModel

from autoforge.generator.emit.shapes import Shape
from autoforge.generator.ir import (
    Assign,
    Delete,
    Each,
    Find,
    Insert,
    Refuse,
    RowField,
    Select,
    Step,
    Update,
    Variable,
    When,
    expressions_of,
    walk_steps,
)

__all__ = ["bound_directly", "names_in", "names_read", "rebound"]

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


def rebound(steps: tuple[Step, ...]) -> dict[str, Shape]:
    """The names that steps bind, with the shape of what is bound where it is a row of one entity."""
    bound: dict[str, Shape] = {}
    for step in walk_steps(steps):
        if isinstance(step, Find | Insert | Update):
            shape = Shape("row", nullable=isinstance(step, Find) and step.missing is None, entity=step.entity)
            bound[step.row] = shape.union(bound.get(step.row, shape))
        elif isinstance(step, Select):
            bound[step.rows] = Shape("list", nullable=False, entity=step.entity) if step.rows not in bound else Shape()
        elif isinstance(step, Delete) and step.count is not None:
            bound[step.count] = Shape()
        elif isinstance(step, Assign):
            bound[step.name] = Shape()
        elif isinstance(step, Each):
            bound[step.collect or step.item] = Shape()
            bound[step.item] = Shape()
    return bound


def bound_directly(steps: tuple[Step, ...]) -> frozenset[str]:
    """The names that are bound whenever these steps run to their end."""
    return frozenset(rebound(tuple(s for s in steps if not isinstance(s, When | Each))))


def names_read(steps: tuple[Step, ...]) -> frozenset[str]:
    """Every row and variable that steps read, also in the sentences of refusals."""
    names: set[str] = set()
    for step in steps:
        for inner in walk_steps((step,)):
            names |= names_in(inner)
    return frozenset(names)


def names_in(step: BaseModel) -> set[str]:
    names: set[str] = set()
    for expression in expressions_of(step):
        if isinstance(expression, RowField):
            names.add(expression.row)
        elif isinstance(expression, Variable):
            names.add(expression.name)
    if isinstance(step, Update):
        names.add(step.row)
    message = step.message if isinstance(step, Refuse) else step.missing if isinstance(step, Find) else None
    names |= {m.partition(".")[0] for m in _PLACEHOLDER.findall(message or "")}
    return names
