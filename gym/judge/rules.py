"""The judge without a model: every kind of error of the user that rules can find, with its evidence.

    invented      a value that nobody gave the user          altered     a value, a constraint or a wish told otherwise
    withheld      asked for by name and not given            out_of_scope   a request that is no part of the task
    early_stop    ended before all was asked and done        late_stop   went on when all was done
    wrong_tool    its own tool called otherwise than the task says

Invariant: a verdict depends on the trajectory's messages and calls, the task and the tools' documents, never on the
reward; each quotes the turn it is about. Not covered: requests and constraints that are made of the instruction's own
words in another order; a model may look at those (`model`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autoforge.gym.judge.case import Dispute
from autoforge.gym.judge.choices import choice_errors
from autoforge.gym.judge.constraints import constraint_errors
from autoforge.gym.judge.own_tools import own_tool_errors
from autoforge.gym.judge.scope import scope_errors
from autoforge.gym.judge.stops import early_stops, late_stops
from autoforge.gym.judge.telling import left_out
from autoforge.gym.judge.values import value_errors
from autoforge.gym.judge.withheld import withheld_errors
from autoforge.gym.trajectory import Judgement, Trajectory
from autoforge.mcp_envs.task import Task

__all__ = ["KINDS", "judge_trajectory"]

KINDS = ("invented", "withheld", "altered", "early_stop", "late_stop", "out_of_scope", "wrong_tool")


def judge_trajectory(
    trajectory: Trajectory, task: Task, tools: Sequence[Mapping[str, Any]] | None = None
) -> tuple[Judgement, ...]:
    """The user's errors in the order of the turns; none where there is none. `tools` are the documents of both sides;
    None: what the agent was offered."""
    dispute = Dispute(trajectory, task, tools if tools is not None else trajectory.tools)
    found = list(_found(dispute))
    return tuple(sorted(_distinct(found), key=lambda j: (j.turn, KINDS.index(j.kind))))


def _found(dispute: Dispute) -> Iterator[Judgement]:
    scope = list(scope_errors(dispute))
    numbers = {e.place: e.number for e in dispute.exchanges}
    beside = {(numbers[judgement.turn], sentence.start) for sentence, judgement in scope}
    values, choices = list(value_errors(dispute, beside)), list(choice_errors(dispute, beside))
    early = list(early_stops(dispute))
    over = {judgement.turn for judgement in [*early, *(f.judgement for f in choices)]}
    withheld = [f for f in withheld_errors(dispute) if f.judgement.turn not in over]
    found = [*values, *choices, *withheld]
    spoken_for = {k.name for f in found if f.known is not None for k in dispute.brief.twins(f.known)}
    yield from (judgement for _, judgement in scope)
    yield from (f.judgement for f in found)
    yield from constraint_errors(dispute, beside)
    yield from early
    yield from left_out(dispute, spoken_for, stopped=bool(early))
    yield from late_stops(dispute)
    yield from own_tool_errors(dispute)


def _distinct(found: Sequence[Judgement]) -> list[Judgement]:
    """One of a kind in a turn, the first; a stop once."""
    kept: dict[tuple[str, int], Judgement] = {}
    for judgement in found:
        kept.setdefault((judgement.kind, judgement.turn), judgement)
    return list(kept.values())
