"""Log-probabilities of ids from hidden states, a few tokens at a time.

Invariant: logits exist for at most `tokens` places at once, forward and backward; softmax is in float32. The head is
one module however many parts it works in, so that ranks with batches of different lengths gather its weights alike
under ZeRO-3. Not covered: heads that do more than one linear map (`model` refuses them).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.utils.checkpoint import checkpoint

__all__ = ["Head", "Scores"]


class Scores(NamedTuple):
    """Of places."""

    logprobs: Tensor
    """[places] float32."""
    entropy: Tensor
    """[places] float32, of the whole distribution at each; [0] where it is not wanted."""


class Head(nn.Module):
    """The output head of a model, by reference: its weight and bias are the model's own parameters."""

    def __init__(self, head: nn.Linear, *, tokens: int) -> None:
        super().__init__()
        self.weight = head.weight
        self.bias = head.bias
        self._tokens = tokens

    def forward(self, hidden: Tensor, ids: Tensor, temperature: float, entropy: bool) -> Scores:
        """Of `ids` [places] where the hidden states are `hidden` [places, width]; places ≥ 1."""
        parts = [
            self._part(states, targets, temperature, entropy)
            for states, targets in zip(torch.split(hidden, self._tokens), torch.split(ids, self._tokens), strict=True)
        ]
        return Scores(torch.cat([part.logprobs for part in parts]), torch.cat([part.entropy for part in parts]))

    def _part(self, hidden: Tensor, ids: Tensor, temperature: float, entropy: bool) -> Scores:
        arguments = hidden, self.weight, self.bias, ids, temperature, entropy
        if not torch.is_grad_enabled():
            return _scores(*arguments)
        # Parameters change their storage between the passes under ZeRO-3, which the check would take for a fault.
        scores: Scores = checkpoint(_scores, *arguments, use_reentrant=False, determinism_check="none")
        return scores


def _scores(
    hidden: Tensor, weight: Tensor, bias: Tensor | None, ids: Tensor, temperature: float, entropy: bool
) -> Scores:  # fmt: skip
    logits = linear(hidden, weight, bias).float()
    if temperature != 1:
        logits = logits / temperature
    normaliser = logits.logsumexp(-1)
    logprobs = logits.gather(-1, ids[:, None])[:, 0] - normaliser
    if not entropy:
        return Scores(logprobs, logprobs.new_empty(0))
    return Scores(logprobs, normaliser - (torch.softmax(logits, -1) * logits).sum(-1))
