"""How many tasks the environments of a run have.

Invariant: looking changes nothing; an environment that is not here is said to be missing, since a plan may be made on
another machine than the run. Not covered: servers of others, which a run opens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import read_tasks
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["EnvironmentTasks", "task_problems", "tasks_of"]


class EnvironmentTasks(NamedTuple):
    """Of one environment."""

    name: str
    use: str
    """`train` or `unseen`."""
    training: int | None
    """Tasks that are trained on; None where the environment is not here."""
    measured: int | None
    """Tasks that the policy is measured on."""
    missing: str = ""
    """Why it is not here."""


def tasks_of(settings: TrainerSettings) -> list[EnvironmentTasks]:
    """Of all environments, in their order."""
    own = settings.environments
    return [
        _tasks(settings, name, use) for use, names in (("train", own.train), ("unseen", own.unseen)) for name in names
    ]


def task_problems(settings: TrainerSettings, found: list[EnvironmentTasks]) -> Iterator[str]:
    """What is wrong with them, a sentence each."""
    least = settings.erpo.selection.tasks_per_environment
    training = [tasks for tasks in found if tasks.use == "train"]
    for tasks in found:
        if tasks.missing:
            yield f"environments.{tasks.use}: {tasks.missing}"
        elif tasks.training is not None and tasks.use == "train" and tasks.training < least:
            words = f"has {tasks.training} tasks to train on and a batch takes at least {least}"
            yield f"environments.train: {tasks.name} {words}; make more with autoforge-gen tasks {tasks.name} -n 64."
    whole = sum(tasks.training or 0 for tasks in training)
    if all(tasks.training is not None for tasks in training) and whole < settings.erpo.selection.tasks:
        wanted = settings.erpo.selection.tasks
        yield f"erpo.selection.tasks = {wanted}, and there are {whole} tasks to train on: make more, or lower it."


def _tasks(settings: TrainerSettings, name: str, use: str) -> EnvironmentTasks:
    try:
        tasks = read_tasks(find_environment(name).path)
    except BadInput as error:
        return EnvironmentTasks(name, use, None, None, str(error))
    number, own = Counter(task.split for task in tasks), settings.environments
    training = min(number["train"], own.tasks or number["train"]) if use == "train" else 0
    return EnvironmentTasks(name, use, training, min(number[own.evaluate_split], own.evaluate_tasks))
