"""Ranks that a sentence speaks of: the lowest price, the second latest date.

Invariant: `at least` and `at most` are comparisons, no ranks. Not covered: ranks without a superlative (the last one).
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from autoforge.gym.judge.language import Language, folded, stem
from autoforge.gym.judge.sentences import Sentence

__all__ = ["Rank", "ranks_in"]

_NUMBERED = {"zweit": 2, "dritt": 3, "viert": 4, "funft": 5}
"""German writes the number and the rank as one word."""
_NO_RANK = re.compile(r"(?:\b(?:at|at the|at the very|al|lo|como|un|a)|not) $")
_BOUND = re.compile(r"(?:max|min|maximum|minimum|maximo|minimo|most|least)$")
"""Words that are bounds where nothing follows them: 180 is the maximum."""
_ENDS = re.compile(r"\s*(?:$|[.,;:!?)])")
_AFTER_NUMBER = re.compile(r"\d[ ]?(?:[€$£%]|eur|usd)?[ ](?:a |als |de )?$")
_TALK = re.compile(r" (?:de|que|a|al) (?=\d)|,? (?:importantly|likely|of all)")
_AHEAD = 40


class Rank(NamedTuple):
    """A superlative."""

    order: int
    way: str
    """`min` or `max`."""
    field: tuple[str, ...]
    """Stems of the words beside it."""
    words: str

    @property
    def place(self) -> tuple[int, str]:
        return self.order, self.way

    def __str__(self) -> str:
        return f"{self.words} (number {self.order} by {self.way})"


def ranks_in(sentence: Sentence, lexicon: Language) -> list[Rank]:
    """In order of the text."""
    flat = "".join(map(_plain_letter, sentence.plain))
    found = []
    for match in lexicon.rank_words.finditer(flat):
        if not _is_talk(flat, match):
            way = lexicon.ranks[match["rank"]]
            words = sentence.plain[match.start() : match.end()]
            found.append(Rank(_order(flat, match, lexicon), way, _field(flat, match, lexicon), words))
    return found


@cache
def _plain_letter(letter: str) -> str:
    low = folded(letter)
    return low if len(low) == 1 else letter


def _is_talk(flat: str, match: re.Match[str]) -> bool:
    """A comparison, or a rank of what is said: most importantly."""
    before, after = flat[max(0, match.start() - 16) : match.start()], flat[match.end() : match.end() + _AHEAD]
    price = re.match(r" (?:price|rate)", after) is not None
    alone = _BOUND.search(match["rank"]) is not None and _ENDS.match(after) is not None
    bound = alone or _NO_RANK.search(before) is not None or _AFTER_NUMBER.search(before) is not None
    return (bound and not price) or _TALK.match(after) is not None


def _order(flat: str, match: re.Match[str], lexicon: Language) -> int:
    number = match.groupdict().get("number")
    if number:
        return _NUMBERED[number]
    before = flat[max(0, match.start() - _AHEAD) : match.start()]
    for ordinal in reversed(list(lexicon.ordinal_words.finditer(before))):
        if lexicon.rank_joint.match(before[ordinal.end() :]):
            return lexicon.ordinals[ordinal[0]]
    return 1


def _field(flat: str, match: re.Match[str], lexicon: Language) -> tuple[str, ...]:
    """Spanish says the field before the rank."""
    after = re.findall(r"[^\W_]+", flat[match.end() : match.end() + _AHEAD])[:4]
    before = re.findall(r"[^\W_]+", flat[max(0, match.start() - 30) : match.start()])[-3:]
    stems = [stem(word, lexicon.code) for word in [*(before if lexicon.code == "es" else ()), *after]]
    return tuple(s for s in stems if s not in lexicon.empty)
