"""An environment folder as a server: it answers as its `server.py` does, word for word, and outlives its workers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import anyio
import pytest

from autoforge.gym.environment import Environment
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.reward import score, telling
from autoforge.gym.servers.command import CommandServer
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.server import ToolDocument, side_of
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.task import GoldCall
from tests.gym.conftest import ENVIRONMENTS, Plain, Scripted

pytestmark = pytest.mark.anyio
COMMITTED = sorted(path.parent.name for path in ENVIRONMENTS.glob("*/environment.json"))
WRONG: tuple[Any, ...] = ("", "no such thing", -1, 10**12, 0.5, True, None, [], {"a": 1}, "2026-02-31")


def environment(name: str) -> EnvironmentFolder:
    return find_environment(str(ENVIRONMENTS / name))


def attempts(document: ToolDocument) -> Iterator[dict[str, Any]]:
    """Bad arguments of every kind, and some that a tool may take."""
    properties: Mapping[str, Any] = document["inputSchema"].get("properties", {})
    plain = {name: plain_value(schema) for name, schema in properties.items()}
    required = {name: plain[name] for name in document["inputSchema"].get("required", ())}
    yield from ({}, required, plain, {**required, "nonsense": 1})
    for number, name in enumerate(properties):
        yield {key: value for key, value in plain.items() if key != name}
        yield from ({**required, name: WRONG[(number + more) % len(WRONG)]} for more in range(4))


def plain_value(schema: Mapping[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    values: dict[str, Any] = {"integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}
    return values.get(kind, "2026-03-05" if schema.get("format", "").startswith("date") else "a")


@pytest.mark.parametrize("name", COMMITTED)
async def test_answers_are_those_of_server_py_word_for_word(name: str) -> None:
    folder = environment(name)
    command = CommandServer([sys.executable, str(folder.path / "server.py"), "--side", "all"])
    refused = 0
    async with FolderServer(folder) as ours, command as real:
        made = [(c.tool, c.arguments) for task in ours.tasks if not task.initial for c in task.gold.calls]
        one, other = await ours.open(None, "a"), await other_session(real)
        assert {t["name"] for t in one.tools} == {t["name"] for t in other.tools} and len(one.tools) > 3
        assert one.instructions == other.instructions
        tried = [(str(d["name"]), arguments) for d in one.tools for arguments in attempts(d)]
        for number, (tool, arguments) in enumerate([*made, *tried]):
            mine = await one.call(tool, arguments, f"c{number}")
            assert mine == await other.call(tool, arguments, f"c{number}"), (tool, arguments)
            refused += mine.is_error
        unknown = await one.call("nothing", {}, "last")
        assert unknown == await other.call("nothing", {}, "last") and unknown.is_error
    assert len(tried) // 10 < refused < len(made) + len(tried)


async def other_session(server: CommandServer) -> Any:
    return await server.open(None, "a")


async def test_the_gold_calls_of_a_task_score_1_and_none_0(hotel: FolderServer) -> None:
    for task in hotel.tasks:
        session = await hotel.open(task, task.id)
        initial = await session.state()
        for number, made in enumerate(task.gold.calls):
            await session.call(made.tool, made.arguments, f"c{number}")
        told = [telling(answer) for answer in task.gold.answers]
        assert score(task, initial, await session.state(), hotel.manifest, told).value == 1
        assert score(task, initial, initial, hotel.manifest, []).value == 0
        await session.close()


def guest(number: int) -> dict[str, Any]:
    return {"firstName": f"Canary {number}", "lastName": "Bird", "email": f"canary{number}@example.com"}


async def names(session: Any) -> list[str]:
    """The guests that a test has made, as their episode's file has them."""
    table = (await session.state())["guests"]
    found = [str(value) for row in table.rows for value in row if str(value).startswith("Canary ")]
    return sorted(found)


async def test_episodes_do_not_see_each_other(hotel: FolderServer) -> None:
    sessions = [await hotel.open(None, f"episode-{n}") for n in range(5)]
    async with anyio.create_task_group() as group:
        for number, session in enumerate(sessions):
            group.start_soon(session.call, "createGuest", guest(number), "c1")
    assert [await names(session) for session in sessions] == [[f"Canary {n}"] for n in range(5)]


async def test_a_call_that_is_repeated_under_its_id_is_made_once(hotel: FolderServer) -> None:
    session = await hotel.open(None, "a")
    first = await session.call("createGuest", guest(1), "c1")
    assert not first.is_error and await session.call("createGuest", guest(1), "c1") == first
    assert await names(session) == ["Canary 1"]


async def test_a_worker_that_is_killed_in_a_call_makes_it_once_and_its_siblings_go_on(hotel: FolderServer) -> None:
    one, two = await hotel.open(None, "one"), await hotel.open(None, "two")
    done: list[str] = []

    async def call(session: Any, number: int) -> None:
        result = await session.call("createGuest", guest(number), f"c{number}")
        done.append(result.text if result.is_error else "made")

    for number in range(8):
        process = worker_of(hotel)
        async with anyio.create_task_group() as group:
            group.start_soon(call, one, 2 * number)
            group.start_soon(call, two, 2 * number + 1)
            for _ in range(number):  # at other moments of the call each time
                await anyio.lowlevel.checkpoint()
            with suppress(ProcessLookupError):  # the one of the round before, which nobody has missed yet
                os.kill(process, signal.SIGKILL)
    assert done == ["made"] * 16 and hotel.contained.starts > 4
    assert await names(one) == sorted(f"Canary {n}" for n in range(0, 16, 2))
    assert await names(two) == sorted(f"Canary {n}" for n in range(1, 16, 2))


def worker_of(server: FolderServer) -> int:
    return server.contained._owners[0].session.link.pid


async def test_closing_removes_the_file_and_may_be_done_twice(hotel: FolderServer) -> None:
    session = await hotel.open(None, "a")
    path = hotel.contained.state_path("a")
    assert path.exists()
    await session.close()
    await session.close()
    assert not path.exists()


async def test_closing_after_the_server_has_been_left_does_no_harm() -> None:
    async with FolderServer(environment("hotel")) as server:
        session = await server.open(None, "a")
    await session.close()


async def test_a_file_that_cannot_be_removed_now_spoils_no_episode(
    hotel: FolderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_process(episode: str) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(hotel.contained, "close_episode", no_process)
    made = await play_episode(Environment(hotel, Plain()), Scripted(), Play(hotel.tasks[0]))
    assert made.failure is None and made.reward == 0.0


async def test_a_state_that_cannot_be_read_is_no_fault_of_the_agent(hotel: FolderServer) -> None:
    session = await hotel.open(None, "a")
    hotel.contained.state_path("a").write_bytes(b"no database")
    with pytest.raises(EpisodeFailure) as failed:
        await session.state()
    assert failed.value.failure.blame == "infrastructure"


async def test_tools_of_the_user_are_marked() -> None:
    async with FolderServer(environment("telecom")) as server:
        session = await server.open(None, "a")
        assert {side_of(tool) for tool in session.tools} == {"agent", "user"}


async def test_a_set_up_call_that_is_refused_is_the_environments_fault(hotel: FolderServer) -> None:
    task = hotel.tasks[0].model_copy(
        update={"initial": (), "setup": (GoldCall(node="s", tool="deleteGuest", arguments={"guestId": "none"}),)}
    )
    with pytest.raises(EpisodeFailure, match="the set-up call of deleteGuest was refused") as failed:
        await hotel.open(task, "a")
    assert failed.value.failure.blame == "environment" and not hotel.contained.state_path("a").exists()


async def test_initial_statements_that_fail_are_the_environments_fault(hotel: FolderServer) -> None:
    task = hotel.tasks[0].model_copy(update={"initial": ("INSERT INTO nowhere VALUES (1)",)})
    with pytest.raises(EpisodeFailure, match="no such table: nowhere") as failed:
        await hotel.open(task, "a")
    assert (failed.value.failure.blame, failed.value.failure.where) == ("environment", "state")
