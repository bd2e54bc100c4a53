"""What the benchmark of the trainer compares is the same on both sides."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autoforge.trainer.tokens.sequence import TokenRow
from bench import training
from bench.training_rows import equal_rows
from bench.training_step import Compared
from bench.training_trl import HOW_TO_INSTALL, batch_of, width_of
from bench.training_users import Overlap


@st.composite
def token_rows(draw: st.DrawFn) -> TokenRow:
    prompt = draw(st.integers(1, 6))
    later = [True, *draw(st.lists(st.booleans(), max_size=8))]
    trainable = (False,) * prompt + tuple(later)
    ids = tuple(draw(st.lists(st.integers(1, 9), min_size=len(trainable), max_size=len(trainable))))
    return TokenRow(ids, trainable, (math.nan,) * len(ids), (), ())


@given(st.lists(token_rows(), min_size=1, max_size=5))
def test_padding_as_trl_has_it_keeps_every_id_and_trains_on_the_same_ones(rows: list[TokenRow]) -> None:
    batch = batch_of(rows, torch.zeros(len(rows)))
    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], 1)
    mask = torch.cat([batch["prompt_mask"], batch["completion_mask"]], 1).bool()
    trained = torch.cat([torch.zeros_like(batch["prompt_mask"]), batch["tool_mask"]], 1).bool() & mask
    assert ids.shape[1] == width_of(rows)
    for place, row in enumerate(rows):
        assert tuple(ids[place, mask[place]].tolist()) == row.ids
        assert tuple(trained[place, mask[place]].tolist()) == row.trainable
    assert int(batch["num_items_in_batch"]) == sum(row.policy_tokens for row in rows)


def test_the_ratio_is_the_median_of_the_rounds() -> None:
    found = Compared("episodes", 4, 10, 5, 12, [1.0, 1.0, 2.0], [1.5, 4.0, 2.0], 1.0, 0.0)
    assert found.ratios == [1.5, 4.0, 1.0] and found.ratio == 1.5 and found.bound


def test_without_trl_the_bound_is_missed_and_how_to_install_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "installed", lambda: False)
    monkeypatch.setattr(training, "real_rows", lambda *_: equal_rows(4, 48))
    monkeypatch.setattr(training, "overlap", lambda *_: Overlap([2.0], [1.8], 8, 16, 8, 2))
    monkeypatch.setattr(training, "DETAILS", tmp_path / "results" / "training.json")
    step, users = training.training_figures(tmp_path)
    assert (step.holds, step.detail) == (False, HOW_TO_INSTALL)
    assert users.holds and users.value == pytest.approx(0.9)
