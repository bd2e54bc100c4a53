"""Messages of the gym as chat templates want them.

Invariant: nothing of a message is lost or added but what `Disarmed` does; results of one turn's calls stay together and
in order. Not covered: what a template makes of them (`template`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Literal, TypeAlias

from autoforge.gym.agents.hermes_text import render_results, render_tools, render_turn
from autoforge.gym.llm import Message, ReasoningBlock
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.turns import Action, Observation
from autoforge.trainer.tokens.tokenizer import Disarmed

__all__ = ["ChatMessage", "Conversation", "ThoughtPlace", "ToolStyle", "thought_of"]

ChatMessage: TypeAlias = dict[str, Any]
"""A message as transformers' chat templates know it."""

ToolStyle: TypeAlias = Literal["template", "hermes"]
"""Who writes tools, calls and results: the template, or the Hermes text format inside plain messages."""

ThoughtPlace: TypeAlias = Literal["field", "inline"]
"""Where a template wants a turn's thought: as `reasoning_content`, or between tags at the start of the content."""


class Conversation:
    """Turns what passes between an agent and an episode into chat messages."""

    def __init__(self, disarmed: Disarmed, tools: ToolStyle) -> None:
        self._disarmed = disarmed
        self._style = tools

    def system(self, text: str, tools: Sequence[ToolDocument]) -> list[ChatMessage]:
        """The system message; none where there is nothing to say."""
        if tools and self._style == "hermes":
            text = f"{text}\n\n{render_tools(tools)}".lstrip()
        return [{"role": "system", "content": self._disarmed.text(text)}] if text else []

    def tools(self, tools: Sequence[ToolDocument]) -> list[ChatMessage]:
        """The tools that the template shows, as function documents."""
        return [] if self._style == "hermes" else [self._disarmed.value(_function(tool)) for tool in tools]

    def observed(self, observation: Observation) -> list[ChatMessage]:
        """What is new to the agent."""
        found: list[ChatMessage] = []
        for role, group in groupby(observation, lambda message: message.role):
            messages = list(group)
            if role == "tool" and self._style == "hermes":
                found.append(self._user(render_results(messages)))
            else:
                found += map(self._result if role == "tool" else self._said, messages)
        return found

    def acted(self, action: Action, thoughts: ThoughtPlace) -> ChatMessage:
        """A turn of the agent. A call that was no JSON object stands in the text, as it was written."""
        plain = action.model_copy(update={"reasoning": ()})
        as_text = self._style == "hermes" or any(call.malformed is not None for call in action.calls)
        content = render_turn(plain) if as_text else action.text
        thought = thought_of(action.reasoning)
        message: ChatMessage = {"role": "assistant", "content": self._disarmed.text(content)}
        if thought and thoughts == "field":
            message["reasoning_content"] = self._disarmed.text(thought)
        elif thought:
            message["content"] = self._disarmed.text(f"<think>\n{thought}\n</think>\n\n{content}")
        if action.calls and not as_text:
            message["tool_calls"] = [self._call(c.id, c.name, c.arguments) for c in action.calls]
        return message

    def _call(self, identity: str, name: str, arguments: dict[str, Any]) -> ChatMessage:
        function = {"name": self._disarmed.text(name), "arguments": self._disarmed.value(arguments)}
        return {"id": identity, "type": "function", "function": function}

    def _result(self, message: Message) -> ChatMessage:
        content = self._disarmed.text(message.content)
        return {"role": "tool", "content": content, "tool_call_id": message.tool_call_id}

    def _said(self, message: Message) -> ChatMessage:
        return {"role": message.role, "content": self._disarmed.text(message.content)}

    def _user(self, text: str) -> ChatMessage:
        return {"role": "user", "content": self._disarmed.text(text)}


def thought_of(reasoning: Sequence[ReasoningBlock]) -> str:
    """What can be read of a turn's reasoning, without tags."""
    text = "\n".join(block.text.strip() for block in reasoning if block.text.strip())
    return text.replace("<think>", "").replace("</think>", "").strip()


def _function(tool: ToolDocument) -> ChatMessage:
    function = {
        "name": tool["name"],
        "description": tool.get("description") or "",
        "parameters": tool.get("inputSchema") or {"type": "object", "properties": {}},
    }
    return {"type": "function", "function": function}
