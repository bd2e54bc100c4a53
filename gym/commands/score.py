"""`autoforge-gym score`: stored trajectories scored again, and what changed.

Invariant: files that are read stay as they are unless one is named with -o; exit 0 when every episode that ended by its
user could be scored again, else 1. Not covered: the replay (`runs.replay`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TextIO, TypeVar

import anyio
import click
from pydantic import JsonValue
from rich.console import Console
from rich.markup import escape

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.commandline.terminal import Meter, messages, meter
from autoforge.gym.commandline.terminal import output as results
from autoforge.gym.commands.servers import ServerOptions, open_one, open_servers
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.runs.plan import RunServer
from autoforge.gym.runs.reading import latest
from autoforge.gym.runs.replay import Rescored, rescored
from autoforge.gym.runs.settings import RunSettings, digest_of_task, read_settings
from autoforge.gym.runs.writing import whole_file
from autoforge.gym.servers.server import ToolServer
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["run_score"]

T = TypeVar("T")
_AT_ONCE = 16
"""Replays at a time."""
_SHOWN = 40
"""Changed episodes shown to a person; the JSON document has all."""


class _Scored(NamedTuple):
    """What came of one trajectory."""

    id: str
    before: float | None
    after: float | None
    changes: tuple[str, ...]
    problem: str


def run_score(
    files: Sequence[Path], *, environments: Sequence[str], server: ServerOptions, output: Path | None, as_json: bool
) -> int:
    """Score again; 0 when all could be. Raises BadInput for a file that is none of a run's, and for an environment that
    is not found."""
    names = list(dict.fromkeys(t.environment for t in chain.from_iterable(map(latest, files))))
    if not names:
        raise BadInput(f"{', '.join(map(str, files))}: no episodes in it; give a file that autoforge-gym run wrote.")
    runs = [settings for path in files if (settings := read_settings(path)) is not None]
    given = _given(names, environments, server)
    places = _places(runs, but=given.keys())
    servers = {name: given[name] if name in given else _found(places.get(name, name), server) for name in names}
    with ExitStack() as stack:
        file = stack.enter_context(whole_file(output)) if output is not None else None
        tell = stack.enter_context(meter(messages(), "scoring"))
        done = run_async(partial(_score_all, files, servers, _Digests(runs, but=given.keys()), file, tell))
    _print(done, messages() if as_json else results())
    if as_json:
        click.echo(json.dumps(_record(done), ensure_ascii=False, indent=1))
    return 1 if any(scored.problem for scored in done) else 0


class _Digests:
    """What the tasks were when they were played, but those of environments that a person names."""

    def __init__(self, runs: Sequence[RunSettings], but: Collection[str]) -> None:
        self._known: dict[str, set[str]] = {}
        for name, digest in (item for settings in runs for item in settings.tasks.items()):
            if name.partition("/")[0] not in but:
                self._known.setdefault(name, set()).add(digest)

    def fit(self, environment: str, task: Task) -> bool:
        """Whether it is as it was, as far as is known."""
        known = self._known.get(f"{environment}/{task.id}")
        return known is None or digest_of_task(task) in known


def _places(runs: Sequence[RunSettings], but: Collection[str]) -> dict[str, str]:
    """Where the environments were, by name; those that are there still, and that nobody names. Raises BadInput for one
    name in two places."""
    places: dict[str, str] = {}
    for settings in runs:
        for name, place in settings.folders.items():
            if name not in but and Path(place).is_dir() and places.setdefault(name, place) != place:
                words = f"{name} is one environment in {places[name]} and another in {place}"
                raise BadInput(f"{words}; score the files one by one, or name its folder with --env.")
    return places


def _given(names: Sequence[str], environments: Sequence[str], options: ServerOptions) -> dict[str, RunServer]:
    """Those that a person names, by the name of their environment. Raises BadInput."""
    given: dict[str, RunServer] = {server.name: server for server in open_servers(environments, options)}
    unused = next((name for name in given if name not in names), None)
    if unused is not None:
        raise BadInput(f"--env {unused}: no episode is of it; the episodes are of {', '.join(names)}.")
    return given


def _found(name: str, options: ServerOptions) -> RunServer:
    try:
        return open_one(name, options)
    except BadInput as error:
        raise BadInput(f"{str(error).rstrip('.')}; name its folder with --env.") from None


async def _score_all(
    files: Sequence[Path], servers: Mapping[str, RunServer], digests: _Digests, file: TextIO | None, tell: Meter
) -> list[_Scored]:
    done: list[_Scored] = []
    async with AsyncExitStack() as stack:
        open_ = {name: await stack.enter_async_context(server) for name, server in servers.items()}
        for some in _batches(chain.from_iterable(map(latest, files)), _AT_ONCE):
            for old, new in zip(some, await _scored(some, open_, digests), strict=True):
                done.append(_Scored(old.id, old.reward, new.trajectory.reward, new.changes, new.problem))
                if file is not None:
                    file.write(new.trajectory.line())
            tell("episodes", len(done), len(done))
    return done


async def _scored(some: Sequence[Trajectory], servers: Mapping[str, ToolServer], digests: _Digests) -> list[Rescored]:
    """In their order."""
    found: dict[int, Rescored] = {}

    async def one(place: int, trajectory: Trajectory) -> None:
        server = servers[trajectory.environment]
        task = next((task for task in server.tasks if task.id == trajectory.task), None)
        if task is None:
            found[place] = Rescored(trajectory, problem=f"{server.name} has no such task any more")
        elif not digests.fit(trajectory.environment, task):
            found[place] = Rescored(trajectory, problem=f"{server.name} has another task of this id now")
        else:
            found[place] = await rescored(trajectory, task, server, EpisodeLimits())

    async with anyio.create_task_group() as group:
        for place, trajectory in enumerate(some):
            group.start_soon(one, place, trajectory)
    return [found[place] for place in range(len(some))]


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def _print(done: Sequence[_Scored], console: Console) -> None:
    changed = [scored for scored in done if scored.changes or scored.problem]
    for scored in changed[:_SHOWN]:
        words = scored.problem or "; ".join(scored.changes)
        mark = "[red]not scored[/]" if scored.problem else "[yellow]changed[/]"
        console.print(f"{mark} {escape(scored.id)}: {escape(words)}", soft_wrap=True)
    if len(changed) > _SHOWN:
        console.print(f"and {len(changed) - _SHOWN} more")
    counts = _counts(done)
    console.print(
        f"{counts['episodes']} episodes: {counts['rewards changed']} with another reward, "
        f"{counts['changed']} with other details, {counts['not scored']} not scored"
    )


def _counts(done: Sequence[_Scored]) -> dict[str, int]:
    other = sum(scored.before != scored.after for scored in done)
    return {
        "episodes": len(done),
        "rewards changed": other,
        "changed": sum(bool(scored.changes) and scored.before == scored.after for scored in done),
        "not scored": sum(bool(scored.problem) for scored in done),
    }


def _record(done: Sequence[_Scored]) -> dict[str, JsonValue]:
    return {
        **_counts(done),
        "differences": [
            {
                "id": s.id, "before": s.before, "after": s.after, "changes": list(s.changes), "problem": s.problem,
            }
            for s in done
            if s.changes or s.problem
        ],
    }  # fmt: skip
