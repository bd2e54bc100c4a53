"""`autoforge-gym play`: a person in the place of the agent or of the user."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import subprocess
import termios
from pathlib import Path

import pytest

from autoforge.gym.reward import telling
from autoforge.gym.runs.reading import latest
from autoforge.mcp_envs.task import Task, read_tasks
from tests.gym.commands.conftest import HOTEL, Run, command


def typed(task: Task) -> str:
    """What a person types who knows what to do."""
    made = [f"/call {call.tool} {json.dumps(call.arguments)}" for call in task.gold.calls]
    return "\n".join(["/tools", *made, *map(telling, task.gold.answers), *["That is done."] * 20, ""])


def test_a_person_can_be_the_agent(run: Run) -> None:
    task = next(task for task in read_tasks(HOTEL) if task.gold.answers)
    ran = run("play", HOTEL, task.id, "--as", "agent", "-o", "mine.jsonl", stdin=typed(task))
    assert ran.code == 0, ran.err
    assert "user> " in ran.out and "result> " in ran.out and "stop: reward 1" in ran.out
    [line] = latest(Path("mine.jsonl"))
    assert (line.agent, line.task, line.reward) == ("human", task.id, 1.0)


def test_a_person_can_be_the_user(run: Run) -> None:
    task = read_tasks(HOTEL)[0]
    ran = run("play", HOTEL, "--as", "user", "--agent", "no-op", stdin=f"{task.instruction}\n/stop\n")
    assert ran.code == 0, ran.err
    assert task.instruction in ran.out and "agent> " in ran.out and "stop: reward 0" in ran.out


def test_a_person_who_leaves_gets_no_score(run: Run) -> None:
    ran = run("play", HOTEL, "--as", "user", "--agent", "no-op", stdin="")
    assert ran.code == 1 and "failed: no reward" in ran.out and "left the episode" in ran.out
    ran = run("play", HOTEL, "--as", "agent", stdin="/quit\n")
    assert ran.code == 1 and "failed: no reward" in ran.out


@pytest.mark.parametrize(("side", "prompt"), [("agent", b"agent> "), ("user", b"user> ")])
def test_ctrl_c_ends_it_at_a_terminal(side: str, prompt: bytes, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command("play", HOTEL, "--as", side, "--agent", "no-op"), cwd=tmp_path, stdin=theirs, stdout=theirs,
        stderr=theirs, preexec_fn=take_terminal, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            os.close(theirs)
            shown = read_until(ours, prompt)
            os.write(ours, b"\x03")
            assert process.wait(60) == 130, shown
            assert b"interrupted" in read_until(ours, b"written.")
        finally:
            process.kill()
            os.close(ours)


def take_terminal() -> None:
    """Make the terminal on its input that of the new session, so that Ctrl-C is a signal."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def read_until(number: int, end: bytes) -> bytes:
    """What a terminal shows up to some words, which must come in time."""
    shown = b""
    while end not in shown:
        assert select.select([number], [], [], 60)[0], shown
        shown += os.read(number, 4096)
    return shown
