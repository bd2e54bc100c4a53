"""`autoforge-gym gold`: tasks for a server of others, with what they are scored by.

Invariant: the file is written when every task has a gold that was reached twice, else not at all. Not covered: what a
sketch holds (`servers.sketch`), recording (`servers.recording`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.commandline.terminal import Meter, messages, meter
from autoforge.gym.commands.servers import ServerOptions, open_one
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.runs.settings import settings_path
from autoforge.gym.runs.writing import expect_no_input, whole_file
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.hosted import HostedServer
from autoforge.gym.servers.open import AnyServer
from autoforge.gym.servers.recording import record_gold
from autoforge.gym.servers.sketch import TaskSketch, expect_tools, read_sketches, sketched
from autoforge.mcp_envs.errors import BadInput, CheckFailed, ContainmentError
from autoforge.mcp_envs.task import Task, task_line

__all__ = ["run_gold"]


def run_gold(*, target: str, file: Path, output: Path, server: ServerOptions, as_json: bool) -> int:
    """Record them all; 0. Raises BadInput, and CheckFailed for a task whose calls leave no gold."""
    if server.task_file is not None:
        raise BadInput(f"--task-file is for tasks that have their gold; {file} is what it is recorded for.")
    sketches = read_sketches(file)
    opened = open_one(target, server)
    if isinstance(opened, FolderServer | HostedServer):
        raise BadInput(f"{target} is an environment of ours, whose tasks autoforge-gen tasks makes; give another.")
    expect_no_input(output, (file, settings_path(file)))
    with whole_file(output) as written, meter(messages(), "recording", len(sketches)) as tell:
        tasks = run_async(partial(_recorded, opened, sketches, tell))
        written.writelines(map(task_line, tasks))
    messages().print(f"{len(tasks)} tasks in {output}; play them with --task-file {output}.", soft_wrap=True)
    if as_json:
        changed = {task.id: len(task.gold.diff) for task in tasks}
        click.echo(json.dumps({"output": str(output), "changed_rows": changed}, ensure_ascii=False))
    return 0


async def _recorded(opened: AnyServer, sketches: Sequence[TaskSketch], tell: Meter) -> list[Task]:
    tasks = []
    try:
        async with opened as server:
            session = await server.open(None, "tools")
            tools = session.tools
            await session.close()
            for sketch in sketches:
                expect_tools(sketch, tools)
            for sketch in sketches:
                tasks.append(await record_gold(server, sketched(sketch, server.name, tools)))
                tell(sketch.id, len(tasks), len(sketches))
    except (EpisodeFailure, ContainmentError, OSError) as error:
        raise CheckFailed(f"{opened.name}: {error}; nothing was written.") from None
    return tasks
