"""A part of `server.py`: MCP's `tools/list` and `tools/call` over the tools and the episodes.

Invariant: whatever an agent sends, a call answers with a result or a sentence it can act on, and a call that fails
changes nothing; protocol errors are left to what no agent can mend (an unknown tool, a bad episode name, too many
episodes). Tools run on the event loop's thread, one at a time: they take milliseconds, and a connection belongs to one
thread. Not covered: the transports.
"""

from __future__ import annotations

import json
import logging
import signal
import threading
import weakref
from pathlib import Path
from types import FrameType
from typing import Any, Literal

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams
from opentelemetry import trace

from autoforge.generator.emit.server_episodes import (
    DEFAULT_EPISODE,
    MAX_EPISODES,
    Episodes,
    TooManyEpisodes,
    is_episode_name,
)
from autoforge.generator.emit.server_images import BadState
from autoforge.generator.emit.server_tools import Tool, load_tools, read_json
from autoforge.mcp_envs.arguments.sentences import SHOWN
from autoforge.mcp_envs.arguments.values import BadArguments
from autoforge.mcp_envs.runtime import CALL_SECONDS, DeadlineExceeded, call

EPISODE_META = "autoforge/episode"
STATE_META = "autoforge/state"
EPISODE_HEADER = "x-autoforge-episode"
LIST_SECONDS = 3600
"""How long a client may keep the list of tools: it changes only with the files."""

COMPLETE = {"resultType": "complete"}
"""Results are given as they go on the wire: building SDK models first would only have them taken apart again. This one
key is its mark."""

Side = Literal["agent", "user", "all"]

_log = logging.getLogger("autoforge.server")


class Environment:
    """The environment in a folder, ready to be served: its tools, its episodes.

    Raises `BadStart` when the folder cannot be served.
    """

    def __init__(
        self,
        folder: Path,
        *,
        db: str | None = None,
        max_episodes: int = MAX_EPISODES,
        seconds: float = CALL_SECONDS,
        tells_state: bool = False,
    ) -> None:
        """`tells_state`: results say which state the call was on, and its version, which a write changes."""
        self.folder = folder
        self.manifest: dict[str, Any] = read_json(folder / "environment.json")
        self.tools, self._refusal = load_tools(folder, self.manifest)
        self.episodes = Episodes(folder, db, max_episodes)
        self._seconds = seconds
        self._tells_state = tells_state
        self._timer = False

    def start_timer(self) -> None:
        """Interrupt Python that outlasts a call's deadline, too, where there is a timer signal and this is the main
        thread."""
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, self._expire)
            self._timer = True

    def close(self) -> None:
        """Close every state; the server answers no more calls."""
        self.episodes.close()

    def answer(self, tool: Tool, arguments: dict[str, Any], episode: str) -> dict[str, Any]:
        """Run one call; the wire form of its result. Raises `MCPError` only for what is wrong with the episode."""
        if not self._tells_state:
            return self._run(tool, arguments, episode)
        connection = self._connection(episode)
        before = connection.total_changes
        result = self._run(tool, arguments, episode)
        if connection.total_changes != before:
            self.episodes.touch(episode)
        mark = connection.execute("PRAGMA user_version").fetchone()[0]
        return {**result, "_meta": {STATE_META: {"mark": mark, "version": self.episodes.version(episode)}}}

    def _run(self, tool: Tool, arguments: dict[str, Any], episode: str) -> dict[str, Any]:
        if self._timer:
            signal.setitimer(signal.ITIMER_REAL, self._seconds + 0.5, 0.5)
        try:
            keywords = tool.arguments.keywords(arguments)
            said: list[str] = []
            call(self._connection(episode), tool.function, keywords, self._seconds, said.append)
            return _result(said[0], tool.wrapped)
        except (BadArguments, self._refusal) as error:
            return _refused(str(error))
        except DeadlineExceeded:
            return _refused(f"The tool {tool.name} took too long and was rolled back; nothing was changed.")
        except MCPError:
            raise
        except (Exception, SystemExit):
            _log.exception("the tool %s failed", tool.name)
            return _refused(f"Internal error in tool {tool.name}; nothing was changed.")
        finally:
            if self._timer:
                signal.setitimer(signal.ITIMER_REAL, 0)

    def _connection(self, episode: str) -> Any:
        try:
            return self.episodes.connection(episode)
        except (TooManyEpisodes, BadState) as error:
            raise MCPError(INTERNAL_ERROR, f"The episode '{episode}' cannot be opened: {error}.") from None

    def _expire(self, signum: int, frame: FrameType | None) -> None:
        raise DeadlineExceeded(f"the call did not end within {self._seconds:g} s")


def build_server(environment: Environment, side: Side = "agent") -> Server[Any]:
    """The MCP server that offers the tools of one side."""
    tools = {name: tool for name, tool in environment.tools.items() if side in ("all", tool.side)}
    listed = {**COMPLETE, "tools": [tool.listing for tool in tools.values()]}

    async def list_tools(ctx: ServerRequestContext[Any], params: PaginatedRequestParams) -> dict[str, Any]:
        if params.cursor is not None:
            raise MCPError(INVALID_PARAMS, "Invalid cursor: the tools are listed on one page.")
        return listed

    async def call_tool(ctx: ServerRequestContext[Any], params: CallToolRequestParams) -> dict[str, Any]:
        tool = tools.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {_clean(params.name[:SHOWN])}")
        return environment.answer(tool, params.arguments or {}, episode_of(ctx))

    manifest, policy = environment.manifest, environment.folder / "policy.md"
    server: Server[Any] = Server(
        manifest["name"],
        version=f"{manifest['format_version']}+{manifest['provenance']['docs_digest'].rpartition(':')[2][:12]}",
        title=manifest.get("title") or None,
        description=manifest.get("description") or None,
        instructions=policy.read_text(encoding="utf-8") if side != "user" and policy.is_file() else None,
        cache_hints={"tools/list": CacheHint(ttl_ms=LIST_SECONDS * 1000, scope="public")},
        get_tool_input_schema=lambda name: tools[name].input_schema if name in tools else None,
    )
    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        server.middleware.clear()  # Nobody traces this process, and spans for nobody are a tenth of a call.
    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    return server


def build(
    folder: str | Path, *, side: Side = "agent", db: str | None = None, max_episodes: int = MAX_EPISODES
) -> Server[Any]:
    """A server of the environment in `folder`, for a client in this process: `Client(build(folder))`.

    Its states are closed when it is collected. Raises `BadStart`.
    """
    environment = Environment(Path(folder), db=db, max_episodes=max_episodes)
    server = build_server(environment, side)
    weakref.finalize(server, environment.close)
    return server


def episode_of(ctx: ServerRequestContext[Any]) -> str:
    """The episode that a request names: in its path, else its header, else its `_meta`; else the default one. Raises
    `MCPError`."""
    name: object = None
    if ctx.request is not None:
        name = ctx.request.path_params.get("episode") or ctx.request.headers.get(EPISODE_HEADER)
    if name is None and ctx.meta:
        name = ctx.meta.get(EPISODE_META)
    if name is None:
        return DEFAULT_EPISODE
    if not isinstance(name, str) or not is_episode_name(name):
        raise MCPError(
            INVALID_PARAMS, "An episode is named by 1 to 64 of the characters A-Z a-z 0-9 _ . - and is not '.' or '..'."
        )
    return name


def _result(text: str, wrapped: bool) -> dict[str, Any]:
    """A result whose text and structure are the same JSON, whatever keys and tuples the tool returned."""
    if wrapped or not text.startswith("{"):
        text = f'{{"result":{text}}}'
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": json.loads(text),
        "isError": False,
        **COMPLETE,
    }


def _refused(sentence: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": _clean(sentence)}], "isError": True, **COMPLETE}


def _clean(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
