"""The state of what a tool acts on, from its first sentence: `Accept a pending filing.`

Invariant: only values that the documentation lists, right beside the tool's own noun, and only for tools that change a
row; a sentence that says outright which states are refused goes before. Not covered: all other sentences (`prose`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.prose import Clue, sentences
from autoforge.generator.rules.prose.languages import language_of
from autoforge.generator.rules.prose.sections import without_sections
from autoforge.generator.rules.prose.states import listed_form
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import ascii_word, singular, snake
from autoforge.generator.vocabulary import word_set

__all__ = ["object_state"]

_CHANGES = frozenset({VerbClass.STATE, VerbClass.UPDATE, VerbClass.MOVE})
_ANY_ROW = word_set(
    "update edit modify change patch set actualizar modificar editar aendern bearbeiten modifier atualizar"
)
_BEFORE = re.compile(r"^[^\W\d]+ (?:an?|(?P<the>the)|one|eine[nrms]?|den|die|das) (?P<state>[\w-]+) (?P<noun>[^\W\d]+)")
_BEHIND = re.compile(r"^[^\W\d]+ (?:un[ao]?|une|el|la|le|o|a|um|uma|il|lo) (?P<noun>[^\W\d]+) (?P<state>[\w-]+)")
_NEXT = re.compile(
    r"(?:[.,]?$| (?:of|for|by|with|in|at|on|from|to|as|so|before|de|del|por|con|para|en|von|für|mit|aus|im|du|des|pour|"
    r"avec|dans|da|do|com|di|per|comme|como|als)\b)"
)
"""What may follow the noun and its state: no further noun, and no second state."""
_PLAIN_WORDS = word_set("new current existing given selected specified next first last")
_WHATEVER = re.compile(
    r"\?$|\b(?:or|regardless|even|irrespective|any (?:other )?(?:state|status)|whatever|oder|auch|incluso|cualquier|"
    r"même|quel que|qualquer|qualsiasi)\b",
    re.IGNORECASE,
)


def object_state(reading: Reading, clues: list[Clue]) -> list[Clue]:
    """What the first sentence says of the row before the call; nothing where another sentence says it."""
    said = any(c.kind in ("status_in", "status_not_in") and not c.subject for c in clues)
    first = next(iter(sentences(reading.tool.description)), "")
    if said or reading.verb.kind not in _CHANGES or reading.verb.word in _ANY_ROW or not first:
        return []
    germanic = language_of(reading.tool.description) in ("en", "de")  # `a lamp on` is no state behind its noun
    match = (_BEFORE if germanic else _BEHIND).match(first)
    if match is None or not _NEXT.match(first[match.end() :]) or not _is_own(match["noun"], reading):
        return []
    state = _documented(match["state"], reading)
    if state is None or (match.groupdict().get("the") and state == "requested") or not _is_alone(state, reading):
        return []
    return [Clue("status_in", "", "status", (state,), first.rstrip(".") + ".")]


def _is_alone(state: str, reading: Reading) -> bool:
    """Whether no sentence speaks of another state, but the one that is brought about, or of all."""
    reached = snake(reading.verb.state or "")[:5]
    others = (s for s in reading.standings if s != state and not (reached and snake(s)[:5] == reached))
    text = without_sections(reading.tool.description, notes=True)
    named = (rf"\b{re.escape(s).replace('_', '[_ -]')}(?:[aeo]s?|e[nrms]|s)?\b" for s in others if len(s) > 2)
    return _WHATEVER.search(text) is None and not any(re.search(n, text, re.IGNORECASE) for n in named)


def _documented(word: str, reading: Reading) -> str | None:
    """The listed state that a word is, whatever its gender, number or declension; not the one that is brought about."""
    reached = (reading.verb.state or "")[:5]
    listed = frozenset(s for s in reading.standings if not reached or snake(s)[:5] != reached)
    return listed_form(word.lower(), listed) if word.lower() not in _PLAIN_WORDS else None


def _is_own(noun: str, reading: Reading) -> bool:
    stems = [id_stem(p) for p in reading.tool.input_schema.get("required", [])[:1]]
    own = {*reading.nouns[-1:], *(s[-1] for s in stems if s), *(c.split()[-1] for c in reading.container[-1:] if c)}
    return singular(ascii_word(noun.lower())) in {singular(ascii_word(w)) for w in own}
