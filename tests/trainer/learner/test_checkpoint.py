from __future__ import annotations

from pathlib import Path

import pytest
import torch

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.learner.checkpoint import partial_folder, read, rename_whole
from autoforge.trainer.learner.ranks import Ranks
from tests.trainer.learner.tiny import settings

ALONE = Ranks(0, 0, 1, torch.device("cpu"), torch.float32)


def test_a_folder_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    folder = tmp_path / "step-1"
    partial = partial_folder(folder, ALONE)
    (partial / "part").write_text("a")
    assert not folder.exists()
    rename_whole(partial, folder, ALONE)
    assert [path.name for path in tmp_path.iterdir()] == ["step-1"]
    assert (folder / "part").read_text() == "a"


def test_what_a_try_that_was_killed_left_behind_is_gone(tmp_path: Path) -> None:
    (partial_folder(tmp_path / "step-1", ALONE) / "left").write_text("a")
    assert list(partial_folder(tmp_path / "step-1", ALONE).iterdir()) == []


def test_a_folder_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no checkpoint of a learner"):
        read(None, settings(tmp_path), ALONE, tmp_path)


def test_a_checkpoint_of_other_ranks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "learner.json").write_text('{"ranks": 2}')
    with pytest.raises(BadInput, match="written with ranks = 2, and this run has 1"):
        read(None, settings(tmp_path), ALONE, tmp_path)
