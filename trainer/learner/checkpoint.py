"""The learner's state on disk: weights, optimizer, learning rate, dice of every rank.

Invariant: a folder with the wanted name is whole; it is written under another name and renamed. What continues from one
continues bit for bit, with as many ranks and the same settings of what is split how. Not covered: the run's other state
(data, episodes), and changing the number of ranks (export, and begin from that).
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import torch

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.learner.ranks import Ranks
from autoforge.trainer.learner.settings import LearnerSettings

__all__ = ["partial_folder", "read", "rename_whole", "write"]

_TAG = "learner"
_ABOUT = "learner.json"


def write(engine: Any, settings: LearnerSettings, ranks: Ranks, folder: Path) -> None:
    """Every rank must call it, with the same folder on a disk that all share. Raises BadInput where it exists."""
    partial = partial_folder(folder, ranks)
    engine.save_checkpoint(str(partial), tag=_TAG, exclude_frozen_parameters=settings.lora is not None)
    torch.save(_dice(ranks), partial / f"dice-{ranks.rank}.pt")
    if ranks.rank == 0:
        (partial / _ABOUT).write_text(json.dumps({**_about(settings, ranks), "step": engine.global_steps}, indent=2))
    rename_whole(partial, folder, ranks)


def read(engine: Any, settings: LearnerSettings, ranks: Ranks, folder: Path) -> None:
    """Into an engine that has done no step. Raises BadInput for a folder that is none, is damaged, or was written by
    other ranks or with settings that split things otherwise."""
    _check(folder, settings, ranks)
    try:
        path, _ = engine.load_checkpoint(str(folder), tag=_TAG, load_module_strict=settings.lora is None)
        dice = torch.load(folder / f"dice-{ranks.rank}.pt", weights_only=True)
    except (OSError, RuntimeError, EOFError, KeyError, pickle.UnpicklingError) as error:
        raise BadInput(f"{folder} is damaged: {error}; continue from an earlier checkpoint.") from error
    if path is None:
        raise BadInput(f"{folder} holds no state of a learner; continue from another checkpoint.")
    _heed(engine, settings)
    torch.set_rng_state(dice["cpu"])
    if ranks.device.type == "cuda":
        torch.cuda.set_rng_state(dice["cuda"], ranks.device)


def _heed(engine: Any, settings: LearnerSettings) -> None:
    """The learning rate and the betas are those of the settings, which may have changed since."""
    scheduler = engine.lr_scheduler
    scheduler.base_lrs = [settings.learning_rate] * len(scheduler.base_lrs)
    share = scheduler.lr_lambdas[0](scheduler.last_epoch)
    for group in engine.optimizer.param_groups:
        group["initial_lr"], group["lr"], group["betas"] = (
            settings.learning_rate,
            settings.learning_rate * share,
            settings.betas,
        )


def partial_folder(folder: Path, ranks: Ranks) -> Path:
    """An empty folder beside the wanted one; what an earlier try left there is gone. Raises BadInput, on every rank,
    where the wanted one exists."""
    partial = folder.with_name(f".{folder.name}.partial")
    exists = folder.exists()
    if any(ranks.gather(exists)):
        raise BadInput(f"{folder} is there already; give a new folder.")
    if ranks.rank == 0:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
    ranks.wait()
    return partial


def rename_whole(partial: Path, folder: Path, ranks: Ranks) -> None:
    """Gives the folder its name when every rank has written its part and all of it is on disk."""
    ranks.wait()
    if ranks.rank == 0:
        for path in [*sorted(partial.rglob("*")), partial]:
            _flush(path)
        partial.rename(folder)
        _flush(folder.parent)
    ranks.wait()


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _dice(ranks: Ranks) -> dict[str, torch.Tensor]:
    dice = {"cpu": torch.get_rng_state()}
    return dice if ranks.device.type == "cpu" else dice | {"cuda": torch.cuda.get_rng_state(ranks.device)}


def _about(settings: LearnerSettings, ranks: Ranks) -> dict[str, Any]:
    lora = settings.lora
    return {
        "ranks": ranks.world,
        "zero_stage": settings.zero_stage,
        "offload": settings.offload,
        "whole_below": settings.whole_below,
        "precision": str(ranks.dtype).removeprefix("torch."),
        "weight_decay": settings.weight_decay,
        "lora": None if lora is None else lora.model_dump(mode="json"),
    }


def _check(folder: Path, settings: LearnerSettings, ranks: Ranks) -> None:
    try:
        kept = json.loads((folder / _ABOUT).read_text())
    except (OSError, ValueError) as error:
        raise BadInput(f"{folder} is no checkpoint of a learner: {error}") from error
    for name, value in _about(settings, ranks).items():
        if kept.get(name) != value:
            raise BadInput(
                f"{folder} was written with {name} = {kept.get(name)}, and this run has {value}; use the same, or begin"
                " from an export."
            )
