"""Tokens per second of the embedded sampler against `generate` of transformers, the same model and prompts in one run.

    python -m bench.sampler [--batch 64] [--threads 2] [--device cpu]

Two loads: turns that all have the same length, and turns of many lengths, as episodes have them (`generate` takes
batch after batch, each as long as its longest turn; the sampler takes the next request when a row is free). Ratios are
of tokens that were asked for. Not covered: episodes, whose tools and users take their own time.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import anyio
import torch
from transformers import PreTrainedModel, Qwen3Config, Qwen3ForCausalLM

from autoforge.trainer.samplers.torch_sampler import TorchSampler
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings

__all__ = ["main"]


class Ask(NamedTuple):
    """A turn to be sampled."""

    prompt: list[int]
    tokens: int


def main() -> None:
    """Print one JSON line for each load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    model = small_model().to(options.device)
    for name, asks in (("equal turns", equal(options.batch)), ("turns of many lengths", mixed(3 * options.batch))):
        print(json.dumps({"load": name, **compared(model, asks, options.batch, options.rounds)}), flush=True)


def small_model() -> Any:
    """About 0.9 million parameters, the shape of the `tiny` preset; nothing stops it early."""
    shape = {"hidden_size": 128, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 4,
             "head_dim": 32, "intermediate_size": 384, "vocab_size": 720, "max_position_embeddings": 2048}  # fmt: skip
    torch.manual_seed(0)
    return Qwen3ForCausalLM(Qwen3Config(**shape, tie_word_embeddings=True, pad_token_id=0, eos_token_id=None))  # type: ignore[arg-type]


def equal(number: int) -> list[Ask]:
    """128 tokens after prompts of 100 to 200."""
    dice = random.Random(0)
    return [Ask([dice.randrange(720) for _ in range(dice.randint(100, 200))], 128) for _ in range(number)]


def mixed(number: int) -> list[Ask]:
    """Most turns short, some long: 8 to 256 tokens."""
    dice = random.Random(1)
    return [ask._replace(tokens=min(256, 8 + int(dice.expovariate(1 / 40)))) for ask in equal(number)]


def compared(model: PreTrainedModel, asks: Sequence[Ask], batch: int, rounds: int) -> dict[str, float]:
    """The best of so many rounds for both, by turns."""
    sampler_seconds, generate_seconds = [], []
    for _ in range(rounds):
        sampler_seconds.append(seconds(lambda: anyio.run(sampled, model, asks, batch)))
        generate_seconds.append(seconds(lambda: generated(model, asks, batch)))
    tokens = sum(ask.tokens for ask in asks)
    ours, theirs = tokens / min(sampler_seconds), tokens / min(generate_seconds)
    return {"sampler tokens/s": round(ours), "generate tokens/s": round(theirs), "ratio": round(ours / theirs, 2)}


def seconds(call: Callable[[], None]) -> float:
    """How long it takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


async def sampled(model: PreTrainedModel, asks: Sequence[Ask], batch: int) -> None:
    """All turns by the sampler, asked for at once."""
    settings = TorchSamplerSettings(sequences=batch)
    async with TorchSampler(model, settings, stop_ids=[]) as sampler, anyio.create_task_group() as group:
        for seed, ask in enumerate(asks):
            group.start_soon(one, sampler, ask, seed)


async def one(sampler: TorchSampler, ask: Ask, seed: int) -> None:
    """One turn; it has the length that was asked for."""
    turn = await sampler.sample(ask.prompt, max_tokens=ask.tokens, seed=seed)
    assert len(turn.ids) == ask.tokens


def generated(model: Any, asks: Sequence[Ask], batch: int) -> None:
    """All turns by `generate`, batch after batch, with the logits' probabilities of what was sampled as a trainer needs
    them."""
    for first in range(0, len(asks), batch):
        part = asks[first : first + batch]
        longest = max(len(ask.prompt) for ask in part)
        ids = torch.tensor([[0] * (longest - len(ask.prompt)) + ask.prompt for ask in part], device=model.device)
        mask = torch.tensor([[0] * (longest - len(a.prompt)) + [1] * len(a.prompt) for a in part], device=model.device)
        output = model.generate(
            ids, attention_mask=mask, max_new_tokens=max(ask.tokens for ask in part), do_sample=True, top_k=0,
            return_dict_in_generate=True, output_logits=True, pad_token_id=0,
        )  # fmt: skip
        logprobs = torch.log_softmax(torch.stack(output.logits, dim=1).float(), dim=-1)
        logprobs.gather(-1, output.sequences[:, longest:, None])


if __name__ == "__main__":
    main()
