"""Names of the documentation as words: columns, parameters, tables, enumerated values.

Invariant: pure functions of the name; what is an abbreviation stays in capitals. Not covered: articles, genders and
plurals (`grammar`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from autoforge.generator.rules.words import singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["ID_WORDS", "english_name", "is_identifier", "last_name", "moment_name", "noun_words", "value_words"]

ID_WORDS = word_set("id ids uid uuid guid ref key pk identifier identificador kennung nr")
"""Last or first words of names that hold the identity of a row."""
_CAPITALS = word_set(
    "id ids url urls api uri ip sms pin iban isbn sku vat cc bcc pdf csv json html http https imei vin ai"
)
_JOINED = (
    (r"\bcheck (in|out)\b", r"check-\1"), (r"\be mail\b", "email"), (r"\bzip code\b", "ZIP code"),
    (r"\bfollow up\b", "follow-up"), (r"\bpick up\b", "pick-up"), (r"\bdrop off\b", "drop-off"),
)  # fmt: skip
_AFFIXES = word_set("value param field arg input str string")
"""Last words that say what kind of parameter it is, not what it means."""


def last_name(path: str) -> str:
    """The last property in a path: `$.owner['full name']` → full name; the empty text where there is none."""
    found = re.findall(r"\.?([A-Za-z_]\w*)|\['((?:[^'\\]|\\.)*)'\]", path)
    return next((a or b for a, b in reversed(found)), "")


@cache
def english_name(name: str) -> str:
    """`checkInDate` → check-in date; `tag_to_add` → tag; `publish_date_value` → publish date; `receiver_id` →
    receiver ID.
    """
    words = list(split_words(name)) or [name]
    if len(words) > 2 and words[-2] == "to":
        words = words[:-2]
    while len(words) > 1 and words[-1] in _AFFIXES:
        words.pop()
    if len(words) > 1 and words[0] in ("p", "is", "has", "body"):
        words.pop(0)
    if len(words) > 1 and words[-1] in _UNITS:
        words = [*words[:-1], "in", _UNITS[words[-1]]]
    text = _moment(words) or " ".join(words)
    for pattern, joined in _JOINED:
        text = re.sub(pattern, joined, text)
    return " ".join(
        w[:-1].upper() + "s" if w in ("ids", "urls") else w.upper() if w in _CAPITALS else w for w in text.split()
    )


_UNITS = {u: u for u in ("km", "kg", "cm", "mm", "ms", "kwh", "minutes", "seconds", "hours")} | {
    u: u.upper() for u in ("gb", "mb", "kb", "tb", "usd", "eur", "gbp")
}
_MOMENTS = {"created": "creation date", "updated": "update date", "modified": "change date",
"completed": "completion date", "due": "due date",
            "booked": "booking date", "issued": "issue date", "paid": "payment date", "ordered": "order date",
            "registered": "registration date", "joined": "joining date", "started": "start date", "ended": "end date",
            "opened": "opening date", "closed": "closing date", "delivered": "delivery date",
            "sent": "sending date"}  # fmt: skip


def _moment(words: Sequence[str]) -> str | None:
    """`created_at` → creation date; `due_on` → due date; `transferred_today` → amount transferred today."""
    if len(words) == 2 and words[1] in ("at", "on"):
        return _MOMENTS.get(words[0], f"{words[0]} date")
    if len(words) > 2 and words[-1] in ("at", "on"):
        return " ".join([*words[:-1], "time" if words[-1] == "at" else "date"])
    if len(words) > 1 and words[-1] in ("today", "yesterday", "now") and words[0].endswith("ed"):
        return "amount " + " ".join(words)
    return None


def moment_name(name: str) -> str:
    """Of a field that holds a date: `due` → due date; others as `english_name`."""
    words = split_words(name)
    return _MOMENTS[words[0]] if len(words) == 1 and words[0] in _MOMENTS else english_name(name)


def is_identifier(name: str) -> bool:
    """Whether a name says that it holds the identity of a row: `guestId`, `id_socio`."""
    words = split_words(name)
    return bool(words) and (words[-1] in ID_WORDS or words[0] in ID_WORDS)


@cache
def noun_words(name: str) -> str:
    """What a reference names, in the singular: `guest_ids` → guest, `from_account_id` → account, `id_socio` → socio,
    `projects` → project.
    """
    words = [w for w in split_words(name) if w not in ID_WORDS]
    if len(words) > 2 and words[-2] == "to":
        words = words[:-2]
    while len(words) > 1 and words[0] in _PREPOSITIONS:
        words.pop(0)
    if len(words) > 1 and words[-1] in ("name", "number", "path", "code", "names"):
        words.pop()
    return " ".join([*words[:-1], singular(words[-1])]) if words else ""


_PREPOSITIONS = word_set("from to source target destination new old current parent in on for by the")


def value_words(text: str) -> str:
    """An enumerated value in words: `guest_request` → guest request, `inProgress` → in progress, `EUR` → EUR."""
    if re.fullmatch(r"(?=.*[a-z])[a-z0-9]+(?:[_-][a-z0-9]+)+", text) and not re.search(r"\d-|-\d", text):
        return re.sub(r"[_-]", " ", text)
    if re.fullmatch(r"[a-z]+(?:[A-Z][a-z]+)+", text):
        return re.sub(r"(?<=[a-z])([A-Z])", r" \1", text).lower()
    if re.fullmatch(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+", text):
        return text.replace("_", " ").lower()
    return text
