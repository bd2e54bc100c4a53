"""Values that the user says and cannot know: made up, or a known one said otherwise.

A value is the user's to say where the instruction, the known values or the persona hold it, where the agent or the
user's own tools told it, or where it is a length between two such dates. One that is not stands for a known value
where the agent asked for that by name, where its name stands beside it, where both look alike, or where the wish that
is being told has a value of that type which is not said; else it is made up. Invariant: each strange value is
reported once, where it is first said. Not covered: enumerated words (`choices`), comparisons and ranks
(`constraints`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from autoforge.gym.judge.asking import asked_for
from autoforge.gym.judge.brief import Known, word_forms
from autoforge.gym.judge.case import Dispute, Finding, bare
from autoforge.gym.judge.exchanges import Exchange
from autoforge.gym.judge.items import Item, same, value_items
from autoforge.gym.judge.language import folded, stem
from autoforge.gym.judge.sentences import Sentence
from autoforge.gym.trajectory import Judgement

__all__ = ["Strange", "is_alike", "strange_in", "strange_values", "value_errors"]

_ALIKE = 0.72
_SLIP = 0.79
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’.-]+(?: (?:(?:de|del|la|van|von|der) )?[A-ZÀ-Þ][\w'’.-]+){0,3}")
_NEAR = 9
"""Words between a value and its name."""
_FAMILIES = ({"number", "digits", "code"}, {"text", "name", "code", "email"}, {"date"}, {"time"}, {"digits", "text"})


class Strange(NamedTuple):
    """A value that the user cannot know."""

    exchange: Exchange
    sentence: Sentence
    item: Item


def strange_values(dispute: Dispute) -> list[Strange]:
    """Each once, in order."""
    found: list[Strange] = []
    for exchange in dispute.exchanges:
        for sentence in exchange.sentences:
            for item in dispute.items(sentence):
                known = any(same(item, other.item) for other in found)
                if not known and is_strange(dispute, exchange, sentence, item):
                    found.append(Strange(exchange, sentence, item))
            slips = (
                item for item in slips_in(dispute, exchange, sentence) if not any(same(item, o.item) for o in found)
            )
            found += [Strange(exchange, sentence, item) for item in slips]
    return found


def strange_in(dispute: Dispute, exchange: Exchange, sentence: Sentence) -> bool:
    """Whether a sentence holds a strange value, said before or not."""
    found = any(is_strange(dispute, exchange, sentence, item) for item in dispute.items(sentence))
    return found or any(True for _ in slips_in(dispute, exchange, sentence))


def slips_in(dispute: Dispute, exchange: Exchange, sentence: Sentence) -> Iterator[Item]:
    """Words that are nearly, but not quite, a word of a known name."""
    names = {
        word
        for known in dispute.brief.known
        for own in known.items
        if own.kind == "name" and _NAME.fullmatch(own.text)
        for word in bare(own.text).split()
    }
    taken = [(item.start, item.end) for item in dispute.items(sentence)]
    for word in sentence.words:
        text = folded(word.text)
        small = sentence.said[word.start].islower() and any(c.isupper() for c in exchange.said)
        small = small or (word is sentence.words[0] and len(sentence.words) > 3)
        if small or len(text) < 4 or not text.isalpha() or any(a <= word.start < b for a, b in taken):
            continue
        if f" {text} " in dispute.brief.text or f" {text} " in dispute.heard_text[exchange.number]:
            continue
        if any(_is_slip(text, name) for name in names):
            yield Item("name", frozenset({("text", text)}), word.start, word.end, sentence.said[word.start : word.end])


def _is_slip(word: str, name: str) -> bool:
    if len(name) < 4 or word.startswith(name) or name.startswith(word):
        return False
    return abs(len(word) - len(name)) < 2 and SequenceMatcher(None, word, name).ratio() >= _SLIP


def is_strange(dispute: Dispute, exchange: Exchange, sentence: Sentence, item: Item) -> bool:
    if dispute.brief.owns(item, dispute.heard[exchange.number]) or _is_in_value(dispute, sentence, item):
        return False
    after, before = sentence.plain[item.end :], sentence.plain[: item.start]
    if item.kind == "number":
        return not _is_small_talk(dispute, exchange, item, before, after)
    if item.kind in ("text", "name"):
        return not _is_spoken_of(dispute, exchange, sentence, item)
    if item.kind == "code":
        return not _is_part(dispute, exchange, item)
    return True


def _is_in_value(dispute: Dispute, sentence: Sentence, item: Item) -> bool:
    """Whether it is a part of a known text: `5g` in `5g only`."""
    places = [
        m for value in dispute.brief.spoken for m in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", sentence.plain)
    ]
    return any(m.start() <= item.start and item.end <= m.end() for m in places)


def _is_small_talk(dispute: Dispute, exchange: Exchange, item: Item, before: str, after: str) -> bool:
    """Counting requests or minutes, one of them, a length between two known dates, a part of a known code."""
    number = next(value for kind, value in item.readings if kind == "number")
    assert isinstance(number, Decimal)
    spelled = not any(c.isdigit() for c in item.text)
    if spelled and number <= 1:
        return True
    if dispute.lexicon.counted.match(after) or (after.startswith((":", ")")) and not before.strip()):
        return True
    if _is_length(dispute, exchange, number, after):
        return True
    digits = re.sub(r"\D", "", item.text)
    return bool(digits) and any(
        digits.lstrip("0") == part.lstrip("0") for other in [*dispute.brief.items, *dispute.heard[exchange.number]]
        if other.kind in ("code", "text", "name") for part in re.findall(r"\d+", other.text)
    )  # fmt: skip


def _is_length(dispute: Dispute, exchange: Exchange, number: Decimal, after: str) -> bool:
    """Between two dates that are known, or a known number of days in weeks."""
    unit = after.lstrip(" -")[:24]
    if dispute.lexicon.lengths.search(unit) is None:
        return False
    weeks = dispute.lexicon.weeks.match(unit) is not None
    known = {value for item in dispute.brief.items for kind, value in item.readings if kind == "number"}
    return number in dispute.lengths(exchange.number) or (weeks and number * 7 in known)


def _is_spoken_of(dispute: Dispute, exchange: Exchange, sentence: Sentence, item: Item) -> bool:
    """Whether the words of a text or a name are there, in the brief or in what was heard."""
    words = bare(item.text)
    sources = (dispute.brief.text, dispute.heard_text[exchange.number])
    if any(words in source for source in sources):
        return True
    vocabulary = {w for source in sources for w in source.split()}
    empty = dispute.lexicon.empty
    strange = [
        w
        for w in words.split()
        if w not in vocabulary and stem(w, dispute.lexicon.code) not in empty and not _inflected(w, vocabulary, dispute)
    ]
    if item.kind == "name":
        strange = [w for w in words.split() if w not in vocabulary and w.removesuffix("s") not in vocabulary]
        return not strange or not _names_somebody(dispute, exchange, sentence, item, strange)
    return not strange and len(words.split()) < 3


def _inflected(word: str, vocabulary: Collection[str], dispute: Dispute) -> bool:
    code = dispute.lexicon.code
    return word.isdigit() or any(stem(word, code) == stem(v, code) for v in vocabulary if v[:3] == word[:3])


def _names_somebody(dispute: Dispute, exchange: Exchange, sentence: Sentence, item: Item, strange: list[str]) -> bool:
    if any(is_alike(item, own) for known in dispute.brief.known for own in known.items):
        return True
    if item.text.isupper() and len(item.text) < 7:
        return (
            _is_asked_for(dispute, exchange) or dispute.lexicon.naming.search(sentence.plain[: item.start]) is not None
        )
    named = dispute.lexicon.naming.search(sentence.plain[: item.start]) is not None
    return named or len(strange) > 1 or _is_asked_for(dispute, exchange)


def _is_asked_for(dispute: Dispute, exchange: Exchange) -> bool:
    return any(dispute.lexicon.asks.search(s.plain) for s in exchange.heard_sentences) and len(exchange.said) < 60


def _is_part(dispute: Dispute, exchange: Exchange, item: Item) -> bool:
    """Whether a code is said in other pieces: `room 207` for room_207, or is a word of the brief."""
    squeezed = re.sub(r"[^a-z0-9]", "", item.text.lower())
    text = (dispute.brief.text + dispute.heard_text[exchange.number]).replace(" ", "")
    return len(squeezed) > 2 and squeezed in text


# What a strange value stands for.


def value_errors(dispute: Dispute, beside: Collection[tuple[int, int]]) -> Iterator[Finding]:
    """`beside` holds the sentences, by exchange and start, that ask for what is no part of the task."""
    for strange in strange_values(dispute):
        if (strange.exchange.number, strange.sentence.start) in beside:
            continue
        known = None if _is_answer(dispute, strange) else _stands_for(dispute, strange)
        if known is None:
            yield Finding(_invented(dispute, strange))
        else:
            said = f"{known.name} is {known.value!r}, and the user said {strange.item.text!r}"
            touches: Any = "required" if known.needed else "nothing"
            yield Finding(dispute.judgement("altered", strange.exchange, strange.sentence.said, touches, said), known)


def _is_answer(dispute: Dispute, strange: Strange) -> bool:
    """Whether it is an answer that the agent has to tell, said by its name."""
    text = bare(strange.sentence.said)
    for answer in dispute.task.gold.answers:
        named = all(f" {word} " in text for word in bare(answer.name.replace("_", " ")).split())
        if named and any(same(strange.item, own) for own in value_items(answer.value, dispute.lexicon)):
            return True
    return False


def _stands_for(dispute: Dispute, strange: Strange) -> Known | None:
    exchange, item = strange.exchange, strange.item
    free = [k for k in dispute.brief.known if k.items and _fits(item, k) and not dispute.says(k, exchange.number)]
    named = _named_beside(dispute, strange, free)
    if named is not None:
        return named
    asked = [k for k in asked_for(dispute, exchange) if k in free]
    if asked:
        return asked[0]
    alike = [k for k in dispute.brief.known if any(is_alike(item, own) for own in k.items)]
    near = dispute.near(strange.sentence, 0.1)
    fit = [k for k in alike if k in free] + [k for k in alike if any(k in wish.known for wish in near)]
    if fit:
        return fit[0]
    return _missing_in_wish(dispute, strange, free)


def _fits(item: Item, known: Known) -> bool:
    return any({item.kind, own.kind} <= family or item.kind == own.kind for own in known.items for family in _FAMILIES)


def _named_beside(dispute: Dispute, strange: Strange, free: Iterable[Known]) -> Known | None:
    """The known value whose name stands before the strange one."""
    code = dispute.lexicon.code
    since = max((i.end for i in dispute.items(strange.sentence) if i.end <= strange.item.start), default=0)
    words = [stem(w.text, code) for w in strange.sentence.words if since <= w.start and w.end <= strange.item.start][
        -_NEAR:
    ]
    wish, share = dispute.nearest(strange.sentence)
    told = {k.name for w in dispute.near(strange.sentence, 0.1) for k in w.known} if wish and share >= 0.5 else None
    best: tuple[int, Known] | None = None
    for known in free:
        if told is not None and known.name not in told:
            continue
        if known.words and all(w in words for w in known.words):
            place = max(n for n, w in enumerate(words) if w == known.words[-1])
            if best is None or place > best[0]:
                best = (place, known)
    return best[1] if best is not None else None


def is_alike(item: Item, own: Item) -> bool:
    """Whether one looks like a slip of the other."""
    if item.kind == "date" or own.kind == "date":
        return item.kind == own.kind and _near_days(item, own)
    first, second = _plain(item), _plain(own)
    if (first.isdigit() and second.isdigit()) or item.kind == "number":
        if len(first.replace(".", "")) < 3 or not first or not second:
            return False
        return sorted(first) == sorted(second) or (
            len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) == 1
        )
    if min(len(first), len(second)) < 4:
        return False
    if item.kind == own.kind == "name" and any(
        _is_slip(a, b) for a in bare(item.text).split() for b in bare(own.text).split()
    ):
        return True
    return SequenceMatcher(None, first, second).ratio() >= _ALIKE


def _plain(item: Item) -> str:
    if item.kind == "number":
        return re.sub(r"[^\d.]", "", item.text.replace(",", "."))
    return re.sub(r"[\W_]", "", item.text.lower())


def _near_days(item: Item, own: Item) -> bool:
    for kind, value in item.readings:
        for other_kind, other in own.readings:
            if kind == other_kind == "date":
                pairs = list(zip(value, other, strict=True))  # type: ignore[call-overload]
                if sum(a != b and a is not None and b is not None for a, b in pairs) <= 1:
                    return True
    return False


def _missing_in_wish(dispute: Dispute, strange: Strange, free: Iterable[Known]) -> Known | None:
    """A value of the wish that is being told, of the same type and not told yet."""
    wish, share = dispute.nearest(strange.sentence)
    if wish is None or share < 0.5 or dispute.explained(wish.stems, dispute.stems(strange.sentence)) < 0.5:
        return None
    for known in free:
        if (
            known in wish.known
            and not dispute.told_before(known, strange.exchange.number)
            and _same_type(strange.item, known)
        ):
            return known
    return None


def _same_type(item: Item, known: Known) -> bool:
    return any(item.kind == own.kind for own in known.items)


def _invented(dispute: Dispute, strange: Strange) -> Judgement:
    exchange, item, quote = strange.exchange, strange.item, strange.sentence.said
    lexicon = dispute.lexicon
    for answer in dispute.task.gold.answers:
        if any(same(item, own) for own in value_items(answer.value, lexicon)):
            words = f"the {answer.name} is for the agent to tell, and the user said {item.text!r}"
            return dispute.judgement("invented", exchange, quote, "answer", words, helped=True)
    derived = [v for call in dispute.task.gold.calls for v in call.arguments.values()]
    if any(same(item, own) for value in derived for own in value_items(value, lexicon)):
        words = f"{item.text!r} is for the agent to find out, and the user said it"
        return dispute.judgement("invented", exchange, quote, "compared", words, helped=True)
    used = any(
        same(item, own)
        for _, given in dispute.writes_after(exchange.place)
        for v in given.values()
        for own in value_items(v, lexicon)
    )
    touches: Any = "compared" if used or _is_wish(dispute, strange) else "nothing"
    words = f"neither the task nor the agent has told the user {item.text!r}"
    return dispute.judgement("invented", exchange, quote, touches, words)


def _is_wish(dispute: Dispute, strange: Strange) -> bool:
    stems = dispute.stems(strange.sentence)
    return (
        dispute.lexicon.requests.search(strange.sentence.plain) is not None
        or dispute.explained(stems, [s for w in dispute.brief.wishes for s in w.stems]) > 0.3
    )


def names_in(words: Iterable[str], dispute: Dispute) -> tuple[str, ...]:
    return word_forms(tuple(words), dispute.lexicon)
