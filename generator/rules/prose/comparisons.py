"""Comparisons of two things: dates, amounts with balances, quantities with stock, fields with numbers.

Invariant: a comparison is normalised to "must be less than"; sides that are no plain field give nothing. Not covered:
ranges of one thing (`numbers`).
"""

from __future__ import annotations

import math
import re
from typing import Any

from autoforge.generator.rules.prose.clue import Kind
from autoforge.generator.rules.prose.numbers import number_in
from autoforge.generator.rules.prose.phrases import Phrase, is_plural, noun, phrase

__all__ = ["amounts", "compare", "in_words", "is_balance", "is_stock", "resulting"]

_Row = tuple[Kind, str, str, tuple[Any, ...]]
_COMPLEMENT = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_BALANCE = re.compile(
    r"\b(?:balance|funds?|credit|saldo|fondos|guthaben|kontostand|solde|fonds|provision|fundos|"
    r"fondi|money)\b",
    re.IGNORECASE,
)
_STOCK = re.compile(
    r"\b(?:stock|inventory|quantity (?:on hand|available)|available (?:quantity|units|copies)|units|existencias|"
    r"inventario|lager)?bestand\b|"
    r"\b(?:stock|inventory|quantity (?:on hand|available)|available (?:quantity|units|copies|seats|stock)|units|"
    r"existencias|inventario|estoque|giacenza|scorte)\b",
    re.IGNORECASE,
)
_NOW = (
    "today",
    "now",
    "current date",
    "current time",
    "hoy",
    "heute",
    "aujourd hui",
    "hoje",
    "oggi",
    "date today",
    "fecha actual",
)
_WORDS = {
    "«atleast»": "at least",
    "«atmost»": "at most",
    "«more»": "more than",
    "«less»": "less than",
    "«or»": "or",
    "«and»": "and",
    "«not»": "not",
}


def in_words(text: str) -> str:
    """The pivot tokens of amounts as English again."""
    for token, words in _WORDS.items():
        text = text.replace(token, words)
    return text


def is_balance(text: str) -> bool:
    return bool(_BALANCE.search(text))


def is_stock(text: str) -> bool:
    return bool(_STOCK.search(text))


def compare(left: str, relation: str, right: str, wanted: bool) -> list[_Row]:
    """`left relation right` must hold (or must not): a range, balance, stock or order."""
    relation = relation if wanted else _COMPLEMENT[relation]
    number = re.fullmatch(
        r"(-?[\d.,]*\d)(?: ?(?:percent|%|units|EUR|USD|euros?|dollars?|years?|nights?|days?|hours?|"
        r"[€$]))?",
        right.strip(),
        re.IGNORECASE,
    )
    if number or right.strip() in ("zero", "null"):
        return _range(left, relation, number_in(number.group(1)) if number else 0.0)
    smaller, larger = (left, right) if relation in ("<", "<=") else (right, left)
    if is_balance(larger) and not re.search(r"(?:which|«that») «be»", larger):
        return _covered(smaller, larger)
    if is_stock(larger):
        about = phrase(larger)
        return [("stock", about.owner, about.head, ())] if about else [("stock", "", "stock", ())]
    return _order(smaller, larger, strict="=" not in relation)


def _range(left: str, relation: str, bound: float | None) -> list[_Row]:
    about = _field(left)
    if about is None or bound is None:
        return []
    low = bound if relation == ">=" else math.nextafter(bound, math.inf) if relation == ">" else None
    high = bound if relation == "<=" else math.nextafter(bound, -math.inf) if relation == "<" else None
    return [("range", about.owner, about.head, (low, high))]


def _covered(smaller: str, larger: str) -> list[_Row]:
    about = phrase(larger)
    if about is None:
        return []
    needed = re.sub(r"\b(?:the|its|of) ", "", in_words(smaller), flags=re.IGNORECASE).strip()
    return [("balance", about.owner, about.head, (needed,) if re.fullmatch(r"[\w -]{1,40}", needed) else ())]


def _order(smaller: str, larger: str, *, strict: bool) -> list[_Row]:
    first, second = _side(smaller), _side(larger)
    if first in _NOW and second and second not in _NOW:
        return [("future", "", second, () if strict else ("today",))]
    if second in _NOW and first and first not in _NOW:
        return [("past", "", first, () if strict else ("today",))]
    if first is None or second is None or first == second or (not first and not second):
        return []
    return [("order", "", first, (second,) if strict else (second, "<="))]


def _side(text: str) -> str | None:
    if defined := re.search(r"(?:which|«that») «be» (.+)$", text):
        formula = re.fullmatch(r"(.+?) (minus|plus) (.+)", defined.group(1))
        parts = [noun(formula.group(1)), noun(formula.group(3))] if formula else [None]
        return f"{parts[0]} {formula.group(2)} {parts[-1]}" if formula and all(parts) else None
    about = _field(text)
    if about is None:
        return None
    return f"{about.owner} {about.head}".strip()


def _field(text: str) -> Phrase | None:
    """A phrase that can be one value: no plural, unless it is an identifier or a known count."""
    about = phrase(text)
    plain = re.sub(r"\b(?:of|del|de la|der|des|du|da|do) .*$", "", text)
    return (
        about
        if about is not None
        and (not is_plural(plain) or "_" in plain or "⟦" in plain or re.search(r"[a-z][A-Z]", plain))
        else None
    )


def resulting(subject: str, rest: str) -> list[_Row]:
    """`the resulting quantity would be negative`: what is left over must not fall below nought."""
    if rest not in ("negative", "«less» 0", "«less» zero", "negativo", "negativa"):
        return []
    about = phrase(subject)
    if about is None or not re.search(r"\b(?:resulting|remaining|new|left)\b", subject, re.IGNORECASE):
        return []
    if is_balance(about.head):
        return [("balance", about.owner, about.head, ())]
    if is_stock(about.head) or about.head.endswith("quantity"):
        return [("stock", about.owner, about.head, ())]
    return [("range", about.owner, about.head, (0.0, None))]


def amounts(subject: str, rest: str, wanted: bool) -> list[_Row]:
    """`the stock at the source «be» «insufficient»`, `«insufficient» funds`, `its location «have» «enough» stock`."""
    if not wanted:
        return []
    what = f"{subject} {rest}".lower()
    named = re.sub(r"«(?:insufficient|enough|be)»", "", rest).strip()
    about = phrase(re.sub(r"\s(?:of|to|for|in|at) .*$", "", subject)) if subject else None
    holder = phrase(subject)
    if is_balance(what):
        owner = "" if holder is None else holder.owner if is_balance(holder.head) else holder.head
        return [("balance", owner, "balance", ())]
    if is_stock(what):
        plain = noun(re.sub(r"\s(?:of|on|in|at|to) .*$", "", named)) or "stock"
        field = about.head if about and is_stock(about.head) else plain
        owner = "" if holder is None else holder.owner if is_stock(holder.head) else holder.head
        return [("stock", owner, field, ())]
    return []
