"""A whole step: the same loss and gradient however it is spread over ranks and micro-batches, and when it is
skipped."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.erpo import (
    METHODS,
    ErpoSettings,
    StepPlan,
    TurnGains,
    engine_scale,
    plan_step,
    step_loss,
)
from autoforge.trainer.algorithm.erpo_settings import (
    AdvantageSettings,
    CreditSettings,
    MismatchSettings,
    ObjectiveSettings,
)
from autoforge.trainer.algorithm.objective_figures import ObjectiveFigures
from autoforge.trainer.ranks import Gather, alone
from tests.trainer.algorithm.reference import reference_advantages, reference_loss
from tests.trainer.algorithm.steps import EXAMPLES, NAN, Rollout, Step, row_of, steps, tensors_of

SETTINGS = ErpoSettings(objective=ObjectiveSettings(kl_weight=0.1))


class Trained(NamedTuple):
    """Of one rank."""

    loss: float
    gradient: Tensor
    figures: ObjectiveFigures
    plan: StepPlan


def train(step: Step, settings: ErpoSettings, parts: int = 1, ranks: int = 1, gather: Gather = alone) -> Trained:
    """One rank as an engine runs it that divides by the micro-batches; gradients are not yet averaged over ranks."""
    outcomes, rows, logprobs = tensors_of(step)
    plan = plan_step(outcomes, rows, settings, gather=gather)
    places = torch.arange(len(rows.rollouts))
    loss, figures = 0.0, []
    for own in torch.tensor_split(places, parts):
        made = step_loss(logprobs[own], plan, own, settings, scale=engine_scale(parts, ranks))
        (made.loss / parts).backward()  # type: ignore[no-untyped-call]
        loss += float(made.loss.detach()) / parts
        figures.append(made.figures)
    whole = figures[0]
    for more in figures[1:]:
        whole = whole.merged(more)
    assert logprobs.grad is not None
    return Trained(loss, logprobs.grad, whole, plan)


def on_ranks(work: Callable[[int, Gather], Trained], ranks: int) -> list[Trained]:
    """All ranks, as threads that hand objects to each other."""
    told: list[Any] = [None] * ranks
    barrier = threading.Barrier(ranks, timeout=60)

    def rank(number: int) -> Trained:
        def gather(own: Any, /) -> Sequence[Any]:
            told[number] = own
            barrier.wait()
            heard = list(told)
            barrier.wait()
            return heard

        return work(number, gather)

    with ThreadPoolExecutor(ranks) as pool:
        return list(pool.map(rank, range(ranks)))


def spread(step: Step, settings: ErpoSettings, ranks: int, parts: int) -> tuple[float, Tensor, list[Trained]]:
    """Loss and gradient of the step over ranks that average both."""
    made = on_ranks(lambda n, gather: train(step[n::ranks], settings, parts, ranks, gather), ranks)
    loss = sum(one.loss for one in made) / ranks
    order = [place for n in range(ranks) for place in range(len(step))[n::ranks]]
    rows: list[list[Tensor]] = [[] for _ in step]
    gradients = iter(torch.cat([one.gradient for one in made]) / ranks)
    for place in order:
        rows[place] = [next(gradients) for _ in step[place].rows]
    return loss, torch.stack([row for own in rows for row in own]), made


METHOD = st.sampled_from(sorted(METHODS))


@settings(EXAMPLES, max_examples=40)
@given(steps(), METHOD)
def test_ranks_and_micro_batches_change_neither_loss_nor_gradient(step: list[Rollout], method: str) -> None:
    settings = METHODS[method](LONGEST)
    settings = settings.model_copy(update={"objective": settings.objective.model_copy(update={"kl_weight": 0.1})})
    whole = train(step, settings)
    for ranks in (1, 2, 4):
        for parts in (1, 2, 4):
            loss, gradient, made = spread(step, settings, ranks, parts)
            assert loss == pytest.approx(whole.loss, rel=1e-12, abs=1e-15)
            assert torch.allclose(gradient, whole.gradient, rtol=1e-12, atol=1e-16)
            assert {one.plan.decision for one in made} == {whole.plan.decision}
            assert all(
                one.plan.rollout_advantages.environments == whole.plan.rollout_advantages.environments for one in made
            )


LONGEST = 8


@EXAMPLES
@given(steps(), st.randoms(use_true_random=False))
def test_order_of_rollouts_changes_neither_loss_nor_gradient(step: list[Rollout], dice: random.Random) -> None:
    order = list(range(len(step)))
    dice.shuffle(order)
    whole, mixed = train(step, SETTINGS), train([step[place] for place in order], SETTINGS)
    assert mixed.loss == pytest.approx(whole.loss, rel=1e-12, abs=1e-15)
    rows: list[list[int]] = []
    first = 0
    for rollout in step:
        rows.append(list(range(first, first + len(rollout.rows))))
        first += len(rollout.rows)
    taken = [row for place in order for row in rows[place]]
    assert torch.allclose(mixed.gradient, whole.gradient[taken], rtol=1e-12, atol=1e-16)


@EXAMPLES
@given(steps())
def test_figures_add_up_over_micro_batches(step: list[Rollout]) -> None:
    whole, parts = train(step, SETTINGS), train(step, SETTINGS, parts=3)
    assert parts.figures.read() == pytest.approx(whole.figures.read(), rel=1e-12, abs=1e-15)


@EXAMPLES
@given(steps())
def test_the_defaults_are_the_equations_of_the_paper(step: list[Rollout]) -> None:
    found = train(step, ErpoSettings(mismatch=MismatchSettings(level="off")))
    wanted = reference_loss(step, reference_advantages(step), aggregation="task_mean", bounds=(1.0, 1.0))
    assert found.loss == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@EXAMPLES
@given(steps(), METHOD)
def test_weights_of_a_step_sum_to_1(step: list[Rollout], method: str) -> None:
    settings = METHODS[method](LONGEST)
    plan = train(step, settings).plan
    total = float((plan.weights.token[:, None] * plan.weights.mask).sum())
    if settings.objective.aggregation == "constant_length":
        assert total * LONGEST == pytest.approx(_mean_length(step))
    else:
        assert total == pytest.approx(1.0 if plan.weights.totals.tokens else 0.0)


def _mean_length(step: Step) -> float:
    lengths = [r.tokens for r in step if r.counts and r.tokens]
    return sum(lengths) / len(lengths) if lengths else 0.0


ROWS = tuple(row_of(random.Random(7), [True, True, False, True]) for _ in range(4))
ALL_MASKED = [Rollout("A", "x", float(n), n == 0, (row,)) for n, row in enumerate(ROWS[:1])] + [
    Rollout("A", "x", NAN, rows=(ROWS[1],))
]
CONTRAST = [Rollout("A", "x", 1, rows=(ROWS[2],)), Rollout("A", "x", 0, rows=(ROWS[3],))]
EQUAL = [rollout._replace(reward=1.0) for rollout in CONTRAST]


def test_a_step_of_which_all_is_masked_is_skipped_on_every_rank_without_nan() -> None:
    made = on_ranks(lambda n, gather: train([ALL_MASKED[n]], SETTINGS, 1, 2, gather), 2)
    for one in made:
        assert not one.plan.decision.trains
        assert "all are masked" in one.plan.decision.why
        assert one.loss == 0
        assert one.gradient.eq(0).all()


def test_a_rank_without_anything_to_train_on_takes_part_where_another_has() -> None:
    shares = [ALL_MASKED, CONTRAST, []]
    made = on_ranks(lambda n, gather: train(shares[n], SETTINGS, 1, 3, gather), 3)
    assert [one.plan.decision.trains for one in made] == [True, True, True]
    assert made[0].gradient.eq(0).all()
    assert made[1].gradient.abs().sum() > 0
    assert made[2].gradient.shape == (0, 4)
    alone_one = train(CONTRAST, SETTINGS)
    assert sum(one.loss for one in made) / 3 == pytest.approx(alone_one.loss)


def test_a_step_without_contrast_is_skipped_unless_something_else_moves_the_policy() -> None:
    assert not train(EQUAL, ErpoSettings()).plan.decision.trains
    assert train(EQUAL, SETTINGS).plan.decision.trains
    batch = AdvantageSettings(baseline="batch", scale="batch")
    assert train(EQUAL, ErpoSettings(advantage=batch)).plan.decision.trains
    assert train(CONTRAST, ErpoSettings()).plan.decision.trains


def test_dropped_groups_without_rows_stay_in_the_standard_deviation() -> None:
    dropped = [Rollout("A", "y", 1), Rollout("A", "y", 1)]
    made = train(CONTRAST + dropped, ErpoSettings())
    assert made.plan.rollout_advantages.environments["A"].std == pytest.approx(0.5)
    assert made.plan.weights.totals == (1, 2, 6)


def test_credit_by_turn_moves_the_gradient_between_tokens_of_a_rollout() -> None:
    outcomes, rows, logprobs = tensors_of(
        [r._replace(rows=(r.rows[0]._replace(logprobs=r.rows[0].old),)) for r in CONTRAST]
    )
    turns = TurnGains(torch.tensor([[0, 0, -1, 1]] * 2), torch.tensor([[0.0, 1.0]] * 2))
    gradients = []
    for weight in (0.5, 0.0):
        settings = ErpoSettings(credit=CreditSettings(weight=weight), mismatch=MismatchSettings(level="off"))
        plan = plan_step(outcomes, rows._replace(turns=turns), settings)
        made = step_loss(logprobs, plan, torch.arange(2), settings)
        gradients.append(torch.autograd.grad(made.loss, logprobs)[0])
    with_credit, without = gradients
    assert with_credit.sum(1).tolist() == pytest.approx(without.sum(1).tolist())
    # The last turn of the success is reinforced more, that of the failure discouraged less.
    assert (with_credit[:, 3] < without[:, 3]).all()


def test_credit_by_turn_without_turns_is_refused() -> None:
    with pytest.raises(BadInput, match="say nothing of turns"):
        train(CONTRAST, ErpoSettings(credit=CreditSettings(weight=0.5)))
    assert train([], ErpoSettings(credit=CreditSettings(weight=0.5))).loss == 0


def test_a_micro_batch_may_be_cut_where_nothing_more_is_trained_and_not_before() -> None:
    step = [
        Rollout("A", "x", n, rows=(row._replace(mask=(True, True, False, False)),)) for n, row in enumerate(ROWS[:2])
    ]
    outcomes, rows, logprobs = tensors_of(step)
    turns = TurnGains(torch.zeros(2, 4, dtype=torch.int64), torch.zeros(2, 1))
    settings = ErpoSettings(credit=CreditSettings(weight=0.5))
    plan = plan_step(outcomes, rows._replace(turns=turns), settings)
    losses = [float(step_loss(logprobs[:, :n], plan, torch.arange(2), settings).loss.detach()) for n in (4, 3, 2)]
    assert losses == [losses[0]] * 3
    with pytest.raises(BadInput, match="beyond the 1"):
        step_loss(logprobs[:, :1], plan, torch.arange(2), settings)


def test_every_method_learns_a_bandit() -> None:
    """One token, two choices, one of them right: in every method the right one becomes more likely."""
    for method, made in METHODS.items():
        logits = torch.zeros(2, requires_grad=True)
        choices = torch.tensor([0, 1, 1, 0])
        rewards = [0.0, 1.0, 1.0, 0.0]
        old = logits.detach().log_softmax(0)[choices]
        step = [Rollout("A", "x", reward, rows=(ROWS[0],)) for reward in rewards]
        outcomes, rows, _ = tensors_of(step)
        logprobs = torch.full((4, 4), math.nan).index_copy(1, torch.tensor([0]), old[:, None])
        mask = torch.zeros(4, 4, dtype=torch.bool).index_fill(1, torch.tensor([0]), True)
        plan = plan_step(outcomes, rows._replace(mask=mask, old_logprobs=logprobs, sampler_logprobs=logprobs), made(1))
        now = logits.log_softmax(0)[choices][:, None].expand(4, 4)
        (gradient,) = torch.autograd.grad(step_loss(now, plan, torch.arange(4), made(1)).loss, logits)
        assert gradient[1] < 0 < gradient[0], method
