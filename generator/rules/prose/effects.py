"""Side effects that a description states: a new state, a counter that moves, an initial value.

Invariant: the target is a status, or a column that reads as a quantity; other verbs of change are the tool's own act,
not told here. Not covered: what must hold before (`conditions`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from autoforge.generator.rules.prose.clue import Clue
from autoforge.generator.rules.prose.numbers import number_in
from autoforge.generator.rules.prose.phrases import Phrase, noun, phrase, restrictions
from autoforge.generator.rules.prose.sentences import unquote
from autoforge.generator.rules.prose.setting_clauses import opens
from autoforge.generator.rules.prose.states import is_state, states_in
from autoforge.generator.rules.words import ascii_word
from autoforge.generator.vocabulary import word_set

__all__ = ["effects_in"]

_Row = tuple[str, str, tuple[Any, ...]]
_STATUS = word_set("status state estado statut zustand stato")
_QUANTITY = re.compile(
    r"\b(?:balance|stock|inventory|points?|total|quantity|count|counter|credits?|amount|amounts|units|saldo|"
    r"existencias|puntos|bestand|guthaben|solde|estoque)\b|[a-z]_?(?:[Cc]ount|[Pp]aid|[Tt]otal|[Pp]oints|[Bb]alance|"
    r"[Qq]uantity)\b",
)
_DOWN = re.compile(
    r"^(?:goes? down|decre|reduc|lower|takes?|taken|deduct|subtract|disminuye|sinkt|diminue|"
    r"«be» (?:taken|deducted|reduced|decreased|subtracted))",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\s*,?\s*(?:«and»|«or») (?=(?:the|its|their|el|la|su|sets?|adds?|takes?|marks?|\S+ (?:goes|"
    r"increases|decreases|aumenta|disminuye)|der|die|das|le|o|il|la fecha)\b)|, (?=sets?\b|adds?\b|marks?\b)"
)
_CASE = re.compile(
    r"(?:«(?:if|unless|after|before|only|not)»|(?:after|upon|for|on|in|at|as|by|without|during|to|until|unlike|instead|"
    r"rather|since|para|por|en|tras|sin|fuer|für|nach|bei|ohne|pour|apr[eè]s|sans|depois|sem|dopo|per|senza)\b)",
    re.IGNORECASE,
)
"""How a sentence begins whose acts come before a comma, in some cases or never."""
_DOING = re.compile(r"(?!during\b|following\b)[a-z]{3,}ing (?!to\b)[^,]*$")
_S, _X = r"(?P<subject>[^«,]+?)", r"(?P<state>⟦[^⟧]+⟧|[\w-]+(?: [\w-]+)?)"


def effects_in(text: str, message: str) -> list[Clue]:
    """Side effects of one segment in the pivot language."""
    found: list[Clue] = []
    in_some_case = bool(_CASE.match(text))
    for number, part in enumerate(_PARTS.split(text)):
        for pattern, read in _FRAMES:
            match = pattern.match(part.strip(" ,"))
            rows = list(read(match)) if match is not None and _is_own_act(match, in_some_case and number > 0) else []
            found += [Clue("side_effect", subject, field, values, message) for subject, field, values in rows]
            if rows:
                break
    return found


def _is_own_act(match: re.Match[str], in_some_case: bool) -> bool:
    """Whether the tool, or what it does (`returning a loan marks …`), is the subject; not a clerk, nor another tool."""
    groups = match.groupdict()
    if "lead" not in groups:
        return True
    lead = groups["lead"] or ""
    plain = re.sub(r"[^\W\d_]+", lambda m: ascii_word(m.group()).lower(), lead)
    own = bool(_DOING.match(plain)) or opens(plain, "setting" in match.group(), "", frozenset())
    return own and not in_some_case


def _state_of(text: str) -> str | None:
    states = states_in(re.sub(r"\s+(?:again|too|until .*|also|y .*|todo)$", "", text.strip()))
    return states[0] if len(states) == 1 else None


def _target(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The row whose status moves, and the states it moves from (`A ⟦pending⟧ reservation`)."""
    if len(found := restrictions(text)) == 1 and "«be»" in found[0]:
        what, before = found[0].split(" «be» ")
        name = noun(re.sub(r"\s*,?\s*«instatus».*$", "", what))
        return (name, states_in(before)) if name else None
    about = phrase(text)
    if about is None:
        return None
    return (about.owner if about.head in _STATUS else re.sub(r" (?:status|state|estado)$", "", about.head)), ()


def _becomes(match: re.Match[str]) -> Iterator[_Row]:
    state, target = _state_of(match["state"]), _target(match["subject"])
    if state is not None and target is not None:
        yield target[0], "status", (state, *target[1])


def _set_status(match: re.Match[str]) -> Iterator[_Row]:
    state = _state_of(match["state"])
    about = noun(match.groupdict().get("subject") or "")
    if state is not None and about is not None:
        yield about, "status", (state,)


def _initial(match: re.Match[str]) -> Iterator[_Row]:
    state = is_state(match["state"])
    if state is not None:
        yield "", "status", (state,)


def _starts_with(match: re.Match[str]) -> Iterator[_Row]:
    for field, value in re.findall(r"(?:an? )?⟦?([\w ]+?)⟧? of ([\d.,]*\d)", match["what"]):
        name, number = noun(re.sub(r"^(?:«and» )?(?:an? )?", "", field)), number_in(value)
        if name and number is not None:
            yield "", name, (number,)


def _moves(match: re.Match[str]) -> Iterator[_Row]:
    about = phrase(match["target"])
    if about is None or not (_QUANTITY.search(match["target"]) or match.groupdict().get("by")):
        return
    direction = "decrease" if _DOWN.match(match["move"].strip()) else "increase"
    amount = match.groupdict().get("by") or ""
    amount = "" if "«" in amount else amount
    amount = {"one": "1", "two": "2"}.get(amount.lower(), amount)
    by: Any = number_in(amount) if re.fullmatch(r"[\d.,]*\d", amount) else (noun(amount) or "")
    yield about.owner, about.head, (direction, "" if by is None else by)


def _adds(match: re.Match[str]) -> Iterator[_Row]:
    if not _QUANTITY.search(unquote(match["target"])):
        return
    about: Phrase | None = phrase(match["target"])
    what = noun(match["what"])
    if about is not None and what is not None:
        down = re.match(r"takes?|deducts?|subtracts?|withdraws?|resta|removes?", match["move"], re.IGNORECASE)
        yield about.owner, about.head, ("decrease" if down else "increase", "" if what in ("fund", "money") else what)


def _releases(match: re.Match[str]) -> Iterator[_Row]:
    yield "", "stock", ("decrease" if match["move"].lower().startswith(("reserve", "deduct")) else "increase", "")


def _copies(match: re.Match[str]) -> Iterator[_Row]:
    source, field = noun(match["what"]), noun(match["target"])
    if source and field:
        yield "", field, ("copy", source)


_UP = (
    r"(?:(?:goes|go) (?:up|down)|(?:increases?|decreases?)|«be» (?:increased|decreased|reduced|incremented)|aumenta|"
    r"disminuye|steigt|sinkt|augmente|diminue|erhöht sich)"
)
_TABLE: tuple[tuple[str, Callable[[re.Match[str]], Iterator[_Row]]], ...] = (
    (rf"^{_S} «become» (?:«instatus» )?{_X}$", _becomes),
    (rf"^(?P<lead>[^«]*?\b)?(?:sets?|setting|establece|setzt) (?:(?:its|their|the|su|el|den|seinen) )?(?:status|state|"
     rf"estado|zustand)(?: (?:of|de|del|der|des) (?P<subject>[^«]+?))? (?:back )?(?:to|a|como|auf) {_X}$", _set_status),
    (rf"^(?:(?:the|its|their|el|su) )?(?:status|state|estado)(?: (?:of|del?|der) (?P<subject>[^«]+?))? (?:«be» set|"
     rf"«be» changed|changes) to {_X}$", _set_status),
    (rf"^(?:the|its|el|su) (?:status|state|estado) (?:of|del?) (?P<subject>[^«]+?) (?:back )?(?:to|a) {_X}$",
     _set_status),
    (rf"^(?!.* of (?:kind|type) )(?P<lead>[^«]*?\b)?(?:sets?|puts?|moves?|returns?) (?P<subject>(?:the|a|an|"
     rf"its) [^«]+?(?: «instatus» ⟦[^⟧]+⟧)?) (?:back )?(?:to|in|into) (?:the )?(?:«instatus» |status |state )?{_X}$",
     _becomes),
    (rf"^(?P<lead>[^«]*?\b)?marks? (?P<subject>[^«]+?) as {_X}$", _becomes),
    (rf"^(?P<subject>[^«]+?) «be» marked as {_X}$", _becomes),
    (rf"^[^«]+?, «instatus» {_X}$", _initial),
    (rf"^(?:the |a |el |la )?(?:new |nuev[oa] )?[^«,]+? (?:«have» the status|«instatus»|starts?(?: off)?(?: as|"
     rf" «instatus»| in)) {_X}(?: (?:until|«and»|«if») .*)?$", _initial),
    (rf"^(?:the |a |an )new [^«,]+? «be» (?!returned\b){_X}(?: (?:until|«and»|«if») .*)?$", _initial),
    (r"^(?:it|they|the new [^«,]+|a new [^«,]+) starts? with (?P<what>.+)$", _starts_with),
    (rf"^(?P<target>[^«]+?) (?P<move>{_UP})(?: (?:by|um|en|de|em) (?P<by>[^«]+|«same» \w+))?$", _moves),
    (r"^(?:[^«]*?\b)?(?P<move>increases?|decreases?|reduces?|increments?|decrements?|lowers?) (?P<target>(?:the|its|"
     r"their|each) [^«]+?) by (?!\w+ing\b|[^«]*percent)(?P<by>[^«]+)$", _moves),
    (r"^(?:the )?(?P<by>[^«]+?) (?P<move>«be» (?:taken from|deducted from|added to|credited to|returned to|"
     r"subtracted from)) (?P<target>[^«]+)$", _moves),
    (r"^(?:[^«]*?\b)?(?P<move>adds?|credits?) (?P<what>[^«]+?) (?:back )?to (?P<target>[^«]+)$", _adds),
    (r"^(?:[^«]*?\b)?(?P<move>takes?|deducts?|subtracts?|withdraws?|removes?) (?P<what>[^«]+?) (?:off|"
     r"from) (?P<target>[^«]+)$", _adds),
    (r"^(?:[^«]*?\b)?(?P<move>releases?|restores?|reserves?|replenishes|returns?) (?:the |any )?(?:reserved |ordered |"
     r"booked )?(?:stock|inventory|units|items to stock|quantity)\b[^«]*$", _releases),
    (r"^(?:the )?(?P<what>[^«]+?) «be» (?:kept|stored|recorded|saved) as (?P<target>[^«]+)$", _copies),
)  # fmt: skip
_FRAMES = tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in _TABLE)
