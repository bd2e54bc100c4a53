"""A command as a server: a process, a folder and a state for each episode, and nothing left of them afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import anyio
import pytest

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.command import CommandServer, split_command
from autoforge.gym.servers.connection import Deadlines
from autoforge.gym.servers.session import ForeignSession
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import GoldCall
from tests.gym.servers.notes import notes_task
from tests.gym.servers.processes import FAKE, children, is_alive, open_files

pytestmark = pytest.mark.anyio


def fake(*options: str, **settings: Any) -> CommandServer:
    return CommandServer([sys.executable, str(FAKE), *options], **settings)


async def told(session: ForeignSession) -> dict[str, Any]:
    """What the server says of where it runs."""
    found: dict[str, Any] = (await session.call("where", {}, "1")).value
    return found


async def test_an_episode_has_a_process_a_folder_and_a_state_of_its_own() -> None:
    async with fake("--db", "{folder}/notes.db") as server:
        one, two = await server.open(None, "a"), await server.open(None, "b")
        await one.call("add_note", {"text": "canary"}, "1")
        first, second = await told(one), await told(two)
        assert (await two.call("list_notes", {}, "1")).value == {"notes": []}
        assert first["folder"] != second["folder"] and first["process"] != second["process"]
        assert first["arguments"] == ["--db", f"{first['folder']}/notes.db"]
        assert first["environment"]["TMPDIR"] not in (first["folder"], second["environment"]["TMPDIR"])
        assert one.instructions == "Write everything down." and one.manifest is None and await one.state() is None


async def test_a_server_sees_no_secret_but_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    monkeypatch.setenv("HARMLESS", "yes")
    async with fake(variables={"ITS_TOKEN": "given"}) as server:
        session = await server.open(None, "a")
        environment = (await told(session))["environment"]
    assert "OPENAI_API_KEY" not in environment
    assert (environment["HARMLESS"], environment["ITS_TOKEN"]) == ("yes", "given")


async def test_what_a_server_started_is_gone_with_its_episode() -> None:
    async with fake() as server:
        session = await server.open(None, "a")
        place = await told(session)
        child = int((await session.call("misbehave", {"how": "child"}, "1")).text)
        await session.close()
        assert not is_alive(place["process"]) and not is_alive(child) and not Path(place["folder"]).exists()
        await session.close()


async def test_a_server_that_is_killed_ends_its_episode_only() -> None:
    async with fake() as server:
        one, two = await server.open(None, "a"), await server.open(None, "b")
        place = await told(one)
        child = int((await one.call("misbehave", {"how": "child"}, "1")).text)
        os.kill(place["process"], signal.SIGKILL)
        with pytest.raises(EpisodeFailure) as failed:
            await one.call("list_notes", {}, "2")
        assert failed.value.failure.blame == "infrastructure"
        await one.close()
        assert not is_alive(child) and not Path(place["folder"]).exists()
        assert (await two.call("add_note", {"text": "b"}, "1")).value["id"] == 1


async def test_a_server_that_ignores_the_end_of_its_input_is_killed() -> None:
    async with fake("--stubborn") as server:
        session = await server.open(None, "a")
        process = (await told(session))["process"]
        await session.close()
        assert not is_alive(process)


async def test_the_last_words_of_a_server_are_in_the_failure() -> None:
    async with fake("--exit") as server:
        with pytest.raises(EpisodeFailure, match="no licence was found"):
            await server.open(None, "a")
    async with fake() as server:
        session = await server.open(None, "a")
        with pytest.raises(EpisodeFailure, match="the disk of the server is full"):
            await session.call("misbehave", {"how": "die"}, "1")


async def test_a_disk_that_takes_no_folder_ends_the_episode_only() -> None:
    async with fake(at_once=1) as server:
        there, server._root = server._root, server._root / "missing"
        for _ in range(2):
            with pytest.raises(EpisodeFailure, match="a folder could not be made") as failed:
                await server.open(None, "a")
            assert failed.value.failure.blame == "infrastructure"
        server._root = there
        assert (await (await server.open(None, "a")).call("list_notes", {}, "1")).value == {"notes": []}


async def test_no_more_processes_than_allowed_run_at_a_time() -> None:
    opened: list[ForeignSession] = []
    async with fake(at_once=1) as server, anyio.create_task_group() as group:
        first = await server.open(None, "a")

        async def second() -> None:
            opened.append(await server.open(None, "b"))

        group.start_soon(second)
        await anyio.wait_all_tasks_blocked()
        assert not opened
        await first.close()
        with anyio.fail_after(20):
            while not opened:
                await anyio.lowlevel.checkpoint()


async def test_an_opening_that_is_cancelled_leaves_its_place_and_no_process() -> None:
    before = children()
    async with fake("--silent", at_once=1) as server:
        for _ in range(3):
            with anyio.move_on_after(0.2) as scope:
                await server.open(None, "a")
            assert scope.cancelled_caught
            assert children() == before


async def test_a_server_that_does_not_greet_gives_its_place_back() -> None:
    async with fake("--silent", at_once=1, deadlines=Deadlines(open=0.2, call=1, close=10)) as server:
        for _ in range(2):
            with pytest.raises(EpisodeFailure, match="did not greet"):
                await server.open(None, "a")


async def test_a_server_that_is_left_takes_its_sessions_along() -> None:
    async with fake() as server:
        places = [await told(await server.open(None, name)) for name in "abc"]
    assert not any(is_alive(place["process"]) or Path(place["folder"]).exists() for place in places)


async def test_a_server_that_is_left_by_an_error_takes_its_sessions_along() -> None:
    places: list[dict[str, Any]] = []

    async def broken() -> None:
        async with fake() as server:
            places.append(await told(await server.open(None, "a")))
            raise KeyError("a bug of the caller")

    with pytest.raises(KeyError):
        await broken()
    assert not is_alive(places[0]["process"]) and not Path(places[0]["folder"]).exists()


async def test_the_set_up_calls_of_a_task_are_made_before_the_episode() -> None:
    task = notes_task(setup=(GoldCall(node="s", tool="add_note", arguments={"text": "old"}),))
    async with fake(tasks=[task]) as server:
        session = await server.open(task, "a")
        assert (await session.call("list_notes", {}, "1")).value["notes"][0]["text"] == "old"
        assert server.name == "notes"
        refused = notes_task(setup=(GoldCall(node="s", tool="misbehave", arguments={"how": "refuse"}),))
        with pytest.raises(EpisodeFailure, match="the set-up call of misbehave was refused: not on Sundays") as failed:
            await server.open(refused, "b")
        assert failed.value.failure.blame == "environment"


async def test_a_task_with_sql_is_not_for_a_server_of_others() -> None:
    async with fake() as server:
        with pytest.raises(EpisodeFailure, match="use set-up calls"):
            await server.open(notes_task(initial=("DELETE FROM notes",)), "a")


async def test_a_hundred_episodes_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = open_files(), children()
    async with fake(at_once=8) as server:
        await some_episodes(server, 4)
        inside = open_files()
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(some_episodes, server, 12)
        assert open_files() == inside
    assert (open_files(), children()) == before
    assert not os.listdir(tmp_path)


async def some_episodes(server: CommandServer, number: int) -> None:
    for _ in range(number):
        session = await server.open(None, "a")
        place = await told(session)
        temporary = place["environment"]["TMPDIR"]
        await session.call("write", {"path": f"{temporary}/left"}, "1")
        await session.call("write", {"path": f"{place['folder']}/left"}, "2")
        await session.close()
        assert not Path(place["folder"]).parent.exists() and not is_alive(place["process"])


@pytest.mark.parametrize(
    ("command", "words"),
    [("", "the command is empty"), ("no-such-program --x", "no such program"), ("cat 'x", "quote it as for a shell")],
)
def test_what_cannot_be_started_is_said_before_anything_is(command: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        CommandServer(command)


def test_words_that_name_a_file_keep_naming_it_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "server.py").touch()
    (tmp_path / "bin").mkdir()
    shutil.copy("/bin/sh", tmp_path / "bin" / "start")
    words = split_command("bin/start server.py --data bin missing.py")
    assert words == (f"{tmp_path}/bin/start", f"{tmp_path}/server.py", "--data", "bin", "missing.py")


@pytest.mark.parametrize(
    ("command", "name"),
    [("env A=b true --x", "true"), ("true", "true"), ("sh -c true", "true"), ("env true /x/shop/server.py", "true"),
     ("sh /x/shop/server.py", "shop"), ("sh -c {folder}/x", "command")],
)  # fmt: skip
def test_a_command_is_named_after_what_it_starts(command: str, name: str) -> None:
    assert CommandServer(command).name == name
