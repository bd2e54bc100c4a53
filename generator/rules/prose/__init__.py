"""Sentences of documentation and of policies → structured preconditions.

A sentence is rewritten into a small pivot language (`languages`, a table per language), cut into demands (`demands`:
what must or must not hold), and each demand is read as a clue (`conditions`). Invariant: pure functions of the text;
a sentence that is not understood gives nothing, never a guess. Not covered: which column or argument a clue means
(the caller knows the schema), and prose in other scripts.
"""

from __future__ import annotations

from autoforge.generator.rules.prose.clue import Clue
from autoforge.generator.rules.prose.defaults import MISSING, default_in_prose, defaults_of_others
from autoforge.generator.rules.prose.enumerations import enum_in_prose
from autoforge.generator.rules.prose.formats import format_in_prose
from autoforge.generator.rules.prose.numbers import range_in_prose
from autoforge.generator.rules.prose.policies import policy_clues
from autoforge.generator.rules.prose.responses import response_fields
from autoforge.generator.rules.prose.sentences import sentences
from autoforge.generator.rules.prose.states import documented_states
from autoforge.generator.rules.prose.tools import clues_of

__all__ = [
    "MISSING", "Clue", "clues_of", "default_in_prose", "defaults_of_others", "documented_states",
    "enum_in_prose", "format_in_prose", "policy_clues",
        "range_in_prose",
    "response_fields", "sentences",
]  # fmt: skip
