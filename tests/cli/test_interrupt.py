"""Ctrl-C, SIGTERM and faults of ours: no traceback, no half-written folder, no process left behind."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import ExitStack
from io import FileIO
from pathlib import Path

import pytest

from tests.cli.conftest import NOTES, Run, files_of

SECONDS = 60.0
STALL = """
import sys
from autoforge.generator import compile as compiling
from autoforge.generator.cli import main

def stalled(folder, *, seed=0, progress=None):
    import os, threading
    with open(os.environ["TELL"], "wb", buffering=0) as told:
        told.write(b"%d\\n" % os.getpid())
    threading.Event().wait()

compiling.run_suite = stalled
if __name__ == "__main__":
    import signal
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
    main(sys.argv[1:])
"""
"""The program, with a proof that says its process's number and never ends. Workers import it as their main module."""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("files", [1, 2])
def test_a_signal_ends_it_with_a_sentence_and_leaves_nothing(
    number: signal.Signals, code: int, files: int, tmp_path: Path
) -> None:
    (tmp_path / "stall.py").write_text(STALL, encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    for name in ("notes", "more")[:files]:
        (tmp_path / f"{name}.json").write_text(json.dumps(NOTES), encoding="utf-8")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    before = files_of(tmp_path)
    environment = {
        **os.environ,
        "TELL": str(pipe),
        "TMPDIR": str(tmp_path / "temporary"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "stall.py", *(f"{name}.json" for name in ("notes", "more")[:files]), "--jobs", "2"]
    with ExitStack() as stack:
        told = stack.enter_context(open(os.open(pipe, os.O_RDWR), "rb", buffering=0))  # it writes too: no end is seen
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, encoding="utf-8")
        stack.enter_context(process)
        stack.callback(process.kill)
        workers = [int(_line(told)) for _ in range(files)]
        process.send_signal(number)
        _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == code, err
    assert "Traceback" not in err
    assert ("interrupted" in err) == (number is signal.SIGINT)
    assert files_of(tmp_path) == before
    assert not [pid for pid in workers if _alive(pid)]


def _line(stream: FileIO) -> bytes:
    """A line from a pipe, which must come in time."""
    line = b""
    while not line.endswith(b"\n"):
        assert select.select([stream], [], [], SECONDS)[0], "the program said nothing"
        line += stream.read(1)
    return line


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_fault_of_ours_is_one_line_that_says_where(run: Run, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUTOFORGE_TRACEBACK", raising=False)
    monkeypatch.setattr("autoforge.generator.compile.synthesize", lambda *_, **__: dict[str, object]()["no such key"])
    ran = run(notes, "--json")
    assert ran.code == 1 == ran.document["exit_code"]
    assert "KeyError: 'no such key' (test_interrupt.py, line" in ran.err and ran.err.count("\n") == 1
    assert not Path("mcp_envs").exists()
    monkeypatch.setenv("AUTOFORGE_TRACEBACK", "1")
    with pytest.raises(KeyError):
        run(notes)
