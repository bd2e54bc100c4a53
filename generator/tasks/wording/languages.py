"""The languages of instructions.

Invariant: a language that is not here is worded in English. Not covered: the languages of documentation
(`generator.rules.prose.languages`).
"""

from __future__ import annotations

from autoforge.generator.tasks.wording.english import ENGLISH
from autoforge.generator.tasks.wording.german import GERMAN
from autoforge.generator.tasks.wording.grammar import Grammar
from autoforge.generator.tasks.wording.spanish import SPANISH
from autoforge.mcp_envs.errors import BadInput

__all__ = ["LANGUAGES", "grammar_of"]

LANGUAGES: dict[str, Grammar] = {g.code: g for g in (ENGLISH, SPANISH, GERMAN)}
_READ = frozenset({"fr", "pt", "it"})
"""Languages that documentation is read in, but instructions are not written in."""


def grammar_of(code: str) -> Grammar:
    """The grammar of a language by its code. Raises BadInput for a code that no instruction is written in."""
    if code in LANGUAGES:
        return LANGUAGES[code]
    if code in _READ:
        return ENGLISH
    known = ", ".join(LANGUAGES)
    raise BadInput(f"no instruction can be written in the language {code!r}; give --language auto or one of {known}.")
