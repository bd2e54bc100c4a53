"""Parts `rollouts` and `mismatch`: the embedded sampler against the memory's bandwidth, and against the learner.

A step of decoding reads all weights and the rows' keys and values once, so that tokens a second are at most rows ×
bandwidth / bytes. Invariant: the sampler is the project's own; where its packages are missing, that is said. Not
covered: vLLM.
"""

from __future__ import annotations

import random
import time
from typing import Any

import torch

from bench.gpu_check_machine import Lines, Peak, peak_memory, peak_of, reset_memory, seconds_of
from bench.gpu_check_training import MODELS, made

__all__ = ["mismatch", "rollouts"]

_SMALL = {"model_type": "qwen3", "vocab_size": 1024, "tie_word_embeddings": True, "hidden_size": 64,
          "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
          "intermediate_size": 128, "max_position_embeddings": 4096}  # fmt: skip
_MOST_DIFFERENCE = {"cuda": 0.05, "cpu": 1e-4}
"""Nats, mean of |d|: what the probe of a run allows in bf16 (`sync.probe_tolerance`), and rounding in float32."""


def rollouts(lines: Lines, device: torch.device, small: bool, until: float) -> None:
    """Tokens a second at several numbers of rows."""
    peak = peak_of(device)
    lines.add("bandwidth of the device", peak.gigabytes, "GB/s", note=peak.source)
    prompt, tokens = (32, 32) if small else (256, 256)
    for name in ("tiny",) if small else ("0.5 B (Qwen2.5)", "1.7 B (Qwen3)"):
        sizes = _SMALL if small else MODELS[name]
        model = made(sizes, device)
        weights = sum(p.numel() * p.element_size() for p in model.parameters())
        for rows in (1, 8) if small else (1, 16, 64, 256):
            if time.monotonic() > until:
                lines.add(f"{name}, {rows} at a time", None, note="no time was left")
                continue
            bytes_read = weights + rows * (prompt + tokens / 2) * _cached(sizes, model)
            try:
                _measured(lines, f"{name}, {rows} at a time", model, (rows, prompt, tokens), peak, bytes_read)
            except torch.OutOfMemoryError:
                lines.add(f"{name}, {rows} at a time", None, note="out of memory")


def _measured(
    lines: Lines, what: str, model: Any, load: tuple[int, int, int], peak: Peak, bytes_read: float
) -> None:  # fmt: skip
    """`bytes_read` in one step of decoding."""
    rows, prompt, tokens = load
    reset_memory(model.device)
    _sample(model, rows, prompt, 4)
    seconds = seconds_of(model.device, lambda: _sample(model, rows, prompt, tokens))
    speed, bound, memory = rows * tokens / seconds, rows * peak.gigabytes * 1e9 / bytes_read, peak_memory(model.device)
    note = f"{tokens} ids after prompts of {prompt}" + (f"; {memory:.1f} GiB" if memory is not None else "")
    lines.add(what, speed, "tokens/s", share=speed / bound, note=f"{note}; bound {bound:.3g} tokens/s")


def mismatch(lines: Lines, device: torch.device, small: bool, until: float) -> None:
    """What the sampler said of its own ids while it decoded them with a cache, and what the learner says of the whole
    row."""
    from autoforge.trainer.learner.policy import Policy

    name, sizes = ("tiny", _SMALL) if small else ("0.5 B (Qwen2.5)", MODELS["0.5 B (Qwen2.5)"])
    model = made(sizes, device)
    prompts, sampled = _sample(model, 8, 64, 64 if small else 256)
    policy = Policy(model, head_tokens=1024)
    ids = torch.tensor([[*p, *s.ids] for p, s in zip(prompts, sampled, strict=True)], device=device)
    own = torch.tensor([s.logprobs for s in sampled], device=device)
    chosen = torch.zeros(ids.shape[0], ids.shape[1] - 1, dtype=torch.bool, device=device)
    chosen[:, -own.shape[1] :] = True
    with torch.no_grad():
        found = policy(ids, torch.ones_like(ids), chosen, 1.0, False).logprobs[:, -own.shape[1] :]
    difference = (found - own).abs()
    mean, most = float(difference.mean()), _MOST_DIFFERENCE[device.type]
    kind = str(next(model.parameters()).dtype).removeprefix("torch.")
    note = f"{own.numel()} ids in {kind}; the largest {float(difference.max()):.2g}, at most {most:g} in the mean"
    lines.add(f"{name}: sampler - learner, mean |d|", mean, "nats", holds=mean <= most, note=note)
    ratio = (found - own).exp()
    lines.add(f"{name}: ratio learner / sampler, mean", float(ratio.mean()), "", note="1 where they agree")


def _sample(model: Any, rows: int, prompt: int, tokens: int) -> Any:
    """Prompts and what was sampled after them, all rows at once."""
    from autoforge.trainer.samplers.causal_model import CausalModel
    from autoforge.trainer.samplers.generation import Generation
    from autoforge.trainer.samplers.row import Row

    dice = random.Random(rows)
    prompts = [[dice.randrange(model.config.vocab_size) for _ in range(prompt)] for _ in range(rows)]
    new = [Row(ids, limit=tokens, temperature=1.0, seed=place) for place, ids in enumerate(prompts)]
    generation, waiting = Generation(CausalModel(model), frozenset()), new
    while any(row.live for row in new):
        generation.advance(waiting, 0)
        waiting = []
    return prompts, [row.sampled() for row in new]


def _cached(sizes: dict[str, Any], model: Any) -> int:
    """Bytes of keys and values of one id."""
    width = sizes.get("head_dim") or sizes["hidden_size"] // sizes["num_attention_heads"]
    size: int = next(model.parameters()).element_size()
    return int(2 * sizes["num_hidden_layers"] * sizes["num_key_value_heads"] * width * size)
