"""Which wishes and values of the instruction the user told, and where; and what it left out.

Each stem that the user says can tell one wish only, so that a wish that sounds like another is missed where it was
said once and wished twice. A last wish that is missing is a stop that came too early (`stops`); one in the middle was
dropped, and so was a value that gold needs, whose wish was told and that nobody asked for. Invariant: nothing is
missing where the user did not end the conversation itself, or where everything was done all the same. Not covered:
what was told otherwise (`values`, `constraints`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from autoforge.gym.judge.brief import Known, Wish
from autoforge.gym.judge.case import Dispute, bare
from autoforge.gym.judge.exchanges import Exchange
from autoforge.gym.judge.items import same, value_items
from autoforge.gym.trajectory import Judgement

__all__ = ["Told", "left_out", "missing_tail", "told_wishes"]

_TOLD = 0.36
"""Share of a wish that must be said for it to count as told."""
_WORDS = 0.6
"""How much its words count for a wish that has values, too."""
_OWN = 0.6
"""What a wish is worth whose own values were told."""
_BARE = 0.7
"""How much they count where none of its values was told."""
_ORDER = 0.2
"""What a message at the other end of the conversation is worth less."""


class Told(NamedTuple):
    """What became of a wish."""

    wish: Wish
    exchange: Exchange | None
    """Where it was told; None where it was not."""


def told_wishes(dispute: Dispute) -> list[Told]:
    """In the order of the instruction. The best pair of a wish and a message comes first, of equal ones that which
    stands
    at the same place of the order."""
    left = _said_once(dispute)
    open_wishes, found = list(dispute.brief.wishes), dict[int, Exchange]()
    while open_wishes and left:
        pairs = [(_score(dispute, w, left[n], n), w, n) for w in open_wishes for n in range(len(left))]
        score, wish, number = max(pairs, key=lambda pair: pair[0])
        if score[1] < _TOLD:
            break
        left[number] -= Counter(wish.stems)
        open_wishes.remove(wish)
        found[wish.number] = dispute.exchanges[number]
    return list(_earliest(dispute, found))


def _earliest(dispute: Dispute, found: dict[int, Exchange]) -> Iterator[Told]:
    """A wish that was said again was told where it was said first, not before the wish that precedes it."""
    least = 0
    for wish in dispute.brief.wishes:
        exchange = found.get(wish.number)
        if exchange is not None:
            shares = [
                _share(dispute, wish, _said(dispute, e), e.number) for e in dispute.exchanges[: exchange.number + 1]
            ]
            first = next(
                n for n, share in enumerate(shares) if n >= min(least, exchange.number) and share >= shares[-1] - 0.02
            )
            exchange = dispute.exchanges[first]
            least = max(least, first)
        yield Told(wish, exchange)


def _said_once(dispute: Dispute) -> list[Counter[str]]:
    """The stems of each message; a sentence that is said again tells no other wish."""
    seen = set[str]()
    wished = Counter(bare(wish.sentence.said) for wish in dispute.brief.wishes)
    twice = {text for text, number in wished.items() if number > 1}
    found = []
    for exchange in dispute.exchanges:
        stems = Counter[str]()
        for sentence in exchange.sentences:
            text = bare(sentence.said)
            if text not in seen or text in twice:
                stems.update(dispute.stems(sentence))
            seen.add(text)
        found.append(stems)
    return found


def _said(dispute: Dispute, exchange: Exchange) -> Counter[str]:
    return Counter(s for sentence in exchange.sentences for s in dispute.stems(sentence))


def _score(dispute: Dispute, wish: Wish, said: Counter[str], number: int) -> tuple[float, float]:
    share = _share(dispute, wish, said, number)
    apart = abs(wish.number / len(dispute.brief.wishes) - number / len(dispute.exchanges))
    return share - _ORDER * apart, share


def _share(dispute: Dispute, wish: Wish, said: Counter[str], number: int) -> float:
    """How much of a wish a message tells; its values may have been told in others."""
    names = {word for known in wish.known for word in known.words}
    bare_stems = [s for s in wish.stems if s not in names]
    words = max(_reached(dispute, wish.stems, said), _reached(dispute, bare_stems, said))
    if not wish.known:
        return words
    if _alone_told(dispute, wish, number):
        return max(words, _OWN)
    values = dispute.told_values(wish, number)
    return max(_BARE * words, _WORDS * words + (1 - _WORDS) * values) if words or not wish.stems else 0.0


def _reached(dispute: Dispute, stems: Sequence[str], said: Counter[str]) -> float:
    """Weighted share of stems that a message has, each as often."""
    weights = dispute.brief.weights
    total = reached = 0.0
    for root, times in Counter(stems).items():
        total += times * weights[root]
        reached += min(times, said[root]) * weights[root]
    return reached / total if total else 0.0


def _alone_told(dispute: Dispute, wish: Wish, number: int) -> bool:
    """Whether a message says values that this wish alone has, and all those were told."""
    own = [k for k in wish.known if sum(k in other.known for other in dispute.brief.wishes) == 1]
    return bool(own) and any(dispute.says(k, number) for k in own) and all(dispute.told(k) for k in own)


def missing_tail(dispute: Dispute) -> list[Wish]:
    """The last wishes, where they were not told."""
    told = told_wishes(dispute)
    last = max((n for n, t in enumerate(told) if t.exchange is not None), default=-1)
    return [t.wish for t in told[last + 1 :] if not t.wish.fallback]


def left_out(dispute: Dispute, withheld: Collection[str], *, stopped: bool) -> Iterator[Judgement]:
    """What was dropped, beside values that were `withheld`; where the user stopped too early (`stopped`), its values
    could
    still have been told."""
    if dispute.trajectory.end != "stop" or not dispute.exchanges:
        return
    told, last = told_wishes(dispute), dispute.exchanges[-1]
    dropped = set[int]()
    over = dispute.finished and dispute.answers_told(last.number)
    for number, one in enumerate(told) if not over else ():
        later = next((t.exchange for t in told[number + 1 :] if t.exchange is not None), None)
        explained = any(known.name in withheld for known in one.wish.known)
        if one.exchange is None and later is not None and not one.wish.fallback and not explained:
            dropped.add(one.wish.number)
            words = f"the user never told this wish: {one.wish.sentence.said}"
            yield dispute.judgement("altered", later, later.sentences[0].said, "required", words)
    if not stopped:
        yield from _dropped_values(dispute, told, dropped, withheld)


def _dropped_values(
    dispute: Dispute, told: list[Told], dropped: set[int], withheld: Collection[str]
) -> Iterator[Judgement]:
    tail = {wish.number for wish in missing_tail(dispute)}
    for known in dispute.brief.known:
        wish = dispute.wish_of(known)
        if wish is None or wish.number in dropped | tail or not _can_miss(dispute, known):
            continue
        exchange = told[wish.number].exchange
        if (
            exchange is None
            or dispute.told(known)
            or known.name in withheld
            or _is_used(dispute, known)
            or _is_measured(dispute, known)
        ):
            continue
        words = f"the user never told {known.name}, which is {known.value!r}"
        yield dispute.judgement("altered", exchange, exchange.sentences[0].said, "required", words)


def _can_miss(dispute: Dispute, known: Known) -> bool:
    """Small numbers and yes-or-no details are said in too many ways to be missed."""
    small = isinstance(known.value, int | float) and abs(known.value) <= 2
    return known.needed and bool(known.items) and not small


def _is_used(dispute: Dispute, known: Known) -> bool:
    """Whether a call of the agent holds the value all the same, or it is the user's to do, not to say."""
    turns = dispute.trajectory.turns
    given = [value for turn in turns for call in turn.tool_calls for value in call.arguments.values()]
    given += [value for turn in turns for call in turn.user_calls for value in call.arguments.values()]
    given += [v for call in dispute.task.gold.calls if call.actor == "user" for v in call.arguments.values()]
    return any(same(item, own) for v in given for item in value_items(v, dispute.lexicon) for own in known.items)


def _is_measured(dispute: Dispute, known: Known) -> bool:
    """Whether a date may follow from another one and a length: three nights from March 10."""
    dated = any(item.kind == "date" for item in known.items)
    return dated and any(dispute.lexicon.lengths.search(s.plain) for e in dispute.exchanges for s in e.sentences)
