"""People whose first, last and full name, login, e-mail address, telephone number and date of birth belong together.

Invariant: logins and addresses are unique within one drawing; where there are four people or more, two share the full
name and two more the last name, so that a name alone does not tell who is meant. All of them are invented; addresses
use reserved domains. Not covered: where they live (`places`).
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta
from typing import NamedTuple

from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.words_asia import ASIAN_NAMES

__all__ = ["Person", "draw_people", "latin", "named"]


class Person(NamedTuple):
    first: str
    last: str
    full: str
    login: str
    email: str
    phone: str
    born: date


class _Name(NamedTuple):
    first: str
    last: str
    latin_first: str
    latin_last: str


_DOMAINS = ("example.com", "example.org", "example.net")
_SPELLED = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "đ": "d"})
_PHONES = {
    "en": "+1-{area}-555-{last:04d}",
    "es": "+34 6{area} {mid:03d} {low:03d}",
    "de": "+49 30 {mid:03d}{last:04d}",
    "fr": "+33 6 {a} {b} {c} {d}",
    "pt": "+55 11 9{last:04d}-{last2:04d}",
    "it": "+39 3{area} {mid:03d}{last:04d}",
    "zh": "+86 138 {last:04d} {last2:04d}",
    "ja": "+81 90-{last:04d}-{last2:04d}",
}


def latin(text: str) -> str:
    """ASCII lower-case letters and digits of a text, words joined by dots; may be empty."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_SPELLED)).encode("ascii", "ignore").decode("ascii")
    return ".".join(re.findall(r"[a-z0-9]+", plain))


def draw_people(draw: Draw, count: int, language: str, today: date, *, namesakes: bool = True) -> list[Person]:
    """`count` people; ages are counted from `today`. Without `namesakes` no two share a full name."""
    names = _different(draw, count, language)
    if count >= 4 and namesakes:
        names[3] = names[1]
        names[2] = names[2]._replace(last=names[0].last, latin_last=names[0].latin_last)
    taken: set[str] = set()
    return [_person(draw, name, language, today, taken) for name in names]


def named(draw: Draw, full: str, language: str, today: date) -> Person:
    """A person with a full name that is given."""
    first, _, last = full.strip().partition(" ")
    name = _Name(first, last or first, latin(first) or "user", latin(last))
    return _person(draw, name, language, today, set())._replace(full=full)


def _name(draw: Draw, language: str) -> _Name:
    if language in ASIAN_NAMES:
        (last, latin_last), (first, latin_first) = (
            draw.one(part.split("|")).split(":") for part in ASIAN_NAMES[language]
        )
        return _Name(first, last, latin_first, latin_last)
    first, last = _plain(draw, "first_name"), _plain(draw, "last_name")
    return _Name(first, last, latin(first).replace(".", ""), latin(last).replace(".", ""))


def _different(draw: Draw, count: int, language: str) -> list[_Name]:
    names: list[_Name] = []
    for _ in range(count):
        name = _name(draw, language)
        for _ in range(20):
            if name not in names:
                break
            name = _name(draw, language)
        names.append(name)
    return names


def _plain(draw: Draw, part: str) -> str:
    """A name of one word without apostrophes, which people mistype."""
    for _ in range(20):
        name = str(getattr(draw.fake, part)())
        if re.fullmatch(r"[^\W\d_]{2,}", name):
            return name
    return name.split()[0].replace("'", "")


def _person(draw: Draw, name: _Name, language: str, today: date, taken: set[str]) -> Person:
    phone, born, domain, style = (
        _phone(draw, language),
        today - timedelta(days=draw.integer(20 * 365, 68 * 365)),
        draw.one(_DOMAINS),
        draw.integer(0, 1),
    )
    stem = f"{name.latin_first}.{name.latin_last}".strip(".") or "user"
    login = f"{name.latin_first[:1]}{name.latin_last}" if style and name.latin_last else stem.replace(".", "_")
    number = 1
    while stem in taken or login in taken:
        number = number + 1 if number > 1 else draw.integer(2, 98)
        stem, login = f"{stem.rstrip('0123456789')}{number}", f"{login.rstrip('0123456789')}{number}"
    taken.update((stem, login))
    full = (
        f"{name.last}{name.first}"
        if language == "zh"
        else f"{name.last} {name.first}"
        if language == "ja"
        else f"{name.first} {name.last}"
    )
    return Person(name.first, name.last, full, login, f"{stem}@{domain}", phone, born)


def _phone(draw: Draw, language: str) -> str:
    def digits(n: int) -> int:
        return draw.integer(0, 10**n - 1)

    pairs = {letter: f"{digits(2):02d}" for letter in "abcd"}
    area = draw.integer(202, 989) if language == "en" else draw.integer(10, 99)
    return _PHONES.get(language, _PHONES["en"]).format(
        area=area, mid=digits(3), low=digits(3), last=digits(4), last2=digits(4), **pairs
    )
