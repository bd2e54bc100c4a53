"""metrics.jsonl survives kills: whole lines stay, a torn one goes, and a resumed run writes no step twice."""

from __future__ import annotations

import errno
import json
import math
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.metrics.catalogue import ENVIRONMENT_METRICS, STEP_METRICS, catalogue_markdown
from autoforge.trainer.metrics.metrics_file import MetricsFile, read_records
from autoforge.trainer.metrics.record import StepRecord
from tests.trainer.metrics.runs import step


def written(path: Path, number: int) -> bytes:
    with MetricsFile(path) as file:
        for place in range(1, number + 1):
            file.append(step(place))
    return path.read_bytes()


def test_a_line_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "run" / "metrics.jsonl"
    with MetricsFile(path) as file:
        file.append(step(1))
        assert [record.step for record in read_records(path)] == [1]
        assert file.count == 1


def test_the_disk_is_waited_for_after_each_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, sizes, real = tmp_path / "metrics.jsonl", list[int](), os.fsync

    def noted(descriptor: int) -> None:
        real(descriptor)
        sizes.append(os.fstat(descriptor).st_size)

    monkeypatch.setattr(os, "fsync", noted)
    with MetricsFile(path) as file:
        file.append(step(1))
        first = path.stat().st_size
        file.append(step(2))
    assert sizes == [first, path.stat().st_size]


def test_a_file_cut_anywhere_is_mended_to_its_whole_lines_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    whole = written(path, 3)
    ends = [0, *(place + 1 for place, byte in enumerate(whole) if byte == ord("\n"))]
    for cut in range(0, len(whole) + 1, 7):
        path.write_bytes(whole[:cut])
        lines = sum(1 for end in ends[1:] if end <= cut)
        assert len(list(read_records(path))) == lines
        with MetricsFile(path) as file:
            assert file.count == lines
            file.append(step(99))
        assert [record.step for record in read_records(path)] == [*range(1, lines + 1), 99]


def test_a_resumed_run_keeps_the_records_that_its_checkpoint_knew_and_no_later_ones(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    written(path, 5)
    with MetricsFile(path, records=3) as file:
        file.append(step(4, note="again"))
    assert [(record.step, record.note) for record in read_records(path)] == [(1, ""), (2, ""), (3, ""), (4, "again")]
    with MetricsFile(path, records=9) as file:
        assert file.count == 4


def test_a_second_run_is_refused_while_the_first_writes(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    with MetricsFile(path), pytest.raises(BadInput, match="another run is writing"):
        MetricsFile(path)
    with MetricsFile(path):
        pass


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "metrics.jsonl"
    before = written(path, 2)
    real = os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) < 50:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data[: len(data) - 10])

    with MetricsFile(path) as file:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(AutoForgeError, match=r"cannot be written further: No space.*--resume"):
            file.append(step(3))
        monkeypatch.undo()
        assert path.read_bytes() == before and file.count == 2
        file.append(step(3))
    assert len(list(read_records(path))) == 3


@pytest.mark.parametrize(
    "content", [b"{}\n", b"no json\n", b'{"stage": "erpo", "step": 1, "time": 0, "other": 1}\n', b"\n"]
)
def test_a_line_that_is_no_record_is_refused_with_its_number(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="line 1"):
        MetricsFile(path)
    with pytest.raises(BadInput, match="cannot be read"):
        list(read_records(tmp_path / "none.jsonl"))


def test_a_name_that_is_in_no_catalogue_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValidationError, match="did you mean 'entropy'"):
        step(1, values={"entrpy": 1.0})
    with pytest.raises(ValidationError, match="did you mean 'reward_std'"):
        StepRecord(stage="erpo", step=1, time=0, environments={"bank": {"reward_st": 1.0}})


@given(st.dictionaries(st.sampled_from(sorted(STEP_METRICS)), st.floats() | st.none()))
def test_any_number_survives_the_line_and_what_is_not_finite_is_null(values: dict[str, float | None]) -> None:
    line = step(1, values=values).line()
    read = StepRecord.model_validate_json(line)
    assert line.endswith("\n") and "\n" not in line[:-1] and json.loads(line)["stage"] == "erpo"
    expected = {name: value if value is not None and math.isfinite(value) else None for name, value in values.items()}
    assert read.values == expected


def test_the_documented_table_has_every_metric_with_unit_and_meaning() -> None:
    table = catalogue_markdown()
    for metrics in (STEP_METRICS, ENVIRONMENT_METRICS):
        for name, metric in metrics.items():
            assert f"| `{name}` | {metric.unit} | {metric.meaning} |" in table and metric.meaning.endswith(".")
    required = {
        "reward", "masked_share", "effective_batch", "entropy", "clipped_share", "kl", "mismatch", "staleness_max",
        "tokens_per_second", "sampler_seconds", "user_seconds", "environment_seconds", "seconds_learner",
    }  # fmt: skip
    assert required <= set(STEP_METRICS) and {"reward", "reward_std", "masked_share"} <= set(ENVIRONMENT_METRICS)
