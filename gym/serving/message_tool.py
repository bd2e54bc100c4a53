"""The tool by which an agent speaks to the user, and what an agent is told at the start.

Invariant: both hold the user's first message and say who ends the conversation, because many clients show a model the
tools and not the instructions. Not covered: what comes back (`episode_server`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

__all__ = ["arguments_problem", "message_tool", "message_tool_name", "opening"]

_SPEAK = (
    "The user sees only what you say with this tool, neither your other calls nor their results. Only the user ends "
    "the conversation: when all that was asked is done, say so with this tool and give the answers that were asked "
    "for; then the result says that the conversation has ended, and no further call is made."
)


def message_tool_name(taken: Collection[str]) -> str:
    """`message_user`, or with a number where a tool of the environment has that name."""
    names = ("message_user", *(f"message_user_{n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def message_tool(name: str, first: str) -> dict[str, Any]:
    """The tool as MCP lists it. `first` is the user's first message."""
    return {
        "name": name,
        "title": "Message the user",
        "description": f"Say something to the user and get the user's answer. {_SPEAK}\n\nThe user began:\n{first}",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "minLength": 1, "description": "What you say to the user."}},
            "required": ["text"],
            "additionalProperties": False,
        },
        "annotations": {
            "readOnlyHint": False,
            "destructiveHint": False,
            "idempotentHint": False,
            "openWorldHint": True,
        },
    }


def opening(rules: str, name: str, first: str) -> str:
    """The server's instructions: the rules of the domain, how to speak to the user, and what the user said first."""
    task = f"You help a user with the tools of this server. Speak to the user with {name}. {_SPEAK}"
    return "\n\n".join(part for part in (rules.strip(), task, f"The user began:\n{first}") if part)


def arguments_problem(name: str, arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with the arguments of the tool, in one sentence."""
    text = arguments.get("text")
    if set(arguments) == {"text"} and isinstance(text, str) and text.strip():
        return None
    return f"{name} takes one argument, text: what you say to the user, not empty; nothing was said."
