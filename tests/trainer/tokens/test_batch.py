"""Tensors of rows: padding changes nothing, and k rows of a rollout weigh as one."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.batch import IGNORED, micro_batches, padded, rows_of
from autoforge.trainer.tokens.sequence import NOT_SAMPLED, Rollout, TokenRow, TurnSpan, VersionSpan

PAD = 99


def row(prompt: int, number: int, version: int = 1) -> TokenRow:
    ids = tuple(range(prompt + number))
    return TokenRow(
        ids,
        (False,) * prompt + (True,) * number,
        (math.nan,) * prompt + (-0.5,) * number,
        (VersionSpan(version, prompt, prompt + number),) if number else (),
        (TurnSpan(0, prompt, prompt + number, False),) if number else (),
    )


rollouts = st.lists(
    st.lists(st.builds(row, st.integers(1, 6), st.integers(0, 5), st.integers(0, 3)), max_size=3).map(
        lambda rows: Rollout("e/t/a/u/0", tuple(rows), True, False)
    ),
    max_size=4,
)


@given(rollouts)
@settings(deadline=None)
def test_the_weights_of_a_rollout_sum_to_one_over_all_its_rows(given_rollouts: list[Rollout]) -> None:
    rows = rows_of(given_rollouts)
    if not rows:
        return
    batch = padded(rows, padding=PAD)
    for place, rollout in enumerate(given_rollouts):
        total = batch.weights[batch.rollout == place].sum()
        assert total.item() == pytest.approx(1.0 if rollout.policy_tokens else 0.0)


@given(rollouts, st.integers(0, 4))
@settings(deadline=None)
def test_padding_is_attended_to_and_learnt_from_nowhere(given_rollouts: list[Rollout], more: int) -> None:
    rows = rows_of(given_rollouts)
    if not rows:
        return
    width = max(len(item.row.ids) for item in rows) + more
    batch = padded(rows, padding=PAD, length=width)
    assert batch.ids.shape == (len(rows), width)
    for place, item in enumerate(rows):
        number = len(item.row.ids)
        assert batch.ids[place, :number].tolist() == list(item.row.ids)
        assert batch.positions[place, :number].tolist() == list(range(number))
        assert batch.trainable[place, :number].tolist() == list(item.row.trainable)
        assert batch.versions[place, :number].tolist() == [item.row.version_at(n) for n in range(number)]
        assert (batch.ids[place, number:] == PAD).all() and not batch.trainable[place, number:].any()
        assert batch.attention[place].tolist() == [1] * number + [0] * (width - number)
        assert (batch.positions[place, number:] == 0).all() and (batch.versions[place, number:] == NOT_SAMPLED).all()
    assert torch.equal(batch.labels, torch.where(batch.trainable, batch.ids, torch.tensor(IGNORED)))
    assert torch.equal(batch.logprobs.isnan(), ~batch.trainable)
    assert not batch.trainable[:, 0].any()


def test_a_rollout_in_one_row_and_in_three_weighs_the_same() -> None:
    whole = Rollout("a", (row(2, 6),), True, False)
    forked = Rollout("b", (row(2, 1), row(4, 2), row(6, 3)), True, False)
    batch = padded(rows_of([whole, forked]), padding=PAD)
    assert batch.rollout.tolist() == [0, 1, 1, 1]
    assert batch.weights[0].sum().item() == pytest.approx(batch.weights[1:].sum().item())
    assert len({round(weight, 6) for weight in batch.weights[batch.trainable].tolist()}) == 1


@given(rollouts, st.integers(11, 40))
@settings(deadline=None)
def test_micro_batches_hold_every_row_once_and_no_more_tokens_than_allowed(
    given_rollouts: list[Rollout], tokens: int
) -> None:
    rows = rows_of(given_rollouts)
    groups = list(micro_batches(rows, tokens))
    assert sorted(map(id, rows)) == sorted(id(item) for group in groups for item in group)
    assert all(padded(group, padding=PAD).ids.numel() <= tokens for group in groups)


def test_rows_without_anything_to_learn_are_left_out() -> None:
    assert [item.row.policy_tokens for item in rows_of([Rollout("a", (row(3, 0), row(1, 1)), True, False)])] == [1]


def test_what_does_not_fit_is_bad_input() -> None:
    rows = rows_of([Rollout("a", (row(3, 2),), True, False)])
    with pytest.raises(BadInput, match="a row has 5 ids and the batch 4; raise the length"):
        padded(rows, padding=PAD, length=4)
    with pytest.raises(BadInput, match="a row of rollout 0 has 5 ids, and a micro-batch 4"):
        list(micro_batches(rows, 4))
    with pytest.raises(BadInput, match="no row to make a batch of"):
        padded([], padding=PAD)


def test_tokens_are_rendered_and_kept_without_torch() -> None:
    code = "import sys, autoforge.trainer.tokens as t; assert t.TemplateRenderer; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ), timeout=120)
