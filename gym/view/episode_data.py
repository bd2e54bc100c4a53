"""What the page is given of one trajectory: a line for the list, and the whole for when it is opened.

Invariant: every text is cleaned and every value exact; token ids stay out, their count and what can be read of them are
in; what many episodes share (tools, instructions) is kept once. Not covered: how it looks (`templates`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from autoforge.gym.llm import ToolCall
from autoforge.gym.trajectory import Judgement, Trajectory, Turn, UserToolCall
from autoforge.gym.turns import SampledTokens
from autoforge.gym.view.script_data import clean, data_line, exact
from autoforge.mcp_envs.task import RowChange

__all__ = ["Shelf", "episode_data", "list_entry"]

_FIRST_WORDS = 140
"""Characters of the first message that the list shows."""


class Shelf:
    """Things that many episodes share, each kept once and known by its place."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, thing: Any) -> int:
        line = str(data_line(thing))
        if line not in self._places:
            self._places[line] = len(self.things)
            self.things.append(thing)
        return self._places[line]


def list_entry(trajectory: Trajectory) -> dict[str, Any]:
    """The line of the list, with all that it is filtered and sorted by."""
    turns = trajectory.turns
    judged = trajectory.judgements
    words = " ".join(next((turn.content for turn in turns if turn.role == "user"), "").split())
    return {
        "id": clean(trajectory.id),
        "environment": clean(trajectory.environment),
        "task": clean(trajectory.task),
        "agent": clean(trajectory.agent),
        "user": clean(trajectory.user),
        "trial": trajectory.trial,
        "end": trajectory.end,
        "reward": _finite(trajectory.reward),
        "blame": trajectory.failure.blame if trajectory.failure else None,
        "masked": trajectory.masked,
        "kinds": None if judged is None else sorted({clean(one.kind) for one in judged}),
        "turns": sum(turn.role == "assistant" for turn in turns),
        "calls": sum(len(turn.tool_calls) for turn in turns),
        "tokens": _tokens(turns),
        "seconds": _finite(trajectory.seconds),
        "cost": _finite(trajectory.cost),
        "words": clean(words[:_FIRST_WORDS]),
    }


def _tokens(turns: Iterable[Turn]) -> int:
    """Tokens that the agent read and wrote."""
    return sum(sum(count) for turn in turns if turn.role == "assistant" and (count := _token_counts(turn)))


def _token_counts(turn: Turn) -> tuple[int, int] | None:
    if turn.usage is not None:
        return turn.usage.input_tokens, turn.usage.output_tokens
    return (len(turn.tokens.prompt_ids), len(turn.tokens.ids)) if turn.tokens is not None else None


def episode_data(trajectory: Trajectory, shelf: Shelf) -> dict[str, Any]:
    """All that the page shows when the episode is opened, beside its line of the list."""
    failure, judged = trajectory.failure, trajectory.judgements
    return {
        "why": clean(trajectory.why),
        "state": trajectory.state_reached,
        "answers": [[clean(a.name), a.told, clean(a.reason)] for a in trajectory.answers],
        "explanation": [clean(sentence) for sentence in trajectory.explanation],
        "failure": [failure.blame, clean(failure.where), clean(failure.message)] if failure else None,
        "judgements": None if judged is None else [_judgement(one) for one in judged],
        "tools": shelf.place([_tool(tool) for tool in trajectory.tools]),
        "instructions": shelf.place(clean(trajectory.instructions)),
        "turns": [_turn(turn) for turn in trajectory.turns],
    }


def _judgement(one: Judgement) -> dict[str, Any]:
    texts = {name: clean(str(getattr(one, name))) for name in ("kind", "quote", "by", "explanation")}
    return {**texts, "turn": one.turn, "touches": one.touches, "effect": one.effect}


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    schema = tool.get("inputSchema")
    schema = schema if isinstance(schema, Mapping) else {}
    properties, required = schema.get("properties"), schema.get("required")
    listed = required if isinstance(required, list) else []
    return {
        "name": clean(str(tool.get("name", ""))),
        "description": clean(str(tool.get("description") or "")),
        "parameters": [
            [clean(str(name)), name in listed, exact(inner)]
            for name, inner in (properties.items() if isinstance(properties, Mapping) else ())
        ],
    }


def _turn(turn: Turn) -> dict[str, Any]:
    """Without what is not there."""
    whole = {
        "role": turn.role,
        "text": clean(turn.content),
        "thinking": [[clean(block.text), clean(block.provider)] for block in turn.reasoning],
        "calls": [_call(call) for call in turn.tool_calls],
        "answers": clean(turn.tool_call_id) if turn.tool_call_id is not None else None,
        "refused": turn.is_error,
        "cut": turn.truncated,
        "own": [_user_call(call) for call in turn.user_calls],
        "diff": [_change(change) for change in turn.diff],
        "progress": _finite(turn.progress),
        "tokens": _token_counts(turn),
        "sampled": _sampled(turn.tokens) if turn.tokens is not None else None,
        "seconds": _finite(turn.seconds),
    }
    return {name: value for name, value in whole.items() if value not in (None, "", [], False) or name == "progress"}


def _call(call: ToolCall) -> dict[str, Any]:
    made = {"id": clean(call.id), "name": clean(call.name), "arguments": _arguments(call.arguments)}
    return made if call.malformed is None else {**made, "malformed": clean(call.malformed)}


def _user_call(call: UserToolCall) -> dict[str, Any]:
    made = {"name": clean(call.tool), "arguments": _arguments(call.arguments)}
    return {**made, "text": clean(call.result), "refused": call.is_error}


def _arguments(arguments: Mapping[str, Any]) -> list[Any]:
    return [[clean(str(name)), exact(value)] for name, value in arguments.items()]


def _change(change: RowChange) -> dict[str, Any]:
    before, after = change.before or {}, change.after or {}
    both = change.before is not None and change.after is not None
    names = [n for n in {**before, **after} if not both or _differ(before, after, n)]
    fate = "changed" if both else "new" if change.before is None else "gone"
    return {
        "table": clean(change.table),
        "key": [exact(part) for part in change.key],
        "fate": fate,
        "cells": [[clean(n), exact(before.get(n)), exact(after.get(n))] for n in names],
    }


def _differ(before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> bool:
    return json.dumps(before.get(name)) != json.dumps(after.get(name))


def _sampled(tokens: SampledTokens) -> dict[str, Any]:
    mean = sum(tokens.logprobs) / len(tokens.logprobs) if tokens.logprobs else None
    return {"count": len(tokens.ids), "mean": _finite(mean), "versions": sorted(set(tokens.versions))}


def _finite(value: float | None) -> float | None:
    """A reward of NaN or infinity is no reward."""
    return value if value is None or abs(value) < float("inf") else None
