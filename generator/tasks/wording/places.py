"""Where the rows and values of a step stand in the documentation's words: `cancel a booking`, `a guest's contact data`.

Invariant: a place is taken by one argument; what the step makes is no place for a row that is there. Not covered: what
is said in the places (`clauses`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from autoforge.generator.rules.words import singular
from autoforge.generator.tasks.wording.documentation import ToolWords, documentation_language
from autoforge.generator.tasks.wording.function_words import determiners, prepositions
from autoforge.generator.tasks.wording.leaves import Leaf
from autoforge.generator.tasks.wording.names import english_name, last_name
from autoforge.generator.vocabulary import word_set
from autoforge.mcp_envs.task import Output, UserValue

if TYPE_CHECKING:
    from autoforge.generator.tasks.wording.teller import Teller

__all__ = ["GENERIC", "Hole", "Small", "filled", "object_head", "place"]

GENERIC = word_set(
    "update edit set modify change patch actualiza edita modifica cambia aktualisiere ändere setze bearbeite"
)
"""Verbs that say only that fields get values."""
_PART = word_set(
    "done undone complete completed delivered read unread paid shipped as active now immediately up down out "
                 "in on off again prestado devuelto")  # fmt: skip
_NEW = word_set("new nuevo nueva neue neuen neues neuer")
_ENDS = ("list", "item", "name", "group", "set", "book")


class Hole(NamedTuple):
    """A place in the documentation's words for a leaf."""

    leaf: Leaf
    refers: bool
    rest: str = ""
    """What stands behind the thing: a guest's *contact data*."""


class Small(NamedTuple):
    """The function words of the documentation."""

    determiners: frozenset[str]
    prepositions: frozenset[str]

    @classmethod
    def of(cls, teller: Teller) -> Small:
        language = documentation_language(teller.catalogue)
        return cls(determiners(language), prepositions(language))


def filled(
    teller: Teller,
    small: Small,
    words: ToolWords,
    references: Sequence[Leaf],
    values: Sequence[Leaf],
    created: frozenset[str],
) -> tuple[list[str | Hole], list[Leaf]]:
    """The words with holes, and the leaves that have none."""
    parts: list[str | Hole] = list(words.rest)
    left: list[Leaf] = []
    for leaf in (*references, *values):
        plain = isinstance(leaf.source, UserValue) or words.verb in GENERIC or _is_named_alike(teller, leaf)
        plain = plain and (leaf.type != "boolean" or words.verb in GENERIC)
        fits = leaf.of == 1 and words.known and (leaf in references or plain)
        found = place(small, parts, leaf, created, leaf in references) if fits else None
        if found is None:
            left.append(leaf)
            continue
        start, end, hole = found
        parts[start:end] = [hole]
    if words.plain and words.known:
        _with_articles(teller, small, parts, created)
    return parts, left


def _is_named_alike(teller: Teller, leaf: Leaf) -> bool:
    """Whether the value is a field of the same name of something else: the tag of that file."""
    if not isinstance(leaf.source, Output):
        return False
    origin = teller.origins.of(leaf.source)
    return origin.row is not None and english_name(last_name(origin.field)) == leaf.words


def place(
    small: Small, parts: Sequence[str | Hole], leaf: Leaf, created: frozenset[str], refers: bool
) -> tuple[int, int, Hole] | None:
    """Where a leaf stands among the words: from, to, and its hole."""
    if leaf.type == "object":
        return None
    for wanted in (way for name in leaf.nouns for way in _ways(name)):
        for at in range(len(parts) - len(wanted) + 1):
            if not _same(parts[at : at + len(wanted)], wanted):
                continue
            whole = refers or wanted != tuple(leaf.words.lower().split())
            if whole and _in_new(small, parts, at, created):
                continue
            start = _start(small, parts, at)
            end = at + len(wanted)
            rest = _compound(small, parts, end)
            if rest is None or (rest and not refers):
                continue
            return start, end + len(rest), Hole(leaf, refers, " ".join(rest))
    return None


def object_head(small: Small, parts: Sequence[str | Hole]) -> int:
    """Where the head of the object is: the last word before the first preposition."""
    for at, part in enumerate(parts):
        if isinstance(part, str) and part.lower() in small.prepositions:
            return at - 1
    return len(parts) - 1


def _in_new(small: Small, parts: Sequence[str | Hole], at: int, created: frozenset[str]) -> bool:
    """Whether the word is of what the step makes: the *order* item, a *new* task."""
    head = object_head(small, parts)
    if at > head:
        return False
    said = " ".join(_bare(p) for p in parts[: head + 1] if isinstance(p, str))
    new = any(isinstance(p, str) and p.lower() in _NEW for p in parts[:at])
    return new or any(said.endswith(" " + noun) or said == noun for noun in created)


def _same(parts: Sequence[str | Hole], wanted: Sequence[str]) -> bool:
    said = [_bare(p) if isinstance(p, str) else "" for p in parts]
    return all(s and (s == w or singular(s) == singular(w)) for s, w in zip(said, wanted, strict=True))


def _ways(name: str) -> tuple[tuple[str, ...], ...]:
    """A name as words, and with a word taken apart: `tasklist` is written task list."""
    words = tuple(name.lower().split())
    parted = [(*words[:i], word[:-len(e)], e, *words[i + 1 :]) for i, word in enumerate(words) for e in _ENDS
              if word.endswith(e) and len(word) > len(e) + 2]  # fmt: skip
    return (words, *parted)


def _bare(word: str) -> str:
    return re.sub(r"['’]s?$|^['\"]|['\".,]+$", "", word).lower()


def _start(small: Small, parts: Sequence[str | Hole], at: int) -> int:
    """Back over the article and what stands between: the user's own *task*."""
    found = at
    for start in range(at - 1, max(at - 6, -1), -1):
        part = parts[start]
        if not isinstance(part, str) or part.lower() in small.prepositions:
            break
        if part.lower() in small.determiners:
            found = start
    return found


def _compound(small: Small, parts: Sequence[str | Hole], end: int) -> list[str] | None:
    """The words of a compound behind the thing (a task's *status*); None where there is too much."""
    rest: list[str] = []
    for part in parts[end:]:
        if not isinstance(part, str) or part.lower() in small.prepositions | _PART | small.determiners:
            break
        rest.append(part)
    return rest if len(rest) <= 3 else None


def _with_articles(teller: Teller, small: Small, parts: list[str | Hole], created: frozenset[str]) -> None:
    """Names and headlines have no articles: `create booking` → create a booking; `add contact` → add a contact."""
    at = 0
    while at < len(parts):
        end = at
        while (
            end < len(parts) and isinstance(word := parts[end], str) and word.lower() not in small.prepositions | _PART
        ):
            end += 1
        nouns = [str(p) for p in parts[at:end]]
        if nouns and not any(n.lower() in small.determiners for n in nouns):
            text = " ".join(nouns)
            last = nouns[-1].lower()
            if (
                singular(last) != last
                or nouns[-1].lower() != last
                or last in ("funds", "money", "stock", "information", "data")
            ):
                parts[at:end] = [text]
            else:
                noun = teller.grammar.noun(text)
                new = at == 0 and bool(created)
                phrase = teller.grammar.indefinite(noun) if new else teller.grammar.definite(noun)
                parts[at:end] = [f"{phrase:acc}"]
            end = at + 1
        at = end + 1
