"""Part `training`: a step of our policy module in bf16 at several sizes, against arithmetic and the estimate of memory.

The module and its head are the learner's own (`trainer/learner/policy.py`, which needs only torch); the optimizer is
torch's AdamW over an fp32 copy of the weights, as DeepSpeed's bf16 optimizer has it. Weights are random and made on the
device. Invariant: a size that does not fit is said, and the others are measured. Not covered: DeepSpeed itself, several
GPUs.
"""

from __future__ import annotations

import gc
import time
from typing import Any

import torch
from torch import Tensor
from transformers import AutoConfig, AutoModelForCausalLM

from bench.gpu_check_machine import Lines, Peak, peak_memory, peak_of, reset_memory, seconds_of

__all__ = ["MODELS", "made", "training"]

_QWEN3 = {"model_type": "qwen3", "vocab_size": 151936, "tie_word_embeddings": True, "head_dim": 128,
          "num_key_value_heads": 8, "max_position_embeddings": 32768}  # fmt: skip
_QWEN2 = {"model_type": "qwen2", "vocab_size": 151936, "tie_word_embeddings": True, "num_key_value_heads": 2,
          "max_position_embeddings": 32768}  # fmt: skip
MODELS: dict[str, dict[str, Any]] = {
    "0.5 B (Qwen2.5)": {**_QWEN2, "hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14,
                        "intermediate_size": 4864},
    "1.7 B (Qwen3)": {**_QWEN3, "hidden_size": 2048, "num_hidden_layers": 28, "num_attention_heads": 16,
                      "intermediate_size": 6144},
    "3 B (Qwen2.5)": {**_QWEN2, "hidden_size": 2048, "num_hidden_layers": 36, "num_attention_heads": 16,
                      "intermediate_size": 11008},
}  # fmt: skip
_SMALL = {**_QWEN3, "vocab_size": 1024, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
          "num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 128}  # fmt: skip
_ROWS, _LENGTH, _STEPS = 4, 4096, 3
_TRAINED = 0.25
"""Share of the ids that is trained on, as in episodes with tools."""


def training(lines: Lines, device: torch.device, small: bool, until: float) -> None:
    """Measure every size for which there is time until then."""
    peak = peak_of(device)
    lines.add("peak of the device", peak.teraflops, "TFLOP/s", note=peak.source)
    for name, sizes in ({"tiny": _SMALL} if small else MODELS).items():
        for checkpointing in (False, True):
            what = f"{name}, {'with' if checkpointing else 'without'} checkpointing"
            if time.monotonic() > until:
                lines.add(what, None, note="no time was left")
                continue
            try:
                _measured(lines, what, sizes, device, peak, checkpointing, small)
            except torch.OutOfMemoryError:
                lines.add(what, None, note=f"out of memory; {_estimate(sizes, device, checkpointing, small)[1]}")
            gc.collect()


def made(sizes: dict[str, Any], device: torch.device) -> Any:
    """A model with random weights on the device, in bf16 on a GPU and in float32 on a CPU."""
    config = AutoConfig.for_model(**sizes)
    torch.manual_seed(0)
    with device:
        kind = torch.bfloat16 if device.type == "cuda" else torch.float32
        build: Any = AutoModelForCausalLM
        return build.from_config(config, dtype=kind)


def _operations(causal: Any, tokens: int, scored: int) -> float:
    """Of a step: six for each matrix element and token, the head's for scored tokens only; a table is looked up."""
    head = causal.get_output_embeddings().weight.numel()
    ends = {causal.get_input_embeddings().weight, causal.get_output_embeddings().weight}  # one where they are tied
    body = sum(p.numel() for p in causal.parameters()) - sum(weight.numel() for weight in ends)
    return 6.0 * float(body * tokens + head * scored)


def _measured(
    lines: Lines, what: str, sizes: dict[str, Any], device: torch.device, peak: Peak, checkpointing: bool, small: bool
) -> None:  # fmt: skip
    from autoforge.trainer.learner.policy import Policy

    reset_memory(device)
    causal = made(sizes, device)
    if checkpointing:
        causal.gradient_checkpointing_enable({"use_reentrant": False})
    policy, parameters = Policy(causal, head_tokens=1024).train(), sum(p.numel() for p in causal.parameters())
    optimizer = _Optimizer(policy)
    rows, length = (2, 128) if small else (_ROWS, _LENGTH)
    ids = torch.randint(causal.config.vocab_size, (rows, length), device=device)
    chosen = torch.rand(rows, length - 1, device=device) < _TRAINED
    times = [seconds_of(device, lambda: _step(policy, optimizer, ids, chosen)) for _ in range(_STEPS + 1)]
    seconds, memory = min(times[1:]), peak_memory(device)
    bound = _operations(causal, rows * length, int(chosen.sum())) / (peak.teraflops * 1e12)
    note = f"{parameters / 1e9:.2f} B parameters, {rows} rows of {length}; bound {bound * 1e3:.3g} ms"
    lines.add(f"{what}: step", seconds * 1e3, "ms", share=bound / seconds, note=note)
    lines.add(f"{what}: speed", rows * length / seconds, "tokens/s")
    estimate, words = _estimate(sizes, device, checkpointing, small)
    share = memory / estimate if memory is not None and estimate else None
    lines.add(f"{what}: memory", memory, "GiB", share=share, note=words)


def _step(policy: Any, optimizer: _Optimizer, ids: Tensor, chosen: Tensor) -> None:
    scores = policy(ids, torch.ones_like(ids), chosen, 1.0, True)
    ratio = (scores.logprobs - scores.logprobs.detach()).exp()
    torch.autograd.backward(-(ratio * chosen).sum() / chosen.sum())
    optimizer.step()


class _Optimizer:
    """AdamW with an fp32 copy of weights that are bf16, parameter by parameter, so that no second whole copy of the
    gradients is made."""

    def __init__(self, policy: Any) -> None:
        self._weights = [p for p in policy.parameters() if p.requires_grad]
        self._copies = [p.detach().float().clone().requires_grad_() for p in self._weights]
        fused = self._weights[0].is_cuda or None
        self._optimizers = [torch.optim.AdamW([copy], lr=1e-6, fused=fused) for copy in self._copies]

    @torch.no_grad()
    def step(self) -> None:
        for weight, copy, optimizer in zip(self._weights, self._copies, self._optimizers, strict=True):
            assert weight.grad is not None
            copy.grad, weight.grad = weight.grad.float(), None
            optimizer.step()
            weight.copy_(copy)
            copy.grad = None


def _estimate(sizes: dict[str, Any], device: torch.device, checkpointing: bool, small: bool) -> tuple[float, str]:
    """GiB that `autoforge-train --dry-run` would say, in words, too; 0 where its packages are not here."""
    try:
        from autoforge.trainer.settings.load import load_settings
        from autoforge.trainer.settings.plan.learner_memory import learner_memory
        from autoforge.trainer.settings.plan.shape import shape_from_config
    except ImportError as error:
        return 0.0, f"the estimate of --dry-run was not tested: {error}"
    tokens = 2 * 128 if small else _ROWS * _LENGTH
    precision = "bf16" if device.type == "cuda" else "fp32"
    settings = load_settings("one-gpu", [
        f"learner.checkpointing={str(checkpointing).lower()}", f"learner.micro_batch_tokens={tokens}",
        f'model.precision="{precision}"', "rollouts.policy.context=128", "rollouts.policy.max_tokens=64",
    ]).settings  # fmt: skip
    gib = learner_memory(settings, shape_from_config(sizes, "this check")).total / 2**30
    return gib, f"--dry-run says {gib:.1f} GiB for the learner"
