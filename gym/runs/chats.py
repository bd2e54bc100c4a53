"""A trajectory as a chat with tools, as models are trained on it, in OpenAI's format.

Invariant: what the policy did not see or say is not in it: no markers, no traffic of the user's own tools, no turn that
was cut off or empty (nor the remark about it), nothing after the policy's last turn. Not covered: which trajectories
are worth training on (`commands.export`), tokens and masks (the trainer keeps what was sampled).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from autoforge.gym.llm import ToolCall
from autoforge.gym.trajectory import Trajectory, Turn, heard_turns

__all__ = ["chat_of"]


def chat_of(trajectory: Trajectory, *, thinking: bool = True) -> dict[str, JsonValue] | None:
    """`messages` and `tools`, with where they come from; None where the policy said nothing. With `thinking`, reasoning
    that can be read goes along as `reasoning_content`."""
    useful = (turn for _, turn in heard_turns(trajectory.turns) if turn.role != "user" or turn.content)
    messages = [_message(turn, thinking) for turn in useful]
    while messages and messages[-1]["role"] != "assistant":
        messages.pop()
    if not messages:
        return None
    if trajectory.instructions:
        messages.insert(0, {"role": "system", "content": trajectory.instructions})
    return {
        "id": trajectory.id,
        "environment": trajectory.environment,
        "task": trajectory.task,
        "reward": trajectory.reward,
        "messages": list(messages),
        "tools": [_tool(tool) for tool in trajectory.tools],
    }


def _message(turn: Turn, thinking: bool) -> dict[str, JsonValue]:
    if turn.role == "tool":
        return {"role": "tool", "tool_call_id": turn.tool_call_id, "content": turn.content}
    message: dict[str, JsonValue] = {"role": turn.role, "content": turn.content}
    reasoning = "\n".join(block.text for block in turn.reasoning if block.text)
    if thinking and reasoning:
        message["reasoning_content"] = reasoning
    if turn.tool_calls:
        message["tool_calls"] = [_call(call) for call in turn.tool_calls]
    return message


def _call(call: ToolCall) -> dict[str, JsonValue]:
    written = json.dumps(call.arguments, ensure_ascii=False) if call.malformed is None else call.malformed
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": written}}


def _tool(tool: Mapping[str, Any]) -> dict[str, JsonValue]:
    function: dict[str, JsonValue] = {"name": tool["name"]}
    if tool.get("description"):
        function["description"] = tool["description"]
    return {"type": "function", "function": {**function, "parameters": tool.get("inputSchema") or {"type": "object"}}}
