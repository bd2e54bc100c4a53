"""Rows of ids that are trained on, from the turns of an episode as they were sampled.

A row holds every turn whose prompt begins with all before it. Where a prompt departs from that (a harness or a template
rewrote the past) a new row begins, and the fork is counted: nothing sampled is lost, and nothing is trained on twice.

Invariant: an id is trainable exactly where it was sampled with a probability, in one row only; elsewhere its logprob is
NaN, never 0. Not covered: what a rollout is worth (`Trajectory.reward`, the algorithm), tensors (`batch`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from autoforge.gym.trajectory import Trajectory, Turn
from autoforge.gym.turns import SampledTokens
from autoforge.mcp_envs.errors import BadInput

__all__ = ["NOT_SAMPLED", "Rollout", "TokenRow", "TurnSpan", "VersionSpan", "rollout_of"]

NOT_SAMPLED = -1
"""The version of weights of an id that no weights made."""


class VersionSpan(NamedTuple):
    """Ids in a row that one version of the weights sampled."""

    version: int
    start: int
    end: int
    """The first place behind it."""


class TurnSpan(NamedTuple):
    """Ids in a row that one turn sampled."""

    turn: int
    """Its place in the trajectory's turns."""
    start: int
    end: int
    """The first place behind it."""
    truncated: bool
    """Whether a length limit cut the turn off."""


class TokenRow(NamedTuple):
    """One sequence; all fields but the spans have an entry for each id."""

    ids: tuple[int, ...]
    trainable: tuple[bool, ...]
    logprobs: tuple[float, ...]
    """Of the sampler; NaN where nothing was sampled."""
    versions: tuple[VersionSpan, ...]
    turns: tuple[TurnSpan, ...]

    @property
    def policy_tokens(self) -> int:
        """Sampled ids: what length penalties count (I8)."""
        return sum(self.trainable)

    def version_at(self, place: int) -> int:
        """The weights that sampled an id, or NOT_SAMPLED."""
        return next((span.version for span in self.versions if span.start <= place < span.end), NOT_SAMPLED)


class Rollout(NamedTuple):
    """The rows of one episode, which together weigh as one."""

    id: str
    """Of the trajectory."""
    rows: tuple[TokenRow, ...]
    terminated: bool
    """Whether the episode came to its own end."""
    truncated: bool
    """Whether a limit ended it: the policy's context, or the number of turns."""

    @property
    def forks(self) -> int:
        """How often the past was rewritten."""
        return max(0, len(self.rows) - 1)

    @property
    def policy_tokens(self) -> int:
        """Sampled ids of all rows: what length penalties count (I8)."""
        return sum(row.policy_tokens for row in self.rows)

    @property
    def context_tokens(self) -> int:
        """The longest row, everything counted: what a context budget counts (I8)."""
        return max((len(row.ids) for row in self.rows), default=0)

    @property
    def oldest_version(self) -> int | None:
        """The oldest weights that sampled any of it; None where nothing was sampled."""
        return min((span.version for row in self.rows for span in row.versions), default=None)

    def staleness(self, trainer_version: int) -> int:
        """By how many versions the oldest part lags behind (I10). Raises BadInput where it is ahead."""
        oldest = self.oldest_version
        newest = max((span.version for row in self.rows for span in row.versions), default=trainer_version)
        if newest > trainer_version:
            words = f"the rollout {self.id} was sampled by version {newest} of the weights, the trainer has"
            raise BadInput(f"{words} {trainer_version}; resume the trainer from the checkpoint that sampled it.")
        return 0 if oldest is None else trainer_version - oldest


def rollout_of(trajectory: Trajectory, *, version: int = 0) -> Rollout:
    """The rows of a trajectory. `version` is that of turns that do not say what weights sampled them. Raises BadInput
    where a turn of the assistant has no tokens, or tokens without what they owe."""
    rows: list[_Growing] = []
    for place, turn in enumerate(trajectory.turns):
        if turn.role != "assistant":
            continue
        tokens = _tokens(trajectory, place, turn)
        if not rows or not rows[-1].takes(tokens.prompt_ids):
            rows.append(_Growing())
        rows[-1].add(tokens, place, turn.truncated, version)
    limits = trajectory.failure is not None and trajectory.failure.where == "limits"
    return Rollout(
        id=trajectory.id,
        rows=tuple(row.done() for row in rows),
        terminated=trajectory.end in ("stop", "transfer", "out_of_scope"),
        truncated=trajectory.end == "truncated" or limits,
    )


def _tokens(trajectory: Trajectory, place: int, turn: Turn) -> SampledTokens:
    """The tokens of a turn, whole."""
    tokens = turn.tokens
    where = f"turn {place} of {trajectory.id}"
    if tokens is None:
        raise BadInput(f"{where} has no token ids; train on episodes that a policy with a sampler played.")
    number = len(tokens.ids)
    fault = (
        "an empty prompt" if not tokens.prompt_ids
        else f"{number} ids and {len(tokens.logprobs)} logprobs" if len(tokens.logprobs) != number
        else f"{number} ids and {len(tokens.versions)} versions" if tokens.versions and len(tokens.versions) != number
        else "a logprob that is no finite number" if not all(map(math.isfinite, tokens.logprobs))
        else ""
    )  # fmt: skip
    if fault:
        raise BadInput(f"{where} has {fault}; leave the episode out, and look after the sampler.")
    return tokens


class _Growing:
    """A row in the making."""

    def __init__(self) -> None:
        self._ids: list[int] = []
        self._trainable: list[bool] = []
        self._logprobs: list[float] = []
        self._versions: list[VersionSpan] = []
        self._turns: list[TurnSpan] = []

    def takes(self, prompt: Sequence[int]) -> bool:
        """Whether a prompt begins with the row."""
        return tuple(self._ids) == tuple(prompt[: len(self._ids)])

    def add(self, tokens: SampledTokens, place: int, truncated: bool, version: int) -> None:
        """What is new of the prompt, then what was sampled."""
        glue = tokens.prompt_ids[len(self._ids) :]
        self._extend(glue, [math.nan] * len(glue), False)
        start = len(self._ids)
        self._extend(tokens.ids, tokens.logprobs, True)
        self._turns.append(TurnSpan(place, start, len(self._ids), truncated))
        self._version(tokens.versions or (version,) * len(tokens.ids), start)

    def done(self) -> TokenRow:
        return TokenRow(
            tuple(self._ids), tuple(self._trainable), tuple(self._logprobs), tuple(self._versions), tuple(self._turns)
        )

    def _extend(self, ids: Sequence[int], logprobs: Sequence[float], trainable: bool) -> None:
        self._ids += ids
        self._logprobs += logprobs
        self._trainable += [trainable] * len(ids)

    def _version(self, versions: Iterable[int], start: int) -> None:
        for place, version in enumerate(versions, start):
            last = self._versions[-1] if self._versions else None
            if last is not None and last.version == version and last.end == place:
                self._versions[-1] = last._replace(end=place + 1)
            else:
                self._versions.append(VersionSpan(version, place, place + 1))
