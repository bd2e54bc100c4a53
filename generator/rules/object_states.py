"""The state of what a tool acts on, from its first sentence: `Accept a pending filing.`

Invariant: only values that the documentation lists, right beside the tool's own noun, and only for tools that change a
row; a sentence that says outright which states are refused goes before. Not covered: all other sentences (`prose`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.prose import Clue, sentences
from autoforge.generator.rules.prose.languages import language_of
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import ascii_word, singular, snake

__all__ = ["object_state"]

_CHANGES = frozenset({VerbClass.STATE, VerbClass.UPDATE, VerbClass.MOVE})
_BEFORE = re.compile(r"^[^\W\d]+ (?:an?|the|one|eine[nrms]?|den|die|das) (?P<state>[\w-]+) (?P<noun>[^\W\d]+)")
_BEHIND = re.compile(r"^[^\W\d]+ (?:un[ao]?|une|el|la|le|o|a|um|uma|il|lo) (?P<noun>[^\W\d]+) (?P<state>[\w-]+)")


def object_state(reading: Reading, clues: list[Clue]) -> list[Clue]:
    """What the first sentence says of the row before the call; nothing where another sentence says it."""
    said = any(c.kind in ("status_in", "status_not_in") and not c.subject for c in clues)
    first = next(iter(sentences(reading.tool.description)), "")
    if said or reading.verb.kind not in _CHANGES or not first:
        return []
    germanic = language_of(reading.tool.description) in ("en", "de")  # `a lamp on` is no state behind its noun
    match = (_BEFORE if germanic else _BEHIND).match(first)
    state = _documented(match["state"], reading) if match is not None else None
    if match is None or state is None or not _is_own(match["noun"], reading):
        return []
    return [Clue("status_in", "", "status", (state,), first.rstrip(".") + ".")]


def _documented(word: str, reading: Reading) -> str | None:
    """The listed state that a word is, whatever its gender, number or declension; not the one that is brought about."""
    low = word.lower()
    endings = ("", "e", "en", "er", "es", "em", "n", "s")
    found = [s for s in sorted(reading.states) if low in {s + e for e in endings} or _same_stem(low, s)]
    reached = (reading.verb.state or "")[:5]
    return next((s for s in found if not reached or snake(s)[:5] != reached), None)


def _same_stem(word: str, state: str) -> bool:
    """`cerrada` and `cerrado`, `ouverte` and `ouvert`."""
    return len(state) > 4 and re.sub(r"[aeo]s?$", "", word) == re.sub(r"[aeo]$", "", state)


def _is_own(noun: str, reading: Reading) -> bool:
    stems = [id_stem(p) for p in reading.tool.input_schema.get("required", [])[:1]]
    own = {*reading.nouns[-1:], *(s[-1] for s in stems if s), *(c.split()[-1] for c in reading.container[-1:] if c)}
    return singular(ascii_word(noun.lower())) in {singular(ascii_word(w)) for w in own}
