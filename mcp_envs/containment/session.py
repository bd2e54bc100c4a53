"""What is said to a worker and what its silence means; one text for the blocking and the asynchronous driver.

A *plan* is a generator that yields an `Exchange` and is sent the line that came, or has `WorkerGone` thrown into it.
Invariant: when a worker is gone, its episodes lose nothing that was committed and keep nothing that was not; a call
that was not itself the reason is made once more under its id, which answers with the stored reply where there is one.
Not covered: waiting (`sync`, `pool`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

from autoforge.mcp_envs.containment.limits import Enforcement, Limits
from autoforge.mcp_envs.containment.link import Exchange, Link, WorkerGone
from autoforge.mcp_envs.containment.states import FILE_SUFFIX
from autoforge.mcp_envs.containment.static import check_file
from autoforge.mcp_envs.errors import BadInput, ContainmentError

__all__ = ["Call", "CallResult", "Plan", "Session", "Source", "state_path"]

T = TypeVar("T")
Plan: TypeAlias = Generator[Exchange, bytes, T]
_EPISODE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")
_KINDS = ("ok", "refused", "failed", "deadline")


class Call(NamedTuple):
    """One call of a tool, by its documented names."""

    tool: str
    arguments: Mapping[str, Any] = {}
    id: str | None = None
    """Repeating an id within an episode returns the first reply and does nothing. None: no reply is kept."""


class CallResult(NamedTuple):
    """What became of a call. Unless `kind` is `ok`, the state is as it was before."""

    kind: Literal["ok", "refused", "failed", "deadline"]
    """`refused`: ToolError, for the agent to see; `failed`: any other exception, a fault of the tool; `deadline`: it
    did not end."""
    value: Any = None
    message: str = ""

    @property
    def ok(self) -> bool:
        return self.kind == "ok"


class Source(NamedTuple):
    """The text of an environment, as given to workers."""

    tools: str
    scripts: tuple[str, ...]
    names: dict[str, tuple[str, dict[str, str]]]
    """Tool -> (function, documented parameter -> parameter)."""
    unchecked: bool = False
    without: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: Path, *, unchecked: bool = False, without: tuple[str, ...] = ()) -> Source:
        """Read and check an environment folder. Raises ContainmentError for code that may not run, BadInput for a
        missing file."""
        try:
            texts = [(folder / name).read_text(encoding="utf-8") for name in ("tools.py", "schema.sql", "seed.sql")]
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{folder} is not a readable environment folder: {error}") from None
        if not unchecked:
            check_file(folder / "tools.py")
        return cls(texts[0], tuple(texts[1:]), _names(folder / "environment.json"), unchecked, without)


class Session:
    """A worker that is started when it is needed and replaced when it is gone."""

    def __init__(self, source: Source, folder: Path, limits: Limits, hash_seed: int = 0) -> None:
        self._source = source
        self._folder = folder
        self._limits = limits
        self._hash_seed = hash_seed
        self._link: Link | None = None
        self._last = 0
        self.enforcement = Enforcement()
        self.tools: tuple[str, ...] = ()
        self.starts = 0
        """How many processes were started so far."""

    @property
    def link(self) -> Link:
        assert self._link is not None
        return self._link

    def start(self) -> Plan[None]:
        """Start the worker if there is none. Raises ContainmentError when it cannot be."""
        if self._link is not None:
            return
        self.starts += 1
        self._link = Link(self._folder, self._limits.result * 2 + 65536, self._hash_seed)
        source = self._source
        texts = {"source": source.tools, "names": source.names, "scripts": source.scripts}
        request = {**texts, "limits": asdict(self._limits), "unchecked": source.unchecked, "without": source.without}
        try:
            reply = yield from self._ask("load", request, self._limits.start_seconds)
        except WorkerGone as gone:
            self.stop()
            raise ContainmentError(f"the environment could not be loaded: {gone}") from None
        held = reply["value"]["enforcement"]
        self.enforcement = Enforcement(**{**held, "resources": tuple(held["resources"])})
        self.tools = tuple(reply["value"]["tools"])

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def manage(self, operation: str, **arguments: Any) -> Plan[None]:
        """`open`, `reset`, `fork` or `close`; all may safely be repeated, and are, once, when the worker is gone."""
        for attempt in (1, 2):
            yield from self.start()
            try:
                yield from self._ask(operation, arguments, self._limits.start_seconds)
                return
            except WorkerGone as gone:
                self.stop()
                if attempt == 2:
                    raise ContainmentError(f"the worker could not {operation} the episode: {gone}") from None

    def calls(self, episode: str, calls: Sequence[Call], seconds: float | None, stop: bool) -> Plan[list[CallResult]]:
        """Make calls in order, each with its own deadline; with `stop`, none after the first that is not ok."""
        if not state_path(self._folder, episode).exists():
            raise BadInput(f"there is no episode {episode!r}: open it first")
        seconds = self._limits.seconds if seconds is None else seconds
        results: list[CallResult] = []
        retried = -1
        while len(results) < len(calls) and not (stop and results and not results[-1].ok):
            yield from self.start()
            try:
                yield from self._run(episode, calls[len(results) :], seconds, stop, results)
            except WorkerGone as gone:
                self.stop()
                if gone.late:
                    results.append(
                        CallResult(
                            "deadline", message="the call did not end in time and was killed; it changed nothing"
                        )
                    )
                elif retried == len(results):
                    results.append(
                        CallResult("failed", message="WorkerGone: the call ended its process twice; it changed nothing")
                    )
                else:
                    retried = len(results)
                yield from self.manage("open", episode=episode, initial=())  # rolls back what was half done
        return results

    def _run(
        self, episode: str, calls: Sequence[Call], seconds: float, stop: bool, results: list[CallResult]
    ) -> Plan[None]:
        request = {"episode": episode, "calls": [tuple(call) for call in calls], "seconds": seconds, "stop": stop}
        data = self._request("calls", request)
        for _ in calls:
            reply = self._reply((yield Exchange(data, seconds + self._limits.grace)))
            results.append(CallResult(reply["kind"], reply.get("value"), reply.get("message", "")))
            data = b""
            if stop and not results[-1].ok:
                return

    def _ask(self, operation: str, arguments: Mapping[str, Any], seconds: float) -> Plan[dict[str, Any]]:
        reply = self._reply((yield Exchange(self._request(operation, arguments), seconds)))
        return reply

    def _request(self, operation: str, arguments: Mapping[str, Any]) -> bytes:
        self._last += 1
        try:
            return json.dumps({"id": self._last, "op": operation, "with": arguments}, allow_nan=False).encode() + b"\n"
        except (TypeError, ValueError) as error:
            raise BadInput(f"a request must be JSON: {error}") from None

    def _reply(self, line: bytes) -> dict[str, Any]:
        """Read a line with suspicion: generated code may have written it."""
        try:
            answer = json.loads(line)
            good = answer["id"] == self._last and answer["reply"]["kind"] in (*_KINDS, "broken")
            good = good and isinstance(answer["reply"].get("message", ""), str)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            good = False
        if not good:
            raise WorkerGone(late=False)
        if answer["reply"]["kind"] == "broken":
            self.stop()
            raise ContainmentError(f"the worker could not do it: {answer['reply'].get('message')}")
        return cast(dict[str, Any], answer["reply"])


def state_path(folder: Path, episode: str) -> Path:
    """The state file of an episode. Raises BadInput for a name that could not be a file's."""
    if not _EPISODE.fullmatch(episode):
        raise BadInput(f"an episode is named by up to 100 letters, digits, '-', '_' and '.', not {episode[:120]!r}")
    return folder / (episode + FILE_SUFFIX)


def _names(manifest: Path) -> dict[str, tuple[str, dict[str, str]]]:
    if not manifest.exists():
        return {}
    try:
        tools = json.loads(manifest.read_text(encoding="utf-8"))["tools"]
        return {tool["name"]: (tool["function"], dict(tool.get("arguments", {}))) for tool in tools}
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{manifest} is not a manifest: {type(error).__name__}: {error}") from None
