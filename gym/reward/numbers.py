"""Numbers in plain text, in the ways people write them.

1234.5, 1,234.50, 1'234.50, 1.234,50 and 1.234.567 (one reading only), €10, 10 EUR, 10kg, 10k, 10 million, 2e6, -5,
`ten`, `twenty-one`. One comma before three digits groups, one point is a decimal point (tools write them so): 1,010 is
1010, 1.234 is not 1234. Digits that are a part of something else are no number: #10a, A-10, 10:30, 1.2.3, 007.

Invariant: what is read takes time in proportion to the text. Not covered: ordinals, fractions (½), Roman numbers,
number words of other languages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from decimal import Context, Decimal

from autoforge.gym.reward.token import Token

__all__ = ["EXACT", "LONGEST", "UNIT", "read_numbers"]

LONGEST = 400
"""Characters of a number: more than the longest float written in full."""
EXACT = Context(prec=1000)

_CORE = re.compile(r"\d+(?:[.,']\d+)*(?:e[+-]?\d{1,3}(?!\w))?")
UNIT = (
    r"(?:eur|usd|gbp|chf|jpy|cad|aud|euros?|dollars?|pounds?|cents?|kg|mg|lb|lbs|oz|km|cm|mm|mi|ft|kb|mb|gb|tb|hrs?|"
    r"hours?|mins?|minutes?|sec|ms|ml|kwh|kw|pts?|points?|days?|nights?|weeks?|months?|years?)"
)
_GLUED_UNIT = re.compile(rf"{UNIT}(?!\w)")
_CODE_BEFORE = re.compile(r"(?<!\w)(?:eur|usd|gbp|chf|jpy|cad|aud|us)$")
_WORD_AFTER = re.compile(r"-[a-z]{3,}")
_MULTIPLIERS = {"hundred": 2, "k": 3, "thousand": 3, "mn": 6, "million": 6, "bn": 9, "billion": 9, "trillion": 12}
_MULTIPLIER = re.compile(rf"[ -]?({'|'.join(sorted(_MULTIPLIERS, key=len, reverse=True))})(?!\w)")
_PERCENT = re.compile(r" ?(?:%|percent\b|per cent\b|pct\b)")

_UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {**{w: n for n, w in enumerate(_UNITS)}, **{w: 10 * n for n, w in enumerate(_TENS, 2)}}
_BIG = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_ANY_WORD = "|".join(sorted({*_WORDS, *_BIG}, key=len, reverse=True))
_WORD_RUN = re.compile(
    rf"(?<![\w-])(?:{'|'.join(_WORDS)})(?:[ -](?:and )?(?:{_ANY_WORD})(?!\w))*(?![\w])(?!-[a-z]{{1,2}}\b)"
)
_BEFORE_ONE = re.compile(r"(?:\b(?:is|are|was|were|exactly|only|just|has|have|had|found|least|there's|or|and)|[:=]) $")
_AFTER_ONE = re.compile(r" (?:of|another|more|that|which|who|is|was|by|to|for|with|and|or|i|you)\b")


def read_numbers(text: str, taken: Sequence[tuple[int, int]]) -> list[Token]:
    """The numbers in plain text outside of the places that are taken (sorted)."""
    starts = [start for start, _ in taken]
    reach = 0
    reaches = [reach := max(reach, end) for _, end in taken]

    def free(place: int) -> bool:
        before = bisect_right(starts, place)
        return before == 0 or reaches[before - 1] <= place

    found = [_digits(text, m) for m in _CORE.finditer(text) if free(m.start())]
    found += [_spelled(text, m) for m in _WORD_RUN.finditer(text) if free(m.start())]
    return sorted(token for token in found if token is not None)


def _digits(text: str, match: re.Match[str]) -> Token | None:
    start, end = match.span()
    if end - start > LONGEST:
        return None
    written, decimals = _parsed(match[0])
    if written is None:
        return None
    opened = _opening(text, start)
    if opened is None:
        return None
    first, negative, point = opened
    if point:
        if not match[0].isdigit():
            return None
        written, decimals = written.scaleb(-len(match[0]), EXACT), len(match[0])
    closed = _closing(text, end)
    if closed is None:
        return None
    last, power, percent = closed
    value = written.scaleb(power, EXACT)
    return Token(first, last, value.copy_negate() if negative else value, max(0, decimals - power), percent)


def _parsed(core: str) -> tuple[Decimal | None, int]:
    """The value and its number of decimals; None where it could be read in several ways or is no number."""
    mantissa, _, exponent = core.partition("e")
    marks = [c for c in mantissa if not c.isdigit()]
    groups = re.split(r"[.,']", mantissa)
    whole, decimal = _split(marks, groups)
    if whole is None or (len(whole) > 1 and whole[0] == "0"):
        return None, 0
    value = Decimal(whole + ("." + decimal if decimal else "")).scaleb(int(exponent or 0), EXACT)
    return value, max(0, len(decimal) - int(exponent or 0))


def _split(marks: list[str], groups: list[str]) -> tuple[str | None, str]:
    """The digits before and after the decimal sign."""
    if not marks:
        return groups[0], ""
    *grouping, last = marks
    if not grouping:
        is_group = last in ",'" and len(groups[1]) == 3 and len(groups[0]) <= 3 and groups[0] != "0"
        return ("".join(groups), "") if is_group else (groups[0], groups[1]) if last != "'" else (None, "")
    if not _grouped(groups[:-1]):
        return None, ""
    if len({*grouping}) > 1:
        return None, ""
    if last != grouping[0]:
        return "".join(groups[:-1]), groups[-1]
    return ("".join(groups), "") if len(groups[-1]) == 3 else (None, "")


def _grouped(groups: list[str]) -> bool:
    """Thousands, or the Indian hundreds after the first thousand."""
    first, *rest = groups
    lengths = {len(group) for group in rest}
    return 1 <= len(first) <= 3 and first != "0" and (lengths <= {3} or (len(first) <= 2 and lengths <= {2}))


def _opening(text: str, start: int) -> tuple[int, bool, bool] | None:
    """Where the number begins, whether it is negative, whether a point stands before it; None for a part of a word."""
    before = text[start - 1 : start]
    point = False
    if before == "." and not text[start - 2 : start - 1].isalnum():
        start, before, point = start - 1, text[start - 2 : start - 1], True
    if before in ("€", "$", "£", "¥"):
        start, before = start - 1, text[start - 2 : start - 1]
    if before in ("-", "+"):
        ahead = text[start - 2 : start - 1]
        if ahead.isalpha() or ahead in ("_", ")"):
            return None
        signed = not ahead.isdigit()
        return (start - 1 if signed else start), signed and before == "-", point
    if (before.isalnum() or before == "_") and not _CODE_BEFORE.search(text, max(0, start - 4), start):
        return None
    apart = text[start - 2 : start - 1]
    if before in ("@", "&") or (before in (".", "/", "\\") and (apart.isalpha() or apart == "_")):
        return None
    return None if before in (":", ",", ".", "'") and apart.isdigit() else (start, False, point)


def _closing(text: str, end: int) -> tuple[int, int, bool] | None:
    """Where the number ends, its power of ten, whether it is a percentage; None for a part of a word."""
    after = text[end : end + 1]
    percent = _PERCENT.match(text, end)
    if percent is not None:
        return percent.end(), 0, True
    power = _MULTIPLIER.match(text, end)
    if power is not None:
        return power.end(), _MULTIPLIERS[power[1]], False
    if after.isalnum() or after == "_":
        return (end, 0, False) if _GLUED_UNIT.match(text, end) else None
    beyond = text[end + 1 : end + 2]
    if after in (".", "@", "&", ":") and (beyond.isalnum() or beyond == "_"):
        return None
    if after == "-" and (beyond.isalpha() or beyond == "_") and not _WORD_AFTER.match(text, end):
        return None
    return end, 0, False


def _spelled(text: str, match: re.Match[str]) -> Token | None:
    if match[0] == "one" and (
        not _BEFORE_ONE.search(text, max(0, match.start() - 12), match.start()) or _AFTER_ONE.match(text, match.end())
    ):
        return None  # this one, one of them
    total = part = 0
    last = 10**12
    for word in re.split(r"[ -](?:and )?", match[0]):
        size = _BIG.get(word)
        if size is None:
            number = _WORDS[word]
            if (part % 100 and not (part % 100 in range(20, 100, 10) and 0 < number < 10)) or last == 0:
                return None  # two three: no one number
            part, last = part + number, number
        elif size == 100:
            part *= 100
        else:
            total, part = total + part * size, 0
    percent = _PERCENT.match(text, match.end())
    return Token(
        match.start(), percent.end() if percent else match.end(), Decimal(total + part), 0, percent is not None
    )
