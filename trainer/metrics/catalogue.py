"""Every metric: its name, unit and meaning. The documentation's table is made of this one.

Invariant: a record holds no name that is not here. Not covered: how each is measured.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

__all__ = ["ENVIRONMENT_METRICS", "STEP_METRICS", "Metric", "catalogue_markdown"]


class Metric(NamedTuple):
    """One number."""

    unit: str
    """`share` (0 to 1), `nats`, `seconds`, `GiB`, `dollars`, `number`, or what is counted."""
    meaning: str


STEP_METRICS = MappingProxyType({
    "reward": Metric("share", "Mean reward over the rollouts that count: scored, and not masked."),
    "episodes": Metric("episodes", "Played to an end in this step, groups that were drawn again included."),
    "given_up": Metric("episodes", "That came to nothing after all attempts, by no fault of the policy."),
    "masked_share": Metric("share", "Scored episodes that an error of the user took out of all statistics."),
    "unscored_share": Metric("share", "Episodes without a reward, of all that ended."),
    "groups": Metric("groups", "Completed, those without contrast included."),
    "contrast_share": Metric("share", "Groups whose rewards differ, so that they teach something."),
    "refills": Metric("groups", "Drawn in place of groups without contrast."),
    "effective_batch": Metric("rollouts", "With an advantage other than 0: what the gradient is of."),
    "truncated_share": Metric("share", "Episodes that a limit of the policy's own ended."),
    "turns": Metric("turns", "Of the policy, mean of an episode."),
    "loss": Metric("number", "What was minimised; in ERPO it says little, since advantages have mean 0."),
    "gain": Metric("number", "The clipped objective without KL, weighted as in the loss."),
    "kl": Metric("nats", "Estimated KL divergence of the policy from that at the step's beginning."),
    "entropy": Metric("nats", "Mean over trained tokens of the entropy of the policy."),
    "clipped_share": Metric("share", "Trained tokens whose gradient a bound cut off."),
    "clipped_low_share": Metric("share", "Those at the lower bound."),
    "clipped_high_share": Metric("share", "Those at the upper one."),
    "ratio_mean": Metric("number", "Mean over trained tokens of π_θ / π_old."),
    "ratio_low": Metric("number", "The least of these ratios."),
    "ratio_high": Metric("number", "The greatest."),
    "unusable_tokens": Metric("tokens", "To be trained on, whose log-probabilities were not finite."),
    "mismatch": Metric("nats", "Mean absolute difference of the sampler's and the learner's log-probabilities."),
    "mismatch_kl": Metric("nats", "Estimated KL divergence of the learner from the sampler on sampled tokens (k3)."),
    "mismatch_cut_share": Metric("share", "Trained tokens whose correction weight was cut or set to 0."),
    "probe_difference": Metric("nats", "Mean absolute difference on the fixed sequence after the last sync."),
    "gradient_norm": Metric("number", "Before it is cut; the mean over the updates of the step."),
    "learning_rate": Metric("number", "Of the last update."),
    "updates": Metric("updates", "Optimizer steps; 0 where the step was skipped."),
    "staleness_mean": Metric("updates", "Learner's version less that which sampled a token, mean over trained tokens."),
    "staleness_max": Metric("updates", "The greatest of these."),
    "rows": Metric("rows", "Trained on; more than episodes where histories forked."),
    "forks": Metric("rows", "Begun because a template rewrote what had been sent."),
    "trained_tokens": Metric("tokens", "With a gradient."),
    "sampled_tokens": Metric("tokens", "By the policy, in all episodes of the step."),
    "tokens_per_second": Metric("tokens/s", "Ids of trained rows, by the step's time."),
    "sampled_per_second": Metric("tokens/s", "Sampled tokens, by the time of the rollouts."),
    "seconds": Metric("seconds", "The whole step."),
    "seconds_rollouts": Metric("seconds", "Of it, waiting for episodes."),
    "seconds_learner": Metric("seconds", "Of it, old log-probabilities and updates."),
    "seconds_sync": Metric("seconds", "Of it, weights to the sampler, the probe included."),
    "sampler_seconds": Metric("seconds", "Mean of an episode: the policy's turns, waiting for the sampler included."),
    "user_seconds": Metric("seconds", "Mean of an episode: the user's turns."),
    "environment_seconds": Metric("seconds", "Mean of an episode: tool calls."),
    "cost": Metric("dollars", "Of models as user and judge, since the run began."),
    "memory": Metric("GiB", "Most that the first rank's GPU had in use since the run began."),
})  # fmt: skip
"""Of a step as a whole."""

ENVIRONMENT_METRICS = MappingProxyType({
    **{name: STEP_METRICS[name] for name in (
        "reward", "episodes", "masked_share", "unscored_share", "groups", "contrast_share", "truncated_share", "turns",
        "sampled_tokens", "sampler_seconds", "user_seconds", "environment_seconds",
    )},
    "reward_std": Metric("share", "Standard deviation that its advantages are divided by."),
    "advantage_rms": Metric("number", "Root of the mean square of its advantages."),
    "reward_low": Metric("share", "Lower end of the 95 % interval of the reward, of measurements only."),
    "reward_high": Metric("share", "Upper end."),
})  # fmt: skip
"""Of one environment in a step."""


def catalogue_markdown() -> str:
    """Both tables, for the documentation."""
    head = ["| metric | unit | meaning |", "|---|---|---|"]
    rows = [f"| `{name}` | {metric.unit} | {metric.meaning} |" for name, metric in STEP_METRICS.items()]
    own = [f"| `{name}` | {metric.unit} | {metric.meaning} |" for name, metric in ENVIRONMENT_METRICS.items()]
    return "\n".join(["**Of a step**", "", *head, *rows, "", "**Of one environment**", "", *head, *own]) + "\n"
