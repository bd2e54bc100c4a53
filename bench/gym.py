"""Episodes by the thousand: throughput beside bare MCP clients, latency, isolation, leaks, and what baselines get.

Invariant: the bare clients make the very calls that the gym made, on the same servers in the same run; a canary in
each episode's state must show in its own outputs and in no other's. Not covered: models, faults (`drill`).
"""

from __future__ import annotations

import gc
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from autoforge.gym.agents.baseline import baseline_agents
from autoforge.gym.environment import Environment
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.hosted import HostedServer
from autoforge.gym.servers.server import ToolServer
from autoforge.gym.servers.url import http_client
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.turns import Action
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import Speaker, User, UserBriefing, UserTurn
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.task import Task
from bench.figures import Figure, at_least, at_most
from bench.processes import proportional, tree

__all__ = ["gym_figures"]

ROOT = Path(__file__).resolve().parents[1]
HOTEL = ROOT / "mcp_envs" / "hotel"
THREE = ("hotel", "telecom", "biblioteca")
EPISODES = 1_000
SOAK = 10_000
OPEN = 64
LATENCY = 0.2
"""Seconds that each turn of a user waits."""
SERVERS = 2
_TOKEN = "AUTOFORGE_BENCH_TOKEN"
_ORACLE = baseline_agents()["oracle"]


class _Slow:
    """A user that takes its time."""

    def __init__(self, user: User, seconds: float) -> None:
        self.name = user.name
        self._user = user
        self._seconds = seconds

    def begin(self, briefing: UserBriefing) -> _SlowSpeaker:
        return _SlowSpeaker(self._user.begin(briefing), self._seconds)


class _SlowSpeaker:
    def __init__(self, speaker: Speaker, seconds: float) -> None:
        self._speaker = speaker
        self._seconds = seconds

    async def speak(self, heard: str | None) -> UserTurn:
        await anyio.sleep(self._seconds)
        return await self._speaker.speak(heard)


class Rate(NamedTuple):
    """What a crowd of episodes came to."""

    calls: int
    seconds: float
    peak_mb: float
    wrong: int
    """Scored episodes of the oracle that are not worth 1."""
    unscored: tuple[str, ...]
    """Why episodes have no score."""
    leaked: int
    """Episodes whose outputs showed another's canary."""
    marked: int
    """Episodes whose outputs showed their own."""

    @property
    def per_second(self) -> float:
        return self.calls / self.seconds


def gym_figures(episodes: int = EPISODES, soak: int = SOAK) -> list[Figure]:
    """Everything; numbers of episodes can be made smaller to try it."""
    return anyio.run(_figures, episodes, soak)


async def _figures(episodes: int, soak: int) -> list[Figure]:
    figures = await _throughput(episodes)
    figures += await _latency()
    figures += await _soak(soak)
    return figures + await _baselines()


# Throughput ----------------------------------------------------------------------------------------------------------


async def _throughput(episodes: int) -> list[Figure]:
    tasks = await _with_canaries()
    async with _hosted() as hosted:
        bare = await _bare(hosted.urls, tasks, episodes)
        gym = await _crowd(hosted, tasks, episodes)
        again = await _bare(hosted.urls, tasks, episodes)
    async with FolderServer(find_environment(str(HOTEL)), workers=2) as server:
        folder = await _crowd(server, tasks, episodes)
    bare_rate = statistics.mean((bare, again))
    told = f"{gym.per_second:.0f} calls/s; bare clients {bare:.0f} before and {again:.0f} after"
    kinds = {"over HTTP": gym, "of a folder": folder}
    figures = [
        at_least(f"{episodes} episodes at once ÷ bare clients", gym.per_second / bare_rate, "", 0.7, told),
        Figure(f"{episodes} episodes of a folder, calls", folder.per_second, "/s", "", True),
    ]
    for name, rate in kinds.items():
        marked = f"{rate.marked} of {episodes} showed their own"
        figures += [
            at_most(f"memory of all processes, {name}", rate.peak_mb, "MB", 4 * 1024),
            at_most(f"episodes that saw another's canary, {name}", rate.leaked, "", 0, marked),
            at_most(f"wrong rewards, {name}", rate.wrong, "", 0),
            at_most(f"episodes without a score, {name}", len(rate.unscored), "", 0, "; ".join(rate.unscored[:2])),
        ]
    return figures


@asynccontextmanager
async def _hosted() -> AsyncIterator[HostedServer]:
    """The environment behind HTTP, in several processes."""
    token = secrets.token_hex(16)
    os.environ[_TOKEN] = token
    with tempfile.TemporaryDirectory(prefix="autoforge-bench-") as folder, _processes(Path(folder)) as urls:
        async with HostedServer(urls, find_environment(str(HOTEL)), token) as server:
            yield server


@contextmanager
def _processes(folder: Path) -> Iterator[list[str]]:
    command = [sys.executable, str(HOTEL / "server.py"), "--http", "0", "--control-token-env", _TOKEN]
    started = []
    for number in range(SERVERS):
        log = (folder / f"{number}.log").open("wb")
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=log, encoding="utf-8")
        started.append(process)
    try:
        yield [_announced(process) for process in started]
    finally:
        for process in started:
            process.terminate()
            process.wait()


def _announced(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("serving "):
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return line.split()[1].removesuffix("/mcp")
    raise RuntimeError("the server did not start")


async def _crowd(server: ToolServer, tasks: Sequence[Task], episodes: int) -> Rate:
    """Episodes of the oracle, all at once, each with a canary of its own."""
    user = _Slow(ScriptedUser(), LATENCY)
    done: list[tuple[int, Trajectory]] = []

    async def play(number: int) -> None:
        task = _marked(tasks[number % len(tasks)], number)
        done.append((number, await play_episode(Environment(server, user), _ORACLE, Play(task, trial=number))))

    with _peak() as peak:
        started = time.perf_counter()
        async with anyio.create_task_group() as group:
            for number in range(episodes):
                group.start_soon(play, number)
        seconds = time.perf_counter() - started
    outputs = [(n, " ".join(t.content for t in made.turns if t.role == "tool")) for n, made in done]
    return Rate(
        calls=sum(turn.role == "tool" for _, made in done for turn in made.turns),
        seconds=seconds,
        peak_mb=peak[0] / 1e6,
        wrong=sum(made.reward not in (None, 1.0) for _, made in done),
        unscored=tuple(f"{made.failure}" for _, made in done if made.reward is None),
        leaked=sum(
            any(word != _canary(n) for word in text.split() if word.startswith("canary-")) for n, text in outputs
        ),
        marked=sum(_canary(n) in text for n, text in outputs),
    )


async def _bare(urls: Sequence[str], tasks: Sequence[Task], episodes: int) -> float:
    """Calls a second of plain clients that replay the gold calls, a session for each episode, all at once."""
    run = secrets.token_hex(4)
    made = 0

    async def replay(number: int, http: httpx2.AsyncClient) -> None:
        nonlocal made
        address = f"{urls[number % len(urls)]}/episodes/bare-{run}-{number}/mcp"
        async with Client(streamable_http_client(address, http_client=http)) as client:
            await client.list_tools()
            for call in tasks[number % len(tasks)].gold.calls:
                await client.call_tool(call.tool, dict(call.arguments))
                made += 1

    async with http_client() as http:
        started = time.perf_counter()
        async with anyio.create_task_group() as group:
            for number in range(episodes):
                group.start_soon(replay, number, http)
        return made / (time.perf_counter() - started)


@contextmanager
def _peak() -> Iterator[list[int]]:
    """The most memory of this process and all that it started, sampled."""
    found, ended = [0], threading.Event()

    def sample() -> None:
        while not ended.wait(0.5):
            found[0] = max(found[0], sum(map(proportional, tree(os.getpid()))))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        ended.set()
        thread.join()


# Canaries ------------------------------------------------------------------------------------------------------------


def _canary(number: int) -> str:
    return f"canary-{number}-"


_MARK = "canary-N-"


def _marked(task: Task, number: int) -> Task:
    return task.model_copy(update={"initial": tuple(s.replace(_MARK, _canary(number)) for s in task.initial)})


async def _with_canaries() -> list[Task]:
    """The tasks of the hotel with a text of the state marked that the oracle sees and no tool looks for; as they are
    where there is none."""
    folder = find_environment(str(HOTEL))
    columns = [(t.name, c.name) for t in folder.manifest.tables for c in t.columns
               if c.type == "TEXT" and not c.references and not c.enum and c.name not in t.key]  # fmt: skip
    async with FolderServer(folder) as server:
        return [await _with_canary(server, task, columns) for task in server.tasks]


async def _with_canary(server: FolderServer, task: Task, columns: Sequence[tuple[str, str]]) -> Task:
    for table, column in columns:
        words = f'UPDATE "{table}" SET "{column}" = "{column}" || \' {_MARK} \''
        marked = task.model_copy(update={"initial": (*task.initial, words)})
        made = await play_episode(Environment(server, ScriptedUser()), _ORACLE, Play(_marked(marked, 0)))
        if made.reward == 1.0 and any(_canary(0) in turn.content for turn in made.turns if turn.role == "tool"):
            return marked
    return task


# Latency -------------------------------------------------------------------------------------------------------------


async def _latency() -> list[Figure]:
    """With 64 episodes open and one call in flight."""
    resets: list[float] = []
    steps: list[float] = []
    async with FolderServer(find_environment(str(HOTEL)), workers=2) as server:
        environments = [Environment(server, ScriptedUser()) for _ in range(OPEN)]
        for number, environment in enumerate(environments):
            task = server.tasks[number % len(server.tasks)]
            resets.append(await _timed_reset(environment, task))
        for number, environment in enumerate(environments):
            task = server.tasks[number % len(server.tasks)]
            steps += await _timed_steps(environment, task)
        for environment in environments:
            await environment.close()
    return [
        at_most("reset, p50, 64 open", 1000 * statistics.median(resets), "ms", 10, f"p95 {_p95(resets):.1f} ms"),
        at_most("tool step, p50, 64 open", 1000 * statistics.median(steps), "ms", 5, f"p95 {_p95(steps):.1f} ms"),
    ]


async def _timed_reset(environment: Environment, task: Task) -> float:
    started = time.perf_counter()
    await environment.reset(options={"task": task})
    return time.perf_counter() - started


async def _timed_steps(environment: Environment, task: Task) -> list[float]:
    times = []
    for number, call in enumerate(task.gold.calls):
        action = Action.model_validate(
            {"calls": [{"id": str(number), "name": call.tool, "arguments": dict(call.arguments)}]}
        )
        started = time.perf_counter()
        await environment.step(action)
        times.append(time.perf_counter() - started)
    return times


def _p95(values: Sequence[float]) -> float:
    return 1000 * sorted(values)[int(0.95 * (len(values) - 1))]


# Leaks ---------------------------------------------------------------------------------------------------------------


class _Held(NamedTuple):
    processes: int
    descriptors: int
    files: int


def _held() -> _Held:
    gc.collect()
    temporary = [p for p in Path(tempfile.gettempdir()).glob(f"autoforge-{os.getpid()}-*") if p.exists()]
    return _Held(len(tree(os.getpid())), len(list(Path("/proc/self/fd").iterdir())), len(temporary))


async def _soak(episodes: int) -> list[Figure]:
    """Many episodes one after the other, so many at a time; what is left of them."""
    before, wrong = _held(), 0

    async def play(server: FolderServer, number: int, slots: anyio.Semaphore) -> None:
        nonlocal wrong
        async with slots:
            task = server.tasks[number % len(server.tasks)]
            made = await play_episode(Environment(server, ScriptedUser()), _ORACLE, Play(task, trial=number))
            wrong += made.reward != 1.0

    slots = anyio.Semaphore(OPEN)
    started = time.perf_counter()
    async with FolderServer(find_environment(str(HOTEL)), workers=2) as server:
        left = server.contained.state_folder
        async with anyio.create_task_group() as group:
            for number in range(episodes):
                group.start_soon(play, server, number, slots)
        states = len([p for p in left.iterdir() if p.suffix == ".sqlite"])
    seconds = time.perf_counter() - started
    after = _held()
    told = f"{episodes / seconds:.0f} episodes/s"
    return [
        at_most(f"processes left after {episodes} episodes", after.processes - before.processes, "", 0, told),
        at_most("file descriptors left", after.descriptors - before.descriptors, "", 0),
        at_most("temporary folders left", after.files - before.files, "", 0),
        at_most("states left before the server was closed", states, "", 0),
        at_most("episodes of the oracle not worth 1, soak", wrong, "", 0),
    ]


# Baselines -----------------------------------------------------------------------------------------------------------


async def _baselines() -> list[Figure]:
    """Oracle and no-op through whole episodes on every task of three environments."""
    figures = []
    for name, bound in (("oracle", 1.0), ("no-op", 0.0)):
        rewards: list[float | None] = []
        for environment in THREE:
            async with FolderServer(find_environment(str(ROOT / "mcp_envs" / environment))) as server:
                for task in server.tasks:
                    agent = baseline_agents()[name]
                    made = await play_episode(Environment(server, ScriptedUser()), agent, Play(task))
                    rewards.append(made.reward)
        share = 100 * sum(reward == 1.0 for reward in rewards) / len(rewards)
        told = f"{len(rewards)} tasks of {', '.join(THREE)}; {rewards.count(None)} without a score"
        holds = all(reward == bound for reward in rewards)
        figures.append(Figure(f"{name} through the whole episode", share, "%", f"= {100 * bound:g}", holds, told))
    return figures
