"""Part `learning`: a small model finds out which ids are worth something, by the project's own advantages, weights and
loss.

After each of four prompts one id is sampled; the lower quarter of the vocabulary is worth 1, the rest 0. Invariant:
advantages, weights and loss are those of the trainer (`trainer/algorithm/erpo.py` puts the same ones together); the
sampling is one softmax. Not covered: environments, DeepSpeed.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import torch
from torch import Tensor

from bench.gpu_check_machine import Lines
from bench.gpu_check_training import made

__all__ = ["learning"]

_SIZES = {"model_type": "qwen3", "vocab_size": 64, "tie_word_embeddings": True, "hidden_size": 128,
          "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 32,
          "intermediate_size": 384, "max_position_embeddings": 64}  # fmt: skip
_TASKS, _ROLLOUTS, _WORTH = 4, 16, 16
_GAIN = 0.3
"""What the reward has to rise by at least; it begins at about a quarter."""


class _Played(NamedTuple):
    ids: Tensor
    """[rollouts, 4], the last one sampled."""
    logprobs: Tensor
    """[rollouts, 1] of the sampled id."""
    rewards: Tensor
    """[rollouts] float64."""


def learning(lines: Lines, device: torch.device, small: bool, until: float) -> None:
    """Train for some steps and tell how the reward rose."""
    steps = 15 if small else 40
    model = made(_SIZES, device).float()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.0)
    rewards: list[float] = []
    for step in range(steps):
        if rewards and time.monotonic() > until:
            break
        played = _play(model, step, device)
        rewards.append(float(played.rewards.mean()))
        optimizer.zero_grad()
        loss = _loss(model, played)
        if loss is not None:
            torch.autograd.backward(loss)
            optimizer.step()
    first, last = rewards[0], sum(rewards[-3:]) / len(rewards[-3:])
    curve = " ".join(f"{reward:.2f}" for reward in rewards[:: max(1, len(rewards) // 10)])
    lines.add("reward before", first, "")
    lines.add(f"reward after {len(rewards)} steps", last, "", holds=last - first >= _GAIN, note=f"curve: {curve}")


def _play(model: Any, step: int, device: torch.device) -> _Played:
    dice = torch.Generator(device=device).manual_seed(step)
    number = torch.arange(_TASKS * _ROLLOUTS, device=device)
    prompts = torch.stack([1 + number // _ROLLOUTS, torch.full_like(number, 2), torch.full_like(number, 3)], 1)
    with torch.no_grad():
        logprobs = torch.log_softmax(model(input_ids=prompts).logits[:, -1].float(), -1)
    sampled = torch.multinomial(logprobs.exp(), 1, generator=dice)
    return _Played(
        torch.cat([prompts, sampled], 1), logprobs.gather(1, sampled), (sampled[:, 0] < _WORTH).double().cpu()
    )  # fmt: skip


def _loss(model: Any, played: _Played) -> Tensor | None:
    """Of the step; None where no group has rewards that differ."""
    from autoforge.trainer.algorithm.advantages import advantages_among
    from autoforge.trainer.algorithm.aggregation import row_weights
    from autoforge.trainer.algorithm.erpo_settings import ObjectiveSettings
    from autoforge.trainer.algorithm.mismatch import mismatch
    from autoforge.trainer.algorithm.objective import Tokens, policy_loss
    from autoforge.trainer.algorithm.outcomes import Outcomes, group_tallies
    from autoforge.trainer.algorithm.selection import decide

    number = len(played.ids)
    tasks = [f"t{place // _ROLLOUTS}" for place in range(number)]
    outcomes = Outcomes(["bandit"] * number, tasks, played.rewards, torch.zeros(number, dtype=torch.bool))
    tallies = group_tallies(outcomes)
    device = played.ids.device
    rollouts, mask = torch.arange(number, device=device), torch.ones(number, 1, dtype=torch.bool, device=device)
    weights = row_weights(mask, rollouts, outcomes, ObjectiveSettings())
    if not decide(weights.totals, tallies, contrast_needed=True).trains:
        return None
    logits = model(input_ids=played.ids[:, :-1]).logits[:, -1].float()
    logprobs = torch.log_softmax(logits, -1).gather(1, played.ids[:, -1:])
    weighed = mismatch(logprobs.detach(), played.logprobs, weights.mask, rollouts)
    advantages = advantages_among(tallies, outcomes).values.to(device)
    tokens = Tokens(logprobs, logprobs.detach(), advantages, rollouts, weighed.weights)
    loss: Tensor = policy_loss(tokens, weights).loss
    return loss
