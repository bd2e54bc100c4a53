"""`autoforge-gym serve` as its users meet it: a process that an MCP client starts, or calls over HTTP."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from autoforge.gym.reward import telling
from autoforge.gym.trajectory import Trajectory, read_trajectories
from autoforge.mcp_envs.task import Task, read_tasks
from tests.gym.conftest import ENVIRONMENTS

pytestmark = pytest.mark.anyio
HOTEL = ENVIRONMENTS / "hotel"
PROGRAM = "import autoforge.gym.cli as cli; cli.main()"


def command(tmp_path: Path, *options: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, "serve", str(HOTEL), "-o", str(tmp_path / "out.jsonl"), *options]


@asynccontextmanager
async def served(tmp_path: Path, *options: str) -> AsyncIterator[Client]:
    first, *rest = command(tmp_path, *options)
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    (tmp_path / "tmp").mkdir(exist_ok=True)
    parameters = StdioServerParameters(command=first, args=rest, env=environment)
    with anyio.fail_after(90), (tmp_path / "err").open("w") as err:
        async with Client(stdio_client(parameters, errlog=err)) as client:
            yield client


def written(tmp_path: Path) -> list[Trajectory]:
    return list(read_trajectories(tmp_path / "out.jsonl"))


async def text_of(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return str(result.content[0].text)  # type: ignore[union-attr]


async def play_gold(client: Client, task: Task) -> None:
    """The gold calls, then the answers, again where the user asks on, until the conversation has ended."""
    for call in task.gold.calls:
        await text_of(client, call.tool, dict(call.arguments))
    words = " ".join(map(telling, task.gold.answers)) or "All of that is done."
    for _ in range(8):
        if "ended the conversation" in await text_of(client, "message_user", {"text": words}):
            return
    raise AssertionError("the user did not end the conversation")


async def test_gold_calls_over_stdio_are_worth_one_in_the_file_and_each_start_has_the_next_task(
    tmp_path: Path,
) -> None:
    tasks = read_tasks(HOTEL)[:2]
    for task in tasks:
        async with served(tmp_path, "--agent", "gold") as client:
            assert "Speak to the user with message_user" in (client.instructions or "")
            await play_gold(client, task)
    assert [(t.task, t.reward, t.end) for t in written(tmp_path)] == [(task.id, 1.0, "stop") for task in tasks]
    assert {t.id for t in written(tmp_path)} == {f"hotel/{task.id}/gold/scripted/0" for task in tasks}
    assert left_behind(tmp_path) == []


def left_behind(tmp_path: Path) -> list[str]:
    return sorted(p.name for p in (tmp_path / "tmp").iterdir())


async def test_a_client_that_leaves_in_the_middle_leaves_a_failed_episode_and_nothing_else(tmp_path: Path) -> None:
    task = read_tasks(HOTEL)[1]
    async with served(tmp_path, task.id) as client:
        await text_of(client, task.gold.calls[0].tool, dict(task.gold.calls[0].arguments))
    (kept,) = written(tmp_path)
    assert kept.failure is not None
    assert (kept.task, kept.end, kept.reward, kept.failure.blame) == (task.id, "failed", None, "infrastructure")
    assert left_behind(tmp_path) == []
    async with served(tmp_path, task.id) as client:
        await play_gold(client, task)
    assert [t.end for t in written(tmp_path)] == ["failed", "stop"]


def test_bad_input_is_one_sentence_and_leaves_no_file(tmp_path: Path) -> None:
    for options, words in (
        (("no-such-task",), "no environment has such a task"),
        (("--user", "human"), "autoforge-gym play"),
        (("--cache", str(tmp_path)), "--cache is for models"),
    ):
        done = subprocess.run(
            command(tmp_path, *options), capture_output=True, encoding="utf-8", check=False, timeout=60
        )
        assert (done.returncode, done.stdout) == (2, "") and words in done.stderr, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_at_once_and_the_episode_as_failed(tmp_path: Path, kind: signal.Signals) -> None:
    with started(tmp_path) as (process, errors):
        next(line for line in errors if "One episode of hotel" in line)
        process.send_signal(kind)
        code = process.wait(timeout=30)
    assert code == (143 if kind == signal.SIGTERM else 130)
    assert [(t.end, t.failure and t.failure.blame) for t in written(tmp_path)] == [("failed", "infrastructure")]
    assert left_behind(tmp_path) == []


@contextmanager
def started(tmp_path: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        command(tmp_path, *options), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
    )  # fmt: skip
    with process:
        try:
            assert process.stderr is not None
            yield process, process.stderr
        finally:
            process.kill()


async def test_over_http_each_path_is_an_episode_of_its_own(tmp_path: Path) -> None:
    tasks = read_tasks(HOTEL)[:2]
    with started(tmp_path, "--http", "0") as (process, errors), anyio.fail_after(90):
        found = re.search(r"http://\S+", next(line for line in errors if "serving" in line))
        assert found is not None
        url = found[0].rstrip(":")
        for name, task in zip("ab", tasks, strict=True):
            async with Client(url.format(id=name), mode="legacy") as client:
                await play_gold(client, task)
        async with Client(url.format(id="c"), mode="legacy") as client:
            await client.list_tools()
        process.terminate()
        assert process.wait(timeout=30) == 143
    kept = written(tmp_path)
    assert [(t.task, t.reward, t.end) for t in kept[:2]] == [(task.id, 1.0, "stop") for task in tasks]
    assert [t.end for t in kept[2:]] == ["failed"]
    assert left_behind(tmp_path) == []


def test_a_port_that_is_taken_is_bad_input(tmp_path: Path) -> None:
    with started(tmp_path, "--http", "0") as (_, errors):
        found = re.search(r":(\d+)/", next(line for line in errors if "serving" in line))
        assert found is not None
        (tmp_path / "second").mkdir()
        done = subprocess.run(
            command(tmp_path / "second", "--http", found[1]), capture_output=True, encoding="utf-8", check=False,
            timeout=60,
        )  # fmt: skip
    assert done.returncode == 2 and f"--http {found[1]}: cannot listen there" in done.stderr
