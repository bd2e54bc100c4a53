"""The embedded sampler: a Hugging Face model in this process, for a laptop, a test, or a GPU without vLLM.

One owner task runs the model in a thread, a short stretch of steps at a time; between two stretches requests come in
and go out, weights are changed, and cancelled ones are dropped.

Invariant: one thread at a time touches the model; requests that wait at a stretch begin with it, as far as the settings
let them; what breaks the model fails its requests. After a load, rows in flight are begun again from their ids, so that
no key of old weights is used for new ids; those of earlier turns are kept while there is room (`prefixes`). Not
covered: several GPUs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from transformers import PreTrainedModel

from autoforge.gym.agents.policy import Sampled, TokenSampler
from autoforge.mcp_envs.errors import BadInput, ModelFailure
from autoforge.trainer.samplers.causal_model import CausalModel
from autoforge.trainer.samplers.generation import STRETCH, Generation
from autoforge.trainer.samplers.owner import BROKEN, Owner
from autoforge.trainer.samplers.row import Row
from autoforge.trainer.samplers.sampler import AtTemperature, Weights, check_prompt, check_temperature, room_of
from autoforge.trainer.samplers.schedule import Schedule
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings, opened_model
from autoforge.trainer.samplers.weights import WeightsMixed, copy_weights, folder_weights

__all__ = ["TorchSampler"]


class TorchSampler(Owner):
    """A `Sampler` over a model that is its own: `load` changes it in place."""

    def __init__(
        self, model: PreTrainedModel, settings: TorchSamplerSettings, *, stop_ids: Sequence[int], version: int = 0
    ) -> None:
        """Raises BadInput for a model that needs more than keys and values, and for stop ids that it does not have."""
        super().__init__()
        self._causal = CausalModel(model)
        if stop_ids:
            check_prompt(stop_ids, self._causal.vocabulary)
        self._temperature = check_temperature(settings.temperature)
        self._context = min(settings.context or self._causal.context, self._causal.context)
        self._generation = Generation(self._causal, frozenset(stop_ids), settings.tokens)
        self._schedule = Schedule(settings.sequences, settings.tokens)
        self._version = version

    @classmethod
    def open(
        cls, folder: Path, settings: TorchSamplerSettings, *, stop_ids: Sequence[int], version: int = 0
    ) -> TorchSampler:  # fmt: skip
        """The model of a Hugging Face folder. Raises BadInput, also for a device that is not there."""
        return cls(opened_model(folder, settings), settings, stop_ids=stop_ids, version=version)

    @property
    def version(self) -> int:
        """Of the weights in use."""
        return self._version

    @property
    def pending(self) -> int:
        """Requests that wait or are in flight."""
        return len(self._schedule)

    def at(self, temperature: float) -> TokenSampler:
        """The same weights, in the same batches, at another temperature. Raises BadInput."""
        return AtTemperature(self, check_temperature(temperature))

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        """Up to `max_tokens` ids. Raises BadInput for ids that the model does not have, PromptTooLong, ModelFailure."""
        return await self.sample_at(self._temperature, prompt_ids, max_tokens, seed)

    async def sample_at(self, temperature: float, prompt_ids: Sequence[int], max_tokens: int, seed: int) -> Sampled:
        """The same at another temperature than that of the settings."""
        prompt = check_prompt(prompt_ids, self._causal.vocabulary)
        limit = room_of(prompt, max_tokens, self._context)
        self._check_usable()
        request = self._schedule.add(Row(prompt, limit=limit, temperature=temperature, seed=seed))
        self._wake.set()
        try:
            await request.done.wait()
        finally:
            self._schedule.forget(request)
        return request.result()

    async def logprobs(self, ids: Sequence[int]) -> list[float]:
        """The log-probabilities of ids[1:] at temperature 1. Raises BadInput, PromptTooLong, ModelFailure."""
        checked = check_prompt(ids, self._causal.vocabulary)
        if len(checked) < 2:
            raise BadInput("only ids after the first one have a probability; give at least two")
        room_of(checked, 1, self._context + 1)
        async with self._turn:
            self._check_usable()
            try:
                return await self._in_thread(lambda: self._causal.logprobs(checked))
            except BROKEN as error:
                raise ModelFailure(_words(error, 1)) from error

    async def load(self, weights: Weights, version: int) -> None:
        """Copy other weights into the model.

        Raises BadInput where names differ, and nothing was changed; WeightsMixed where the copy ended halfway: nothing
        is sampled any more until a load succeeds.
        """
        async with self.paused(), self._turn:
            try:
                await self._in_thread(lambda: self._copy(weights))
            except WeightsMixed:
                self._mixed()
                raise
            self._version = version
            self._whole()
            self._schedule.put_back(self._generation.rows)
            self._generation.clear()

    async def _stretch(self) -> None:
        too_many = self._schedule.too_many(self._generation.rows, STRETCH)
        self._schedule.put_back(too_many)
        self._generation.drop(too_many)
        new = [] if too_many else self._schedule.take(self._generation.rows)
        try:
            finished = await self._in_thread(lambda: self._generation.advance(new, self._version))
        except BROKEN as error:
            words = _words(error, len(self._generation.rows) + len(new))
            self._generation.clear()
            self._schedule.fail_running(words)
        else:
            self._schedule.finish(finished)

    def _copy(self, weights: Weights) -> None:
        model = self._causal.model
        named = weights if isinstance(weights, Mapping) else folder_weights(weights, model.dtype)
        copy_weights(model, named)

    def _fail_all(self, words: str) -> None:
        self._schedule.fail_all(words)


def _words(error: BaseException, rows: int) -> str:
    if isinstance(error, torch.OutOfMemoryError | MemoryError) or "allocate memory" in str(error):
        return f"out of memory with {rows} rows in flight; lower `tokens` or `sequences` of the sampler"
    return f"the model failed with {rows} rows in flight: {type(error).__name__}: {error}"
