"""From what a person names to the server that it means: an environment, addresses, or a command.

Invariant: what is none of these is refused in one sentence before anything is started. Not covered: the servers.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from autoforge.gym.regular_file import shown
from autoforge.gym.servers.command import CommandServer, split_command
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.hosted import HostedServer
from autoforge.gym.servers.url import UrlServer
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task, read_task_file

__all__ = ["AnyServer", "open_server"]

AnyServer: TypeAlias = FolderServer | HostedServer | UrlServer | CommandServer


def open_server(
    target: str,
    *,
    workers: int = 1,
    tasks: Path | None = None,
    folder: Path | None = None,
    token_variable: str | None = None,
) -> AnyServer:
    """The server that `target` names, not yet entered: an environment's folder or name; one or several addresses,
    separated by commas; else a command.

    `workers` are the processes of an environment; `tasks` is a file of tasks in place of an environment's own. With
    `folder`, addresses are those of an environment of ours, and the variable holds its control token; without, it
    holds the bearer token that a server of others may want. Raises BadInput.
    """
    if not target.strip():
        raise BadInput("no server is named; give an environment, an address, or a command that starts an MCP server.")
    given = read_task_file(tasks) if tasks is not None else None
    if target.startswith(("http://", "https://")):
        return _at_urls(target, given, folder, token_variable)
    if folder is not None or token_variable is not None:
        raise BadInput(f"{shown(target)} is no address, so it needs no folder beside it and no token; leave them out.")
    return _folder_or_command(target, workers, given)


def _folder_or_command(target: str, workers: int, given: tuple[Task, ...] | None) -> FolderServer | CommandServer:
    try:
        found = find_environment(target)
    except BadInput as no_environment:
        if os.path.isdir(target):
            raise
        return CommandServer(_command(target, no_environment), tasks=given or ())
    server = FolderServer(found, workers=workers)
    server.tasks = server.tasks if given is None else given
    return server


def _at_urls(
    target: str, given: tuple[Task, ...] | None, folder: Path | None, token_variable: str | None
) -> HostedServer | UrlServer:
    urls = [url.strip() for url in target.split(",") if url.strip()]
    token = _token(token_variable) if token_variable is not None else None
    if folder is None:
        return UrlServer(urls, tasks=given or (), token=token)
    if token is None:
        words = "the state of an environment at an address is read with its control token"
        raise BadInput(f"{words}; name the variable that holds it.")
    server = HostedServer(urls, find_environment(str(folder)), token)
    server.tasks = server.tasks if given is None else given
    return server


def _token(variable: str) -> str:
    token = os.environ.get(variable, "").strip()
    if not token:
        raise BadInput(f"the variable {variable} is empty or not set; put the server's token in it.")
    return token


def _command(target: str, no_environment: BadInput) -> tuple[str, ...]:
    try:
        return split_command(target)
    except BadInput:
        if " " in target.strip():
            raise
        words = "no address of a server, no command that can be started"
        raise BadInput(f"{shown(target)} is {words}, and no environment either: {no_environment}") from None
