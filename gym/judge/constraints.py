"""Comparisons, ranks and yes-or-no details that the user says otherwise than the instruction.

`at most 5` said as `at least 5`, `the lowest` as `the highest`, `the second` as `the third`, `with breakfast` as `without`.
Invariant: a comparison is judged with its value, a rank with its field, a detail with its noun; what the instruction says
in both ways nowhere counts. Not covered: a constraint that is left out (`telling`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from autoforge.gym.judge.case import Dispute
from autoforge.gym.judge.exchanges import Exchange
from autoforge.gym.judge.items import Item, same
from autoforge.gym.judge.language import Language, folded, stem
from autoforge.gym.judge.sentences import Sentence
from autoforge.gym.trajectory import Judgement

__all__ = ["constraint_errors"]

_NEIGHBOURS = {"le": {"le"}, "ge": {"ge"}, "lt": {"lt"}, "gt": {"gt"}, "ne": {"ne"}}


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
    yield from _comparisons(dispute, sentence)
    yield from _ranks(dispute, sentence)
    yield from _signs(dispute, sentence)


# Comparisons.


def _comparisons(dispute: Dispute, sentence: Sentence) -> Iterator[str]:
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
        if pattern.search(before):
            return head
    return None


# Ranks.


class _Rank(NamedTuple):
    order: int
    way: str
    field: tuple[str, ...]
    """Stems of the words beside it."""
    words: str


def ranks_in(sentence: Sentence, lexicon: Language) -> list[_Rank]:
    """`the second lowest nightly rate` → 2, min, (night, rate)."""
    plain = sentence.plain
    found = []
    phrases = sorted(lexicon.ranks, key=len, reverse=True)
    flat = _flat(plain)
    taken: list[tuple[int, int]] = []
    for phrase in phrases:
        for match in re.finditer(rf"(?<!\w){_ordinal_prefix(lexicon)}{re.escape(phrase)}(?!\w)", flat):
            if any(a < match.end() and match.start() < b for a, b in taken) or _compares(flat, match, lexicon):
                continue
            taken.append(match.span())
            order = _order(flat, match, lexicon)
            found.append(
                _Rank(order, lexicon.ranks[phrase], _field(flat, match, lexicon), plain[match.start() : match.end()])
            )
    return found


def _flat(plain: str) -> str:
    return "".join(low if len(low := folded(c)) == 1 else c for c in plain)


def _ordinal_prefix(lexicon: Language) -> str:
    """German writes both as one word."""
    return r"(?:(?:zweit|dritt|viert|funft))?" if lexicon.code == "de" else ""


def _compares(flat: str, match: re.Match[str], lexicon: Language) -> bool:
    """`at least`, `at most`, `más de`: no rank, nor a rank of the talk: last but not least."""
    before, after = flat[max(0, match.start() - 8) : match.start()], flat[match.end() : match.end() + 6]
    if re.search(r"(?:\bat|\bal|\blo|\bcomo|not|\bun|\ba) $", before) and not re.match(r" (?:price|rate)", after):
        return True
    return (
        re.match(
            r" (?:de|que|a|al) (?=\d)|,? (?:importantly|likely|of all)",
            after + flat[match.end() + 6 : match.end() + 16],
        )
        is not None
    )


def _order(flat: str, match: re.Match[str], lexicon: Language) -> int:
    inside = re.match(r"(zweit|dritt|viert|funft)", match[0]) if lexicon.code == "de" else None
    if inside is not None:
        return {"zweit": 2, "dritt": 3, "viert": 4, "funft": 5}[inside[1]]
    before = flat[: match.start()]
    for word, number in lexicon.ordinals.items():
        found = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", before[-40:]))
        if found and lexicon.rank_joint.match(before[-40:][found[-1].end() :]):
            return number
    return 1


def _field(flat: str, match: re.Match[str], lexicon: Language) -> tuple[str, ...]:
    after = re.findall(r"[^\W_]+", flat[match.end() : match.end() + 40])[:4]
    before = (
        re.findall(r"[^\W_]+", flat[max(0, match.start() - 30) : match.start()])[-3:] if lexicon.code == "es" else []
    )
    stems = [stem(word, lexicon.code) for word in [*before, *after]]
    return tuple(s for s in stems if s not in lexicon.empty)


def _ranks(dispute: Dispute, sentence: Sentence) -> Iterator[str]:
    lexicon = dispute.lexicon
    own = [rank for wish in dispute.brief.sentences for rank in ranks_in(wish, lexicon)]
    _, share = dispute.nearest(sentence)
    for rank in ranks_in(sentence, lexicon):
        about = [other for other in own if rank.field[:1] == other.field[:1]] or [
            other for other in own if set(rank.field[:2]) & set(other.field[:2])
        ]
        if not own or (not about and share < 0.5):
            continue
        if not any((o.order, o.way) == (rank.order, rank.way) for o in about or own):
            told = (about or own)[0]
            yield f"the instruction says {told.words!r} ({told.order}, {told.way}), the user {rank.words!r} ({rank.order}, {rank.way})"
        elif share > 0.6:
            wishes = dispute.near(sentence, 0.15)
            yield from _in_wish(
                rank, [r for w in wishes for r in ranks_in(w.sentence, lexicon) if r.field[:2] == rank.field[:2]]
            )


def _in_wish(rank: _Rank, own: Sequence[_Rank]) -> Iterator[str]:
    """The same field in the wish that is being told, or in any that is much like it."""
    if own and not any((o.order, o.way) == (rank.order, rank.way) for o in own):
        yield f"the wish says {own[0].words!r} ({own[0].order}, {own[0].way}), the user {rank.words!r} ({rank.order}, {rank.way})"


# Details.


def signs_in(sentence: Sentence, lexicon: Language) -> dict[str, set[bool]]:
    """Of each noun with which signs it is said."""
    found: dict[str, set[bool]] = {}
    for sign, pattern in lexicon.signs:
        for match in pattern.finditer(sentence.plain):
            found.setdefault(stem(match["noun"], lexicon.code), set()).add(sign)
    return found


def _signs(dispute: Dispute, sentence: Sentence) -> Iterator[str]:
    lexicon = dispute.lexicon
    own: dict[str, set[bool]] = {}
    for wish in dispute.brief.sentences:
        for noun, signs in signs_in(wish, lexicon).items():
            own.setdefault(noun, set()).update(signs)
    for noun, signs in signs_in(sentence, lexicon).items():
        told = own.get(noun, set())
        if len(told) == 1 and len(signs) == 1 and not told & signs:
            yield f"the instruction says {'with' if True in told else 'without'} {noun}, the user the opposite"


def first_of(found: Iterable[Exchange]) -> Exchange | None:
    return next(iter(found), None)
