"""One id for each row of logits, by one uniform number for each.

Invariant: the id of a row follows from its logits, temperature and number alone (inverse of the cumulative distribution
in the order of ids), whatever else is in the batch; its log-probability is the one it was sampled with, in float32. Not
covered: cuts of the distribution (top-k, top-p): the learner could not follow them.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

__all__ = ["Drawn", "draw"]


class Drawn(NamedTuple):
    """What was sampled, for each row."""

    ids: Tensor
    """int64, (rows,)."""
    logprobs: Tensor
    """float32, (rows,): after temperature; of greedy rows at temperature 1."""


def draw(logits: Tensor, temperatures: Tensor, uniforms: Tensor) -> Drawn:
    """Sample from logits (rows, vocabulary) with temperatures (rows,), 0 for the most probable id, and numbers in
    [0, 1) as float64 (rows,)."""
    greedy = temperatures == 0
    scaled = logits.float() / torch.where(greedy, 1.0, temperatures).unsqueeze(-1)
    logprobs = torch.log_softmax(scaled, dim=-1)
    ids = torch.where(greedy, scaled.argmax(dim=-1), _inverse(logprobs, uniforms))
    return Drawn(ids, logprobs.gather(-1, ids.unsqueeze(-1)).squeeze(-1))


def _inverse(logprobs: Tensor, uniforms: Tensor) -> Tensor:
    """The first id at which the sum of probabilities passes the number. Sums are of float64: over 150,000 ids those of
    float32 lose the rare ones."""
    sums = logprobs.exp().cumsum(dim=-1, dtype=torch.float64)
    total = sums[:, -1:]
    # Below the total, so that rounding never reaches the ids of no probability after the last one that has some.
    wanted = torch.minimum(uniforms.unsqueeze(-1) * total, total.nextafter(torch.zeros_like(total)))
    return torch.searchsorted(sums, wanted, right=True).squeeze(-1)
