"""A host of episodes on a port of this machine.

Invariant: what ends the task that serves ends every episode; a port that is taken is said before anything begins. Not
covered: TLS, accounts and other machines; put a proxy in front for those.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator

import anyio
import uvicorn

from autoforge.gym.serving.hosting import EpisodeHost
from autoforge.mcp_envs.errors import BadInput

__all__ = ["serve_http"]

_ADDRESS = "127.0.0.1"


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs the event loop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_http(host: EpisodeHost, port: int, tell: Callable[[str], None]) -> None:
    """Serve until the task is cancelled; `tell` is given the address of episodes. Raises BadInput for a port that
    cannot be had, and what ended the host where that was an error."""
    with _listening(port) as own:
        where = f"http://{_ADDRESS}:{own.getsockname()[1]}/episodes/{{id}}/mcp"
        async with host:
            # h11, because httptools leaves trailing blanks in header values, and a legal `Mcp-Name:  x  ` is refused.
            config = uvicorn.Config(
                host.app(), http="h11", ws="none", lifespan="off", log_level="warning", access_log=False
            )
            server = _Server(config)
            async with anyio.create_task_group() as group:
                group.start_soon(server.serve, [own])
                tell(where)
                await host.broken.wait()
                group.cancel_scope.cancel()
    if host.error is not None:
        raise host.error


@contextlib.contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    try:
        own = socket.create_server((_ADDRESS, port))
    except OSError as error:
        raise BadInput(f"--http {port}: cannot listen there ({error.strerror}); choose another port.") from None
    with own:
        yield own
