"""A chat template over bytes in the Hermes format: ids below 256 are bytes, two more begin and end a message."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from autoforge.gym.agents.hermes_text import parse_turn, render_results, render_tools
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.turns import Action, Observation

START, END = 256, 257
MINE = (START, *b"assistant\n")


class BytesRenderer:
    """The whole state of a conversation is in its ids."""

    def opening(self, system: str, tools: Sequence[ToolDocument], observation: Observation) -> tuple[int, ...]:
        return (*block("system", f"{system}\n\n{render_tools(tools)}"), *new(observation))

    def extended(self, ids: Sequence[int], observation: Observation) -> tuple[int, ...]:
        return (*ids, *(() if ids[-1] == END else (END,)), *b"\n", *new(observation))

    def turn(self, ids: Sequence[int]) -> Action:
        return parse_turn(text_of([number for number in ids if number < 256]))


def new(observation: Observation) -> tuple[int, ...]:
    found: list[int] = []
    for role, group in groupby(observation, lambda message: message.role):
        messages = list(group)
        contents = [render_results(messages)] if role == "tool" else [message.content for message in messages]
        for content in contents:
            found += block("user", content)
    return (*found, *MINE)


def block(role: str, content: str) -> tuple[int, ...]:
    return (START, *f"{role}\n{content}".encode(), END, *b"\n")


def text_of(ids: Sequence[int]) -> str:
    """The ids as a person reads them."""
    parts = [{START: b"<start>", END: b"<end>"}.get(number) or bytes([number]) for number in ids]
    return b"".join(parts).decode("utf-8", "replace")
