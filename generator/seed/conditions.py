"""What an expression of an operation is worth on rows of the seed, as far as that can be known before any call.

Invariant: an answer is right whatever arguments a call gives beyond those in the scope; what hangs on others is
UNKNOWN, and so is every function that conditions on rows do not need. Comparisons are those of the generated code:
with None nothing is less or greater. Not covered: finding rows (`scenario`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from autoforge.generator.ir import Apply, Argument, Choose, Constant, Expression, Item, Now, RowField, Today, Variable
from autoforge.generator.seed.setting import Setting

__all__ = ["UNKNOWN", "Reference", "Scope", "Slot", "evaluate", "parts_of", "slot_of"]


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Any = _Unknown()
"""What depends on arguments, or on what the operation itself makes."""

Slot = tuple[str, ...]
"""An argument, or a property inside one, by its path."""


class Reference(NamedTuple):
    """A row of the seed."""

    entity: str
    number: int


@dataclass(slots=True)
class Scope:
    """What is bound at a step of an operation."""

    setting: Setting
    rows: dict[str, Any] = field(default_factory=dict)
    """Reference, list of References, plain value, None or UNKNOWN, by name."""
    slots: dict[Slot, tuple[str, str]] = field(default_factory=dict)
    """Arguments that name a bound row → (row, column) that they hold."""
    samples: Mapping[str, Any] = field(default_factory=dict)
    """Arguments for which a value is as good as settled: small amounts, defaults."""
    stale: set[tuple[str, str]] = field(default_factory=set)
    """(row, column) that the operation has changed."""

    def copy(self) -> Scope:
        """The same, to bind more in."""
        return Scope(self.setting, dict(self.rows), dict(self.slots), self.samples, set(self.stale))

    def cell(self, row: str, column: str) -> Any:
        """A column of a bound row; UNKNOWN where the operation has changed it."""
        found = self.rows.get(row, UNKNOWN)
        if found is None:
            return None
        if not isinstance(found, Reference) or (row, column) in self.stale:
            return UNKNOWN
        return self.setting.rows[found.entity][found.number].get(column)


def slot_of(expression: Expression) -> Slot | None:
    """The path of an argument, None for anything else. Items of one list are taken for one argument."""
    if isinstance(expression, Argument):
        return (expression.name,)
    if isinstance(expression, Variable):
        return ("@", expression.name)
    if isinstance(expression, Item) and isinstance(expression.key, Constant):
        outer = slot_of(expression.container)
        return (*outer, str(expression.key.value)) if outer is not None else None
    return None


def parts_of(expression: Any) -> Iterator[Any]:
    """The expression and every one that its value is made of."""
    yield expression
    inner: tuple[Any, ...] = ()
    if isinstance(expression, Apply):
        inner = expression.arguments
    elif isinstance(expression, Choose):
        inner = (expression.condition, expression.then, expression.otherwise)
    for part in inner:
        yield from parts_of(part)


def evaluate(expression: Expression, scope: Scope) -> Any:
    """The value, or UNKNOWN."""
    function = _KINDS.get(type(expression))
    return UNKNOWN if function is None else function(expression, scope)


def _choose(expression: Choose, scope: Scope) -> Any:
    condition = evaluate(expression.condition, scope)
    if condition is UNKNOWN:
        return UNKNOWN
    return evaluate(expression.then if condition else expression.otherwise, scope)


def _argument(expression: Expression, scope: Scope) -> Any:
    slot = slot_of(expression)
    if slot in scope.slots:
        return scope.cell(*scope.slots[slot])
    return scope.samples.get(slot[-1], UNKNOWN) if slot is not None and slot[0] != "@" else UNKNOWN


def _variable(expression: Variable, scope: Scope) -> Any:
    slot = ("@", expression.name)
    return scope.cell(*scope.slots[slot]) if slot in scope.slots else scope.rows.get(expression.name, UNKNOWN)


def _apply(expression: Apply, scope: Scope) -> Any:
    if expression.function in ("and", "or"):
        return _junction(expression, scope)
    values = [evaluate(part, scope) for part in expression.arguments]
    if expression.function == "coalesce":
        known = [v for v in values if v is not None]
        return known[0] if known else None
    function = _FUNCTIONS.get(expression.function)
    return UNKNOWN if function is None or any(v is UNKNOWN for v in values) else function(*values)


def _junction(expression: Apply, scope: Scope) -> Any:
    """Truth of `and` and `or`, known as soon as one part decides."""
    decisive, unknown = expression.function == "or", False
    for part in expression.arguments:
        value = evaluate(part, scope)
        if value is UNKNOWN:
            unknown = True
        elif bool(value) is decisive:
            return decisive
    return UNKNOWN if unknown else not decisive


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def function(left: Any, right: Any) -> bool:
        texts = isinstance(left, str) and isinstance(right, str)
        if texts and len(left) != len(right):  # a moment is compared to a date by its day
            left, right = left[:10], right[:10]
        return compare(left, right) if texts or (_is_number(left) and _is_number(right)) else False

    return function


def _arithmetic(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda left, right: round(compute(left, right), 10) if _is_number(left) and _is_number(right) else None


def _length(value: Any) -> Any:
    return len(value) if isinstance(value, list | str | dict) else 0


def _at(values: Any, index: Any) -> Any:
    inside = isinstance(values, list) and isinstance(index, int) and 0 <= index < len(values)
    return values[index] if inside else None


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "equal": lambda left, right: left == right,
    "not_equal": lambda left, right: left != right,
    "less": _ordered(lambda left, right: left < right),
    "less_equal": _ordered(lambda left, right: left <= right),
    "greater": _ordered(lambda left, right: left > right),
    "greater_equal": _ordered(lambda left, right: left >= right),
    "not": lambda value: not value,
    "is_null": lambda value: value is None,
    "not_null": lambda value: value is not None,
    "in": lambda value, among: isinstance(among, list) and value in among,
    "add": _arithmetic(lambda left, right: left + right),
    "subtract": _arithmetic(lambda left, right: left - right),
    "multiply": _arithmetic(lambda left, right: left * right),
    "round": lambda value, digits=0: round(value, int(digits)) if _is_number(value) else None,
    "length": _length,
    "count": _length,
    "at": _at,
}
_KINDS: dict[type, Callable[[Any, Scope], Any]] = {
    Constant: lambda expression, scope: expression.value,
    RowField: lambda expression, scope: scope.cell(expression.row, expression.column),
    Argument: _argument,
    Item: _argument,
    Variable: _variable,
    Now: lambda expression, scope: scope.setting.clock.isoformat(timespec="seconds"),
    Today: lambda expression, scope: scope.setting.today.isoformat(),
    Choose: _choose,
    Apply: _apply,
}
