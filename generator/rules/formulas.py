"""Formulas with places: a rule says which name it answers to and which words of parameters fill which place.

Invariant: a rule fits only when every parameter has a place and every place that needs one is filled, so no parameter
is left over. Not covered: the rules (`money`, `measures`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from autoforge.generator.ir import Expression
from autoforge.generator.rules.signature import Formula, Signature, apply, constant
from autoforge.generator.vocabulary import word_set

__all__ = ["Places", "Rule", "add", "cents", "divide", "fill", "first_of", "multiply", "share", "subtract"]

Places = dict[str, Expression]


class Rule(NamedTuple):
    """A formula with places for its operands."""

    name: re.Pattern[str]
    """Found in the words of the tool's name."""
    places: dict[str, str]
    """Place → words of the parameters that fill it; a `?` behind the place says that it may stay empty."""
    build: Callable[[Places, Signature], Formula]


_STORES = word_set("create update set delete remove register save record request submit pay list store log track")
"""Words of tools that keep what they are given."""


def first_of(rules: tuple[Rule, ...], signature: Signature) -> Formula | None:
    """The formula of the first rule that fits; None where none does."""
    return next((f for rule in rules if (f := fill(rule, signature)) is not None), None)


def fill(rule: Rule, signature: Signature) -> Formula | None:
    """The formula of a rule, or None where it does not fit. `place.name` holds the words of a place's parameter."""
    name = " ".join(signature.words)
    if not rule.name.search(name) or _STORES & set(signature.words) or not all(o.is_number for o in signature.operands):
        return None
    left = list(signature.operands)
    filled: Places = {}
    for place, words in rule.places.items():
        wanted = set(words.split())
        operand = next((o for o in left if set(o.words) & wanted), None)
        if operand is None and not place.endswith("?"):
            return None
        if operand is not None:
            left.remove(operand)
            filled[place.rstrip("?")] = operand.or_else(constant(1)) if place.endswith("?") else operand.argument
            filled[f"{place.rstrip('?')}.name"] = constant(" ".join(operand.words))
    return None if left else rule.build(filled, signature)


def add(a: Expression, b: Expression) -> Expression:
    return apply("add", a, b)


def subtract(a: Expression, b: Expression) -> Expression:
    return apply("subtract", a, b)


def multiply(a: Expression, b: Expression) -> Expression:
    return apply("multiply", a, b)


def divide(a: Expression, b: Expression) -> Expression:
    return apply("divide", a, b)


def cents(value: Expression) -> Expression:
    return apply("round", value, constant(2))


def share(rate: Expression, signature: Signature) -> Expression:
    """A rate as a fraction: it is in percent unless the documentation says decimal."""
    described = " ".join([signature.text, *(str(o.schema.get("description", "")) for o in signature.operands)])
    fraction = re.search(
        r"as a decimal|decimal (?:form|fraction|rate)|e\.g\.?,? 0\.\d|\(0\.\d+|fraction", described, re.IGNORECASE
    )
    return rate if fraction else divide(rate, constant(100))
