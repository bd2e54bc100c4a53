"""Rewards dealt out anew keep everything but who gets them."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from autoforge.trainer.rollouts.collector import Group
from autoforge.trainer.rollouts.control import dealt_anew
from autoforge.trainer.rollouts.draws import Draw
from tests.trainer.rollouts.test_batches import trajectory
from tests.trainer.rollouts.test_draws import tasks

kinds = st.lists(st.lists(st.sampled_from([0.0, 1.0, None, "masked"]), min_size=1, max_size=8), min_size=1, max_size=6)


def groups(rewards: list[list[float | str | None]]) -> list[Group]:
    made = []
    for number, own in enumerate(rewards):
        name = "bank" if number % 2 else "hotel"
        task = tasks(name, number + 1)[number]
        played = [
            trajectory(task, n, 1.0, masked=True) if r == "masked" else trajectory(task, n, r)  # type: ignore[arg-type]
            for n, r in enumerate(own)
        ]
        made.append(Group(Draw(number, name, task), tuple(played)))
    return made


@given(kinds, st.integers(0, 9))
def test_an_environment_keeps_its_rewards_and_what_does_not_count_keeps_its_own(
    rewards: list[list[float | str | None]], step: int
) -> None:
    before = groups(rewards)
    after = dealt_anew(before, seed=1, step=step)
    assert after == dealt_anew(before, seed=1, step=step)
    for name in ("bank", "hotel"):
        one, two = ([t for g in part if g.draw.environment == name for t in g.scored] for part in (before, after))
        assert Counter(t.reward for t in one) == Counter(t.reward for t in two)
        assert [t.id for t in one] == [t.id for t in two]
    hidden = [[(t.id, t.reward) for g in part for t in g.rollouts if t not in g.scored] for part in (before, after)]
    assert hidden[0] == hidden[1]


def test_rewards_move_between_the_tasks_of_an_environment() -> None:
    solved = groups([[1.0] * 8, [], [0.0] * 8])
    dealt = dealt_anew(solved, seed=0, step=0)
    assert dealt[0].contrasts and dealt[2].contrasts and not any(group.contrasts for group in solved)
