"""Functions of a list of numbers: sums, means, medians, deviations.

Invariant: a deviation is that of a population unless the documentation says sample; an empty list is refused where it
has no result. Not covered: lists that the state holds (`reads`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import Expression, Refuse
from autoforge.generator.rules.arithmetic import named
from autoforge.generator.rules.signature import Formula, Signature, apply, choose_by, constant, refusal, unknown_choice

__all__ = ["list_function"]

_LISTS = named(
    {
        "sum": "sum, add, total, sumar, suma, summe, somme",
        "product_of": "product, multiply, producto",
        "average": "average, mean, avg, arithmetic mean, promedio, media, durchschnitt, mittelwert, moyenne",
        "median": "median, mediana",
        "mode": "mode, moda, modus",
        "max_of": "maximum, max, largest, highest, maximo",
        "min_of": "minimum, min, smallest, lowest, minimo",
        "variance": "variance, var, varianza, varianz",
        "standard_deviation": "standard deviation, std dev, stdev, stddev, desviacion estandar, standardabweichung",
        "range": "range, rango, spannweite",
        "count": "count, length, size, contar",
        "sort": "sort, ordenar, sortieren",
    }
)


def _list_value(function: str, values: Expression, sample: bool) -> Expression:
    if function == "range":
        return apply("subtract", apply("max_of", values), apply("min_of", values))
    return (
        apply(function, values, constant(True))
        if sample and function in ("variance", "standard_deviation")
        else apply(function, values)
    )


def list_function(signature: Signature) -> Formula | None:
    """`mean(numbers)`, `standard_deviation(data)`, `aggregate(values, metric)`."""
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
            return Formula(choose_by(rest[0], known, fold=not rest[0].enum), (empty, *unknown_choice(rest[0])))
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
