"""What a request to a model and its reply are, whatever the provider.

The invariant: a reply turned back into a message (`Reply.as_message`) is replayed to the same provider as it came,
signed reasoning blocks byte for byte and in their places. What a provider's HTTP bodies look like is not here.
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

__all__ = ["Message", "ReasoningBlock", "Reply", "Request", "StopReason", "Tool", "ToolCall", "Usage"]

StopReason = Literal["end", "length", "tool_calls", "stop_sequence", "refusal", "other"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolCall(_Frozen):
    """One call that the model asked for."""

    id: str
    name: str
    arguments: dict[str, Any] = {}
    malformed: str | None = None
    """The arguments as written, when they were no JSON object (`arguments` is then empty): the model's own error."""


class ReasoningBlock(_Frozen):
    """One opaque piece of a provider's reasoning; shown to nobody, replayed as it came."""

    provider: str
    data: dict[str, Any]
    """As received."""
    index: int = 0
    """Its place among the parts of the answer."""

    @property
    def text(self) -> str:
        """What can be read of it; empty for encrypted blocks."""
        for field in ("thinking", "reasoning_content", "reasoning", "inline"):
            if isinstance(value := self.data.get(field), str):
                return value
        return ""


class Message(_Frozen):
    """One turn: of the user, of the model (`assistant`), or the result of one tool call (`tool`)."""

    role: Literal["user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: tuple[ReasoningBlock, ...] = ()
    tool_call_id: str | None = None
    """Which call a `tool` message answers."""
    is_error: bool = False
    """Whether the tool refused or failed."""

    @model_validator(mode="after")
    def _belongs_to_its_role(self) -> Self:
        if (self.role == "tool") != (self.tool_call_id is not None):
            raise ValueError("tool_call_id belongs to tool messages, and every tool message needs it")
        if self.role != "assistant" and (self.tool_calls or self.reasoning):
            raise ValueError("only an assistant message has tool calls or reasoning")
        return self


class Tool(_Frozen):
    """A tool as MCP lists it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    description: str | None = None
    inputSchema: dict[str, Any] = {"type": "object"}


class Request(_Frozen):
    """Everything that decides an answer, besides the model and the trial number."""

    system: str = ""
    messages: tuple[Message, ...] = Field(min_length=1)
    tools: tuple[Tool, ...] = ()
    temperature: float | None = Field(default=None, ge=0)
    """None leaves it to the model; several reasoning models accept nothing else."""
    max_tokens: int = Field(default=8192, ge=1)
    """Tokens of the answer, reasoning included."""
    effort: Literal["low", "medium", "high"] | None = Field(default=None, exclude_if=lambda effort: effort is None)
    """How hard a reasoning model thinks; None leaves it to the model, and sends nothing. Claude models before 4.6 and
    models that do not reason refuse it."""
    seed: int | None = None
    """Sent where the provider has one; Anthropic has none."""
    stop: tuple[str, ...] = ()
    response_schema: dict[str, Any] | None = None
    """The JSON Schema that the answer must match; a pydantic model class is turned into its schema."""

    @field_validator("response_schema", mode="before")
    @classmethod
    def _schema_of_a_model(cls, value: object) -> object:
        return value.model_json_schema() if isinstance(value, type) and issubclass(value, BaseModel) else value


class Usage(_Frozen):
    """Tokens as the provider counted them."""

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)


class Reply(_Frozen):
    """One answer of a model."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: tuple[ReasoningBlock, ...] = ()
    stop_reason: StopReason = "end"
    usage: Usage | None = None
    """None when the server did not say."""
    model: str = ""
    """The model as the server named it."""

    @property
    def truncated(self) -> bool:
        """Whether the answer was cut off by a length limit."""
        return self.stop_reason == "length"

    def as_message(self) -> Message:
        """The answer as the assistant's turn of the next request."""
        return Message(role="assistant", content=self.text, tool_calls=self.tool_calls, reasoning=self.reasoning)
