"""Checkpoints of a run: what the learner needs to go on, and where the run is.

    FOLDER/checkpoints/step-000010/learner/    weights, optimizer, dice (`Learner.save`)
    FOLDER/checkpoints/step-000010/state.json  what is done

Finished episodes are in the run's own file as soon as they end, and draws are a function of seed and step, so that a
run which goes on from a checkpoint plays what is missing and nothing twice.

Invariant: a checkpoint is there whole or not at all; the newest whole one counts; older ones go when a newer one is
whole. Not covered: what is in the learner's part.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from autoforge.mcp_envs.errors import BadInput

__all__ = ["RunState", "begun_checkpoint", "finished_checkpoint", "newest_checkpoint"]

_STATE = "state.json"


class RunState(BaseModel):
    """Where a run is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = 1
    step: int = 0
    """ERPO steps done."""
    version: int = 0
    """Of the weights."""
    records: int = 0
    """Lines of metrics.jsonl."""


def begun_checkpoint(folder: Path, step: int) -> Path:
    """Where to write one, empty; call it on the first rank."""
    draft = folder / "checkpoints" / f".step-{step:06d}.new"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    return draft


def finished_checkpoint(draft: Path, state: RunState, keep: int) -> Path:
    """Make it count, and remove all but the newest."""
    with (draft / _STATE).open("w", encoding="utf-8") as file:
        file.write(state.model_dump_json())
        file.flush()
        os.fsync(file.fileno())
    place = draft.with_name(draft.name.removeprefix(".").removesuffix(".new"))
    shutil.rmtree(place, ignore_errors=True)
    draft.rename(place)
    for old in _whole(place.parent)[:-keep]:
        shutil.rmtree(old, ignore_errors=True)
    return place


def newest_checkpoint(folder: Path) -> tuple[Path, RunState] | None:
    """Raises BadInput for one that cannot be read."""
    whole = _whole(folder / "checkpoints")
    if not whole:
        return None
    path = whole[-1] / _STATE
    try:
        return whole[-1], RunState.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        first = str(error).splitlines()[0]
        raise BadInput(
            f"{path} cannot be read ({first}); remove that checkpoint, and --resume takes the one before."
        ) from None


def _whole(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("step-*") if (path / _STATE).is_file())
