"""What servers have in common whose sessions are connections: the tasks that own these, and how both end.

Invariant: when the server has been left, whatever the reason, its sessions are closed and its tasks have ended. Not
covered: making sessions (`command`, `url`, `hosted`).
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from types import TracebackType

import anyio
from anyio.abc import TaskGroup

from autoforge.gym.servers.server import Session

__all__ = ["ConnectedServer"]


class ConnectedServer:
    """The base of those servers, each an async context manager that is entered and left in one task."""

    def __init__(self) -> None:
        self._sessions: set[Session] = set()
        self._stack = AsyncExitStack()
        """What ends with the server; what its sessions need goes on it first."""
        self._group: TaskGroup

    async def _begin(self) -> None:
        """From here on sessions can be made."""
        self._group = await self._stack.enter_async_context(anyio.create_task_group())
        self._stack.callback(self._group.cancel_scope.cancel)
        self._stack.push_async_callback(self._close_sessions)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()  # without the error, which would leave the task group inside an ExceptionGroup

    async def _close_sessions(self) -> None:
        async with anyio.create_task_group() as closing:
            for session in tuple(self._sessions):
                closing.start_soon(session.close)
