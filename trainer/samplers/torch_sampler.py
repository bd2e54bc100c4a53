"""The embedded sampler: a Hugging Face model in this process, for a laptop, a test, or a GPU without vLLM.

One owner task runs the model in a thread, a short stretch of steps at a time; between two stretches requests come in
and go out, weights are changed, and cancelled ones are dropped.

Invariant: one thread at a time touches the model; requests that wait at a stretch begin with it, as far as the settings
let them; what breaks the model fails its requests. After a load, rows in flight are begun again from their ids, so that
no key of old weights is used for new ids. Not covered: several GPUs; the keys and values of an episode's earlier turns
are made again at each turn.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self, TypeVar

import anyio
import torch
from anyio.abc import TaskGroup
from anyio.lowlevel import checkpoint
from transformers import PreTrainedModel

from autoforge.gym.agents.policy import Sampled, TokenSampler
from autoforge.mcp_envs.errors import BadInput, ModelFailure
from autoforge.trainer.samplers.causal_model import CausalModel
from autoforge.trainer.samplers.generation import STRETCH, Generation
from autoforge.trainer.samplers.row import Row
from autoforge.trainer.samplers.sampler import Weights, check_prompt, check_temperature, room_of
from autoforge.trainer.samplers.schedule import Schedule
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings, opened_model
from autoforge.trainer.samplers.weights import WeightsMixed, copy_weights, folder_weights

__all__ = ["TorchSampler"]

T = TypeVar("T")

BROKEN: Final = (RuntimeError, ValueError, IndexError, TypeError, ArithmeticError, MemoryError)
"""What a model raises; out of memory is a RuntimeError."""

NOT_ENTERED: Final = "the sampler is not open; use it inside `async with`"
CLOSED: Final = "the sampler was closed"
BROKEN_OFF: Final = "the sampler ended early"
MIXED: Final = "the sampler has old and new weights, because a load ended halfway; load all weights again"


class TorchSampler:
    """A `Sampler` over a model that is its own: `load` changes it in place."""

    def __init__(
        self, model: PreTrainedModel, settings: TorchSamplerSettings, *, stop_ids: Sequence[int], version: int = 0
    ) -> None:
        """Raises BadInput for a model that needs more than keys and values, and for stop ids that it does not have."""
        self._causal = CausalModel(model)
        if stop_ids:
            check_prompt(stop_ids, self._causal.vocabulary)
        self._temperature = check_temperature(settings.temperature)
        self._context = min(settings.context or self._causal.context, self._causal.context)
        self._generation = Generation(self._causal, frozenset(stop_ids))
        self._schedule = Schedule(settings.sequences, settings.tokens)
        self._version = version
        self._wake = anyio.Event()
        self._turn = anyio.Lock()
        self._thread = anyio.CapacityLimiter(1)
        self._pauses = 0
        self._unusable: str | None = NOT_ENTERED
        self._group: TaskGroup

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
        return _AtTemperature(self, check_temperature(temperature))

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
                self._unusable = MIXED
                self._schedule.fail_all(MIXED)
                raise
            self._version = version
            self._unusable = None if self._unusable == MIXED else self._unusable
            self._schedule.put_back(self._generation.rows)
            self._generation.clear()

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Nothing is sampled inside; rows in flight keep their keys and values, and go on afterwards."""
        self._pauses += 1
        try:
            async with self._turn:  # the stretch that runs ends
                pass
            yield
        finally:
            self._pauses -= 1
            self._wake.set()

    async def __aenter__(self) -> Self:
        """Begin to take requests."""
        self._group = anyio.create_task_group()
        await self._group.__aenter__()
        self._unusable = None
        self._group.start_soon(self._own)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Ends everything, after the stretch that runs."""
        self._end(CLOSED)
        self._group.cancel_scope.cancel()
        if isinstance(error, anyio.get_cancelled_exc_class()):
            return await self._group.__aexit__(kind, error, trace)
        # What the block raised comes out as it is, not inside an ExceptionGroup.
        await self._group.__aexit__(None, None, None)
        return None

    async def _own(self) -> None:
        """Stretch after stretch, while there are requests."""
        try:
            while True:
                await self._wanted()
                async with self._turn:
                    if not self._pauses:
                        await self._stretch()
        finally:
            self._end(BROKEN_OFF)

    async def _wanted(self) -> None:
        """Waits until there is something to do, and until those who are about to ask have asked."""
        while self._pauses or not self._schedule:
            self._wake = anyio.Event()
            await self._wake.wait()
        known = -1
        while known < self._schedule.waiting:
            known = self._schedule.waiting
            await checkpoint()

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

    async def _in_thread(self, call: Callable[[], T]) -> T:
        """A cancelled caller waits for the thread: nobody else touches the model before it is done."""
        return await anyio.to_thread.run_sync(call, limiter=self._thread)

    def _check_usable(self) -> None:
        if self._unusable is not None:
            raise ModelFailure(self._unusable)

    def _end(self, words: str) -> None:
        """Idempotent; the first words count."""
        self._unusable = words if self._unusable in (None, MIXED) else self._unusable
        self._schedule.fail_all(words)


class _AtTemperature(NamedTuple):
    sampler: TorchSampler
    temperature: float

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        """See `TorchSampler.sample`."""
        return await self.sampler.sample_at(self.temperature, prompt_ids, max_tokens, seed)


def _words(error: BaseException, rows: int) -> str:
    if isinstance(error, torch.OutOfMemoryError | MemoryError) or "allocate memory" in str(error):
        return f"out of memory with {rows} rows in flight; lower `tokens` or `sequences` of the sampler"
    return f"the model failed with {rows} rows in flight: {type(error).__name__}: {error}"
