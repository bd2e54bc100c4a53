"""`autoforge-train` from the cold start to the trained model, with the real engines, and after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.runs.reading import latest
from tests.gym.conftest import ENVIRONMENTS

SECONDS = 240
CONFIG = """
preset = "tiny"
[run]
folder = "{folder}"
steps = 3
save_every = 1
[environments]
train = ["depot"]
unseen = ["shelf"]
evaluate_tasks = 1
evaluate_split = "validation"
[rollouts]
group = 2
[rollouts.limits]
turns = 2
[rollouts.policy]
max_tokens = 12
[erpo.selection]
tasks = 4
refill_rounds = 0
[cold_start]
steps = 2
rows = 2
warmup = 1
"""


COLD_ONLY = """
preset = "tiny"
[run]
folder = "{folder}"
steps = 0
[environments]
train = ["depot"]
[cold_start]
steps = 2
rows = 2
warmup = 1
"""


def begun(folder: Path, *options: str, text: str = CONFIG) -> subprocess.Popen[str]:
    config = folder / "config.toml"
    config.write_text(text.format(folder=folder / "run"), encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "-m", "autoforge.trainer.cli", str(config), *options]
    environment = {**os.environ, "AUTOFORGE_ENVS": str(ENVIRONMENTS), "OMP_NUM_THREADS": "1", "DS_ACCELERATOR": "cpu"}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
    )


def ended(process: subprocess.Popen[str]) -> str:
    try:
        _, errors = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert process.returncode == 0, errors[-3000:]
    return errors


def records(folder: Path) -> list[dict[str, Any]]:
    file = folder / "run" / "metrics.jsonl"
    lines = file.read_text(encoding="utf-8").split("\n") if file.exists() else []
    return [json.loads(line) for line in lines[:-1]]


def steps_of(folder: Path) -> list[tuple[str, int]]:
    return [(record["stage"], record["step"]) for record in records(folder)]


WHOLE = [("cold_start", 1), ("cold_start", 2), ("evaluation", 0), ("erpo", 1), ("erpo", 2), ("erpo", 3),
         ("evaluation", 3)]  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    ended(begun(folder))
    return folder


def test_a_run_goes_from_the_cold_start_to_a_model_that_transformers_loads(whole: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    run = whole / "run"
    assert steps_of(whole) == WHOLE and (run / "report.html").is_file()
    tokenizer = AutoTokenizer.from_pretrained(run / "trained")
    assert "tool_call" in tokenizer.chat_template
    assert AutoModelForCausalLM.from_pretrained(run / "trained").config.vocab_size == len(tokenizer)
    episodes = list(latest(run / "episodes.jsonl"))
    assert len(episodes) == 3 * 4 * 2 and {t.environment for t in episodes} == {"depot"}
    assert all(t.turns[1].tokens is not None and t.judgements is not None for t in episodes)
    assert {t.environment for t in latest(run / "evaluation.jsonl")} == {"shelf"}


def test_a_cold_start_alone_leaves_its_model_and_goes_on_with_steps_later(tmp_path: Path) -> None:
    said = ended(begun(tmp_path, text=COLD_ONLY))
    run = tmp_path / "run"
    assert f"Next: open {run / 'report.html'}; the model is {run / 'trained'}" in said
    weights = "model.safetensors"
    assert (run / "trained" / weights).read_bytes() == (run / "cold_start" / weights).read_bytes()
    before = (run / "trained").stat().st_mtime_ns
    said = ended(begun(tmp_path, "--resume", "--set", "run.steps=1"))
    assert "depot has no tasks of the split validation, and is not measured" in said
    assert steps_of(tmp_path)[-2:] == [("erpo", 1), ("evaluation", 1)]
    assert (run / "trained").stat().st_mtime_ns > before
    assert f"autoforge-gym view {run / 'episodes.jsonl'}" in said


def test_after_a_kill_it_goes_on_and_plays_the_same_episodes_each_once(whole: Path, tmp_path: Path) -> None:
    process = begun(tmp_path)
    deadline = time.monotonic() + SECONDS
    while ("erpo", 1) not in steps_of(tmp_path) and process.poll() is None and time.monotonic() < deadline:
        os.sched_yield()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    ended(begun(tmp_path, "--resume"))
    assert steps_of(tmp_path) == WHOLE
    lines = (tmp_path / "run" / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    assert set(Counter(json.loads(line)["id"] for line in lines).values()) == {1}
    ours, theirs = latest(tmp_path / "run" / "episodes.jsonl"), latest(whole / "run" / "episodes.jsonl")
    said = [{t.id: [turn.content for turn in t.turns] for t in episodes} for episodes in (ours, theirs)]
    assert said[0] == said[1]


def test_a_finished_run_goes_on_with_more_steps_and_loses_nothing_where_there_are_none(whole: Path) -> None:
    run = whole / "run"
    ended(begun(whole, "--resume"))
    assert steps_of(whole) == WHOLE
    before = (run / "trained").stat().st_mtime_ns
    ended(begun(whole, "--resume", "--set", "run.steps=4", "--set", "sync.way=reload"))
    assert list((run / "exchange").glob("weights-*/config.json"))
    assert steps_of(whole) == [*WHOLE, ("erpo", 4), ("evaluation", 4)]
    assert (run / "trained").stat().st_mtime_ns > before
    _, errors = (process := begun(whole, "--resume", "--set", "rollouts.group=4")).communicate(timeout=SECONDS)
    assert process.returncode == 2 and "was begun with other values of rollouts" in errors, errors


def test_a_folder_with_a_run_is_not_begun_anew_and_one_without_is_not_gone_on_with(whole: Path, tmp_path: Path) -> None:
    for folder, options, words in ((whole, [], "holds a run; go on with --resume"), (tmp_path, ["--resume"], "no run")):
        process = begun(folder, *options)
        _, errors = process.communicate(timeout=SECONDS)
        assert process.returncode == 2 and words in errors and "Traceback" not in errors, errors


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("sync.way=nccl", "between servers of vLLM and a learner on GPUs"),
        ("learner.ranks=2", "learner.ranks is 2, and 1 processes were started"),
        ("environments.train=['nowhere']", "nowhere"),
        ("model.path=missing", "missing is no folder"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(tmp_path: Path, option: str, words: str) -> None:
    process = begun(tmp_path, "--set", option)
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 2 and words in errors and "Traceback" not in errors, errors
