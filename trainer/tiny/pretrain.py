"""Makes the tiny base: a Qwen3 of a million parameters that has learned to look up, copy and call, in made-up domains.

`python -m autoforge.trainer.tiny.pretrain FOLDER` takes about twenty minutes on two cores. Matrices are trained by
Muon, which makes copying come in minutes where AdamW takes hours. Invariant: no task that a policy is trained or
measured on is seen; the same steps and seed draw the same dialogues. Not covered: the environments' own tools, which
the cold start is for; other languages.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import Qwen3Config, Qwen3ForCausalLM

from autoforge.trainer.tiny.dialogues import dialogue, text_of
from autoforge.trainer.tiny.values import value
from autoforge.trainer.tiny.vocabulary import tokenizer_of

__all__ = ["PretrainSettings", "pretrain"]

_WEIGHTS = {"given": 0.0, "said": 1.0, "copied": 0.3}
_TEXTS = 3000
_POOL = 160
"""Dialogues that are sorted by length together."""


class PretrainSettings(NamedTuple):
    """How it is trained."""

    steps: int = 1400
    copies: int = 100
    """First steps of which three in four are on plain copies."""
    rows: int = 10
    """Dialogues of a step."""
    learning_rate: float = 6e-3
    """Of matrices, with Muon; the rest has half of it, with AdamW."""
    seed: int = 7
    width: int = 128


class Batch(NamedTuple):
    ids: Tensor
    """[rows, length]"""
    weights: Tensor
    """[rows, length]: how much each id counts."""


def pretrain(folder: Path, settings: PretrainSettings, tell: Callable[[str], object] = print) -> None:
    """Train, and write a Hugging Face folder with weights in bfloat16."""
    tokenizer = tokenizer_of(text_of(dialogue(random.Random(f"text {n}"))) for n in range(_TEXTS))
    torch.manual_seed(settings.seed)
    model: Any = Qwen3ForCausalLM(_config(tokenizer, settings.width))
    optimizers = _optimizers(model, settings.learning_rate)
    rates = [group["lr"] for optimizer in optimizers for group in optimizer.param_groups]
    begun, seen = time.monotonic(), 0
    for step, batch in enumerate(_batches(tokenizer, settings)):
        scale = _schedule(step, settings.steps)
        for group, rate in zip((g for o in optimizers for g in o.param_groups), rates, strict=True):
            group["lr"] = rate * scale
        loss = _train(model, optimizers, batch)
        seen += batch.ids.numel()
        if (step + 1) % 50 == 0:
            seconds = time.monotonic() - begun
            whole = _whole(model, tokenizer)
            tell(f"step {step + 1}/{settings.steps}, loss {loss:.3f}, {whole:.0%} of unseen dialogues right in every"
                 f" token that the agent says, {seen / seconds:.0f} tokens/s, {seconds:.0f} s")  # fmt: skip
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _config(tokenizer: Any, width: int) -> Qwen3Config:
    return Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=width, intermediate_size=3 * width, num_hidden_layers=4,
        num_attention_heads=width // 32, num_key_value_heads=width // 32, head_dim=32, max_position_embeddings=4096,
        tie_word_embeddings=True, bos_token_id=None, eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip


def _optimizers(model: Any, rate: float) -> list[torch.optim.Optimizer]:
    named = list(model.named_parameters())
    matrices = [p for name, p in named if p.ndim == 2 and "embed" not in name]
    rest = [p for name, p in named if p.ndim != 2 or "embed" in name]
    return [
        torch.optim.Muon(matrices, lr=rate, weight_decay=0.01, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(rest, lr=rate / 2, betas=(0.9, 0.98), weight_decay=0.0),
    ]


def _schedule(step: int, steps: int) -> float:
    """Up over 50 steps, level to the half, then down."""
    left = (steps - step) / steps
    return min(1.0, (step + 1) / 50) * (1.0 if left > 0.5 else max(0.02, 2 * left))


def _train(model: Any, optimizers: Sequence[torch.optim.Optimizer], batch: Batch) -> float:
    loss = _loss(model, batch)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()
    return float(loss.detach())


def _loss(model: Any, batch: Batch) -> Tensor:
    padding = model.config.pad_token_id
    logits = model(input_ids=batch.ids, attention_mask=(batch.ids != padding).long()).logits[:, :-1]
    losses = cross_entropy(logits.flatten(0, 1), batch.ids[:, 1:].flatten(), reduction="none")
    weights = batch.weights[:, 1:].flatten()
    return (losses * weights).sum() / weights.sum()


@torch.no_grad()
def _whole(model: Any, tokenizer: Any) -> float:
    """Share of 64 dialogues of their own in which every token of the agent is the likeliest."""
    right = 0
    for start in (0, 32):
        batch = _batch([_row(tokenizer, random.Random(f"unseen {start + n}")) for n in range(32)], tokenizer)
        likeliest = model(input_ids=batch.ids).logits[:, :-1].argmax(-1)
        right += int(((likeliest == batch.ids[:, 1:]) | (batch.weights[:, 1:] < 1)).all(1).sum())
    return right / 64


def _batches(tokenizer: Any, settings: PretrainSettings) -> Iterator[Batch]:
    dice = random.Random(settings.seed)
    pool: list[list[tuple[list[int], list[float]]]] = []
    for step in range(settings.steps):
        if step < settings.copies and step % 4:
            yield _batch([_copies(tokenizer, dice) for _ in range(48)], tokenizer)
            continue
        if not pool:
            rows = sorted((_row(tokenizer, dice) for _ in range(_POOL)), key=lambda row: len(row[0]))
            pool = [rows[n : n + settings.rows] for n in range(0, _POOL, settings.rows)]
            dice.shuffle(pool)
        yield _batch(pool.pop(), tokenizer)


def _row(tokenizer: Any, dice: random.Random) -> tuple[list[int], list[float]]:
    ids: list[int] = []
    weights: list[float] = []
    for piece in dialogue(dice):
        own = tokenizer.encode(piece.text, add_special_tokens=False)
        ids += own
        weights += [_WEIGHTS[piece.role]] * len(own)
    return ids, weights


def _copies(tokenizer: Any, dice: random.Random) -> tuple[list[int], list[float]]:
    """Something three times over, of which the second and the third time count."""
    if dice.random() < 0.5:
        once = tokenizer.encode(" ".join(value(dice) for _ in range(3)), add_special_tokens=False)
    else:
        once = [dice.randrange(len(tokenizer) - 9) for _ in range(dice.randint(8, 40))]
    return once * 3, [0.0] * (len(once) + 1) + [1.0] * (2 * len(once) - 1)


def _batch(rows: Sequence[tuple[list[int], list[float]]], tokenizer: Any) -> Batch:
    length = max(len(ids) for ids, _ in rows)
    ids = torch.full((len(rows), length), tokenizer.pad_token_id)
    weights = torch.zeros(len(rows), length)
    for place, (own, counts) in enumerate(rows):
        ids[place, : len(own)] = torch.tensor(own)
        weights[place, : len(own)] = torch.tensor(counts)
    return Batch(ids, weights)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=False))
@click.option("--steps", default=PretrainSettings().steps, show_default=True)
@click.option("--threads", default=2, show_default=True)
def _main(folder: Path, steps: int, threads: int) -> None:
    """Make the base in a new FOLDER."""
    torch.set_num_threads(threads)
    pretrain(folder, PretrainSettings(steps=steps), click.echo)


if __name__ == "__main__":
    _main()
