"""Requests in turn: so many at a time, first come first served, and nobody held up by who never ends."""

from __future__ import annotations

import anyio
import pytest

from autoforge.gym.servers.turnstile import Turnstile

pytestmark = pytest.mark.anyio


async def test_so_many_hold_a_place_at_a_time_and_they_come_in_their_order() -> None:
    stile = Turnstile(places=3, patience=60)
    now = most = 0
    order: list[int] = []

    async def request(number: int) -> None:
        nonlocal now, most
        async with stile.passed():
            order.append(number)
            now += 1
            most = max(most, now)
            await anyio.lowlevel.checkpoint()
            now -= 1

    async with anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(request, number)
    assert most == 3 and order == sorted(order)


async def test_requests_that_never_end_do_not_hold_up_the_others() -> None:
    stile = Turnstile(places=2, patience=0.05)

    async def stuck() -> None:
        async with stile.passed():
            await anyio.sleep_forever()

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(stuck)
        await anyio.wait_all_tasks_blocked()
        with anyio.fail_after(5):
            async with stile.passed():
                pass
        group.cancel_scope.cancel()


async def test_a_place_is_given_back_whatever_happens() -> None:
    stile = Turnstile(places=1, patience=60)
    with pytest.raises(ValueError, match="broken"):
        async with stile.passed():
            raise ValueError("broken")
    with anyio.move_on_after(0):
        async with stile.passed():
            await anyio.sleep_forever()
    with anyio.fail_after(5):
        async with stile.passed():
            pass
