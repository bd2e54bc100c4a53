"""A tiny Qwen3, rows to train it on, a loss, and the plain PyTorch step that every arrangement must agree with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from torch import Tensor
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from autoforge.trainer.learner.settings import LearnerSettings
from autoforge.trainer.learner.step import LossSum

__all__ = [
    "TEMPLATE",
    "VOCABULARY",
    "Rows",
    "Step",
    "batch_of",
    "plain_step",
    "policy_loss",
    "rows",
    "save_model",
    "settings",
]

VOCABULARY = 48
TEMPLATE = "{% for message in messages %}{{ message.content }}{% endfor %}"


class Rows(NamedTuple):
    """A micro-batch, or all rows of a step."""

    ids: Tensor
    attention: Tensor
    trainable: Tensor
    advantages: Tensor
    """[rows]."""
    old: Tensor
    """[rows, length − 1]."""
    weight: Tensor
    """[]: 1 / trainable ids of the whole step."""


# The running mean is the gradient itself, and an update is smooth where gradients are near 0.
RATE, BETAS, EPSILON = 1e-2, (0.0, 0.999), 1e-3


def save_model(folder: Path, *, tied: bool, tokens: int = VOCABULARY) -> None:
    """A model with weights that are the same each time, and a tokenizer of so many words."""
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=VOCABULARY, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=16, max_position_embeddings=64, tie_word_embeddings=tied, initializer_range=0.2,
    )  # fmt: skip
    Qwen3ForCausalLM(config).save_pretrained(folder)
    words = Tokenizer(WordLevel({f"w{n}": n for n in range(tokens)}, unk_token="w0"))
    words.pre_tokenizer = Whitespace()
    tokenizer_class: Any = PreTrainedTokenizerFast
    tokenizer = tokenizer_class(tokenizer_object=words, unk_token="w0", pad_token="w0")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)


def rows(number: int = 8, *, seed: int = 0) -> Rows:
    """Rows of different lengths, some padded at the end, the last one without a trainable id."""
    dice = torch.Generator().manual_seed(seed)
    lengths = [6 + 2 * (n % 5) for n in range(number)]
    longest = max(lengths)
    attention = torch.tensor([[n < length for n in range(longest)] for length in lengths])
    trainable = (torch.rand(number, longest, generator=dice) < 0.5) & attention
    trainable[:, 0] = False
    trainable[:, 1] = True
    trainable[-1] = False
    return Rows(
        ids=torch.randint(VOCABULARY, (number, longest), generator=dice) * attention,
        attention=attention.long(),
        trainable=trainable,
        advantages=torch.randn(number, generator=dice),
        old=-3 - torch.rand(number, longest - 1, generator=dice),
        weight=1 / trainable.sum().double(),
    )


def batch_of(all_rows: Rows, chosen: Sequence[int]) -> Rows:
    """Some rows, cut to the longest of them; the weight stays that of the step."""
    places = list(chosen)
    length = int(all_rows.attention[places].sum(1).max())
    ids, attention, trainable = (part[places, :length] for part in all_rows[:3])
    return Rows(
        ids, attention, trainable, all_rows.advantages[places], all_rows.old[places, : length - 1], all_rows.weight
    )


def policy_loss(logprobs: Tensor, entropy: Tensor | None, batch: Rows) -> LossSum:
    """A clipped objective over the trainable ids, with a bonus for entropy where that is given."""
    mask = batch.trainable[:, 1:]
    ratio = (logprobs - batch.old)[mask].exp()
    advantages = batch.advantages[:, None].expand_as(mask)[mask]
    gain = torch.minimum(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages)
    sums = {"ids": mask.sum(), "ratio": ratio.sum()}
    if entropy is not None:
        sums["entropy"] = entropy[mask].sum()
        gain = gain + 0.1 * entropy[mask]
    return LossSum(-(gain * batch.weight).sum(), sums)


class Step(NamedTuple):
    """What a step did."""

    loss: float
    norm: float
    sums: dict[str, float]
    gradients: dict[str, Tensor]
    weights: dict[str, Tensor]


def settings(folder: Path, **changed: object) -> LearnerSettings:
    """For tests."""
    usual = {
        "model": folder, "device": "cpu", "gradient_clip": 0.0, "head_tokens": 7, "whole_below": 0,
        "learning_rate": RATE, "betas": BETAS, "epsilon": EPSILON,
    }  # fmt: skip
    return LearnerSettings.model_validate(usual | changed)


def plain_step(folder: Path, step: Rows, *, clip: float = 0.0, temperature: float = 1.0) -> Step:
    """All rows at once, with nothing but PyTorch."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    positions = (step.attention.cumsum(1) - 1).clamp(min=0)
    logits = model(input_ids=step.ids, attention_mask=step.attention, position_ids=positions).logits[:, :-1]
    logits = logits / temperature
    every = torch.log_softmax(logits, -1)
    logprobs = every.gather(-1, step.ids[:, 1:, None])[..., 0]
    entropy = -(every.exp() * every).sum(-1)
    found = policy_loss(logprobs, entropy, step)
    torch.autograd.backward(found.value)
    gradients = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip or float("inf"))
    torch.optim.AdamW(model.parameters(), lr=RATE, betas=BETAS, eps=EPSILON, weight_decay=0.0).step()
    weights = {name: p.detach().clone() for name, p in model.named_parameters()}
    sums = {name: float(value.detach()) for name, value in found.sums.items()}
    return Step(float(found.value.detach()), float(norm), sums, gradients, weights)
