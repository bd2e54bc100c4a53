"""What is counted of a run: pairs by task, of the first and the last measurement."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import BadInput
from bench.learning.counts import gain
from bench.learning.runs import Run, play


def measured(folder: Path, rewards: dict[tuple[int, str], float]) -> Run:
    folder.mkdir()
    lines = [
        Trajectory(
            id=f"desk/{task}/p/u/{step}", environment="desk", task=task, agent="p", user="u", trial=step, end="stop",
            reward=reward, masked=False,
        ).model_dump_json()
        for (step, task), reward in rewards.items()
    ]  # fmt: skip
    (folder / "evaluation.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Run("erpo", 0, folder, {})


def test_the_gain_is_over_tasks_that_were_measured_before_and_what_came_to_nothing_since_is_lost(
    tmp_path: Path,
) -> None:
    rewards = {(0, "a"): 0.0, (0, "b"): 0.0, (0, "c"): 1.0, (0, "only before"): 1.0}
    rewards |= {(5, "a"): 0.0, (5, "b"): 0.0, (5, "c"): 0.0}
    rewards |= {(9, "a"): 1.0, (9, "b"): 1.0, (9, "c"): 1.0, (9, "only after"): 0.0}
    found = gain(measured(tmp_path / "run", rewards), ["desk"])
    assert (round(found.before, 3), found.after, round(found.gain, 3), found.tasks) == (0.5, 0.75, 0.25, 4)


def test_a_run_that_was_measured_once_has_no_gain(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="measured at 1 steps"):
        gain(measured(tmp_path / "run", {(0, "a"): 1.0}), ["desk"])


def test_a_run_that_is_done_is_not_played_again_nor_gone_on_with_other_settings(tmp_path: Path) -> None:
    run = Run("erpo", 0, tmp_path / "run", {"run.steps": "1"})
    (run.folder / "trained").mkdir(parents=True)
    assert play([run], 1) == [] == play([run], 1)
    with pytest.raises(BadInput, match="holds a run with other settings"):
        play([run._replace(settings={"run.steps": "2"})], 1)


def test_a_run_has_the_seconds_of_all_its_processes_or_none(tmp_path: Path) -> None:
    run = Run("erpo", 0, tmp_path, {})
    assert run.seconds is None
    (tmp_path / "seconds.txt").write_text("12.5\n7.5\n", encoding="utf-8")
    assert run.seconds == 20.0
