"""The one client for language models: every model call of AutoForge goes through `ModelClient.complete`.

The invariants: the same request with the same trial number has the same answer, paid once, whatever is killed when;
the cost limit is checked before a call is made; every wait has a deadline; a key reaches the vendor's SDK and nothing
else. Between receiving an answer and having stored it nothing is awaited, so no cancellation can lose it.

Streaming is not covered, nor are images. Where the model behind a name changes (a policy in training), leave the cache
off: its key holds the name only.
"""

from __future__ import annotations

import logging
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

import anyio
from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.llm.cache import AnswerCache, CachedAnswer, CorruptAnswer, request_key
from autoforge.gym.llm.ledger import Ledger, Reservation, Settlement
from autoforge.gym.llm.messages import Reply, Request
from autoforge.gym.llm.meter import Meter
from autoforge.gym.llm.retry import Sleep, retrying
from autoforge.gym.llm.spec import ModelSpec, parse_model
from autoforge.gym.llm.structured import Answer, UnusableAnswer, asked_again, read_answer
from autoforge.gym.llm.transport import Fault, Transport, carries_reasoning
from autoforge.mcp_envs.errors import AutoForgeError, BadInput, ModelFailure, PromptTooLong

__all__ = ["Limits", "ModelClient"]

log = logging.getLogger(__name__)

# Characters of a model's last answer in the message of a failure.
EVIDENCE: Final = 500


class Limits(BaseModel):
    """How long, how often and how many at once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempts: int = Field(default=5, ge=1)
    """Times that one call is tried."""
    attempt_timeout: float = Field(default=300.0, gt=0)
    """Seconds for one attempt."""
    deadline: float = Field(default=900.0, gt=0)
    """Seconds for one call with all its attempts and waits, from when its turn has come."""
    concurrency: int = Field(default=8, ge=1)
    """Calls at once; further ones queue."""


DEFAULT_LIMITS: Final = Limits()


class _Call(BaseModel):
    """What `complete` was asked, with the key that names the answer."""

    model_config = ConfigDict(frozen=True)

    request: Request
    trial: int
    stage: str
    key: str


class _Online(NamedTuple):
    """What only a client that may call has."""

    meter: Meter
    transport: Transport


class _Flight:
    """One answer that is being fetched, for all who want it."""

    def __init__(self) -> None:
        self.landed = anyio.Event()
        self.outcome: Reply | AutoForgeError | None = None


class ModelClient:
    """A client for one model. Use it as an async context manager, or call `aclose`."""

    def __init__(
        self,
        model: str | ModelSpec,
        *,
        base_url: str | None = None,
        cache_dir: Path | None = None,
        ledger: Ledger | Path | None = None,
        max_cost: float | None = None,
        offline: bool = False,
        limits: Limits = DEFAULT_LIMITS,
        native_schema: bool = False,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        """`model` is `PROVIDER:MODEL`; the key comes from ANTHROPIC_API_KEY or OPENAI_API_KEY.

        `base_url` is the address of an OpenAI-compatible server (then the key may be missing). `cache_dir` keeps
        answers; None keeps none. `ledger` counts cost in a file, in an object shared with other clients, or in memory.
        `max_cost` is in US dollars, over everything in the ledger. `offline` answers from the cache only.
        `native_schema` asks an OpenAI-compatible server to hold answers to `response_schema` itself, which not every
        server and schema allows. `sleep` is for the waits between attempts.

        Raises:
            BadInput: the model, key, SDK, address, price or limit is missing or wrong.
        """
        self.spec = parse_model(model) if isinstance(model, str) else model
        self.limits = limits
        self.carries_reasoning = carries_reasoning(self.spec, base_url)
        self._native_schema = native_schema
        self._sleep = sleep
        self._cache = AnswerCache(cache_dir) if cache_dir is not None else None
        if offline and self._cache is None:
            raise BadInput("answering offline needs the folder of recorded answers: give cache_dir")
        self._owns_ledger = not isinstance(ledger, Ledger)
        self.ledger = ledger if isinstance(ledger, Ledger) else Ledger(ledger)
        try:
            self._online = None if offline else self._connected(base_url, max_cost)
        except BadInput:
            self._close_ledger()
            raise
        self._slots = anyio.Semaphore(limits.concurrency)
        self._flights: dict[str, _Flight] = {}

    def __repr__(self) -> str:
        return f"ModelClient({str(self.spec)!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections, and the ledger unless it was given as an object."""
        try:
            with anyio.CancelScope(shield=True), anyio.move_on_after(self.limits.attempt_timeout):
                if self._online is not None:
                    await self._online.transport.aclose()
        finally:
            self._close_ledger()

    async def complete(self, request: Request, trial: int = 0, *, stage: str = "model") -> Reply:
        """The model's answer; from the cache where it was answered before.

        `trial` tells apart the repetitions of one request. `stage` labels the call in the ledger and in messages; it
        does not change the answer. Identical requests at the same time share one call.

        Raises:
            ModelFailure: there was no answer within the limits, or none recorded when offline.
            PromptTooLong: the request does not fit the model's context.
            BudgetExceeded: the call could pass `max_cost`; it was not made.
        """
        key = request_key(self.spec, request, trial, self._native_schema)
        call = _Call(request=request, trial=trial, stage=stage, key=key)
        while (reply := self._stored(call)) is None:
            flight = self._flights.get(key)
            if flight is None:
                return await self._lead(call)
            await flight.landed.wait()
            if isinstance(flight.outcome, Reply):
                return flight.outcome
            if flight.outcome is not None:
                # A copy, since one exception must not collect the tracebacks of many tasks.
                raise type(flight.outcome)(*flight.outcome.args)
            # Whoever was fetching it was cancelled: it is anybody's turn again.
        return reply

    async def structured(
        self, request: Request, kind: type[Answer], trial: int = 0, *, attempts: int = 3, stage: str = "model"
    ) -> Answer:
        """An answer that is valid against a pydantic model; asked again, with the faults, up to `attempts` times.

        Raises:
            ModelFailure: none of the answers could be used; it quotes the last one.
            BudgetExceeded: the next call could pass `max_cost`.
        """
        if request.response_schema is None:
            request = request.model_copy(update={"response_schema": kind.model_json_schema()})
        asked, last = request, ""
        for attempt in range(1, attempts + 1):
            reply = await self.complete(asked, trial, stage=stage)
            try:
                return read_answer(reply, kind)
            except UnusableAnswer as problem:
                last = f"{problem} The answer was: {reply.text[:EVIDENCE]!r}"
                asked = asked_again(request, reply, str(problem), attempt + 1, attempts)
        raise ModelFailure(f"{stage}: {self.spec} gave no usable {kind.__name__} in {attempts} attempts. {last}")

    def _connected(self, base_url: str | None, max_cost: float | None) -> _Online:
        meter = Meter(self.spec, self.ledger, max_cost)
        timeout, native = self.limits.attempt_timeout, self._native_schema
        return _Online(meter, Transport(self.spec, base_url=base_url, timeout=timeout, native_schema=native))

    def _close_ledger(self) -> None:
        if self._owns_ledger:
            self.ledger.close()

    def _stored(self, call: _Call, *, report: bool = False) -> Reply | None:
        """The answer from the cache; a damaged one counts as none."""
        answer = None
        problem = "there is none"
        if self._cache is not None:
            try:
                answer = self._cache.get(call.key)
            except CorruptAnswer as error:
                problem = str(error)
                if report:
                    log.warning("%s; it is fetched again", problem)
        if answer is not None:
            # Its process may have been killed before it wrote down the cost.
            self.ledger.settle(answer.settlement)
            return answer.reply
        if self._online is None:
            raise ModelFailure(
                f"{call.stage}: no recorded answer of {self.spec} for this request (trial {call.trial}, key "
                f"{call.key[:12]}): {problem}; run it once online with the same cache folder to record it"
            )
        return None

    async def _lead(self, call: _Call) -> Reply:
        """Fetch an answer for all who want it."""
        flight = self._flights[call.key] = _Flight()
        try:
            async with self._slots:
                flight.outcome = await self._fetch(call)
        except AutoForgeError as error:
            flight.outcome = error
            raise
        finally:
            del self._flights[call.key]
            flight.landed.set()
        return flight.outcome

    async def _fetch(self, call: _Call) -> Reply:
        limits = self.limits
        tries = retrying(attempts=limits.attempts, deadline=limits.deadline, sleep=self._sleep)
        with anyio.move_on_after(limits.deadline):
            async with self._lock(call.key):
                # Another process may have fetched it while this one waited.
                reply = self._stored(call, report=True)
                outcome: Reply | Fault = reply if reply is not None else await tries(self._attempt, call)
            if isinstance(outcome, Reply):
                return outcome
            count = tries.statistics["attempt_number"]
            kind = PromptTooLong if outcome.too_long else ModelFailure
            raise kind(
                f"{call.stage}: {self.spec} gave no answer in {count} {'attempt' if count == 1 else 'attempts'}: "
                f"{outcome.message}"
            )
        raise ModelFailure(f"{call.stage}: {self.spec} gave no answer within {limits.deadline:g} s")

    def _lock(self, key: str) -> AbstractAsyncContextManager[None]:
        return self._cache.locked(key) if self._cache is not None else nullcontext()

    async def _attempt(self, call: _Call) -> Reply | Fault:
        """Reserve the cost, send once, store the answer, settle the cost."""
        assert self._online is not None
        meter, transport = self._online
        reserved = await meter.reserve(call.request, stage=call.stage, key=call.key, trial=call.trial)
        settlement = meter.lost(reserved)
        try:
            outcome = await transport.exchange(call.request)
            settlement = _settled(meter, reserved, outcome)
            if isinstance(outcome, Reply):
                self._store(call, outcome, settlement)
        finally:
            self.ledger.settle(settlement)
        return outcome

    def _store(self, call: _Call, reply: Reply, settlement: Settlement) -> None:
        if self._cache is None:
            return
        answer = CachedAnswer(
            key=call.key,
            model=str(self.spec),
            stage=call.stage,
            trial=call.trial,
            settlement=settlement,
            request=call.request,
            reply=reply,
        )
        try:
            self._cache.put(answer)
        except OSError as error:
            raise ModelFailure(
                f"{call.stage}: the answer of {self.spec} could not be stored in {self._cache.folder}: {error.strerror}"
            ) from None


def _settled(meter: Meter, reserved: Reservation, outcome: Reply | Fault) -> Settlement:
    if isinstance(outcome, Fault) and not outcome.charged:
        return meter.free(reserved)
    if outcome.usage is None:
        return meter.lost(reserved)
    return meter.paid(reserved, outcome.usage, "answered" if isinstance(outcome, Reply) else "failed")
