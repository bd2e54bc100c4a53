from __future__ import annotations

from typing import NamedTuple

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from autoforge.trainer.learner import head as head_module
from autoforge.trainer.learner.head import Head, Scores


class Drawn(NamedTuple):
    """A head of width 5 over 11 ids, hidden states and ids."""

    linear: nn.Linear
    hidden: Tensor
    ids: Tensor


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    torch.manual_seed(draw(st.integers(0, 1000)))
    places = draw(st.integers(1, 17))
    linear = nn.Linear(5, 11, bias=draw(st.booleans()))
    return Drawn(linear, 3 * torch.randn(places, 5), torch.randint(11, (places,)))


def _with_gradients(case: Drawn, tokens: int, temperature: float) -> tuple[Scores, list[Tensor]]:
    hidden = case.hidden.clone().requires_grad_()
    scores = Head(case.linear, tokens=tokens)(hidden, case.ids, temperature, True)
    wanted = [hidden, *case.linear.parameters()]
    return scores, list(torch.autograd.grad((scores.logprobs.exp() + scores.entropy).sum(), wanted))


@given(drawn(), st.integers(1, 20), st.sampled_from([0.5, 1.0, 2.0]))
def test_parts_say_what_the_whole_does_with_the_same_gradients(case: Drawn, tokens: int, temperature: float) -> None:
    scores, gradients = _with_gradients(case, tokens, temperature)
    hidden = case.hidden.clone().requires_grad_()
    every = torch.log_softmax(case.linear(hidden) / temperature, -1)
    logprobs, entropy = every.gather(-1, case.ids[:, None])[:, 0], -(every.exp() * every).sum(-1)
    assert torch.allclose(scores.logprobs, logprobs, atol=1e-5)
    assert torch.allclose(scores.entropy, entropy, atol=1e-5)
    wanted = torch.autograd.grad((logprobs.exp() + entropy).sum(), [hidden, *case.linear.parameters()])
    assert all(torch.allclose(one, other, atol=1e-4) for one, other in zip(gradients, wanted, strict=True))


@given(drawn(), st.integers(1, 20))
def test_without_gradients_the_scores_are_the_same(case: Drawn, tokens: int) -> None:
    head = Head(case.linear, tokens=tokens)
    with torch.no_grad():
        scores = head(case.hidden, case.ids, 1.0, False)
    assert torch.equal(scores.logprobs, head(case.hidden, case.ids, 1.0, True).logprobs)
    assert scores.entropy.shape == (0,)


def test_logits_never_exist_for_more_places_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def linear(hidden: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        seen.append(len(hidden))
        return nn.functional.linear(hidden, weight, bias)

    monkeypatch.setattr(head_module, "linear", linear)
    case = Drawn(nn.Linear(5, 11), torch.randn(10, 5), torch.arange(10))
    _with_gradients(case, 4, 1.0)
    assert sorted(seen) == [2, 2, 4, 4, 4, 4]  # forward, and again in the backward pass


def test_the_softmax_of_bf16_weights_is_in_float32() -> None:
    case = Drawn(nn.Linear(5, 11).bfloat16(), torch.randn(3, 5).bfloat16(), torch.arange(3))
    scores = Head(case.linear, tokens=2)(case.hidden, case.ids, 1.0, True)
    every = torch.log_softmax(case.linear(case.hidden).float(), -1)
    assert scores.logprobs.dtype == scores.entropy.dtype == torch.float32
    assert torch.allclose(scores.logprobs, every.gather(-1, case.ids[:, None])[:, 0], atol=1e-6)
