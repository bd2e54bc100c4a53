"""A trained model as a Hugging Face folder: weights, configuration, tokenizer, chat template.

Invariant: a folder with the wanted name is whole; adapters are added into the weights, so that whatever loads the model
needs nothing of ours. Not covered: uploading, quantization.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import Tensor

from autoforge.trainer.learner.checkpoint import partial_folder, rename_whole
from autoforge.trainer.learner.failures import enough_memory
from autoforge.trainer.learner.model import Loaded
from autoforge.trainer.learner.ranks import Ranks
from autoforge.trainer.learner.weights import pieces

__all__ = ["write"]


def write(loaded: Loaded, ranks: Ranks, folder: Path, *, piece_bytes: int, chat_template: str | None) -> None:
    """Every rank must call it; rank 0 keeps the whole model in the host's memory meanwhile. `chat_template` replaces
    the tokenizer's. Raises BadInput where the folder exists."""
    partial = partial_folder(folder, ranks)
    causal: Any = loaded.policy.causal
    state: dict[str, Tensor] = {}
    with enough_memory("exporting"):
        for piece in pieces(causal, piece_bytes):
            if ranks.rank == 0:
                state |= {weight.name: weight.tensor.cpu() for weight in piece}
    if ranks.rank == 0:
        causal.save_pretrained(partial, state_dict=state, save_peft_format=False)
        _save_tokenizer(loaded.tokenizer, partial, chat_template)
    rename_whole(partial, folder, ranks)


def _save_tokenizer(tokenizer: Any, folder: Path, chat_template: str | None) -> None:
    own = tokenizer.chat_template
    tokenizer.chat_template = chat_template or own
    tokenizer.save_pretrained(folder)
    tokenizer.chat_template = own
