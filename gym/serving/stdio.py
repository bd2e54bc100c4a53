"""An MCP server on this process's stdin and stdout.

Invariant: the descriptors of the protocol are the protocol's alone; reading can be cancelled, so that a signal ends the
server at once; the end of the input, or of who reads the output, ends it quietly. Not covered: what is served.
"""

from __future__ import annotations

import logging
import os
from typing import Any, Self

import anyio
import anyio.lowlevel
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

__all__ = ["Lines", "serve_stdio"]

_CHUNK = 1 << 16
"""Bytes read at a time."""
_log = logging.getLogger(__name__)


class Lines:
    """The lines of a descriptor, waited for in a way that can be cancelled; the SDK's own reading thread cannot."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._parts: list[bytes] = []
        self._lines: list[bytes] = []

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        while not self._lines:
            chunk = await self._read()
            if not chunk:
                raise StopAsyncIteration
            *whole, rest = chunk.split(b"\n")
            if whole:
                self._lines = [b"".join((*self._parts, whole[0])), *whole[1:]][::-1]
                self._parts = []
            self._parts.append(rest)
        return self._lines.pop().decode("utf-8", "replace")

    async def _read(self) -> bytes:
        try:
            await anyio.wait_readable(self._descriptor)
        except PermissionError:  # a file: it can always be read
            await anyio.lowlevel.checkpoint()
        return os.read(self._descriptor, _CHUNK)


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one client until its input ends, or nobody reads the output any more."""
    descriptor, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    lines: Any = Lines(descriptor)
    try:
        os.dup2(nothing, 0)
        async with stdio_server(stdin=lines) as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* BrokenPipeError:
        _log.info("the client reads no more")
    finally:
        os.dup2(descriptor, 0)
        os.close(descriptor)
        os.close(nothing)
