"""Calls of the user's own tools that the task does not ask for, or that are made with other arguments.

Invariant: what the agent asked for in the words of the call is the agent's doing. Not covered: steps that were not
made.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from autoforge.gym.judge.brief import name_words
from autoforge.gym.judge.case import Dispute, bare
from autoforge.gym.judge.exchanges import Exchange, reads
from autoforge.gym.judge.language import stem
from autoforge.gym.trajectory import Judgement, UserToolCall

__all__ = ["own_tool_errors"]


def own_tool_errors(dispute: Dispute) -> Iterator[Judgement]:
    """Each call that is wrong, in order."""
    wanted = Counter(_key(c.tool, c.arguments) for c in dispute.task.gold.calls if c.actor == "user")
    tools = {c.tool for c in dispute.task.gold.calls if c.actor == "user"}
    for exchange in dispute.exchanges:
        for call in exchange.user_calls:
            key = _key(call.tool, call.arguments)
            if wanted[key] > 0:
                wanted[key] -= 0 if call.is_error else 1
                continue
            why = _why(dispute, exchange, call, tools)
            if why:
                touches: Any = "nothing" if call.is_error or reads(call.tool, dispute.tools) else "compared"
                yield dispute.judgement("wrong_tool", exchange, exchange.said or call.tool, touches, why)


def _why(dispute: Dispute, exchange: Exchange, call: UserToolCall, tools: set[str]) -> str:
    """Why a call that gold does not have is an error; empty where it is none."""
    asked = _is_asked(dispute, exchange, call)
    if call.tool in tools:
        wanted = [dict(c.arguments) for c in dispute.task.gold.calls if c.actor == "user" and c.tool == call.tool]
        if dict(call.arguments) in wanted:
            return "" if asked else f"{call.tool} was called more often than the task says"
        return (
            ""
            if asked and _are_told(exchange, call)
            else f"{call.tool} was called with {dict(call.arguments)}, the task says {wanted[0]}"
        )
    if (asked and _are_told(exchange, call)) or reads(call.tool, dispute.tools):
        return ""
    return f"{call.tool} is no step of the user in this task"


def _is_asked(dispute: Dispute, exchange: Exchange, call: UserToolCall) -> bool:
    """Whether the agent's message names what the tool does."""
    code = dispute.lexicon.code
    said = {stem(w, code) for w in bare(exchange.heard).split()}
    words = [stem(w, code) for w in name_words(call.tool)]
    return bool(words) and sum(w in said for w in words) >= 0.75 * len(words)


def _are_told(exchange: Exchange, call: UserToolCall) -> bool:
    """Whether the agent's message holds the arguments."""
    text = bare(exchange.heard)
    return all(isinstance(v, bool) or bare(str(v)).strip() in text for v in call.arguments.values())


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    return json.dumps([tool, dict(arguments)], sort_keys=True, default=str)
