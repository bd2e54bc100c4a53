"""Requests of the user that are no part of the task.

A sentence counts where it asks for something and either most of what it says is nowhere in the instruction, the known
values and what the agent said, or what is to be done has no like in the instruction. Invariant: a wish of the instruction
in other words stays one as long as its nouns or its verb are there. Not covered: requests made of the instruction's own words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autoforge.gym.judge.case import Dispute
from autoforge.gym.judge.exchanges import Exchange, reads
from autoforge.gym.judge.language import stem
from autoforge.gym.judge.sentences import Sentence, sentences_of
from autoforge.gym.judge.values import is_alike
from autoforge.gym.trajectory import Judgement

__all__ = ["scope_errors"]

_STRANGE = 0.55
"""Share of a request that must be strange."""
_SUBJECTS = frozenset("i it we that this yo eso es ich das es wir".split())


def scope_errors(dispute: Dispute) -> Iterator[tuple[Sentence, Judgement]]:
    """Each message once, in order, with the sentence."""
    for exchange in dispute.exchanges:
        if dispute.trajectory.end == "transfer" and exchange is dispute.exchanges[-1]:
            continue
        found = [sentence for sentence in exchange.sentences if _is_beside(dispute, exchange, sentence)]
        for sentence in exchange.sentences:
            if sentence in found or (found and _has_strange(dispute, exchange, sentence)):
                words = "the task has no such wish"
                touches = _touched(dispute, exchange)
                yield sentence, dispute.judgement("out_of_scope", exchange, sentence.said, touches, words)


def _is_beside(dispute: Dispute, exchange: Exchange, sentence: Sentence) -> bool:
    lexicon = dispute.lexicon
    stems = [s for s in dispute.stems(sentence)]
    if not stems or not _is_request(dispute, sentence):
        return False
    own = _own_stems(dispute, exchange)
    strange = [s for s in stems if s not in own]
    share = len(strange) / len(stems)
    foreign = [i for i in dispute.items(sentence) if not dispute.brief.owns(i, dispute.heard[exchange.number])]
    _, near = dispute.nearest(sentence)
    if len(strange) >= 2 and share >= _STRANGE:
        return True
    if any(s.startswith("=") for s in strange) and near < 0.6:
        return True
    return len(foreign) >= 2 and (near < 0.8 or _is_told_elsewhere(dispute, exchange, sentence))


def _is_told_elsewhere(dispute: Dispute, exchange: Exchange, sentence: Sentence) -> bool:
    """Whether the wishes that a sentence sounds like have all their values in other messages."""
    return all(
        any(dispute.says(known, other.number) for other in dispute.exchanges if other is not exchange)
        for wish in dispute.near(sentence, 0.05)
        for known in wish.known
    )


def _has_strange(dispute: Dispute, exchange: Exchange, sentence: Sentence) -> bool:
    """Whether a sentence beside such a request has values of the same kind."""
    foreign = [i for i in dispute.items(sentence) if not dispute.brief.owns(i, dispute.heard[exchange.number])]
    return bool(foreign) and not any(is_alike(i, own) for i in foreign for own in dispute.brief.items)


def _is_request(dispute: Dispute, sentence: Sentence) -> bool:
    """Whether something is asked for: by a word for it, or by a verb that stands first."""
    lexicon = dispute.lexicon
    text = dispute.blank(sentence)
    if lexicon.denies.search(text) or lexicon.refuses.search(text):
        return False
    first = next((w for w in (stem(w.text, lexicon.code) for w in sentence.words) if w not in lexicon.empty), "")
    if lexicon.requests.search(text) is not None:
        return True
    head = text[text.rfind(":") + 1 :].strip()
    is_verb = first in lexicon.verbs and sentence.words[0].text not in _SUBJECTS
    begins = lexicon.imperative.match(head)
    return is_verb or (begins is not None and stem(begins[0].split()[0], lexicon.code) not in lexicon.empty)


def _own_stems(dispute: Dispute, exchange: Exchange) -> set[str]:
    lexicon = dispute.lexicon
    said = [s for wish in dispute.brief.sentences for s in dispute.stems(wish)]
    heard = [s for e in dispute.exchanges[: exchange.number + 1] for h in e.heard_sentences for s in dispute.stems(h)]
    known = [stem(w, lexicon.code) for w in dispute.brief.vocabulary]
    persona = [s for p in sentences_of(dispute.task.persona) for s in dispute.stems(p)]
    return {*said, *heard, *known, *persona}


def _touched(dispute: Dispute, exchange: Exchange) -> Any:
    """Whether the agent then changed something that gold does not."""
    gold = {call.tool for call in dispute.task.gold.calls if not reads(call.tool, dispute.tools)}
    made = {name for name, _ in dispute.writes_after(exchange.place)}
    return "compared" if made - gold else "nothing"
