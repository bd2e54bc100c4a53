"""What a model is told of being an agent.

Invariant: no word of a task, a user or a reward is in it; the rules of the domain stand in it as they are. Not covered:
how tools are shown (natively, or `hermes`).
"""

from __future__ import annotations

__all__ = ["system_prompt"]

_MANNERS = """\
You are an agent of a service. You talk with one user and have the service's tools.

- In each turn either call tools or write one message to the user. Text beside tool calls does not reach the user.
- Do all that the user asks for, as the user asks for it, and change nothing else.
- Look up with the tools what they can tell. Ask the user only for what is missing then, and never make up a value.
- Where a step is the user's own to do, ask the user to do it, and wait for the answer.
- Tell the user the results that were asked for, and what cannot be done. Say so when all is done; the user ends the \
conversation."""


def system_prompt(instructions: str) -> str:
    """The system prompt, with the rules of the domain."""
    rules = instructions.strip()
    return f"{_MANNERS}\n\nThe rules of the service:\n\n{rules}" if rules else _MANNERS
