"""Values that stand in a text, by type: quoted texts, addresses, codes, dates, times, numbers, names.

Two items say the same where they share a reading: 2026-02-01 and `February 1`, `+1-887-555` and `+1 887 555`, `five`
and 5. Numbers and dates are read as `reward` reads them, number words of other languages by the lexicon. Invariant:
no two items of a text overlap, and a place in the plain form is a place in what was said. Not covered: relative
dates, enumerated words (`choices`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Literal, NamedTuple, TypeAlias

from autoforge.gym.judge.language import Language, folded, stem
from autoforge.gym.judge.sentences import QUOTED, Sentence
from autoforge.gym.reward.dates import read_dates
from autoforge.gym.reward.numbers import read_numbers
from autoforge.gym.reward.token import Moment

__all__ = ["Item", "Kind", "items_in", "same", "value_items"]

Kind: TypeAlias = Literal["text", "email", "code", "digits", "date", "time", "number", "name"]
Reading: TypeAlias = tuple[str, object]

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK = re.compile(r"(?:https?://|www\.)\S+|(?<!\w)/(?:[\w.-]+/)+[\w.-]*|(?<!\w)#[\w-]+")
_PHONE = re.compile(r"(?<![\w.-])\+?\d[\d ().-]{6,}\d(?![\w-])")
_TIME = re.compile(
    r"(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:[ ]?[ap]\.?m\b\.?)?|(?<![\d:.])\d{1,2}[ ]?[ap]\.?m\b\.?"
)
_CODE = re.compile(
    r"(?<![\w@])(?=[\w./-]*\d)(?=[\w./-]*[a-zà-ÿ])\w+(?:[./-]\w+)*(?![\w@])|(?<![\w@])[a-z]\w*_\w+(?![\w@])"
)
_NO_CODE = re.compile(
    r"\d+(?:st|nd|rd|th|er|ª|º|s)|\d+(?:[.,]\d+)?-?(?:[a-z]{3,}|km|kg|cm|mm|gb|mb|kb|tb|k|m|h|x|hrs?|mi|€|eur|usd)"
    r"|\d+-(?:[a-z]+-)*[a-z]{3,}"
)
_NUMERIC_DATE = re.compile(r"(?<![\w.,/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})?(?![\w/-]|[.,]\d)")
_CAPITAL = re.compile(r"(?<![\w@.&'-])[A-ZÀ-Þ][\w'&-]*(?:[ ](?:(?:de|del|la|van|von|der|of) )?[A-ZÀ-Þ][\w'&-]*)*")
_SHOUT = re.compile(r"[A-Z]{2,6}")
_COMMON_SHOUTS = frozenset(
    "ok id ids url urls api asap fyi faq pdf csv isbn iban usd eur gbp usa uk eu tv pc sms vip pin vat gb mb kb tb kg "
    "km cm".split()
)
_LIST_MARK = re.compile(r"^\s*(?:[-*•]\s*)?\d{1,2}[.)]\s")


class Item(NamedTuple):
    """A value in a sentence."""

    kind: Kind
    readings: frozenset[Reading]
    start: int
    end: int
    text: str
    """As it was said."""


def same(first: Item, second: Item) -> bool:
    """Whether both may say the same value."""
    if first.readings & second.readings:
        return True
    if first.kind == "digits" and second.kind == "digits":
        a, b = sorted((_digits(first), _digits(second)), key=len)
        return len(a) >= 7 and b.endswith(a)
    return any(_same_day(a, b) for a in first.readings for b in second.readings)


def _digits(item: Item) -> str:
    return next(str(value) for kind, value in item.readings if kind == "digits")


def _same_day(a: Reading, b: Reading) -> bool:
    """A date without its year may be any year's."""
    if a[0] != "date" or b[0] != "date":
        return False
    assert isinstance(a[1], tuple) and isinstance(b[1], tuple)
    return a[1][1:] == b[1][1:] and (a[1][0] is None or b[1][0] is None)


def items_in(sentence: Sentence, lexicon: Language) -> list[Item]:
    """All values of a sentence, in order."""
    found: list[Item] = []

    def add(kind: Kind, readings: Iterable[Reading], start: int, end: int) -> None:
        if not any(item.start < end and start < item.end for item in found):
            found.append(Item(kind, frozenset(readings), start, end, sentence.said[start:end]))

    for kind, readings, start, end in _read(sentence, lexicon):
        add(kind, readings, start, end)
    return sorted(found, key=lambda item: item.start)


def _read(sentence: Sentence, lexicon: Language) -> Iterator[tuple[Kind, list[Reading], int, int]]:
    text = sentence.plain
    mark = _LIST_MARK.match(text)
    begin = mark.end() if mark else 0
    for match in QUOTED.finditer(text):
        yield "text", _text_readings(match[0][1:-1], lexicon), *match.span()
    for match in _EMAIL.finditer(text):
        yield "email", [("email", match[0].rstrip("."))], *match.span()
    for match in _LINK.finditer(text):
        end = match.end() - (len(match[0]) - len(match[0].rstrip(".,)")))
        yield "code", [("code", text[match.start() : end])], match.start(), end
    yield from _dates(text, lexicon)
    for match in _TIME.finditer(text):
        yield "time", [("time", re.sub(r"[ .]", "", match[0]))], *match.span()
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if len(digits) >= 7:
            yield "digits", [("digits", digits.lstrip("0") or "0")], *match.span()
    yield from _codes(text)
    yield from _numbers(text, begin, lexicon)
    yield from _names(sentence, lexicon)


def _text_readings(text: str, lexicon: Language) -> list[Reading]:
    """A quoted text is also what it would be without the quotation marks."""
    bare = " ".join(re.findall(r"[^\W_]+", text))
    readings: list[Reading] = [("text", folded(bare))]
    inner = Sentence(text, 0)
    whole = [r for k, rs, a, b in _read_plain(inner, lexicon) if (a, b) == (0, len(text)) for r in rs]
    return readings + whole


def _read_plain(sentence: Sentence, lexicon: Language) -> Iterator[tuple[Kind, list[Reading], int, int]]:
    text = sentence.plain
    for match in _EMAIL.finditer(text):
        yield "email", [("email", match[0])], *match.span()
    for match in _LINK.finditer(text):
        yield "code", [("code", match[0])], *match.span()
    yield from _dates(text, lexicon)
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if len(digits) >= 7:
            yield "digits", [("digits", digits.lstrip("0") or "0")], *match.span()
    yield from _codes(text)
    yield from _numbers(text, 0, lexicon)


def _dates(text: str, lexicon: Language) -> Iterator[tuple[Kind, list[Reading], int, int]]:
    taken = read_dates(text)
    for token in taken.tokens:
        if isinstance(token.value, Moment):
            yield "date", [("date", (token.value.year, token.value.month, token.value.day))], token.start, token.end
    for match in _NUMERIC_DATE.finditer(text):
        first, second = int(match[1]), int(match[3])
        year = None if match[4] is None else int(match[4]) + (2000 if len(match[4]) == 2 else 0)
        pairs = {(second, first)} if lexicon.code != "en" else {(second, first), (first, second)}
        days: list[Reading] = [
            ("date", (year, month, day)) for month, day in pairs if 1 <= month <= 12 and 1 <= day <= 31
        ]
        if days and (match[4] or match[2] != "."):
            yield "date", days, *match.span()


def _codes(text: str) -> Iterator[tuple[Kind, list[Reading], int, int]]:
    for match in _CODE.finditer(text):
        if _NO_CODE.fullmatch(match[0]):
            continue
        bare = re.sub(r"[^a-z0-9à-ÿ]", "", match[0])
        yield "code", [("code", bare), ("text", " ".join(re.findall(r"[^\W_]+", folded(match[0]))))], *match.span()


def _numbers(text: str, begin: int, lexicon: Language) -> Iterator[tuple[Kind, list[Reading], int, int]]:
    for token in read_numbers(text, read_dates(text).spans):
        if token.start < begin or (lexicon.code != "en" and text[token.start].isalpha()):
            continue
        said = text[token.start : token.end]
        value = token.value if isinstance(token.value, Decimal) else Decimal(0)
        readings: list[Reading] = [("number", value.normalize())]
        digits = re.sub(r"\D", "", said)
        if re.fullmatch(r"\d{1,3}\.\d{3}", said):
            readings.append(("number", Decimal(digits).normalize()))
        if len(digits) >= 7 or (digits and digits == said):
            readings.append(("digits", digits.lstrip("0") or "0"))
        yield "digits" if len(digits) >= 7 else "number", readings, token.start, token.end
    for match in re.finditer(r"(?<![\w.,:/+-])0\d{2,}(?![\w.,:/-]\w)", text):
        yield "digits", [("digits", match[0].lstrip("0") or "0")], *match.span()
    for match in re.finditer(r"[^\W\d_]+", text) if lexicon.numbers else ():
        number = lexicon.numbers.get(match[0])
        if number is not None:
            yield "number", [("number", Decimal(number).normalize())], *match.span()


def _names(sentence: Sentence, lexicon: Language) -> Iterator[tuple[Kind, list[Reading], int, int]]:
    """Runs of capitalised words; a single one at the beginning is none."""
    for match in _CAPITAL.finditer(sentence.said):
        run = match[0].split(" ")
        first = not sentence.said[: match.start()].strip(" \"'¿¡(*-•")
        start = match.start()
        if first:
            start += len(run[0]) + 1
            run = run[1:]
        while run and stem(run[0], lexicon.code) in lexicon.empty:
            start += len(run[0]) + 1
            run = run[1:]
        if lexicon.code == "de" and len(run) < 2 and not (run and _SHOUT.fullmatch(run[0])):
            continue
        bare = [w for w in run if w not in ("I",) and not w.startswith("I'")]
        if bare and bare == run and not all(w.lower() in _COMMON_SHOUTS for w in run):
            words = " ".join(folded(w) for w in run)
            yield "name", [("text", words), ("code", re.sub(r"[^a-z0-9]", "", words))], start, match.end()


def value_items(value: object, lexicon: Language) -> list[Item]:
    """What a known value reads as, whole."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, list):
        return [item for part in value for item in value_items(part, lexicon)]
    if isinstance(value, dict):
        return [item for part in value.values() for item in value_items(part, lexicon)]
    text = str(value)
    if isinstance(value, int | float):
        number = Decimal(text).normalize()
        readings: list[Reading] = [("number", number)]
        if float(value).is_integer():
            readings.append(("digits", str(abs(int(value)))))
        return [Item("number", frozenset(readings), 0, len(text), text)]
    sentence = Sentence(text, 0)
    whole = [
        Item(k, frozenset(rs), a, b, text) for k, rs, a, b in _read_plain(sentence, lexicon) if (a, b) == (0, len(text))
    ]
    bare = folded(" ".join(re.findall(r"[^\W_]+", text)))
    kind: Kind = (
        whole[0].kind
        if whole
        else ("name" if text[:1].isupper() and len(text) < 40 and not text.endswith((".", "!", "?")) else "text")
    )
    readings = [("text", bare), ("code", re.sub(r"[^a-z0-9]", "", folded(text)))]
    return [Item(kind, frozenset(readings).union(*(item.readings for item in whole)), 0, len(text), text)]
