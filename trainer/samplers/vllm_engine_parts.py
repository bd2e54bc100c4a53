"""What an engine of vLLM in this process is made of and asked for.

Invariant: only the given stop ids end a turn, nothing cuts the distribution, and probabilities are those after
temperature. Not covered: stepping the engine (`vllm_engine`). vllm is imported where it is needed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import anyio
from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.agents.policy import Sampled
from autoforge.mcp_envs.errors import ModelFailure

__all__ = [
    "EngineRequest",
    "VllmEngineSettings",
    "engine_arguments",
    "is_tied",
    "sampling_parameters",
    "score_parameters",
]


class VllmEngineSettings(BaseModel):
    """How the engine is made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float = Field(default=1.0, ge=0)
    """Of `sample`; 0 is greedy."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """Of the weights; "auto" is the model's own."""
    context: int | None = Field(default=None, ge=2)
    """Ids of a whole conversation; the model's where it is absent."""
    sequences: int = Field(default=256, ge=1)
    """Rows that are decoded at a time."""
    memory_share: float = Field(default=0.85, gt=0, le=1)
    """Of the GPU, for weights, keys and values; on a CPU VLLM_CPU_KVCACHE_SPACE (GiB) counts instead."""
    tensor_parallel: int = Field(default=1, ge=1)
    """GPUs that one model is spread over."""
    eager: bool = False
    """Without CUDA graphs: starts sooner, runs slower."""


class EngineRequest:
    """A turn that somebody waits for."""

    def __init__(self, name: str, prompt: tuple[int, ...], sampling: Any) -> None:
        self.name = name
        self.prompt = prompt
        self.sampling = sampling
        self.done = anyio.Event()
        self.versions: list[int] = []
        self.output: Any = None
        self.failure: str | None = None

    def see(self, output: Any, version: int) -> None:
        """Ids that are new since the last step have the version of now."""
        self.output = output
        self.versions += [version] * (len(output.outputs[0].token_ids) - len(self.versions))

    def finish(self, failure: str | None = None) -> None:
        """Wake who waits."""
        self.failure = failure
        self.done.set()

    def scores(self) -> list[float]:
        """The probabilities of the prompt, without its first id. Raises ModelFailure."""
        if self.failure is not None:
            raise ModelFailure(self.failure)
        found = self.output.prompt_logprobs
        return [float(found[place][self.prompt[place]].logprob) for place in range(1, len(self.prompt))]

    def result(self) -> Sampled:
        """The turn. Raises ModelFailure."""
        if self.failure is not None:
            raise ModelFailure(self.failure)
        made = self.output.outputs[0]
        ids = tuple(int(id) for id in made.token_ids)
        if made.finish_reason not in ("stop", "length"):
            raise ModelFailure(f"vLLM ended a turn with {made.finish_reason!r}")
        logprobs = tuple(float(found[id].logprob) for found, id in zip(made.logprobs, ids, strict=True))
        return Sampled(ids, logprobs, made.finish_reason, tuple(self.versions))


def engine_arguments(settings: VllmEngineSettings, untied: bool) -> dict[str, Any]:
    """Of `vllm.LLM`. An engine without the tie of its model begins with weights of no meaning."""
    arguments: dict[str, Any] = {
        "dtype": settings.dtype, "max_num_seqs": settings.sequences, "enforce_eager": settings.eager,
        "tensor_parallel_size": settings.tensor_parallel, "gpu_memory_utilization": settings.memory_share,
        "logprobs_mode": "processed_logprobs", "skip_tokenizer_init": True, "disable_log_stats": True,
    }  # fmt: skip
    if settings.context is not None:
        arguments["max_model_len"] = settings.context
    if untied:
        arguments |= {"hf_overrides": {"tie_word_embeddings": False}, "load_format": "dummy"}
    return arguments


def sampling_parameters(room: int, temperature: float, seed: int, stop_ids: Sequence[int]) -> Any:
    """`vllm.SamplingParams` of a turn; those that are not given cut nothing."""
    return vllm_module("vllm").SamplingParams(
        max_tokens=room, temperature=temperature, seed=seed, logprobs=0, stop_token_ids=list(stop_ids),
        ignore_eos=True, detokenize=False,
    )  # fmt: skip


def score_parameters() -> Any:
    """`vllm.SamplingParams` that give the probabilities of the prompt."""
    return vllm_module("vllm").SamplingParams(max_tokens=1, temperature=1.0, prompt_logprobs=0, detokenize=False)


def is_tied(folder: Path) -> bool:
    """Whether the model's output head is its embeddings; False where the folder does not say."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and bool(config.get("tie_word_embeddings"))


def vllm_module(name: str) -> Any:
    """A module of vllm, untyped: type checkers have none to look at. Raises ImportError."""
    return import_module(name)
