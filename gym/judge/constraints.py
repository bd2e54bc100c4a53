"""Comparisons, ranks and yes-or-no details that the user says otherwise than the instruction.

`at most 5` said as `at least 5`, `the lowest` as `the highest`, `the second` as `the third`, `with breakfast` as
`without`. Invariant: a comparison is judged with its value, a rank with its field, a detail with its noun; what the
instruction says in both ways nowhere counts. Not covered: a constraint that is left out (`telling`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from autoforge.gym.judge.case import Dispute
from autoforge.gym.judge.items import Item, same
from autoforge.gym.judge.language import Language, stem
from autoforge.gym.judge.ranks import Rank, ranks_in
from autoforge.gym.judge.sentences import Sentence
from autoforge.gym.trajectory import Judgement

__all__ = ["constraint_errors"]

_TURNED = {"gt": "le", "lt": "ge", "ge": "lt", "le": "gt"}
_REACH = 24
"""Characters between a negation and the comparison that it turns round."""


def constraint_errors(dispute: Dispute, beside: Collection[tuple[int, int]]) -> Iterator[Judgement]:
    """Each once, in order."""
    seen = set[str]()
    for exchange in dispute.exchanges:
        for sentence in exchange.sentences:
            if (exchange.number, sentence.start) in beside:
                continue
            for words in _faults(dispute, sentence):
                if words not in seen:
                    seen.add(words)
                    yield dispute.judgement("altered", exchange, sentence.said, "required", words)


def _faults(dispute: Dispute, sentence: Sentence) -> Iterator[str]:
    yield from _comparison_faults(dispute, sentence)
    yield from _rank_faults(dispute, sentence)
    yield from _sign_faults(dispute, sentence)


# Comparisons.


def _comparison_faults(dispute: Dispute, sentence: Sentence) -> Iterator[str]:
    lexicon = dispute.lexicon
    for item in dispute.items(sentence):
        if item.kind not in ("number", "date", "digits"):
            continue
        said = comparison_at(sentence, item, lexicon)
        told = {
            comparison_at(wish.sentence, own, lexicon)
            for wish in dispute.brief.wishes
            for own in wish.items
            if same(own, item)
        }
        if said is not None and told and said not in told:
            first = next(iter(sorted(t or "exactly" for t in told)))
            yield f"the instruction compares {item.text!r} by {first}, the user by {said}"


def comparison_at(sentence: Sentence, item: Item, lexicon: Language) -> str | None:
    """How a value is compared where it stands; None where it is not."""
    after = sentence.plain[item.end :]
    for head, pattern in lexicon.after:
        if pattern.search(after):
            return head
    before = sentence.plain[: item.start]
    for head, pattern in lexicon.before:
        found = pattern.search(before)
        if found is not None:
            denied = lexicon.negates.search(before[max(0, found.start() - _REACH) : found.start()])
            return _TURNED.get(head, head) if denied else head
    return None


# Ranks.


def _rank_faults(dispute: Dispute, sentence: Sentence) -> Iterator[str]:
    own = dispute.told_ranks
    share = dispute.nearest(sentence)[1]
    for rank in ranks_in(sentence, dispute.lexicon):
        same_field = [other for other in own if rank.field[:1] == other.field[:1]]
        about = same_field or [other for other in own if set(rank.field[:2]) & set(other.field[:2])]
        if not own or (not about and share < 0.5 and not _tells_something(dispute, sentence)):
            continue
        if not any(other.place == rank.place for other in about or own):
            yield f"the instruction says {(about or own)[0]}, the user {rank}"
        elif share > 0.6:
            yield from _otherwise_in_wish(dispute, sentence, rank)


def _tells_something(dispute: Dispute, sentence: Sentence) -> bool:
    """Whether a known value stands in the sentence, too."""
    return any(dispute.brief.owns(item) for item in dispute.items(sentence))


def _otherwise_in_wish(dispute: Dispute, sentence: Sentence, rank: Rank) -> Iterator[str]:
    """The same field in the wish that is being told, or in any that is much like it."""
    near = [r for wish in dispute.near(sentence, 0.15) for r in ranks_in(wish.sentence, dispute.lexicon)]
    own = [other for other in near if other.field[:2] == rank.field[:2]]
    if own and not any(other.place == rank.place for other in own):
        yield f"the wish says {own[0]}, the user {rank}"


# Details.


def signs_in(sentence: Sentence, lexicon: Language) -> dict[str, set[bool]]:
    """Of each noun with which signs it is said."""
    found: dict[str, set[bool]] = {}
    for sign, pattern in lexicon.signs:
        for match in pattern.finditer(sentence.plain):
            found.setdefault(stem(match["noun"], lexicon.code), set()).add(sign)
    return found


def _sign_faults(dispute: Dispute, sentence: Sentence) -> Iterator[str]:
    said = signs_in(sentence, dispute.lexicon)
    own: dict[str, set[bool]] = {}
    for part in dispute.brief.sentences if said else ():
        for noun, signs in signs_in(part, dispute.lexicon).items():
            own.setdefault(noun, set()).update(signs)
    for noun, signs in said.items():
        told = own.get(noun, set())
        if len(told) == 1 and len(signs) == 1 and not told & signs:
            yield f"the instruction says {'with' if True in told else 'without'} {noun}, the user the opposite"
