"""A command that speaks MCP on stdio as a server: a process of its own for each episode.

A command has `{folder}` wherever it wants the episode's own folder, which is also its working folder; `env NAME=VALUE
command` sets a variable. Its temporary files go to a folder beside that. Both are removed when the episode ends.

Invariant: a server sees no variable that looks like a secret, unless it was given by name; when a session has been
closed, its process group and its folders are gone, however the server ended; no more than `at_once` run at a time.
Not covered: what the command does to the rest of the machine, processes that leave their group, how much a server
writes to stderr.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm.secrecy import scrubbed_environment
from autoforge.gym.regular_file import shown
from autoforge.gym.servers.connected import ConnectedServer
from autoforge.gym.servers.connection import CLASSIC, DEADLINES, Connection, Deadlines, connect
from autoforge.gym.servers.session import ForeignSession
from autoforge.mcp_envs.containment import ScratchFolder
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["FOLDER", "CommandServer", "split_command"]

FOLDER = "{folder}"
"""Stands for the episode's own folder in a command."""
AT_ONCE = 32
"""Processes at a time: 70 MB and a second of a core's time to start are usual for each."""
_LAUNCH = 'echo $$ >"$0" && exec "$@"'
"""Keeps the number of the process, which is also that of its group: the SDK does not tell it."""
_LAUNCHERS = frozenset("env npx uvx uv node python python3 pipx run bunx deno docker tool exec sh bash".split())
_PLAIN = frozenset("server main index cli __main__".split())
"""Names of files that say nothing of the server: their folder's does."""
_KILL_SECONDS = 2.0
"""For what was killed to be gone."""
_LOOK_SECONDS = 0.005
"""Between two looks."""
_LAST_BYTES = 4096
_LAST_WORDS = 300
"""Characters of what a server said last."""


class CommandServer(ConnectedServer):
    """Episodes of one command. An async context manager, entered and left in one task."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        tasks: Sequence[Task] = (),
        at_once: int = AT_ONCE,
        variables: Mapping[str, str] | None = None,
        deadlines: Deadlines = DEADLINES,
    ) -> None:
        """`variables` are given to the server beside those of this process that are no secret. Raises BadInput for a
        command that cannot be started."""
        super().__init__()
        self.words = split_command(command)
        self.tasks = tasks
        self.name = tasks[0].environment if tasks else _name(self.words)
        self._variables = {**scrubbed_environment(), **(variables or {})}
        self._deadlines = deadlines
        self._modes: Sequence[str] = CLASSIC
        self._places = anyio.CapacityLimiter(at_once)
        self._numbers = itertools.count(1)
        self._root: Path

    async def __aenter__(self) -> Self:
        self._root = self._stack.enter_context(ScratchFolder("command"))
        await self._begin()
        return self

    async def open(self, task: Task | None, episode: str) -> ForeignSession:
        """Start a process, waiting for a place; the task's set-up calls are made. Raises EpisodeFailure."""
        async with AsyncExitStack() as stack:
            place = object()
            await self._places.acquire_on_behalf_of(place)
            stack.callback(self._places.release_on_behalf_of, place)
            process = _Process(self._root / str(next(self._numbers)), self.words, self._variables)
            stack.callback(process.remove)
            process.make_folders()
            connection = await connect(self._group, partial(self._connection, process), self._modes, stack)
            self._modes = (connection.mode,)
            session = ForeignSession(connection, self.name, task)
            stack.callback(self._sessions.discard, session)
            await session.begin(stack)
        self._sessions.add(session)
        return session

    def _connection(self, process: _Process, mode: str) -> Connection:
        client = Client(process.streams(), mode=mode, cache=None)
        return Connection(client, self.name, deadlines=self._deadlines, explain=process.last_words)


class _Process:
    """The process of one episode, and its folders."""

    def __init__(self, root: Path, words: Sequence[str], variables: Mapping[str, str]) -> None:
        self._root = root
        self._number = root / "number"
        self._log = root / "log"
        folder, temporary = root / "files", root / "temporary"
        self._folders = (root, folder, temporary)
        given = [word.replace(FOLDER, str(folder)) for word in words]
        self._parameters = StdioServerParameters(
            command="/bin/sh",
            args=["-c", _LAUNCH, str(self._number), *given],
            env={**variables, "TMPDIR": str(temporary)},
            cwd=folder,
            encoding_error_handler="replace",
        )

    def make_folders(self) -> None:
        """Raises EpisodeFailure."""
        try:
            for folder in self._folders:
                folder.mkdir()
        except OSError as error:
            raise EpisodeFailure("infrastructure", "server", f"a folder could not be made: {error}") from None

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        """The process while it runs."""
        try:
            with self._log.open("a", encoding="utf-8") as log:
                async with stdio_client(self._parameters, errlog=log) as streams:
                    yield streams
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(_KILL_SECONDS):
                while self._kill_orphans():
                    await anyio.sleep(_LOOK_SECONDS)

    def last_words(self) -> str:
        """The last line that the server wrote to stderr."""
        try:
            with self._log.open("rb") as log:
                log.seek(max(0, log.seek(0, os.SEEK_END) - _LAST_BYTES))
                lines = log.read().decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        return next((line.strip()[:_LAST_WORDS] for line in reversed(lines) if line.strip()), "")

    def remove(self) -> None:
        """Remove the folders, once the process has ended."""
        shutil.rmtree(self._root, ignore_errors=True)

    def _kill_orphans(self) -> bool:
        """Kill what a server that has ended left in its group; whether there was anything.

        A process with the group's number would be a new one that was given the number, and the group its own: as long
        as one of ours is left, nobody is given it.
        """
        try:
            number = int(self._number.read_text(encoding="ascii"))
        except (OSError, ValueError):  # it never started
            return False
        with suppress(ProcessLookupError):
            os.kill(number, 0)
            return False
        try:
            os.killpg(number, signal.SIGKILL)
        except OSError:  # there is none, or none that is ours
            return False
        return True


def split_command(command: str | Sequence[str]) -> tuple[str, ...]:
    """The words of a command; those that name a file by a relative path name it by an absolute one, for the server
    runs in another folder. Raises BadInput for one that cannot be started."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise BadInput(f"{shown(str(command))} is no command ({error}); quote it as for a shell.") from None
    if not words:
        raise BadInput("the command is empty; give one that starts an MCP server on stdio.")
    if any("\0" in word for word in words):
        raise BadInput(f"{shown(' '.join(words))} is no command: it holds a NUL character.")
    if shutil.which(words[0]) is None:
        raise BadInput(f"{shown(words[0])}: no such program; install it, or give its path.")
    return tuple(str(Path(word).absolute()) if _is_file(word) else word for word in words)


def _is_file(word: str) -> bool:
    path = Path(word)
    return (os.sep in word or bool(path.suffix)) and not path.is_absolute() and os.path.isfile(path)


def _name(words: Sequence[str]) -> str:
    """A name for what a command starts: its first word that is no launcher, option, assignment or folder."""
    for word in words:
        path = Path(word.rstrip("/"))
        stem = path.stem if path.suffix in (".py", ".js") else path.name.partition("@")[0] or path.name
        if word.startswith("-") or "=" in word or FOLDER in word or stem.rstrip(".0123456789") in _LAUNCHERS:
            continue
        return re.sub(r"[^\w.-]+", "-", path.parent.name if stem in _PLAIN and path.parent.name else stem)
    return "command"
