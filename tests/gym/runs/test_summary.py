"""Figures: what is masked or unscored leaves every one of them and is counted."""

from __future__ import annotations

import pytest

from autoforge.gym.llm import ToolCall
from autoforge.gym.runs.comparison import compare
from autoforge.gym.runs.estimates import Tally
from autoforge.gym.runs.outcome import outcome_of
from autoforge.gym.runs.summary import figures_of, per_environment, tallies_of
from autoforge.gym.trajectory import Turn
from tests.gym.runs.outcomes import outcome, trajectory


def test_masked_and_unscored_episodes_leave_every_figure_and_are_counted() -> None:
    played = [
        outcome("t1", 0, 1.0),
        outcome("t1", 1, 0.0, masked=True),
        outcome("t2", 0, 0.0),
        outcome("t2", 1, None, blame="infrastructure"),
        outcome("t3", 0, None, blame="user"),
        outcome("t3", 1, None, blame="infrastructure"),
        outcome("t4", 0, None),
        outcome("t5", 0, 0.0, blame="policy"),
    ]
    found = figures_of(played)
    assert (found.episodes, found.counted, found.masked) == (8, 3, 1)
    assert found.unscored == {"infrastructure": 2, "no state": 1, "user": 1}
    assert found.pass_at_1 is not None and found.pass_at_1.value == pytest.approx(1 / 3) and found.pass_at_1.tasks == 3
    assert set(found.pass_hat) == {1}
    without = figures_of([o for o in played if o.counts])
    assert (without.pass_at_1, without.pass_hat, without.turns) == (found.pass_at_1, found.pass_hat, found.turns)


def test_an_unscored_episode_that_is_masked_counts_as_unscored_once() -> None:
    found = figures_of([outcome(reward=None, blame="judge", masked=True)])
    assert found.masked == 0 and found.unscored == {"judge": 1} and found.pass_at_1 is None


def test_turns_and_calls_are_the_agents_in_episodes_that_count() -> None:
    call = ToolCall(id="c", name="book")
    turns = (
        Turn(role="user", content="Hello."),
        Turn(role="assistant", tool_calls=(call, call)),
        Turn(role="tool", tool_call_id="c"),
        Turn(role="assistant", content="Done."),
    )
    counted = outcome_of(trajectory(turns=turns, cost=0.25))
    spoiled = outcome_of(trajectory("t2", 0, None, blame="user", turns=turns, cost=0.5))
    found = figures_of([counted, spoiled])
    assert (found.turns, found.calls, found.cost) == (2.0, 2.0, 0.75)


def test_environments_are_apart_and_keep_their_order() -> None:
    played = [outcome(environment="zoo"), outcome(environment="inn", reward=0.0)]
    found = per_environment(played)
    assert list(found) == ["zoo", "inn"]
    assert [f.pass_at_1.value for f in found.values() if f.pass_at_1] == [1.0, 0.0]
    assert tallies_of(played) == {("inn", "t1"): Tally(0, 1), ("zoo", "t1"): Tally(1, 1)}


def test_users_are_compared_on_the_tasks_that_both_have() -> None:
    played = [
        *(outcome(f"t{n}", 0, reward, user="one") for n, reward in enumerate((1.0, 1.0, 0.0))),
        *(outcome(f"t{n}", 0, reward, user="two") for n, reward in enumerate((1.0, 0.0, None, 1.0), 0)),
    ]
    [found] = compare(played)
    assert found.title == "users with a" and [row.user for row in found.rows] == ["one", "two"]
    first, second = found.rows
    assert first.difference is None and second.difference is not None
    assert second.difference.value == -0.5 and second.difference.tasks == 2


def test_each_agent_that_has_several_users_has_a_comparison_of_its_own() -> None:
    played = [outcome(agent=agent, user=user) for agent in ("a", "b") for user in ("one", "two")]
    assert [(c.title, len(c.rows)) for c in compare(played)] == [("users with a", 2), ("users with b", 2)]


def test_agents_with_one_user_are_compared_with_each_other() -> None:
    [found] = compare([outcome(agent="a", reward=0.0), outcome(agent="b", reward=1.0)])
    assert found.title == "agents" and found.rows[1].difference is not None
    assert found.rows[1].difference.value == 1.0


def test_users_that_share_no_task_have_no_difference() -> None:
    [found] = compare([outcome("t1", user="one"), outcome("t2", user="two")])
    assert found.rows[1].difference is None
    assert compare([]) == []
