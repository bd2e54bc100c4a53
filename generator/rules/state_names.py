"""Tools whose name is the verb of a documented state: `vacate_hearing` where hearings can be `vacated`.

Invariant: only a tool whose name is that verb and the noun of the row that it takes, whose first sentence is no other
act, and that is not told the state; whoever creates goes on creating. Not covered: states that sentences give
(`outright`), and the verbs whose state is in the lexicon (`verbs`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.prose import sentences
from autoforge.generator.rules.prose.order_words import LISTING
from autoforge.generator.rules.prose.setting_words import DETERMINER
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import READING_VERBS
from autoforge.generator.rules.shapes import properties_of
from autoforge.generator.rules.verbs import Verb, VerbClass, verb_in_prose, verb_of
from autoforge.generator.rules.words import ascii_word, singular, snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["named_state"]

_KEPT = frozenset(
    {VerbClass.STATE, VerbClass.LOGIN, VerbClass.LOGOUT, VerbClass.COMPUTE, VerbClass.CHECK, VerbClass.SEND}
)
_CHANGES = frozenset({VerbClass.STATE, VerbClass.UPDATE, VerbClass.MOVE, VerbClass.SET, VerbClass.TOGGLE})
_TOLD_MORE = frozenset(
    {VerbClass.UPDATE, VerbClass.SET, VerbClass.ADD, VerbClass.REMOVE, VerbClass.TRANSFER, VerbClass.MOVE}
)
_WHY = re.compile(r"reason|note|comment|remark|motiv|grund|raison|nota|anmerkung|coment")
"""What such a tool is given besides the row is what it is about."""
_MAKES = word_set(
    "create new register insert add append clone copy duplicate upload import generate book reserve order request buy "
    "purchase schedule place enroll rent make submit read list delete remove"
)
_DECLARES = word_set(
    "declare mark pronounce make flag set declarar marcar erklaeren markieren declarer marquer dichiarare"
)
_FILLER = word_set(
    "a an the as el la los las un una den die das der eine einen le les une o os um uma il lo de del du des"
)
_OTHER_ACTS = word_set(
    "simulate preview request ask attempt try propose suggest recommend estimate undo revert explain describe whether "
    "returns gives_details previews simulates requests asks attempts tries proposes estimates undoes reverts explains"
)
_OBJECT = re.compile(rf"\S+ (?:(?:back|off|out|up|down) )?{DETERMINER}")
_GIVES_BACK = re.compile(
    r"return (?:a|an|the|one)(?: (?!(?:single|specific|given|matching|full|current|new|next|first|last)\b)[a-z]+)?"
    r" [a-z]+(?: (?:back|early|late))?(?: to (?:the|its) [a-z]+)?|"
    r"returns (?:a|an|the) (?:(?:borrowed|rented|lent|loaned|hired) [a-z]+|[a-z]+ (?:back|to (?:the|its) [a-z]+))"
)
_OPENS = re.compile(
    r"opens? (?:a|an|the|one) (?!(?:issue|ticket|case|documents?|file|message|email|thread|conversation|page|record|"
    r"note|report|link|folder|project|item|entry|task|chat|channel)\b)[a-z]+"
)
"""To open these is to look at them."""
_ENDING = re.compile(r"(?:ieren|en|n|ar|er|ir|are|ere|ire|re|e)$")


def named_state(reading: Reading) -> Verb | None:
    """The verb of state that a tool's name is, by the states that the documentation lists; None where it is none."""
    words = [ascii_word(w) for w in split_words(reading.tool.original_name)]
    if len(words) < 2 or not _may_change(reading, words) or (noun := _noun_of_row(reading)) is None:
        return None
    said = _first_sentence(reading)
    if "_".join([*words[1:], words[0]]) in reading.states and _is_act(said, words[0]):
        return Verb(words[0], VerbClass.STATE, words[0])  # `open_vents` where zones have `vents_open`
    for word, others in ((words[0], words[1:]), (words[-1], words[:-1])):
        if word in _DECLARES and others[-1] in reading.states and _is_noun(others[:-1], reading, noun):
            return Verb(others[-1], VerbClass.STATE, others[-1]) if _is_act(said, word) else None  # `declare_dead`
        state = next((s for s in sorted(reading.states) if _brings_about(word, s)), None)
        if state is not None and _is_noun(others, reading, noun) and not _is_given(reading, state):
            return Verb(word, VerbClass.STATE, snake(state)) if _is_told(said, word) else None
    return None


def _may_change(reading: Reading, words: list[str]) -> bool:
    verb = reading.verb
    if verb.kind in _KEPT or verb.word in _MAKES:
        return False
    known = verb_of(verb.word) is not None and verb.word in words
    if known and verb.kind in READING_VERBS and verb.word not in ("return", "open"):
        return False
    return verb.kind not in _TOLD_MORE or not _told_more(reading, known=verb_of(verb.word) is not None)


def _told_more(reading: Reading, *, known: bool) -> bool:
    """Whether the call gives what such a tool is about, besides the row and why."""
    schema = reading.tool.input_schema
    more = list(properties_of(schema) if known else schema.get("required", []))[1:]
    return any(not _WHY.search(snake(n)) for n in more)


def _noun_of_row(reading: Reading) -> tuple[str, ...] | None:
    """What the id that the call requires first is of; () for a bare `id`, None where it is no id."""
    required = reading.tool.input_schema.get("required", [])
    stem = id_stem(required[0]) if required else None
    return tuple(ascii_word(w) for w in stem) if stem is not None else None


def _is_noun(words: list[str], reading: Reading, noun: tuple[str, ...]) -> bool:
    """Whether words of a name are the row's noun and no more."""
    known = {singular(w) for n in (*noun, *reading.container[-1:]) for w in n.split()}
    said = [singular(w) for w in words if w not in _FILLER]
    return all(w in known for w in said) if noun else len(said) <= 1


def _first_sentence(reading: Reading) -> str:
    """In lower case, without accents."""
    text = next(iter(sentences(reading.tool.description)), "")
    return re.sub(r"[^\W\d_]+", lambda m: ascii_word(m.group()).lower(), text).strip(" .")


def _is_told(plain: str, verb: str) -> bool:
    """Whether the first sentence is the act of that name; `return` and `open` are also said of showing."""
    if verb in ("return", "open") and plain.split(" ")[0] in (verb, f"{verb}s"):
        return (_GIVES_BACK if verb == "return" else _OPENS).fullmatch(plain) is not None
    return _is_act(plain, verb)


def _is_act(plain: str, verb: str) -> bool:
    """Whether the first sentence is no other act: it begins with the name's verb, or with one that changes things."""
    first = plain.split(" ")[0]
    if not plain or (first[:4] == verb[:4] and len(first) > 3):
        return True
    if len(verb) > 5 and verb.endswith("n") and verb.startswith(plain.rsplit(" ", 1)[-1]):
        return True  # `Gibt eine Rezeptur frei`
    if LISTING.match(first) or first in _OTHER_ACTS or _OBJECT.match(plain + " ") is None:
        return False
    other = verb_in_prose(first)
    return other is None or other.kind in _CHANGES


def _is_given(reading: Reading, state: str) -> bool:
    """Whether a parameter chooses among states, this one among them."""
    return any(
        state in (str(v).lower() for v in schema.get("enum", ()))
        for schema in properties_of(reading.tool.input_schema).values()
    )


def _brings_about(verb: str, state: str) -> bool:
    """`discard` → discarded, `freigeben` → freigegeben, `liberar` → liberado."""
    held = ascii_word(snake(state))
    if verb == held:
        return verb == "open"  # `closed_deal` names no act
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
