"""Laying out Python expressions over lines, the way formatters do.

Invariant: breaking changes white space and trailing commas only; a line is broken inside brackets, never elsewhere.
Not covered: one literal or name that is longer than a line stays as it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from autoforge.generator.emit.names import python_string

__all__ = ["WIDTH", "Bracket", "Doc", "Joined", "Sentence", "Soft", "Strings", "call", "flat", "statement"]

WIDTH = 110
"""Longest line, in characters."""
STEP = 4


class Bracket(NamedTuple):
    """Items in brackets, separated by commas or (a comprehension, a parenthesis) by spaces."""

    opening: str
    items: tuple[Doc, ...]
    closing: str
    commas: bool = True


class Joined(NamedTuple):
    """Parts without anything between them; breaks at its last bracket."""

    parts: tuple[Doc, ...]


class Soft(NamedTuple):
    """Parts separated by spaces that may go on lines of their own once inside brackets: `a`, `and b`."""

    items: tuple[Doc, ...]


class Strings(NamedTuple):
    """One string literal in pieces that are joined by a space, or on lines of their own."""

    pieces: tuple[str, ...]


class Sentence(NamedTuple):
    """An f-string in words, each with the space behind it, that fills as many lines as it needs."""

    words: tuple[str, ...]


Doc: TypeAlias = "str | Bracket | Joined | Soft | Strings | Sentence"


def call(function: str, *arguments: Doc) -> Joined:
    """The call of a function."""
    return Joined((function, Bracket("(", arguments, ")")))


def flat(doc: Doc) -> str:
    """All on one line."""
    if isinstance(doc, str):
        return doc
    if isinstance(doc, Bracket):
        return doc.opening + (", " if doc.commas else " ").join(flat(i) for i in doc.items) + doc.closing
    if isinstance(doc, Joined):
        return "".join(flat(p) for p in doc.parts)
    if isinstance(doc, Soft):
        return " ".join(flat(i) for i in doc.items)
    if isinstance(doc, Sentence):
        return _formatted("".join(doc.words))
    return python_string(" ".join(doc.pieces))


def statement(doc: Doc, indent: int) -> list[str]:
    """The lines of a statement, indented by so many columns."""
    return [
        " " * indent + line if i == 0 else line for i, line in enumerate(_lines(doc, indent, indent, 0, inside=False))
    ]


def _lines(doc: Doc, indent: int, column: int, after: int, *, inside: bool) -> list[str]:
    """The first line without its indentation, the others with it; `after` columns must stay free at the end."""
    text = flat(doc)
    if column + len(text) + after <= WIDTH or isinstance(doc, str):
        return [text]
    if isinstance(doc, Joined):
        return _joined(doc, indent, column, after)
    if isinstance(doc, Bracket):
        return _bracket(doc, indent) if doc.items else [text]
    if isinstance(doc, Soft):
        return _soft(doc, indent, inside)
    if isinstance(doc, Sentence):
        return _sentence(doc, indent) if inside else [text]
    pieces = [part for i, piece in enumerate(doc.pieces) for part in _filled(piece if i == 0 else " " + piece, indent)]
    return [(" " * indent if i else "") + python_string(piece) for i, piece in enumerate(pieces)]


def _filled(text: str, indent: int) -> list[str]:
    """A text cut at spaces into parts that fit on a line each as a literal."""
    parts = [""]
    for word in re.split(r"(?<=[^ ] )", text):
        if parts[-1] and indent + len(python_string(parts[-1] + word)) + 1 > WIDTH:
            parts.append("")
        parts[-1] += word
    return parts


def _formatted(body: str) -> str:
    return f'f"{body}"' if "{" in body or "}" in body else f'"{body}"'


def _sentence(doc: Sentence, indent: int) -> list[str]:
    lines = [""]
    for word in doc.words:
        if lines[-1] and indent + len(lines[-1]) + len(word) + 3 > WIDTH:
            lines.append("")
        lines[-1] += word
    return [(" " * indent if i else "") + _formatted(line) for i, line in enumerate(lines)]


def _bracket(doc: Bracket, indent: int) -> list[str]:
    inner = indent + STEP
    lines = [doc.opening]
    alone = len(doc.items) == 1 and isinstance(doc.items[0], Sentence | Strings)
    for item in doc.items:
        first, *rest = _lines(item, inner, inner, int(doc.commas), inside=True)
        lines += [" " * inner + first, *rest]
        if doc.commas and not alone:
            lines[-1] += ","
    return [*lines, " " * indent + doc.closing]


def _joined(doc: Joined, indent: int, column: int, after: int) -> list[str]:
    where = [i for i, part in enumerate(doc.parts) if not isinstance(part, str | Strings | Sentence)]
    if not where:
        return [flat(doc)]
    broken = where[-1]
    before = "".join(flat(p) for p in doc.parts[:broken])
    behind = "".join(flat(p) for p in doc.parts[broken + 1 :])
    lines = _lines(doc.parts[broken], indent, column + len(before), after + len(behind), inside=False)
    lines[0] = before + lines[0]
    lines[-1] += behind
    return lines


def _soft(doc: Soft, indent: int, inside: bool) -> list[str]:
    if not inside:
        return _bracket(Bracket("(", doc.items, ")", commas=False), indent)
    lines: list[str] = []
    for item in doc.items:
        first, *rest = _lines(item, indent, indent, 0, inside=True)
        lines += [(" " * indent if lines else "") + first, *rest]
    return lines
