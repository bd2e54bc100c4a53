"""The module that the engine runs: ids in, log-probabilities out.

Invariant: the logits of a whole batch never exist; places that are not chosen are 0 and get no gradient; every forward
pass uses every trained parameter, so that gradients are reduced alike on every rank. Not covered: the loss.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from autoforge.trainer.learner.head import Head, Scores

__all__ = ["Policy"]


class Policy(nn.Module):
    """A causal language model of transformers with its head taken over."""

    def __init__(self, causal: Any, *, head_tokens: int) -> None:
        super().__init__()
        self.causal = causal
        self.head = Head(causal.get_output_embeddings(), tokens=head_tokens)

    def forward(self, ids: Tensor, attention: Tensor, chosen: Tensor, temperature: float, entropy: bool) -> Scores:
        """Both [rows, length − 1], for ids[:, 1:], float32; 0 where `chosen` [rows, length − 1] is not set. Ids and
        attention are [rows, length], padded on either side. The entropy is [0] where it is not wanted."""
        positions = (attention.long().cumsum(1) - 1).clamp(min=0)
        hidden = self.causal.base_model(
            input_ids=ids, attention_mask=attention.long(), position_ids=positions, use_cache=False
        ).last_hidden_state  # fmt: skip
        places = chosen.flatten().nonzero()[:, 0]
        if not len(places):
            places = places.new_zeros(1)  # the head takes part in any case
        scores = self.head(hidden[:, :-1].flatten(0, 1)[places], ids[:, 1:].flatten()[places], temperature, entropy)
        logprobs = _spread(scores.logprobs, places, chosen)
        return Scores(logprobs, _spread(scores.entropy, places, chosen) if entropy else scores.entropy)


def _spread(values: Tensor, places: Tensor, chosen: Tensor) -> Tensor:
    flat = values.new_zeros(chosen.numel()).index_copy(0, places, values)
    return torch.where(chosen, flat.view_as(chosen), 0.0)
