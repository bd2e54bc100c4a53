"""A tool's description, and those of its parameters, → clues.

Invariant: each clue is told once, in the order of the text. A sentence about what happens *after* the tool (`cancelled
orders cannot be restored` in a cancelling tool) is no precondition of it. Not covered: making code of the clues
(`preconditions`, `effects`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from autoforge.generator.rules.prose.clue import Clue
from autoforge.generator.rules.prose.conditions import clues_in
from autoforge.generator.rules.prose.defaults import MISSING, default_in_prose
from autoforge.generator.rules.prose.demands import Demand, demands
from autoforge.generator.rules.prose.effects import effects_in
from autoforge.generator.rules.prose.languages import language_of, pivot
from autoforge.generator.rules.prose.numbers import range_in_prose
from autoforge.generator.rules.prose.phrases import is_plural
from autoforge.generator.rules.prose.sections import without_sections
from autoforge.generator.rules.prose.sentences import LONGEST, arguments_section, segments, sentences
from autoforge.generator.rules.verbs import STATES, verb_in_prose
from autoforge.generator.rules.words import singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["clues_of", "demands_of", "once"]

_NOT_ASKED = re.compile(
    r"^(?:use|call|invoke|you can use|this tool can be used|can be used|useful|note that you|see|if (?:provided|"
    r"specified|omitted|given|not (?:provided|specified|given))|optional(?:ly)?|"
    r"úsa|usa |utiliza|verwende|utilisez)\b(?! (?:fails?|only))|\bthe user (?:wants|asks|explicitly|requests|needs|"
    r"says|provides)|\bby default\b|\bif (?:provided|specified|omitted|given|supplied)\b",
    re.IGNORECASE,
)
_CURRENT_USER = re.compile(
    r"\b(?:for|of|by|to|as) the (?:current(?:ly)?(?: (?:authenticated|logged[- ]in|signed[- ]in))?|authenticated|"
    r"logged[- ]in|signed[- ]in) user\b|\bthe authenticated user['\u2019]s\b|\bthe current user['\u2019]s\b|"
    r"\b(?:the|current) (?:current(?:ly)? )?(?:authenticated|logged[- ]in) user\b|"
    r"\buser who is (?:currently )?(?:logged|signed) in\b|"
    r"\blog(?:s|ged)? out (?:the )?current\b|\bevery other tool except\b.*\bneeds? a session\b|\b(?:del|"
    r"al) usuario (?:actual|autenticado|conectado)\b|\bdes (?:aktuellen|angemeldeten) benutzers\b|"
    r"\bde l['\u2019]utilisateur (?:actuel|connecté|courant)\b|\bdo usuário (?:atual|autenticado|logado)\b|"
    r"\bdell['\u2019]utente (?:corrente|autenticato)\b",
    re.IGNORECASE,
)
_LOGIN_TOOL = re.compile(
    r"\blog(?:s|ging)? (?:a user )?in\b(?! user)|\blogin\b|\bwhether (?:a|the) user is logged\b|"
    r"\bauthenticates? (?:a|the) user\b|\bstarts? a session\b|"
    r"\bsign(?:s)? (?:a user )?in\b(?! user)|\bauthenticate\b",
    re.I,
)
_LOGOUT_TOOL = re.compile(r"\blog(?:s|ged)? ?out\b", re.IGNORECASE)
_ONLY_USER = re.compile(
    r"\b(?:only be|done|used|called) (?:done |used |called )?by (?:the |a )?(?:logged[- ]in|"
    r"authenticated) user\b|\b(?:requires?|needs?) (?:a )?(?:session|login|authentication|"
    r"the user to be logged in)\b",
    re.I,
)
_MAX_ITEMS = re.compile(
    r"\b(?:up to|at most|a maximum of|maximum of|no more than|hasta|como máximo|bis zu|höchstens|jusqu['\u2019]à|até|"
    r"fino a) (?P<count>\d{1,9}|ten|five) (?P<what>[^\W\d_]+)\b(?! ?(?:characters|mb|kb|gb|bytes|times))",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"\b(?:updates?|creates?|deletes?|adds?|sends?|accepts?|takes?|upload(?:s|ed)?|(?:creat|updat|"
    r"delet|add|insert|remov)ed|sent|removes?|inserts?|crea|actualiza|elimina|"
    r"per (?:request|call))\b",
    re.IGNORECASE,
)
_NO_ITEM = word_set(
    "character characters char chars mb kb gb bytes byte times digits percent days hours minutes seconds nights "
    "guests years weeks months units caracteres zeichen tage días veces kg km words letters decimal decimals levels "
    "euros dollars eur usd"
)
_NOT_TAKEN = re.compile(r"\b(?:can|may) have\b|\bper (?!request|call)\w+", re.IGNORECASE)
_MOMENT = re.compile(r"^(?:an? |una? |eine? |une )?(future|past) (?:date|time|datetime|timestamp)\b", re.IGNORECASE)
_CONSEQUENCES = word_set("undo restore recover revert reverse undone reactivate retrieve")
_FOR_PARAMETERS = word_set(
    "unique exists order future past range not_self balance stock owner requires forbids status_in status_not_in"
)
_COUNTED = re.compile(
    r"^(?:the )?(?:max(?:imum)?|number|how many|count|limit|amount|page|cantidad|número|anzahl|"
    r"nombre)\b",
    re.IGNORECASE,
)


def clues_of(description: str, *, schema_texts: Mapping[str, str] = {}) -> list[Clue]:
    """The clues of one tool; `schema_texts` maps parameter names to descriptions, whose clues have `field` = name."""
    code = language_of(" ".join([description, *schema_texts.values()]))
    texts = {**arguments_section(description), **schema_texts}
    found = list(_of_description(description, code))
    for name, text in texts.items():
        found += _of_parameter(name, text, code)
    return once([clue._replace(verbs=()) for clue in found])


def once(clues: list[Clue]) -> list[Clue]:
    """Each demand once, in any spelling of its words; a balance with an amount makes one without it redundant."""
    kept: dict[tuple[object, ...], Clue] = {}
    exact = {clue.kind for clue in clues if clue.kind == "balance" and clue.values}
    for clue in clues:
        if clue.kind in exact and not clue.values:
            continue
        values = tuple(_words(v) if isinstance(v, str) else v for v in clue.values)
        key = (clue.kind, clue.subject, _words(clue.field), values, clue.verbs)
        kept.setdefault(key, clue)
    return list(kept.values())


def _words(name: str) -> str:
    return " ".join(split_words(name))


def _of_description(description: str, code: str) -> Iterator[Clue]:
    entries = arguments_section(description)
    main = verb_in_prose(description)
    logs_in = _LOGIN_TOOL.search(description) is not None and not _LOGOUT_TOOL.search(description)
    acts = set(sentences(without_sections(description, notes=True)))
    for sentence in sentences(description):
        if any(sentence.startswith((f"{name}:", f"{name} (")) for name in entries):
            continue
        if not logs_in:
            yield from _sessions(sentence)
        if not _NOT_ASKED.search(sentence):
            told = [c for c in demands_of(sentence, code) if not _after_the_fact(c, main.word if main else "")]
            yield from (c for c in told if sentence in acts or (c.kind, c.field) != ("side_effect", "status"))
        yield from _many(sentence)


def demands_of(sentence: str, code: str) -> Iterator[Clue]:
    """Clues and side effects of one sentence; verbs are kept."""
    if len(sentence) > LONGEST:
        return
    for segment in segments(sentence):
        text = pivot(segment, code)
        for part in _coordinated(text):
            for demand in demands(part):
                yield from clues_in(demand, _message(segment, text, demand, code))
        yield from effects_in(text, _sentence(segment))


def _coordinated(text: str) -> list[str]:
    """`Only X can be V, «and» it can be V …`: two sentences in one."""
    more = re.split(r",? «and» (?=«only» «if»)", text)
    if len(more) > 1:
        return more  # `only for confirmed ones, and only while …`
    parts = re.split(r", «and» (?=[^«]+«(?:can|cannot)»)", text)
    return parts if all("«can" in p for p in parts) else [text]


_IF = re.compile(
    r",?\s*(?:\b(?:or|and|o|y|oder|und|ou|et|e)\s+)?(?:with \d+ )?\b(?:if|when|while|si|cuando|wenn|"
    r"falls|lorsque|quand|se|quando|caso)\s+",
    re.IGNORECASE,
)


def _message(segment: str, text: str, demand: Demand, code: str) -> str:
    """The sentence; of `fails if A, or if B` the part that is meant."""
    if "«fail»" not in text or "«if»" not in text:
        return _sentence(segment)
    plain = _plain_words(demand.condition)
    if code == "en":
        return _sentence(plain if "«" not in plain else segment)
    parts = _IF.split(segment)[1:]
    words = set(re.sub(r"«[^»]*»", "", demand.condition).split())
    return _sentence(max(parts, key=lambda part: len(words & set(part.split())), default=segment))


_PLAIN = {"«not» «exist»": "does not exist", "«already» «exist»": "already exists", "«exist»": "exists", "«not» "
    "«belong»": "does not belong to",
          "«already» «belong»": "already belongs to", "«already» «be»": "is already", "«not» «be»": "is not", "«be»":
              "is", "«already» «have»": "already has",
          "«not» «have»": "does not have", "«have»": "has", "«same»": "the same", "«or»": "or", "«and»": "and",
              "«insufficient»": "insufficient",
          "«already» «session»": "is already logged in", "«not» «session»": "is not logged in", "«session»": "is "
              "logged in",
          "«less»": "below", "«more»": "more than", "«after»": "after", "«before»": "before"}  # fmt: skip


def _plain_words(text: str) -> str:
    verb = re.search(r"«(?:not» «)?be»|«already»", text)
    if (
        verb is not None
        and is_plural(text[: verb.start()].strip())
        and not text.lower().startswith(("one ", "each ", "any "))
    ):
        text = text.replace("«already» «be»", "are already").replace("«not» «be»", "are not").replace("«be»", "are")
    text = re.sub(r"^«already» «exist» (?:an? )?(.+)$", r"there is already another \1", text)
    for token, words in _PLAIN.items():
        text = text.replace(token, words)
    return text.replace("⟦", "").replace("⟧", "").replace("\u02bc", " ")


def _sentence(text: str) -> str:
    text = re.sub(r"[`*]", "", text).strip(" .,;:")
    name = re.match(r"\w*(?:_|[a-z][A-Z])", text)  # an identifier keeps its case
    return f"{text if name else text[:1].upper() + text[1:]}." if text else ""


def _after_the_fact(clue: Clue, main: str) -> bool:
    """Whether the demand is about what the tool leaves behind, or a verb that is not its own."""
    if not clue.verbs or clue.kind not in ("status_in", "status_not_in"):
        return False
    verb = clue.verbs[0]
    left_behind = clue.kind == "status_not_in" and STATES.get(main) in clue.values
    return verb != main and (verb in _CONSEQUENCES or left_behind)


def _sessions(sentence: str) -> Iterator[Clue]:
    told = _CURRENT_USER.search(sentence) and not re.search(r"\btrue if|\bfalse if", sentence, re.IGNORECASE)
    if told or _ONLY_USER.search(sentence):
        yield Clue("session", "", "", (), "The user must be logged in.")


def _many(sentence: str) -> Iterator[Clue]:
    """`Update up to 10 records`: how many a call takes, not how many it returns."""
    match = _MAX_ITEMS.search(sentence)
    if match is None or not _is_item(match["what"]) or not _WRITES.search(sentence):
        return
    if not _NOT_TAKEN.search(sentence) and not re.search(r"\breturns?\b", sentence[: match.start()], re.IGNORECASE):
        yield Clue("max_items", _member(match["what"]), "", (_count(match["count"]),), _sentence(sentence))


def _is_item(word: str) -> bool:
    return word.lower().endswith("s") and word.lower() not in _NO_ITEM


def _count(word: str) -> int:
    return {"ten": 10, "five": 5}.get(word.lower()) or int(word)


def _member(word: str) -> str:
    return "id" if word.lower() == "ids" else singular(word.lower())


def _of_parameter(name: str, text: str, code: str) -> Iterator[Clue]:
    for sentence in sentences(text):
        if not re.match(r"^(?:only|solo|nur)\b", sentence, re.IGNORECASE):
            for clue in _parameter_demands(sentence, code):
                yield _about(name, clue)
    yield from _bounds(name, text)
    if (value := default_in_prose(text)) is not MISSING:
        yield Clue("default", "", name, (value,), _sentence(text))


def _bounds(name: str, text: str) -> Iterator[Clue]:
    """A range of the value, or of the number of its members."""
    match, message = _MAX_ITEMS.search(text), _sentence(next(iter(sentences(text)), text))
    if match is not None and _is_item(match["what"]) and not _COUNTED.match(text):
        yield Clue("max_items", _member(match["what"]), name, (_count(match["count"]),), message)
        return
    bounds = range_in_prose(text)
    if bounds != (None, None) and not re.match(r"(?:only|solo|nur) ", text, re.IGNORECASE):
        yield Clue("range", "", name, bounds, message)


def _parameter_demands(sentence: str, code: str) -> Iterator[Clue]:
    if _NOT_ASKED.search(sentence) or len(sentence) > LONGEST:
        return
    for segment in segments(sentence):
        pivoted = pivot(segment, code)
        for demand in demands(pivoted):
            for clue in clues_in(demand, _message(segment, pivoted, demand, code)):
                if clue.kind in _FOR_PARAMETERS and clue.kind != "range":
                    yield clue
        if match := _MOMENT.match(segment):
            yield Clue("future" if match.group(1).lower() == "future" else "past", "", "", (), _sentence(segment))


def _about(name: str, clue: Clue) -> Clue:
    """The clue with the parameter in place of what its sentence left out."""
    words = clue.field
    if clue.kind == "order":
        other = clue.values[0]
        if not words:
            return clue._replace(field=name)
        return clue._replace(values=(name, *clue.values[1:])) if not other else clue
    if clue.kind in ("status_in", "status_not_in"):
        return clue
    if clue.kind == "not_self" and clue.values and words:
        return clue
    return clue._replace(field=name) if clue.kind in ("unique", "future", "past", "not_self", "exists") else clue
