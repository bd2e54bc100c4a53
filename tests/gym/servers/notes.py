"""A task for the fake server, which keeps notes."""

from __future__ import annotations

from typing import Any

from autoforge.mcp_envs.task import Blueprint, Difficulty, Gold, GoldCall, Probe, Task

__all__ = ["ADD", "NOTES", "notes_task"]

NOTES = Probe(tool="list_notes", path="$.notes", kind={"id": "surrogate"})  # type: ignore[dict-item]
ADD = GoldCall(node="n1", tool="add_note", arguments={"text": "buy milk", "tags": ["home"]})


def notes_task(**more: Any) -> Task:
    """`Note that I must buy milk`, whose gold is not recorded yet."""
    given: dict[str, Any] = {
        "id": "t1", "environment": "notes", "instruction": "Note for the home: buy milk.", "known": {},
        "blueprint": Blueprint(nodes=()), "gold": Gold(calls=(ADD,), state="", diff=()),
        "difficulty": Difficulty(calls=1, writes=1, depth=1, reasoning=0), "probe": (NOTES,),
    }  # fmt: skip
    return Task(**{**given, **more})
