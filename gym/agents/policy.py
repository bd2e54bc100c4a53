"""The policy in training: ids in, ids out, and nothing that was sampled is ever tokenized again.

Invariant: the ids sent for a turn begin with the ids sent for the turn before and those sampled then, exactly, where
thoughts are kept; every sampled id has a logarithm of its probability; a break of either ends the episode as no fault
of the policy. Not
covered: which ids are trained on and rows that fork (the trainer), templates and tokenizers (`Renderer`).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

import anyio
from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.agents.agent import Briefing, Player
from autoforge.gym.agents.hermes import numbered
from autoforge.gym.agents.prompt import system_prompt
from autoforge.gym.failures import Blame, EpisodeFailure
from autoforge.gym.llm import Usage
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.turns import Action, Observation, SampledTokens
from autoforge.mcp_envs.errors import ModelFailure

__all__ = ["PolicyAgent", "PolicySettings", "Renderer", "Sampled", "TokenSampler"]


class Sampled(NamedTuple):
    """One sampled turn."""

    ids: tuple[int, ...]
    """The stop token included where it was sampled."""
    logprobs: tuple[float, ...]
    """One for each id, after temperature and cuts."""
    stop_reason: Literal["stop", "length"]
    versions: tuple[int, ...] = ()
    """The version of the weights for each id; empty where there is one only."""


class TokenSampler(Protocol):
    """What samples from the policy."""

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        """Up to `max_tokens` ids after the prompt. Raises ModelFailure where there is no answer."""
        ...


class Renderer(Protocol):
    """A chat template over ids. It keeps nothing of an episode, so that episodes share it."""

    def opening(self, system: str, tools: Sequence[ToolDocument], observation: Observation) -> Sequence[int]:
        """All ids before the first turn, the beginning of that turn included."""
        ...

    def extended(self, ids: Sequence[int], observation: Observation) -> Sequence[int]:
        """All ids before the next turn: those sent and sampled so far, the end of the turn where it was not sampled,
        what is new, the beginning of the next turn."""
        ...

    def turn(self, ids: Sequence[int]) -> Action:
        """The turn that sampled ids are."""
        ...


class PolicySettings(BaseModel):
    """How long turns and conversations may become."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    context: int = Field(default=32768, ge=1)
    """Tokens of a whole conversation; where nothing can be sampled any more the episode ends, as the policy's own."""
    max_tokens: int = Field(default=4096, ge=1)
    """Sampled tokens of one turn."""
    sample_seconds: float = Field(default=600.0, gt=0)
    """Seconds for one turn, waiting included."""
    thoughts: Literal["kept", "dropped"] = "kept"
    """`dropped`: those of earlier turns are forgotten when the user speaks, as some stock templates do; for comparison,
    since each such turn rewrites the past."""


class PolicyAgent:
    """A policy behind a sampler."""

    def __init__(
        self,
        renderer: Renderer,
        sampler: TokenSampler,
        settings: PolicySettings | None = None,
        *,
        name: str = "policy",
    ) -> None:
        self._renderer = renderer
        self._sampler = sampler
        self._settings = settings or PolicySettings()
        self.name = name

    def begin(self, briefing: Briefing) -> Player:
        """The policy in one episode; the number of the trial seeds its dice."""
        return _PolicyPlayer(self._renderer, self._sampler, self._settings, briefing)


class _PolicyPlayer:
    def __init__(
        self, renderer: Renderer, sampler: TokenSampler, settings: PolicySettings, briefing: Briefing
    ) -> None:  # fmt: skip
        self._renderer = renderer
        self._sampler = sampler
        self._settings = settings
        self._briefing = briefing
        self._ids: tuple[int, ...] = ()
        self._turns = 0

    async def act(self, observation: Observation) -> Action:
        """The next turn. Raises EpisodeFailure."""
        prompt = self._prompt(observation)
        room = self._room(prompt)
        self._turns += 1
        most = min(self._settings.max_tokens, room)
        sampled = _checked(await self._sampled(prompt, most), most)
        self._ids = (*prompt, *sampled.ids)
        tokens = SampledTokens(
            prompt_ids=prompt, ids=sampled.ids, logprobs=sampled.logprobs, versions=sampled.versions
        )  # fmt: skip
        usage = Usage(input_tokens=len(prompt), output_tokens=len(sampled.ids))
        action = numbered(self._renderer.turn(sampled.ids), self._turns)
        cut = sampled.stop_reason == "length"
        return action.model_copy(update={"tokens": tokens, "truncated": cut, "usage": usage})

    def _prompt(self, observation: Observation) -> tuple[int, ...]:
        if not self._turns:
            system = system_prompt(self._briefing.instructions)
            return tuple(self._renderer.opening(system, self._briefing.tools, observation))
        prompt = tuple(self._renderer.extended(self._ids, observation))
        if self._settings.thoughts == "kept" and prompt[: len(self._ids)] != self._ids:
            place = next((n for n, (a, b) in enumerate(zip(self._ids, prompt, strict=False)) if a != b), len(prompt))
            words = f"the prompt of turn {self._turns + 1} departs from what was sent and sampled at id {place}"
            raise _failure("infrastructure", words)
        return prompt

    def _room(self, prompt: Sequence[int]) -> int:
        room = self._settings.context - len(prompt)
        if room > 0:
            return room
        words = f"the prompt of turn {self._turns + 1} has {len(prompt)} of {self._settings.context} tokens"
        # What does not fit at the first turn is not of the policy's making.
        raise _failure("policy" if self._turns else "infrastructure", words, "limits")

    async def _sampled(self, prompt: Sequence[int], most: int) -> Sampled:
        seconds = self._settings.sample_seconds
        try:
            with anyio.fail_after(seconds):
                return await self._sampler.sample(prompt, max_tokens=most, seed=self._seed(prompt))
        except ModelFailure as error:
            raise _failure("infrastructure", str(error)) from None
        except TimeoutError:
            raise _failure("infrastructure", f"no turn was sampled within {seconds:g} s") from None

    def _seed(self, prompt: Sequence[int]) -> int:
        """Other dice for each trial, turn and prompt: two tasks of one trial must not share their luck, or a mean over
        tasks is as uncertain as a single one."""
        text = f"{self._briefing.seed}/{self._turns}/{','.join(map(str, prompt))}"
        return zlib.crc32(text.encode()) % 2**31


def _checked(sampled: Sampled, most: int) -> Sampled:
    """What a sampler owes: an id at least, at most `most`, and a probability (and a version) for each."""
    number = len(sampled.ids)
    if not number:
        raise _failure("infrastructure", "the sampler gave no ids")
    if number > most:
        raise _failure("infrastructure", f"the sampler gave {number} ids and was asked for {most} at most")
    if len(sampled.logprobs) != number or not all(map(math.isfinite, sampled.logprobs)):
        raise _failure("infrastructure", f"the sampler gave {number} ids without a finite probability for each")
    if sampled.versions and len(sampled.versions) != number:
        raise _failure("infrastructure", f"the sampler gave {number} ids and {len(sampled.versions)} versions")
    return sampled


def _failure(blame: Blame, words: str, where: str = "agent") -> EpisodeFailure:
    return EpisodeFailure(blame, where, words)
