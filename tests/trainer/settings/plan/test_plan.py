"""The plan as a whole: it fits or says what to change, and what it advises makes it fit."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from autoforge.trainer.settings import load_settings
from autoforge.trainer.settings.layers import preset_names
from autoforge.trainer.settings.plan import Plan, plan_of
from autoforge.trainer.settings.plan.text import duration, print_plan
from tests.gym.conftest import ENVIRONMENTS


@pytest.fixture(autouse=True)
def _environments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOFORGE_ENVS", str(ENVIRONMENTS))


def plan(source: str, *assignments: str) -> Plan:
    return plan_of(load_settings(source, assignments).settings)


def misfits(found: Plan) -> list[str]:
    return [problem for problem in found.problems if "GiB" in problem or "no room" in problem]


def advised(problem: str) -> list[list[str]]:
    """The alternatives that a problem names, each as assignments."""
    words = re.fullmatch(r".*: set (.*)\.", problem)
    assert words is not None, problem
    return [alternative.split(" and ") for alternative in words[1].split(", or ")]


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_fits_the_hardware_that_it_is_for(name: str) -> None:
    found = plan(name)
    assert misfits(found) == [] and all(device.fits for device in found.devices)


@pytest.mark.parametrize(
    ("name", "assignments"),
    [
        ("eight-gpu", ["learner.checkpointing=false"]),
        ("eight-gpu", ["learner.zero=0"]),
        ("eight-gpu", ["learner.ranks=2"]),
        ("eight-gpu", ["assumptions.memory=24.0"]),
        ("one-gpu", ["learner.checkpointing=false"]),
        ("one-gpu", ["assumptions.memory=24.0"]),
        ("one-gpu", ["sampler.memory_share=0.85"]),
        ("one-gpu", ["sampler.memory_share=0.05"]),
        ("one-gpu", ["model.path=Qwen/Qwen3-8B"]),
        ("qwen3-30b-a3b", ["learner.zero=1"]),
        ("qwen3-30b-a3b", ["sampler.tensor_parallel=1", "assumptions.memory=60.0"]),
        ("tiny", ["assumptions.memory=0.3"]),
    ],
)
def test_what_is_advised_makes_it_fit(name: str, assignments: list[str]) -> None:
    [problem] = misfits(plan(name, *assignments))
    for alternative in advised(problem):
        changed = {text.partition("=")[0] for text in alternative}
        kept = [text for text in assignments if text.partition("=")[0] not in changed]
        assert misfits(plan(name, *kept, *alternative)) == [], alternative


def test_a_model_that_nothing_makes_fit_is_said_to_be_too_large() -> None:
    [problem] = misfits(plan("one-gpu", "model.path=Qwen/Qwen3-235B-A22B", "assumptions.memory=8.0"))
    assert "take a smaller model" in problem


def test_an_opening_that_leaves_no_room_for_a_turn_is_said() -> None:
    problems = plan("tiny", "assumptions.opening_tokens=2040").problems
    assert any("No turn fits into rollouts.policy.context" in problem for problem in problems)


def test_environments_that_are_missing_or_have_too_few_tasks_are_said(tmp_path: Path) -> None:
    found = plan("tiny", "environments.train=['hotel', 'nowhere']", "environments.unseen=[]", "environments.tasks=5")
    assert [(tasks.name, tasks.training) for tasks in found.tasks] == [("hotel", 5), ("nowhere", None)]
    assert any("nowhere: no such environment" in problem for problem in found.problems)
    more = plan("tiny", "erpo.selection.tasks=500").problems
    assert any(problem.startswith("erpo.selection.tasks = 500, and there are") for problem in more)
    each = plan("tiny", "erpo.selection.tasks_per_environment=8", "environments.train=['hotel', 'bank']").problems
    assert any("bank has 0 tasks to train on" in problem for problem in each)


def test_what_slows_a_run_is_noted() -> None:
    notes = " ".join(plan("eight-gpu", "sampler.sequences=8").notes)
    assert "serves 32 of 256 episodes" in notes


def test_the_record_is_json_and_holds_the_estimates() -> None:
    record = json.loads(json.dumps(plan("qwen3-30b-a3b").record()))
    assert record["model"]["parameters"] == 30_532_122_624
    assert [device["fits"] for device in record["devices"]] == [True, True]
    assert record["step"]["trained"] == 256 and record["seconds"]["step"] > 0


@pytest.mark.parametrize("name", preset_names())
def test_the_text_says_work_memory_seconds_and_what_was_assumed(name: str) -> None:
    written = io.StringIO()
    print_plan(Console(file=written, width=150), plan(name))
    text = written.getvalue()
    for words in ("episodes trained on", "Memory of", "GiB", "Seconds of a step", "Assumed:", "to train on"):
        assert words in text


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.0123, "12.3 ms"), (59, "59.0 s"), (600, "10.0 min"), (36000, "10.0 h")]
)
def test_durations_have_the_unit_that_fits(seconds: float, words: str) -> None:
    assert duration(seconds) == words
