"""The world that the policy meets: servers, users and judges, by the settings.

Invariant: tasks that are trained on are of the split `train` of the environments named for training; those that are
measured are of another split, or of environments that are never trained on. Not covered: playing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from autoforge.gym.commands.cast import fitted, judge_of, user_of
from autoforge.gym.commands.models import Models
from autoforge.gym.judge.masking import Rule
from autoforge.gym.runs.judging import Judge
from autoforge.gym.runs.settings import RunSettings, digest_of_folder
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.users.faulty import FaultyUser
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task
from autoforge.trainer.rollouts.episodes import Place
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["World", "open_world", "training_tasks"]

_CALLS_AT_ONCE = 64
"""Of models as user and judge."""


class World(NamedTuple):
    """Everything that is open while a run plays."""

    places: Mapping[str, Place]
    """By environment, those for training and the unseen ones."""
    training: Mapping[str, tuple[Task, ...]]
    measured: Mapping[str, tuple[Task, ...]]
    judge: Judge | None
    models: Models
    run_settings: RunSettings
    """What a file of episodes is a file of."""
    mask: Rule = "touching"
    """Which errors of the user mask an episode."""
    errors: float = 0.0
    """Share of training episodes in which a user errs on purpose."""

    def erring(self) -> Mapping[str, Place]:
        """The places as training has them: there users may err on purpose."""
        if not self.errors:
            return self.places
        return {n: place._replace(user=FaultyUser(place.user, self.errors)) for n, place in self.places.items()}


def training_tasks(settings: TrainerSettings) -> dict[str, tuple[Task, ...]]:
    """The tasks of the split `train`, by environment. Raises BadInput where an environment has none."""
    return {
        name: _of_split(server, "train", settings.environments.tasks) for name, server in _servers(settings).items()
    }


@asynccontextmanager
async def open_world(settings: TrainerSettings) -> AsyncIterator[World]:
    """Raises BadInput for what is not there or cannot be used."""
    servers, unseen = _servers(settings), _named(settings.environments.unseen)
    twice = next((name for name in unseen if name in servers), None)
    if twice is not None:
        raise BadInput(f"{twice} is among environments.train and environments.unseen; take it out of one of them.")
    training = {name: _of_split(server, "train", settings.environments.tasks) for name, server in servers.items()}
    async with AsyncExitStack() as stack:
        models = await stack.enter_async_context(_models(settings))
        user = user_of(settings.user.model, models.at(settings.user.base_url))
        documents = {name: server.documents for name, server in (servers | unseen).items()}
        judge = judge_of(settings.judge.model, models.at(settings.judge.base_url), documents)
        places = {}
        for name, server in (servers | unseen).items():
            entered = await stack.enter_async_context(server)
            places[name] = Place(entered, fitted(user, server))
        yield World(
            places, training, _measured(settings, servers, unseen), judge, models, _run_settings(settings, places),
            settings.judge.mask, settings.user.errors,
        )  # fmt: skip


def _servers(settings: TrainerSettings) -> dict[str, FolderServer]:
    return _named(settings.environments.train)


def _named(targets: Sequence[str]) -> dict[str, FolderServer]:
    servers = [FolderServer(find_environment(target), workers=1) for target in targets]
    names = [server.name for server in servers]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"two environments are named {twice!r}; leave one out, or compile it under another --name.")
    return dict(zip(names, servers, strict=True))


def _of_split(server: FolderServer, split: str, most: int | None) -> tuple[Task, ...]:
    found = tuple(task for task in server.tasks if task.split == split)[:most]
    if not found:
        words = f"{server.name} has no tasks of the split {split}"
        raise BadInput(f"{words}; make more with autoforge-gen tasks {server.folder.path} -n 64.")
    return found


def _measured(
    settings: TrainerSettings, servers: Mapping[str, FolderServer], unseen: Mapping[str, FolderServer]
) -> dict[str, tuple[Task, ...]]:
    """Where an environment has no task of the split, it is not measured."""
    own, most = settings.environments, settings.environments.evaluate_tasks
    found = {name: tuple(t for t in s.tasks if t.split == own.evaluate_split)[:most] for name, s in servers.items()}
    found |= {name: tuple(server.tasks)[:most] for name, server in unseen.items()}
    return {name: tasks for name, tasks in found.items() if tasks}


def _models(settings: TrainerSettings) -> Models:
    folder = settings.run.folder
    return Models(
        folder / "models.ledger", cache=folder / "models.cache", max_cost=settings.user.max_cost, at_once=_CALLS_AT_ONCE
    )


def _run_settings(settings: TrainerSettings, places: Mapping[str, Place]) -> RunSettings:
    folders: dict[str, Path] = {
        name: place.server.folder.path for name, place in places.items() if isinstance(place.server, FolderServer)
    }
    return RunSettings(
        agent="policy", user=settings.user.model, user_base_url=settings.user.base_url, judge=settings.judge.model,
        seed=settings.run.seed, progress=bool(settings.erpo.credit.weight), limits=settings.rollouts.limits,
        environments={name: digest_of_folder(folder) for name, folder in folders.items()},
        folders={name: str(folder.resolve()) for name, folder in folders.items()},
    )  # fmt: skip
