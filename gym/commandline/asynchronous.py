"""Runs an asynchronous command to its end: Ctrl-C and SIGTERM unwind it, and what it raises arrives by itself.

Invariant: whatever ends it, every `finally` and every context manager inside has run before this returns or raises; an
error does not arrive inside an ExceptionGroup. Not covered: SIGKILL.
"""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from anyio.abc import TaskStatus

from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["alone", "run_async"]

T = TypeVar("T")


def run_async(command: Callable[[], Awaitable[T]]) -> T:
    """Run it. Raises SystemExit after SIGTERM, KeyboardInterrupt after Ctrl-C, else what the command raises."""
    try:
        return anyio.run(_watched, command)
    except BaseExceptionGroup as group:
        raise alone(group) from None


def alone(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error of a group that says most: one raised on purpose, else the first."""
    leaves = _leaves(group)
    return next((error for error in leaves if isinstance(error, AutoForgeError)), leaves[0])


async def _watched(command: Callable[[], Awaitable[T]]) -> T:
    terminated = False
    async with anyio.create_task_group() as group:

        async def watch(*, task_status: TaskStatus[None]) -> None:
            nonlocal terminated
            with anyio.open_signal_receiver(signal.SIGTERM) as received:
                task_status.started()
                async for _ in received:
                    terminated = True
                    group.cancel_scope.cancel()

        await group.start(watch)
        result = await command()
        group.cancel_scope.cancel()
    if terminated:
        raise SystemExit(128 + signal.SIGTERM)
    return result


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in _leaves(inner)]
    return [error]
