"""Values as a person writes them: dates, amounts, names, texts, enumerated words, lists.

Invariant: `spellings` holds every way in which `said` writes a value, so what was said can be found again. Not covered:
what the value is for (`fields`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from autoforge.generator.tasks.wording.grammar import Grammar
from autoforge.generator.tasks.wording.names import english_name, value_words

__all__ = ["Values", "date_spellings", "number_text", "spellings"]

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_PLAIN = re.compile(r"[\w@./:+#$€£&%-]*[\d@/_#€$:+-][\w@./:+#$€£&%-]*|[A-Z]{2,8}")
"""Written without quotation marks: addresses, identifiers, paths, codes."""
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’.-]*(?: (?:(?:de|del|la|van|von|der|of|and|&|the|y|und) )?[A-ZÀ-Þ0-9][\w'’.-]*){0,3}")
_ENUM = re.compile(r"[a-zà-ÿ]+(?:[_ -][a-zà-ÿ0-9]+){0,3}|[a-z]+(?:[A-Z][a-z]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")


def number_text(value: float) -> str:
    """`500`, `12.5`; never in powers of ten."""
    if isinstance(value, int) or value == int(value):
        return str(int(value))
    return re.sub(r"0+$", "", f"{value:.10f}") if abs(value) < 1e15 else repr(value)


def date_spellings(value: str, grammar: Grammar) -> tuple[str, ...]:
    """Of an ISO date, the ways to write it, the ISO form first."""
    match = _DAY.fullmatch(value)
    if match is None or not 1 <= int(match[2]) <= 12:
        return (value,)
    year, month, day = match[1], grammar.months[int(match[2]) - 1], int(match[3])
    return (value, *(t.format(year=year, month=month, day=day) for t in grammar.templates["date"]))


def spellings(value: Any, grammar: Grammar) -> tuple[str, ...]:
    """The texts of which one says a plain value; none for booleans, lists and objects."""
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        return ()
    if isinstance(value, int | float):
        return (number_text(value),)
    text = str(value)
    words = value_words(text)
    known = date_spellings(text, grammar)
    return tuple(dict.fromkeys((*known, words, english_name(text) if words != text else text)))


class Values:
    """Says values; one style of dates for a whole instruction."""

    def __init__(self, grammar: Grammar, chance: random.Random) -> None:
        self._grammar = grammar
        self._date = int(chance.random() < 0.3)

    def said(self, value: Any, schema: Mapping[str, Any] | None = None) -> str:
        """The value in words; `schema` tells enumerations from texts."""
        if value is None or value == "" or value == []:
            return self._grammar.say("empty")
        if isinstance(value, bool):
            return self._grammar.truth[not value]
        if isinstance(value, int | float):
            return number_text(value)
        if isinstance(value, list):
            return self._grammar.series([self.said(item, (schema or {}).get("items")) for item in value])
        if isinstance(value, Mapping):
            return self._grammar.series([f"{english_name(str(k))} {self.said(v)}" for k, v in value.items()])
        return self._text(str(value), schema or {})

    def _text(self, text: str, schema: Mapping[str, Any]) -> str:
        if _DAY.fullmatch(text):
            return date_spellings(text, self._grammar)[self._date]
        if text in _enumerated(schema) and _ENUM.fullmatch(text):
            return value_words(text)
        if not text.endswith((".", ",", ":")) and (_PLAIN.fullmatch(text) or _NAME.fullmatch(text)):
            return text
        return f"'{text}'" if '"' in text else f'"{text}"'


def _enumerated(schema: Mapping[str, Any]) -> list[Any]:
    parts = [schema, *schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return [value for part in parts if isinstance(part, Mapping) for value in part.get("enum", ())]
