"""`autoforge-gym score`: stored trajectories scored again, and what changed.

Invariant: files that are read stay as they are; exit 0 when every episode that ended by its user could be scored again,
else 1. Not covered: finding the servers (`scoring_servers`), the replay (`runs.replay`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from itertools import islice
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
from autoforge.gym.commands.scoring_servers import Played, ScoringServers, scoring_servers
from autoforge.gym.commands.servers import ServerOptions
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.record import trajectory_id
from autoforge.gym.regular_file import shown
from autoforge.gym.runs.reading import latest
from autoforge.gym.runs.replay import Rescored, rescored
from autoforge.gym.runs.settings import read_settings, settings_path
from autoforge.gym.runs.writing import expect_no_input, whole_file
from autoforge.gym.servers.server import ToolServer
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import BadInput

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
    played = _played(files)
    if not any(file.names for file in played):
        raise BadInput(f"{', '.join(map(str, files))}: no episodes in it; give a file that autoforge-gym run wrote.")
    servers = scoring_servers(played, environments, server)
    if output is not None:
        expect_no_input(output, _inputs(files, server))
    for words in servers.remarks(played):
        messages().print(escape(words), soft_wrap=True)
    with ExitStack() as stack:
        file = stack.enter_context(whole_file(output)) if output is not None else None
        tell = stack.enter_context(meter(messages(), "scoring"))
        done = run_async(partial(_score_all, played, servers, file, tell))
    _print(done, messages() if as_json else results())
    if as_json:
        click.echo(json.dumps(_record(done), ensure_ascii=False, indent=1))
    return 1 if any(scored.problem for scored in done) else 0


def _played(files: Sequence[Path]) -> list[Played]:
    """What the files hold, each of them once. Raises BadInput for what no run wrote."""
    found: dict[tuple[int, int], Played] = {}
    for path in files:
        names = dict.fromkeys(_expect_own_id(path, t).environment for t in latest(path))
        info = path.stat()
        settings = read_settings(path, "mend it, or move it away: what it says of the run is not needed")
        found.setdefault((info.st_dev, info.st_ino), Played(path, tuple(names), settings))
    return list(found.values())


def _expect_own_id(path: Path, trajectory: Trajectory) -> Trajectory:
    """Raises BadInput for a trajectory whose id is another's."""
    t = trajectory
    own = trajectory_id(t.environment, t.task, t.agent, t.user, t.trial)
    if own != t.id:
        words = f"the episode with the id {shown(t.id)} is {shown(own)} by what it says of itself"
        raise BadInput(f"{path}: {words}; give a file as autoforge-gym wrote it.")
    return t


def _inputs(files: Sequence[Path], server: ServerOptions) -> Iterator[Path]:
    yield from files
    yield from map(settings_path, files)
    if server.task_file is not None:
        yield server.task_file


async def _score_all(
    files: Sequence[Played], servers: ScoringServers, file: TextIO | None, tell: Meter
) -> list[_Scored]:
    done: list[_Scored] = []
    async with AsyncExitStack() as stack:
        open_ = {name: await stack.enter_async_context(server) for name, server in servers.by_name.items()}
        every = ((played, trajectory) for played in files for trajectory in latest(played.path))
        for some in _batches(every, _AT_ONCE):
            for (_, old), new in zip(some, await _scored(some, open_, servers), strict=True):
                done.append(_Scored(old.id, old.reward, new.trajectory.reward, new.changes, new.problem))
                if file is not None:
                    file.write(new.trajectory.line())
            tell("episodes", len(done), len(done))
    return done


async def _scored(
    some: Sequence[tuple[Played, Trajectory]], open_: Mapping[str, ToolServer], servers: ScoringServers
) -> list[Rescored]:
    """In their order."""
    found: dict[int, Rescored] = {}

    async def one(place: int, played: Played, trajectory: Trajectory) -> None:
        server = open_[trajectory.environment]
        task, problem = servers.problem(played, trajectory.environment, trajectory.task, server)
        if task is None or problem:
            found[place] = Rescored(trajectory, problem=problem)
        else:
            found[place] = await rescored(trajectory, task, server, EpisodeLimits())

    async with anyio.create_task_group() as group:
        for place, (played, trajectory) in enumerate(some):
            group.start_soon(one, place, played, trajectory)
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
