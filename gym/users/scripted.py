"""A user without a model: it tells its instruction wish by wish, answers from what it knows, and ends by rules.

It ends the conversation only when every wish was said and the agent has answered the last one with something that is
neither a question nor an announcement, or when nothing has come forward for many turns. Invariant: the same task, seed
and messages give the same turns; it says no value that is neither in its instruction nor known nor shown by its own
tools, and looks at gold for its own steps alone. Not covered: whether the agent's answers are right.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from autoforge.gym.reward.reading import Message as Reading
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.users.corrections import contradicted
from autoforge.gym.users.cues import BARE, OTHER
from autoforge.gym.users.hearing import Heard
from autoforge.gym.users.known import Fact, Known, holds, says
from autoforge.gym.users.own_side import OwnSide, Part
from autoforge.gym.users.phrases import Phrases
from autoforge.gym.users.results import read_out
from autoforge.gym.users.script import wishes
from autoforge.gym.users.user import Ending, Speaker, UserBriefing, UserTurn
from autoforge.gym.users.withheld import Wish, withheld
from autoforge.gym.users.words import fold
from autoforge.mcp_envs.task import Task

__all__ = ["ScriptedUser"]

_MOST_PLANS = 4096


@dataclass(frozen=True)
class ScriptedUser:
    """How a scripted user behaves."""

    name: str = "scripted"
    reveal: Literal["gradual", "all"] = "gradual"
    """`gradual` says one wish after the other, each when the one before was answered; `all` says all at once."""
    patience: int = 8
    """Turns in a row without progress before it ends the conversation; twice as many where the agent asks something,
    and as many times more as there are wishes where it said them all at once."""
    strays: int = 4
    """Messages in a row about something else before the conversation is out of scope."""
    agent_tools: Sequence[ToolDocument] = ()
    """Documents of the agent's tools. With them, a persona that gives details only when asked keeps back values that a
    tool cannot be called without; without them nothing is kept back."""

    _plans: dict[int, _Plan] = field(default_factory=dict, init=False, repr=False, compare=False)
    """By the identity of their tasks, which they keep."""

    def begin(self, briefing: UserBriefing) -> Speaker:
        """The user of one episode."""
        task = briefing.task
        if id(task) not in self._plans:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            self._plans[id(task)] = _plan(task, self)
        return _Speaker(self, self._plans[id(task)], briefing)


class _Plan(NamedTuple):
    """What is the same in every episode of a task."""

    task: Task
    known: Known
    wishes: tuple[Wish, ...]
    patience: int


def _plan(task: Task, settings: ScriptedUser) -> _Plan:
    told = wishes(task.instruction, task.known.values())
    at_once = settings.reveal == "all"
    parts = (" ".join(told),) if at_once else told
    said = tuple(withheld(wish, task, settings.agent_tools) for wish in parts)
    return _Plan(task, Known(task), said, settings.patience * (len(told) if at_once else 1))


class _Reply(NamedTuple):
    text: str
    ending: Ending | None = None
    progress: bool = False


class _Speaker:
    """A scripted user in one episode."""

    def __init__(self, settings: ScriptedUser, plan: _Plan, briefing: UserBriefing) -> None:
        self._settings = settings
        self._task, self._known, self._wishes, self._patience = plan
        self._own = OwnSide(briefing)
        self._say = Phrases(self._task.language, random.Random(f"{self._task.id}/{briefing.seed}"))
        self._said = 0
        self._kept_back: list[Fact] = []
        self._given: set[str] = set()
        self._insisted: set[int] = set()
        self._fruitless = self._astray = 0
        self._acted = self._reminded = self._offered = False

    async def speak(self, heard: str | None) -> UserTurn:
        """The next message. Raises EpisodeFailure where a tool of its own cannot be called."""
        if heard is None:
            return UserTurn(self._next_wish())
        message = Heard(heard, self._task.known.values())
        parts = await self._own.asked(message.text, self._part(message))
        calls = tuple(part.call for part in parts if part.call is not None)
        reply = self._of_parts(parts) if parts else self._reply(message)
        self._acted = bool(calls)
        return self._bounded(message, reply)._replace(calls=calls)

    def _part(self, message: Heard) -> str:
        """What the user said of its part, where a message tells it to do that."""
        offered, self._offered = self._offered, False
        if message.wants_part or (offered and (message.affirms or message.gives_leave)):
            return self._so_far()
        return self._wish.text if message.gives_leave else ""

    def _bounded(self, message: Heard, reply: _Reply) -> UserTurn:
        """The reply, or the end where nothing has come forward for too long."""
        self._fruitless = 0 if reply.progress else self._fruitless + 1
        if reply.ending is None and self._fruitless > self._patience * (1 + message.asks):
            return UserTurn(self._say.say("tired"), "stop")
        return UserTurn(reply.text, reply.ending)

    # The wishes.

    @property
    def _wish(self) -> Wish:
        """The one at hand."""
        return self._wishes[self._said - 1]

    @property
    def _all_said(self) -> bool:
        return self._said == len(self._wishes) and not self._kept_back

    def _so_far(self) -> str:
        return " ".join(wish.whole for wish in self._wishes[: self._said])

    def _next_wish(self) -> str:
        self._said += 1
        untold = self._wish.kept_back - self._given
        self._kept_back += [fact for fact in self._known.facts if fact.name in untold]
        return self._wish.text

    def _go_on(self) -> _Reply:
        """After an answer: what was kept back, the next wish, its own part, or the end."""
        if self._kept_back:
            return _Reply(self._say.say("add", facts=self._say.facts(self._give(self._kept_back))), None, True)
        if self._all_said and self._own.left and not self._reminded:
            self._reminded = self._offered = True
            return _Reply(self._say.say("remind", what=self._own.left), None, True)
        if self._all_said:
            return _Reply(self._say.say("stop"), "stop", True)
        return _Reply(self._say.say("next", wish=self._next_wish()), None, True)

    def _give(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """Facts that are told now."""
        self._given |= {fact.name for fact in facts}
        self._kept_back = [fact for fact in self._kept_back if fact.name not in self._given]
        return facts

    # What to say to a message.

    def _of_parts(self, parts: Sequence[Part]) -> _Reply:
        """What came of the user's own calls."""
        said = []
        for part in parts:
            result = read_out(part.call.result.text, self._task.language) if part.call is not None else ""
            said.append(self._say.say(part.kind, what=part.what, result=result))
        return _Reply(" ".join(said), None, any(part.kind == "acted" for part in parts))

    def _reply(self, message: Heard) -> _Reply:
        if message.strays(self._known.subjects, self._task.language):
            return self._brought_back()
        self._astray = 0
        if "gives up" in message.kinds:
            return _Reply(self._say.say("transfer"), "transfer", True) if self._all_said else self._go_on()
        if message.asks:
            return self._answer(message)
        if message.announces:
            return self._encourage(message)
        if message.unable and self._said not in self._insisted:
            self._insisted.add(self._said)
            return _Reply(self._say.say("again", wish=self._wish.text))
        if message.unable and self._all_said:
            return _Reply(self._say.say("transfer"), "transfer", True)
        return self._go_on()

    def _brought_back(self) -> _Reply:
        self._astray += 1
        if self._astray >= self._settings.strays:
            return _Reply(self._say.say("out of scope"), "out_of_scope")
        return _Reply(self._say.say("astray", wish=self._wish.text))

    def _encourage(self, message: Heard) -> _Reply:
        """Of an announcement; where it is for the user to act, or it has just acted, there is nothing to wait for."""
        waits_for_user = self._acted or self._own.speaks_of(self._wish.text)
        more = not self._all_said or (len(self._wishes) > 1 and not self._own.left)
        if "announcement" not in message.kinds and waits_for_user and more:
            return self._go_on()
        return self._before_acting(self._say.say("go on"))

    def _before_acting(self, text: str) -> _Reply:
        """With what was kept back, since the agent would go on without it."""
        if not self._kept_back:
            return _Reply(text)
        return _Reply(f"{text} {self._say.answer(self._give(self._kept_back))}", None, True)

    def _answer(self, message: Heard) -> _Reply:
        """Yes or no to what is to be confirmed, and the values that are asked for."""
        asked = self._asked(message)
        new = any(fact.name not in self._given for fact in asked)
        consent = self._consent(message) if self._is_to_consent(message) else ""
        if asked:
            values = self._values(asked)
        elif consent or not message.of("question"):
            values = ""
        else:
            values = self._say.say("clear", wish=self._wish.text) if message.unclear else self._say.say("unknown")
        text = " ".join(part for part in (consent, values) if part)
        return self._before_acting(text) if consent and self._kept_back else _Reply(text, None, new)

    def _asked(self, message: Heard) -> list[Fact]:
        """The facts that its questions name, each once."""
        bare = [s for s in message.of("confirm") if BARE.search(fold(s))]
        said = Reading(message.text)
        wish, before = self._wish.whole, self._so_far()
        found = [f for question in message.of("question") for f in self._known.asked(question, wish, before)]
        found += [f for s in bare for f in self._known.asked(s, wish, before) if not says(said, f.value)]
        return list({fact.name: fact for fact in found}.values())

    def _is_to_consent(self, message: Heard) -> bool:
        """Whether something is to be confirmed that is no value to be told."""
        return any(not BARE.search(fold(s)) or not self._asked(message) for s in message.of("confirm"))

    def _values(self, asked: Sequence[Fact]) -> str:
        """The values; where namesakes cannot be told apart, the wish that holds them; where a value belongs to a later
        wish, that wish, since for the one at hand it would be wrong."""
        self._give(asked)
        count = Counter(fact.tokens for fact in asked)
        later = {fact.name: wish for fact in asked if (wish := self._later(fact)) is not None}
        clear = [fact for fact in asked if count[fact.tokens] == 1 and fact.name not in later]
        parts = [self._say.answer(clear)] if clear else []
        if any(count[fact.tokens] > 1 and fact.name not in later for fact in asked):
            parts.append(self._say.say("clear", wish=self._wish.whole))
        return " ".join([*parts, *(self._say.say("later", wish=wish) for wish in dict.fromkeys(later.values()))])

    def _later(self, fact: Fact) -> str | None:
        """The wish to come that holds a fact which none did so far."""
        if holds(self._so_far(), fact):
            return None
        return next((wish.whole for wish in self._wishes[self._said :] if holds(wish.whole, fact)), None)

    def _consent(self, message: Heard) -> str:
        wish = self._wish.whole
        wrong = contradicted(message.text, self._known, wish)
        if wrong:
            return self._say.say("no", facts=self._say.facts(self._give(wrong)))
        if message.offers_other(self._known.subjects, self._task.language) and not OTHER.search(fold(wish)):
            return self._say.say("only this", wish=self._wish.text)
        return self._say.say("yes")
