"""Requests of the user that are no part of the task.

A sentence counts where it asks for something and either most of what it says is nowhere in the instruction, the known
values and what the agent said, or what is to be done has no like in the instruction. Invariant: a wish of the
instruction in other words stays one as long as its nouns or its verb are there. Not covered: requests made of the
instruction's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from autoforge.gym.judge.asking import is_question
from autoforge.gym.judge.brief import Wish
from autoforge.gym.judge.case import Dispute
from autoforge.gym.judge.exchanges import Exchange, reads
from autoforge.gym.judge.language import stem
from autoforge.gym.judge.sentences import Sentence, sentences_of
from autoforge.gym.judge.values import is_alike, is_strange
from autoforge.gym.trajectory import Judgement

__all__ = ["scope_errors"]

_STRANGE = 0.55
"""Share of a request that must be strange."""
_TALK = frozenset(("=tell", "=find", "=decir", "=buscar", "=sagen", "=suchen"))
"""Verbs of any conversation."""
_REPLY = 9
"""Words of a short answer."""


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
    clause = _clause(dispute, sentence)
    if clause is None or _is_reply(dispute, exchange, sentence):
        return False
    stems = dispute.stems(clause)
    own = _own_stems(dispute, exchange)
    strange = [s for s in stems if s not in own]
    foreign = [i for i in dispute.items(sentence) if is_strange(dispute, exchange, sentence, i)]
    _, near = dispute.nearest(clause)
    if len(strange) >= 2 and len(strange) >= _STRANGE * len(stems):
        return True
    if near < 0.6 and any(s.startswith("=") and (len(stems) > 1 or s not in _TALK) for s in strange):
        return True
    if len(foreign) >= 2 and near < 0.8:
        return True
    return bool(foreign) and _is_told_elsewhere(dispute, clause, sentence)


def _is_told_elsewhere(dispute: Dispute, clause: Sentence, sentence: Sentence) -> bool:
    """Whether each wish that a sentence sounds like is told, in as many of its words and with a value of it, by another
    one, and none of its values by this one."""
    near = dispute.near(clause, 0.05)
    others = [s for e in dispute.exchanges for s in e.sentences if s is not sentence]
    return bool(near) and all(_is_better_told(dispute, wish, sentence, others) for wish in near)


def _is_better_told(dispute: Dispute, wish: Wish, sentence: Sentence, others: Sequence[Sentence]) -> bool:
    if not wish.known or any(dispute.says_in(known, sentence) for known in wish.known):
        return False
    own = dispute.explained(wish.stems, dispute.stems(sentence))
    return any(
        dispute.explained(wish.stems, dispute.stems(other)) >= own - 0.05
        and any(dispute.says_in(known, other) for known in wish.known)
        for other in others
    )


def _has_strange(dispute: Dispute, exchange: Exchange, sentence: Sentence) -> bool:
    """Whether a sentence beside such a request has values of the same kind."""
    foreign = [i for i in dispute.items(sentence) if is_strange(dispute, exchange, sentence, i)]
    return bool(foreign) and not any(is_alike(i, own) for i in foreign for own in dispute.brief.items)


def _clause(dispute: Dispute, sentence: Sentence) -> Sentence | None:
    """What follows the words by which something is asked for; the whole where a verb with its object stands first; None
    where nothing is asked for."""
    lexicon, text = dispute.lexicon, dispute.blank(sentence)
    if lexicon.denies.search(text) or lexicon.refuses.search(text):
        return None
    head = text.rfind(":") + 1
    rest = text[head:].lstrip()
    begins = lexicon.imperative.match(rest)
    several = any(pattern.match(rest) for _, pattern in lexicon.phrases)
    if several or (begins is not None and stem(begins[0].split()[0], lexicon.code) not in lexicon.empty):
        return Sentence(sentence.said[head:], sentence.start + head)
    first = [w for w in sentence.words if w.start >= head][:1]
    if first and stem(first[0].text, lexicon.code) in lexicon.verbs and len(dispute.stems(sentence)) > 2:
        return Sentence(sentence.said[head:], sentence.start + head)
    asked = lexicon.requests.search(text)
    if asked is not None:
        rest = sentence.said[asked.end() :]
        lead = len(rest) - len(rest.lstrip(" ,:"))
        part = Sentence(re.split(r"[,;]", rest[lead:])[0], sentence.start + asked.end() + lead)
        return part if dispute.stems(part) else None
    is_question = "?" in text and lexicon.opens.match(text.lstrip("¿ ")) is not None
    return sentence if is_question and len(dispute.stems(sentence)) > 2 else None


def _is_reply(dispute: Dispute, exchange: Exchange, sentence: Sentence) -> bool:
    """Whether it answers what the agent asked: the first sentence, and short."""
    if len(sentence.words) > _REPLY or sentence is not exchange.sentences[0]:
        return False
    return any(is_question(dispute, s) for s in exchange.heard_sentences)


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
