"""KL estimators: what their values and gradients are on average, over a distribution where all can be summed."""

from __future__ import annotations

import pytest
import torch

from autoforge.trainer.algorithm.divergence import divergence

OLD = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
LOGITS = torch.tensor([0.3, -0.2, 0.5], dtype=torch.float64)


def gradient_of(estimator: str) -> tuple[float, torch.Tensor]:
    """The mean of the estimate over π_θ, and the mean over π_θ of its gradient, samples held fixed."""
    logits = LOGITS.clone().requires_grad_()
    logprobs = logits.log_softmax(0)
    weights = logprobs.detach().exp()
    mean = (weights * divergence(logprobs - OLD.log(), estimator)).sum()  # type: ignore[arg-type]
    (gradient,) = torch.autograd.grad(mean, logits)
    return float(mean.detach()), gradient


def true_gradient(*, reverse: bool) -> tuple[float, torch.Tensor]:
    logits = LOGITS.clone().requires_grad_()
    logprobs = logits.log_softmax(0)
    difference = logprobs - OLD.log()
    kl = (logprobs.exp() * difference).sum() if reverse else -(OLD * difference).sum()
    (gradient,) = torch.autograd.grad(kl, logits)
    return float(kl.detach()), gradient


@pytest.mark.parametrize("estimator", ["k1", "k3"])
def test_k1_and_k3_have_the_divergence_as_their_mean(estimator: str) -> None:
    assert gradient_of(estimator)[0] == pytest.approx(true_gradient(reverse=True)[0])


def test_k1_as_a_loss_has_no_gradient_on_average() -> None:
    assert gradient_of("k1")[1].abs().max() < 1e-15


def test_k2_as_a_loss_has_the_gradient_of_the_divergence_from_the_old_policy() -> None:
    assert torch.allclose(gradient_of("k2")[1], true_gradient(reverse=True)[1])


def test_k3_as_a_loss_has_the_gradient_of_the_divergence_the_other_way_round() -> None:
    assert torch.allclose(gradient_of("k3")[1], true_gradient(reverse=False)[1])


@pytest.mark.parametrize("estimator", ["k2", "k3"])
def test_k2_and_k3_are_never_negative_and_finite(estimator: str) -> None:
    values = divergence(torch.linspace(-800, 800, 1601), estimator)  # type: ignore[arg-type]
    assert values.isfinite().all()
    assert (values >= 0).all()
    assert divergence(torch.zeros(1), estimator) == 0  # type: ignore[arg-type]
