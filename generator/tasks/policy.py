"""What tasks are wanted: how long, how hard, how many of each kind.

Invariant: shares are probabilities of an attempt; what the state does not allow falls back to the plain form. Not
covered: the difficulty that a task turns out to have (`difficulty`).
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from autoforge.mcp_envs.errors import BadInput

__all__ = ["TaskPolicy"]

Share = Field(ge=0, le=1)


class TaskPolicy(BaseModel):
    """Frozen settings of task generation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    merged: float = Field(default=0.75, ge=0, le=1)
    """Share of proposals that merge two or three walks."""
    branches: float = Field(default=0.3, ge=0, le=1)
    """Share of writing goals for which a branch is tried."""
    fall_backs: float = Field(default=0.3, ge=0, le=1)
    """Share of writing goals for which a fall-back is tried."""
    reasoning: float = Field(default=0.9, ge=0, le=1)
    """Share of proposals that are drawn again, up to twice, until something has to be reasoned."""
    questions: float = Field(default=0.35, ge=0, le=1)
    """Share of proposals that also ask for something."""
    look_alikes: float = Field(default=0.6, ge=0, le=1)
    """Share of proposals whose initial state gets look-alike rows."""
    least_calls: int = Field(default=6, ge=1, le=40)
    """Gold calls that a draft is grown to; where the state allows no more, half of it will do."""
    most_calls: int = Field(default=24, ge=1, le=100)
    """Most gold calls."""
    least_writes: int = Field(default=2, ge=0, le=20)
    """Writing gold calls that a draft is grown to; where the state allows no more, half of it will do."""
    walk_length: int = Field(default=4, ge=1, le=10)
    """Most tools of one walk."""

    @classmethod
    def of(cls, given: Mapping[str, float | None]) -> TaskPolicy:
        """The policy with what is given. Raises BadInput for what is outside the bounds or contradicts itself."""
        try:
            policy = cls.model_validate({name: value for name, value in given.items() if value is not None})
        except ValidationError as error:
            first = error.errors()[0]
            flag = "--" + str(first["loc"][0]).replace("_", "-")
            raise BadInput(f"{flag} {first['input']}: {first['msg'].lower()}; autoforge-gen tasks --help.") from None
        if policy.least_calls > policy.most_calls or policy.least_writes > policy.most_calls:
            words = f"--least-calls {policy.least_calls}, --least-writes {policy.least_writes}"
            raise BadInput(f"{words} and --most-calls {policy.most_calls} exclude each other; raise the last one.")
        return policy

    def easier(self) -> TaskPolicy:
        """The same with half the fewest calls and writes."""
        return self.model_copy(
            update={"least_calls": (self.least_calls + 1) // 2, "least_writes": (self.least_writes + 1) // 2}
        )
