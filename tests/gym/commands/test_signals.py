"""Signals end a command in time, and nothing is left: no process, no folder, no draft."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gym.commands.conftest import command, files_of
from tests.gym.servers.processes import FAKE, is_alive

SECONDS = 15
HANGS = {
    "id": "hang", "instruction": "Wait.", "probe": [{"tool": "list_notes", "path": "$.notes"}],
    "calls": [{"tool": "add_note", "arguments": {"text": "x"}}, {"tool": "misbehave", "arguments": {"how": "hang"}}],
}  # fmt: skip


def wrapped(folder: Path) -> str:
    """The fake server, which tells its number in a pipe when the call has arrived that it hangs in for ever."""
    script = folder / "wrapper.py"
    script.write_text(
        f"import os, runpy, signal, sys\n"
        f"sys.argv = [{str(FAKE)!r}, *sys.argv[2:]]\n"
        f"fake = runpy.run_path({str(FAKE)!r}, run_name='fake')\n"
        f"def misbehave(arguments):\n"
        f"    with open({str(folder / 'arrived')!r}, 'w') as pipe:\n"
        f"        pipe.write(str(os.getpid()))\n"
        f"    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"    while True: signal.pause()\n"
        f"fake['TOOLS']['misbehave'] = misbehave\n"
        f"fake['serve'](False)\n",
        encoding="utf-8",
    )
    return f"{sys.executable} {script}"


def line_of(kind: str, server: str) -> list[str]:
    if kind == "gold":
        return command("gold", server, "mine.jsonl", "-o", "out/tasks.jsonl")
    return command("run", server, "--task-file", "tasks.jsonl", "--agent", "oracle", "--judge", "none", "-o", "o.jsonl")


@pytest.mark.parametrize("kind", ["gold", "run"])
@pytest.mark.parametrize("numbers", [(signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGTERM)])
def test_a_second_signal_changes_nothing_and_nothing_is_left(
    kind: str, numbers: tuple[signal.Signals, ...], tmp_path: Path
) -> None:
    work, temporary = tmp_path / "work", tmp_path / "temporary"
    work.mkdir()
    temporary.mkdir()
    os.mkfifo(tmp_path / "arrived")
    (work / "mine.jsonl").write_text(json.dumps(HANGS), encoding="utf-8")
    (work / "tasks.jsonl").write_text(json.dumps(task_that_hangs()), encoding="utf-8")
    with subprocess.Popen(
        line_of(kind, wrapped(tmp_path)), cwd=work, env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
        preexec_fn=default_signals,
    ) as process:  # fmt: skip
        try:
            server = int((tmp_path / "arrived").read_text(encoding="utf-8"))
            process.send_signal(numbers[0])
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.3)
            process.send_signal(numbers[1])
            _, said = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    assert process.returncode == 130 and "Traceback" not in said and "interrupted" in said, said
    assert not is_alive(server) and files_of(temporary) == []
    assert [name for name in files_of(work) if name.rpartition("/")[2].startswith(".")] == []
    assert not (work / "out" / "tasks.jsonl").exists()


def default_signals() -> None:
    """Also where the tests run with Ctrl-C ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def task_that_hangs() -> dict[str, object]:
    calls = [{"node": "n1", "tool": "misbehave", "arguments": {"how": "hang"}}]
    return {
        "id": "hang", "environment": "fake", "instruction": "Wait.", "known": {}, "blueprint": {"nodes": []},
        "gold": {"calls": calls, "state": "", "diff": []},
        "difficulty": {"calls": 1, "writes": 0, "depth": 0, "reasoning": 0},
    }  # fmt: skip
