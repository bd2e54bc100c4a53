"""An environment folder as a server: contained processes that many episodes share.

Invariant: what a call answers is what `server.py` answers, word for word; the state lives in a file of its own for each
episode and is read from outside; a worker that is killed is replaced, and the call is made once. Not covered: the MCP
wire, which is the same text in every `server.py` (`command` and `url` speak it).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import anyio

from autoforge.gym.failures import Blame, EpisodeFailure
from autoforge.gym.servers.server import ToolDocument, ToolResult
from autoforge.gym.servers.setup import make_setup_calls
from autoforge.mcp_envs.arguments import Arguments, BadArguments
from autoforge.mcp_envs.containment import CallResult, ContainedTools, contained
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import BadInput, ContainmentError
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State, read_state
from autoforge.mcp_envs.task import Task, read_tasks

__all__ = ["FolderServer", "FolderSession", "documents_of", "policy_of"]

_FULL = ("disk is full", "disk I/O error", "readonly database", "unable to open database")
"""Words of SQLite for what is no fault of a tool."""
_STATEMENTS = "the worker could not do it"
"""Words of the worker where a task's statements fail, and not itself."""


class _Tool(NamedTuple):
    arguments: Arguments
    wrapped: bool
    """Whether even an object is wrapped, because the documented output schema is not one of an object."""


class FolderServer:
    """One environment in `workers` processes. An async context manager, entered and left in one task."""

    def __init__(self, folder: EnvironmentFolder, *, workers: int = 1, state_folder: Path | None = None) -> None:
        """`state_folder` holds the episodes' files; None means a temporary one. Raises BadInput for a folder whose
        documents or tasks cannot be read."""
        self.folder = folder
        self.tasks: Sequence[Task] = read_tasks(folder.path)
        self.documents: Sequence[ToolDocument] = documents_of(folder)
        self.instructions = policy_of(folder)
        self.known = {str(d["name"]): _Tool(Arguments(d["inputSchema"], {}), _wrapped(d)) for d in self.documents}
        self._workers = workers
        self._state_folder = state_folder
        self._stack = AsyncExitStack()
        self._tools: ContainedTools | None = None

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def manifest(self) -> Manifest:
        return self.folder.manifest

    @property
    def contained(self) -> ContainedTools:
        assert self._tools is not None, "enter the server first"
        return self._tools

    async def __aenter__(self) -> Self:
        """Start it. Raises BadInput, ContainmentError."""
        pool = contained(self.folder.path, self._workers, self._state_folder)
        self._tools = await self._stack.enter_async_context(pool)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tools = None
        await self._stack.__aexit__(kind, error, trace)

    async def open(self, task: Task | None, episode: str) -> FolderSession:
        """A session; the task's set-up calls are made. Raises EpisodeFailure."""
        session = FolderSession(self, episode)
        async with AsyncExitStack() as unfinished:
            unfinished.push_async_callback(_closed, session)
            await self._begin(session, task, episode)
            unfinished.pop_all()
        return session

    async def _begin(self, session: FolderSession, task: Task | None, episode: str) -> None:
        try:
            await self.contained.reset(episode, task.initial if task is not None else ())
        except (ContainmentError, OSError) as error:
            blame = _blame(str(error)) if _STATEMENTS in str(error) else "infrastructure"
            raise EpisodeFailure(blame, "state", f"the state could not be made: {error}") from None
        await make_setup_calls(session, task)

    async def forget(self, episode: str) -> None:
        """Remove an episode's file, where the end of the server has not done so. What cannot be removed now is removed
        then: it changes nothing in what the episode is worth."""
        if self._tools is not None:
            with suppress(ContainmentError, OSError):
                await self._tools.close_episode(episode)


class FolderSession:
    """One episode of a folder."""

    def __init__(self, server: FolderServer, episode: str) -> None:
        self._server = server
        self._episode = episode
        self._closed = False
        self.tools = server.documents
        self.instructions = server.instructions
        self.manifest: Manifest | None = server.manifest

    async def call(self, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        """Make a call; what is refused is an error that the agent may mend. Raises EpisodeFailure."""
        tool = self._server.known.get(name)
        if tool is None:
            return ToolResult(f"Unknown tool: {name[:120]}", is_error=True)
        try:
            checked = tool.arguments.keywords(dict(arguments))
        except BadArguments as error:
            return ToolResult(str(error), is_error=True)
        try:
            result = await self._server.contained.call(self._episode, name, checked, call_id=call_id)
        except (ContainmentError, BadInput, OSError) as error:
            raise EpisodeFailure("infrastructure", "server", f"{name} could not be called: {error}") from None
        return _answer(name, result, tool.wrapped)

    async def state(self) -> State:
        """The state as of the last call. Raises EpisodeFailure."""
        try:
            return read_state(self._server.contained.state_path(self._episode))
        except BadInput as error:
            raise EpisodeFailure("infrastructure", "state", str(error)) from None

    async def close(self) -> None:
        """Remove the episode's file."""
        if not self._closed:
            self._closed = True
            await self._server.forget(self._episode)


async def _closed(session: FolderSession) -> None:
    """Also where its opening was cancelled; the worker's own deadlines end it."""
    with anyio.CancelScope(shield=True):
        await session.close()


def _answer(name: str, result: CallResult, wrapped: bool) -> ToolResult:
    """The result as `server.py` words it. Raises EpisodeFailure where the tool is at fault, not its arguments."""
    if result.kind == "refused":
        return ToolResult(result.message, is_error=True)
    if result.kind == "deadline":
        raise EpisodeFailure("environment", "server", f"{name} took too long: {result.message}")
    if result.kind == "failed":
        raise EpisodeFailure(_blame(result.message), "server", f"{name} broke: {result.message}")
    value = {"result": result.value} if wrapped or not isinstance(result.value, dict) else result.value
    return ToolResult(json.dumps(value, ensure_ascii=False, separators=(",", ":")), value=value)


def _blame(message: str) -> Blame:
    return "infrastructure" if any(words in message for words in _FULL) else "environment"


def documents_of(folder: EnvironmentFolder) -> list[ToolDocument]:
    """The tools of both sides as an agent is shown them. Raises BadInput."""
    return [{key: value for key, value in d.items() if value is not None} for d in folder.documents()]


def policy_of(folder: EnvironmentFolder) -> str:
    """The rules of the domain; empty where there are none. Raises BadInput."""
    return folder.text("policy.md") if (folder.path / "policy.md").is_file() else ""


def _wrapped(document: Mapping[str, Any]) -> bool:
    output = document.get("outputSchema")
    return output is not None and output.get("type") != "object"
