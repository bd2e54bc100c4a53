"""A file holds one experiment: other settings are refused, more of the same is not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.runs.settings import RunSettings, digest_of_folder, keep_settings, settings_path
from autoforge.mcp_envs.errors import BadInput
from tests.gym.conftest import ENVIRONMENTS

BEGUN = RunSettings(agent="oracle", user="scripted", environments={"hotel": "1"}, tasks={"hotel/a": "1"})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"agent": "no-op"}, '--agent was "oracle" and is "no-op"'),
        ({"user": "human"}, "--user was"),
        ({"base_url": "http://h/v1"}, "--base-url was null"),
        ({"user_base_url": "http://h/v1"}, "--user-base-url"),
        ({"reasoning": "drop"}, "--reasoning"),
        ({"judge": "rules"}, "--judge"),
        ({"seed": 1}, "--seed was 0 and is 1"),
        ({"progress": True}, "--progress-signal"),
        ({"limits": EpisodeLimits(turns=9)}, "--max-turns"),
        ({"environments": {"hotel": "2"}}, "environment hotel has changed"),
        ({"tasks": {"hotel/a": "2"}}, "task hotel/a has changed"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_other_settings_are_refused_with_what_differs(tmp_path: Path, changed: dict[str, Any], words: str) -> None:
    path = tmp_path / "run.jsonl"
    keep_settings(path, BEGUN)
    before = settings_path(path).read_bytes()
    with pytest.raises(BadInput, match=words):
        keep_settings(path, BEGUN.model_copy(update=changed))
    assert settings_path(path).read_bytes() == before


def test_tasks_and_environments_may_be_added_and_are_kept_together(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    keep_settings(path, BEGUN)
    keep_settings(path, BEGUN.model_copy(update={"environments": {"bank": "3"}, "tasks": {"bank/b": "4"}}))
    kept = RunSettings.model_validate_json(settings_path(path).read_bytes())
    assert kept.environments == {"hotel": "1", "bank": "3"} and kept.tasks == {"hotel/a": "1", "bank/b": "4"}
    with pytest.raises(BadInput, match="environment hotel"):
        keep_settings(path, BEGUN.model_copy(update={"environments": {"hotel": "2"}}))


def test_settings_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    settings_path(path).write_text('{"agent": 7}', encoding="utf-8")
    with pytest.raises(BadInput, match="/agent"):
        keep_settings(path, BEGUN)


def test_an_environment_is_another_when_what_it_does_is_and_not_when_tasks_are_added(tmp_path: Path) -> None:
    folder = tmp_path / "hotel"
    shutil.copytree(ENVIRONMENTS / "hotel", folder)
    digest = digest_of_folder(folder)
    (folder / "tasks.jsonl").write_text("", encoding="utf-8")
    assert digest_of_folder(folder) == digest
    for name in ("docs.json", "policy.md", "schema.sql", "seed.sql", "tools.py"):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n")
        changed, digest = digest, digest_of_folder(folder)
        assert changed != digest, name
