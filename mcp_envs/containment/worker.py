"""The child process in which generated code runs: JSON lines in, JSON lines out, one request at a time.

Started as a script by `link.py` with nothing inherited. Invariant: every limit that the machine has is in force before
the text of a `tools.py` is compiled, and each call commits with its id and its reply or not at all. Not covered: trust
in the replies. What runs here may take over the process, so the parent believes nothing but the state files, and those
only as data.
"""

from __future__ import annotations

import json
import os
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def _find_packages() -> None:
    """Make `autoforge.mcp_envs` importable from the folder this file is in, without site-packages and without running
    `__init__`."""
    folder = Path(__file__).resolve().parent
    for name, path in (
        ("autoforge", None),
        ("autoforge.mcp_envs", folder.parent),
        ("autoforge.mcp_envs.containment", folder),
    ):
        package = types.ModuleType(name)
        package.__path__ = [] if path is None else [str(path)]
        sys.modules[name] = package


if __name__ == "__main__":
    _find_packages()

from autoforge.mcp_envs import runtime  # noqa: E402
from autoforge.mcp_envs.containment.kernel import contain  # noqa: E402
from autoforge.mcp_envs.containment.limits import Limits  # noqa: E402
from autoforge.mcp_envs.containment.module import OutOfTime, ToolModule, make_ready  # noqa: E402
from autoforge.mcp_envs.containment.states import States  # noqa: E402
from autoforge.mcp_envs.containment.static import check_source  # noqa: E402

__all__ = ["Worker", "main"]

_MESSAGE_LENGTH = 2000
_FIND = f"SELECT reply FROM {runtime.CALL_TABLE} WHERE id = ?"
_KEEP = f"INSERT INTO {runtime.CALL_TABLE}(id, reply) VALUES (?, ?)"

Request = dict[str, Any]
Reply = str
"""JSON text of an object with `kind` and `value` or `message`."""


class TooLarge(Exception):
    """A result is longer than the limit."""


class Worker:
    """Answers requests; `load` comes first and closes the door."""

    def __init__(self) -> None:
        self._limits = Limits()
        self._module: ToolModule
        self._states: States

    def answer(self, request: Request) -> Iterator[Reply]:
        """One reply, or for `calls` one for each call made."""
        try:
            if request["op"] == "calls":
                yield from self._calls(**request["with"])
            else:
                yield getattr(self, "_" + request["op"])(**request["with"])
        except (Exception, OutOfTime) as error:
            yield _reply(
                "broken", f"{type(error).__name__}: {_words(error)}"
            )  # the request as a whole; no further reply follows

    def _load(
        self,
        source: str,
        names: dict[str, Any],
        scripts: list[str],
        limits: dict[str, Any],
        unchecked: bool,
        without: list[str],
    ) -> Reply:
        self._limits = Limits(**limits)
        findings = () if unchecked else check_source(source)
        if findings:
            raise ValueError(f"line {findings[0].line}: {findings[0].message}")
        make_ready()
        enforcement = contain(Path("."), self._limits, tuple(without))
        self._states = States(scripts, self._limits.open_files // 2)
        self._module = ToolModule(source, names, self._limits.grace, trusted=unchecked)
        return _ok({"tools": self._module.tools, "enforcement": enforcement._asdict()})

    def _open(self, episode: str, initial: list[str]) -> Reply:
        self._states.attach(episode, initial)
        return _ok(None)

    def _reset(self, episode: str, initial: list[str]) -> Reply:
        self._states.reset(episode, initial)
        return _ok(None)

    def _fork(self, source: str, target: str) -> Reply:
        self._states.fork(source, target)
        return _ok(None)

    def _close(self, episode: str, keep: bool) -> Reply:
        self._states.close(episode, keep)
        return _ok(None)

    def _calls(self, episode: str, calls: list[list[Any]], seconds: float, stop: bool) -> Iterator[Reply]:
        connection = self._states.connection(episode)
        for tool, arguments, call_id in calls:
            reply = self._call(connection, tool, arguments, call_id, seconds)
            yield reply
            if stop and not reply.startswith('{"kind":"ok"'):
                return

    def _call(
        self, connection: runtime.Connection, tool: str, arguments: dict[str, Any], call_id: str | None, seconds: float
    ) -> Reply:
        known = None if call_id is None else connection.execute(_FIND, (call_id,)).fetchone()
        if known is not None:
            return str(known[0])
        kept: list[Reply] = []

        def record(text: str) -> None:
            if len(text) > self._limits.result:
                raise TooLarge(
                    f"the result has {len(text)} characters of JSON; at most {self._limits.result} are allowed"
                )
            kept.append(f'{{"kind":"ok","value":{text}}}')
            if call_id is not None:
                connection.execute(_KEEP, (call_id, kept[0]))

        reply = self._attempt(
            lambda: runtime.call(connection, self._module.prepare(tool, seconds), arguments, seconds, record)
        )
        if reply is None:
            return kept[0]
        if call_id is not None and not reply.startswith('{"kind":"deadline"'):
            connection.execute(_KEEP, (call_id, reply))
        return reply

    def _attempt(self, run: Callable[[], object]) -> Reply | None:
        """None when it succeeds, else the reply. What generated code raises ends here, whatever it is."""
        try:
            run()
        except (OutOfTime, runtime.DeadlineExceeded):
            return _reply("deadline", "the call did not end in time; it changed nothing")
        except BaseException as error:
            return _reply("refused", _words(error)) if isinstance(error, self._module.error) else _failed(error)
        return None


def _ok(value: object) -> Reply:
    return '{"kind":"ok","value":' + json.dumps(value) + "}"


def _reply(kind: str, message: str) -> Reply:
    return json.dumps({"kind": kind, "message": message[:_MESSAGE_LENGTH]}, separators=(",", ":"))


def _failed(error: BaseException) -> Reply:
    return _reply("failed", f"{type(error).__name__}: {_words(error)}")


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except (Exception, OutOfTime):
        return "(an error that does not say what it is)"


def main() -> None:
    """Serve until the parent closes the pipe. Nothing else in this process can print into it."""
    requests, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    worker = Worker()
    with open(requests, "rb") as lines, open(replies, "wb", buffering=0) as output:
        for line in lines:
            request = json.loads(line)
            for reply in worker.answer(request):
                _write(output.fileno(), f'{{"id":{request["id"]},"reply":{reply}}}\n'.encode())
    os._exit(0)


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


if __name__ == "__main__":
    main()
