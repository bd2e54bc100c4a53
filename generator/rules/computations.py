"""Tools that compute: which formula answers a tool, from its own documentation alone.

Invariant: a tool counts as a computation only when one formula takes every one of its parameters, so none can be dead.
Not covered: building the operation (`transfers`), computations that need rows of the state (`estimates`, `rates`).
"""

from __future__ import annotations

from autoforge.generator.ir import Choose, Expression
from autoforge.generator.rules.arithmetic import arithmetic
from autoforge.generator.rules.calculator import calculator
from autoforge.generator.rules.calendar import date_function
from autoforge.generator.rules.conversions import conversion, radix
from autoforge.generator.rules.measures import measure
from autoforge.generator.rules.money import money_formula
from autoforge.generator.rules.number_lists import list_function
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.signature import Formula, Operand, apply, is_null, signature_of
from autoforge.generator.rules.tables import pair_of, rate_of
from autoforge.generator.rules.texts import text_function

__all__ = ["computes_alone", "formula_of"]

_RECOGNISERS = (
    calculator,
    list_function,
    arithmetic,
    conversion,
    radix,
    date_function,
    money_formula,
    measure,
    text_function,
)


def computes_alone(reading: Reading) -> bool:
    """Whether the result follows from the parameters alone, or from them and a table of the world (`rates`)."""
    return formula_of(reading) is not None or rate_of(reading) is not None or pair_of(reading) is not None


def formula_of(reading: Reading) -> Formula | None:
    """The formula of a tool, rounded to the decimals asked for; None where none takes all parameters."""
    signature = signature_of(reading)
    if not signature.operands:
        return None
    formula = next((f for recognise in _RECOGNISERS if (f := recognise(signature)) is not None), None)
    if formula is None or signature.decimals is None:
        return formula
    if formula.kind != "number" or not formula.rounded:
        return None
    return formula._replace(value=_rounded(formula.value, signature.decimals))


def _rounded(value: Expression, decimals: Operand) -> Expression:
    places = decimals.argument
    rounded = apply("round", value, places)
    return Choose(condition=is_null(places), then=value, otherwise=rounded) if decimals.is_optional else rounded
