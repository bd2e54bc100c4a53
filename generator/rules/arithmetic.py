"""Functions of numbers and of lists of numbers, by the words of a tool's name.

Invariant: a tool is recognised only when its whole name is the name of a function and every parameter has its place in
it; what has no result is null here and refused by the builder. Not covered: units, dates, texts and formulas of
everyday life, which have modules of their own.
"""

from __future__ import annotations

import math
import re
from functools import reduce

from autoforge.generator.ir import Expression, Refuse
from autoforge.generator.rules.meaning_words import word_set
from autoforge.generator.rules.signature import (
    Binary,
    Formula,
    Operand,
    Signature,
    Unary,
    apply,
    choose_by,
    constant,
    refusal,
)

__all__ = ["arithmetic", "calculator", "list_function"]


def _named(rows: dict[str, str]) -> dict[str, str]:
    return {name.strip(): function for function, names in rows.items() for name in names.split(",")}


_BINARY = _named(
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
        "greatest_common_divisor": "gcd, greatest common divisor, hcf, highest common factor, mcd, maximo comun divisor, ggt",
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
_UNARY = _named(
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
_LISTS = _named(
    {
        "sum": "sum, add, total, sumar, suma, summe, somme",
        "product_of": "product, multiply, producto",
        "average": "average, mean, avg, arithmetic mean, promedio, media, durchschnitt, mittelwert, moyenne",
        "median": "median, mediana",
        "mode": "mode, moda, modus",
        "max_of": "maximum, max, largest, highest, maximo",
        "min_of": "minimum, min, smallest, lowest, minimo",
        "variance": "variance, var, varianza, varianz",
        "standard_deviation": "standard deviation, std dev, stdev, std, stddev, desviacion estandar, standardabweichung",
        "range": "range, rango, spannweite",
        "count": "count, length, size, contar",
        "sort": "sort, ordenar, sortieren",
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
    (
        "a b c x y z n m num number num1 num2 n1 n2 number1 number2 value value1 value2 first second "
        "val1 val2 left right 1 2 operand operand1 operand2 numero numero1 numero2 primer segundo "
        "primero zahl1 zahl2"
    )
)
_AMBIGUOUS = word_set("total log plus power max min maximum minimum difference product average mean")
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
    function = _BINARY.get(signature.phrase) or _said(signature, numbers)
    if function is None or (signature.phrase in _AMBIGUOUS and not _generic(_unnamed(function, numbers))):
        return None
    if len(numbers) == 2:
        return _of_two(function, numbers)
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
    return _BINARY.get(found.group(1)) if found else None


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


def _of_two(function: str, numbers: list[Operand]) -> Formula:
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


def _list_value(function: str, values: Expression, sample: bool) -> Expression:
    if function == "range":
        return apply("subtract", apply("max_of", values), apply("min_of", values))
    return (
        apply(function, values, constant(True))
        if sample and function in ("variance", "standard_deviation")
        else apply(function, values)
    )


def list_function(signature: Signature) -> Formula | None:
    """`mean(numbers)`, `standard_deviation(data)`; also with a choice of the function (`calculate_statistics(values, metric)`)."""
    lists = signature.of("numbers")
    rest = [o for o in signature.operands if not o.is_numbers]
    if len(lists) != 1:
        return None
    values = lists[0].argument
    empty = refusal(apply("equal", apply("count", values), constant(0)), "The list of numbers is empty.")
    sample = "sample" in signature.words or bool(
        re.search(r"\bsample (?:standard|variance)\b", signature.text, re.IGNORECASE)
    )
    if not rest:
        phrase = " ".join(w for w in signature.phrase.split() if w not in ("sample", "population"))
        function = _LISTS.get(phrase) or (_LISTS.get(phrase.removesuffix("s")) if phrase else None)
        if function is None:
            return _statistics(signature, values, empty)
        kind = "list" if function == "sort" else "number"
        return Formula(
            _list_value(function, values, sample), () if function in ("sum", "count", "sort") else (empty,), kind=kind
        )
    if len(rest) == 1 and rest[0].is_text:
        cases = [(c, _LISTS.get(" ".join(c.lower().replace("_", " ").split()))) for c in rest[0].choices]
        known = [(c, _list_value(f, values, sample)) for c, f in cases if f is not None and f != "sort"]
        if known and len(known) == len(cases):
            return Formula(choose_by(rest[0], known, fold=not rest[0].enum), (empty, *_unknown(rest[0])))
    return None


_SUMMARY = {
    "mean": "average",
    "average": "average",
    "median": "median",
    "mode": "mode",
    "minimum": "min_of",
    "min": "min_of",
    "maximum": "max_of",
    "max": "max_of",
    "sum": "sum",
    "total": "sum",
    "variance": "variance",
    "standard_deviation": "standard_deviation",
    "std_dev": "standard_deviation",
    "stdev": "standard_deviation",
    "std": "standard_deviation",
    "range": "range",
    "count": "count",
    "promedio": "average",
    "media": "average",
    "mediana": "median",
    "moda": "mode",
}


def _statistics(signature: Signature, values: Expression, empty: Refuse) -> Formula | None:
    """`calculate_statistics(numbers)`: all of them, by their names."""
    if signature.phrase not in (
        "statistics",
        "stats",
        "descriptive statistics",
        "summary statistics",
        "summarize",
        "describe",
        "estadisticas",
        "statistik",
    ):
        return None
    others = tuple((name, _list_value(function, values, False)) for name, function in _SUMMARY.items())
    refusals = (empty,)
    return Formula(apply("average", values), refusals, others)


def _unknown(operand: Operand) -> tuple[Refuse, ...]:
    """A refusal of a choice that is none, where the schema does not make sure of it."""
    if operand.enum:
        return ()
    known = [c.lower() for c in operand.choices]
    wrong = apply("not", apply("in", apply("lower", operand.argument), constant(known)))
    return (refusal(wrong, f"{{{operand.name}}} is not known; it is one of {', '.join(known)}."),)


def calculator(signature: Signature) -> Formula | None:
    """`calculate(expression)` and `calculate(operation, a, b)`."""
    operands = signature.operands
    if (
        len(operands) == 1
        and operands[0].is_text
        and set(operands[0].words) & {"expression", "formula", "equation", "expr", "expresion", "ausdruck"}
    ):
        if re.search(
            r"math|arithmet|calculat|calcul|rechn|evaluat",
            f"{' '.join(signature.words)} {signature.text}",
            re.IGNORECASE,
        ) and not re.search(r"regex|regular|cron|integral|derivative|symbolic|variable", signature.text, re.IGNORECASE):
            return Formula(apply("evaluate", operands[0].argument), ())
    numbers, choices = signature.of("number"), [o for o in operands if o.is_text]
    if len(numbers) != 2 or len(choices) != 1 or len(operands) != 3:
        return None
    named = [(c, _BINARY.get(c.lower().replace("_", " "))) for c in choices[0].choices]
    known = [(c, f) for c, f in named if f is not None]
    if not known or len(known) != len(named):
        return None
    formulas = [(c, _of_two(f, numbers)) for c, f in known]
    value = choose_by(choices[0], [(c, f.value) for c, f in formulas], fold=not choices[0].enum)
    dividing = [c for c, f in known if f in ("divide", "modulo", "percentage")]
    by_zero = apply(
        "and", apply("in", choices[0].argument, constant(dividing)), apply("equal", numbers[1].argument, constant(0))
    )
    refusals = (refusal(by_zero, "Division by zero is not defined."),) if dividing else ()
    return Formula(value, (*_unknown(choices[0]), *refusals))
