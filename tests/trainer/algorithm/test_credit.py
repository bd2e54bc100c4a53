"""Turn-level credit: gains of turns, and advantages that come to the episode's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autoforge.gym.trajectory import Trajectory, Turn
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.credit import TurnGains, turn_advantages, turn_gains
from autoforge.trainer.algorithm.erpo_settings import CreditSettings
from tests.trainer.algorithm.steps import EXAMPLES

TURNS = 3


def told(*turns: tuple[str, float | None]) -> Trajectory:
    made = tuple(Turn(role=role, progress=progress) for role, progress in turns)  # type: ignore[arg-type]
    return Trajectory(id="e/t/a/u/0", environment="e", task="t", agent="a", user="u", end="stop", turns=made)


def test_a_turn_gains_what_progress_shows_after_it() -> None:
    trajectory = told(
        ("user", 0.0), ("assistant", None), ("tool", None), ("tool", 0.5), ("assistant", None), ("tool", 0.25),
        ("assistant", None), ("user", 0.25), ("assistant", None), ("tool", 1.0), ("assistant", None),
    )  # fmt: skip
    assert turn_gains(trajectory) == (0.5, -0.25, 0.0, 0.75, 0.0)


def test_what_was_there_before_the_first_turn_is_nobodys_gain() -> None:
    assert turn_gains(told(("user", 0.25), ("assistant", None), ("tool", 1.0))) == (0.75,)


def test_turns_after_which_no_progress_is_told_gain_nothing() -> None:
    assert turn_gains(told(("user", None), ("assistant", None), ("user", None), ("assistant", None))) == (0.0, 0.0)
    assert turn_gains(told(("user", None))) == ()


@EXAMPLES
@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.none() | st.floats(0, 1)), max_size=12))
def test_gains_sum_to_the_last_progress_less_that_before_the_first_turn(turns: list[tuple[str, float | None]]) -> None:
    gains = turn_gains(told(*turns))
    first = next((n for n, (role, _) in enumerate(turns) if role == "assistant"), len(turns))
    before = [p for _, p in turns[:first] if p is not None][-1:] or [0.0]
    after = [p for _, p in turns if p is not None][-1:] or [0.0]
    assert sum(gains) == pytest.approx(after[0] - before[0] if gains else 0.0, abs=1e-12)
    assert len(gains) == sum(role == "assistant" for role, _ in turns)


class Case:
    """Rows of a few rollouts, of which some are forked."""

    def __init__(self, seed: int, advantages: Sequence[float]) -> None:
        dice = random.Random(seed)
        rollouts = [n for n in range(len(advantages)) for _ in range(dice.choice([1, 2]))]
        self.rollouts = torch.tensor(rollouts)
        self.mask = torch.tensor([[dice.random() < 0.6 for _ in range(6)] for _ in rollouts])
        numbers = [[dice.randrange(TURNS) for _ in range(6)] for _ in rollouts]
        turns = torch.where(self.mask, torch.tensor(numbers), -1)
        gains = torch.tensor([[dice.uniform(-1, 1) for _ in range(TURNS)] for _ in advantages], dtype=torch.float64)
        self.turns = TurnGains(turns, gains[self.rollouts])
        self.advantages = torch.tensor(list(advantages), dtype=torch.float64)

    def made(self, weight: float) -> torch.Tensor:
        own = self.advantages[self.rollouts]
        return turn_advantages(own, self.turns, self.mask, self.rollouts, CreditSettings(weight=weight))


ADVANTAGES = st.lists(st.sampled_from([-1.5, -0.25, 0.0, 0.5, 2.0]), min_size=1, max_size=4)


@EXAMPLES
@given(st.integers(0, 10**6), ADVANTAGES, st.floats(0, 0.5))
def test_advantages_of_tokens_come_to_the_rollouts_and_keep_its_sign(
    seed: int, advantages: list[float], weight: float
) -> None:
    case = Case(seed, advantages)
    made = case.made(weight)
    assert made[~case.mask].eq(0).all()
    for number, advantage in enumerate(advantages):
        own = made[case.rollouts == number][case.mask[case.rollouts == number]]
        if len(own):
            assert float(own.mean()) == pytest.approx(advantage, abs=1e-12)
        assert (own * advantage >= 0).all()
        if advantage == 0:
            assert own.eq(0).all()


def one_rollout(advantage: float, weight: float, *gains: float) -> list[float]:
    """A token for each turn."""
    turns = TurnGains(torch.arange(len(gains))[None], torch.tensor([list(gains)]))
    mask, rollouts = torch.ones(1, len(gains), dtype=torch.bool), torch.zeros(1, dtype=torch.int64)
    settings = CreditSettings(weight=weight)
    made: list[float] = turn_advantages(torch.tensor([advantage]), turns, mask, rollouts, settings)[0].tolist()
    return made


def test_a_turn_that_brought_the_state_nearer_has_more_of_a_success_and_less_of_a_failure() -> None:
    assert one_rollout(2.0, 0.5, 1.0, 0.0) == [2.5, 1.5]
    assert one_rollout(-2.0, 0.5, 1.0, 0.0) == [-1.5, -2.5]
    assert one_rollout(-2.0, 0.5, 0.0, -1.0) == [-1.5, -2.5]


def test_without_weight_all_turns_are_alike() -> None:
    assert one_rollout(2.0, 0.0, 1.0, 0.0) == [2.0, 2.0]


@pytest.mark.parametrize(("gain", "words"), [(1.5, "more than 1"), (float("nan"), "more than 1")])
def test_what_is_no_difference_of_progress_is_refused(gain: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        one_rollout(1.0, 0.5, gain)


def test_a_trained_token_without_a_turn_is_refused() -> None:
    turns = TurnGains(torch.tensor([[-1]]), torch.zeros(1, 1))
    mask, rollouts = torch.ones(1, 1, dtype=torch.bool), torch.zeros(1, dtype=torch.int64)
    with pytest.raises(BadInput, match="no turn"):
        turn_advantages(torch.ones(1), turns, mask, rollouts, CreditSettings(weight=0.5))
