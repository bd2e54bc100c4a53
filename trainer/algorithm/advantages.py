"""Advantages of rollouts, by environment as ERPO has them or as its baselines do.

    A = (R − mean of R over the rollouts of the task) / (std of R over all tasks and rollouts of the environment + eps)

(arXiv 2512.22857, equation 4: the mean is the group's, the standard deviation that of the raw rewards of the whole
environment in this step, over all ranks, groups without contrast included.) Invariant: what is masked or unscorable
enters no statistic and has advantage 0, so that masked is the same, bit for bit, as not there; a group of fewer than
two and a constant group have exactly 0 where the baseline is a group's; where the standard deviation is taken over
constant rewards all is exactly 0. Not covered: tokens (`credit`), the loss (`objective`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

import torch
from torch import Tensor

from autoforge.trainer.algorithm.erpo_settings import AdvantageSettings
from autoforge.trainer.algorithm.outcomes import Group, Outcomes, group_tallies
from autoforge.trainer.algorithm.tally import Tally, merged, root
from autoforge.trainer.ranks import Gather, alone

__all__ = ["Advantages", "EnvironmentFigures", "advantages", "advantages_among"]


class EnvironmentFigures(NamedTuple):
    """Of one environment, over all ranks."""

    rollouts: int
    """That count."""
    groups: int
    contrasted: int
    """Groups whose rewards differ."""
    mean: float
    std: float
    """Of the rewards, as the settings say but over the environment always."""
    advantage_rms: float
    """Root of the mean square of the advantages."""


class Advantages(NamedTuple):
    """Of one step."""

    values: Tensor
    """[rollouts] of this rank, of the dtype and on the device of the rewards."""
    environments: Mapping[str, EnvironmentFigures]
    """The same on every rank."""


def advantages(
    outcomes: Outcomes, settings: AdvantageSettings | None = None, *, gather: Gather = alone
) -> Advantages:  # fmt: skip
    """The advantage of each rollout. Every rank must call it, with its own rollouts, which may be none; rollouts of one
    group may be on several ranks. Give all completed groups of the step, also those that dynamic sampling drops from
    the loss. Raises BadInput as `group_tallies` does."""
    return advantages_among(group_tallies(outcomes, gather), outcomes, settings)


def advantages_among(
    tallies: Mapping[Group, Tally], outcomes: Outcomes, settings: AdvantageSettings | None = None
) -> Advantages:  # fmt: skip
    """The same from the tallies of all ranks; no other rank is asked."""
    settings = settings or AdvantageSettings()
    lines = _lines(tallies, settings)
    rewards = outcomes.rewards.to(torch.float64).tolist()
    given = zip(outcomes.groups, rewards, outcomes.counted.tolist(), strict=True)
    values = [lines[group](reward) if counts else 0.0 for group, reward, counts in given]
    made = torch.tensor(values, dtype=outcomes.rewards.dtype, device=outcomes.rewards.device)
    return Advantages(made, _figures(tallies, lines, settings))


class _Line(NamedTuple):
    """The advantages of one group are a line over its rewards."""

    baseline: Fraction
    slope: Fraction
    std: float

    def __call__(self, reward: float) -> float:
        return float((Fraction(reward) - self.baseline) * self.slope) / self.std if self.slope else 0.0

    def squares(self, tally: Tally) -> float:
        """The sum of the squared advantages of the rewards of a tally."""
        if not self.slope:
            return 0.0
        shift = tally.mean - self.baseline
        return float((tally.deviations + tally.number * shift * shift) * self.slope * self.slope) / self.std**2


_NAUGHT = _Line(Fraction(0), Fraction(0), 1.0)


def _lines(tallies: Mapping[Group, Tally], settings: AdvantageSettings) -> Mapping[Group, _Line]:
    whole = merged(tallies.values())
    scales = _scales(tallies, settings)
    return {group: _line(tally, whole, scales(group), settings) for group, tally in tallies.items()}


def _line(tally: Tally, whole: Tally, std: float | None, settings: AdvantageSettings) -> _Line:
    compared = whole if settings.baseline == "batch" else tally
    if compared.constant or std is None:
        return _NAUGHT
    slope = Fraction(1)
    if settings.baseline == "leave_one_out":
        # R − (total − R) / (n − 1) = (R − mean) · n / (n − 1)
        slope = Fraction(tally.number, tally.number - 1)
    return _Line(compared.mean, slope, std)


def _scales(tallies: Mapping[Group, Tally], settings: AdvantageSettings) -> Callable[[Group], float | None]:
    """What the advantages of a group are divided by; None where nothing tells apart what it is taken over."""

    def scope(group: Group) -> str | Group:
        names: dict[str, str | Group] = {"environment": group[0], "group": group}
        return names.get(settings.scale, "")

    if settings.scale == "none":
        return lambda group: 1.0
    members: dict[str | Group, list[Tally]] = {}
    for group, tally in tallies.items():
        members.setdefault(scope(group), []).append(tally)
    scales = {name: _scale(parts, settings) for name, parts in members.items()}
    return lambda group: scales[scope(group)]


def _scale(tallies: Iterable[Tally], settings: AdvantageSettings) -> float | None:
    std = _std(tallies, settings)
    return std + settings.eps if std else None


def _std(tallies: Iterable[Tally], settings: AdvantageSettings) -> float:
    """0 where the rewards are constant, whatever noise they have."""
    parts = [tally for tally in tallies if settings.std_over == "all" or not tally.constant]
    whole = merged(parts)
    if whole.constant:
        return 0.0
    if settings.std_about == "environment":
        return whole.std(settings.ddof)
    within = sum((tally.deviations for tally in parts), Fraction(0))
    return root(within, whole.number - settings.ddof)


def _figures(
    tallies: Mapping[Group, Tally], lines: Mapping[Group, _Line], settings: AdvantageSettings
) -> Mapping[str, EnvironmentFigures]:  # fmt: skip
    names = dict.fromkeys(environment for environment, _ in tallies)
    found: dict[str, EnvironmentFigures] = {}
    for name in names:
        own = {group: tally for group, tally in tallies.items() if group[0] == name}
        whole = merged(own.values())
        squares = sum(lines[group].squares(tally) for group, tally in own.items())
        found[name] = EnvironmentFigures(
            whole.number, len(own), sum(not tally.constant for tally in own.values()), float(whole.mean),
            _std(own.values(), settings), (squares / whole.number) ** 0.5 if whole.number else 0.0,
        )  # fmt: skip
    return found
