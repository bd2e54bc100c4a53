"""A small interpreter of checked expressions, over the syntax tree: nothing is ever compiled or run by Python.

Invariant: it ends after a bounded number of steps, in bounded memory, and its only effects are its value or an
OperatorFault. Numbers are exact (0.1 + 0.2 == 0.3); otherwise it means what Python means. Not covered: what may be
written (`grammar`).
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from autoforge.generator.tasks.operators.functions import CALLS, Budget, elements, less, matches, normal, sized
from autoforge.generator.tasks.operators.numeric import exact, tidy
from autoforge.generator.tasks.operators.operator import OperatorFault

__all__ = ["evaluate"]

_STEPS = 200_000
_DEPTH = 40
"""Of values."""
_EXPONENT = 16
_NUMERIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Div: lambda one, other: Fraction(one) / other,
}  # fmt: skip
_SETS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.BitOr: operator.or_, ast.BitAnd: operator.and_, ast.Sub: operator.sub,
}  # fmt: skip
_Names = Mapping[str, Any]


def evaluate(tree: ast.Expression, names: Mapping[str, Any]) -> Any:
    """The JSON value of a checked expression. Raises OperatorFault."""
    run = _Run(Budget(_STEPS))
    given = {name: _entered(value, 0) for name, value in names.items()}
    try:
        return run.left(run.value(tree.body, given), 0)
    except (KeyError, IndexError):
        raise OperatorFault("the expression reads a part that is not there") from None
    except ZeroDivisionError:
        raise OperatorFault("a number is not divided by 0") from None
    except TypeError as error:
        raise OperatorFault(f"the expression does not fit its values: {error}") from None


def _entered(value: Any, depth: int) -> Any:
    """A JSON value with exact numbers."""
    if depth > _DEPTH:
        raise OperatorFault("a value is nested too deeply")
    if isinstance(value, list):
        return [_entered(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {name: _entered(inner, depth + 1) for name, inner in value.items()}
    return normal(exact(value)) if isinstance(value, float) else value


class _Run:
    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def left(self, value: Any, depth: int) -> Any:
        """A value as JSON holds it."""
        self._budget.spend()
        if depth > _DEPTH:
            raise OperatorFault("a value is nested too deeply")
        if isinstance(value, list | tuple | frozenset):
            return [self.left(item, depth + 1) for item in elements(value, self._budget)]
        if isinstance(value, dict):
            return {_property(name): self.left(inner, depth + 1) for name, inner in value.items()}
        return tidy(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value

    def value(self, node: ast.expr, names: _Names) -> Any:
        self._budget.spend()
        return _NODES[type(node)](self, node, names)

    def constant(self, node: ast.Constant, names: _Names) -> Any:
        return _entered(node.value, 0)

    def name(self, node: ast.Name, names: _Names) -> Any:
        return names[node.id]

    def unary(self, node: ast.UnaryOp, names: _Names) -> Any:
        value = self.value(node.operand, names)
        if isinstance(node.op, ast.Not):
            return not value
        return -_numeric(value) if isinstance(node.op, ast.USub) else _numeric(value)

    def binary(self, node: ast.BinOp, names: _Names) -> Any:
        one, other = self.value(node.left, names), self.value(node.right, names)
        kind = type(node.op)
        if isinstance(one, frozenset) and isinstance(other, frozenset) and kind in _SETS:
            return sized(_SETS[kind](one, other), self._budget)
        if kind is ast.Add and type(one) is type(other) and isinstance(one, str | list | tuple):
            return sized(one + other, self._budget)
        first, second = _numeric(one), _numeric(other)
        if kind is ast.Pow:
            return _power(first, second)
        if kind not in _NUMERIC:
            raise OperatorFault(f"{kind.__name__} is for sets only")
        return normal(_NUMERIC[kind](first, second))

    def boolean(self, node: ast.BoolOp, names: _Names) -> Any:
        value: Any = None
        for part in node.values:
            value = self.value(part, names)
            if bool(value) != isinstance(node.op, ast.And):
                break
        return value

    def compare(self, node: ast.Compare, names: _Names) -> bool:
        left = self.value(node.left, names)
        for op, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part, names)
            if not self._compared(op, left, right):
                return False
            left = right
        return True

    def _compared(self, op: ast.cmpop, one: Any, other: Any) -> bool:
        match op:
            case ast.Eq() | ast.Is():
                return matches(one, other, self._budget)
            case ast.NotEq() | ast.IsNot():
                return not matches(one, other, self._budget)
            case ast.In() | ast.NotIn():
                return self._has(other, one) == isinstance(op, ast.In)
            case ast.Lt() | ast.GtE():
                return less(one, other, self._budget) == isinstance(op, ast.Lt)
            case _:
                return less(other, one, self._budget) == isinstance(op, ast.Gt)

    def _has(self, collection: Any, value: Any) -> bool:
        if isinstance(collection, str):
            if not isinstance(value, str):
                raise OperatorFault("only a text is looked for in a text")
            self._budget.spend(len(collection) // 10)
            return value in collection
        return any(matches(value, item, self._budget) for item in elements(collection, self._budget))

    def branch(self, node: ast.IfExp, names: _Names) -> Any:
        return self.value(node.body if self.value(node.test, names) else node.orelse, names)

    def sequence(self, node: ast.List | ast.Tuple, names: _Names) -> Any:
        values = [self.value(item, names) for item in node.elts]
        return values if isinstance(node, ast.List) else tuple(values)

    def set_of(self, node: ast.Set, names: _Names) -> Any:
        return CALLS["set"](self._budget, [self.value(item, names) for item in node.elts])

    def object(self, node: ast.Dict, names: _Names) -> Any:
        pairs = zip(node.keys, node.values, strict=True)
        return {_property(self.value(k, names)): self.value(v, names) for k, v in pairs if k is not None}

    def part(self, node: ast.Subscript, names: _Names) -> Any:
        whole = self.value(node.value, names)
        if isinstance(node.slice, ast.Slice):
            return self._slice(whole, node.slice, names)
        place = self.value(node.slice, names)
        if isinstance(whole, dict):
            return whole[_property(place)]
        if not isinstance(whole, list | tuple | str) or not _is_place(place):
            raise OperatorFault("a part is taken of what has no such parts")
        return whole[place]

    def _slice(self, whole: Any, node: ast.Slice, names: _Names) -> Any:
        bounds = [None if part is None else self.value(part, names) for part in (node.lower, node.upper, node.step)]
        if (
            not isinstance(whole, list | tuple | str)
            or not all(b is None or _is_place(b) for b in bounds)
            or bounds[2] == 0
        ):
            raise OperatorFault("a slice is taken of what has none, or not by whole numbers")
        return sized(whole[slice(*bounds)], self._budget)

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, names: _Names) -> Any:
        found: list[Any] = []
        self._loop(node.generators, dict(names), lambda inner: found.append(self.value(node.elt, inner)))
        return CALLS["set"](self._budget, found) if isinstance(node, ast.SetComp) else sized(found, self._budget)

    def mapping(self, node: ast.DictComp, names: _Names) -> Any:
        found: dict[Any, Any] = {}

        def add(inner: _Names) -> None:
            found[_property(self.value(node.key, inner))] = self.value(node.value, inner)

        self._loop(node.generators, dict(names), add)
        return found

    def _loop(self, loops: list[ast.comprehension], names: dict[str, Any], act: Callable[[_Names], None]) -> None:
        loop, *rest = loops
        for item in elements(self.value(loop.iter, names), self._budget):
            _bind(loop.target, item, names)
            if all(self.value(test, names) for test in loop.ifs):
                if rest:
                    self._loop(rest, names, act)
                else:
                    act(names)

    def call(self, node: ast.Call, names: _Names) -> Any:
        assert isinstance(node.func, ast.Name)
        arguments = [self.value(argument, names) for argument in node.args]
        keywords = {str(word.arg): self.value(word.value, names) for word in node.keywords}
        return CALLS[node.func.id](self._budget, *arguments, **keywords)


_NODES: Mapping[type[ast.expr], Callable[[_Run, Any, _Names], Any]] = {
    ast.Constant: _Run.constant, ast.Name: _Run.name, ast.UnaryOp: _Run.unary, ast.BinOp: _Run.binary,
    ast.BoolOp: _Run.boolean, ast.Compare: _Run.compare, ast.IfExp: _Run.branch, ast.List: _Run.sequence,
    ast.Tuple: _Run.sequence, ast.Set: _Run.set_of, ast.Dict: _Run.object, ast.Subscript: _Run.part,
    ast.ListComp: _Run.comprehension, ast.GeneratorExp: _Run.comprehension, ast.SetComp: _Run.comprehension,
    ast.DictComp: _Run.mapping, ast.Call: _Run.call,
}  # fmt: skip


def _bind(target: ast.expr, item: Any, names: dict[str, Any]) -> None:
    if isinstance(target, ast.Name):
        names[target.id] = item
        return
    assert isinstance(target, ast.Tuple)
    if not isinstance(item, list | tuple) or len(item) != len(target.elts):
        raise OperatorFault("a loop over several names needs lists of as many values")
    for part, value in zip(target.elts, item, strict=True):
        _bind(part, value, names)


def _power(base: int | Fraction, exponent: int | Fraction) -> Any:
    if not isinstance(exponent, int) or abs(exponent) > _EXPONENT:
        raise OperatorFault(f"an exponent is a whole number of at most {_EXPONENT}")
    return normal(Fraction(base) ** exponent)


def _numeric(value: Any) -> int | Fraction:
    if not isinstance(value, int | Fraction):
        raise OperatorFault("a number is needed where there is none")
    return value


def _property(name: Any) -> str:
    if not isinstance(name, str):
        raise OperatorFault("properties of objects have names that are text")
    return name


def _is_place(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
