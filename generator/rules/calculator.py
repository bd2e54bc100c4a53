"""Calculators: tools that are told what to compute, as an expression or as the name of an operation.

Invariant: every operation that an enum lists is known. Not covered: equations with unknowns, matrices.
"""

from __future__ import annotations

import re

from autoforge.generator.rules.arithmetic import BINARY, of_two
from autoforge.generator.rules.signature import Formula, Signature, apply, choose_by, constant, refusal, unknown_choice

__all__ = ["calculator"]


def calculator(signature: Signature) -> Formula | None:
    """`calculate(expression)` and `calculate(operation, a, b)`."""
    operands = signature.operands
    if (
        (
            len(operands) == 1
            and operands[0].is_text
            and set(operands[0].words) & {"expression", "formula", "equation", "expr", "expresion", "ausdruck"}
        )
        and re.search(
            r"math|arithmet|calculat|calcul|rechn|evaluat",
            f"{' '.join(signature.words)} {signature.text}",
            re.IGNORECASE,
        )
        and not re.search(r"regex|regular|cron|integral|derivative|symbolic|variable", signature.text, re.IGNORECASE)
    ):
        return Formula(apply("evaluate", operands[0].argument), ())
    numbers, choices = signature.of("number"), [o for o in operands if o.is_text]
    if len(numbers) != 2 or len(choices) != 1 or len(operands) != 3:
        return None
    named = [(c, BINARY.get(c.lower().replace("_", " "))) for c in choices[0].choices]
    known = [(c, f) for c, f in named if f is not None]
    if not known or len(known) != len(named):
        return None
    formulas = [(c, of_two(f, numbers)) for c, f in known]
    value = choose_by(choices[0], [(c, f.value) for c, f in formulas], fold=not choices[0].enum)
    dividing = [c for c, f in known if f in ("divide", "modulo", "percentage")]
    by_zero = apply(
        "and", apply("in", choices[0].argument, constant(dividing)), apply("equal", numbers[1].argument, constant(0))
    )
    refusals = (refusal(by_zero, "Division by zero is not defined."),) if dividing else ()
    return Formula(value, (*unknown_choice(choices[0]), *refusals))
