"""Conversations that the user ends too early or too late.

Too early: wishes were not told, or the agent was asking for a value, for a yes, or about to do what was not done yet,
or an answer was still open of which the agent had said nothing. Too late: everything was done and told, the agent had
said so, and the user says its wishes again, or thanks or says goodbye more than twice. Invariant: where gold was
reached no stop is early; where it was not, saying a wish again is not late. Not covered: conversations that the
agent's limits ended.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from autoforge.gym.judge.asking import asked_for, asks_whether
from autoforge.gym.judge.case import Dispute
from autoforge.gym.judge.exchanges import Exchange
from autoforge.gym.judge.sentences import Sentence
from autoforge.gym.judge.telling import missing_tail, told_wishes
from autoforge.gym.trajectory import Judgement

__all__ = ["early_stops", "late_stops"]

_POLITE = 2
"""Turns of nothing but thanks that are good manners."""


def early_stops(dispute: Dispute) -> Iterator[Judgement]:
    """At most one."""
    if dispute.trajectory.end not in ("stop", "out_of_scope") or not dispute.exchanges or dispute.finished:
        return
    last = dispute.exchanges[-1]
    over = last.done and dispute.answers_told(last.number)
    if (over and not missing_tail(dispute)) or (
        dispute.trajectory.end == "out_of_scope" and not asked_for(dispute, last)
    ):
        return
    reason = _open(dispute, last)
    tail = missing_tail(dispute)
    if reason is not None:
        yield _judged(dispute, last, reason)
    elif tail and not _refused(dispute, last):
        yield dispute.judgement(
            "early_stop",
            last,
            last.said or _heard(last),
            "stop",
            f"the user never told this wish: {tail[0].sentence.said}",
        )
    elif last.done and not dispute.answers_told(last.number) and not _refused(dispute, last):
        names = ", ".join(answer.name for answer in dispute.task.gold.answers)
        yield dispute.judgement(
            "early_stop", last, last.said or _heard(last), "stop", f"the agent had not told: {names}"
        )


def _judged(dispute: Dispute, last: Exchange, reason: Sentence) -> Judgement:
    quote = last.said or reason.said
    return dispute.judgement("early_stop", last, quote, "stop", f"the user stopped when the agent said: {reason.said}")


def _heard(last: Exchange) -> str:
    return last.heard_sentences[-1].said if last.heard_sentences else ""


def _open(dispute: Dispute, last: Exchange) -> Sentence | None:
    """What the agent had asked or announced in its last words."""
    lexicon = dispute.lexicon
    if last.done:
        return None
    for sentence in last.heard_sentences:
        text = dispute.blank(sentence)
        if lexicon.closes.search(text) or lexicon.refuses.search(text):
            continue
        if asks_whether(dispute, sentence) or lexicon.announces.search(text):
            return sentence
        if asked_for(dispute, last, [sentence]):
            return sentence
    return None


def _refused(dispute: Dispute, last: Exchange) -> bool:
    return any(dispute.lexicon.refuses.search(dispute.blank(s)) for s in last.heard_sentences)


def late_stops(dispute: Dispute) -> Iterator[Judgement]:
    """At most one, at the first message that is too much."""
    told = {one.wish.number: one.exchange.number for one in told_wishes(dispute) if one.exchange is not None}
    done = [e for e in dispute.exchanges if e.said.strip() and e.done and dispute.answers_told(e.number)]
    settled = [e for e in done if not _is_open(dispute, e)]
    late = [e for e in settled if _is_empty(dispute, e)]
    again = [e for e in settled if not e.user_calls and not _is_empty(dispute, e) and _is_told_again(dispute, e, told)]
    if len(late) > _POLITE and _adjacent(late):
        e = late[_POLITE]
        yield dispute.judgement("late_stop", e, e.said, "stop", "all was done, and the user went on saying thanks")
    elif len(again) > 1 or (again and late and again[0].number > late[0].number):
        e = again[0]
        yield dispute.judgement("late_stop", e, e.said, "stop", "all was done, and the user said a wish again")


def _is_open(dispute: Dispute, exchange: Exchange) -> bool:
    """Whether the agent had asked something that the user answers."""
    lexicon = dispute.lexicon
    return any(
        (
            asks_whether(dispute, s)
            or lexicon.announces.search(dispute.blank(s))
            or lexicon.asks.search(dispute.blank(s))
        )
        and not lexicon.closes.search(dispute.blank(s))
        for s in exchange.heard_sentences
    )


def _is_empty(dispute: Dispute, exchange: Exchange) -> bool:
    """Nothing but thanks and farewells."""

    stems = [s for sentence in exchange.sentences for s in dispute.stems(sentence)]
    own = {s for wish in dispute.brief.wishes for s in wish.stems}
    return not dispute.items_of(exchange.sentences) and (len([s for s in stems if s in own]) == 0)


def _is_told_again(dispute: Dispute, exchange: Exchange, told: Mapping[int, int]) -> bool:
    """Whether it says a wish that earlier messages told; of wishes that sound alike, all must have been told."""
    return any(
        all(told.get(wish.number, exchange.number) < exchange.number for wish in near)
        for sentence in exchange.sentences
        if dispute.nearest(sentence)[1] > 0.5 and (near := dispute.near(sentence, 0.05))
    )


def _adjacent(found: Sequence[Exchange]) -> bool:
    return all(b.number - a.number <= 2 for a, b in itertools.pairwise(found))
