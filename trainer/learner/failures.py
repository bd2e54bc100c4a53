"""Failures of torch and DeepSpeed as sentences that say what to change.

Invariant: only what is recognised is turned into a sentence; everything else goes on as it is. Not covered: what the
other ranks do when one fails; the launcher ends them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["enough_memory"]

_SIGNS = "out of memory", "can't allocate memory", "not enough memory", "cannot allocate memory"


@contextmanager
def enough_memory(doing: str) -> Iterator[None]:
    """Raises AutoForgeError with the settings to change where memory runs out while `doing`."""
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise AutoForgeError(_words(doing)) from error
    except RuntimeError as error:
        if not any(sign in str(error).lower() for sign in _SIGNS):
            raise
        raise AutoForgeError(_words(doing)) from error


def _words(doing: str) -> str:
    return (
        f"memory ran out while {doing}; make micro-batches smaller or the context shorter, lower head_tokens, set"
        " gradient_checkpointing = true, raise zero_stage (up to 3), set offload = true, or train adapters (lora)."
    )
