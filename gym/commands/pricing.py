"""What an episode cost, of the tokens that its turns used.

Invariant: a model whose price is not known counts as free, as in the ledger. Not covered: attempts that came to
nothing, and judges; the ledger beside the file has all of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from autoforge.gym.commands.cast import spec_of
from autoforge.gym.llm.prices import Price, price_of
from autoforge.gym.trajectory import Trajectory, Turn

__all__ = ["pricing"]


def pricing(agent: str, user: str) -> Callable[[Trajectory], float]:
    """What gives the cost of an episode of these two, in US dollars. Raises BadInput for a table of prices that cannot
    be used."""
    prices = {"assistant": _price(agent), "user": _price(user)}

    def cost(trajectory: Trajectory) -> float:
        return round(math.fsum(_cost(turn, prices.get(turn.role)) for turn in trajectory.turns), 8)

    return cost


def _price(name: str) -> Price | None:
    spec = spec_of(name)
    return price_of(spec) if spec is not None else None


def _cost(turn: Turn, price: Price | None) -> float:
    if price is None or turn.usage is None:
        return 0.0
    return price.cost(turn.usage.input_tokens, turn.usage.output_tokens)
