"""One episode as an MCP server: the agent's tools, and one more by which it speaks to the user.

A call of a tool is a turn of the agent, and so is a message to the user. One task takes the turns, one after the other,
so that a client that cancels a call or sends several at once leaves a whole record.

Invariant: the trajectory is kept before the agent is told that the conversation has ended, exactly once, whatever ends
the episode; after that every call is refused; the reward is not shown. A client that leaves early is a failure of the
infrastructure, never of the policy. Not covered: transports (`stdio`, `hosting`).
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import anyio
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from autoforge.gym.environment import Environment, Stepped
from autoforge.gym.failures import EpisodeFailure, Failure
from autoforge.gym.llm import Message, ToolCall
from autoforge.gym.record import Clock, EpisodeRecord, Play
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.serving.message_tool import arguments_problem, message_tool, message_tool_name, opening
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.turns import Action
from autoforge.mcp_envs.errors import ModelFailure

__all__ = ["EpisodeServer", "Keep", "served_episode"]

Keep: TypeAlias = Callable[[Trajectory], Awaitable[object]]
"""Stores the trajectory; when it returns, the disk has it."""
_COMPLETE = {"resultType": "complete"}
_HIDDEN = frozenset({"outputSchema", "_meta", "execution"})
"""Of a tool: results are the texts that every agent of the gym gets, without a structure beside them."""
_LEFT = "the client left before the user had ended the conversation"


class _Asked:
    """A turn that waits for its result."""

    def __init__(self, action: Action) -> None:
        self.action = action
        self.done = anyio.Event()
        self.text = ""
        self.is_error = False


class EpisodeServer:
    """An episode that has begun; `served_episode` makes and ends it."""

    def __init__(self, environment: Environment, record: EpisodeRecord, keep: Keep) -> None:
        self._environment = environment
        self._record = record
        self._keep = keep
        self._send, self._asked = anyio.create_memory_object_stream[_Asked](0)
        self._calls = 0
        self._message = ""
        self._tools: list[dict[str, Any]] = []
        self._opening = ""
        self._refusal = ""
        """Why no further call is made; empty while the episode goes on."""
        self.left = _LEFT
        """Why the episode failed if it is ended now."""

    @property
    def over(self) -> bool:
        return bool(self._refusal)

    async def begin(self, play: Play) -> None:
        """Reset the environment. Raises EpisodeFailure, the trajectory of which is kept."""
        try:
            observation, info = await self._environment.reset(seed=play.dice, options={"task": play.task})
        except (EpisodeFailure, ModelFailure) as error:
            failure = _failure_of(error)
            await self._end(self._record.failed(failure), "The episode could not begin.")
            raise EpisodeFailure(failure.blame, failure.where, failure.message) from None
        self._record.begins(observation, info)
        first = "\n\n".join(message.content for message in observation)
        documents: Sequence[ToolDocument] = info["tools"]
        self._message = message_tool_name({str(tool["name"]) for tool in documents})
        self._tools = [*map(_listing, documents), message_tool(self._message, first)]
        self._opening = opening(info["instructions"], self._message, first)

    async def play(self) -> None:
        """Take the turns that are asked for, until the task that does so is cancelled. Raises AutoForgeError where the
        trajectory cannot be kept."""
        async for asked in self._asked:
            await self._take(asked)
            asked.done.set()

    async def leave(self) -> None:
        """The end of the server: an episode that goes on has failed."""
        if not self.over:
            failure = Failure(blame="infrastructure", where="agent", message=self.left)
            await self._end(self._record.failed(failure), self.left)

    async def close(self) -> None:
        """Let go of all that the episode holds."""
        self._send.close()
        self._asked.close()
        await self._environment.close()

    def mcp_server(self) -> Server[Any]:
        """The server of this episode, for any number of connections."""

        async def list_tools(ctx: ServerRequestContext[Any], params: PaginatedRequestParams) -> dict[str, Any]:
            if params.cursor is not None:
                raise MCPError(INVALID_PARAMS, "Invalid cursor: the tools are listed on one page.")
            return {**_COMPLETE, "tools": self._tools}

        async def call_tool(ctx: ServerRequestContext[Any], params: CallToolRequestParams) -> dict[str, Any]:
            return await self.call(params.name, params.arguments or {})

        schemas = {tool["name"]: tool["inputSchema"] for tool in self._tools}
        server: Server[Any] = Server(
            f"{self._environment.server.name}-episode",
            instructions=self._opening,
            cache_hints={"tools/list": CacheHint(ttl_ms=3_600_000, scope="private")},
            get_tool_input_schema=schemas.get,
        )
        server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
        server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
        return server

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of one call of the agent, as it goes on the wire."""
        if self.over:
            return _result(self._refusal, is_error=True)
        problem = arguments_problem(name, arguments) if name == self._message else None
        asked = _Asked(self._action(name, arguments, problem))
        await self._send.send(asked)
        await asked.done.wait()
        if problem is not None and not self.over:
            return _result(problem, is_error=True)
        return _result(asked.text, is_error=asked.is_error)

    def _action(self, name: str, arguments: Mapping[str, Any], problem: str | None) -> Action:
        """A message that cannot be said is a turn without words, so that it counts as one."""
        if problem is not None:
            return Action()
        if name == self._message:
            return Action(text=arguments["text"])
        self._calls += 1
        return Action(calls=(ToolCall(id=f"call-{self._calls}", name=name, arguments=dict(arguments)),))

    async def _take(self, asked: _Asked) -> None:
        if self.over:
            asked.text, asked.is_error = self._refusal, True
            return
        self._record.acts(asked.action)
        try:
            stepped = await self._environment.step(asked.action)
        except (EpisodeFailure, ModelFailure) as error:
            failure = _failure_of(error)
            await self._end(self._record.failed(failure), f"The episode cannot go on: {failure.message}.")
            asked.text, asked.is_error = self._refusal, True
        else:
            await self._took(asked, stepped)

    async def _took(self, asked: _Asked, stepped: Stepped) -> None:
        self._record.sees(stepped)
        asked.text = "\n\n".join(message.content for message in stepped.observation if message.content)
        asked.is_error = any(_refused(message) for message in stepped.observation)
        if not (stepped.terminated or stepped.truncated):
            return
        why = stepped.info.get("truncation", "")
        words = f"The episode has ended: {why}" if stepped.truncated else "The user has ended the conversation"
        await self._end(self._record.ends(stepped), f"{words}; no further call is made.")
        asked.text = "\n\n".join(part for part in (asked.text, self._refusal) if part)

    async def _end(self, trajectory: Trajectory, refusal: str) -> None:
        """Whoever leaves meanwhile, the trajectory is kept."""
        self._refusal = refusal
        with anyio.CancelScope(shield=True):
            await self._environment.close()
            await self._keep(trajectory)


@asynccontextmanager
async def served_episode(
    environment: Environment, play: Play, *, agent: str, keep: Keep, clock: Clock = time.monotonic
) -> AsyncIterator[EpisodeServer]:
    """An episode that has begun, for as long as it is served. `agent` names it in the trajectory.

    Raises EpisodeFailure where it cannot begin, AutoForgeError where the trajectory cannot be kept.
    """
    episode = EpisodeServer(environment, EpisodeRecord(environment, agent, play, clock), keep)
    try:
        await episode.begin(play)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(episode.play)
                yield episode
                group.cancel_scope.cancel()
        finally:
            await episode.leave()
    finally:
        await episode.close()


def _failure_of(error: EpisodeFailure | ModelFailure) -> Failure:
    """A model here is the user's."""
    if isinstance(error, EpisodeFailure):
        return error.failure
    return Failure(blame="infrastructure", where="user", message=str(error))


def _listing(tool: ToolDocument) -> dict[str, Any]:
    return {"inputSchema": {"type": "object"}} | {n: v for n, v in tool.items() if n not in _HIDDEN and v is not None}


def _refused(message: Message) -> bool:
    return message.role == "tool" and message.is_error


def _result(text: str, *, is_error: bool) -> dict[str, Any]:
    clean = text.encode("utf-8", "replace").decode()
    return {"content": [{"type": "text", "text": clean}], "isError": is_error, **_COMPLETE}
