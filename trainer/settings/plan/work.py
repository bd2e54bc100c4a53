"""What one step has to do: episodes and tokens.

Episodes trained on = tasks × group; played = these × (1 + refilled). An episode has `turns` turns of the policy, as
many as `rollouts.limits.turns` and the context allow: length = opening + turns × (turn_tokens + observation_tokens).
Invariant: an episode is never longer than the context. Not covered: seconds, memory.
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["Work", "work_of"]


class Work(NamedTuple):
    """Of one step, as assumed."""

    trained: int
    """Episodes that a batch has."""
    played: float
    """Episodes, those for groups that are drawn again included."""
    turns: int
    """Of the policy, in one episode."""
    sampled: int
    """Tokens that the policy samples in one episode."""
    length: int
    """Tokens of one whole episode."""

    @property
    def sampled_tokens(self) -> float:
        return self.played * self.sampled

    @property
    def read_tokens(self) -> float:
        """Tokens that the sampler reads and did not sample, each once (with a cache of prefixes)."""
        return self.played * (self.length - self.sampled)

    @property
    def trained_tokens(self) -> int:
        """Tokens that the learner goes through, forwards and backwards."""
        return self.trained * self.length


def work_of(settings: TrainerSettings) -> Work:
    """Of one ERPO step."""
    assumed, rollouts = settings.assumptions, settings.rollouts
    context = rollouts.policy.context
    opening = min(assumed.opening_tokens, context)
    each = min(assumed.turn_tokens, rollouts.policy.max_tokens)
    turn = each + assumed.observation_tokens
    turns = min(assumed.turns, rollouts.limits.turns, (context - opening) // turn)
    selection = settings.erpo.selection
    trained = selection.tasks * rollouts.group
    played = trained * (1 + (assumed.refilled if selection.refill_rounds else 0.0))
    return Work(trained, played, turns, turns * each, opening + turns * turn)
