"""Columns that a description sets outright: “Sets the status of a parcel to held”, “its tier becomes gold”, “marks it
as paid”, “turns the lamp off”.

Invariant: the column is documented and can hold the value, the row is the tool's own, and no condition stands before or
after; anything else gives nothing. Not covered: counters that move and what other rows become (`effects`), what must
hold before (`conditions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.generator.rules.prose.sections import without_sections
from autoforge.generator.rules.prose.sentences import LONGEST, arguments_section, quote, segments, sentences, unquote
from autoforge.generator.rules.prose.setting_clauses import ADVERBIAL, closes, is_clause, opens
from autoforge.generator.rules.prose.setting_fields import Row, fields_named, is_status, spellings, truth, value_in
from autoforge.generator.rules.prose.setting_frames import VALUE, WORD, frames, further
from autoforge.generator.rules.prose.setting_words import ASIDE, FROM, HEDGE, LAST, LIT
from autoforge.generator.rules.prose.states import is_state
from autoforge.generator.rules.words import ascii_word, singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["Setting", "settings_in"]


class Setting(NamedTuple):
    """What a description says outright."""

    field: str
    """The property, as documented."""
    value: JsonValue
    message: str
    """The part of the sentence that says so."""
    first: bool
    """Whether it is the first thing that the description says: then it is the tool's act."""


class _Text(NamedTuple):
    """A segment without accents and capitals; quoted words are numbers in brackets."""

    plain: str
    quoted: tuple[str, ...]

    def word(self, text: str) -> tuple[str, bool]:
        """The text as written, and whether it was quoted."""
        token = re.fullmatch(r"⟦(\d+)⟧", text)
        return (self.quoted[int(token.group(1))], True) if token else (text, False)


_ITSELF = word_set("it them this that one item record row given specified es sie ihn lo la le las los ello celui-ci")
_PRONOUN = re.compile(r"(?:it|this|that|which|they|es|dies|esto|cela)\b")
_EFFECT = re.compile(r"(?:side )?effects?|action|summary|purpose|efectos?|wirkung|effets?|efeitos?|effett[oi]")
"""What may stand before a colon besides a clause."""
_CASE = re.compile(
    r"(?:if|when|whenever|unless|except|provided|depending|in case|for|si|cuando|salvo|en caso|wenn|falls|sofern|"
    r"quand|lorsque|sauf|se|quando)\b"
)
_AS_IS = re.compile(r"\b(?:(?:is|are) (?:now|then|afterwards|thereafter)|(?:now|then) is|(?:est|ist) \w+)\b(?! set to)")
_OUTPUT = re.compile(r"(?:returns?|devuelve)\b.*\s(?:as|in|at|como|en)\s")


def settings_in(description: str, row: Row) -> list[Setting]:
    """What the description sets outright: one value a field, and none where two are told."""
    found: dict[str, list[Setting]] = {}
    entries = arguments_section(description)
    first = True
    elsewhere = False
    for sentence in sentences(without_sections(description)):
        if not any(sentence.startswith((f"{name}:", f"{name} (")) for name in entries):
            for setting in _of_sentence(sentence, row, first, elsewhere):
                found.setdefault(setting.field, []).append(setting)
            first = False
        elsewhere = row.names_another(sentence)
        if sentence.endswith(":") and not _leads_on(_folded(sentence[:-1]).plain, row):
            break  # what is listed below it holds in a case, or is no act
    return [told[0] for told in found.values() if all(t.value == told[0].value for t in told)]


def _of_sentence(sentence: str, row: Row, first: bool, elsewhere: bool) -> Iterator[Setting]:
    """Of its segments up to one that is not the tool's; `elsewhere`: the sentence before is about another tool."""
    if len(sentence) > LONGEST:
        return
    parts = segments(sentence)
    asides = re.findall(r"\(([^()]*)\)", sentence)
    if sentence.endswith("?") or any(_CASE.match(part.lower()) for part in [*parts[1:], *asides]):
        return
    for segment in parts:
        plain = _folded(segment).plain
        if row.names_another(segment) or (elsewhere and _PRONOUN.match(plain)):
            return
        told = list(_of_segment(segment, row, first))
        yield from told
        if not told and not _leads_on(plain, row):
            return
        first = False


def _leads_on(plain: str, row: Row) -> bool:
    """Whether what follows a colon or semicolon may be the tool's own act."""
    return plain == row.tool.lower() or bool(_EFFECT.fullmatch(plain)) or is_clause(plain, row.tool, row.nouns)


def _of_segment(segment: str, row: Row, first: bool) -> Iterator[Setting]:
    text = _folded(segment)
    for pattern, acts in frames(spellings(row)):
        for match in pattern.finditer(text.plain):
            lead = text.plain[: match.start()]
            if not _may_set(match, lead, acts, row):
                continue
            told = _chain(match, text, row)
            yield from (Setting(field, value, segment, first and acts and not lead.strip()) for field, value in told)
            if told:
                return


def _may_set(match: re.Match[str], lead: str, acts: bool, row: Row) -> bool:
    """Whether the words are the tool's own, about its own row, and no hedge stands before the value."""
    before = match.string[: match.start("value")]
    if HEDGE.search(before) or _OUTPUT.match(match.group()) or not _is_own(match, row):
        return False
    if not acts and row.reads and _AS_IS.search(match.group()):
        return False
    gerund = acts and match.group().split(" ")[0].endswith("ing")
    return opens(lead if acts else lead and f"{lead}, ", gerund, row.tool, row.nouns)


def _chain(match: re.Match[str], text: _Text, row: Row) -> list[tuple[str, JsonValue]]:
    """The value of a match, and of what is coordinated with it: `sets stage to triage and priority to normal`."""
    said, end = match["value"], match.end()
    rest = LIT.get(said, said) + text.plain[end:] if end > match.end("value") or said in LIT else ""
    rest = rest or text.plain[match.start("value") :]
    groups = match.groupdict()
    named = groups.get("field")
    before = groups.get("before")
    if before is not None and _chosen(before, named, text, row) is None:
        return []
    found: list[tuple[str, JsonValue]] = []
    while True:
        settled = _settled(rest, named, text, row)
        if settled is None:
            return []
        field, value, rest = settled
        found.append((field, value))
        following = further(spellings(row)).match(rest)
        if following is None or not _is_own(following, row):
            return found
        named, rest = following["field"], rest[following.start("value") :]


def _settled(rest: str, named: str | None, text: _Text, row: Row) -> tuple[str, JsonValue, str] | None:
    """Field and value at the beginning of `rest`, the longest that is documented, and what follows it."""
    whole = re.match(VALUE, rest)
    words = whole.group().split(" ") if whole else []
    for size in range(len(words), 0, -1):
        spelled = " ".join(words[:size])
        after = rest[len(spelled) :]
        spelled, after = spelled.rstrip(".,"), spelled[len(spelled.rstrip(".,")) :] + after
        last = LAST.fullmatch(after)
        if last is None or ASIDE.match(last["rest"]):
            continue
        chosen = _chosen(spelled, named, text, row)
        if chosen is not None:
            return (*chosen, last["rest"]) if _is_whole(last["rest"], chosen[0], text, row) else None
    return None


def _is_whole(rest: str, named: str, text: _Text, row: Row) -> bool:
    """Whether nothing after a value makes it one of several, an earlier one, or one in some cases."""
    if further(spellings(row)).match(rest):
        return True
    origin = re.fullmatch(rf"{FROM} (?P<value>⟦\d+⟧|{WORD})", rest)
    if origin is not None:
        return _chosen(origin["value"], named, text, row) is not None
    word = re.match(rf"[,.;]?\s*(?:(?:and|y|und|et|e|then)\s+)*(?P<value>⟦\d+⟧|{WORD})", rest)
    listed = word is not None and _chosen(word["value"], named, text, row) is not None
    return not listed and closes(rest, row.tool, row.nouns)


def _chosen(spelled: str, named: str | None, text: _Text, row: Row) -> tuple[str, JsonValue] | None:
    """The field that is named, or the only one that can hold the value."""
    fields = row.fields
    word, is_quoted = text.word(spelled)
    if named is not None:
        meant = fields_named(text.word(named)[0], fields, row.nouns)
        values = [(f, v) for f in meant if (v := value_in(f, word, is_quoted)) is not None]
        return (values[0][0].name, values[0][1]) if values else None
    choices = [(f.name, v) for f in fields if f.kind == "choice" and (v := value_in(f, word, is_quoted)) is not None]
    status = [c for c in choices if is_status(c[0])]
    flags = [(f.name, v) for f in fields if f.kind == "flag" and (v := truth(f, word)) is not None]
    texts = [(f.name, word) for f in fields if f.kind == "text" and is_status(f.name) and is_state(word) is not None]
    for group in (status, flags, choices, texts):
        if group:
            return group[0] if len(group) == 1 else None
    return None


def _is_own(match: re.Match[str], row: Row) -> bool:
    """Whether a sentence is about the tool's own row: nothing is named, or one of its nouns, whatever its state."""
    groups = match.groupdict()
    for phrase in (groups.get("owner"), groups.get("of")):
        words = [ascii_word(w) for w in split_words(phrase or "") if w not in ("s", "current", "given", "specified")]
        if words and not ({singular(words[-1]), words[-1]} & (row.nouns | _ITSELF)):
            return False
        if any(w in ADVERBIAL - _ITSELF or row.is_state(w) for w in words[:-1]):
            return False
    return True


def _folded(segment: str) -> _Text:
    quoted: list[str] = []

    def number(match: re.Match[str]) -> str:
        quoted.append(unquote(match.group()))
        return f"⟦{len(quoted) - 1}⟧"

    text = re.sub(r"⟦[^⟧]+⟧", number, quote(segment.replace("\u2019", "'")))
    plain = re.sub(r"[^\W\d_]+", lambda m: ascii_word(m.group()).lower(), text)
    return _Text(re.sub(r"\s+", " ", plain).strip(), tuple(quoted))
