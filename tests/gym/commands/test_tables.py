"""Tables for people say what the JSON document says."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.console import Console
from rich.table import Table

from autoforge.gym.commands.live import Live
from autoforge.gym.commands.tables import comparison_table, figures_table
from autoforge.gym.runs.comparison import compare
from autoforge.gym.runs.outcome import Outcome
from autoforge.gym.runs.summary import figures_of
from tests.gym.runs.outcomes import outcome


def shown(table: Table) -> str:
    console = Console(file=io.StringIO(), width=200)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def played(trials: int) -> Sequence[Outcome]:
    return [outcome(task, trial, float(task == "t1")) for task in ("t1", "t2") for trial in range(trials)]


@pytest.mark.parametrize(("trials", "ks"), [(1, []), (2, [2]), (3, [2, 3]), (4, [2, 4]), (9, [2, 4, 9])])
def test_two_four_and_the_most_trials_have_a_column(trials: int, ks: list[int]) -> None:
    text = shown(figures_table({"inn": figures_of(played(trials))}))
    assert [k for k in range(1, 10) if f"pass^{k}" in text] == ks


def test_a_row_says_how_many_count_and_who_is_to_blame_for_the_rest() -> None:
    every = [*played(2), outcome("t3", 0, None, blame="user"), outcome("t3", 1, 1.0, masked=True, cost=0.5)]
    text = shown(figures_table({"[bold]inn": figures_of(every)}))
    assert "[bold]inn" in text and "50.0 % (" in text and "1: 1 user" in text and "$0.50" in text


def test_where_nothing_counts_there_are_dashes() -> None:
    assert shown(figures_table({"inn": figures_of([outcome(reward=None)])})).count(" - ") == 4


def test_a_comparison_shows_the_difference_with_its_sign() -> None:
    every = [outcome(f"t{n}", 0, float(n < 3), user="one") for n in range(6)]
    every += [outcome(f"t{n}", 0, float(n < 1), user="two") for n in range(6)]
    text = shown(comparison_table(compare(every)[0]))
    assert "-33.3 % (-66.7 to +0.0)" in text and "users with a" in text


def test_the_meter_counts_what_is_finished_and_how_it_went() -> None:
    told: list[tuple[str, int, int]] = []
    live = Live(lambda *words: told.append(words), 5, [outcome("t1")])
    live.add(outcome("t2", 0, 0.0))
    live.add(outcome("t3", 0, None, blame="infrastructure"))
    live.add(outcome("t4", 0, 1.0, masked=True, cost=0.25))
    assert told[0] == ("100% won", 1, 5) and told[1] == ("50% won", 2, 5)
    assert told[-1] == ("50% won, 1 unscored, 1 masked, $0.25", 4, 5)
