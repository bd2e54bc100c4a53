"""A policy file → clues with the verbs they apply to, and the sentences that only a reader can follow.

Invariant: every sentence of the policy is in one of the two; headings are in neither. Not covered: making code of the
clues (`preconditions`).
"""

from __future__ import annotations

from autoforge.generator.rules.prose.clue import Clue
from autoforge.generator.rules.prose.languages import language_of
from autoforge.generator.rules.prose.sentences import sentences
from autoforge.generator.rules.prose.tools import demands_of, once
from autoforge.generator.vocabulary import word_set

__all__ = ["policy_clues"]

_KINDS = word_set(
    "status_in status_not_in unique owner balance stock order range limit requires forbids not_self future past exists"
)


def policy_clues(policy_text: str) -> tuple[list[Clue], list[str]]:
    """The rules that code can keep, and the sentences that could not be turned into code."""
    code = language_of(policy_text)
    clues: list[Clue] = []
    rest: list[str] = []
    for sentence in sentences(policy_text):
        found = [clue for clue in demands_of(sentence, code) if clue.kind in _KINDS and _applies(clue)]
        clues += found
        if not found:
            rest.append(sentence)
    return once(clues), rest


def _applies(clue: Clue) -> bool:
    """A rule without a verb must name its own subject, and be one that holds always."""
    return bool(clue.verbs) or (
        bool(clue.subject) and clue.kind in ("limit", "range", "unique", "balance", "stock", "order")
    )
