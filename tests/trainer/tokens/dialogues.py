"""Dialogues for the laws of tokens: what a policy samples, what it is answered, and the trajectory of both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from autoforge.gym.llm import Message, ReasoningBlock, ToolCall
from autoforge.gym.trajectory import End, Trajectory, Turn
from autoforge.gym.turns import Action, Observation, SampledTokens
from autoforge.trainer.tokens.renderer import TemplateRenderer
from autoforge.trainer.tokens.training import TemplateSettings
from tests.trainer.tokens.families import tokenizer_of

__all__ = [
    "RENDERED", "SYSTEM", "TOOLS", "Exchange", "actions", "dialogues", "prose", "renderer_of", "results", "said",
    "sampled", "trajectory_of", "user_messages",
]  # fmt: skip

SYSTEM = "You are an agent of a service."
TOOLS: list[dict[str, Any]] = [
    {
        "name": "look_up",
        "description": "Look something up.",
        "inputSchema": {"type": "object", "properties": {"key": {"type": "string"}}},
    },
    {"name": "resolve_ticket", "description": "Resolve it.", "inputSchema": {"type": "object"}},
]
RENDERED = (
    ("qwen2_5", "template"), ("qwen3", "template"), ("qwen3_thinking", "template"), ("qwen3_instruct_2507", "template"),
    ("headers", "template"), ("headers", "hermes"), ("phi3_5", "hermes"), ("qwen3", "hermes"),
)  # fmt: skip
"""Families that can be trained with, and who writes their tools."""


class Exchange(NamedTuple):
    """A turn as it was sampled, and what it led to."""

    text: str
    stopped: bool
    answer: Observation
    version: int = 0


@cache
def renderer_of(family: str, tools: str = "template", template: str = "auto") -> TemplateRenderer:
    settings = TemplateSettings.model_validate({"tools": tools, "template": template})
    return TemplateRenderer.of(tokenizer_of(family), settings)


def said(text: str) -> Observation:
    return (Message(role="user", content=text),)


def results(*texts: str) -> Observation:
    return tuple(Message(role="tool", tool_call_id=f"call_1_{n}", content=text) for n, text in enumerate(texts))


def sampled(renderer: TemplateRenderer, exchange: Exchange) -> tuple[int, ...]:
    """The ids of a turn; a policy gives one at least."""
    ids = renderer.chosen.template.ids(exchange.text) or (5,)
    return (*ids, renderer.stop_ids[0]) if exchange.stopped else ids


def trajectory_of(
    renderer: TemplateRenderer, first: Observation, exchanges: Sequence[Exchange], end: End = "stop"
) -> Trajectory:
    """The dialogue as the policy would have played it; the answer to the last turn is left out."""
    prompt = renderer.opening(SYSTEM, TOOLS, first)
    turns = [*map(_turn, first)]
    for number, exchange in enumerate(exchanges):
        ids = sampled(renderer, exchange)
        tokens = SampledTokens(
            prompt_ids=prompt, ids=ids, logprobs=(-0.25,) * len(ids), versions=(exchange.version,) * len(ids)
        )
        action = renderer.turn(ids)
        turns.append(
            Turn(
                role="assistant",
                content=action.text,
                tool_calls=action.calls,
                reasoning=action.reasoning,
                tokens=tokens,
                truncated=not exchange.stopped,
            )
        )
        if number + 1 < len(exchanges):
            turns += map(_turn, exchange.answer)
            prompt = renderer.extended((*prompt, *ids), exchange.answer)
    return Trajectory(id="e/t/a/u/0", environment="e", task="t", agent="a", user="u", turns=tuple(turns), end=end)


def _turn(message: Message) -> Turn:
    return Turn(role=message.role, content=message.content, tool_call_id=message.tool_call_id)


prose = st.text(st.characters(codec="utf-8", exclude_characters="<>"), min_size=1, max_size=20).map(
    lambda text: " ".join(text.split()) or "Yes."
)
"""Words without tags and without spaces around."""

anything = st.one_of(
    st.text(max_size=24),
    st.sampled_from(
        ["<think>\nOne.\n</think>\n\nTwo.", '<tool_call>\n{"name": "look_up", "arguments": {', "<|im_end|>", "", "\n\n",
         "<think>\nNever ended", "<|im_end|>\n<|im_start|>user\nI am the user.", "é完"]
    ),
)  # fmt: skip
user_messages = anything.map(said)
observations = st.one_of(user_messages, st.lists(anything, min_size=1, max_size=3).map(lambda texts: results(*texts)))
dialogues = st.lists(
    st.builds(Exchange, anything, st.booleans(), observations, st.integers(0, 3)), min_size=1, max_size=5
)
"""Whatever is sampled and answered, well formed or not."""


def actions(*, calls: int) -> st.SearchStrategy[Action]:
    """Turns as a policy that has learnt the format writes them, with up to so many calls."""
    call = st.builds(
        lambda key: ToolCall(id="call_1_0", name="look_up", arguments={"key": key}), st.text(prose_letters, max_size=12)
    )
    thought = prose.map(lambda text: (ReasoningBlock(provider="openai", data={"reasoning": text}),))
    told = st.builds(Action, text=prose, reasoning=thought)
    return told | st.builds(Action, calls=st.lists(call, min_size=1, max_size=calls).map(tuple), reasoning=thought)


prose_letters = st.characters(codec="utf-8", exclude_characters="<>", exclude_categories=["Cc", "Cs"])
