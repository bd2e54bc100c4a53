"""The algorithm once more, in loops over plain numbers, to hold the tensors against."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from tests.trainer.algorithm.steps import Rollout, Step


def reference_advantages(step: Step, eps: float = 1e-6) -> list[float]:
    """Equation 4, ddof 1, constant groups in the standard deviation."""
    values = []
    for rollout in step:
        group = [r.reward for r in step if r.counts and (r.environment, r.task) == (rollout.environment, rollout.task)]
        whole = [r.reward for r in step if r.counts and r.environment == rollout.environment]
        if not rollout.counts or len(group) < 2 or len(set(group)) == 1:
            values.append(0.0)
        else:
            values.append((rollout.reward - statistics.fmean(group)) / (statistics.stdev(whole) + eps))
    return values


def reference_loss(
    step: Step,
    advantages: Sequence[float],
    *,
    aggregation: str,
    ratio: str = "token",
    beta: float = 0.0,
    clip: float = 0.2,
    bounds: tuple[float, float] = (0.0, math.inf),
) -> float:
    """Equation 2 with k3, and weights for the mismatch truncated token by token."""
    trained = [place for place, rollout in enumerate(step) if rollout.counts and rollout.tokens]
    if not trained:
        return 0.0
    sums = {p: _gains(step[p], advantages[p], ratio, beta, clip, bounds) for p in trained}
    if aggregation == "token_mean":
        return -sum(map(sum, sums.values())) / sum(map(len, sums.values()))
    means = {p: sum(gains) / len(gains) for p, gains in sums.items()}
    if aggregation == "sequence_mean":
        return -sum(means.values()) / len(means)
    tasks: dict[tuple[str, str], list[float]] = {}
    for place, mean in means.items():
        tasks.setdefault((step[place].environment, step[place].task), []).append(mean)
    return -sum(sum(own) / len(own) for own in tasks.values()) / len(tasks)


def _gains(
    rollout: Rollout, advantage: float, ratio: str, beta: float, clip: float, bounds: tuple[float, float]
) -> list[float]:
    tokens = [
        (now, old, sampler)
        for row in rollout.rows
        for m, now, old, sampler in zip(row.mask, row.logprobs, row.old, row.sampler, strict=True)
        if m
    ]
    whole = sum(now - old for now, old, _ in tokens)
    gains = []
    for now, old, sampler in tokens:
        log = {"token": now - old, "sequence": whole / len(tokens), "trajectory": whole}[ratio]
        rho = math.exp(log)
        cut = min(max(rho, 1 - clip), 1 + clip)
        weight = min(max(math.exp(old - sampler), bounds[0]), bounds[1])
        kl = math.exp(old - now) - 1 - (old - now)
        gains.append(weight * min(rho * advantage, cut * advantage) - beta * kl)
    return gains
