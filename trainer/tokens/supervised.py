"""Rows for the cold start: episodes that a model without token ids played well, written by the template.

Invariant: a row is what the renderer would have sent and the policy sampled had it made these turns; only the turns'
own ids are learnt from, the token that ends each included. Not covered: which episodes are worth it.
"""

from __future__ import annotations

import math

from autoforge.gym.agents.prompt import system_prompt
from autoforge.gym.llm import Message
from autoforge.gym.trajectory import Trajectory, Turn
from autoforge.gym.turns import Action
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.renderer import TemplateRenderer
from autoforge.trainer.tokens.sequence import Rollout, TokenRow, TurnSpan

__all__ = ["supervised_rollout"]


def supervised_rollout(trajectory: Trajectory, renderer: TemplateRenderer) -> Rollout:
    """The row of an episode, without logprobs and versions. Turns that were cut off or hold a malformed call stay in
    the row and are not learnt from. Raises BadInput where there is nothing to learn."""
    ids: tuple[int, ...] = ()
    trainable: list[bool] = []
    spans: list[TurnSpan] = []
    seen: list[Message] = []
    for place, turn in enumerate(trajectory.turns):
        if turn.role != "assistant":
            seen.append(_message(turn))
            continue
        prompt = _prompt(trajectory, renderer, ids, tuple(seen), not spans)
        written = renderer.written(_action(turn))
        trainable += [False] * (len(prompt) - len(ids))
        trainable += [written.well_formed and not turn.truncated] * len(written.ids)
        ids, seen = (*prompt, *written.ids), []
        spans.append(TurnSpan(place, len(prompt), len(ids), turn.truncated))
    if not any(trainable):
        raise BadInput(f"{trajectory.id} has no turn to learn from; leave it out of the cold start.")
    row = TokenRow(ids, tuple(trainable), (math.nan,) * len(ids), (), tuple(spans))
    ended = trajectory.end in ("stop", "transfer", "out_of_scope")
    return Rollout(trajectory.id, (row,), terminated=ended, truncated=trajectory.end == "truncated")


def _prompt(
    trajectory: Trajectory, renderer: TemplateRenderer, ids: tuple[int, ...], seen: tuple[Message, ...], first: bool
) -> tuple[int, ...]:
    if not first:
        return renderer.extended(ids, seen)
    return renderer.opening(system_prompt(trajectory.instructions), trajectory.tools, seen)


def _message(turn: Turn) -> Message:
    return Message(role=turn.role, content=turn.content, tool_call_id=turn.tool_call_id, is_error=turn.is_error)


def _action(turn: Turn) -> Action:
    return Action(text=turn.content, calls=turn.tool_calls, reasoning=turn.reasoning, truncated=turn.truncated)
