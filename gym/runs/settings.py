"""What a run was asked for, beside its file: a resumed run must be the same experiment.

Invariant: one file holds episodes of one agent, one user and one set of limits, on environments and tasks that have
not changed since; more trials, tasks and environments may be added. Not covered: what only changes how fast a run is,
what it may cost and how often it tries again, which may differ.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.regular_file import open_regular, output_place
from autoforge.gym.runs.writing import write_whole
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task, task_line

__all__ = [
    "RunSettings",
    "digest_of_folder",
    "digest_of_task",
    "expect_output",
    "keep_settings",
    "read_settings",
    "settings_path",
]

FORMAT = 1
_FILES = ("docs.json", "policy.md", "schema.sql", "seed.sql", "tools.py")
"""What decides what an environment does; tasks are looked at one by one."""
_OPTIONS = {
    "agent": "--agent", "user": "--user", "base_url": "--base-url", "user_base_url": "--user-base-url",
    "reasoning": "--reasoning", "judge": "--judge", "seed": "--seed", "progress": "--progress-signal",
    "limits": "--max-turns",
}  # fmt: skip


class RunSettings(BaseModel):
    """All that decides what an episode of a run is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    agent: str
    user: str
    base_url: str | None = None
    user_base_url: str | None = None
    reasoning: str | None = None
    judge: str = "none"
    seed: int = 0
    progress: bool = False
    limits: EpisodeLimits = EpisodeLimits()
    environments: dict[str, str] = {}
    """Name -> SHA-256 of the files that decide what it does, or the command or address of a server."""
    tasks: dict[str, str] = {}
    """`environment/task` -> SHA-256 of its line."""
    folders: dict[str, str] = {}
    """Name -> where the environment was; it may be elsewhere when the run goes on."""

    def with_earlier(self, earlier: RunSettings) -> RunSettings:
        """These, with the environments and tasks of before."""
        names = ("environments", "tasks", "folders")
        return self.model_copy(update={name: getattr(earlier, name) | getattr(self, name) for name in names})

    def differences(self, earlier: RunSettings) -> list[str]:
        """What is not as it was, in words."""
        found = [
            f"{option} was {_words(getattr(earlier, name))} and is {_words(getattr(self, name))}"
            for name, option in _OPTIONS.items()
            if getattr(self, name) != getattr(earlier, name)
        ]
        found += [f"the environment {name} has changed" for name in _changed(earlier.environments, self.environments)]
        return found + [f"the task {name} has changed" for name in _changed(earlier.tasks, self.tasks)]


def settings_path(path: Path) -> Path:
    """Where the settings of a file of trajectories are."""
    return path.with_name(path.name + ".meta.json")


def expect_output(path: Path) -> None:
    """Raises BadInput where a file of trajectories cannot be, or its settings cannot be beside it."""
    output_place(path)
    output_place(settings_path(path))


def keep_settings(path: Path, settings: RunSettings) -> None:
    """Write the settings beside a file, together with those that are there; call it with the file locked. Raises
    BadInput where they do not go together."""
    place = settings_path(path)
    earlier = read_settings(path)
    if earlier is not None:
        differences = settings.differences(earlier)
        if differences:
            words = f"{path} holds a run with other settings: {'; '.join(differences[:3])}"
            raise BadInput(f"{words}; give another file with -o, or the settings that it was begun with.")
        settings = settings.with_earlier(earlier)
    if settings != earlier:
        write_whole(place, [json.dumps(settings.model_dump(mode="json"), ensure_ascii=False, indent=1), "\n"])


def digest_of_folder(folder: Path) -> str:
    """SHA-256 of the files of an environment that decide what it does."""
    digest = hashlib.sha256()
    for name in _FILES:
        path = folder / name
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def digest_of_task(task: Task) -> str:
    return hashlib.sha256(task_line(task).encode()).hexdigest()


def read_settings(path: Path, advice: str = "give another file with -o") -> RunSettings | None:
    """The settings beside a file of trajectories; None where there are none. Raises BadInput with the advice."""
    place = settings_path(path)
    if not os.path.lexists(place):
        return None
    with open_regular(place, advice) as file:
        text = file.read()
    try:
        return RunSettings.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(map(str, first["loc"]))
        raise BadInput(f"{place}, /{where}: {first['msg']}; {advice}.") from None


def _changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return [name for name, digest in now.items() if before.get(name, digest) != digest]


def _words(value: JsonValue | EpisodeLimits) -> str:
    return value.model_dump_json() if isinstance(value, BaseModel) else json.dumps(value, ensure_ascii=False)
