"""Which judged episodes are masked: those in which an error of the user touched what counts.

Under the rule `touching` that does not depend on the reward: masking failures only (the rule `failures`, the paper's)
takes errors out of the lost episodes and leaves those that helped in the won ones, which bends the mean. Invariant:
an episode whose judge failed is neither clean nor masked, it has no reward. Not covered: finding errors (`rules`,
`model`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from autoforge.gym.judge.rules import judge_trajectory
from autoforge.gym.trajectory import Judgement, Trajectory
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["Rule", "judged", "masked"]

Rule: TypeAlias = Literal["touching", "failures"]


def masked(judgements: Sequence[Judgement], reward: float | None, rule: Rule = "touching") -> bool:
    """Whether an episode says nothing of the agent. Raises BadInput for a rule that there is not."""
    if rule not in get_args(Rule):
        raise BadInput(f"there is no masking rule {rule!r}; use one of {', '.join(get_args(Rule))}.")
    touched = any(judgement.touches != "nothing" for judgement in judgements)
    return touched and (rule == "touching" or reward == 0)


def judged(
    trajectory: Trajectory, task: Task, tools: Sequence[Mapping[str, Any]] | None = None, *, rule: Rule = "touching"
) -> Trajectory:
    """The trajectory with the verdict of the rules, and whether it is masked. Raises BadInput."""
    return _with(trajectory, judge_trajectory(trajectory, task, tools), rule)


def _with(trajectory: Trajectory, found: tuple[Judgement, ...], rule: Rule) -> Trajectory:
    hidden = masked(found, trajectory.reward, rule)
    return trajectory.model_copy(update={"judgements": found, "masked": hidden})
