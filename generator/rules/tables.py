"""Which computations read a table of the world, from one tool's own text: currency conversion, distances of places.

Invariant: every parameter has its place. Not covered: the tables themselves (`rates`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.signature import Operand, signature_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import snake
from autoforge.generator.vocabulary import word_set

__all__ = ["PairTable", "RateTable", "pair_of", "rate_of"]

_MONEY = re.compile(
    (
        r"\bcurrenc(?:y|ies)\b|\bexchange rates?\b|\bforex\b|\bdivisas?\b|\bmonedas?\b|tipo de "
        r"cambio|waehrung|wechselkurs|\bdevise"
    ),
    re.IGNORECASE,
)
_CONVERTS = re.compile(r"convert|exchange|rate|cambio|convertir|umrechn|kurs|conversion")
_SOURCE = word_set("from base source input src origin origen of von desde")
_TARGET = word_set("to target quote dest destination output destino into nach hacia a counter")
_AMOUNT = word_set("amount value sum quantity money importe monto cantidad valor betrag montant price")
_READS = frozenset(
    {
        VerbClass.GET,
        VerbClass.COMPUTE,
        VerbClass.CHECK,
        VerbClass.SEARCH,
        VerbClass.CREATE,
        VerbClass.TRANSFER,
        VerbClass.RUN,
    }
)
_MEASURES = re.compile(
    r"\b(distance|distancia|entfernung|travel time|driving time|travel duration|flight duration|mileage)\b"
)
_FIRST = word_set("from origin start source departure origen desde 1 a first one point1 von pickup")
_SECOND = word_set("to destination end target arrival destino hasta 2 b second two point2 nach dropoff")


class RateTable(NamedTuple):
    """A conversion of money."""

    source: Operand
    target: Operand
    amount: Operand | None


class PairTable(NamedTuple):
    """A measure between two places."""

    first: Operand
    second: Operand
    measure: str
    entity: str


def rate_of(reading: Reading) -> RateTable | None:
    """The parts of a currency conversion; None where the tool is none."""
    signature = signature_of(reading)
    name = " ".join(signature.words)
    about = f"{name} {' '.join(w for o in signature.operands for w in o.words)}"
    if not _MONEY.search(about) or not _CONVERTS.search(name) or any("id" in o.words for o in signature.operands):
        return None
    if re.search(r"\b(?:wallet|balance|account|saldo)\b", reading.tool.description.lower()):
        return None
    if reading.verb.kind not in _READS or re.match(r"(?:create|update|set|add|delete|remove|list)\b", name):
        return None
    texts = [o for o in signature.operands if o.is_text]
    amounts = [o for o in signature.operands if o.is_number]
    if (
        len(texts) != 2
        or len(amounts) > 1
        or len(texts) + len(amounts) != len(signature.operands)
        or signature.decimals is not None
    ):
        return None
    if amounts and not set(amounts[0].words) & _AMOUNT:
        return None
    for source, target in (texts, texts[::-1]):
        if set(source.words) & _SOURCE and set(target.words) & _TARGET:
            return RateTable(source, target, amounts[0] if amounts else None)
    return None


def pair_of(reading: Reading) -> PairTable | None:
    """The parts of a distance between two places that are texts; None where the tool is none."""
    signature = signature_of(reading)
    found = _MEASURES.search(" ".join(signature.words))
    if found is None or reading.verb.kind is not VerbClass.COMPUTE or len(signature.operands) != 2:
        return None
    first, second = signature.operands
    plain = all(o.is_text and not o.enum and o.required and "id" not in o.words for o in (first, second))
    if not plain or not (set(first.words) & _FIRST and set(second.words) & _SECOND):
        return None
    outputs = properties_of(reading.tool.output_schema)
    if outputs and not any(shape_of(s).type in (ColumnType.REAL, ColumnType.INTEGER) for s in outputs.values()):
        return None
    measure = snake(found.group(1))
    return PairTable(first, second, measure, measure if measure.endswith(("time", "duration")) else "route")
