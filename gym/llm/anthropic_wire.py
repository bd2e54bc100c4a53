"""The Messages protocol of Anthropic: `POST /v1/messages`.

Reasoning blocks (`thinking`, `redacted_thinking`) are signed: they come back as they came and where they stood.
A seed does not exist in this protocol and is not sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ValidationError

from autoforge.gym.llm.messages import Message, ReasoningBlock, Reply, Request, StopReason, ToolCall, Usage
from autoforge.gym.llm.wire import (
    NO_TEXT,
    Counts,
    MalformedAnswer,
    ToolNames,
    first_fault,
    object_schema,
    system_text,
    usage_of,
)

__all__ = ["AnthropicWire"]

STOP_REASONS: Final[dict[str, StopReason]] = {
    "end_turn": "end",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "stop_sequence": "stop_sequence",
    "tool_use": "tool_calls",
    "refusal": "refusal",
}

REASONING_TYPES: Final = ("thinking", "redacted_thinking")


class _Usage(Counts):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None

    def total(self) -> Usage:
        cached = (self.cache_creation_input_tokens or 0) + (self.cache_read_input_tokens or 0)
        return Usage(input_tokens=self.input_tokens + cached, output_tokens=self.output_tokens)


class _Answer(BaseModel):
    type: Literal["message"]
    content: list[dict[str, Any]]
    stop_reason: str | None = None
    model: str = ""
    usage: _Usage | None = None


class _ToolUse(BaseModel):
    id: str
    name: str
    input: dict[str, Any] = {}


class AnthropicWire:
    """Writes requests to, and reads answers of, `POST /v1/messages`."""

    path = "/v1/messages"

    def body(self, model: str, request: Request) -> dict[str, Any]:
        """The JSON body of the request."""
        names = ToolNames.of(request)
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": request.max_tokens,
            "messages": _turns(request.messages, names),
        }
        if system := system_text(request):
            body["system"] = system
        if request.tools:
            body["tools"] = [
                {
                    "name": names.wire(tool.name),
                    "description": tool.description or "",
                    "input_schema": object_schema(tool.inputSchema),
                }
                for tool in request.tools
            ]
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.effort is not None:
            body |= {"thinking": {"type": "adaptive"}, "output_config": {"effort": request.effort}}
        if request.stop:
            body["stop_sequences"] = list(request.stop)
        return body

    def reply(self, body: dict[str, Any], request: Request) -> Reply:
        """The answer in a response body.

        Raises:
            MalformedAnswer: the body is no message.
        """
        try:
            answer = _Answer.model_validate(body)
            return _reply(answer, ToolNames.of(request))
        except ValidationError as error:
            raise MalformedAnswer(f"the body is no message: {first_fault(error)}") from None

    def usage(self, body: dict[str, Any]) -> Usage | None:
        """The tokens that a body without an answer says were used."""
        return usage_of(body, _Usage)


def _reply(answer: _Answer, names: ToolNames) -> Reply:
    texts: list[str] = []
    calls: list[ToolCall] = []
    reasoning: list[ReasoningBlock] = []
    for block in answer.content:
        # All texts become one part, at the place of the first.
        place = len(reasoning) + len(calls) + bool(texts)
        kind = block.get("type")
        if kind == "text":
            texts.append(str(block.get("text", "")))
        elif kind == "tool_use":
            use = _ToolUse.model_validate(block)
            calls.append(ToolCall(id=use.id, name=names.own(use.name), arguments=use.input))
        elif kind in REASONING_TYPES:
            reasoning.append(ReasoningBlock(provider="anthropic", data=block, index=place))
    return Reply(
        text="".join(texts),
        tool_calls=tuple(calls),
        reasoning=tuple(reasoning),
        stop_reason=STOP_REASONS.get(answer.stop_reason or "", "other"),
        usage=answer.usage.total() if answer.usage else None,
        model=answer.model,
    )


def _turns(messages: Sequence[Message], names: ToolNames) -> list[dict[str, Any]]:
    """Turns that alternate: results of tools and what the user says next are one turn of the user."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        content = _assistant(message, names) if role == "assistant" else [_from_outside(message)]
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"].extend(content)
        else:
            turns.append({"role": role, "content": content})
    return turns


def _from_outside(message: Message) -> dict[str, Any]:
    if message.role == "user":
        return {"type": "text", "text": _text(message.content)}
    result: dict[str, Any] = {
        "type": "tool_result",
        "tool_use_id": message.tool_call_id,
        "content": _text(message.content),
    }
    return {**result, "is_error": True} if message.is_error else result


def _assistant(message: Message, names: ToolNames) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    if message.content.strip():
        parts.append({"type": "text", "text": message.content})
    for call in message.tool_calls:
        parts.append({"type": "tool_use", "id": call.id, "name": names.wire(call.name), "input": call.arguments})
    parts = parts or [{"type": "text", "text": NO_TEXT}]
    for block in message.reasoning:
        if block.provider == "anthropic":
            parts.insert(block.index, block.data)
    return parts


def _text(text: str) -> str:
    return text if text.strip() else NO_TEXT
