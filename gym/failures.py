"""Who is to blame when an episode does not end as it should; a failed episode is data.

    policy          its own limits and malformed turns: the only ones that are scored, with 0
    user            the simulated user gave no usable message
    environment     a tool or the state does not do what the environment promises
    infrastructure  a process, a connection, a disk, a model's endpoint
    judge           the judge of user errors gave no verdict

Invariant: whatever ends an episode early has exactly one of these, and only the policy's own make a reward; all others
leave an episode without one, counted apart. Not covered: retries (`servers` and `llm` make those that are safe).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["Blame", "EpisodeFailure", "Failure"]

Blame: TypeAlias = Literal["policy", "user", "environment", "infrastructure", "judge"]


class Failure(BaseModel):
    """What went wrong, as a trajectory keeps it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    blame: Blame
    where: str
    """The part that failed: `server`, `state`, `user`, `agent`, `judge`, `limits`."""
    message: str
    """One sentence."""


class EpisodeFailure(AutoForgeError):
    """An episode cannot go on."""

    def __init__(self, blame: Blame, where: str, message: str) -> None:
        super().__init__(message)
        self.failure = Failure(blame=blame, where=where, message=message)
