"""What passes between an agent and an episode: turns of the agent, and what comes back.

Invariant: an action is one assistant turn, either text to the user or tool calls (text beside calls is not sent to the
user); reasoning and tokens belong to the agent alone and reach neither user nor tools. Not covered: how a model makes a
turn (`agents`).
"""

from __future__ import annotations

from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

from autoforge.gym.llm import Message, ReasoningBlock, Reply, ToolCall, Usage

__all__ = ["Action", "Observation", "SampledTokens"]

Observation: TypeAlias = tuple[Message, ...]
"""What is new since the agent's last turn: one message of the user, or one result for each of its calls, in order."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SampledTokens(_Frozen):
    """What a sampler gave and took: what is trained on is this, never text that is tokenized again."""

    prompt_ids: tuple[int, ...]
    """All ids that were sent."""
    ids: tuple[int, ...]
    """Ids that were sampled, the stop token included where it was sampled."""
    logprobs: tuple[float, ...]
    """One for each sampled id, after temperature and cuts."""
    versions: tuple[int, ...] = ()
    """The version of the weights for each sampled id; empty where there is one only."""


class Action(_Frozen):
    """One turn of an agent."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    reasoning: tuple[ReasoningBlock, ...] = ()
    tokens: SampledTokens | None = None
    truncated: bool = False
    """Whether the turn was cut off by a length limit."""
    usage: Usage | None = None

    @classmethod
    def of(cls, reply: Reply) -> Action:
        """The turn that a model's reply is."""
        return cls(
            text=reply.text,
            calls=reply.tool_calls,
            reasoning=reply.reasoning,
            truncated=reply.truncated,
            usage=reply.usage,
        )

    def as_message(self) -> Message:
        """The turn as the history keeps it."""
        return Message(role="assistant", content=self.text, tool_calls=self.calls, reasoning=self.reasoning)
