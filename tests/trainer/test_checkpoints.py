"""Checkpoints are whole or not there, and the newest whole one counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.checkpoints import RunState, begun_checkpoint, finished_checkpoint, newest_checkpoint


def saved(folder: Path, step: int, keep: int = 2) -> Path:
    draft = begun_checkpoint(folder, step)
    (draft / "learner").mkdir()
    return finished_checkpoint(draft, RunState(step=step, version=step, records=step), keep)


def test_the_newest_whole_one_counts_and_older_ones_go(tmp_path: Path) -> None:
    assert newest_checkpoint(tmp_path) is None
    for step in (1, 2, 3):
        saved(tmp_path, step)
    begun_checkpoint(tmp_path, 4)  # and a kill
    found = newest_checkpoint(tmp_path)
    assert found is not None and found[1] == RunState(step=3, version=3, records=3)
    assert sorted(path.name for path in (tmp_path / "checkpoints").glob("step-*")) == ["step-000002", "step-000003"]


def test_one_that_a_kill_left_is_begun_anew(tmp_path: Path) -> None:
    (begun_checkpoint(tmp_path, 4) / "half").touch()
    assert list(begun_checkpoint(tmp_path, 4).iterdir()) == []


def test_one_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (saved(tmp_path, 1) / "state.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadInput, match=r"state\.json cannot be read"):
        newest_checkpoint(tmp_path)
