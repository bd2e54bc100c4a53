"""What one generated function knows at one place: its names, what is known of their values, and what the code above
has made sure of.

Invariant: a fact is dropped when anything that it depends on may have changed (its row is bound again, a row of its
table is deleted), and what a branch learns stays in the branch. Not covered: source text.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import BaseModel

from autoforge.generator.emit.names import RESERVED, NameTable
from autoforge.generator.emit.shapes import Shape, of_schema
from autoforge.generator.emit.views import Views
from autoforge.generator.ir import (
    Apply,
    Argument,
    Constant,
    Entity,
    Expression,
    Operation,
    Parameter,
    RowField,
    Variable,
    World,
    expressions_of,
)
from autoforge.mcp_envs.errors import BadInput

__all__ = ["Fact", "Library", "Scope", "parameter_names"]


class Library:
    """What a module needs beside its functions, noted while they are written."""

    def __init__(self, views: Views | None = None) -> None:
        self.views = views or Views()
        self.helpers: set[str] = set()
        self.id_makers: dict[str, str] = {}
        """Entity -> name of the function that makes a fresh id."""
        self._names = NameTable()

    def helper(self, name: str) -> str:
        """Note that a helper is used; its name."""
        self.helpers.add(name)
        return name

    def id_maker(self, entity: Entity) -> str:
        """Note that fresh ids of an entity are needed; the name of the function that makes them."""
        if entity.name not in self.id_makers:
            self.id_makers[entity.name] = "_" + self._names.take(f"new_{entity.name}_id")
        return self.id_makers[entity.name]


class Fact(NamedTuple):
    """A row with this value in this column of the entity is known to exist, or to be absent."""

    state: Literal["exists", "absent"]
    entity: str
    column: str
    value: Expression


def parameter_names(operation: Operation) -> dict[str, str]:
    """Documented parameter name -> its name in the function, unique and legal."""
    if operation.code is not None:
        return {p.name: p.identifier for p in operation.parameters}
    table = NameTable()
    return {p.name: table.take(p.identifier, "argument") for p in operation.parameters}


class Scope:
    """Names, shapes and facts at one place of one function."""

    def __init__(self, world: World, operation: Operation, library: Library) -> None:
        self.world = world
        self.operation = operation
        self.library = library
        self.parameters = parameter_names(operation)
        self.shapes: dict[str, Shape] = {}
        self.given: list[Expression] = []
        """Expressions that are known not to be None here."""
        self.facts: list[Fact] = []
        self.seeking: dict[str, Fact] = {}
        """Row -> what is known to be absent where the row is None."""
        self._stale: set[str] = set()
        self._arguments = {p.name: _argument_shape(p) for p in operation.parameters}
        self._names: dict[str, str] = {}
        self._table = NameTable(RESERVED | frozenset(self.parameters.values()))

    def branch(self) -> Scope:
        """The scope of a block inside: it shares the names and keeps what it learns to itself."""
        inner = object.__new__(Scope)
        inner.__dict__.update(self.__dict__)
        inner.shapes, inner.given, inner.facts = dict(self.shapes), list(self.given), list(self.facts)
        inner.seeking, inner._stale = dict(self.seeking), set(self._stale)
        return inner

    def fresh(self, hint: str) -> str:
        """A name for a local value of the emitter's own."""
        return self._table.take(hint)

    def bind(self, name: str, shape: Shape) -> str:
        """The Python name of a row or variable that gets a new value here."""
        self.forget(name)
        self._stale.discard(name)
        self.shapes[name] = shape
        return self.name(name)

    def candidate(self) -> str:
        """The name of the row in a comprehension that filters rows."""
        return self._names.setdefault("\0candidate", self._names.get("\0candidate") or self._table.take("candidate"))

    def name(self, name: str) -> str:
        """The Python name of a row or variable, the same wherever it is bound."""
        if name not in self._names:
            is_row = name in self.shapes and self.shapes[name].kind == "row"
            self._names[name] = self._table.take(f"{name}_row" if is_row and self._table.has(name) else name)
        return self._names[name]

    def forget(self, name: str) -> None:
        """Drop what is known of a name, because its value changes."""
        self.given = [e for e in self.given if not _mentions(e, name)]
        self.facts = [f for f in self.facts if not _mentions(f.value, name)]
        self.seeking = {row: f for row, f in self.seeking.items() if row != name and not _mentions(f.value, name)}

    def bound(self, name: str) -> Shape:
        """What is known of a row or variable. Raises BadInput where nothing binds it."""
        if name not in self.shapes:
            raise BadInput(f"the tool {self.operation.tool!r} uses {name!r} before any step binds it; bind it first")
        shape = self.shapes[name]
        return shape.given() if Variable(name=name) in self.given else shape

    def argument(self, name: str) -> tuple[str, Shape]:
        """The Python name and shape of a parameter. Raises BadInput for one that is not documented."""
        if name not in self.parameters:
            raise BadInput(
                f"the tool {self.operation.tool!r} has no parameter {name!r}; its steps may use documented ones only"
            )
        shape = self._arguments[name]
        return self.parameters[name], shape.given() if Argument(name=name) in self.given else shape

    def learn(self, condition: Expression, holds: bool) -> None:
        """Take in that a condition holds, or does not."""
        if not isinstance(condition, Apply):
            if holds and isinstance(condition, Argument | Variable | RowField):
                self.given.append(condition)
            return
        if condition.function == "not":
            self.learn(condition.arguments[0], not holds)
        elif condition.function == ("and" if holds else "or"):
            for part in condition.arguments:
                self.learn(part, holds)
        elif condition.function == ("not_null" if holds else "is_null"):
            self.given.append(condition.arguments[0])
        elif condition.function == ("equal" if holds else "not_equal"):
            if any(isinstance(a, Constant) and a.value is not None for a in condition.arguments):
                self.given += [a for a in condition.arguments if not isinstance(a, Constant)]
        elif condition.function in ("less", "less_equal", "greater", "greater_equal") and holds:
            self.given += condition.arguments

    def knows(self, fact: Fact) -> bool:
        """Whether a fact has been made sure of."""
        return fact in self.facts

    def stale(self, row: str) -> bool:
        """Whether a bound row may have been deleted since."""
        return row in self._stale

    def deleted(self) -> None:
        """Rows may be gone: nothing is known to exist any more."""
        self.facts = [f for f in self.facts if f.state == "absent"]
        self._stale |= self.shapes.keys()

    def inserted(self, entity: str) -> None:
        """A row was added or changed: nothing of its table is known to be absent any more."""
        self.facts = [f for f in self.facts if f.state == "exists" or f.entity != entity]
        self.seeking = {row: f for row, f in self.seeking.items() if f.entity != entity}

    def widen(self, bound: dict[str, Shape]) -> None:
        """A loop will bind these names again and again: keep only what holds in every round."""
        for name, shape in bound.items():
            if name in self.shapes:
                self.bind(name, self.shapes[name].union(shape))

    def join(self, ends: list[Scope]) -> None:
        """Continue after blocks, knowing what all those that end here agree on."""
        if not ends:
            return
        first, *others = ends
        for end in others:
            first.shapes = {n: s.union(end.shapes[n]) for n, s in first.shapes.items() if n in end.shapes}
            first.given = [e for e in first.given if e in end.given]
            first.facts = [f for f in first.facts if f in end.facts]
            first.seeking = {row: f for row, f in first.seeking.items() if end.seeking.get(row) == f}
            first._stale |= end._stale
        self.shapes, self.given, self.facts = first.shapes, first.given, first.facts
        self.seeking, self._stale = first.seeking, first._stale


def _argument_shape(parameter: Parameter) -> Shape:
    return of_schema(parameter.json_schema, nullable=not parameter.required and parameter.default is None)


def _mentions(expression: BaseModel, name: str) -> bool:
    return any(
        (isinstance(e, Variable) and e.name == name) or (isinstance(e, RowField) and e.row == name)
        for e in expressions_of(expression)
    )
