"""What an asynchronous command raises arrives by itself, after everything inside has ended."""

from __future__ import annotations

import os
import signal

import anyio
import pytest

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.mcp_envs.errors import AutoForgeError, BadInput


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
