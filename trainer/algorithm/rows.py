"""Sums and means over the tokens of a rollout, where tokens lie in one flat vector.

Invariant: only chosen tokens are in the vector, so that whatever stands at others, NaN included, can reach neither
values nor gradients, whose entries there are exactly 0. Not covered: which tokens are chosen (`aggregation`).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from autoforge.mcp_envs.errors import BadInput

__all__ = ["Chosen", "at_least_float32"]


class Chosen(NamedTuple):
    """Chosen tokens of a matrix [rows, length]."""

    mask: Tensor
    """[rows, length], bool."""
    rows: Tensor
    """[tokens]: the row of each."""
    rollouts: Tensor
    """[tokens]: the rollout of each, numbered from 0 within this vector."""
    number: int
    """Of rollouts."""

    @classmethod
    def of(cls, mask: Tensor, rollouts: Tensor) -> Chosen:
        """The tokens where the mask [rows, length] is set; `rollouts` [rows] says what each row belongs to."""
        rows = mask.nonzero()[:, 0]
        names, places = torch.unique(rollouts[rows], return_inverse=True)
        return cls(mask, rows, places, len(names))

    def flat(self, matrix: Tensor) -> Tensor:
        """[tokens], from [rows, length] or, the same for all tokens of a row, [rows]."""
        if matrix.shape == self.mask.shape:
            return matrix[self.mask]
        if matrix.shape != self.mask.shape[:1]:
            raise BadInput(
                f"a tensor of shape {tuple(matrix.shape)} does not go with rows and tokens of shape"
                f" {tuple(self.mask.shape)}; give that shape, or one entry for each row."
            )
        return matrix[self.rows]

    def spread(self, values: Tensor) -> Tensor:
        """[rows, length], with 0 where no token was chosen."""
        return values.new_zeros(self.mask.shape).masked_scatter(self.mask, values)

    def sums(self, values: Tensor) -> Tensor:
        """[tokens]: for each token the sum over its rollout."""
        return values.new_zeros(self.number).index_add(0, self.rollouts, values)[self.rollouts]

    def means(self, values: Tensor) -> Tensor:
        """[tokens]: for each token the mean over its rollout."""
        return self.sums(values) / self.sums(torch.ones_like(values))


def at_least_float32(values: Tensor) -> Tensor:
    """Half precision made single; ratios and their sums need it."""
    return values.float() if values.dtype in (torch.float16, torch.bfloat16) else values
