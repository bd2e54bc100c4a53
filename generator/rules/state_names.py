"""Tools whose name is the verb of a documented state: `vacate_hearing` where hearings can be `vacated`.

Invariant: only a tool that names one row of its own noun, by a verb that nothing else explains, and that is not
told the state; whoever creates goes on creating. Not covered: states that sentences give (`outright`), and the verbs
whose state is in the lexicon (`verbs`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import READING_VERBS
from autoforge.generator.rules.shapes import properties_of
from autoforge.generator.rules.verbs import Verb, VerbClass, verb_of
from autoforge.generator.rules.words import ascii_word, singular, snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["named_state"]

_KEPT = frozenset(
    {VerbClass.STATE, VerbClass.LOGIN, VerbClass.LOGOUT, VerbClass.COMPUTE, VerbClass.CHECK, VerbClass.SEND}
)
_MAKES = word_set(
    "create new register insert add append clone copy duplicate upload import generate book reserve order request buy "
    "purchase schedule place enroll rent make submit read list delete remove"
)
_SHOWS = re.compile(r"^(?:returns|gets?|retrieves?|shows?|fetch\w*|looks? up)\b", re.IGNORECASE)
_ENDING = re.compile(r"(?:ieren|en|n|ar|er|ir|are|ere|ire|re|e)$")


def named_state(reading: Reading) -> Verb | None:
    """The verb of state that a tool's name is, by the states that the documentation lists; None where it is none."""
    words = [ascii_word(w) for w in split_words(reading.tool.original_name)]
    if len(words) < 2 or reading.verb.kind in _KEPT or reading.verb.word in _MAKES or not _names_row(reading, words):
        return None
    known = verb_of(reading.verb.word) is not None and reading.verb.word in words
    if known and reading.verb.kind in READING_VERBS and reading.verb.word not in ("return", "open"):
        return None
    if reading.verb.word in ("return", "open") and _SHOWS.match(reading.tool.description):
        return None
    part = next((s for s in sorted(reading.states) if "_" in s and set(s.split("_")) == set(words)), None)
    if part is not None and words[0] in part.split("_"):
        return Verb(words[0], VerbClass.STATE, words[0])  # `open_vents` where zones have `vents_open`
    for word in (words[0], words[-1]):
        state = next((s for s in sorted(reading.states) if _brings_about(word, s)), None)
        if state is not None and not _is_given(reading, state):
            return Verb(word, VerbClass.STATE, snake(state))
    return None


def _names_row(reading: Reading, words: list[str]) -> bool:
    """Whether the first thing that the call requires is the id of what the name is about."""
    required = reading.tool.input_schema.get("required", [])
    stem = id_stem(required[0]) if required else None
    if stem is None:
        return False
    nouns = {singular(w) for w in words} | {singular(w) for c in reading.container[-1:] for w in c.split()}
    alone = len(words) == 2 and words[-1] in reading.states  # `declare_dead`
    return alone or not stem or singular(ascii_word(stem[-1])) in nouns


def _is_given(reading: Reading, state: str) -> bool:
    """Whether a parameter chooses among states, this one among them."""
    return any(
        state in (str(v).lower() for v in schema.get("enum", ()))
        for schema in properties_of(reading.tool.input_schema).values()
    )


def _brings_about(verb: str, state: str) -> bool:
    """`discard` → discarded, `freigeben` → freigegeben, `liberar` → liberado; `dead` in `declare_dead` is its own."""
    held = ascii_word(snake(state))
    if verb == held:
        return not held.endswith("s") and len(held) > 3
    if held in (f"{verb}d", f"{verb}ed", f"{verb}{verb[-1]}ed", re.sub(r"y$", "ied", verb)):
        return True
    stem = _ENDING.sub("", verb)
    if stem == verb or len(stem) < 4:
        return False
    participle = re.fullmatch(r"(.+?)(?:t|en|ad[oa]|id[oa]|at[oa]|it[oa]|ut[oa]|e|ee)", held)
    bare = participle.group(1) if participle is not None else held
    return stem in (bare, bare.replace("ge", "", 1)) or _separable(verb, held)


def _separable(verb: str, state: str) -> bool:
    """`freigeben` → freigegeben, `herstellen` → hergestellt, `sperren` → gesperrt."""
    if "ge" not in state or not verb.endswith("en"):
        return False
    at = state.index("ge")
    plain = state[:at] + state[at + 2 :]
    return plain in (verb, re.sub(r"en$", "t", verb))
