"""What the builders of operations share: the tool, its roles and plan, the growing list of steps, and small step
makers.

Invariant: every argument is reached through `argument`, so a builder can ask which parameters its steps do not use yet.
Not covered: which steps a verb needs (`reads`, `writes`, `transfers`, `sessions`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from autoforge.generator.ir import (
    Apply,
    Argument,
    Attribute,
    Constant,
    Entity,
    Expression,
    Filter,
    Find,
    Function,
    Item,
    OperationKind,
    Reason,
    Refuse,
    RowField,
    Step,
    Variable,
    expressions_of,
    walk_steps,
)
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.output_plans import Plan
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role

__all__ = ["Scene", "both", "call", "equal", "key_filter", "negate"]


def call(function: Function, *arguments: Expression) -> Apply:
    return Apply(function=function, arguments=tuple(arguments))


def equal(left: Expression, right: Expression) -> Apply:
    return call("equal", left, right)


def negate(expression: Expression) -> Apply:
    return call("not", expression)


def both(*conditions: Expression) -> Expression:
    return conditions[0] if len(conditions) == 1 else call("and", *conditions)


def key_filter(entity: Entity, value: Expression) -> tuple[Filter, ...]:
    return (Filter(column=entity.key[-1], value=value),)


@dataclass(slots=True)
class Scene:
    """One operation while it is built."""

    reading: Reading
    roles: list[Role]
    plan: Plan | None
    entities: dict[str, Entity]
    cast: Cast
    clues: list[Clue] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    """Output names of columns where data gave other ones: entity → column → name."""
    kind: OperationKind = OperationKind.WEAK
    guesses: list[str] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    bound: dict[str, str] = field(default_factory=dict)
    """Row variables bound so far → their entity."""
    taken: set[str] = field(default_factory=set)
    """Every variable name used in the operation, also inside loops."""
    bookings: dict[str, Any] = field(default_factory=dict)
    """Thing → `availability.Booking`, where some tool looks for what is free."""
    chain: tuple[str, ...] = ()
    """Entities around the record that is being built: a record does not hold itself."""

    @property
    def entity(self) -> Entity | None:
        name = self.cast.of_tool.get(self.reading.tool.name)
        return self.entities.get(name) if name else None

    def roles_of(self, *kinds: str) -> list[Role]:
        return [r for r in self.roles if r.role in kinds]

    def first(self, *kinds: str) -> Role | None:
        return next((r for r in self.roles if r.role in kinds), None)

    def argument(self, role: Role) -> Expression:
        """The value of a parameter, or of a property inside one."""
        expression: Expression = Argument(name=role.path[0])
        for part in role.path[1:]:
            expression = Item(container=expression, key=Constant(value=part))
        return expression

    def add(self, *steps: Step) -> None:
        self.steps.extend(steps)

    def variable(self, base: str) -> str:
        """A name that no row of this operation has yet."""
        name, n = base, 2
        while name in self.bound or name in self.taken or name in {r.path[0] for r in self.roles}:
            name, n = f"{base}_{n}", n + 1
        self.taken.add(name)
        return name

    def find(
        self,
        entity: Entity,
        value: Expression | None,
        *,
        row: str | None = None,
        shown: str = "",
        extra: Iterable[Filter] = (),
        optional: bool = False,
    ) -> str:
        """Bind the row of an entity by its key, refused when it is missing."""
        name = self.variable(row or entity.name)
        where = (*(key_filter(entity, value) if value is not None else ()), *extra)
        title = entity.title.lower() or entity.name
        by = entity.key[-1] if value is not None else next((f.column for f in extra), entity.key[-1])
        missing = (
            None
            if optional
            else (f"No {title} with {_words(by)} {{{shown}}} was found." if shown else f"There is no {title}.")
        )
        self.add(Find(row=name, entity=entity.name, where=where, missing=missing))
        self.bound[name] = entity.name
        return name

    def refuse(self, when: Expression, message: str, reason: Reason, evidence: str = "") -> None:
        self.add(Refuse(when=when, message=message, reason=reason, evidence=evidence))

    def own_row(self, entity: Entity) -> str | None:
        """The row of whoever is logged in, where sessions are of this entity; refused when nobody is."""
        session = self.entities.get("session")
        user = (
            next((a for a in session.attributes if a.references == entity.name), None) if session is not None else None
        )
        if session is None or user is None:
            return None
        if "session" not in self.bound:
            self.find(session, None, row="session")
        self.refuse(
            negate(RowField(row="session", column=self.cast.entities["session"].flag)),
            "Nobody is logged in; log in first.",
            "session",
        )
        return self.find(entity, RowField(row="session", column=user.name))

    def column(self, row: str, column: str) -> RowField:
        return RowField(row=row, column=column)

    def unused(self) -> list[str]:
        """Top-level parameters that no step reads yet."""
        used = {e.name for s in walk_steps(tuple(self.steps)) for e in expressions_of(s) if isinstance(e, Argument)}
        return [n for n in self.reading.tool.input_schema.get("properties", {}) if n not in used]

    def attribute(self, role: Role) -> Attribute | None:
        return self.entity.attribute(role.column) if self.entity is not None and role.column else None


def _words(column: str) -> str:
    return column.replace("_", " ")


def counted(rows: str) -> Expression:
    return call("length", Variable(name=rows))
