"""A task as a person writes it for a server that is not ours: without what is computed.

    {"id": "milk", "instruction": "Note for the home: buy milk.", "known": {"text": "buy milk"},
     "probe": [{"tool": "list_notes", "path": "$.notes", "kind": {"id": "surrogate"}}],
     "calls": [{"tool": "add_note", "arguments": {"text": "buy milk"}}],
     "answers": [{"name": "number of notes", "type": "number", "value": 1}]}

Invariant: what such a line holds is kept; nothing of it is guessed. Not covered: the gold (`recording`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from autoforge.gym.servers.server import ToolDocument
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Answer, AnswerType, Blueprint, Difficulty, Gold, GoldCall, Literally, Probe, Task

__all__ = ["TaskSketch", "read_sketches", "sketched"]

_ADVICE = "autoforge-gym gold --help says what a line holds"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SketchedCall(_Frozen):
    """A call of the agent's."""

    tool: str = Field(min_length=1)
    arguments: dict[str, JsonValue] = {}


class SketchedAnswer(_Frozen):
    """A value that the agent must tell the user."""

    name: str = Field(min_length=1)
    """What it is, in words."""
    type: AnswerType
    value: JsonValue
    others: tuple[JsonValue, ...] = ()
    """Values that could be mistaken for it."""


class TaskSketch(_Frozen):
    """One line of the file."""

    id: str = Field(pattern=r"^[^/\s]+$")
    instruction: str = Field(min_length=1)
    probe: tuple[Probe, ...] = Field(min_length=1)
    calls: tuple[SketchedCall, ...] = ()
    """What solves it, in order."""
    known: dict[str, JsonValue] = {}
    """What the user can give when it is asked."""
    answers: tuple[SketchedAnswer, ...] = ()
    setup: tuple[SketchedCall, ...] = ()
    """Made before the user speaks."""
    persona: str = ""
    language: str = "en"


def read_sketches(path: Path) -> tuple[TaskSketch, ...]:
    """The lines of a file. Raises BadInput with the line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read ({error}); give a file with one task in each line.") from None
    sketches = [_sketch(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not sketches:
        raise BadInput(f"{path} holds no task; {_ADVICE}.")
    seen: set[str] = set()
    for sketch in sketches:
        if sketch.id in seen:
            raise BadInput(f"{path}: the id {sketch.id!r} occurs twice; give each task its own.")
        seen.add(sketch.id)
    return tuple(sketches)


def sketched(sketch: TaskSketch, environment: str, tools: Sequence[ToolDocument]) -> Task:
    """The task of a sketch, whose gold is still to be recorded."""
    reading = {tool["name"] for tool in tools if (tool.get("annotations") or {}).get("readOnlyHint")}
    answers = tuple(Answer(**dict(answer), source=Literally(literal=answer.value)) for answer in sketch.answers)
    return Task(
        id=sketch.id, environment=environment, instruction=sketch.instruction, persona=sketch.persona,
        language=sketch.language, known=sketch.known, setup=_calls(sketch.setup, "s"), probe=sketch.probe,
        blueprint=Blueprint(nodes=()),
        gold=Gold(calls=_calls(sketch.calls, "n"), state="", diff=(), answers=answers),
        difficulty=Difficulty(
            calls=len(sketch.calls), writes=sum(call.tool not in reading for call in sketch.calls), depth=0, reasoning=0
        ),
    )  # fmt: skip


def _calls(calls: Sequence[SketchedCall], prefix: str) -> tuple[GoldCall, ...]:
    return tuple(
        GoldCall(node=f"{prefix}{number}", tool=call.tool, arguments=call.arguments)
        for number, call in enumerate(calls, 1)
    )


def _sketch(path: Path, number: int, line: str) -> TaskSketch:
    try:
        return TaskSketch.model_validate(json.loads(line))
    except ValidationError as error:
        first = error.errors()[0]
        words = f"/{'/'.join(map(str, first['loc']))}: {first['msg']}"
    except (ValueError, RecursionError) as error:
        words = f"it is not JSON ({error})"
    raise BadInput(f"{path}, line {number}: {words}; {_ADVICE}.")
