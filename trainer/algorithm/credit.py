"""Turn-level credit: which turns of an episode brought the state nearer to gold, and which led away from it.

Let g_t be what turn t changed in the progress signal of the gym (`autoforge.gym.progress`, between 0 and 1; the g_t of
an episode sum to its last progress less its first), and ḡ the mean of g over the trained tokens of the rollout. Then a
token of turn t has the advantage

    A_t = A + λ |A| (g_t − ḡ)

A turn with more than its share of the progress gets more of a success and less of the blame for a failure; one that
undoes things gets less, or more. Invariant: the mean of A_t over the trained tokens of a rollout, all of its rows, is
A; where A is 0 all are, so that a group without contrast stays without gradient; with λ ≤ 1/2 no sign changes, since
|g_t − ḡ| ≤ 2. Not covered: the signal itself.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.erpo_settings import CreditSettings
from autoforge.trainer.algorithm.rows import Chosen

__all__ = ["TurnGains", "turn_advantages", "turn_gains"]


def turn_gains(trajectory: Trajectory) -> tuple[float, ...]:
    """g of each turn of the agent, in order: what progress shows after it and before the next one, less what it was.
    Progress before the first turn is that which is told before it, else 0; a turn after which none is told gains 0."""
    gains: list[float] = []
    before = after = 0.0
    for turn in trajectory.turns:
        if turn.role == "assistant":
            if gains:
                gains[-1] = after - before
            gains.append(0.0)
            before = after
        if turn.progress is not None:
            after = turn.progress
    if gains:
        gains[-1] = after - before
    return tuple(gains)


class TurnGains(NamedTuple):
    """What each token's turn gained."""

    turns: Tensor
    """[rows, length], int64: the number of the agent's turn that sampled the token, from 0; anything where it is not
    trained on."""
    gains: Tensor
    """[rows, most turns], floating: g of each turn of the row's rollout; anything beyond its last."""


def turn_advantages(
    advantages: Tensor, turns: TurnGains, mask: Tensor, rollouts: Tensor, settings: CreditSettings
) -> Tensor:  # fmt: skip
    """[rows, length], of the dtype of `advantages` [rows]: A_t of each trained token, 0 elsewhere. `mask` [rows,
    length] says which are trained, `rollouts` [rows] is equal where rows belong to the same rollout, all rows of which
    must be given. Raises BadInput where a trained token has no turn or a gain that is not between −1 and 1."""
    chosen = Chosen.of(mask.bool(), rollouts)
    places = chosen.flat(turns.turns)
    if places.numel() and not 0 <= int(places.min()) <= int(places.max()) < turns.gains.shape[1]:
        raise BadInput("a trained token belongs to no turn of its episode; give the number of its turn, from 0.")
    gains = turns.gains.to(torch.float64)[chosen.rows, places]
    if not bool((gains.abs() <= 1).all()):
        raise BadInput("a turn gained less than -1 or more than 1; give differences of progress, which is from 0 to 1.")
    whole = chosen.flat(advantages).to(torch.float64)
    made = whole + settings.weight * whole.abs() * (gains - chosen.means(gains))
    return chosen.spread(made.to(advantages.dtype))
