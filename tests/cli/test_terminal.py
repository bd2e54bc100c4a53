"""Progress is shown on a terminal and nowhere else."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from autoforge.gym.commandline.terminal import messages, meter, output, waiting


def test_a_meter_shows_what_is_at_work_and_how_far_it_is_on_a_terminal() -> None:
    file = io.StringIO()
    with meter(Console(file=file, force_terminal=True, width=100), "compiling") as tell:
        tell("check tools", 3, 7)
    shown = file.getvalue()
    assert "compiling" in shown and "3/7 check tools" in shown


def test_nothing_is_shown_where_there_is_no_terminal() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=False)
    with waiting(console, "loading"), meter(console, "compiling", 2) as tell:
        tell("check tools", 1, 2)
    assert file.getvalue() == ""


def test_a_spinner_turns_beside_its_words_on_a_terminal() -> None:
    file = io.StringIO()
    with waiting(Console(file=file, force_terminal=True, width=100), "loading"):
        pass
    assert "loading" in file.getvalue()


def test_what_was_asked_for_goes_to_stdout_and_the_rest_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    output().print("asked for")
    messages().print("told")
    assert tuple(capsys.readouterr()) == ("asked for\n", "told\n")


def test_lines_in_a_log_are_as_wide_as_columns_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert messages().width == 160
    monkeypatch.setenv("COLUMNS", "77")
    assert messages().width == 77
