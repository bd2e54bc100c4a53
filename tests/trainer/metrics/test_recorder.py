"""A run's records go to file, terminal, TensorBoard and page, and are there when it breaks off."""

from __future__ import annotations

import importlib
import io
import sys
from pathlib import Path

import pytest
from rich.console import Console

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.metrics import Recorder
from autoforge.trainer.metrics.live import LiveProgress, line_of
from autoforge.trainer.metrics.metrics_file import read_records
from autoforge.trainer.metrics.record import Stage
from tests.trainer.metrics.runs import cold, measured, step

TOTALS: dict[Stage, int] = {"erpo": 20, "cold_start": 5}


def console(*, terminal: bool) -> tuple[Console, io.StringIO]:
    written = io.StringIO()
    return Console(file=written, force_terminal=terminal, width=100, color_system=None, legacy_windows=False), written


def test_what_was_recorded_is_on_disk_and_on_the_page_when_the_run_breaks(tmp_path: Path) -> None:
    told, written = console(terminal=False)
    with pytest.raises(RuntimeError), Recorder(tmp_path, told, TOTALS) as recorder:
        recorder.record(step(1))
        recorder.record(step(2))
        assert recorder.count == 2
        raise RuntimeError
    assert len(list(read_records(tmp_path / "metrics.jsonl"))) == 2
    assert "Reward in training" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert written.getvalue().count("\n") == 2


def test_a_run_that_goes_on_takes_up_the_count_of_its_checkpoint(tmp_path: Path) -> None:
    told, _ = console(terminal=False)
    with Recorder(tmp_path, told, TOTALS) as recorder:
        for number in (1, 2, 3):
            recorder.record(step(number))
    with Recorder(tmp_path, told, TOTALS, records=2) as recorder:
        recorder.record(step(3))
    assert [record.step for record in read_records(tmp_path / "metrics.jsonl")] == [1, 2, 3]


def test_without_a_terminal_each_record_is_a_line() -> None:
    told, written = console(terminal=False)
    with LiveProgress(told, TOTALS) as live:
        live.show(cold(2))
        live.show(step(3))
        live.show(step(4, note="no group has rewards that differ"))
        live.show(measured(4, "[bold]bank[/bold]"))
    lines = written.getvalue().splitlines()
    assert lines[0] == "cold start 2/5, loss 1"
    assert lines[1].startswith("ERPO 3/20, reward 0.230, 10% masked, 96 rollouts teach, 12,345 tokens/s, 10.0 s")
    assert lines[2].endswith("(bank 0.240, hotel 0.240); no group has rewards that differ")
    assert lines[3] == "measurement 4, ([bold]bank[/bold] 0.500)"


def test_on_a_terminal_a_panel_has_environments_changes_and_the_split_of_time() -> None:
    told, written = console(terminal=True)
    with LiveProgress(told, TOTALS) as live:
        live.show(step(1, environments=("bank[red]",)))
        live.show(step(11, environments=("bank[red]",)))
    text = written.getvalue()
    for words in (
        "ERPO 11/20",
        "90.0 s left",
        "bank[red]",
        "+0.100",
        "rollouts 6.0 s",
        "learner 4.0 s",
        "12,345 tokens/s",
    ):
        assert words in text


def test_on_a_terminal_the_panel_stays_while_a_step_is_at_work_and_elsewhere_nothing_is_said() -> None:
    told, written = console(terminal=True)
    with LiveProgress(told, TOTALS) as live:
        live.working("episodes", 3, 64)
        live.show(step(1))
        before = len(written.getvalue())
        live.working("episodes [x]", 40, 64)
    after = written.getvalue()[before:]
    assert "episodes [x]" in after and "40/64" in after and "ERPO 1/20" in after
    silent, nothing = console(terminal=False)
    with LiveProgress(silent, TOTALS) as live:
        live.working("episodes", 3, 64)
    assert nothing.getvalue() == ""


def test_a_line_without_a_total_has_the_number_alone() -> None:
    assert line_of(cold(1), None) == "cold start 1, loss 2"


def test_tensorboard_has_every_number_by_stage_metric_and_environment(tmp_path: Path) -> None:
    events = importlib.import_module("tensorboard.backend.event_processing.event_accumulator")
    told, _ = console(terminal=False)
    with Recorder(tmp_path, told, TOTALS, tensorboard=True) as recorder:
        recorder.record(step(1, values={"reward": 0.25, "entropy": float("nan")}))
        recorder.record(step(2, values={"reward": 0.5}))
        recorder.record(measured(2))
    found = events.EventAccumulator(str(tmp_path / "tensorboard"))
    found.Reload()
    tags = set(found.Tags()["scalars"])
    assert {"erpo/reward", "erpo/reward_std/hotel", "evaluation/reward/bank"} <= tags and "erpo/entropy" not in tags
    assert [(event.step, event.value) for event in found.Scalars("erpo/reward")] == [(1, 0.25), (2, 0.5)]


def test_a_run_that_goes_on_has_every_step_in_tensorboard_once(tmp_path: Path) -> None:
    events = importlib.import_module("tensorboard.backend.event_processing.event_accumulator")
    told, _ = console(terminal=False)
    with Recorder(tmp_path, told, TOTALS, tensorboard=True) as recorder:
        for number in (1, 2, 3):
            recorder.record(step(number, values={"reward": 0.25}))
    with Recorder(tmp_path, told, TOTALS, records=2, tensorboard=True) as recorder:
        recorder.record(step(3, values={"reward": 0.75}))
    found = events.EventAccumulator(str(tmp_path / "tensorboard"))
    found.Reload()
    assert [(event.step, event.value) for event in found.Scalars("erpo/reward")] == [(1, 0.25), (2, 0.25), (3, 0.75)]


def test_without_tensorboard_the_setting_is_refused_and_nothing_stays_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    told, _ = console(terminal=False)
    with pytest.raises(BadInput, match="pip install tensorboard"):
        Recorder(tmp_path, told, TOTALS, tensorboard=True)
    with Recorder(tmp_path, told, TOTALS):
        pass
