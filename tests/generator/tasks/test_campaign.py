"""Campaigns on the desk: the same tasks however many processes there are and whenever it is interrupted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from autoforge.generator.tasks import campaign as campaigns
from autoforge.generator.tasks import pool
from autoforge.generator.tasks.campaign import Request, run_campaign
from autoforge.generator.tasks.make import make_task
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.progress_file import ProgressFile
from autoforge.generator.tasks.signature import split_of
from autoforge.generator.tasks.workshop import Workshop
from tests.generator.tasks.conftest import REQUEST, Made, desk_copy, quiet

Numbers = list[int]


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Numbers:
    """The numbers of the proposals that are made in this process, as they are made."""
    numbers: Numbers = []

    def watched(workshop: Workshop, number: int, **rest: object) -> object:
        numbers.append(number)
        return make_task(workshop, number, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(campaigns, "make_task", watched)
    return numbers


def test_as_many_tasks_come_out_as_were_wanted_and_all_else_is_counted(made: Made) -> None:
    campaign = made.campaign
    assert len(campaign.tasks) == REQUEST.count
    assert campaign.proposals == len(campaign.tasks) + campaign.rejections.total()
    assert set(campaign.examples) == set(campaign.rejections) and all(campaign.examples.values())
    assert len({t.id for t in campaign.tasks}) == len(campaign.tasks)
    numbers = [t.provenance["proposal"] for t in campaign.tasks]
    assert numbers == sorted(numbers) and {t.provenance["seed"] for t in campaign.tasks} == {0}  # type: ignore[type-var]


def test_no_signature_is_in_two_splits(made: Made) -> None:
    assert all(task.split == split_of(task.signature) for task in made.campaign.tasks)


def test_two_processes_make_the_same_tasks_also_in_smaller_pieces(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "_PIECE", 2)
    monkeypatch.setattr(pool, "_AHEAD", 1)
    folder = desk_copy(tmp_path)
    other = run_campaign(folder, REQUEST, jobs=2, have=(), progress=quiet)
    assert other.tasks == made.campaign.tasks
    assert (other.proposals, other.rejections) == (made.campaign.proposals, made.campaign.rejections)


def test_after_an_interruption_it_goes_on_and_makes_the_same_tasks(made: Made, tmp_path: Path, tried: Numbers) -> None:
    """What was kept when it was killed: some attempts, and a line that was cut short."""
    folder = desk_copy(tmp_path)
    lines = made.progress.splitlines(keepends=True)
    kept = ProgressFile(folder, "").path
    kept.write_bytes(b"".join(lines[:9]) + lines[9][:-30])
    again = run_campaign(folder, REQUEST, jobs=1, have=(), progress=quiet)
    assert again.tasks == made.campaign.tasks and again.rejections == made.campaign.rejections
    assert tried and min(tried) >= 4  # of pieces that were whole, nothing is made again
    assert len(tried) <= made.campaign.proposals


def test_a_finished_campaign_that_was_not_written_makes_nothing_again_and_tells_how_far_it_is(
    made: Made, tmp_path: Path, tried: Numbers
) -> None:
    folder = desk_copy(tmp_path)
    ProgressFile(folder, "").path.write_bytes(made.progress)
    told: list[tuple[str, int, int]] = []
    again = run_campaign(folder, REQUEST, jobs=1, have=(), progress=lambda *step: told.append(step))
    assert again.tasks == made.campaign.tasks and tried == []
    done = [n for what, n, _ in told if what == "prove tasks"]
    assert done == sorted(done) and done[-1] == REQUEST.count and {total for _, _, total in told} == {REQUEST.count}


def test_more_tasks_go_on_where_the_others_ended(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "_PIECE", 1)
    folder = desk_copy(tmp_path)
    last = max(int(str(t.provenance["proposal"])) for t in made.campaign.tasks)
    more = run_campaign(
        folder, REQUEST.model_copy(update={"count": 1}), jobs=1, have=made.campaign.tasks, progress=quiet
    )
    [task] = more.tasks
    assert int(str(task.provenance["proposal"])) > last and task.id not in {t.id for t in made.campaign.tasks}


def test_where_nothing_can_be_had_it_ends_with_the_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "_DRY", 8)
    wanted = Request(count=2, policy=TaskPolicy(least_calls=40, most_calls=40, merged=0, walk_length=1))
    none = run_campaign(desk_copy(tmp_path), wanted, jobs=1, have=(), progress=quiet)
    assert none.tasks == () and none.proposals == none.rejections.total() == 8
    assert isinstance(none.rejections, Counter) and "too short" in none.rejections
