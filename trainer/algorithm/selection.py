"""Which groups tell the policy anything, and whether a step trains at all.

Groups whose rewards do not differ have no gradient; dynamic sampling plays other tasks in their place (`rollouts`).
Invariant: the same arguments give the same choice, on every rank. Not covered: which tasks are played.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from autoforge.trainer.algorithm.aggregation import Totals
from autoforge.trainer.algorithm.erpo_settings import SelectionSettings
from autoforge.trainer.algorithm.outcomes import Group
from autoforge.trainer.algorithm.tally import Tally

__all__ = ["Contrast", "Decision", "contrasts", "decide"]


class Contrast(StrEnum):
    """What the rewards of a group say."""

    CONTRAST = "contrast"
    ALL_RIGHT = "all_right"
    ALL_WRONG = "all_wrong"
    FLAT = "flat"
    """All equal, between right and wrong."""
    TOO_FEW = "too_few"
    """Fewer than two rollouts count: masked, or without a score."""


def contrasts(tallies: Mapping[Group, Tally], settings: SelectionSettings | None = None) -> Mapping[Group, Contrast]:
    """What each group says, from `group_tallies`."""
    settings = settings or SelectionSettings()
    return {group: _contrast(tally, settings) for group, tally in tallies.items()}


def _contrast(tally: Tally, settings: SelectionSettings) -> Contrast:
    if tally.number < 2:
        return Contrast.TOO_FEW
    if not tally.constant:
        return Contrast.CONTRAST
    if tally.low >= settings.solved:
        return Contrast.ALL_RIGHT
    return Contrast.ALL_WRONG if tally.high <= settings.failed else Contrast.FLAT


class Decision(NamedTuple):
    """Whether the step trains; the same on every rank, so that all take part in its exchanges or none does."""

    trains: bool
    why: str
    """Of a step that is skipped: then the optimizer must not step either, since its moments would move the weights."""


def decide(totals: Totals, tallies: Mapping[Group, Tally], *, contrast_needed: bool) -> Decision:
    """From what is trained on over all ranks (`row_weights`) and the groups over all ranks (`group_tallies`). With
    `contrast_needed`, as where the baseline is a group's and nothing else moves the policy, a step in which no group
    has contrast is skipped, too. A rank that has nothing to train on takes part where others have."""
    if not totals.tokens:
        return Decision(False, "no rollout counts: all are masked, without a score or without a sampled token")
    if contrast_needed and all(tally.constant for tally in tallies.values()):
        return Decision(False, "no group has rewards that differ")
    return Decision(True, "")
