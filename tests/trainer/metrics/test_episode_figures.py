"""Figures of episodes: what is masked or unscored is in no mean, and every second is somebody's."""

from __future__ import annotations

import pytest

from autoforge.gym.failures import Failure
from autoforge.gym.trajectory import Judgement, Trajectory, Turn
from autoforge.gym.turns import SampledTokens
from autoforge.trainer.metrics.episodes import episode_figures
from autoforge.trainer.metrics.record import StepRecord

SAMPLED = SampledTokens(prompt_ids=(1,), ids=(2, 3), logprobs=(0.0, 0.0))
TURNS = (
    Turn(role="user", content="Hello.", seconds=2.0),
    Turn(role="assistant", content="?", seconds=5.0, tokens=SAMPLED),
    Turn(role="tool", content="{}", seconds=0.5),
    Turn(role="assistant", content="Done.", seconds=1.0),
)  # fmt: skip


def episode(number: int, environment: str = "bank", reward: float | None = 1.0, **fields: object) -> Trajectory:
    id = f"{environment}/t/policy/scripted/{number}"
    names = {"id": id, "environment": environment, "task": "t", "agent": "policy",
             "user": "scripted", "trial": number, "end": "stop", "turns": TURNS}  # fmt: skip
    return Trajectory.model_validate({**names, "reward": reward, **fields})


def error(kind: str, touches: str = "required") -> Judgement:
    return Judgement.model_validate({"kind": kind, "turn": 0, "quote": "x", "touches": touches})


def test_masked_and_unscored_episodes_are_counted_with_reasons_and_leave_the_reward() -> None:
    lost = Failure(blame="infrastructure", where="server", message="gone")
    figures = episode_figures([
        episode(0), episode(1, reward=0.0),
        episode(2, masked=True, judgements=(error("invented"), error("omitted"), error("stray", "nothing"))),
        episode(3, masked=True, reward=0.0, judgements=(error("invented"),)),
        episode(4, reward=None, end="failed", failure=lost),
    ])  # fmt: skip
    bank = figures.environments["bank"]
    assert (bank["reward"], bank["masked_share"], bank["unscored_share"], bank["episodes"]) == (0.5, 0.5, 0.2, 5.0)
    assert figures.masked == {"bank": {"invented": 2, "omitted": 1}}
    assert figures.unscored == {"bank": {"infrastructure": 1}}


def test_an_environment_of_which_nothing_counts_has_no_reward_rather_than_0() -> None:
    figures = episode_figures([episode(0), episode(1, "hotel", masked=True)])
    assert figures.environments["hotel"]["reward"] is None and figures.values["reward"] == 1.0


def test_the_seconds_of_an_episode_are_divided_among_sampler_user_and_environment() -> None:
    values = episode_figures([episode(0), episode(1)]).values
    assert (values["sampler_seconds"], values["user_seconds"], values["environment_seconds"]) == (6.0, 2.0, 0.5)
    assert (values["sampled_tokens"], values["turns"]) == (4.0, 2.0)


def test_episodes_cut_off_are_a_share() -> None:
    assert episode_figures([episode(0), episode(1, end="truncated", reward=0.0)]).values["truncated_share"] == 0.5


@pytest.mark.parametrize("episodes", [[], [episode(0)], [episode(0), episode(0, "hotel")]])
def test_a_record_takes_the_figures_as_they_are(episodes: list[Trajectory]) -> None:
    figures = episode_figures(episodes)
    record = StepRecord(stage="erpo", step=1, time=0.0, **figures._asdict())
    assert record.values == figures.values and set(record.environments) == {e.environment for e in episodes}
