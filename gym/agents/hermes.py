"""A chat model without native tool calls: the Hermes text format in plain completion text.

Invariant: the model sees its own turns again as it wrote them, faults included, and thoughts by the same rules as with
native calls; consecutive results are one message. Not covered: the format itself (`hermes_text`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from autoforge.gym.agents.agent import Briefing
from autoforge.gym.agents.chat import ChatAgent, ChatSettings, Said
from autoforge.gym.agents.hermes_text import read_turn, render_results, render_tools
from autoforge.gym.agents.prompt import system_prompt
from autoforge.gym.llm import Message, ModelClient, ReasoningBlock, Reply, Tool
from autoforge.gym.turns import Action
from autoforge.mcp_envs.errors import BadInput

__all__ = ["HermesAgent", "numbered"]

_PROVIDER = "openai"
"""Whose wire carries what a model wrote as text, thoughts included."""


class HermesAgent(ChatAgent):
    """A chat model that writes its calls as text."""

    def __init__(self, client: ModelClient, settings: ChatSettings | None = None, *, name: str | None = None) -> None:
        """Raises BadInput where the provider cannot do what is asked."""
        if client.spec.provider != _PROVIDER:
            words = f"{client.spec} has native calls, and no place for thoughts that are written as text"
            raise BadInput(f"{words}; leave out hermes+, or name a model as {_PROVIDER}:MODEL.")
        super().__init__(client, settings, form=_HermesForm(), name=name or f"hermes+{client.spec}")


def numbered(action: Action, turn: int) -> Action:
    """The action with ids of calls that occur once in an episode."""
    calls = (call.model_copy(update={"id": f"call_{turn}_{place}"}) for place, call in enumerate(action.calls))
    return action.model_copy(update={"calls": tuple(calls)})


class _HermesForm:
    def system(self, briefing: Briefing) -> str:
        return f"{system_prompt(briefing.instructions)}\n\n{render_tools(briefing.tools)}"

    def tools(self, briefing: Briefing) -> tuple[Tool, ...]:
        return ()

    def sent(self, history: Sequence[Message]) -> tuple[Message, ...]:
        sent: list[Message] = []
        for role, messages in groupby(history, lambda message: message.role):
            if role == "tool":
                sent.append(Message(role="user", content=render_results(list(messages))))
            else:
                sent += messages
        return tuple(sent)

    def said(self, reply: Reply, turn: int) -> Said:
        written = read_turn(reply.text)
        reasoning = reply.reasoning
        if written.thought:
            reasoning += (ReasoningBlock(provider=_PROVIDER, data={"inline": written.thought}),)
        action = Action(
            text=written.text, calls=written.calls, reasoning=reasoning, truncated=reply.truncated, usage=reply.usage
        )
        message = Message(role="assistant", content=written.said, reasoning=() if reply.truncated else reasoning)
        return Said(numbered(action, turn), message)
