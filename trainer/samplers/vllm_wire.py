"""The two ways to sample ids for ids from vLLM's HTTP server, as bodies of requests and answers.

`tokens` is POST /inference/v1/generate (a server with --enable-scale-out): it says which weights each id came from.
`completions` is POST /v1/completions with return_token_ids: every server has it.

Invariant: cuts of the distribution are switched off in every request, because a server takes them from the model's
generation_config.json otherwise; an answer is used only with an id and a probability for each. Not covered: sending
(`vllm_http`), continuing turns (`vllm_server`). Written for vLLM 0.32 and 0.33.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from autoforge.mcp_envs.errors import ModelFailure

__all__ = ["PATHS", "Answer", "Ask", "Route", "answer_of", "body_of", "score_body", "scores_of"]

Route: TypeAlias = Literal["tokens", "completions"]

PATHS: Final[Mapping[Route, str]] = {"tokens": "/inference/v1/generate", "completions": "/v1/completions"}

NO_CUTS: Final[Mapping[str, Any]] = {"top_p": 1.0, "top_k": 0, "min_p": 0.0, "repetition_penalty": 1.0,
                                     "presence_penalty": 0.0, "frequency_penalty": 0.0}  # fmt: skip


class Ask(NamedTuple):
    """What is to be sampled."""

    model: str
    prompt: Sequence[int]
    max_tokens: int
    temperature: float
    seed: int
    stop_ids: Sequence[int]
    version: int


class Answer(NamedTuple):
    """What was sampled; "abort" where the server was told to stop meanwhile."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    reason: Literal["stop", "length", "abort"]
    versions: tuple[int, ...] | None
    """None where the server does not say."""


def body_of(route: Route, ask: Ask) -> dict[str, Any]:
    """The request. Only the given stop ids stop: the model's own are ignored. The salt keeps keys of other weights out
    of the prefix cache."""
    sampling = {
        "max_tokens": ask.max_tokens, "temperature": ask.temperature, "seed": ask.seed, "logprobs": 1,
        "stop_token_ids": list(ask.stop_ids), "ignore_eos": True, **NO_CUTS,
    }  # fmt: skip
    common = {"model": ask.model, "cache_salt": f"weights-{ask.version}", "return_token_ids": True}
    if route == "tokens":
        return {**common, "token_ids": list(ask.prompt), "sampling_params": sampling}
    return {**common, "prompt": list(ask.prompt), **sampling}


def score_body(route: Route, model: str, ids: Sequence[int]) -> dict[str, Any]:
    """The request for the probabilities of the prompt; one id is sampled, because there is no request for none."""
    sampling = {"max_tokens": 1, "temperature": 1.0, "prompt_logprobs": 0, **NO_CUTS}
    if route == "tokens":
        return {"model": model, "token_ids": list(ids), "sampling_params": sampling}
    return {"model": model, "prompt": list(ids), **sampling}


def answer_of(route: Route, ask: Ask, body: Any) -> Answer:
    """The turn in an answer. Raises ModelFailure where it is none."""
    try:
        choice = body["choices"][0]
        ids = tuple(int(id) for id in choice["token_ids"] or ())
        sent = choice.get("prompt_token_ids") or body.get("prompt_token_ids")
        logprobs = _logprobs(route, choice["logprobs"]) if ids else ()
        answer = Answer(ids, logprobs, choice["finish_reason"], _versions(choice.get("weight_versions"), len(ids)))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise ModelFailure(f"the answer of vLLM lacks what was asked for: {type(error).__name__}: {error}") from error
    _check(answer, list(ask.prompt), sent)
    return answer


def scores_of(ids: Sequence[int], body: Any) -> list[float]:
    """The probabilities of ids[1:] in an answer. Raises ModelFailure."""
    try:
        found = body["choices"][0].get("prompt_logprobs") or body["prompt_logprobs"]
        return [float(found[place][str(ids[place])]["logprob"]) for place in range(1, len(ids))]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise ModelFailure(f"the answer of vLLM has no prompt_logprobs: {type(error).__name__}: {error}") from error


def _logprobs(route: Route, logprobs: Any) -> tuple[float, ...]:
    if route == "tokens":
        return tuple(float(entry["logprob"]) for entry in logprobs["content"])
    return tuple(float(value) for value in logprobs["token_logprobs"])


def _versions(spans: Any, number: int) -> tuple[int, ...] | None:
    """For each id; labels that are no numbers are not ours."""
    if not spans or not all(str(span["version"]).isdigit() for span in spans):
        return None
    versions = [int(span["version"]) for span in spans for _ in range(span["end"] - span["start"])]
    return tuple(versions) if len(versions) == number else None


def _check(answer: Answer, prompt: list[int], sent: Any) -> None:
    if answer.reason not in ("stop", "length", "abort"):
        raise ModelFailure(f"vLLM ended a turn with {answer.reason!r}")
    if len(answer.logprobs) != len(answer.ids) or not all(map(math.isfinite, answer.logprobs)):
        raise ModelFailure(f"vLLM gave {len(answer.ids)} ids without a finite probability for each")
    if sent is not None and list(sent) != prompt:
        raise ModelFailure("vLLM sampled after another prompt than the one that was sent")
