"""Rows as padded tensors, and rows in micro-batches of bounded size.

Invariant: padding is attended to by nobody, trained on nowhere, and changes no real position; the weights of a
rollout's ids sum to 1 over all its rows, wherever these are. Not covered: losses, devices, the model.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import torch
from torch import Tensor

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.sequence import NOT_SAMPLED, Rollout, TokenRow

__all__ = ["IGNORED", "RowOf", "TokenBatch", "micro_batches", "padded", "rows_of"]

IGNORED: Final = -100
"""The label of a place that is not learnt from, as cross entropy ignores it."""


class RowOf(NamedTuple):
    """A row and the rollout that it is of."""

    row: TokenRow
    rollout: int
    """Place among the rollouts."""
    rollout_tokens: int
    """Trainable ids of all rows of that rollout."""


class TokenBatch(NamedTuple):
    """R rows, filled up at their ends to the L ids of the longest."""

    ids: Tensor
    """[R, L] int64."""
    attention: Tensor
    """[R, L] int64: 1 for ids, 0 for padding."""
    positions: Tensor
    """[R, L] int64: from 0 in each row; 0 in padding."""
    trainable: Tensor
    """[R, L] bool: ids that are learnt from; never the first. The output at l − 1 predicts the id at l."""
    labels: Tensor
    """[R, L] int64: `ids` where trainable, else IGNORED; not shifted."""
    logprobs: Tensor
    """[R, L] float32: of the sampler; NaN where nothing was sampled. Select by `trainable` before any arithmetic."""
    versions: Tensor
    """[R, L] int64: the weights that sampled each id, else NOT_SAMPLED."""
    rollout: Tensor
    """[R] int64: the place of each row's rollout among the rollouts."""
    weights: Tensor
    """[R, L] float32: 1 / trainable ids of the whole rollout where trainable, else 0. Sums to 1 for each rollout."""


def rows_of(rollouts: Sequence[Rollout]) -> list[RowOf]:
    """All rows that hold anything to learn, in order."""
    return [
        RowOf(row, place, rollout.policy_tokens)
        for place, rollout in enumerate(rollouts)
        for row in rollout.rows
        if row.policy_tokens
    ]


def padded(rows: Sequence[RowOf], *, padding: int, length: int | None = None) -> TokenBatch:
    """The rows as one batch, filled up with the id `padding`, to `length` ids where given. Raises BadInput for no rows,
    and for a row that is longer."""
    if not rows:
        raise BadInput("there is no row to make a batch of; leave the step out.")
    longest = max(len(item.row.ids) for item in rows)
    width = longest if length is None else length
    if longest > width:
        raise BadInput(f"a row has {longest} ids and the batch {width}; raise the length, or lower the context.")
    ids = _filled([item.row.ids for item in rows], padding, width, torch.int64)
    trainable = _filled([item.row.trainable for item in rows], False, width, torch.bool)
    attention = _filled([(1,) * len(item.row.ids) for item in rows], 0, width, torch.int64)
    shares = torch.tensor([[1 / item.rollout_tokens] for item in rows], dtype=torch.float32)
    return TokenBatch(
        ids=ids,
        attention=attention,
        positions=(attention.cumsum(1) - 1) * attention,
        trainable=trainable,
        labels=torch.where(trainable, ids, torch.full_like(ids, IGNORED)),
        logprobs=_filled([item.row.logprobs for item in rows], math.nan, width, torch.float32),
        versions=_filled([_versions(item.row) for item in rows], NOT_SAMPLED, width, torch.int64),
        rollout=torch.tensor([item.rollout for item in rows], dtype=torch.int64),
        weights=torch.where(trainable, shares, torch.zeros_like(shares)),
    )


def micro_batches(rows: Sequence[RowOf], tokens: int) -> Iterator[list[RowOf]]:
    """The rows in groups of at most `tokens` ids, padding counted; long ones first, so that rows of like length meet.
    Raises BadInput for a row that is longer."""
    ordered = sorted(rows, key=lambda item: -len(item.row.ids))
    if ordered and len(ordered[0].row.ids) > tokens:
        words = f"a row of rollout {ordered[0].rollout} has {len(ordered[0].row.ids)} ids"
        raise BadInput(f"{words}, and a micro-batch {tokens}; raise it, or lower the policy's context.")
    start = 0
    while start < len(ordered):
        number = tokens // max(1, len(ordered[start].row.ids))
        yield ordered[start : start + number]
        start += number


def _filled(rows: Sequence[Sequence[float]], filling: float, width: int, kind: torch.dtype) -> Tensor:
    """[R, width]: the rows, each filled up at its end."""
    batch = torch.full((len(rows), width), filling, dtype=kind)
    for place, row in enumerate(rows):
        batch[place, : len(row)] = torch.tensor(row, dtype=kind)
    return batch


def _versions(row: TokenRow) -> list[int]:
    versions = [NOT_SAMPLED] * len(row.ids)
    for span in row.versions:
        versions[span.start : span.end] = [span.version] * (span.end - span.start)
    return versions
