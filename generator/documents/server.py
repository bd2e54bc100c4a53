"""`read_server`: the tools that a live MCP server lists.

Invariant: every wait has a deadline and the server's process is gone when the call returns (the SDK closes its input,
then terminates and kills it, each step bounded). Nothing but `tools/list` is asked for. Secrets in the command or
address do not reach the result. Not covered: calling its tools.
"""

from __future__ import annotations

import logging
import re
import shlex
import tempfile
from typing import Any, TextIO
from urllib.parse import urlsplit, urlunsplit

import anyio

from autoforge.generator.documents.model import Documentation
from autoforge.generator.documents.read import Document, documentation_of
from autoforge.mcp_envs.errors import BadInput

__all__ = ["read_server"]

_SECRET = re.compile(r"(?i)((?:key|token|secret|password|passwd|auth|bearer)[\w-]*(?:[= ]+|:\s*))\S+")


async def read_server(command_or_url: str, *, deadline_seconds: float = 30) -> Documentation:
    """Read the tools of an MCP server: a command line that serves stdio, or an http(s) address.

    `deadline_seconds` bounds starting, all pages of the listing and the first wait for the end. Raises `BadInput` where
    the server cannot be started or reached, gives no answer in time, or lists no tools.
    """
    name = _public_name(command_or_url)
    target: str | list[str] = command_or_url.strip() if _is_url(command_or_url) else _words(command_or_url, name)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        listing = await _listing(target, name, deadline_seconds, log)
    if not listing["tools"]:
        raise BadInput(f"{name}: the server lists no tools; start it with its tools enabled.")
    return documentation_of([Document(name, listing)])


def _is_url(text: str) -> bool:
    return text.strip().lower().startswith(("http://", "https://"))


def _public_name(text: str) -> str:
    if not _is_url(text):
        return _masked(text.strip())
    try:
        parts = urlsplit(text.strip())
        port = f":{parts.port}" if parts.port else ""
        host = parts.hostname or ""
    except ValueError as error:
        raise BadInput(f"The address of the server is not valid ({error}); write http://host:port/path.") from error
    return urlunsplit((parts.scheme, f"[{host}]{port}" if ":" in host else f"{host}{port}", parts.path, "", ""))


def _masked(text: str) -> str:
    return _SECRET.sub(r"\1***", text)


def _words(command: str, name: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"{name}: is no command line ({error}); check its quotes.") from error
    if not words:
        raise BadInput("No server was named; give a command line or an http(s) address.")
    return words


async def _listing(target: str | list[str], name: str, deadline: float, log: TextIO) -> dict[str, Any]:
    # Importing the SDK takes more than a second, which readers of files need not wait for.
    from autoforge.generator.documents.listing import FAILURES, list_tools

    # The SDK logs each line that is no message, with a traceback; without a handler those would go to stderr.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    listing: dict[str, Any] = {}
    problem: tuple[str, BaseException] | None = None
    try:
        with anyio.fail_after(deadline):
            listing = await list_tools(target, log)
    except* TimeoutError as late:
        words = f"gave no list of tools within {deadline:g} seconds{_last_line(log)}; check that it speaks MCP."
        problem = f"{name}: {words}", late
    except* FAILURES as failed:
        problem = _failure(name, failed, log), failed
    if problem is not None:
        raise BadInput(problem[0]) from problem[1]
    return listing


def _failure(name: str, error: BaseException, log: TextIO) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    reason = " ".join(str(error).split())[:300] or type(error).__name__
    if isinstance(error, FileNotFoundError):
        return f"{name}: cannot be started, since there is no program of that name; check the command."
    words = f"{_masked(reason)}{_last_line(log)}"
    return f"{name}: could not be asked for its tools ({words}); check that it runs and speaks MCP."


def _last_line(log: TextIO) -> str:
    log.seek(0)
    lines = [line.strip() for line in log.read(1_000_000).splitlines() if line.strip()]
    return f"; its last words were: {_masked(lines[-1])[:300]}" if lines else ""
