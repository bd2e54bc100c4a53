"""Stdout that takes nothing more: an exit code, and no fault of ours."""

from __future__ import annotations

import errno
import io
import os
import subprocess
from pathlib import Path
from typing import IO, Any

import pytest

from tests.gym.commands.conftest import HOTEL, Run, command

SCORE = ("--env", HOTEL, "--json")


def said(arguments: list[str], stdout: IO[bytes] | int, stderr: IO[bytes] | int = subprocess.PIPE) -> tuple[int, str]:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        arguments, stdout=stdout, stderr=stderr, stdin=subprocess.DEVNULL, timeout=120, check=False, encoding="utf-8",
        env=buffered,
    )  # fmt: skip
    return done.returncode, done.stderr or ""


@pytest.mark.parametrize("as_json", [True, False])
def test_a_reader_that_has_gone_away_is_no_fault(oracle_file: Path, as_json: bool) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as stdout:
        code, words = said(command("score", oracle_file, *SCORE[: 2 + as_json]), stdout)
        assert (code, [line for line in words.splitlines() if "episodes" not in line]) == (1, [])
        code, words = said(command("score", "nowhere.jsonl", "--json"), stdout)
        assert code == 2 and words.count("\n") == 1 and "nowhere.jsonl" in words
        assert said(command("score", oracle_file, *SCORE), stdout, stdout)[0] == 1
        assert said(command("score", "nowhere.jsonl"), stdout, stdout)[0] == 2


def test_a_pipe_that_is_full_is_told(oracle_file: Path) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with pytest.raises(BlockingIOError):
        while True:
            os.write(theirs, b"x" * 4096)
    with os.fdopen(theirs, "wb") as stdout, os.fdopen(ours, "rb"):
        code, words = said(command("score", oracle_file, *SCORE), stdout)
        assert code == 1 and "the output cannot be written" in words and "Traceback" not in words
        assert "a fault of AutoForge" not in words


class Full(io.StringIO):
    """Takes nothing, at once or when it is flushed."""

    def __init__(self, number: int, late: bool) -> None:
        super().__init__()
        self._error = OSError(number, os.strerror(number))
        self._late = late

    def write(self, text: str) -> int:
        if not self._late:
            raise self._error
        return len(text)

    def flush(self) -> None:
        raise self._error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EPIPE])
@pytest.mark.parametrize("late", [True, False])
def test_whatever_is_wrong_with_stdout_is_an_exit_code(
    run: Run, monkeypatch: pytest.MonkeyPatch, oracle_file: Path, number: int, late: bool
) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    monkeypatch.setattr("sys.stdout", Full(number, late))
    ran: Any = run("score", oracle_file, *SCORE)
    assert ran.code == 1 and "a fault of AutoForge" not in ran.err
