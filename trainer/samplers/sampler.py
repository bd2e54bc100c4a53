"""What every sampler is: ids in, ids with probabilities and versions out; weights in; and what they share.

Invariant: `version` is the version of the weights that the next id is sampled with, and every sampled id carries the
one it was sampled with; a request never hangs: it ends in `Sampled`, ModelFailure or the caller's cancellation. Not
covered: how ids become turns (`autoforge.gym.agents.policy`), when weights are sent and whether they are proved
(`sync`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self, TypeAlias

from autoforge.gym.agents.policy import Sampled, TokenSampler
from autoforge.mcp_envs.errors import BadInput, PromptTooLong

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["AtTemperature", "Sampler", "Weights", "check_prompt", "check_temperature", "room_of"]

Weights: TypeAlias = "Mapping[str, Tensor] | Path"
"""All weights by their Hugging Face names (of weights that are tied, one name is enough), or a Hugging Face folder."""

LOWEST_TEMPERATURE: Final = 0.01
"""Below it, other than 0, logits are divided into infinities."""


class Sampler(TokenSampler, Protocol):
    """A policy that can be sampled from, scored and given other weights. It is entered before it is used, once."""

    @property
    def version(self) -> int:
        """Of the weights in use."""
        ...

    def at(self, temperature: float) -> TokenSampler:
        """The same weights at another temperature; 0 is greedy. Raises BadInput."""
        ...

    async def logprobs(self, ids: Sequence[int]) -> list[float]:
        """The log-probabilities of ids[1:] under the weights in use at temperature 1, also while it is paused.

        Raises BadInput for fewer than two ids, ModelFailure where there is no answer.
        """
        ...

    async def load(self, weights: Weights, version: int) -> None:
        """Use other weights: nothing is sampled meanwhile, and no key or value of the old ones is used afterwards.

        Raises BadInput where they are not those of this model.
        """
        ...

    def paused(self) -> AbstractAsyncContextManager[None]:
        """Nothing is sampled inside; requests wait, and those begun go on afterwards."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Ends everything; requests that wait fail with ModelFailure."""
        ...


class Tempered(Protocol):
    """What samples at any temperature."""

    async def sample_at(self, temperature: float, prompt_ids: Sequence[int], max_tokens: int, seed: int) -> Sampled:
        """See `Sampler.sample`."""
        ...


class AtTemperature(NamedTuple):
    """A sampler at one temperature of its own."""

    sampler: Tempered
    temperature: float

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        """See `Sampler.sample`."""
        return await self.sampler.sample_at(self.temperature, prompt_ids, max_tokens, seed)


def check_temperature(temperature: float) -> float:
    """The temperature, where one can sample at it. Raises BadInput."""
    if temperature == 0 or LOWEST_TEMPERATURE <= temperature < float("inf"):
        return temperature
    raise BadInput(
        f"the temperature is {temperature:g}; give 0 for greedy sampling, or {LOWEST_TEMPERATURE:g} and more"
    )


def check_prompt(ids: Sequence[int], vocabulary: int | None) -> tuple[int, ...]:
    """The ids, where the model has an embedding for each. Raises BadInput."""
    if not ids:
        raise BadInput("the prompt has no ids; give at least one")
    for place, id in enumerate(ids):
        if id < 0 or (vocabulary is not None and id >= vocabulary):
            words = f"the prompt has the id {id} at place {place}, and the model has {vocabulary} ids"
            raise BadInput(f"{words}; give the tokenizer that belongs to the model")
    return tuple(ids)


def room_of(prompt: Sequence[int], max_tokens: int, context: int | None) -> int:
    """How many ids can follow. Raises BadInput for no ids at all, PromptTooLong where the context is full."""
    if max_tokens < 1:
        raise BadInput(f"max_tokens is {max_tokens}; give 1 or more")
    if context is None:
        return max_tokens
    if len(prompt) >= context:
        raise PromptTooLong(f"the prompt has {len(prompt)} ids, and the context of the model is {context}")
    return min(max_tokens, context - len(prompt))
