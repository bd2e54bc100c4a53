"""Whatever ends a run, what was finished stays and the same command plays the rest exactly once."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import FileIO
from pathlib import Path

import pytest

from autoforge.gym.trajectory import Trajectory
from tests.gym.commands.conftest import HOTEL, files_of, program

SECONDS = 60.0
ALL = {json.loads(line)["id"] for line in (HOTEL / "tasks.jsonl").read_text(encoding="utf-8").splitlines()}
OPTIONS = ("run", HOTEL, "--agent", "oracle", "--judge", "none", "-o", "run.jsonl", "--json", "--concurrency", 4)
STOPPING = """
import os, signal, sys, threading
import anyio
from autoforge.gym.cli import main
from autoforge.gym.runs.trajectory_file import TrajectoryFile

told, last = os.open(os.environ["TELL"], os.O_WRONLY), int(os.environ["LAST"])
append, write = TrajectoryFile.append, TrajectoryFile._write

begun = None  # lines there are and lines that are being written

async def appended(self, trajectory):
    global begun
    begun = len(self.outcomes) if begun is None else begun
    if begun >= last and not os.environ.get("TORN"):
        await anyio.sleep_forever()
    begun += 1
    outcome = await append(self, trajectory)
    os.write(told, b"%d\\n" % len(self.outcomes))
    return outcome

def written(self, line):
    if len(self.outcomes) >= last and os.environ.get("TORN"):
        os.write(self._descriptor, line[: len(line) // 2])
        os.write(told, b"torn\\n")
        threading.Event().wait()
    write(self, line)

TrajectoryFile.append, TrajectoryFile._write = appended, written
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
main(sys.argv[1:])
"""
"""The program, which tells of each line it has written, and stops at one, before it or in the middle of it."""


@contextmanager
def stopped(
    folder: Path, last: int, *, torn: bool = False, lines: int | None = None
) -> Iterator[subprocess.Popen[str]]:
    """The program once the file has so many lines, of which it wrote `lines`; it waits to be ended."""
    (folder / "stopping.py").write_text(STOPPING, encoding="utf-8")
    (folder / "temporary").mkdir(exist_ok=True)
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    environment = {**os.environ, "TELL": str(pipe), "LAST": str(last), "TORN": "1" if torn else "",
                   "TMPDIR": str(folder / "temporary")}  # fmt: skip
    command = [sys.executable, "stopping.py", *map(str, OPTIONS)]
    with ExitStack() as stack:
        told = stack.enter_context(open(os.open(pipe, os.O_RDWR), "rb", buffering=0))  # it writes too: no end is seen
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )
        stack.enter_context(process)
        stack.callback(process.kill)
        for _ in range((last if lines is None else lines) + torn):
            line(told)
        yield process
    pipe.unlink()


def line(stream: FileIO) -> bytes:
    """A line from a pipe, which must come in time."""
    read = b""
    while not read.endswith(b"\n"):
        assert select.select([stream], [], [], SECONDS)[0], "the program said nothing"
        read += stream.read(1) or b""
    return read


def descendants(process: subprocess.Popen[str]) -> list[int]:
    """The numbers of its children, which are its workers."""
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(number) for number in path.read_text(encoding="utf-8").split()]


def gone(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def resumed(folder: Path, before: bytes) -> None:
    """The same command again: the rest, exactly once."""
    whole = before[: before.rfind(b"\n") + 1]
    done = program(*OPTIONS, cwd=folder)
    assert done.code == 0, done.err
    assert done.document["all"]["episodes"] == 12 and done.document["all"]["pass@1"]["value"] == 1.0
    after = (folder / "run.jsonl").read_bytes()
    assert after.startswith(whole)
    played = Counter(Trajectory.model_validate_json(text).task for text in after.splitlines())
    assert set(played) == ALL and set(played.values()) == {1}


@pytest.mark.parametrize("last", [1, 6, 11])
def test_a_killed_run_loses_nothing_that_was_finished(tmp_path: Path, last: int) -> None:
    with stopped(tmp_path, last) as process:
        process.kill()
        process.wait(SECONDS)
        before = (tmp_path / "run.jsonl").read_bytes()
    assert before.count(b"\n") == last
    resumed(tmp_path, before)


def test_a_run_that_was_killed_while_it_wrote_leaves_a_torn_line_that_is_cut_off(tmp_path: Path) -> None:
    with stopped(tmp_path, 3, torn=True) as process:
        process.kill()
        process.wait(SECONDS)
        before = (tmp_path / "run.jsonl").read_bytes()
    assert before.count(b"\n") == 3 and not before.endswith(b"\n")
    seen = program("score", "run.jsonl", "--env", HOTEL, "--json", cwd=tmp_path)
    assert seen.code == 0 and seen.document["episodes"] == 3
    resumed(tmp_path, before)


def test_a_run_can_be_killed_again_and_again(tmp_path: Path) -> None:
    for more, last in ((2, 2), (3, 5), (4, 9)):
        with stopped(tmp_path, last, lines=more) as process:
            process.kill()
            process.wait(SECONDS)
        assert (tmp_path / "run.jsonl").read_bytes().count(b"\n") == last
    resumed(tmp_path, (tmp_path / "run.jsonl").read_bytes())


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"])
def test_a_signal_closes_everything_and_says_how_to_go_on(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with stopped(tmp_path, 4) as process:
        workers = descendants(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
        before = (tmp_path / "run.jsonl").read_bytes()
    assert process.returncode == code, err
    assert "Traceback" not in err and "4 of 12 episodes are in run.jsonl" in " ".join(err.split())
    assert out == "" and before.count(b"\n") == 4 and before.endswith(b"\n")
    assert workers and all(map(gone, workers))
    assert files_of(tmp_path / "temporary") == []
    resumed(tmp_path, before)


def test_a_second_run_on_the_same_file_is_refused_while_the_first_runs(tmp_path: Path) -> None:
    with stopped(tmp_path, 2) as process:
        before = (tmp_path / "run.jsonl").read_bytes()
        second = program(*OPTIONS, cwd=tmp_path)
        assert second.code == 2 and "another run is writing run.jsonl" in second.err
        shutil.copy(tmp_path / "run.jsonl", tmp_path / "copy.jsonl")
        score = program("score", "copy.jsonl", "--env", HOTEL, "-o", "run.jsonl", cwd=tmp_path)
        (tmp_path / "copy.jsonl").unlink()
        assert score.code == 2 and "a run is writing run.jsonl" in score.err
        assert (tmp_path / "run.jsonl").read_bytes() == before
        process.kill()
    resumed(tmp_path, before)
