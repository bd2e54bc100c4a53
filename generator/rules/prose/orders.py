"""In which order a list comes, as prose says it: `newest first`, `sorted by name`, `in alphabetical order`.

Invariant: pure functions of the text; only an order that a sentence promises of the list itself, with nothing around it
that is not known to be harmless; two different promises are none. Not covered: which column has the words
(`read_order`), and orders that a parameter chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from autoforge.generator.rules.prose.order_words import (
    BY,
    CASES,
    COMPARED,
    COPULA,
    DATED,
    DOWN,
    FIRST,
    GENERIC,
    LISTING,
    NESTED,
    NEW,
    OLD,
    SOON,
    TAIL,
    THEN,
)
from autoforge.generator.rules.prose.sections import without_sections
from autoforge.generator.rules.prose.sentences import sentences
from autoforge.generator.rules.prose.setting_clauses import ADVERBIAL
from autoforge.generator.rules.verbs import verb_in_prose
from autoforge.generator.rules.words import ascii_word, singular

__all__ = ["Told", "order_in_prose"]

By = Literal["words", "amount", "moment", "made", "time", "name"]


class Told(NamedTuple):
    """One told order."""

    by: By
    """By the column that `words` name (an amount, a moment where that is told), by when rows came to be, by their time,
    by their name."""
    words: str
    descending: bool


_HINT = r"(?:by (?P<hint>[a-z_]+(?: [a-z_]+)?),? )?"
_FROM, _TO = r"(?:from|del?|de la|des|dal|dai|do|da|vom|von der)", r"(?:to|al?|a la|aux?|ao|zum|zur|alla)"
_NOUN = r"(?P<noun>[a-z_]+(?: [a-z_]+)?)"
_MADE = "created|added|placed|posted|sent|made|submitted|registered|uploaded"
_TABLE: tuple[tuple[str, By, bool], ...] = (
    (BY, "words", False),
    (rf"{_HINT}(?:{NEW} {FIRST}|most recently (?:{_MADE}) {FIRST}|prima {NEW})", "made", True),
    (rf"{_HINT}(?:{OLD} {FIRST}|prima {OLD})", "made", False),
    (rf"{_FROM} {NEW} {_TO} {OLD}", "made", True),
    (rf"{_FROM} {OLD} {_TO} {NEW}", "made", False),
    (r"(?:sorted )?(?:in )?(?:reverse|umgekehrt\w*) (?:chronological|chronologisch)\w*(?: order)?|"
     r"(?:en|por|par|em|in) (?:orden|ordre|ordem|ordine) (?:cronologic[oa]|chronologique) invers[aoe]?", "made", True),
    (r"in chronological order|(?:sorted |ordered )?chronologically|chronologisch (?:sortiert|geordnet)|"
     r"(?:en|por|par|em|in) (?:orden|ordre|ordem|ordine) (?:cronologic[oa]|chronologique)", "time", False),
    (rf"{_HINT}{SOON}(?: ones?)? {FIRST}", "time", False),
    (rf"{SOON} {_NOUN} {FIRST}", "moment", False),
    (rf"(?:the )?(?:newest|latest|most recent) {_NOUN} {FIRST}", "moment", True),
    (rf"(?:the )?oldest {_NOUN} {FIRST}", "moment", False),
    (rf"most recently {_NOUN} {FIRST}", "moment", True),
    (rf"(?:the )?(?:highest|largest|greatest|biggest|most) {_NOUN} {FIRST}", "amount", True),
    (rf"(?:the )?(?:lowest|smallest|fewest|least) {_NOUN} {FIRST}", "amount", False),
    (r"in alphabetical order|(?:sorted |ordered |listed )?alphabetically|alphabetisch (?:sortiert|geordnet)|"
     r"(?:en|por|par|em|in) (?:orden|ordre|ordem|ordine) (?:alfabetic[oa]|alphabetique)|"
     r"(?:ordenad[oa]s|ordinat[ei]) alfabeticamente|tri(?:e|ee|es|ees) alphabetiquement", "name", False),
    (rf"(?:those|the ones) that {_NOUN} first {FIRST}", "moment", False),
)  # fmt: skip
_SUPERLATIVES: dict[str, tuple[str, bool]] = {
    "cheapest": ("price", False), "most expensive": ("price", True), "guenstigste": ("price", False),
    "guenstigsten": ("price", False), "strongest": ("strength", True), "heaviest": ("weight", True),
    "lightest": ("weight", False), "longest": ("duration", True), "shortest": ("duration", False),
}  # fmt: skip
_SUPERLATIVE = rf"(?:the |die )?(?P<superlative>{'|'.join(_SUPERLATIVES)}) {FIRST}"
_AHEAD = re.compile(
    rf"(?:the )?(?:(?P<new>newest|latest|most recent)|oldest) (?P<head>[a-z_]+) "
    rf"(?:{COPULA} )?(?:comes? |appears? |listed )?first"
)
_LONG = 400
"""Characters of a sentence that is read."""
_ARRANGES = re.compile(r"(?:sorts?|orders?|arranges?|groups?|ranks?|sortiert|ordena|trie|ordina)$")
_VISIBLE = re.compile(r" (?:that|which) (?:the |a |an )?\w+ (?:can|may|could) \w+(?= ?,)")
_PLACED = re.compile(
    r"^ordered by (?:\w+ )?(?:customer|user|client|guest|member|buyer|person|patient|phone|mail|email|e_mail)s?$"
)
_VAGUE = re.compile(
    r"^(?:default|relevance|given|specified|chosen|sort\w*|order\w*|field|column|key|important)\b|\b(?:or|oder|ou|ids|request|input|given|passed)\b"
)


def order_in_prose(text: str, nouns: frozenset[str] = frozenset()) -> Told | None:
    """The order that a description promises of the list of these nouns, None where it promises none, or several."""
    kept = sentences(without_sections(text, notes=True))
    found = {told for s in kept for told in _told_in(_plain(s), nouns)}
    return found.pop() if len(found) == 1 else None


def _plain(sentence: str) -> str:
    """Without accents, quotation marks of single words and parentheses."""
    text = re.sub(r"[^\W\d_]+", lambda m: ascii_word(m.group()).lower(), sentence.replace("\u2019", "'"))
    text = re.sub(r"([`'\"])(\w+)\1", r"\2", text)
    text = re.sub(r"(?<=[a-z])-(?=[a-z])", "_", re.sub(r"\s*\(([^()]*)\)", r", \1,", text))
    return re.sub(r"\s+", " ", _VISIBLE.sub(" ", text)).replace(" ,", ",").strip(" .!,")


def _told_in(sentence: str, nouns: frozenset[str]) -> Iterator[Told]:
    if len(sentence) > _LONG or CASES.search(sentence) or '"' in sentence or "`" in sentence:
        return
    for part in re.split(r"\s*;\s+|\s+[-\u2013\u2014]\s+", sentence):
        thought = re.sub(r"^(?:(?:sort(?:ing)? )?order|sorting|orden|reihenfolge|ordre|ordem|ordine): ", "", part)
        if (told := _promise(thought.strip(" ,"), nouns)) is not None:
            yield told


def _promise(thought: str, nouns: frozenset[str]) -> Told | None:
    ahead = _AHEAD.fullmatch(thought)
    if ahead is not None and _is_listed(ahead["head"], nouns):
        return Told("made", "", ahead["new"] is not None)
    for pattern, by, down in _rules():
        match = pattern.fullmatch(thought)
        if match is not None and _leads(match["lead"] or "", nouns):
            return _as_told(match, by, down, nouns)
    return None


@cache
def _rules() -> tuple[tuple[re.Pattern[str], By, bool], ...]:
    table = ((_SUPERLATIVE, "amount", False), *_TABLE)
    return tuple(
        (re.compile(rf"(?P<lead>(?:.*?[ ,])??)(?P<order>(?:{p}){TAIL}){THEN}"), by, down) for p, by, down in table
    )


def _as_told(match: re.Match[str], by: By, down: bool, nouns: frozenset[str]) -> Told | None:
    groups, order = match.groupdict(), match["order"]
    if (superlative := groups.get("superlative")) is not None:
        return Told("amount", *_SUPERLATIVES[superlative])
    words = next((groups[g] for g in ("by", "by_name", "nach", "of", "noun", "hint") if groups.get(g)), "")
    if _VAGUE.search(words) or (_PLACED.match(order) and not DOWN.search(order)):
        return None
    if by == "moment" and _is_listed(words, nouns):
        return Told("made", "", down)
    if by != "words":
        return Told(by, words, down)
    kind: By = "moment" if DATED.search(order) else "amount" if COMPARED.search(order) else "words"
    return Told(kind, words, DOWN.search(order) is not None)


def _is_listed(word: str, nouns: frozenset[str]) -> bool:
    return word in GENERIC or singular(word) in nouns


def _leads(lead: str, nouns: frozenset[str]) -> bool:
    """Whether what stands before a promise makes it one of the list."""
    apart, text = lead.endswith((", ", ",")), lead.strip(" ,")
    if text in ("", "by default"):
        return True
    subject = re.fullmatch(
        rf"(?:(?:the|all|its|los|las|die|les|os|as|i|gli|le) )?(?P<subject>[a-z_]+)"
        rf"(?: (?:of|in|for) [^,:]+?)? {COPULA}",
        text,
    )
    if subject is not None:
        return _is_listed(subject["subject"], nouns) or _is_listed(singular(subject["subject"]), nouns)
    words = text.split()
    if ":" in text or any(p.search(text) for p, _, _ in _bare()):
        return False
    if LISTING.match(words[0]):
        return apart or NESTED.search(text) is None
    return _is_noun(words, nouns, apart)


def _is_noun(words: list[str], nouns: frozenset[str], apart: bool) -> bool:
    """`Talks, newest first`; `Talks in chronological order`; `The talks of a day, oldest first`."""
    if words[0] in ("the", "los", "las", "die", "les", "os", "as", "gli"):
        return apart and any(_is_listed(w.strip(","), nouns) for w in words[1:3])
    if (
        words[0] in ADVERBIAL
        or _ARRANGES.match(words[0])
        or verb_in_prose(words[0]) is not None
        or "," in " ".join(words)
    ):
        return False
    return len(words) <= 4 if apart else len(words) == 1 or (len(words) <= 4 and _is_listed(words[-1], nouns))


@cache
def _bare() -> tuple[tuple[re.Pattern[str], By, bool], ...]:
    return tuple((re.compile(rf"\b(?:{p})\b"), by, down) for p, by, down in _TABLE)
