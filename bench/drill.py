"""The fault drill: `autoforge-gym run` while processes are killed at random moments, and run again until it is whole.

Killed are workers that episodes share, the server behind an address, the endpoint of the simulated user, and the gym
itself, all by SIGKILL. Invariant: the agent is the oracle, so every score must be 1; a line that was on disk when the
gym was killed must be there at the end, and each episode must have one finished line. Not covered: faults of disks.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from autoforge.gym.trajectory import Trajectory, read_trajectories
from autoforge.mcp_envs.task import read_tasks
from bench.figures import Figure, at_least, at_most
from bench.processes import tree

__all__ = ["drill_figures"]

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ("hotel", "biblioteca")
_TOKEN = "AUTOFORGE_DRILL_TOKEN"
_GYM = [sys.executable, "-m", "autoforge.gym.cli"]
MOST_STARTS = 60
"""Runs of the command before the drill is given up."""


class Drilled(NamedTuple):
    """What one drill came to."""

    wanted: int
    starts: int
    kills: Counter[str]
    lines: list[Trajectory]
    lost: int
    """Finished lines that were there at a kill and are not at the end."""


class _Service:
    """A process that is started again when it was killed."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self._command = command
        self._process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> bool:
        self._process.kill()
        self._process.wait()
        self._process = self._started()
        return True

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def drill_figures(work: Path, trials: int = 13, hosted_trials: int = 9, seed: int = 0) -> list[Figure]:
    """Over folders, then over an address; 24 tasks and 12, each so many times."""
    os.environ[_TOKEN] = secrets.token_hex(16)
    user = _port()
    with _service("user's endpoint", [sys.executable, str(ROOT / "bench" / "drill_user.py"), str(user)]) as endpoint:
        common = [
            "--judge",
            "none",
            "--agent",
            "oracle",
            "--user",
            "openai:drill",
            "--user-base-url",
            f"http://127.0.0.1:{user}/v1",
        ]
        folders = [str(ROOT / "mcp_envs" / name) for name in ENVIRONMENTS]
        first = _drilled(
            [*_GYM, "run", *folders, *common, "--trials", str(trials)], work / "folders.jsonl", [endpoint], seed
        )._replace(wanted=trials * sum(map(_tasks, folders)))
        port = _port()
        server = [sys.executable, str(ROOT / "mcp_envs" / "hotel" / "server.py"), "--http", str(port),
                  "--control-token-env", _TOKEN]  # fmt: skip
        with _service("server", server) as served:
            at = [f"http://127.0.0.1:{port}", "--folder", folders[0], "--token-variable", _TOKEN]
            _wait_for(port)
            second = _drilled(
                [*_GYM, "run", *at, *common, "--trials", str(hosted_trials)], work / "hosted.jsonl",
                [endpoint, served], seed + 1,
            )._replace(wanted=hosted_trials * _tasks(folders[0]))  # fmt: skip
    return _figures([first, second])


def _tasks(folder: str) -> int:
    return len(read_tasks(Path(folder)))


def _figures(drills: list[Drilled]) -> list[Figure]:
    lines = [line for drill in drills for line in drill.lines]
    wanted, starts = sum(d.wanted for d in drills), sum(d.starts for d in drills)
    finished = Counter((n, line.id) for n, d in enumerate(drills) for line in d.lines if line.reward is not None)
    wrong = sum(line.reward not in (None, 1.0) for line in lines)
    kills: Counter[str] = sum((d.kills for d in drills), Counter())
    unscored = sum(line.reward is None for line in lines)
    told = ", ".join(f"{number} × {name}" for name, number in sorted(kills.items()))
    return [
        at_least("kills in the drill", sum(kills.values()), "", 20, told),
        at_most("wrong rewards in the drill", wrong, "", 0, f"{len(lines)} lines, {unscored} of them without a score"),
        at_most("finished episodes lost", sum(d.lost for d in drills), "", 0),
        at_most("episodes not finished at the end", wanted - len(finished), "", 0, f"{wanted} wanted, {starts} starts"),
        at_most("episodes finished twice", sum(n > 1 for n in finished.values()), "", 0),
    ]


def _drilled(command: list[str], path: Path, services: list[_Service], seed: int) -> Drilled:
    """Run the command until it is whole, killing as it goes."""
    chance = random.Random(seed)
    kills: Counter[str] = Counter()
    seen: set[str] = set()
    lost = starts = 0
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    for starts in range(1, MOST_STARTS + 1):
        process = subprocess.Popen(
            [*command, "-o", str(path)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        ends = time.monotonic() + chance.uniform(6, 12) if starts < 6 else float("inf")
        while process.poll() is None and time.monotonic() < ends:
            time.sleep(chance.uniform(0.3, 1.2))
            if starts < 12:
                _kill_something(process.pid, services, chance, kills)
        if process.poll() is None:
            process.kill()
            kills["gym"] += 1
        code = process.wait()
        now = {line.line() for line in read_trajectories(path, torn_end=True)} if path.exists() else set()
        lost += len(seen - now)
        seen = now
        if code == 0:
            break
    lines = list(read_trajectories(path))
    return Drilled(0, starts, kills, lines, lost)


def _kill_something(gym: int, services: list[_Service], chance: random.Random, kills: Counter[str]) -> None:
    ways: list[tuple[str, Callable[[], bool]]] = [("worker", lambda: _kill_worker(gym, chance))]
    ways += [(service.name, service.kill) for service in services]
    name, kill = chance.choice(ways)
    kills[name] += kill()


def _kill_worker(gym: int, chance: random.Random) -> bool:
    workers = [pid for pid in tree(gym)[1:] if b"worker.py" in _command_of(pid)]
    with suppress(ProcessLookupError):
        if workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
            return True
    return False


def _command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def _service(name: str, command: list[str]) -> Iterator[_Service]:
    service = _Service(name, command)
    try:
        yield service
    finally:
        service.close()


def _port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_for(port: int) -> None:
    reached = threading.Event()
    while not reached.wait(0.1):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            reached.set()
