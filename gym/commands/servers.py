"""The servers that a command's targets name, with the options that say more of them.

Invariant: nothing is started. Not covered: what targets there are (`servers.open`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from autoforge.gym.runs.plan import Part
from autoforge.gym.runs.settings import digest_of_folder
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.hosted import HostedServer
from autoforge.gym.servers.open import AnyServer, open_server
from autoforge.gym.servers.server import ToolDocument
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import read_task_file

__all__ = [
    "ServerOptions", "digest_of", "documents", "folders_of", "open_folder", "open_one", "open_servers",
    "options_of_servers",
]  # fmt: skip

_MOST_WORKERS = 4


@dataclass(frozen=True)
class ServerOptions:
    """The options of servers, which several commands share; `gym.cli` documents each."""

    workers: int | None = None
    task_file: Path | None = None
    folder: Path | None = None
    token_variable: str | None = None


def options_of_servers(options: dict[str, Any]) -> ServerOptions:
    """These, taken out of all options of a command."""
    return ServerOptions(**{field.name: options.pop(field.name) for field in fields(ServerOptions)})


def open_one(target: str, options: ServerOptions) -> AnyServer:
    """Raises BadInput."""
    return open_server(
        target, workers=_workers(options), tasks=options.task_file, folder=options.folder,
        token_variable=options.token_variable,
    )  # fmt: skip


def open_folder(name: str, options: ServerOptions) -> FolderServer:
    """An environment of ours, by its folder or name, and nothing else. Raises BadInput."""
    tasks = read_task_file(options.task_file) if options.task_file is not None else None
    try:
        found = find_environment(name)
    except BadInput as error:
        raise BadInput(f"{str(error).rstrip('.')}; name its folder with --env.") from None
    server = FolderServer(found, workers=_workers(options))
    server.tasks = server.tasks if tasks is None else tasks
    return server


def _workers(options: ServerOptions) -> int:
    return options.workers or min(_MOST_WORKERS, os.cpu_count() or 1)


def open_servers(targets: Sequence[str], options: ServerOptions) -> list[AnyServer]:
    """Raises BadInput."""
    return [open_one(target, options) for target in targets]


def folders_of(servers: Iterable[object]) -> dict[str, str]:
    """Where the environments among them are, by name."""
    return {s.name: str(s.folder.path.resolve()) for s in servers if isinstance(s, FolderServer | HostedServer)}


def digest_of(server: object, target: str) -> str:
    """What tells one environment from another of its name: its files, or where it is."""
    if isinstance(server, FolderServer | HostedServer):
        return digest_of_folder(server.folder.path)
    return target


def documents(parts: Iterable[Part]) -> dict[str, Sequence[ToolDocument]]:
    """The tools of both sides by environment, of servers that tell them before they are entered."""
    return {p.name: p.server.documents for p in parts if isinstance(p.server, FolderServer | HostedServer)}
