"""The chat completions protocol of OpenAI, vLLM, Ollama and others: `POST /chat/completions`.

Reasoning arrives in fields outside the protocol (`reasoning_content`, `reasoning`, `reasoning_details`) or, where a
server has no parser for it, as a leading `<think>…</think>` in the text, whose opening tag may have been the prompt's;
either is kept apart from what the model says and goes back as it came.

Invariant: what is sent back of an answer is what came. Not covered: sending (`transport`), trying again (`retry`).
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from autoforge.gym.llm.json_text import load_json
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

__all__ = ["OpenAIWire"]

STOP_REASONS: Final[dict[str, StopReason]] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "refusal",
}

REASONING_FIELDS: Final = ("reasoning_content", "reasoning", "reasoning_details")

# An unclosed one is a thought that was cut off, all of it; one that was not opened begins with the text. A tag inside a
# call that is written as text ends nothing.
INLINE_THOUGHT: Final = re.compile(
    r"\s*<think>.*?(?:</think>\s*|\Z)|(?:[^<]|<(?!think>|tool_call>|/think>))*+</think>\s*", re.DOTALL
)


class _Function(BaseModel):
    name: str
    arguments: str | dict[str, Any] | None = None


class _Call(BaseModel):
    id: str | None = None
    function: _Function


class _Part(BaseModel):
    text: str = ""


class _Message(BaseModel):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(Counts):
    prompt_tokens: int = 0
    completion_tokens: int | None = None

    def total(self) -> Usage:
        return Usage(input_tokens=self.prompt_tokens, output_tokens=self.completion_tokens or 0)


class _Answer(BaseModel):
    choices: list[_Choice]
    model: str | None = None
    usage: _Usage | None = None


class OpenAIWire:
    """Writes requests to, and reads answers of, `POST /chat/completions`."""

    path = "/chat/completions"

    def __init__(self, native_schema: bool = False, limit_field: str = "max_tokens") -> None:
        """`limit_field` is `max_completion_tokens` at OpenAI itself, whose reasoning models refuse `max_tokens`."""
        self._native_schema = native_schema
        self._limit_field = limit_field

    def body(self, model: str, request: Request) -> dict[str, Any]:
        """The JSON body of the request."""
        names = ToolNames.of(request)
        system = system_text(request)
        body: dict[str, Any] = {
            "model": model,
            self._limit_field: request.max_tokens,
            "messages": [{"role": "system", "content": system}] * bool(system)
            + [_turn(message, names) for message in request.messages],
        }
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": names.wire(tool.name),
                        "description": tool.description or "",
                        "parameters": object_schema(tool.inputSchema),
                    },
                }
                for tool in request.tools
            ]
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.effort is not None:
            body["reasoning_effort"] = request.effort
        if request.seed is not None:
            body["seed"] = request.seed
        if request.stop:
            body["stop"] = list(request.stop)
        if self._native_schema and request.response_schema is not None:
            schema = {"name": "answer", "schema": request.response_schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def reply(self, body: dict[str, Any], request: Request) -> Reply:
        """The answer in a response body.

        Raises:
            MalformedAnswer: the body is no chat completion, or has no choice.
        """
        try:
            answer = _Answer.model_validate(body)
        except ValidationError as error:
            raise MalformedAnswer(f"the body is no chat completion: {first_fault(error)}") from None
        if not answer.choices:
            raise MalformedAnswer("the chat completion has no choice")
        return _reply(answer, body["choices"][0]["message"], ToolNames.of(request))

    def usage(self, body: dict[str, Any]) -> Usage | None:
        """The tokens that a body without an answer says were used."""
        return usage_of(body, _Usage)


def _reply(answer: _Answer, raw: dict[str, Any], names: ToolNames) -> Reply:
    choice = answer.choices[0]
    text, thought = _without_thought(_text(choice.message))
    calls = tuple(_call(call, number, names) for number, call in enumerate(choice.message.tool_calls or []))
    refused = choice.message.refusal is not None and not text and not calls
    return Reply(
        text=choice.message.refusal or "" if refused else text,
        tool_calls=calls,
        reasoning=_reasoning(raw, thought),
        stop_reason="refusal" if refused else STOP_REASONS.get(choice.finish_reason or "", "other"),
        usage=answer.usage.total() if answer.usage else None,
        model=answer.model or "",
    )


def _text(message: _Message) -> str:
    if isinstance(message.content, list):
        return "".join(part.text for part in message.content)
    return message.content or ""


def _without_thought(text: str) -> tuple[str, str]:
    match = INLINE_THOUGHT.match(text)
    return (text[match.end() :], match.group()) if match else (text, "")


def _reasoning(raw: dict[str, Any], thought: str) -> tuple[ReasoningBlock, ...]:
    found: list[dict[str, Any]] = [{field: raw[field]} for field in REASONING_FIELDS if raw.get(field)]
    if thought:
        found.append({"inline": thought})
    return tuple(ReasoningBlock(provider="openai", data=data) for data in found)


def _call(call: _Call, number: int, names: ToolNames) -> ToolCall:
    identity, name = call.id or f"call_{number}", names.own(call.function.name)
    written = call.function.arguments
    if isinstance(written, dict):
        return ToolCall(id=identity, name=name, arguments=written)
    try:
        arguments = load_json(written or "{}")
    except ValueError:
        arguments = None
    if isinstance(arguments, dict):
        return ToolCall(id=identity, name=name, arguments=arguments)
    return ToolCall(id=identity, name=name, malformed=written)


def _turn(message: Message, names: ToolNames) -> dict[str, Any]:
    if message.role == "user":
        return {"role": "user", "content": message.content or NO_TEXT}
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
    return _assistant(message, names)


def _assistant(message: Message, names: ToolNames) -> dict[str, Any]:
    own = [block.data for block in message.reasoning if block.provider == "openai"]
    content = "".join(data["inline"] for data in own if "inline" in data) + message.content
    turn: dict[str, Any] = {"role": "assistant", "content": content or None}
    for data in own:
        turn.update({field: value for field, value in data.items() if field != "inline"})
    if message.tool_calls:
        # Malformed arguments go back as `{}`: chat templates parse them, and the server would fail on the raw text.
        turn["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": names.wire(call.name),
                    "arguments": json.dumps(call.arguments, ensure_ascii=False),
                },
            }
            for call in message.tool_calls
        ]
    elif content == "":
        turn["content"] = NO_TEXT
    return turn
