"""Servers that others wrote, as the gym meets them: they are listed, called and closed, and scored by their probes.

Those of PyPI are in a virtual environment of their own, named by AUTOFORGE_SERVERS_VENV (`.ci/run` makes it: they want
another version of `mcp`); those of npm are run by `npx`. Where they are missing the tests are skipped and say why; with
AUTOFORGE_NODE_TESTS=1 a missing one of npm is a failure.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.environment import Environment
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.servers.command import CommandServer
from autoforge.gym.servers.recording import record_gold
from autoforge.mcp_envs.task import Gold, GoldCall, Probe, Task
from tests.gym.conftest import Plain, Scripted, gold_actions
from tests.gym.servers.notes import notes_task
from tests.gym.servers.processes import children, open_files

pytestmark = pytest.mark.anyio
NPM_VERSION = "2026.8.31"
SECONDS = 180


def of_pypi(name: str, *arguments: str) -> list[str]:
    """The command of a server from PyPI, or a skip."""
    folder = os.environ.get("AUTOFORGE_SERVERS_VENV")
    if not folder:
        pytest.skip("AUTOFORGE_SERVERS_VENV names no virtual environment with the servers of PyPI")
    program = Path(folder) / "bin" / name
    if not program.exists():
        pytest.skip(f"{folder} has no {name}")
    return [str(program), *arguments]


def of_npm(name: str, *arguments: str) -> list[str]:
    """The command of a server from npm, or a skip."""
    package = f"@modelcontextprotocol/{name}@{NPM_VERSION}"
    reason = reason_to_skip(package)
    if reason is not None and os.environ.get("AUTOFORGE_NODE_TESTS") == "1":
        pytest.fail(reason)
    if reason is not None:
        pytest.skip(reason)
    return ["npx", "-y", package, *arguments]


@functools.cache
def reason_to_skip(package: str) -> str | None:
    """Why a package cannot be run here, or None."""
    if shutil.which("npx") is None:
        return "npx is not installed"
    command = ["npx", "-y", "-p", package, "node", "--version"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"npm does not bring {package} within {SECONDS} s"
    return None if found.returncode == 0 else f"npm does not bring {package}: {found.stderr.strip()[-300:]}"


def call(tool: str, **arguments: Any) -> GoldCall:
    return GoldCall(node="n", tool=tool, arguments=arguments)


def probe(tool: str, path: str = "$", kind: Any = "value", **arguments: Any) -> Probe:
    return Probe.model_validate({"tool": tool, "path": path, "kind": kind, "arguments": arguments})


def task(name: str, gold: GoldCall, *probes: Probe, setup: tuple[GoldCall, ...] = ()) -> Task:
    return notes_task(environment=name, gold=Gold(calls=(gold,), state="", diff=()), probe=probes, setup=setup)


async def rewards(server: CommandServer, given: Task, *others: GoldCall) -> list[float | None]:
    """What the gold calls, nothing, and other calls are worth, once gold has been recorded."""
    recorded = await record_gold(server, given)
    found = []
    for made in (given.gold.calls, (), others):
        played_task = recorded.model_copy(update={"gold": recorded.gold.model_copy(update={"calls": made})})
        agent = Scripted(*gold_actions(played_task))
        played = await play_episode(Environment(server, Plain()), agent, Play(recorded))
        assert played.failure is None, played.failure
        found.append(played.reward)
    return found


async def test_an_episode_on_mcp_server_sqlite_is_scored() -> None:
    given = task(
        "notes",
        call("write_query", query="INSERT INTO notes (text) VALUES ('buy milk')"),
        probe("read_query", kind={"id": "surrogate"}, query="SELECT * FROM notes"),
        probe("list_tables"),
        setup=(
            call("create_table", query="CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)"),
            call("write_query", query="INSERT INTO notes (text) VALUES ('sleep'), ('eat')"),
        ),
    )
    by_another_way = [
        call("write_query", query="INSERT INTO notes (text) VALUES ('buy bread')"),
        call("write_query", query="DELETE FROM notes WHERE text = 'buy bread'"),
        given.gold.calls[0],
    ]
    async with CommandServer(of_pypi("mcp-server-sqlite", "--db-path", "{folder}/notes.db")) as server:
        assert await rewards(server, given, *by_another_way) == [1, 0, 1]


async def test_an_episode_on_the_memory_server_is_scored() -> None:
    entity = {"name": "Ada", "entityType": "person", "observations": ["likes tea", "is early"]}
    given = task(
        "memory",
        call("create_entities", entities=[entity]),
        probe("read_graph", "$.entities", {"name": "key"}),
        probe("read_graph", "$.relations"),
        setup=(call("create_entities", entities=[{**entity, "name": "Bob"}]),),
    )
    other = call("create_entities", entities=[{**entity, "observations": ["likes tea"]}])
    command = ["env", "MEMORY_FILE_PATH={folder}/memory.jsonl", *of_npm("server-memory")]
    async with CommandServer(command) as server:
        assert server.name == "server-memory"
        assert await rewards(server, given, other) == [1, 0, 0]


TIME = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
REPOSITORY = 'git init -q "$0" && exec "$@"'


@pytest.mark.parametrize(
    ("find", "made", "words"),
    [
        (lambda: of_pypi("mcp-server-time"), call("convert_time", **TIME), "T21:00:00+09:00"),
        (
            lambda: ["sh", "-c", REPOSITORY, "{folder}", *of_pypi("mcp-server-git", "--repository", "{folder}")],
            call("git_status", repo_path="."),
            "No commits yet",
        ),
        (lambda: of_npm("server-filesystem", "{folder}"), call("write_file", path="a.txt", content="x"), "wrote to"),
        (lambda: of_npm("server-everything"), call("get-sum", a=1, b=2), "The sum of 1 and 2 is 3."),
        (lambda: of_npm("server-everything"), call("get-tiny-image"), "[image image/png, "),
    ],
    ids=["time", "git", "filesystem", "everything", "everything-image"],
)
async def test_a_server_is_listed_called_and_closed_and_leaves_nothing(find: Any, made: GoldCall, words: str) -> None:
    command = find()
    before = children(), open_files()
    async with CommandServer(command) as server:
        inside = open_files()
        session = await server.open(None, "a")
        assert made.tool in {tool["name"] for tool in session.tools}
        result = await session.call(made.tool, made.arguments, "1")
        assert not result.is_error and words in result.text, result.text
        assert not made.arguments or (await session.call(made.tool, {"nonsense": 1}, "2")).is_error
        await session.close()
        assert (children(), open_files()) == (before[0], inside)
    assert (children(), open_files()) == before
