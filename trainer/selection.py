"""Which tasks a step draws, which groups tell the policy anything, and whether the step trains at all.

A batch draws environments first and then at least four tasks of each: with one task of an environment, the standard
deviation of the environment would be the group's. Groups whose rewards do not differ have no gradient; dynamic sampling
draws other tasks of the same environment in their place, for a few rounds. Invariant: the same arguments give the same
choice, on every rank. Not covered: running rollouts.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.aggregation import Totals
from autoforge.trainer.erpo_settings import SelectionSettings
from autoforge.trainer.outcomes import Group
from autoforge.trainer.tally import Tally

__all__ = ["Contrast", "Decision", "contrasts", "decide", "draw", "redraw", "refills"]


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


def refills(
    found: Mapping[Group, Contrast], rounds: int, settings: SelectionSettings | None = None
) -> Mapping[str, int]:  # fmt: skip
    """How many tasks of each environment are drawn again after `rounds` refills of the batch: as many as it has groups
    without contrast among `found`, the groups of the last round; nothing once the rounds are used up."""
    settings = settings or SelectionSettings()
    if rounds >= settings.refill_rounds:
        return {}
    wanting = Counter(environment for (environment, _), contrast in found.items() if contrast is not Contrast.CONTRAST)
    return dict(sorted(wanting.items()))


def draw(
    tasks: Mapping[str, Sequence[str]], settings: SelectionSettings | None = None, *, seed: int, step: int
) -> tuple[Group, ...]:  # fmt: skip
    """The tasks of a step: environments in a random order, as many as there is room for with their least number of
    tasks; what room is left goes round among them. Raises BadInput where an environment has too few tasks, or the batch
    does."""
    settings = settings or SelectionSettings()
    _check(tasks, settings)
    dice = random.Random(f"{seed}/{step}")
    least = settings.tasks_per_environment
    names = dice.sample(sorted(tasks), min(len(tasks), settings.tasks // least))
    shares = _shares([len(set(tasks[name])) for name in names], least, settings.tasks)
    drawn = [(name, dice.sample(sorted(set(tasks[name])), share)) for name, share in zip(names, shares, strict=True)]
    return tuple((name, task) for name, chosen in drawn for task in chosen)


def redraw(
    tasks: Mapping[str, Sequence[str]], wanted: Mapping[str, int], drawn: Collection[Group], *, seed: int, step: int,
    round: int,
) -> tuple[Group, ...]:  # fmt: skip
    """Other tasks of the same environments, none of those already drawn in the step; fewer where there are no more."""
    dice = random.Random(f"{seed}/{step}/{round}")
    made: list[Group] = []
    for name, number in sorted(wanted.items()):
        fresh = [task for task in sorted(set(tasks[name])) if (name, task) not in drawn]
        made.extend((name, task) for task in dice.sample(fresh, min(number, len(fresh))))
    return tuple(made)


def _shares(sizes: Sequence[int], least: int, room: int) -> list[int]:
    """How many tasks of each: the least number each, then one more by turns where there are some."""
    shares = [least] * len(sizes)
    while room > sum(shares) and any(share < size for share, size in zip(shares, sizes, strict=True)):
        for place, size in enumerate(sizes):
            if shares[place] < size and sum(shares) < room:
                shares[place] += 1
    return shares


def _check(tasks: Mapping[str, Sequence[str]], settings: SelectionSettings) -> None:
    least = settings.tasks_per_environment
    if not tasks:
        raise BadInput("there is no environment to draw tasks of; name one at least.")
    if settings.tasks < least:
        raise BadInput(f"a batch of {settings.tasks} tasks cannot hold {least} of an environment; take a larger one.")
    for name, own in sorted(tasks.items()):
        if len(set(own)) < least:
            raise BadInput(
                f"environment {name} has {len(set(own))} tasks and a batch takes at least {least} of each; make more"
                " with autoforge-gen tasks, or leave the environment out."
            )


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
