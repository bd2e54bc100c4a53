"""Clean dialogues for calibration: a user who tells the wishes of a task without an error, and an able or weak agent.

They differ in how much is told at once, in what the agent asks, confirms, announces, forgets and offers, in how values
are written, and in how it ends; among them are the things that look like errors and are none: asking for what nobody
knows, a wish said again because nothing was done, a thank-you before the end, a transfer. Invariant: the same task,
phrases and seed are the same dialogue. Not covered: errors (`corruptions`), running tools.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.gym.judge.phrasebook import Phrasebook, lowered
from autoforge.gym.judge.spoken import base_name, in_words, is_bound, rewritten, spots, wishes_of, without_spot
from autoforge.gym.llm import ToolCall
from autoforge.gym.reward import telling
from autoforge.gym.trajectory import End, Trajectory, Turn, UserToolCall
from autoforge.mcp_envs.task import GoldCall, Task

__all__ = ["Dialogue", "Said", "make_dialogue", "spelled"]


@dataclass(frozen=True)
class Said:
    """One message, and what it is for."""

    role: str
    purpose: str
    text: str
    wish: int | None = None
    """Number of the first wish it belongs to."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Known values it says, as it writes them."""
    calls: tuple[GoldCall, ...] = ()
    """Made by the agent before it, or by the user."""
    tail: str = ""
    """Small talk after it."""

    @property
    def whole(self) -> str:
        joint = "" if not self.tail else " " if self.text.endswith((".", "!", "?")) else ". "
        return self.text + joint + self.tail


@dataclass(frozen=True)
class Dialogue:
    """A dialogue in the making."""

    task: Task
    tools: Sequence[Mapping[str, Any]]
    said: tuple[Said, ...]
    end: End = "stop"
    language: str = "en"

    def places(self) -> list[int]:
        """Of each message its place in the turns of the trajectory."""
        found, place = [], 0
        for said in self.said:
            place += 1 + len(said.calls) if said.role == "assistant" and said.calls else 0
            found.append(place)
            place += 1 if said.text or (said.calls and said.role == "user") else 0
        return found

    def trajectory(self) -> Trajectory:
        """As a run would have kept it, without reward and states."""
        turns = tuple(turn for number, said in enumerate(self.said) for turn in _turns(number, said))
        return Trajectory(
            id=f"{self.task.environment}/{self.task.id}/calibration/calibration/0", environment=self.task.environment,
            task=self.task.id, agent="calibration", user="calibration", turns=turns, end=self.end,
            tools=tuple(dict(tool) for tool in self.tools if not _of_user(tool)),
        )  # fmt: skip

    def but(self, said: Sequence[Said], **changes: Any) -> Dialogue:
        return replace(self, said=tuple(said), **changes)


def _of_user(tool: Mapping[str, Any]) -> bool:
    return bool((tool.get("_meta") or {}).get("autoforge/side") == "user")


def _turns(number: int, said: Said) -> Iterator[Turn]:
    if said.role == "user":
        made = tuple(UserToolCall(tool=c.tool, arguments=dict(c.arguments), result='{"ok":true}') for c in said.calls)
        if said.text or made:
            yield Turn(role="user", content=said.whole, user_calls=made)
        return
    calls = tuple(
        ToolCall(id=f"{number}-{n}", name=c.tool, arguments=dict(c.arguments)) for n, c in enumerate(said.calls)
    )
    if calls:
        yield Turn(role="assistant", tool_calls=calls)
    for call in calls:
        yield Turn(role="tool", content=json.dumps({"ok": True, "call": call.name}), tool_call_id=call.id)
    if said.text:
        yield Turn(role="assistant", content=said.text)


class _Wish(NamedTuple):
    number: int
    text: str
    values: dict[str, str]
    left_out: dict[str, str]
    """Values that are told only when asked."""
    calls: tuple[GoldCall, ...]


def spelled(value: JsonValue, book: Phrasebook, chance: random.Random) -> str:
    """A value as a person may write it."""
    text = in_words(value)
    parts = text.split("-")
    if isinstance(value, str) and len(text) == 10 and len(parts) == 3 and all(p.isdigit() for p in parts):
        year, month, day = map(int, parts)
        form = chance.choice(book.dates)
        return form.format(year=year, month=book.months[month - 1], day=day, m=month, d=day)
    if (
        isinstance(value, int)
        and not isinstance(value, bool)
        and 1 < value < len(book.numbers)
        and chance.random() < 0.4
    ):
        return book.numbers[value]
    if text.startswith("+") and chance.random() < 0.4:
        return text.replace("-", " ")
    return text


def make_dialogue(
    task: Task, tools: Sequence[Mapping[str, Any]], book: Phrasebook, seed: str, *, style: str | None = None
) -> Dialogue:
    """A dialogue without an error of the user; `style` is `steps`, `pairs` or `all`."""
    return _Maker(task, tools, book, random.Random(f"{seed} {task.id} {book.half}")).dialogue(style)


class _Maker:
    def __init__(self, task: Task, tools: Sequence[Mapping[str, Any]], book: Phrasebook, chance: random.Random) -> None:
        self._task, self._tools, self._book, self._chance = task, tools, book, chance
        self._said: list[Said] = []
        self._told: dict[str, str] = {}

    def dialogue(self, style: str | None) -> Dialogue:
        style = style or self._chance.choices(("steps", "pairs", "all"), (5, 3, 2))[0]
        texts = wishes_of(self._task)
        size = {"steps": 1, "pairs": 2, "all": len(texts)}[style]
        wishes = [self._wish(number, text, len(texts)) for number, text in enumerate(texts)]
        groups = [list(g) for _, g in groupby(wishes, key=lambda wish: wish.number // max(1, size))]
        end: End = "stop"
        for number, group in enumerate(groups):
            last = number == len(groups) - 1
            self._tells(group, first=number == 0, count=len(texts))
            if last and self._maybe(0.06):
                end = self._gives_up(group[0].number)
                break
            self._does(group, last=last)
        if end == "stop":
            end = self._ends()
        return Dialogue(self._task, self._tools, tuple(self._said), end, self._book.language)

    def _maybe(self, share: float) -> bool:
        return self._chance.random() < share

    def _say(self, purpose: str, **parts: object) -> str:
        return self._book.say(purpose, self._chance, **parts)

    def _user(self, purpose: str, text: str, wish: int | None = None, **more: Any) -> None:
        tail = self._say("chat") if purpose in ("wish", "give", "yes") and self._maybe(0.08) else ""
        self._said.append(Said("user", purpose, text, wish, tail=tail, **more))

    def _agent(self, purpose: str, text: str, wish: int | None = None, **more: Any) -> None:
        self._said.append(Said("assistant", purpose, text, wish, **more))

    # What is told.

    def _wish(self, number: int, text: str, count: int) -> _Wish:
        calls = self._task.gold.calls
        own = calls[number * len(calls) // count : (number + 1) * len(calls) // count]
        text = rewritten(text, self._book, 0.3, iter(self._chance.random, None))
        left_out: dict[str, str] = {}
        for spot in spots(text, self._task.known):
            shorter = without_spot(text, spot) if not is_bound(spot.name) and not left_out else None
            if shorter is not None and spot.name not in self._told and self._maybe(0.35):
                left_out[spot.name] = spelled(self._task.known[spot.name], self._book, self._chance)
                text = shorter
                break
        values: dict[str, str] = {}
        for spot in reversed(spots(text, self._task.known)):
            quoted = text[spot.start - 1 : spot.start] in ('"', "'")
            new = (
                text[spot.start : spot.end]
                if quoted
                else spelled(self._task.known[spot.name], self._book, self._chance)
            )
            text = text[: spot.start] + new + text[spot.end :]
            values[spot.name] = new
        self._told |= values
        return _Wish(number, text, values, left_out, tuple(own))

    def _tells(self, group: Sequence[_Wish], *, first: bool, count: int) -> None:
        text = group[0].text
        for wish in group[1:]:
            text = self._book.say("join", self._chance, first=text, second=lowered(wish.text))
        purpose = "opening" if first else "next"
        parts: dict[str, object] = {"wish": lowered(text)}
        if first and 2 < count < len(self._book.numbers) and self._maybe(0.25):
            purpose, parts = "opening count", {**parts, "count": self._book.numbers[count]}
        values = {name: value for wish in group for name, value in wish.values.items()}
        self._user("wish", self._say(purpose, **parts), group[0].number, values=values)
        self._told |= values

    # What the agent does with it.

    def _does(self, group: Sequence[_Wish], *, last: bool) -> None:
        number = group[0].number
        self._interludes(group, number)
        for wish in group:
            for name, value in wish.left_out.items():
                self._agent("ask", self._say("ask", name=base_name(name)), number)
                self._user("give", self._say("give", name=base_name(name), value=value), number, values={name: value})
                self._told[name] = value
        if self._maybe(0.35):
            self._agent("confirm", self._say("confirm"), number)
            self._user("yes", self._say("yes"), number)
        elif self._maybe(0.12):
            self._agent("announce", self._say("announce"), number)
            self._user("yes", self._say("yes"), number)
        calls = [call for wish in group for call in wish.calls]
        self._steps_of_user([c for c in calls if c.actor == "user"], number)
        own = tuple(c for c in calls if c.actor == "agent")
        if self._maybe(0.07):
            self._agent("report", self._say("report"), number)
            self._user("retry", self._say("retry", wish=lowered(group[-1].text)), number, values=group[-1].values)
        weak = own[:-1] if own and self._maybe(0.12) else own
        self._agent("report", self._report(group, last=last), number, calls=weak)

    def _interludes(self, group: Sequence[_Wish], number: int) -> None:
        """What looks like an error of the user and is none."""
        if self._maybe(0.05):
            self._agent("not understood", self._say("not understood"), number)
            self._user("wish", group[-1].text, number, values=group[-1].values)
        told = [n for n in self._told if n in {k for w in group for k in w.values} and not is_bound(n)]
        if told and self._maybe(0.15):
            name = self._chance.choice(told)
            self._agent("ask", self._say("ask", name=base_name(name)), number)
            said = self._say("as said", value=self._told[name])
            self._user("give", said, number, values={name: self._told[name]})
        strange = self._unknown_names()
        if strange and self._maybe(0.12):
            name = base_name(self._chance.choice(strange))
            self._agent("ask", self._say("ask", name=name), number)
            self._user("unknown", self._say("unknown", name=name), number)
        if self._maybe(0.06):
            first, second = (f"{self._chance.choice('ABRTX')}-{self._chance.randint(100, 999)}" for _ in range(2))
            self._agent("offer", self._say("offer", value=first, other=second), number)
            self._user("pick", self._say("pick", value=first), number)

    def _unknown_names(self) -> list[str]:
        """Parameters that the user has no value for."""
        known = {word.rstrip("s") for name in self._task.known for word in base_name(name).split()}
        found = [p for tool in self._tools for p in (tool.get("inputSchema") or {}).get("properties", {})]
        return sorted({p for p in found if not known & {w.rstrip("s") for w in base_name(p).split()}})

    def _steps_of_user(self, calls: Sequence[GoldCall], number: int) -> None:
        for call in calls:
            words = " ".join(
                [base_name(call.tool), *(f"{base_name(k)} {in_words(v)}" for k, v in call.arguments.items())]
            )
            self._agent("user step", self._say("user step", tool=words.strip()), number)
            self._user("step", self._say("user step done"), number, calls=(call,))

    def _report(self, group: Sequence[_Wish], *, last: bool) -> str:
        values = {n: v for w in group for n, v in {**w.values, **w.left_out}.items() if not is_bound(n)}
        if values and self._maybe(0.3):
            name = self._chance.choice(sorted(values))
            text = self._say("report value", value=values[name], name=base_name(name))
        else:
            text = self._say("report")
        if last:
            text = " ".join([text, *(telling(answer) for answer in self._task.gold.answers)])
        return text + " " + self._say("more") if self._maybe(0.5) else text

    # How it ends.

    def _gives_up(self, number: int) -> End:
        self._agent("cannot", self._say("cannot"), number)
        self._user("transfer", self._say("accept transfer") if self._maybe(0.6) else "", number)
        return "transfer"

    def _ends(self) -> End:
        if self._maybe(0.2):
            self._user("thanks", self._say("thanks"))
            self._agent("welcome", self._say("welcome"))
            return "stop"
        if self._maybe(0.6):
            self._user("close", self._say("close"))
        return "stop"
