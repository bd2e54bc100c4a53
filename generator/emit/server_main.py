"""A part of `server.py`: the command line.

Invariant: stdout carries the protocol and nothing else; end of input, SIGINT and SIGTERM end the process with status 0
and leave no temporary file; a command line or an environment that cannot be served ends it with status 2 and one
sentence on stderr. Not covered: what is served (`server_protocol`).
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import anyio

from autoforge.generator.emit.server_episodes import MAX_EPISODES
from autoforge.generator.emit.server_http import http_app, transport_security
from autoforge.generator.emit.server_protocol import Environment, build_server
from autoforge.generator.emit.server_stdio import serve_stdio
from autoforge.generator.emit.server_tools import BadStart

TOKEN_VARIABLE = "AUTOFORGE_CONTROL_TOKEN"
KEEP_ALIVE_SECONDS = 120
"""How long an idle connection stays open. A busy server may read a request seconds after it came: with uvicorn's five
it then closes the connection instead."""
SHUTDOWN_SECONDS = 3
"""How long open HTTP requests may take to end when the server is told to stop."""


def arguments_parser() -> argparse.ArgumentParser:
    """The command line of `server.py`."""
    parser = argparse.ArgumentParser(
        description="Serve this environment as an MCP server: on stdio, or over HTTP with --http."
    )
    add = parser.add_argument
    add(
        "--http",
        type=int,
        metavar="PORT",
        help="serve streamable HTTP on this port (0: any free one) at /mcp and /episodes/{id}/mcp",
    )
    add("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    add(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a further Host header to serve, repeatable; '*' serves any",
    )
    add(
        "--db",
        metavar="PATH",
        help="where states live: a file (the default state), or a folder/ (one file per episode); else in memory",
    )
    add(
        "--side",
        choices=("agent", "user", "all"),
        default="agent",
        help="whose tools to serve (default agent); over HTTP the user's are at /user/mcp",
    )
    add("--include-user-tools", dest="side", action="store_const", const="all", help="the same as --side all")
    add(
        "--max-episodes",
        type=int,
        default=MAX_EPISODES,
        metavar="N",
        help=f"most named episodes at once (default {MAX_EPISODES})",
    )
    add(
        "--control-token-env",
        metavar="NAME",
        help=f"turn on /episodes/{{id}}, guarded by the token in this variable (default: {TOKEN_VARIABLE} if set)",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the input ends or a signal comes; the exit status."""
    options = arguments_parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        if options.http is not None and not 0 <= options.http < 2**16:
            raise BadStart(f"--http {options.http}: cannot listen on this port; name one from 0 to 65535")
        token = _control_token(options)
        environment = Environment(
            Path(__file__).resolve().parent,
            db=options.db,
            max_episodes=options.max_episodes,
            tells_state=token is not None,
        )
    except BadStart as error:
        print(f"server.py: {error}", file=sys.stderr)
        return 2
    environment.start_timer()
    _end_on_signals(environment)
    try:
        if options.http is None:
            anyio.run(serve_stdio, build_server(environment, options.side))
        else:
            _serve_http(environment, options, token)
    except BadStart as error:
        print(f"server.py: {error}", file=sys.stderr)
        return 2
    finally:
        environment.close()
    return 0


def _control_token(options: argparse.Namespace) -> str | None:
    """The token, taken out of the process's environment where a tool might read it. Raises `BadStart`."""
    if options.http is None and options.control_token_env is not None:
        raise BadStart("--control-token-env needs --http: there is no control route on stdio")
    token = os.environ.pop(options.control_token_env or TOKEN_VARIABLE, None)
    if options.control_token_env is not None and not token:
        raise BadStart(f"--control-token-env: the variable {options.control_token_env} is empty or not set")
    return token or None


def _end_on_signals(environment: Environment) -> None:
    """End at once: the reader of stdin cannot be cancelled, and SQLite rolls an open transaction back when its file is
    next opened."""

    def end(signum: int, frame: FrameType | None) -> None:
        environment.episodes.remove_temporary()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def _serve_http(environment: Environment, options: argparse.Namespace, token: str | None) -> None:
    import uvicorn

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[Any] | None = None) -> None:
            await super().startup(sockets)
            for server in self.servers:
                for one in server.sockets:
                    host, port = one.getsockname()[:2]
                    print(
                        f"serving http://{f'[{host}]' if ':' in host else host}:{port}/mcp", file=sys.stderr, flush=True
                    )

    app = http_app(environment, options.side, transport_security(options.host, options.allowed_host), token)
    # h11, because httptools leaves trailing blanks in header values, and a legal `Mcp-Name:  x  ` is then refused.
    config = uvicorn.Config(
        app, host=options.host, port=options.http, http="h11", ws="none", log_level="warning", access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS, timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )  # fmt: skip
    try:
        Announcing(config).run()
    except SystemExit:  # uvicorn has logged the system's words
        words = "choose another --host or --http"
        raise BadStart(f"cannot listen on {options.host}, port {options.http}; {words}") from None


if __name__ == "__main__":
    sys.exit(main())
