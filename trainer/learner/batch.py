"""What the learner asks of a micro-batch: three padded tensors; the rest is the loss's own.

Invariant: a batch is checked where it comes in, so that a bad one is a sentence before any rank waits for another.
Not covered: how rows become batches (`autoforge.trainer.tokens`).
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor

__all__ = ["Batch", "fault_of", "moved"]

Moved = TypeVar("Moved")


class Batch(Protocol):
    """A NamedTuple with at least these fields; other tensors and NamedTuples of tensors in it are moved along."""

    @property
    def ids(self) -> Tensor:
        """[rows, length] int64; length ≥ 2."""
        ...

    @property
    def attention(self) -> Tensor:
        """[rows, length]: 1 or True for ids, 0 for padding, on either side."""
        ...

    @property
    def trainable(self) -> Tensor:
        """[rows, length] bool: ids whose log-probabilities are wanted; the first of a row never is."""
        ...


def moved(batch: Moved, device: torch.device) -> Moved:
    """The batch with its tensors on the device."""
    if isinstance(batch, Tensor):
        return batch.to(device, non_blocking=True)  # type: ignore[return-value]
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        kind: Any = type(batch)
        return kind(*(moved(field, device) for field in batch))  # type: ignore[no-any-return]
    return batch


def fault_of(batch: Batch, vocabulary: int) -> str | None:
    """What is wrong with a batch, None where nothing is."""
    ids, attention, trainable = batch.ids, batch.attention, batch.trainable
    if ids.dim() != 2 or ids.shape[0] < 1 or ids.shape[1] < 2 or ids.dtype != torch.int64:
        return f"the ids are {ids.dtype} of shape {tuple(ids.shape)}; give int64 [rows, length ≥ 2]"
    if attention.shape != ids.shape or trainable.shape != ids.shape or trainable.dtype != torch.bool:
        return (
            f"attention {tuple(attention.shape)} and trainable {tuple(trainable.shape)} ({trainable.dtype}) do not go"
            f" with ids {tuple(ids.shape)}; give that shape, trainable as bool"
        )
    if int(ids.min()) < 0 or int(ids.max()) >= vocabulary:
        return (
            f"an id is {int(ids.min())} or {int(ids.max())}, and the model has {vocabulary}; use the model's own"
            " tokenizer, or one that its embeddings were resized for"
        )
    if bool(trainable[:, 0].any()) or bool((trainable & ~attention.bool()).any()):
        return "the first id of a row, or padding, is trainable; nothing predicts these"
    return None
