from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import AutoModelForCausalLM

from autoforge.trainer.learner.head import Scores
from autoforge.trainer.learner.policy import Policy
from tests.trainer.learner.tiny import rows


@pytest.fixture(scope="module")
def policy(model: Path) -> Policy:
    causal = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    return Policy(causal, head_tokens=5)


def _scored(policy: Policy, ids: Tensor, attention: Tensor) -> Scores:
    with torch.no_grad():
        scores: Scores = policy(ids, attention, attention[:, 1:].bool(), 1.0, True)
    return scores


def test_a_row_says_the_same_alone_and_padded_on_either_side(policy: Policy) -> None:
    ids = rows().ids[1:2, :8]
    alone = _scored(policy, ids, torch.ones_like(ids))
    padding = torch.full((1, 3), 7)
    mask = torch.cat([torch.ones_like(ids), torch.zeros_like(padding)], 1)
    behind = _scored(policy, torch.cat([ids, padding], 1), mask)
    before = _scored(policy, torch.cat([padding, ids], 1), mask.flip(1))
    assert torch.allclose(behind.logprobs[:, :7], alone.logprobs, atol=1e-5)
    assert torch.allclose(before.logprobs[:, 3:], alone.logprobs, atol=1e-5)
    assert torch.allclose(before.entropy[:, 3:], alone.entropy, atol=1e-5)


def test_places_that_are_not_chosen_are_0_and_add_nothing_to_gradients(policy: Policy) -> None:
    batch = rows()
    chosen = batch.trainable[:, 1:]
    scores: Scores = policy(batch.ids, batch.attention, chosen, 1.0, False)
    assert not scores.logprobs[~chosen].any()
    torch.autograd.backward(scores.logprobs[~chosen].sum())
    assert all(p.grad is not None and not p.grad.any() for p in policy.parameters())
    policy.zero_grad()


def test_every_parameter_gets_a_gradient_where_nothing_is_chosen(policy: Policy) -> None:
    batch = rows()
    scores: Scores = policy(batch.ids, batch.attention, torch.zeros_like(batch.trainable[:, 1:]), 1.0, False)
    assert not scores.logprobs.any()
    torch.autograd.backward(scores.logprobs.flatten()[:0].sum())
    assert all(p.grad is not None and not p.grad.any() for p in policy.parameters())
    policy.zero_grad()
