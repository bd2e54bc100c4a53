"""A part of `server.py`: stdio.

Invariant: descriptor 1 is the protocol's alone; whatever else the process prints goes to stderr. The SDK writes every
message on a worker thread, which costs a sixth of a small call; here a message that fits into the pipe at once is
written at once, and only another one waits on a thread. Not covered: the reading side, which is the SDK's.
"""

from __future__ import annotations

import logging
import os
import select
import sys
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


class PipeOutput:
    """The asynchronous text file that the SDK's transport writes its messages to, one in each `write`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Write one message, without ever blocking the event loop."""
        data = text.encode()
        # POSIX: a pipe that polls as writable takes PIPE_BUF bytes without blocking.
        if len(data) <= select.PIPE_BUF and self._room.poll(0):
            os.write(self._descriptor, data)
        else:
            await anyio.to_thread.run_sync(self._write_all, data)

    async def flush(self) -> None:
        """Nothing is held back."""

    def _write_all(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


def take_stdout() -> PipeOutput | None:
    """The protocol's output, with descriptor 1 given to stderr; None, for the SDK's own, where there is no `poll`."""
    if not hasattr(select, "poll") or sys.stdout.fileno() != 1:
        return None
    sys.stdout.flush()
    descriptor = os.dup(1)
    os.dup2(2, 1)
    return PipeOutput(descriptor)


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one client until its input ends, or nobody reads the output any more."""
    output: Any = take_stdout()
    try:
        async with stdio_server(stdout=output) as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* BrokenPipeError:
        logging.getLogger("autoforge.server").info("the client reads no more")
