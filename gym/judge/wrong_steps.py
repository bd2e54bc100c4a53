"""Calls of the user's own tools with other arguments, of other tools, and calls that nobody asked for.

Invariant: one call is wrong. Not covered: calls that are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from autoforge.gym.judge.corruption import Corrupted, Operator, Setting, any_of, at, numbered, only_reads
from autoforge.gym.judge.dialogues import Dialogue

__all__ = ["OPERATORS"]


def _steps(dialogue: Dialogue) -> list[int]:
    return numbered(dialogue, "step")


def _other_arguments(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    number = any_of([n for n in _steps(dialogue) if any(c.arguments for c in dialogue.said[n].calls)], setting)
    if number is None:
        return None
    said = list(dialogue.said)
    [call] = said[number].calls
    name = setting.chance.choice(sorted(call.arguments))
    value = call.arguments[name]
    new: JsonValue = (
        (not value) if isinstance(value, bool) else value + 1 if isinstance(value, int | float) else f"{value}x"
    )
    said[number] = replace(said[number], calls=(call.model_copy(update={"arguments": {**call.arguments, name: new}}),))
    return at(dialogue.but(said), "wrong_tool", number)


def _other_tool(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    number = any_of(_steps(dialogue), setting)
    used = {call.tool for call in dialogue.task.gold.calls}
    others = [t["name"] for t in dialogue.tools if _user_tool(t) and t["name"] not in used and not only_reads(t)]
    if number is None or not others:
        return None
    said = list(dialogue.said)
    [call] = said[number].calls
    said[number] = replace(
        said[number], calls=(call.model_copy(update={"tool": setting.chance.choice(others), "arguments": {}}),)
    )
    return at(dialogue.but(said), "wrong_tool", number)


def _user_tool(tool: Mapping[str, Any]) -> bool:
    return bool((tool.get("_meta") or {}).get("autoforge/side") == "user")


def _twice(dialogue: Dialogue, setting: Setting) -> Corrupted | None:
    """A step is done again when nobody asked for it."""
    number = any_of(_steps(dialogue), setting)
    later = [] if number is None else [n for n in numbered(dialogue, "wish", "yes", "close", "thanks") if n > number]
    if number is None or not later:
        return None
    said = list(dialogue.said)
    place = setting.chance.choice(later)
    said[place] = replace(said[place], calls=said[number].calls)
    return at(dialogue.but(said), "wrong_tool", place)


OPERATORS: tuple[Operator, ...] = (
    Operator("other arguments", "wrong_tool", None, _other_arguments),
    Operator("another own tool", "wrong_tool", None, _other_tool),
    Operator("a step done twice", "wrong_tool", None, _twice),
)
