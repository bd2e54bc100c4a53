"""Whether a bound that a list is narrowed by counts itself: `Only units that expire before this date`.

Invariant: strict only where the words say, of the rows that come, before, after, more or less than *this*; `on or
before`, `since`, `up to` and silence count it. Not covered: which column a bound is about (`read_roles`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import Comparison
from autoforge.generator.rules.role_words import AFTER, BEFORE
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.words import ascii_word, snake

__all__ = ["SIDE", "bound_of", "verb_stem"]

_THIS = (
    r"(?:this|that|the (?:given|specified|provided)|est[ea]|esa|ese|dies(?:em|en|er)|ce(?:t|tte)?|dest[ea]|quest[oa]|"
    r"la fecha|der angegebenen|dem angegebenen)(?: "
    r"(?!(?:is|are|was|has|gets|user|account|tool|field|cursor)\b)\w+){0,2}"
    r"(?= in\b| at\b| \(|[.,;:)]|$)"
)
_STRICT = {
    "low": re.compile(
        rf"\b(?:after|later than|(?:more|greater|higher|larger) than|above|despues de|posterior a|nach|apres|"
        rf"posterieure? a|depois(?: de)?|dopo) {_THIS}"
    ),
    "high": re.compile(
        rf"\b(?:before|earlier than|(?:less|lower|fewer|smaller) than|below|prior to|antes(?: de)?|anterior a|vor|"
        rf"avant|anterieure? a|prima di) {_THIS}"
    ),
}
_COUNTED = re.compile(
    r"\b(?:inclusive(?:ly)?|on or|at or|or (?:equal|on|at)|not? (?:later|earlier|more|less|greater|higher|lower|fewer|"
    r"before|after)|(?:do|does|must|can|is|are) not|never|ignored?|excludes?|hides?|"
    r"skips?|inclusiv[eoa]|inclu[is][eod]?[oas]*|einschliesslich|o igual|oder gleich|ou egal|ou igual|"
    r"o uguale|compris)\b"
)
SIDE = re.compile(rf"_(?:(?P<high>by|{BEFORE})|(?P<low>{AFTER}))$")
"""The end of a name that says on which side of a moment rows lie."""


def bound_of(role: Role) -> Comparison:
    """How the column of a range compares with the parameter."""
    said = re.sub(r"[^\W\d_]+", lambda m: ascii_word(m.group()).lower(), role.description)
    pattern = _STRICT["low" if role.role == "low" else "high"]
    strict = pattern.search(said) is not None and not _COUNTED.search(said)
    if role.role == "low":
        return "greater" if strict else "greater_equal"
    return "less" if strict else "less_equal"


def verb_stem(name: str) -> str:
    """What happens before or after the moment: `ending_before` → end, `expires_after` → expir, `started_since` → start;
    "" where the name does not say.
    """
    word = SIDE.sub("", snake(name))
    if word == snake(name) or "_" in word:
        return ""
    return re.sub(r"(?:ing|ed|es|s|e|t|en)$", "", word) if len(word) > 4 else word
