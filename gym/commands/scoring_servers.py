"""The servers that stored trajectories are scored on again.

Invariant: nothing that a file of trajectories names is started or asked but an environment's folder, which is found as
one and is contained; commands and addresses are a person's to give. Not covered: the replay (`runs.replay`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from autoforge.gym.commands.servers import ServerOptions, digest_of, open_folder, open_one
from autoforge.gym.regular_file import shown
from autoforge.gym.runs.plan import RunServer
from autoforge.gym.runs.settings import RunSettings, digest_of_folder, digest_of_task
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.server import ToolServer
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["Played", "ScoringServers", "scoring_servers"]

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Played(NamedTuple):
    """A file of trajectories."""

    path: Path
    names: tuple[str, ...]
    """Of the environments in it."""
    settings: RunSettings | None
    """What stands beside it, where anything does."""

    def place(self, name: str) -> str | None:
        """The folder where an environment was, if there is one still."""
        folder = self.settings.folders.get(name) if self.settings is not None else None
        return folder if folder is not None and os.path.isdir(folder) else None

    def elsewhere(self, name: str) -> str | None:
        """The command or the address that an environment was."""
        if self.settings is None or name in self.settings.folders:
            return None
        known = self.settings.environments.get(name)
        return None if known is None or _DIGEST.fullmatch(known) else known


class ScoringServers(NamedTuple):
    """One server for each environment."""

    by_name: Mapping[str, RunServer]
    given: Mapping[str, str]
    """Name -> what a person named it by; such a server is scored on whatever it is now."""
    digests: Mapping[str, str]
    """Name -> what decides what it does, of those that are folders and that nobody named."""

    def problem(self, played: Played, name: str, task_id: str, server: ToolServer) -> tuple[Task | None, str]:
        """The task as it is now, and why an episode of it cannot be scored, if so."""
        task = next((task for task in server.tasks if task.id == task_id), None)
        if task is None:
            return None, f"{name} has no such task any more"
        settings = played.settings
        if settings is None or name in self.given:
            return task, ""
        if settings.environments.get(name, self.digests[name]) != self.digests[name]:
            words = f"{name} has changed since the episode was played"
            return task, f"{words}; to score it on what it is now, name it with --env"
        if settings.tasks.get(f"{name}/{task.id}", digest_of_task(task)) != digest_of_task(task):
            return task, f"{name} has another task of this id now"
        return task, ""

    def remarks(self, files: Sequence[Played]) -> list[str]:
        """What servers that a person named are not, in a sentence each."""
        found = dict[str, None]()
        for played in files:
            for name in played.names:
                was = played.settings.environments.get(name) if played.settings is not None else None
                if was is None or name not in self.given:
                    continue
                now = digest_of(self.by_name[name], self.given[name])
                if was != now:
                    found[_remark(name, was, now, self.given[name])] = None
        return list(found)


def scoring_servers(files: Sequence[Played], environments: Sequence[str], options: ServerOptions) -> ScoringServers:
    """None of them started. Raises BadInput for an environment that is not found or is two, and for what only a person
    may name."""
    names = list(dict.fromkeys(name for played in files for name in played.names))
    if not environments and (options.folder is not None or options.token_variable is not None):
        raise BadInput("--folder and --token-variable are for an address; give it with --env.")
    opened = [(target, open_one(target, options)) for target in environments]
    given = {server.name: target for target, server in opened}
    unused = next((name for name in given if name not in names), None)
    if unused is not None:
        raise BadInput(f"--env {shown(unused)}: no episode is of it; the episodes are of {', '.join(names[:10])}.")
    servers: dict[str, RunServer] = {server.name: server for _, server in opened}
    digests = {}
    for name in names:
        if name not in given:
            server = _found(name, files, options)
            servers[name], digests[name] = server, digest_of_folder(server.folder.path)
    return ScoringServers(servers, given, digests)


def _found(name: str, files: Sequence[Played], options: ServerOptions) -> FolderServer:
    """The environment of ours that a name in the files means."""
    those = [played for played in files if name in played.names]
    for played in those:
        if (other := played.elsewhere(name)) is not None:
            words = f"{shown(name)} was played on {shown(other)} (as far as the settings beside {played.path} say)"
            raise BadInput(f"{words}; give it with --env, and its tasks with --task-file.")
    places = list(dict.fromkeys(place for played in those if (place := played.place(name)) is not None))
    if len(places) > 1:
        words = f"{shown(name)} is one environment in {places[0]} and another in {places[1]}"
        raise BadInput(f"{words}; score the files one by one, or name its folder with --env.")
    server = open_folder(places[0] if places else name, options)
    if server.folder.name != name:
        words = f"{shown(server.folder.path)} holds the environment {server.folder.name}, not {shown(name)}"
        raise BadInput(f"{words}; name the folder of {shown(name)} with --env.")
    return server


def _remark(name: str, was: str, now: str, target: str) -> str:
    if _DIGEST.fullmatch(was) and _DIGEST.fullmatch(now):
        return f"{name} has changed since its episodes were played; they are scored on what it is now."
    was, now = ("an environment's folder" if _DIGEST.fullmatch(known) else shown(known) for known in (was, now))
    return f"{name} was played on {was} and is scored on {now}."
