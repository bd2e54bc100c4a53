"""One dialogue under judgement: the brief, the exchanges, and what by then had been said by whom.

Invariant: what counts as heard by the user is what the agent told it and what its own tools answered. Not covered: the
rules themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, NamedTuple

from autoforge.gym.judge.brief import Brief, Known, Wish, stems_of
from autoforge.gym.judge.exchanges import Exchange, exchanges_of, reads
from autoforge.gym.judge.items import Item, items_in, same
from autoforge.gym.judge.language import Language, folded
from autoforge.gym.judge.ranks import Rank, ranks_in
from autoforge.gym.judge.sentences import QUOTED, Sentence, sentences_of
from autoforge.gym.trajectory import Judgement, Trajectory
from autoforge.mcp_envs.task import Task

__all__ = ["Dispute", "Finding", "Touch", "bare"]

Touch = Literal["required", "compared", "answer", "stop", "nothing"]
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_QUOTE = 200
"""Characters of a quotation."""


def bare(text: str) -> str:
    """Folded words with a space around each; those of an address are one."""
    text = _EMAIL.sub(lambda m: re.sub(r"[\W_]", "", m[0]), text)
    return " " + " ".join(re.findall(r"[^\W_]+", folded(text))) + " "


class Finding(NamedTuple):
    """An error, and the known value that it is about."""

    judgement: Judgement
    known: Known | None = None


class Dispute:
    """A trajectory and its task, read once for all rules."""

    def __init__(self, trajectory: Trajectory, task: Task, tools: Sequence[Mapping[str, Any]]) -> None:
        self.trajectory = trajectory
        self.task = task
        self.tools = tools
        self.brief = Brief(task, tools)
        self.exchanges: list[Exchange] = exchanges_of(trajectory, task, tools)
        self._items: dict[str, list[Item]] = {}
        self._stems: dict[str, list[str]] = {}
        self._blank: dict[str, str] = {}
        self._told: dict[int, list[list[bool]]] = {}

    @property
    def lexicon(self) -> Language:
        return self.brief.lexicon

    def items(self, sentence: Sentence) -> list[Item]:
        """The values of a sentence, read once."""
        if sentence.said not in self._items:
            self._items[sentence.said] = items_in(sentence, self.lexicon)
        return self._items[sentence.said]

    def blank(self, sentence: Sentence) -> str:
        """The plain form without what is quoted and without known texts, so that no word of a value is read as one of
        the
        talk."""
        if sentence.said not in self._blank:
            text = QUOTED.sub(lambda m: " " * len(m[0]), sentence.plain)
            for value in self.brief.spoken:
                if " " in value:
                    text = text.replace(value, " " * len(value))
            self._blank[sentence.said] = text
        return self._blank[sentence.said]

    def items_of(self, sentences: Sequence[Sentence]) -> list[Item]:
        return [item for sentence in sentences for item in self.items(sentence)]

    @cached_property
    def told_ranks(self) -> list[Rank]:
        """The ranks of the instruction."""
        return [rank for sentence in self.brief.sentences for rank in ranks_in(sentence, self.lexicon)]

    @cached_property
    def heard(self) -> list[list[Item]]:
        """For each exchange the values that the user had heard before it spoke."""
        found: list[Item] = []
        each = []
        for exchange in self.exchanges:
            answers = [s for call in exchange.user_calls for s in sentences_of(call.result)]
            found = [*found, *self.items_of(exchange.heard_sentences), *self.items_of(answers)]
            each.append(found)
        return each

    @cached_property
    def heard_text(self) -> list[str]:
        """The same as folded words."""
        found, each = " ", []
        for exchange in self.exchanges:
            found += bare(exchange.heard + "  " + " ".join(call.result for call in exchange.user_calls))
            each.append(found)
        return each

    @cached_property
    def said_items(self) -> list[list[Item]]:
        """For each exchange the values that the user says in it."""
        return [self.items_of(exchange.sentences) for exchange in self.exchanges]

    @cached_property
    def said_text(self) -> list[str]:
        return [bare(exchange.said) for exchange in self.exchanges]

    def says(self, known: Known, number: int) -> bool:
        """Whether a message of the user says a known value."""
        return self._says(known, self.exchanges[number].said, self.said_text[number], self.said_items[number])

    def says_in(self, known: Known, sentence: Sentence) -> bool:
        """Whether a sentence says a known value."""
        return self._says(known, sentence.said, bare(sentence.said), self.items(sentence))

    def _says(self, known: Known, said: str, text: str, items: Sequence[Item]) -> bool:
        if any(same(item, own) for item in items for own in known.items):
            return True
        if any(phrase in text for phrase in self.phrases(known)) or self._says_alike(known, text):
            return True
        signs = [value for value in _texts(known.value) if not bare(value).strip()]
        return any(value in said for value in signs)

    def phrases(self, known: Known) -> list[str]:
        """Folded words of its texts; signs without words have none."""
        return [phrase for value in _texts(known.value) if (phrase := bare(value)).strip()]

    def _says_alike(self, known: Known, text: str) -> bool:
        """Most words of a long text, or a word with another ending."""
        if any("@" in value or "_" in value for value in _texts(known.value)):
            return False
        words = [w for value in _texts(known.value) for w in bare(value).split()]
        said = set(text.split())
        if len(words) >= 4:
            return sum(w in said for w in words) >= 0.75 * len(words)
        if len(words) == 1 and len(words[0]) >= 5 and words[0].isalpha():
            return any(w[:-2] == words[0][:-2] or w.startswith(words[0]) for w in said if len(w) >= 5)
        return False

    def told_values(self, wish: Wish, number: int) -> float:
        """The share of a wish's known values that the user says: in a message counts whole, in another half."""
        if wish.number not in self._told:
            self._told[wish.number] = [[self.says(k, n) for n in range(len(self.exchanges))] for k in wish.known]
        told = self._told[wish.number]
        return sum(1.0 if here[number] else 0.5 * any(here) for here in told) / max(1, len(told))

    def stems(self, sentence: Sentence) -> list[str]:
        """The stems of a sentence, read once."""
        if sentence.said not in self._stems:
            self._stems[sentence.said] = stems_of(sentence, self.lexicon, self.brief.spoken)
        return self._stems[sentence.said]

    def told_before(self, known: Known, number: int) -> bool:
        return any(self.says(known, n) for n in range(number))

    def told(self, known: Known) -> bool:
        return self.told_before(known, len(self.exchanges))

    def wish_of(self, known: Known) -> Wish | None:
        """The first wish that holds a known value."""
        return next((wish for wish in self.brief.wishes if known in wish.known), None)

    def nearest(self, sentence: Sentence) -> tuple[Wish | None, float]:
        """The wish that a sentence of the user tells, and how much of the sentence it explains."""
        stems = self.stems(sentence)
        best: tuple[Wish | None, float] = (None, 0.0)
        for wish in self.brief.wishes:
            share = self.explained(stems, wish.stems)
            if share > best[1]:
                best = (wish, share)
        return best

    def near(self, sentence: Sentence, within: float) -> list[Wish]:
        """The wishes that explain a sentence nearly as well as the best one."""
        stems = self.stems(sentence)
        shares = [(self.explained(stems, wish.stems), wish) for wish in self.brief.wishes]
        best = max((share for share, _ in shares), default=0.0)
        return [wish for share, wish in shares if share >= best - within]

    def explained(self, stems: Sequence[str], by: Sequence[str]) -> float:
        """Weighted share of stems that are among others."""
        weights = self.brief.weights
        heaviest = max(weights.values(), default=1.0)
        total = sum(weights.get(s, heaviest) for s in stems)
        return sum(weights.get(s, heaviest) for s in stems if s in by) / total if total else 0.0

    def answers_told(self, number: int) -> bool:
        """Whether the agent had told every answer, or anything in its place, before a message of the user."""
        text = self.heard_text[number]
        return all(
            any(same(item, own) for item in self.heard[number] for own in _answer_items(answer.value, self.lexicon))
            or all(word in text for word in (bare(answer.name),))
            or any(bare(str(value)) in text for value in _texts(answer.value))
            for answer in self.task.gold.answers
        )

    def lengths(self, number: int) -> set[Decimal]:
        """Days, nights and weeks between two dates that the user may speak of."""
        days = {d for item in [*self.brief.items, *self.heard[number]] for d in _dates(item)}
        found = {abs((a - b).days) for a, b in combinations(sorted(days), 2)}
        return {
            Decimal(n).normalize()
            for length in found
            for n in (length, length + 1, *([length // 7] if length % 7 == 0 else []))
        }

    @cached_property
    def finished(self) -> bool:
        """Whether the final state is gold, where that is known."""
        return self.trajectory.state_reached is True

    def writes_after(self, place: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Calls of the agent that may change something, from a place on."""
        for turn in self.trajectory.turns[place:]:
            for call in () if turn.spoiled else turn.tool_calls:
                if not reads(call.name, self.tools):
                    yield call.name, call.arguments

    def judgement(
        self, kind: str, exchange: Exchange, quote: str, touches: Touch, explanation: str, *, helped: bool = False
    ) -> Judgement:
        """With the quotation as it stands in the turn."""
        effect: Literal["spoiled", "helped", "none"] = (
            "none" if touches == "nothing" else "helped" if helped else "spoiled"
        )
        return Judgement(
            kind=kind,
            turn=exchange.place,
            quote=quote[:_QUOTE],
            touches=touches,
            effect=effect,
            explanation=explanation,
        )


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    return [value] if isinstance(value, str) and value.strip() else []


def _answer_items(value: Any, lexicon: Language) -> list[Item]:
    from autoforge.gym.judge.items import value_items

    return value_items(value, lexicon)


def _dates(item: Item) -> Iterator[date]:
    for kind, value in item.readings:
        if kind == "date" and value[0] is not None:  # type: ignore[index]
            try:
                yield date(*value)  # type: ignore[misc]
            except ValueError:
                continue
