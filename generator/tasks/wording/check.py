"""Whether an instruction says what it must and nothing that it must not, whoever worded it.

Invariant: values are compared by type: numbers as numbers, dates in any of their spellings, texts as whole words.
Not covered: whether the instruction is pleasant to read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import JsonValue

from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.model.formulas import numbers_in
from autoforge.generator.tasks.wording.grammar import Grammar
from autoforge.generator.tasks.wording.languages import grammar_of
from autoforge.generator.tasks.wording.values import date_spellings, number_text, spellings
from autoforge.mcp_envs.task import Literally, Reasoning, UserValue, sources_in

__all__ = ["faults"]

_NUMBER = re.compile(r"(?<![\w.,/@#:-])-?\d+(?:[.,]\d+)*(?![\w/@#:]|[.,]\d|-\w)")
_ISO = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_TRIVIAL = 2
"""Numbers up to this size are said in passing: one of two."""


def faults(
    instruction: str,
    draft: Draft,
    derived: Collection[JsonValue],
    cues: Mapping[str, tuple[str, ...]],
    language: str,
) -> list[str]:
    """What is wrong with an instruction, one sentence each; empty where nothing is.

    `derived` holds what tools tell and what reasoning nodes derive, none of which may be said unless the user knows it
    too. `cues` gives, per reasoning node and known value, texts of which one must be in the instruction. Where a known
    value has no cue its own spellings count. Raises BadInput for a language without a grammar.
    """
    grammar = grammar_of(language)
    text = _folded(instruction)
    found = [f"the value {name} ({draft.known[name]!r}) is missing" for name in _needed(draft)
             if not _says(text, draft.known[name], cues.get(name, ()), grammar)]  # fmt: skip
    found += [f"the constraint {_words(draft, id)} is lost: none of {list(cues.get(id, ())[:6])} is there"
              for id in _constraints(draft) if not any(_has(text, cue) for cue in cues.get(id, ()))]  # fmt: skip
    rest = _without(text, _own(draft, grammar, cues))
    found += [f"the value {value!r}, which must be found out, is told" for value in _distinct(derived)
              if _leaks(rest, value, draft, grammar)]  # fmt: skip
    return found + _invented(rest, draft)


def _needed(draft: Draft) -> list[str]:
    """The known values that the blueprint reads."""
    used = {s.user for node in draft.blueprint.nodes for source in node.sources for s in sources_in(source)
            if isinstance(s, UserValue)}  # fmt: skip
    return [name for name in draft.known if name in used]


def _constraints(draft: Draft) -> list[str]:
    return [node.id for node in draft.blueprint.reasons]


def _words(draft: Draft, id: str) -> str:
    node = draft.blueprint.node(id)
    return f"{id} ({node.reason}{f' by {node.by}' if node.by else ''})" if isinstance(node, Reasoning) else id


# Finding values.


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).casefold()


def _has(text: str, part: str) -> bool:
    """Whether a text is there as whole words."""
    part = _folded(part)
    start = r"(?<!\w)" if part[:1].isalnum() else ""
    end = r"(?!\w)" if part[-1:].isalnum() else ""
    return bool(part) and re.search(start + re.escape(part) + end, text) is not None


def _says(text: str, value: Any, cues: Iterable[str], grammar: Grammar) -> bool:
    if isinstance(value, bool) or value is None or value in ("", [], {}):
        return any(_has(text, cue) for cue in cues)
    if isinstance(value, int | float):
        return _says_number(text, value) or (
            isinstance(value, int) and any(_has(text, cue) for cue in cues if not cue[:1].isdigit())
        )
    if isinstance(value, list):
        return all(_says(text, item, cues, grammar) for item in value)
    if isinstance(value, Mapping):
        return all(_says(text, item, cues, grammar) for item in value.values())
    return any(_has(text, spelling) for spelling in spellings(value, grammar))


def _numbers(text: str) -> list[float]:
    """Numbers that stand alone; thousands may be separated."""
    found = []
    for match in _NUMBER.findall(_ISO.sub(" ", text)):
        plain = (
            match.replace(",", "")
            if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", match)
            else match.replace(",", ".")
        )
        if plain.count(".") <= 1:
            found.append(float(plain))
    return found


def _says_number(text: str, value: float) -> bool:
    if any(number == value for number in _numbers(text)):
        return True
    return re.search(rf"(?<![\w.]){re.escape(number_text(value))}(?![\w]|\.\d)", text) is not None


# Finding what must not be there.


def _own(draft: Draft, grammar: Grammar, cues: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Every spelling of what the user may say."""
    values = [*draft.known.values(), *(_literals(draft))]
    texts = [s for value in _flat(values) for s in spellings(value, grammar)]
    texts += [cue for name, known in cues.items() if name in draft.known for cue in known]
    return sorted(set(texts), key=len, reverse=True)


def _literals(draft: Draft) -> list[JsonValue]:
    every = [s for node in draft.blueprint.nodes for source in node.sources for s in sources_in(source)]
    found: list[JsonValue] = [s.literal for s in every if isinstance(s, Literally)]
    found += [n for node in draft.blueprint.reasons for n in numbers_in(node.expression or "0")]
    return found + [node.n for node in draft.blueprint.reasons if node.n is not None]


def _flat(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if isinstance(value, list | tuple):
            found += _flat(value)
        elif isinstance(value, Mapping):
            found += _flat(value.values())
        else:
            found.append(value)
    return found


def _without(text: str, parts: Iterable[str]) -> str:
    for part in parts:
        folded = _folded(part)
        if len(folded) > 1 or folded.isdigit():
            start, end = (
                r"(?<![\w.-])" if folded[:1].isalnum() else "",
                r"(?![\w-]|\.\w)" if folded[-1:].isalnum() else "",
            )
            text = re.sub(start + re.escape(folded) + end, " ", text)
    return text


def _distinct(values: Iterable[JsonValue]) -> list[Any]:
    return list({(type(v).__name__, str(v)): v for v in _flat(values)}.values())


def _leaks(rest: str, value: Any, draft: Draft, grammar: Grammar) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        small = float(value).is_integer() and abs(value) <= _TRIVIAL
        return not small and any(number == value for number in _numbers(rest))
    text = str(value).strip()
    if _common(text):
        return False
    return any(_has(rest, spelling) for spelling in (*date_spellings(text, grammar), text))


def _common(text: str) -> bool:
    """A word or two in lower case (a status, a unit, the name of a field) gives nothing away; nor does a letter."""
    return len(text) < 3 or re.fullmatch(r"[a-zà-ÿ]+(?:[_ -][a-zà-ÿ]+){0,2}", text) is not None


def _invented(rest: str, draft: Draft) -> list[str]:
    """Dates, addresses and numbers that nobody gave."""
    given = {float(v) for v in _flat([*draft.known.values(), *_literals(draft)]) if isinstance(v, int | float)}
    strange = [*_ISO.findall(rest), *_EMAIL.findall(rest)]
    strange += [number_text(n) for n in _numbers(_EMAIL.sub(" ", rest)) if abs(n) > _TRIVIAL and n not in given]
    return [f"{value} is said, but the user knows no such value" for value in dict.fromkeys(strange)]
