"""Operators on two numbers: `over` and `inputs.value`.

Invariant: results are exact decimals (0.1 + 0.2 is 0.3), whole ones are ints. Not covered: currencies and units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from autoforge.generator.tasks.operators.alternatives import tried
from autoforge.generator.tasks.operators.numeric import exact, rounded, tidy
from autoforge.generator.tasks.operators.operator import Operator, OperatorFault
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]

_Binary = Callable[[Fraction, Fraction], Fraction]


def _divided(one: Fraction, other: Fraction) -> Fraction:
    if other == 0:
        raise OperatorFault("a number is not divided by 0")
    return one / other


_BINARY: Mapping[str, _Binary] = {
    "add": lambda one, other: one + other,
    "subtract": lambda one, other: one - other,
    "multiply": lambda one, other: one * other,
    "divide": _divided,
    "percent_of": lambda one, other: one * other / 100,
    "absolute_difference": lambda one, other: abs(one - other),
}
_MISTAKEN: Mapping[str, tuple[_Binary, ...]] = {
    "add": (_BINARY["subtract"], lambda one, other: one, lambda one, other: other),
    "subtract": (_BINARY["add"], lambda one, other: other - one, lambda one, other: one),
    "multiply": (_BINARY["add"], lambda one, other: one, lambda one, other: one * (other + 1),
                 lambda one, other: one * (other - 1)),
    "divide": (_BINARY["multiply"], lambda one, other: _divided(other, one), lambda one, other: one),
    "percent_of": (lambda one, other: one - one * other / 100, lambda one, other: one + one * other / 100,
                   lambda one, other: _divided(one * 100, other), lambda one, other: one - other),
    "absolute_difference": (_BINARY["add"], lambda one, other: one, lambda one, other: other),
}  # fmt: skip
"""What a careless reader calculates instead."""


def _binary(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> int | float:
    return tidy(_BINARY[node.reason](exact(over), exact(inputs["value"])))


def _round_to(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> int | float:
    return tidy(rounded(exact(over), node.n if node.n is not None else 0))


OPERATORS = (
    *(Operator(name, "number", "number", ("inputs.value",), _binary) for name in _BINARY),
    Operator("round_to", "number", "number", ("n",), _round_to),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """The opposite operation, operands swapped, an operand alone; for `round_to` the number cut off, or not rounded."""
    one = exact(over)
    if node.reason == "round_to":
        scale = 10 ** (node.n or 0)
        return tried(lambda: tidy(Fraction(one * scale // 1, scale)), lambda: tidy(one),
                     lambda: tidy(Fraction(one * scale // 1 + 1, scale)))  # fmt: skip
    other = exact(inputs["value"])
    return tried(*(lambda m=mistaken: tidy(m(one, other)) for mistaken in _MISTAKEN[node.reason]))
