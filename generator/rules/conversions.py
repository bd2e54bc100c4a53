"""Conversions of units: by name (`gallon_to_liter`) and by parameters (`convert(value, from_unit, to_unit)`).

Invariant: a conversion is recognised only when its units are known: those of the name, or every one that an enum
lists. An unknown unit and units of two dimensions are refused, each with its sentence. Not covered: currencies
(`rates`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import Expression, Refuse
from autoforge.generator.rules.signature import Formula, Operand, Signature, apply, constant, is_null, refusal
from autoforge.generator.rules.units import Unit, unit_of
from autoforge.generator.vocabulary import word_set

__all__ = ["conversion", "radix"]

_SOURCE = word_set("from in source input src origin origen current original de von initial entrada")
_TARGET = word_set("to out target output dest destination destino new a nach final salida desired into")
_SPEAKS = re.compile(
    (
        r"\bunits?\b|unidad|einheit|\btemperatur|\blength|\bdistance|\bweight|\bmass\b|\bvolume|\barea|"
        r"\bspeed|\bpressure|\benergy|measure|imperial|metric|\bsi\b"
    ),
    re.IGNORECASE,
)
_MONEY = re.compile(r"currenc|money|exchange|divisa|moneda|waehrung|währung|devise", re.IGNORECASE)
_SMALL, _TINY = 1e-3, 1e-5
"""Ratios below which a quotient is written, and below which ten decimals are too few for it."""


def conversion(signature: Signature) -> Formula | None:
    """The formula of a conversion of units; None where the tool is none."""
    numbers = signature.of("number")
    texts = [o for o in signature.operands if o.is_text]
    if len(numbers) != 1 or len(numbers) + len(texts) != len(signature.operands):
        return None
    if not texts:
        pair = _pair(signature)
        return _fixed(numbers[0], pair) if pair is not None else None
    if len(texts) != 2 or _MONEY.search(" ".join([*signature.words, *(w for o in texts for w in o.words)])):
        return None
    ends = _ends(texts)
    about = " ".join([*signature.words, *(w for o in signature.operands for w in o.words), signature.text])
    if ends is None or not _SPEAKS.search(about) or any(unit_of(str(c)) is None for o in texts for c in o.enum):
        return None
    return _free(numbers[0], *ends)


def _pair(signature: Signature) -> tuple[str, str] | None:
    """The two units of `gallon_to_liter`, `convert_celsius_to_fahrenheit`, `km_a_millas`."""
    words = [
        w
        for w in signature.words
        if w not in ("convert", "conversion", "converter", "convertir", "convertidor", "umrechnen")
    ]
    middle = next(
        (i for i, w in enumerate(words) if w in ("to", "2", "a", "in", "nach", "en") and 0 < i < len(words) - 1), None
    )
    if middle is None:
        return None
    names = "_".join(words[:middle]), "_".join(words[middle + 1 :])
    first, last = unit_of(names[0]), unit_of(names[1])
    return names if first is not None and last is not None and first.dimension == last.dimension else None


def _fixed(number: Operand, names: tuple[str, str]) -> Formula:
    """Multiplication by one factor, with the zero points of temperatures."""
    source, target = (unit_of(name) or Unit("", 1.0) for name in names)
    ratio, shift = source.factor / target.factor, source.offset * source.factor / target.factor - target.offset
    value: Expression = number.argument
    if ratio < _TINY:
        return Formula(apply("convert_unit", value, constant(names[0]), constant(names[1])))
    if ratio < _SMALL:
        value = apply("divide", value, constant(float(f"{1 / ratio:.12g}")))
    elif ratio != 1:
        value = apply("multiply", value, constant(float(f"{ratio:.12g}")))
    if shift:
        value = apply("add", value, constant(float(f"{shift:.12g}")))
    return Formula(value)


def _ends(texts: list[Operand]) -> tuple[Operand, Operand] | None:
    """Which operand names the unit that is given, and which the one that is wanted."""
    for first, second in (texts, texts[::-1]):
        if set(first.words) & _SOURCE and set(second.words) & _TARGET:
            return first, second
    return None


def _free(number: Operand, source: Operand, target: Operand) -> Formula:
    refusals: list[Refuse] = []
    for unit in (source, target):
        if not unit.enum:
            unknown = is_null(apply("convert_unit", constant(1), unit.argument, unit.argument))
            refusals.append(
                refusal(
                    unknown, f"The unit {{{unit.name}}} is not known; write one like m, km, kg, lb, liter or celsius."
                )
            )
    kinds = {u.dimension for o in (source, target) for c in o.enum if (u := unit_of(str(c))) is not None}
    if len(kinds) != 1 or not (source.enum and target.enum):
        differ = is_null(apply("convert_unit", constant(1), source.argument, target.argument))
        refusals.append(
            refusal(
                differ, f"{{{source.name}}} cannot be converted to {{{target.name}}}: they measure different things."
            )
        )
    value = apply("convert_unit", number.argument, source.argument, target.argument)
    echo = (("unit", target.argument), ("converted_unit", target.argument), ("result_unit", target.argument))
    return Formula(value, tuple(refusals), echo)


_BASES = {"binary": 2, "binario": 2, "octal": 8, "decimal": 10, "hexadecimal": 16, "hex": 16}


def radix(signature: Signature) -> Formula | None:
    """`binary_to_decimal(binary)`, `decimal_to_hex(number)`, `convert_base(number, from_base, to_base)`."""
    named = [_BASES[w] for w in signature.words if w in _BASES]
    if len(signature.operands) == 1 and len(named) == 2 and {"to", "a"} & set(signature.words):
        return _digits(
            signature.operands[0].argument, constant(named[0]), constant(named[1]), signature.operands[0].name
        )
    bases = [o for o in signature.operands if "base" in o.words and o.is_number]
    rest = [o for o in signature.operands if o not in bases]
    if len(rest) != 1 or len(bases) != 2 or len(signature.operands) != 3 or "base" not in signature.words:
        return None
    source, target = bases if not set(bases[0].words) & _TARGET else bases[::-1]
    formula = _digits(rest[0].argument, source.argument, target.argument, rest[0].name)
    limits = [
        refusal(
            apply("not", apply("in", b.argument, constant(list(range(2, 37))))),
            f"{{{b.name}}} is no base; it is a whole number from 2 to 36.",
        )
        for b in bases
    ]
    return formula._replace(refusals=(*limits, *formula.refusals))


def _digits(value: Expression, source: Expression, target: Expression, name: str) -> Formula:
    number = apply("from_base", value, source)
    wrong = refusal(is_null(number), f"{{{name}}} is no number of that base.")
    return Formula(apply("to_base", number, target), (wrong,), kind="text", rounded=False)
