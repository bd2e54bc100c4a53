"""JSON documents as small models write them: read strictly, else with a few known slips mended.

Mended are single quotes, trailing commas, Python's constants, line breaks in strings and backslashes before signs that
need none. Invariant: a strict document is read as it is, and a text that needs mending whole or not at all. Not
covered: unfinished documents; completing them would be a guess.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from autoforge.gym.llm.json_text import load_json, load_json_at

__all__ = ["Document", "Documents", "documents_at", "mended", "whole_object"]

_BETWEEN: Final = re.compile(r"[\s,;]*(?=\{)")
_PIECE: Final = re.compile(
    r""" "(?:[^"\\]|\\.|\\\Z)*+(?:"|\Z) | '(?:[^'\\]|\\.|\\\Z)*+(?:'|\Z) | ,(?=\s*[}\]]) | \b(?:True|False|None)\b """,
    re.DOTALL | re.VERBOSE,
)
_INSIDE: Final = re.compile(r'\\.|["\x00-\x1f\\]', re.DOTALL)
_OTHERS: Final = {"True": "true", "False": "false", "None": "null", ",": ""}


class Document(NamedTuple):
    """One document; `value` is None where it cannot be read."""

    value: Any
    source: str
    """As written."""


class Documents(NamedTuple):
    """Documents that follow one another."""

    found: list[Document]
    end: int
    """Where the last one ends, or where one begins that is no JSON."""
    whole: bool
    """Whether all of them could be read."""


def documents_at(text: str, place: int) -> Documents:
    """The strict documents from a place on; objects may follow the first."""
    found: list[Document] = []
    while True:
        try:
            value, end = load_json_at(text, place)
        except ValueError:
            return Documents(found, place, False)
        found.append(Document(value, text[place:end]))
        more = _BETWEEN.match(text, end)
        if more is None:
            return Documents(found, end, True)
        place = more.end()


def whole_object(text: str) -> dict[str, Any] | None:
    """The object that a text is, strictly or nearly so, from its beginning to its end; else None."""
    if text.lstrip().startswith("{"):
        for written in (text, mended(text)):
            try:
                value = load_json(written)
            except ValueError:
                continue
            return value if isinstance(value, dict) else None
    return None


def mended(text: str) -> str:
    """The text with its slips mended, which may be JSON then."""
    return _PIECE.sub(_strict, text)


def _strict(found: re.Match[str]) -> str:
    piece = found[0]
    if piece in _OTHERS:
        return _OTHERS[piece]
    closed = len(piece) > 1 and piece[-1] == piece[0]
    return '"' + _INSIDE.sub(_escaped, piece[1:-1]) + '"' if closed else piece


def _escaped(found: re.Match[str]) -> str:
    piece = found[0]
    if len(piece) == 2 and (piece[1] in '"\\/' or piece[1].isalnum()):
        return piece
    return json.dumps(piece[-1])[1:-1]
