"""What an asynchronous command raises arrives by itself, after everything inside has ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import anyio
import pytest

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.mcp_envs.errors import AutoForgeError, BadInput


@pytest.fixture(autouse=True)
def heeded_signals() -> Iterator[None]:
    """What started in the background of a shell ignores Ctrl-C, and so would these tests for ever."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


async def failing(error: Exception) -> None:
    raise error


def test_what_a_command_returns_is_returned() -> None:
    async def seven() -> int:
        return 7

    assert run_async(seven) == 7


@pytest.mark.parametrize("error", [BadInput("no"), KeyError("x"), AutoForgeError("y")])
def test_an_error_arrives_by_itself_out_of_any_group(error: Exception) -> None:
    async def grouped() -> None:
        async with anyio.create_task_group() as outer:
            async with anyio.create_task_group() as inner:
                inner.start_soon(failing, error)
            outer.start_soon(anyio.sleep, 0)

    with pytest.raises(type(error)) as raised:
        run_async(grouped)
    assert raised.value is error


def test_of_several_the_one_that_was_raised_on_purpose_is_told() -> None:
    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(failing, KeyError("a bug"))
            group.start_soon(failing, BadInput("a sentence"))

    with pytest.raises(BadInput, match="a sentence"):
        run_async(both)


@pytest.mark.parametrize(("number", "kind"), [(signal.SIGTERM, SystemExit), (signal.SIGINT, KeyboardInterrupt)])
def test_a_signal_unwinds_what_runs(number: signal.Signals, kind: type[BaseException]) -> None:
    unwound = []

    async def waiting() -> None:
        try:
            os.kill(os.getpid(), number)
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(0)
            unwound.append(number)

    with pytest.raises(kind) as raised:
        run_async(waiting)
    assert unwound == [number]
    if number is signal.SIGTERM:
        assert raised.value.args == (143,)


def test_a_second_signal_does_not_interrupt_the_unwinding() -> None:
    unwound = []

    async def waiting() -> None:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
                    os.kill(os.getpid(), number)
                    await anyio.sleep(0.01)
            unwound.append("all")

    with pytest.raises(KeyboardInterrupt):
        run_async(waiting)
    assert unwound == ["all"]


def test_signals_mean_afterwards_what_they_meant_and_an_ignored_one_stays_ignored() -> None:
    async def interrupted() -> int:
        os.kill(os.getpid(), signal.SIGINT)
        await anyio.sleep(0.01)
        return 7

    def handler(*given: object) -> None: ...

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, handler)
        assert run_async(interrupted) == 7
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == (signal.SIG_IGN, handler)
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
