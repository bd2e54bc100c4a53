"""Tools whose name says how the result follows from the parameters alone: arithmetic and simple functions of a text.

Invariant: only what can be computed exactly is recognised; `translate` or `predict` are not. Not covered: building the operation
(`transfers`).
"""

from __future__ import annotations

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.words import split_words

__all__ = ["ARITHMETIC", "TEXTUAL", "computes_alone"]

ARITHMETIC = {
    "add": "add", "sum": "add", "plus": "add", "total": "add", "subtract": "subtract", "minus": "subtract", "difference": "subtract",
    "multiply": "multiply", "product": "multiply", "times": "multiply", "divide": "divide", "quotient": "divide", "power": "power",
    "modulo": "modulo", "mod": "modulo", "maximum": "maximum", "max": "maximum", "minimum": "minimum", "min": "minimum",
    "absolute": "absolute", "abs": "absolute", "round": "round", "average": "average", "mean": "average", "sumar": "add",
    "restar": "subtract", "multiplicar": "multiply", "dividir": "divide",
}  # fmt: skip
TEXTUAL = {
    "uppercase": "upper", "upper": "upper", "lowercase": "lower", "lower": "lower", "reverse": "reverse", "length": "length",
    "count": "length", "split": "split", "hash": "digest", "echo": "text",
}  # fmt: skip
_NUMBERS = (ColumnType.REAL, ColumnType.INTEGER)


def computes_alone(reading: Reading) -> bool:
    """Whether the name names a function and the parameters are just its operands."""
    words = split_words(reading.tool.original_name)
    shapes = [shape_of(s) for s in properties_of(reading.tool.input_schema).values()]
    if not shapes:
        return False
    numbers = all(s.type in _NUMBERS for s in shapes) or all(s.many and shape_of(s.schema.get("items", {})).type in _NUMBERS for s in shapes)
    if any(w in ARITHMETIC for w in words) and numbers and len(words) <= 4:
        return not any(w in ("id", "item", "items") for n in properties_of(reading.tool.input_schema) for w in split_words(n))
    return any(w in TEXTUAL for w in words) and len(shapes) == 1 and shapes[0].type is ColumnType.TEXT
