"""Functions of one number or of several, by the words of a tool's name.

Invariant: a tool is recognised only when its whole name is the name of a function and every parameter has its place in
it; what has no result is null here and refused by the builder. Not covered: lists of numbers (`number_lists`), units,
dates, texts and formulas of everyday life, which have modules of their own.
"""

from __future__ import annotations

import math
import re
from functools import reduce

from autoforge.generator.ir import Expression
from autoforge.generator.rules.signature import (
    Binary,
    Formula,
    Operand,
    Signature,
    Unary,
    apply,
    constant,
    refusal,
)
from autoforge.generator.vocabulary import word_set

__all__ = ["BINARY", "arithmetic", "named", "of_two"]


def named(rows: dict[str, str]) -> dict[str, str]:
    """Function by each of its names, which are listed with commas."""
    return {name.strip(): function for function, names in rows.items() for name in names.split(",")}


BINARY = named(
    {
        "add": "add, sum, plus, addition, total, sumar, suma, addieren, summe, addition, additionner, +",
        "subtract": "subtract, minus, difference, subtraction, restar, resta, subtrahieren, differenz, soustraire, -",
        "multiply": (
            "multiply, product, times, multiplication, multiplicar, multiplicacion, producto, "
            "multiplizieren, produkt, multiplier, *, x"
        ),
        "divide": "divide, quotient, division, dividir, dividieren, diviser, /",
        "modulo": "modulo, mod, modulus, remainder, resto, %",
        "power": (
            "power, pow, exponent, exponentiation, exponentiate, raise power, raise to power, potencia, potenz, ^, **"
        ),
        "greatest_common_divisor": "gcd, greatest common divisor, hcf, mcd, maximo comun divisor, ggt",
        "least_common_multiple": "lcm, least common multiple, mcm, minimo comun multiplo, kgv",
        "maximum": "maximum, max, larger, largest, maximo",
        "minimum": "minimum, min, smaller, smallest, minimo",
        "logarithm": "logarithm, log, logaritmo, logarithmus",
        "root": "root, nth root, raiz, raiz enesima, wurzel",
        "average": "average, mean, promedio, media, durchschnitt, mittelwert",
        "percentage": "percentage, percent, porcentaje, prozent, prozentsatz, pourcentage",
        "change": (
            "percentage change, percent change, percentage increase, percentage difference, growth rate, "
            "cambio porcentual"
        ),
        "hypotenuse": "hypotenuse, hypotenuse length, hipotenusa",
    }
)
_UNARY = named(
    {
        "absolute": "absolute, abs, absolute abs, absoluto, betrag",
        "square_root": "square root, sqrt, raiz cuadrada, quadratwurzel, racine carree",
        "cube_root": "cube root, cbrt, raiz cubica",
        "square": "square, squared, cuadrado, quadrat",
        "cube": "cube, cubed, cubo",
        "negate": "negate, negative, opposite",
        "factorial": "factorial, fakultaet",
        "floor": "floor, round down, piso",
        "ceiling": "ceil, ceiling, round up, techo",
        "round": "round, rounding, redondear, redondeo, runden",
        "sine": "sin, sine, seno, sinus",
        "cosine": "cos, cosine, coseno, kosinus",
        "tangent": "tan, tangent, tangente, tangens",
        "arcsine": "asin, arcsin, arcsine",
        "arccosine": "acos, arccos, arccosine",
        "arctangent": "atan, arctan, arctangent",
        "natural": "ln, natural log, natural logarithm, log, logarithm, logaritmo natural, logaritmo",
        "log10": "log10, log 10, common logarithm",
        "log2": "log2, log 2, binary logarithm",
        "exponential": "exp, exponential",
        "reciprocal": "reciprocal, inverse",
        "is_prime": "prime, primo",
        "even": "even, par",
        "odd": "odd, impar",
    }
)
_SECOND_FIRST = {
    "subtract": "subtrahend sustraendo",
    "divide": "divisor denominator denominador",
    "power": "exponent exp power exponente",
    "modulo": "divisor modulus",
    "logarithm": "base",
    "root": "degree n index root indice grado",
    "percentage": "whole total of todo",
    "change": "new final end current to nuevo",
}
"""Words of the operand that stands second, whatever the order of the documentation is."""
_GENERIC = word_set(
    "a b c x y z n m num number num1 num2 n1 n2 number1 number2 value value1 value2 first second "
    "val1 val2 left right 1 2 operand operand1 operand2 numero numero1 numero2 primer segundo "
    "primero zahl1 zahl2"
)
_AMBIGUOUS = word_set("total log plus max min maximum minimum difference product average mean")
"""Names of functions that are words of everyday tools, too."""
_PERCENT = word_set("percent percentage rate pct porcentaje prozent")


def _binary(function: str) -> Binary:
    special: dict[str, Binary] = {
        "average": lambda a, b: apply("divide", apply("add", a, b), constant(2)),
        "percentage": lambda a, b: apply("divide", apply("multiply", a, constant(100)), b),
        "change": lambda a, b: apply(
            "divide", apply("multiply", apply("subtract", b, a), constant(100)), apply("absolute", a)
        ),
        "hypotenuse": lambda a, b: apply("root", apply("add", apply("multiply", a, a), apply("multiply", b, b))),
    }
    return special.get(function, lambda a, b: apply(function, a, b))


def _unary(function: str, signature: Signature) -> Unary:
    degrees = bool(
        re.search(
            r"\bdegrees?\b|\bgrados?\b|\bgrad\b",
            f"{signature.text} {signature.operands[0].words} {signature.operands[0].schema.get('description', '')}",
            re.IGNORECASE,
        )
    )
    special: dict[str, Unary] = {
        "square_root": lambda x: apply("root", x),
        "cube_root": lambda x: apply("root", x, constant(3)),
        "square": lambda x: apply("multiply", x, x),
        "cube": lambda x: apply("power", x, constant(3)),
        "natural": lambda x: apply("logarithm", x),
        "log10": lambda x: apply("logarithm", x, constant(10)),
        "log2": lambda x: apply("logarithm", x, constant(2)),
        "exponential": lambda x: apply("power", constant(math.e), x),
        "reciprocal": lambda x: apply("divide", constant(1), x),
        "even": lambda x: apply("equal", apply("modulo", x, constant(2)), constant(0)),
        "odd": lambda x: apply("equal", apply("modulo", x, constant(2)), constant(1)),
    }
    if function in ("sine", "cosine", "tangent", "arcsine", "arccosine", "arctangent") and degrees:
        return lambda x: apply(function, x, constant(True))
    return special.get(function, lambda x: apply(function, x))


def arithmetic(signature: Signature) -> Formula | None:
    """`divide(a, b)`, `square_root(number)`, `percentage(part, whole)`, `round_number(number, decimal_places)`."""
    numbers = signature.of("number")
    if len(numbers) != len(signature.operands) or not numbers:
        return None
    if len(numbers) == 1:
        return _of_one(signature, numbers[0])
    function = BINARY.get(signature.phrase) or _said(signature, numbers)
    if function is None or (signature.phrase in _AMBIGUOUS and not _generic(_unnamed(function, numbers))):
        return None
    if len(numbers) == 2:
        return of_two(function, numbers)
    if function not in (
        "add",
        "multiply",
        "maximum",
        "minimum",
        "average",
        "greatest_common_divisor",
        "least_common_multiple",
    ):
        return None
    arguments: list[Expression] = [n.argument for n in numbers]
    folded = reduce(lambda a, b: apply("add" if function == "average" else function, a, b), arguments)
    return Formula(apply("divide", folded, constant(len(arguments))) if function == "average" else folded)


def _unnamed(function: str, numbers: list[Operand]) -> list[Operand]:
    """The operands whose names do not say their place already."""
    return [n for n in numbers if not set(n.words) & set(_SECOND_FIRST.get(function, "").split())]


def _generic(numbers: list[Operand]) -> bool:
    """Whether the operands are just numbers, whose names say nothing of things."""
    return all(set(n.words) & _GENERIC or n.name.lower() in _GENERIC for n in numbers)


def _said(signature: Signature, numbers: list[Operand]) -> str | None:
    """“Add two numbers”, where the operands are plain `a` and `b`."""
    if not _generic(numbers):
        return None
    found = re.match(
        r"\W*(?:calculates?|computes?|returns?|gets?|finds?)?\s*(?:the\s+)?(\w+?)s?\b[^.]{0,30}\bnumbers?\b",
        signature.text.lower(),
    )
    return BINARY.get(found.group(1)) if found else None


def _of_one(signature: Signature, number: Operand) -> Formula | None:
    phrase = signature.phrase
    if phrase in ("round", "rounding", "redondear", "runden", "redondeo"):
        return (
            Formula(apply("round", number.argument), rounded=True)
            if signature.decimals is None
            else Formula(number.argument)
        )
    function = _UNARY.get(phrase)
    if function is None or (phrase in _AMBIGUOUS and not _generic([number])):
        return None
    refusals = []
    if function in ("natural", "log10", "log2"):
        refusals.append(
            refusal(
                apply("less_equal", number.argument, constant(0)),
                f"The logarithm of {{{number.name}}} is not defined; it needs a number above 0.",
            )
        )
    if function == "square_root":
        refusals.append(
            refusal(apply("less", number.argument, constant(0)), f"{{{number.name}}} has no real square root.")
        )
    if function == "factorial":
        refusals.append(
            refusal(
                apply("less", number.argument, constant(0)),
                f"{{{number.name}}} has no factorial; it needs a whole number from 0 to 20.",
            )
        )
    kind = "boolean" if function in ("is_prime", "even", "odd") else "number"
    return Formula(_unary(function, signature)(number.argument), tuple(refusals), kind=kind)


def of_two(function: str, numbers: list[Operand]) -> Formula:
    """The formula of a function of two operands, in the places that their names say."""
    first, second = numbers
    if set(first.words) & set(_SECOND_FIRST.get(function, "").split()) and not set(second.words) & set(
        _SECOND_FIRST.get(function, "").split()
    ):
        first, second = second, first
    a, b = first.or_else(constant(None)), second.or_else(_default(function))
    if function == "percentage":
        share = next((n for n in numbers if set(n.words) & _PERCENT), None)
        if share is not None:
            other = next(n for n in numbers if n is not share)
            return Formula(apply("divide", apply("multiply", other.argument, share.argument), constant(100)))
    refusals = []
    if function in ("divide", "modulo", "percentage", "change"):
        zero = a if function == "change" else b
        what = {
            "percentage": "The percentage of a whole of 0 is not defined.",
            "change": "The change from 0 is no percentage.",
        }.get(function, "Division by zero is not defined.")
        refusals.append(refusal(apply("equal", zero, constant(0)), what))
    if function == "logarithm":
        refusals.append(
            refusal(
                apply("less_equal", a, constant(0)),
                f"The logarithm of {{{first.name}}} is not defined; it needs a number above 0.",
            )
        )
        wrong = apply("or", apply("less_equal", b, constant(0)), apply("equal", b, constant(1)))
        refusals.append(
            refusal(wrong, f"{{{second.name}}} is no base of a logarithm; it needs a number above 0 other than 1.")
        )
    return Formula(_binary(function)(a, b), tuple(refusals))


def _default(function: str) -> Expression:
    return constant({"logarithm": math.e, "root": 2}.get(function))
