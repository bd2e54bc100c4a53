"""A Hugging Face causal language model, as a sampler uses it: logits of the last columns, with a cache.

Invariant: the logits of a row are those of a forward pass over its ids alone, up to rounding, whatever pads it. Not
covered: sampling, and which rows there are.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Final

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import DynamicCache

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.samplers.cache import empty_cache

__all__ = ["CausalModel"]

ATTENTION: Final = ("full_attention", "sliding_attention")

PASS: Final = 16384
"""Ids of one pass over prompts: what the activations take."""

SCORED: Final = 1024
"""Ids of which all logits are held at a time: 0.6 GB at 150,000 in the vocabulary."""


class CausalModel:
    """The model of a sampler, its own."""

    def __init__(self, model: PreTrainedModel) -> None:
        """Raises BadInput for a model that keeps other things than keys and values."""
        self.model: PreTrainedModel = model.train(False)
        config: Any = model.config.get_text_config(decoder=True)
        others = sorted(set(getattr(config, "layer_types", None) or ()) - set(ATTENTION))
        if others:
            words = f"the torch sampler has no cache for layers of {', '.join(others)} in {type(model).__name__}"
            raise BadInput(f"{words}; sample with vLLM")
        self.vocabulary = int(config.vocab_size)
        self.context = int(getattr(config, "max_position_embeddings", None) or 2**31)
        parameters = inspect.signature(model.forward).parameters
        # The name of the argument changed in transformers 5.2x; the old one warns in the new ones.
        self._cache_name = "cache" if "cache" in parameters else "past_key_values"
        self._keeps = "logits_to_keep" in parameters

    @property
    def device(self) -> torch.device:
        return torch.device(self.model.device)

    def following(self, ids: Tensor, starts: Tensor, cache: DynamicCache) -> Tensor:
        """Logits (rows, vocabulary) after ids (rows, new columns) of rows that begin at the columns `starts` (rows,);
        the cache gets the new columns."""
        slice_columns = max(1, PASS // ids.shape[0])
        for first in range(0, ids.shape[1], slice_columns):
            logits = self._forward(ids[:, first : first + slice_columns], starts, cache, keep=1)
        return logits[:, -1]

    @torch.inference_mode()
    def logprobs(self, ids: Sequence[int]) -> list[float]:
        """The log-probabilities of ids[1:] at temperature 1."""
        row = torch.tensor([list(ids)], device=self.device)
        cache, start = empty_cache(), row.new_zeros(1)
        found: list[float] = []
        for first in range(0, len(ids) - 1, SCORED):
            inputs = row[:, first : min(first + SCORED, len(ids) - 1)]
            logits = self._forward(inputs, start, cache, keep=0)[0].float()
            wanted = row[0, first + 1 : first + 1 + inputs.shape[1], None]
            found += torch.log_softmax(logits, dim=-1).gather(-1, wanted)[:, 0].tolist()
        return found

    def _forward(self, ids: Tensor, starts: Tensor, cache: DynamicCache, keep: int) -> Tensor:
        """Logits of the last `keep` columns at least; 0 for those of all."""
        seen = cache.get_seq_length()
        columns = torch.arange(seen + ids.shape[1], device=ids.device)
        positions = (columns[seen:] - starts[:, None]).clamp(0, self.context - 1)
        named: dict[str, Any] = {self._cache_name: cache}
        if self._keeps:
            named["logits_to_keep"] = keep
        mask = (columns >= starts[:, None]).long()
        output = self.model(input_ids=ids, attention_mask=mask, position_ids=positions, use_cache=True, **named)
        logits: Tensor = output.logits
        return logits
