"""Where this process stands among those that train together, and on what device.

A launcher (`torchrun`, `deepspeed`, on one host or many) sets RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT
for each process; without them this process trains alone and opens no port. Invariant: torch's process group is made
here, before DeepSpeed, and without a device bound to it: with one, other groups, as a sampler's for its weights, hang.
Not covered: hosts and their names (the launcher).
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

import torch
import torch.distributed as distributed

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.learner.settings import LearnerSettings

__all__ = ["Ranks", "join", "leave"]

_NAMES = "RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"


class Ranks(NamedTuple):
    """This process among all."""

    rank: int
    local: int
    """Place on its host."""
    world: int
    device: torch.device
    dtype: torch.dtype
    """Of weights and activations."""
    control: Any = None
    """The group for what ranks tell each other: over gloo, and patient, since the others wait while one plays."""

    def gather(self, told: object) -> list[object]:
        """What every rank told, in their order. Every rank must call it."""
        if self.world == 1:
            return [told]
        heard: list[object] = [None] * self.world
        distributed.all_gather_object(heard, told, group=self.control)
        return heard

    def wait(self) -> None:
        """Until every rank is here."""
        if self.world > 1:
            distributed.barrier(group=self.control)


def join(settings: LearnerSettings, environment: Mapping[str, str] = os.environ) -> Ranks:
    """This process's place; the process group is made where there is none. Raises BadInput where a GPU is asked for and
    there is none, and where a launcher set some of its variables only."""
    device, dtype = _device(settings)
    rank, local, world = _place(environment)
    if device.type == "cuda":
        if local >= torch.cuda.device_count():
            raise BadInput(
                f"process {local} of this host finds {torch.cuda.device_count()} GPUs; start one process for each GPU."
            )
        device = torch.device("cuda", local)
        torch.cuda.set_device(device)
    if not distributed.is_initialized():
        _make_group(rank, world, "nccl" if device.type == "cuda" else "gloo")
    return Ranks(rank, local, world, device, dtype, _control() if world > 1 else None)


@functools.cache
def _control() -> Any:
    """One for all learners of a process."""
    return distributed.new_group(backend="gloo", timeout=timedelta(days=30))


def leave() -> None:
    """Ends the process group, where there is one; for the end of a program."""
    if distributed.is_initialized():
        distributed.destroy_process_group()
        _control.cache_clear()


def _device(settings: LearnerSettings) -> tuple[torch.device, torch.dtype]:
    there = torch.cuda.is_available()
    if settings.device == "cuda" and not there:
        raise BadInput("device = cuda, but torch finds no GPU here; set device = cpu, or install torch for your GPU.")
    kind = "cuda" if there and settings.device != "cpu" else "cpu"
    if settings.precision == "bf16" and kind == "cpu":
        raise BadInput("precision = bf16 wants a GPU, and none is used here; set precision = fp32 or auto.")
    half = settings.precision != "fp32" and kind == "cuda"
    return torch.device(kind), torch.bfloat16 if half else torch.float32


def _place(environment: Mapping[str, str]) -> tuple[int, int, int]:
    missing = [name for name in _NAMES if name not in environment]
    if "RANK" not in environment and "WORLD_SIZE" not in environment:
        return 0, 0, 1
    if missing:
        raise BadInput(f"a launcher set RANK or WORLD_SIZE, but not {', '.join(missing)}; use torchrun or deepspeed.")
    return int(environment["RANK"]), int(environment["LOCAL_RANK"]), int(environment["WORLD_SIZE"])


def _make_group(rank: int, world: int, backend: str) -> None:
    if world > 1:
        distributed.init_process_group(backend, rank=rank, world_size=world, timeout=timedelta(hours=1))
        return
    # A store in memory: no port that another run on this host could hold.
    distributed.init_process_group(backend, rank=0, world_size=1, store=distributed.HashStore())  # type: ignore[attr-defined]
