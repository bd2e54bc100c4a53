"""A baseline as an agent: its calls one a turn, then what it tells one message a turn, then nothing new.

Invariant: it makes the calls and says the messages that it makes and says without a user; steps of the user's side it
asks the user for, and all else the user says it answers with words that change no verdict on an answer. Not covered:
finding out what the user wants; a baseline knows its task.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, NoReturn, TypeAlias

from autoforge.gym.agents.agent import Agent, Briefing, Player
from autoforge.gym.baselines import BASELINES, Asked, Baseline, Playing, RandomCaller
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Message, ToolCall
from autoforge.gym.llm.json_text import load_json
from autoforge.gym.reward import told
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.turns import Action, Observation
from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.errors import BadInput, CheckFailed
from autoforge.mcp_envs.task import Task

__all__ = ["BaselineAgent", "baseline_agents"]

_Turns: TypeAlias = Generator[Action, Observation, NoReturn]
_DONE = ("That is done.", "All of it is taken care of.", "I have seen to everything.")
"""More than one, since a word may be an answer's value."""


class BaselineAgent:
    """A baseline in a conversation."""

    def __init__(self, baseline: Baseline) -> None:
        self._baseline = baseline

    @property
    def name(self) -> str:
        return self._baseline.name

    def begin(self, briefing: Briefing) -> Player:
        """Raises BadInput where there is no task."""
        if briefing.task is None:
            raise BadInput(f"the agent {self.name} plays known tasks only; give it one, or run another agent.")
        baseline = self._baseline
        if isinstance(baseline, RandomCaller):
            baseline = replace(baseline, trial=baseline.trial + briefing.seed)
        return _BaselinePlayer(_turns(briefing.task, briefing.tools, baseline.play(briefing.task, briefing.tools)))


def baseline_agents() -> dict[str, Agent]:
    """All of them, by name."""
    return {baseline.name: BaselineAgent(baseline) for baseline in BASELINES}


class _BaselinePlayer:
    def __init__(self, turns: _Turns) -> None:
        self._turns = turns
        self._begun = False

    async def act(self, observation: Observation) -> Action:
        """The next turn. Raises EpisodeFailure where a gold call is refused."""
        if self._begun:
            return self._turns.send(observation)
        self._begun = True
        return next(self._turns)


def _turns(task: Task, tools: Sequence[ToolDocument], playing: Playing) -> _Turns:
    messages = yield from _calls({str(tool["name"]): tool for tool in tools}, playing)
    for message in messages:
        yield Action(text=message)
    done = _closing(task, messages)
    while True:
        yield Action(text=done)


def _calls(tools: Mapping[str, ToolDocument], playing: Playing) -> Generator[Action, Observation, list[str]]:
    """A turn for each call; what the baseline tells then."""
    asked, ids = _next(playing, None), count(1)
    while isinstance(asked, Asked):
        if asked.actor == "user":
            yield Action(text=_request(asked))
            result = CallResult("ok")
        else:
            call = ToolCall(id=f"call_{next(ids)}", name=asked.tool, arguments=asked.arguments)
            observation = yield Action(calls=(call,))
            result = _result(observation[0], tools.get(asked.tool, {}))
        asked = _next(playing, result)
    return asked


def _next(playing: Playing, result: CallResult | None) -> Asked | list[str]:
    """The next call, or at the end the messages. Raises EpisodeFailure."""
    try:
        return next(playing) if result is None else playing.send(result)
    except StopIteration as end:
        messages: list[str] = end.value
        return messages
    except CheckFailed as error:
        raise EpisodeFailure("environment", "server", str(error)) from None


def _request(asked: Asked) -> str:
    """A step of the user's, in words."""
    words = ", ".join(f"{name.replace('_', ' ')} {_written(value)}" for name, value in asked.arguments.items())
    return f"Please use {asked.tool} on your side{f' with {words}' if words else ''} now."


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _result(message: Message, tool: ToolDocument) -> CallResult:
    """What became of a call, from the message of its result."""
    if message.is_error:
        return CallResult("refused", message=message.content)
    try:
        value = load_json(message.content)
    except ValueError:
        value = message.content
    return CallResult("ok", _unwrapped(value, tool.get("outputSchema")))


def _unwrapped(value: Any, output: Mapping[str, Any] | None) -> Any:
    """Without the object that `server.py` puts round what is none, or is documented as none."""
    if not isinstance(value, dict) or value.keys() != {"result"}:
        return value
    inner = value["result"]
    wrapped = not isinstance(inner, dict) if output is None else output.get("type") != "object"
    return inner if wrapped else value


def _closing(task: Task, messages: Sequence[str]) -> str:
    """Words that leave every answer as told, or not told, as it was."""
    before = _told(task, messages)
    return next((done for done in _DONE if _told(task, [*messages, done]) == before), _DONE[0])


def _told(task: Task, messages: Sequence[str]) -> list[bool]:
    return [told(answer, messages) for answer in task.gold.answers]
