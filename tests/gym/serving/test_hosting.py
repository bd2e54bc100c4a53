"""Episodes under paths of their own, by real MCP requests to the application in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from autoforge.gym.environment import Environment
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.serving import EpisodeHost, EpisodeServer, NextPlay, served_episode
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from tests.gym.conftest import Plain

pytestmark = pytest.mark.anyio
BASE = "http://127.0.0.1:9"


class House:
    """A host of the first tasks of a server, and what it kept."""

    def __init__(self, server: FolderServer, tasks: int = 3, **options: Any) -> None:
        self.kept: list[Trajectory] = []
        self.full = False
        self._server = server
        self._plays = NextPlay(server.tasks[:tasks], self._has, trial=0)
        self.host = EpisodeHost(self._begin, **options)
        self.http: httpx2.AsyncClient

    def _has(self, task: Any, trial: int) -> bool:
        return any(k.task == task.id and k.trial == trial and k.failure is None for k in self.kept)

    async def _keep(self, trajectory: Trajectory) -> None:
        if self.full:
            raise AutoForgeError("the disk is full")
        self.kept.append(trajectory)

    @asynccontextmanager
    async def _begin(self) -> AsyncIterator[EpisodeServer]:
        play = self._plays.take()
        try:
            served = served_episode(Environment(self._server, Plain()), play, agent="m", keep=self._keep)
            async with served as episode:
                yield episode
        finally:
            self._plays.give_back(play)

    async def post(self, name: str, **given: Any) -> httpx2.Response:
        return await self.http.post(f"{BASE}/episodes/{name}/mcp", json={}, **given)

    async def post_done(self, name: str) -> None:
        """Whatever the client is told."""
        try:
            async with self.client(name) as client:
                await done(client)
        except* MCPError:
            pass

    @asynccontextmanager
    async def client(self, name: str, mode: str = "legacy") -> AsyncIterator[Client]:
        transport = streamable_http_client(f"{BASE}/episodes/{name}/mcp", http_client=self.http)
        async with Client(transport, mode=mode) as client:
            yield client


@asynccontextmanager
async def open_house(server: FolderServer, **options: Any) -> AsyncIterator[House]:
    house = House(server, **options)
    app = house.host.app()
    async with AsyncExitStack() as stack:
        stack.enter_context(anyio.fail_after(60))
        await stack.enter_async_context(house.host)
        house.http = await stack.enter_async_context(httpx2.AsyncClient(transport=httpx2.ASGITransport(app)))
        yield house


async def done(client: Client) -> None:
    await client.call_tool("message_user", {"text": "Done."})


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_each_path_is_an_episode_with_the_next_task_in_either_protocol(hotel: FolderServer, mode: str) -> None:
    async with open_house(hotel) as house, house.client("a", mode) as first, house.client("b", mode) as second:
        await first.list_tools()
        tools = {tool.name: tool.description for tool in (await second.list_tools()).tools}
        assert hotel.tasks[1].instruction in str(tools["message_user"])
        await done(second)
        await done(first)
    assert [(k.task, k.end) for k in house.kept] == [(hotel.tasks[1].id, "stop"), (hotel.tasks[0].id, "stop")]


async def test_connections_of_one_path_share_its_episode(hotel: FolderServer) -> None:
    async with open_house(hotel) as house:
        async with house.client("a") as first:
            await first.call_tool("no_such_tool", {})
        async with house.client("a") as second:
            await done(second)
    assert [turn.role for turn in house.kept[0].turns] == ["user", "assistant", "tool", "assistant"]
    assert len(house.kept) == 1


async def test_many_requests_at_once_begin_a_path_once(hotel: FolderServer) -> None:
    async with open_house(hotel) as house, anyio.create_task_group() as group:
        for _ in range(6):
            group.start_soon(house.post, "a")
    assert [k.task for k in house.kept] == [hotel.tasks[0].id]


async def test_an_episode_that_nobody_calls_ends_as_failed_and_its_path_stays_over(hotel: FolderServer) -> None:
    async with open_house(hotel, idle_seconds=0.05) as house:
        await house.post("a")
        with anyio.fail_after(20):
            while not house.kept:
                await anyio.lowlevel.checkpoint()
        (kept,) = house.kept
        assert kept.failure is not None
        assert (kept.end, kept.failure.blame) == ("failed", "infrastructure")
        assert kept.failure.message == "no call came for 0.05 s"
        assert (await house.post("a")).status_code == 410
        await house.post("b")
    assert [k.task for k in house.kept] == [hotel.tasks[0].id] * 2


async def test_stopping_the_host_ends_every_episode(hotel: FolderServer) -> None:
    async with open_house(hotel) as house:
        for name in "abc":
            await house.post(name)
    assert {k.task for k in house.kept} == {task.id for task in hotel.tasks[:3]}
    assert all(k.failure is not None and "server was stopped" in k.failure.message for k in house.kept)
    assert list(hotel.contained.state_path("x").parent.iterdir()) == []


async def test_when_no_task_is_left_a_new_path_is_refused_with_a_sentence(hotel: FolderServer) -> None:
    async with open_house(hotel, tasks=1) as house:
        await house.post("a")
        answer = await house.post("b")
    assert (answer.status_code, answer.json()["error"][:21]) == (503, "no episode is left: t")


async def test_no_more_episodes_are_open_than_are_allowed(hotel: FolderServer) -> None:
    async with open_house(hotel, most=1) as house:
        await house.post("a")
        assert (await house.post("b")).status_code == 503


@pytest.mark.parametrize("name", ["..%2Fx", "a b", "x" * 65, "%00"])
async def test_a_path_that_names_no_episode_is_refused(hotel: FolderServer, name: str) -> None:
    async with open_house(hotel) as house:
        assert (await house.post(name)).status_code in (400, 404)
    assert house.kept == []


async def test_a_request_of_another_host_or_page_is_refused(hotel: FolderServer) -> None:
    async with open_house(hotel) as house:
        statuses = [(await house.post("a", headers={"host": "evil.example"})).status_code]
        statuses.append((await house.post("a", headers={"origin": "http://evil.example"})).status_code)
    assert statuses == [421, 403]


async def test_an_episode_that_cannot_begin_leaves_its_path_free(hotel: FolderServer) -> None:
    async with open_house(hotel) as house:
        tasks = hotel.tasks[0].model_copy(update={"initial": ("no SQL at all",)})
        house._plays._tasks = (tasks, hotel.tasks[1])
        assert (await house.post("a")).status_code == 503
        house._plays._tasks = (hotel.tasks[1],)
        async with house.client("a") as client:
            await done(client)
    assert [(k.task, k.end) for k in house.kept] == [(hotel.tasks[0].id, "failed"), (hotel.tasks[1].id, "stop")]


async def test_an_episode_that_cannot_be_kept_is_told_to_whoever_runs_the_host(hotel: FolderServer) -> None:
    async with open_house(hotel) as house:
        house.full = True
        with anyio.fail_after(30):
            async with anyio.create_task_group() as group:
                group.start_soon(house.post_done, "a")
                await house.host.broken.wait()
                group.cancel_scope.cancel()
        assert isinstance(house.host.error, BaseExceptionGroup)
        assert house.host.error.subgroup(AutoForgeError) is not None


async def test_an_episode_that_always_fails_does_not_keep_the_others_from_being_played(hotel: FolderServer) -> None:
    first, second = hotel.tasks[:2]
    plays = NextPlay([first, second], lambda task, trial: False, trial=0)
    taken = []
    for _ in range(6):
        taken.append(plays.take())
        plays.give_back(taken[-1])
    assert [play.task.id for play in taken] == [first.id] * 3 + [second.id] * 3
    with pytest.raises(BadInput, match="have failed 3 times"):
        plays.take()


async def test_an_episode_whose_first_caller_is_gone_ends_too(hotel: FolderServer) -> None:
    async with open_house(hotel, idle_seconds=0.05) as house:
        assert await house.host._at("a") is not None
        with anyio.fail_after(20):
            while not house.kept:
                await anyio.lowlevel.checkpoint()
    assert [k.end for k in house.kept] == ["failed"]


async def test_failed_episodes_are_played_again_and_others_are_not(hotel: FolderServer) -> None:
    first, second = hotel.tasks[:2]
    plays = NextPlay([first, second], lambda task, trial: (task.id, trial) == (first.id, 0), seed=7)
    taken = [plays.take() for _ in range(3)]
    assert [(p.task.id, p.trial, p.seed) for p in taken] == [(second.id, 0, 7), (first.id, 1, 7), (second.id, 1, 7)]
    plays.give_back(taken[0])
    assert plays.take() == taken[0]
