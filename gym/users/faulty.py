"""A scripted user that errs in some episodes, on purpose: to see what masking such episodes is worth.

It says one known value otherwise than its task has it, or takes its leave while it has wishes left. Invariant: whether
and how it errs depends on the task and the dice of the episode alone; in all other episodes it is the user that it
wraps. Not covered: finding the error (`gym.judge`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from autoforge.gym.users.script import wishes
from autoforge.gym.users.user import Speaker, User, UserBriefing, UserTurn
from autoforge.mcp_envs.task import Task

__all__ = ["FaultyUser"]

_LEAVE = UserTurn("Thank you, that is all.", "stop")
_OTHER = ("Amber", "Basil", "Cedar", "Delta", "Ember", "Fjord")


@dataclass(frozen=True)
class FaultyUser:
    inner: User
    share: float
    """Of episodes with an error; fewer have one where a task has neither a value that can be said otherwise nor a
    second wish."""

    @property
    def name(self) -> str:
        return self.inner.name

    def begin(self, briefing: UserBriefing) -> Speaker:
        speaker, task = self.inner.begin(briefing), briefing.task
        dice = random.Random(f"{task.id}/{briefing.seed}/faulty")
        if dice.random() >= self.share:
            return speaker
        several = len(wishes(task.instruction, task.known.values())) > 1
        leaves = several and dice.random() < 0.5
        if (change := None if leaves else _slip(task, dice)) is not None:
            return _Slipping(speaker, change)
        return _Impatient(speaker) if several else speaker


class _Impatient:
    """It leaves after the agent's first message."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker

    async def speak(self, heard: str | None) -> UserTurn:
        return await self._speaker.speak(heard) if heard is None else _LEAVE


class _Slipping:
    """It says a value otherwise wherever it says it."""

    def __init__(self, speaker: Speaker, change: Callable[[str], str]) -> None:
        self._speaker = speaker
        self._change = change

    async def speak(self, heard: str | None) -> UserTurn:
        turn = await self._speaker.speak(heard)
        return turn._replace(text=self._change(turn.text))


def _slip(task: Task, dice: random.Random) -> Callable[[str], str] | None:
    """None where the task has no value that can be said otherwise."""
    values = [str(v) for v in task.known.values() if isinstance(v, str | int | float) and not isinstance(v, bool)]
    said = sorted({value for value in values if len(value) > 1 and _alone(value).search(task.instruction)})
    if not said:
        return None
    old = dice.choice(said)
    new = _otherwise(old, dice)
    return lambda text: _alone(old).sub(lambda _: new, text)


def _alone(value: str) -> re.Pattern[str]:
    """Where it is no part of a longer word."""
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")


def _otherwise(value: str, dice: random.Random) -> str:
    """One digit is another, or where there is none, the last word."""
    digits = [place for place, letter in enumerate(value) if letter.isdigit()]
    if digits:
        place = dice.choice(digits)
        return value[:place] + dice.choice([d for d in "123456789" if d != value[place]]) + value[place + 1 :]
    before, space, last = value.rpartition(" ")
    return before + space + dice.choice([word for word in _OTHER if word.casefold() != last.casefold()])
