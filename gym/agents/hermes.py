"""A chat model without native tool calls: the Hermes text format in plain completion text.

Invariant: the model sees its own turns again as it wrote them, faults included, and thoughts by the same rules as with
native calls; consecutive results are one message. Not covered: the format itself (`hermes_text`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from autoforge.gym.agents.agent import Briefing
from autoforge.gym.agents.chat import ChatAgent, ChatSettings, Said
from autoforge.gym.agents.hermes_text import parse_turn, read_turn, render_results, render_tools, render_turn
from autoforge.gym.agents.prompt import system_prompt
from autoforge.gym.llm import Message, ModelClient, ReasoningBlock, Reply, Tool
from autoforge.gym.turns import Action

__all__ = ["HermesAgent", "numbered", "parse_turn", "render_turn"]


class HermesAgent(ChatAgent):
    """A chat model that writes its calls as text."""

    def __init__(self, client: ModelClient, settings: ChatSettings | None = None, *, name: str | None = None) -> None:
        """Raises BadInput where the provider cannot do what is asked."""
        super().__init__(client, settings, form=_HermesForm(client.spec.provider), name=name or f"hermes+{client.spec}")


def numbered(action: Action, turn: int) -> Action:
    """The action with ids of calls that occur once in an episode."""
    calls = (call.model_copy(update={"id": f"call_{turn}_{place}"}) for place, call in enumerate(action.calls))
    return action.model_copy(update={"calls": tuple(calls)})


class _HermesForm:
    def __init__(self, provider: str) -> None:
        self._provider = provider

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
            reasoning += (ReasoningBlock(provider=self._provider, data={"inline": written.thought}),)
        action = Action(
            text=written.text, calls=written.calls, reasoning=reasoning, truncated=reply.truncated, usage=reply.usage
        )
        message = Message(role="assistant", content=written.said, reasoning=() if reply.truncated else reasoning)
        return Said(numbered(action, turn), message)
