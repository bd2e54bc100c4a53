"""`autoforge-gym export`: trajectories as chats with tools, for supervised training.

Invariant: the file is written whole or not at all; by default only episodes that were won, and in which no error of
the user touched what counts. Not covered: the format (`runs.chats`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from autoforge.gym.commandline.terminal import messages
from autoforge.gym.runs.chats import chat_of
from autoforge.gym.runs.reading import latest
from autoforge.gym.runs.writing import expect_no_input, write_whole
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import CheckFailed

__all__ = ["run_export"]


def run_export(
    files: Sequence[Path], *, output: Path, reward: float, masked: bool, thinking: str, as_json: bool
) -> int:
    """Write the chats; 0 when there is at least one. Raises BadInput for a file that is none of a run's, CheckFailed
    where no episode fits."""
    left: Counter[str] = Counter()

    def lines() -> Iterator[str]:
        for file in files:
            for trajectory in latest(file):
                why = _left_out(trajectory, reward, masked)
                chat = None if why else chat_of(trajectory, thinking=thinking == "keep")
                left[why or ("exported" if chat else "empty")] += 1
                if chat is not None:
                    yield json.dumps(chat, ensure_ascii=False) + "\n"
        if not left["exported"]:
            raise CheckFailed(f"none of {left.total()} episodes fits ({_words(left)}); nothing was written.")

    expect_no_input(output, files)
    write_whole(output, lines())
    messages().print(f"{left['exported']} of {left.total()} episodes in {output} ({_words(left)})", soft_wrap=True)
    if as_json:
        click.echo(json.dumps({"output": str(output), "episodes": dict(left)}, ensure_ascii=False))
    return 0


def _left_out(trajectory: Trajectory, reward: float, masked: bool) -> str:
    """Why it is left out; empty where it is not."""
    if trajectory.reward is None:
        return "unscored"
    if trajectory.masked and not masked:
        return "masked"
    return "" if trajectory.reward >= reward else "lower reward"


def _words(left: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(left.items()) if count)
