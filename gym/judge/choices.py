"""Enumerated words that the user says in place of another: `cash` where the task says `credit card`.

Invariant: only words that a tool's schema enumerates beside a known value count, and only where that value is asked
for, named or part of the wish that is told. Not covered: enumerations of tools that are not documented.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from autoforge.gym.judge.asking import is_named
from autoforge.gym.judge.brief import Known
from autoforge.gym.judge.case import Dispute, Finding, bare
from autoforge.gym.judge.exchanges import Exchange
from autoforge.gym.judge.language import stem
from autoforge.gym.judge.sentences import Sentence

__all__ = ["choice_errors", "others_of"]


def choice_errors(dispute: Dispute, beside: Collection[tuple[int, int]]) -> Iterator[Finding]:
    """Each once, in order."""
    seen = set[str]()
    for known in dispute.brief.known:
        others = others_of(known, dispute)
        for exchange in dispute.exchanges if others else ():
            for sentence in exchange.sentences:
                if (exchange.number, sentence.start) in beside or dispute.says(known, exchange.number):
                    continue
                word = _said_instead(dispute, exchange, sentence, known, others)
                if word is not None and word not in seen:
                    seen.add(word)
                    words = f"{known.name} is {known.value!r}, and the user said {word!r}"
                    touches: Any = "required" if known.needed else "nothing"
                    yield Finding(dispute.judgement("altered", exchange, sentence.said, touches, words), known)


def others_of(known: Known, dispute: Dispute) -> list[str]:
    """What could stand in place of an enumerated value."""
    found: list[str] = []
    for tool in dispute.tools:
        for values in _enumerations(tool.get("inputSchema") or {}):
            if known.value in values:
                found += [v for v in values if isinstance(v, str) and v != known.value and v not in found]
    return found


def _enumerations(schema: Mapping[str, Any]) -> Iterator[list[Any]]:
    if isinstance(schema.get("enum"), list):
        yield schema["enum"]
    for inner in [*(schema.get("properties") or {}).values(), schema.get("items"), *schema.get("anyOf", ())]:
        if isinstance(inner, Mapping):
            yield from _enumerations(inner)


def _said_instead(
    dispute: Dispute, exchange: Exchange, sentence: Sentence, known: Known, others: list[str]
) -> str | None:
    text = bare(sentence.said)
    heard = dispute.heard_text[exchange.number]
    for other in others:
        word = bare(other)
        if stem(word.strip(), dispute.lexicon.code) in dispute.lexicon.empty:
            continue
        strange = word in text and word not in dispute.brief.text and word not in heard
        if strange and _is_about(dispute, exchange, sentence, known, word):
            return other
    return None


def _is_about(dispute: Dispute, exchange: Exchange, sentence: Sentence, known: Known, word: str) -> bool:
    if not known.bound and is_named(dispute, known, exchange.heard_sentences) and len(exchange.said) < 120:
        return True
    code = dispute.lexicon.code
    stems = [stem(w.text, code) for w in sentence.words]
    if known.words and all(w in stems for w in known.words):
        return True
    wish, share = dispute.nearest(sentence)
    return (
        wish is not None
        and share > 0.5
        and any(phrase in bare(wish.sentence.said) for phrase in dispute.phrases(known))
    )
