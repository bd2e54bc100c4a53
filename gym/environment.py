"""One episode after the other as `reset` and `step`, in the manner of Gymnasium, over any server and any user.

Invariant: a session and a user for each episode, never re-used; the user speaks first and alone ends the conversation,
and its markers are looked for in its own messages only; what the policy does wrong comes back as a result that it can
mend, until its limits are reached, which scores 0; everything else that goes wrong raises and scores nothing. Not
covered: agents (`agents`), keeping what happened (`episode`).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from types import TracebackType
from typing import Any, NamedTuple, Self

import anyio
from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.deadline import deadline
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Message, ToolCall
from autoforge.gym.servers.server import Session, ToolDocument, ToolResult, ToolServer, side_of
from autoforge.gym.state_watch import StateWatch
from autoforge.gym.turns import Action, Observation
from autoforge.gym.users.user import Ending, Numbered, User, UserBriefing, UserTurn
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["Environment", "EpisodeLimits", "Stepped"]

_NUMBERS = itertools.count()
"""Of the episodes of this process: a name is never used again, whatever is left of the one that had it."""
_EMPTY = "Your turn was empty. Write a message to the user, or call a tool."
_CUT = "Your turn was cut off by its length limit. Make a shorter one."


class EpisodeLimits(BaseModel):
    """How long an episode may become, and how long its parts may take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns: int = Field(default=60, ge=1)
    """Turns of the agent; then the episode is truncated, with reward 0."""
    calls: int = Field(default=120, ge=1)
    """Tool calls of the agent; then likewise, and further ones of the same turn are not made."""
    spoiled: int = Field(default=5, ge=1)
    """Empty or cut-off turns in a row; then likewise."""
    call_seconds: float = Field(default=60.0, gt=0)
    """Seconds for one tool call, waiting included."""
    agent_seconds: float = Field(default=1800.0, gt=0)
    """Seconds for one turn of the agent."""
    user_seconds: float = Field(default=600.0, gt=0)
    """Seconds for one turn of the user."""
    open_seconds: float = Field(default=600.0, gt=0)
    """Seconds to begin a session, waiting for a free process included."""
    state_seconds: float = Field(default=30.0, gt=0)
    """Seconds to make or read a state."""


class Stepped(NamedTuple):
    """What `step` returns: Gymnasium's five."""

    observation: Observation
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Environment:
    """Episodes of one server with one kind of user, one at a time. Several may share a server. An async context manager
    that closes the episode at hand.
    """

    def __init__(
        self, server: ToolServer, user: User, *, limits: EpisodeLimits | None = None, progress: bool = False
    ) -> None:
        """With `progress`, the share of the gold changes that are reached is in `info` after each step."""
        self.server = server
        self.user = user
        self.limits = limits or EpisodeLimits()
        self._with_progress = progress
        self._episode: _Episode | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. `options`: `task` (a Task or its id; else one is drawn by `seed`), `episode` (a name).

        Gives the user's first message; `info` has `task`, `tools`, `instructions`, and of the user's turn what that of
        `step` has. Raises BadInput for a task that is not there, EpisodeFailure where the episode cannot begin.
        """
        await self.close()
        task = self._task(seed, dict(options or {}).get("task"))
        name = str((options or {}).get("episode") or f"episode-{next(_NUMBERS)}")
        episode = self._episode = _Episode(self.limits, self._with_progress)
        async with AsyncExitStack() as unfinished:
            unfinished.push_async_callback(self.close)
            begun = await episode.begin(self.server, self.user, task, name, seed or 0)
            unfinished.pop_all()
        return begun

    async def step(self, action: Action) -> Stepped:
        """Take one turn. Where nothing shows the state of an ended episode, it is not scored: the reward is 0 and
        `info["reward"]` None. Raises EpisodeFailure; ValueError where there is no episode or it has ended. A turn that
        is not taken to its end, whatever the reason, ends the episode: nobody knows what became of it."""
        if self._episode is None or self._episode.over:
            raise ValueError("there is no episode at hand: call reset first")
        with ExitStack() as torn:
            torn.callback(self._episode.end)
            stepped = await self._episode.step(action)
            torn.pop_all()
        return stepped

    async def close(self) -> None:
        """End the episode at hand, if there is one."""
        episode, self._episode = self._episode, None
        if episode is not None:
            await episode.close()

    def _task(self, seed: int | None, wanted: object) -> Task:
        if isinstance(wanted, Task):
            return wanted
        tasks = self.server.tasks
        if not tasks:
            raise BadInput(f"{self.server.name} has no tasks; make some with autoforge-gen tasks, or give one.")
        if wanted is None:
            return tasks[(seed or 0) % len(tasks)]
        found = next((task for task in tasks if task.id == wanted), None)
        if found is None:
            raise BadInput(f"{self.server.name} has no task {wanted!r}; its first is {tasks[0].id!r}.")
        return found


def offered(task: Task, tools: Sequence[ToolDocument]) -> list[ToolDocument]:
    """The tools that the agent is shown: those of its side; with distractors, those that gold calls and these."""
    own = [tool for tool in tools if side_of(tool) == "agent"]
    if task.distractors is None:
        return own
    wanted = {call.tool for call in task.gold.calls} | set(task.distractors)
    return [tool for tool in own if tool["name"] in wanted]


class _Episode:
    """One episode between its first message and its end."""

    def __init__(self, limits: EpisodeLimits, with_progress: bool) -> None:
        self._limits = limits
        self._with_progress = with_progress
        self._session: Session | None = None
        self._numbered: Numbered
        self._names: frozenset[str] = frozenset()
        self._watch: StateWatch
        self._told: list[str] = []
        self._turns = self._calls = self._spoiled = self._user_turns = self._user_calls = 0
        self.over = False

    @property
    def session(self) -> Session:
        assert self._session is not None
        return self._session

    async def begin(
        self, server: ToolServer, user: User, task: Task, name: str, seed: int
    ) -> tuple[Observation, dict[str, Any]]:
        with deadline(self._limits.open_seconds, "server", "the session was not ready"):
            self._session = await server.open(task, name)
        self._watch = StateWatch(self.session, task, self._limits.state_seconds)
        await self._watch.begin(with_progress=self._with_progress)
        tools = offered(task, self.session.tools)
        self._names = frozenset(str(tool["name"]) for tool in tools)
        spoken = await self._begun_by(user, task, seed)
        info = await self._info(spoken, None, wrote=bool(spoken.calls))
        info |= {"task": task.id, "tools": tools, "instructions": self.session.instructions}
        return (Message(role="user", content=spoken.text),), info

    async def _begun_by(self, user: User, task: Task, seed: int) -> UserTurn:
        """The user's first turn. Raises EpisodeFailure where it is its last."""
        own = [tool for tool in self.session.tools if side_of(tool) == "user"]
        speaker = user.begin(UserBriefing(task, own, self._call_of_user if own else None, seed))
        self._numbered = Numbered(speaker, deadline=self._limits.user_seconds)
        spoken = await self._user_turn(None)
        if spoken.ending is not None:
            raise EpisodeFailure("user", "user", "the user ended the conversation before the agent had a turn")
        return spoken

    async def step(self, action: Action) -> Stepped:
        self._turns += 1
        if action.truncated or not (action.calls or action.text.strip()):
            return await self._mended(Message(role="user", content=_CUT if action.truncated else _EMPTY))
        self._spoiled = 0
        if action.calls:
            return await self._called(action.calls)
        self._told.append(action.text)
        return await self._answered(action.text)

    async def _mended(self, message: Message) -> Stepped:
        """A turn that says nothing costs a turn and is told what is wrong."""
        self._spoiled += 1
        if self._spoiled >= self._limits.spoiled:
            return await self._truncated(f"{self._spoiled} turns in a row were empty or cut off")
        return await self._goes_on((message,))

    async def _called(self, calls: Sequence[ToolCall]) -> Stepped:
        results = []
        for call in calls[: self._limits.calls - self._calls]:
            self._calls += 1
            result = await self._call(call)
            results.append(
                Message(role="tool", tool_call_id=call.id, content=result.text, is_error=result.is_error)
            )  # fmt: skip
        return await self._goes_on(tuple(results), wrote=True)

    async def _call(self, call: ToolCall) -> ToolResult:
        if call.malformed is not None:
            words = f"The arguments of {call.name} were no JSON object: {call.malformed[:200]}"
            return ToolResult(words, is_error=True)
        if call.name not in self._names:
            return ToolResult(f"Unknown tool: {call.name[:120]}", is_error=True)
        return await self._made(call.name, call.arguments, f"agent-{self._calls}")

    async def _made(self, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        with deadline(self._limits.call_seconds, "server", f"{name} did not answer"):
            return await self.session.call(name, arguments, call_id)

    async def _call_of_user(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self._user_calls += 1
        return await self._made(name, arguments, f"user-{self._user_calls}")

    async def _answered(self, text: str) -> Stepped:
        spoken = await self._user_turn(text)
        if spoken.ending is None:
            message = Message(role="user", content=spoken.text)
            return await self._goes_on((message,), spoken=spoken, wrote=bool(spoken.calls))
        return await self._ended(spoken)

    async def _user_turn(self, heard: str | None) -> UserTurn:
        turn = await self._numbered.turn(self._user_turns, heard)
        self._user_turns += 1
        return turn

    async def _goes_on(
        self, observation: Observation, *, spoken: UserTurn | None = None, wrote: bool = False
    ) -> Stepped:
        info = await self._info(spoken, None, wrote=wrote)
        if self._turns >= self._limits.turns:
            return await self._truncated(f"the limit of {self._limits.turns} turns", observation, info)
        if self._calls >= self._limits.calls:
            return await self._truncated(f"the limit of {self._limits.calls} tool calls", observation, info)
        return Stepped(observation, 0.0, False, False, info)

    async def _truncated(self, why: str, observation: Observation = (), info: dict[str, Any] | None = None) -> Stepped:
        """The policy's own limits score 0."""
        self.over = True
        info = info if info is not None else await self._info(None, None)
        return Stepped(observation, 0.0, False, True, {**info, "truncation": why})

    async def _ended(self, spoken: UserTurn) -> Stepped:
        self.over = True
        info = await self._info(spoken, spoken.ending, wrote=bool(spoken.calls))
        reward = self._watch.scored(self._told)
        observation = (Message(role="user", content=spoken.text),) if spoken.text else ()
        value = reward.value if reward is not None else 0.0
        return Stepped(observation, value, True, False, {**info, "reward": reward})

    async def _info(self, spoken: UserTurn | None, ending: Ending | None, *, wrote: bool = False) -> dict[str, Any]:
        """What changed in the step, whose calls the user made, how far gold is reached."""
        info: dict[str, Any] = {"diff": await self._watch.changed() if wrote else (), "ending": ending}
        if spoken is not None:
            info |= {"user_calls": spoken.calls, "user_usage": spoken.usage}
        if (progress := self._watch.progress) is not None:
            info["progress"] = progress
        return info

    def end(self) -> None:
        """No further turn is taken."""
        self.over = True

    async def close(self) -> None:
        self.over = True
        session, self._session = self._session, None
        if session is not None:
            with anyio.CancelScope(shield=True), anyio.move_on_after(self._limits.state_seconds):
                await session.close()
