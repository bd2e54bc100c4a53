"""A trajectory as its user saw it: what the agent said before each message of the user, and where each stands.

Invariant: tool traffic of the agent is no part of what the user saw; it only shows what had been done by when. Not
covered: what any of it means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from autoforge.gym.judge.sentences import Sentence, sentences_of
from autoforge.gym.trajectory import Trajectory, Turn, UserToolCall, heard_turns
from autoforge.mcp_envs.task import Task

__all__ = ["Exchange", "exchanges_of", "reads"]

_READS: Final = (
    r"(?i)(?:get|list|find|search|show|look|check|read|fetch|query|count|view|describe|buscar|listar|consultar|ver"
    r"|obtener|suchen?|finde|zeige|liste)|.*(?:_suchen|_anzeigen|_auflisten)$"
)


class _Exchange(NamedTuple):
    number: int
    place: int
    """Of the user's message in `turns`."""
    said: str
    heard: str
    """What the agent said since the user's message before; empty for the first."""
    heard_place: int | None
    user_calls: tuple[UserToolCall, ...]
    done: bool
    """Whether by then every tool that was to write had been called as often as gold does."""


class Exchange(_Exchange):
    """One message of the user."""

    @cached_property
    def sentences(self) -> list[Sentence]:
        return sentences_of(self.said)

    @cached_property
    def heard_sentences(self) -> list[Sentence]:
        return sentences_of(self.heard)


def exchanges_of(trajectory: Trajectory, task: Task, tools: Sequence[Mapping[str, Any]]) -> list[Exchange]:
    """The user's messages in order; a last one without words where the conversation ended after the agent spoke."""
    wanted = Counter(call.tool for call in task.gold.calls if not reads(call.tool, tools))
    found: list[Exchange] = []
    heard, heard_place = "", None
    for place, turn in heard_turns(trajectory.turns):
        if turn.role == "user":
            done = _done(wanted, trajectory.turns[: place + 1])
            found.append(Exchange(len(found), place, turn.content, heard, heard_place, turn.user_calls, done))
            heard, heard_place = "", None
        elif turn.role == "assistant" and turn.content.strip() and not turn.tool_calls:
            heard, heard_place = f"{heard}\n{turn.content}".strip(), place
    if heard:
        done = _done(wanted, trajectory.turns)
        found.append(Exchange(len(found), len(trajectory.turns) - 1, "", heard, heard_place, (), done))
    return found


def reads(tool: str, tools: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a tool only looks, by its annotations or its name."""
    document = next((t for t in tools if t.get("name") == tool), {})
    hint = (document.get("annotations") or {}).get("readOnlyHint")
    if isinstance(hint, bool):
        return hint
    return re.match(_READS, tool) is not None


def _done(wanted: Counter[str], turns: Sequence[Turn]) -> bool:
    refused = {turn.tool_call_id for turn in turns if turn.role == "tool" and turn.is_error}
    taken = [turn for turn in turns if not turn.spoiled]
    made = Counter(call.name for turn in taken for call in turn.tool_calls if call.id not in refused)
    made += Counter(call.tool for turn in turns for call in turn.user_calls if not call.is_error)
    return not wanted - made
