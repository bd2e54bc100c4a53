"""Runs an asynchronous command to its end: Ctrl-C and SIGTERM unwind it, and what it raises arrives by itself.

Invariant: whatever ends it, every `finally` and every context manager inside has run before this returns or raises, and
no further signal interrupts them; an error does not arrive inside an ExceptionGroup. Not covered: SIGKILL.
"""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, NamedTuple, TypeVar, cast

import anyio

from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["alone", "run_async"]

T = TypeVar("T")


class _Ended(NamedTuple, Generic[T]):
    """How a command ended."""

    result: T | None
    by: signal.Signals | None
    """The signal that ended it, if one did."""


def run_async(command: Callable[[], Awaitable[T]]) -> T:
    """Run it. Raises SystemExit after SIGTERM, KeyboardInterrupt after Ctrl-C, else what the command raises. A signal
    that was ignored before is ignored."""
    heeded = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.getsignal(number) for number in heeded}
    try:
        ended = anyio.run(_watched, command, heeded)
    except BaseExceptionGroup as group:
        raise alone(group) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if ended.by is signal.SIGINT:
        raise KeyboardInterrupt
    if ended.by is not None:
        raise SystemExit(128 + ended.by)
    return cast(T, ended.result)


def alone(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error of a group that says most: one raised on purpose, else the first."""
    leaves = _leaves(group)
    return next((error for error in leaves if isinstance(error, AutoForgeError)), leaves[0])


async def _watched(command: Callable[[], Awaitable[T]], heeded: Sequence[signal.Signals]) -> _Ended[T]:
    """The first signal cancels the command; those that come while it ends change nothing any more."""
    result: T | None = None
    first: signal.Signals | None = None
    with anyio.open_signal_receiver(*heeded) as received:
        async with anyio.create_task_group() as group:

            async def watch() -> None:
                nonlocal first
                first = await anext(aiter(received))
                group.cancel_scope.cancel()

            group.start_soon(watch)
            result = await command()
            group.cancel_scope.cancel()
    return _Ended(result, first)


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in _leaves(inner)]
    return [error]
