"""What the ranks of a run tell each other: one small object each, in the order of the ranks.

Invariant: every rank gets the same sequence, so that what is computed from it is the same on all; every rank must take
part in every exchange, whether it has anything to tell or not. Not covered: tensors of the model (the learner).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import torch.distributed as distributed

from autoforge.mcp_envs.errors import BadInput

__all__ = ["Gather", "alone", "gather_over", "refuse_together"]

Told = TypeVar("Told")


class Gather(Protocol):
    """An exchange: what this rank tells → what every rank told."""

    def __call__(self, told: Told, /) -> Sequence[Told]: ...


def alone(told: Told, /) -> Sequence[Told]:
    """The exchange of a run with one rank."""
    return (told,)


def refuse_together(problem: str | None, gather: Gather) -> None:
    """Raises BadInput on every rank where one has a problem, so that none waits in vain for one that gave up."""
    told = gather(problem)
    for rank, one in enumerate(told):
        if one is not None:
            raise BadInput(one if len(told) == 1 else f"rank {rank}: {one}")


def gather_over(group: distributed.ProcessGroup | None = None) -> Gather:
    """The exchange over a process group of torch.distributed, the default one where None is given. Objects are pickled;
    with NCCL the rank's device must have been set."""

    def gather(told: Told, /) -> Sequence[Told]:
        heard: list[Any] = [None] * distributed.get_world_size(group)
        distributed.all_gather_object(heard, told, group)
        return heard

    return gather
