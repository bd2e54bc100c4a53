"""Numbers and ranges in prose.

Invariant: bounds are inclusive; an exclusive one is the next float (`greater than 0` → 5e-324, whose ceiling is 1), so
that a check with `<` and `>` is exact for integers and reals. Numbers of characters, bytes or days of delivery are no
bounds of a value. Not covered: comparisons of two things (`comparisons`).
"""

from __future__ import annotations

import math
import re

__all__ = ["number_in", "range_in_prose"]

_N = r"(?P<{}>[-\u2212]?\$?€?\d[\d.,  ]*\d|[-\u2212]?\$?€?\d)"
_LOW, _HIGH, _ONE = _N.format("low"), _N.format("high"), _N.format("one")
_UNIT = re.compile(
    r"^\s*-?(?:characters?|chars?|letters?|digits?|bytes?|bits?|[kmgt]b\b|words?|lines?|caracteres|cifras|zeichen|"
    r"ziffern|stellen|caractères|chiffres|"
    r"caratteri|cifre|letras|pixels?|px|business days|working days|times|veces|fois|mal\b|vezes|volte|decimals?|"
    r"decimal places|am\b|pm\b|a\.m|p\.m|[:/]\d|-\d|"
    r"st\b|nd\b|rd\b|th\b|of the\b|\.\d+\.\d)",
    re.IGNORECASE,
)
_NO_RANGE = re.compile(
    r"\b(?:takes?|taking|arrives?|delivered|costs?|usually|typically|changed|moves?|moved|"
    r"increases?|decreases?|goes|version|steps?|chapters?)\s+(?:\w+\s+)?$",
    re.I,
)
_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|for example|example:|such as|por ejemplo|z\. ?b\.|par exemple|por exemplo|"
    r"ad esempio)[^;)]*",
    re.IGNORECASE,
)

_BETWEEN = (
    rf"\b(?:between|entre|zwischen|tra|fra) {_LOW} (?:and|y|und|et|e) {_HIGH}",
    rf"\b(?:from|de|desde|von|da) {_LOW} (?:to|through|up to|until|a|hasta|bis|à|até|fino a) {_HIGH}",
    rf"(?:[(\[]|\brange:? (?:of |is )?|\bin \[?){_LOW} ?(?:-|\u2013|\.\.|\.\.\.|to|,(?= ?\d+\])) ?{_HIGH}(?=[)\]]|$|"
    rf"\.| )",
    rf"^{_LOW} ?(?:-|\u2013|to|bis) ?{_HIGH}$",
)
_ATLEAST = (
    rf"(?:>=|≥|=>) ?{_ONE}", rf"\b(?:at least|no less than|not less than|greater than or equal to|no fewer than|"
                             rf"al menos|por lo menos|como mínimo|mindestens|au moins|"
    rf"au minimum|pelo menos|no mínimo|almeno) {_ONE}", rf"\b(?:minimum|min|mínimo|mindestwert|"
                                                        rf"minimo)\.?(?: value)?(?: is| of| de|:| =|es)?:? ?{_ONE}",
    rf"{_ONE} (?:or (?:more|greater|higher|above)|o más|o mayor|oder mehr|ou plus|ou mais|o più)\b",
    rf"\b(?:starting|starts|beginning|counting) (?:at|from|with) {_ONE}", rf"\b(?:empezando|comenzando|"
        rf"a partir) (?:por|en|desde|de) {_ONE}",
    rf"\bbeginnend (?:bei|mit) {_ONE}|\bab (?P<ab>\d+)$", r"\bà partir de (?P<apartir>\d+)", rf"{_ONE}-based\b",
    rf"\b(?:cannot|can not|must not|may not) be (?:less|lower|smaller) than {_ONE}",
)  # fmt: skip
_MORE = (rf"(?<![=<])> ?{_ONE}", rf"\b(?:greater|more|larger|higher|bigger) than {_ONE}", rf"\b(?:mayor|superior|"
    rf"mayores) (?:que|a|de) {_ONE}", rf"\b(?:größer|höher) als {_ONE}",
         rf"\bsupérieure?s? à {_ONE}", rf"\b(?:maior|superior) (?:que|do que|a) {_ONE}", rf"\b(?:maggiore|"
             rf"superiore) (?:di|a) {_ONE}", rf"\babove {_ONE}")  # fmt: skip
_ATMOST = (
    rf"(?:<=|≤|=<) ?{_ONE}", rf"\b(?:at most|no more than|not more than|less than or equal to|up to|"
                             rf"not exceed(?:ing)?|a lo sumo|como máximo|no más de|hasta|höchstens|bis zu|"
    rf"au plus|au maximum|jusqu['\u2019]à|no máximo|até|al massimo|fino a) {_ONE}",
    rf"\b(?:maximum|max|máximo|maximal|maximalwert|massimo)\.?(?: value| allowed| permitido)?(?: is| of| de| di|:|"
    rf" =)?:? ?{_ONE}", rf"{_ONE} (?:or (?:less|fewer|lower|below)|o menos|oder weniger|ou moins|ou menos|o meno)\b",
    rf"\b(?:cannot|can not|must not|may not) (?:exceed|be (?:more|greater|larger|higher) than) {_ONE}",
)  # fmt: skip
_LESS = (rf"(?<![=>])< ?{_ONE}", rf"\b(?:less|lower|smaller|fewer) than {_ONE}", rf"\b(?:menor|inferior) (?:que|a|de|"
    rf"do que) {_ONE}", rf"\b(?:kleiner|niedriger) als {_ONE}",
         rf"\binférieure?s? à {_ONE}", rf"\b(?:minore|inferiore) (?:di|a) {_ONE}", rf"\bbelow {_ONE}")  # fmt: skip
_POSITIVE = re.compile(
    r"\b(?:must|should|has to|needs to) be (?:a |strictly )?positive\b|"
    r"^(?:a )?(?:strictly )?positive (?:\w+ )?(?:integer|number|amount|value|whole number)|, (?:always )?positive$|"
    r"\b(?:must be|always) positive\b|^(?:a )?positive$|\bdebe ser positiv[oa]\b|\bmuss positiv sein\b|"
    r"\bdoit être positi(?:f|ve)\b|\bdeve (?:ser|essere) positiv[oa]\b|\((?:must be )?positive\)",
    re.IGNORECASE,
)
_NON_NEGATIVE = re.compile(
    r"\bnon-?negative\b|\b(?:cannot|can not|must not|may not) be negative\b|\bnot negative\b|"
    r"\bno negativ[oa]\b|\bnicht negativ\b|\bzero or more\b|\bzero or greater\b",
    re.I,
)

_REFUSED = re.compile(
    r"\b(?:no|not|cannot be|can not be|must not be|may not be) (?:more|greater|larger|higher|bigger|"
    r"less|lower|smaller|fewer) than \S+",
    re.IGNORECASE,
)


def number_in(text: str) -> float | None:
    """The number of a token: `1,000`, `0,20`, `1.50`, `5 000`, `$5`; whole numbers come as int."""
    text = re.sub(r"[$€\s ]", "", text).replace("\u2212", "-")
    if re.fullmatch(r"-?[1-9]\d{0,2}(?:[.,]\d{3})+", text):
        text = re.sub(r"[.,]", "", text)
    text = text.replace(",", ".")
    if not re.fullmatch(r"-?\d{1,15}(?:\.\d{1,15})?", text):
        return None  # what a float does not hold exactly bounds nothing
    return float(text) if "." in text else int(text)


def range_in_prose(text: str) -> tuple[float | None, float | None]:
    """(minimum, maximum), each None where the text says nothing: `from 1 to 5`, `must be positive`, `max. 50`."""
    text = _EXAMPLE.sub("", text.replace("`", ""))
    for pattern in _BETWEEN:
        if (both := _pair(text, pattern)) is not None:
            return both
    low, high = _bound(text, _ATLEAST), _bound(text, _ATMOST)
    plain = _REFUSED.sub(" ", text)
    above, below = _bound(plain, _MORE), _bound(plain, _LESS)
    if low is None and above is not None:
        low = math.nextafter(above, math.inf)
    if high is None and below is not None:
        high = math.nextafter(below, -math.inf)
    if low is None and _POSITIVE.search(text.strip(" .")) and "(negative" not in text:
        low = math.nextafter(0.0, math.inf)
    if low is None and _NON_NEGATIVE.search(text):
        low = 0
    return (low, high) if low is None or high is None or low <= high else (None, None)


def _is_bound(text: str, match: re.Match[str]) -> bool:
    return not _UNIT.match(text[match.end() :]) and not _NO_RANGE.search(text[: match.start()])


def _pair(text: str, pattern: str) -> tuple[float, float] | None:
    for match in re.finditer(pattern, text, re.IGNORECASE):
        low, high = number_in(match["low"]), number_in(match["high"])
        if low is not None and high is not None and low < high and _is_bound(text, match):
            return low, high
    return None


def _bound(text: str, patterns: tuple[str, ...]) -> float | None:
    for pattern in patterns:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            token = next((g for g in match.groupdict().values() if g is not None), "")
            value = number_in(token.strip(" .,"))
            if value is not None and _is_bound(text, match):
                return value
    return None
