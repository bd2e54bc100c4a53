"""A task as a person writes it for a server that is not ours: without what is computed.

    {"id": "milk", "instruction": "Note for the home: buy milk.", "known": {"text": "buy milk"},
     "probe": [{"tool": "list_notes", "path": "$.notes", "kind": {"id": "surrogate"}}],
     "calls": [{"tool": "add_note", "arguments": {"text": "buy milk"}}],
     "answers": [{"name": "number of notes", "type": "number", "value": 1}]}

Invariant: what such a line holds is kept; nothing of it is guessed; what could not be scored or played is refused with
the file and the line. Not covered: the gold (`recording`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator, model_validator

from autoforge.gym.regular_file import open_regular, shown
from autoforge.gym.reward.dates import as_moment
from autoforge.gym.reward.text import plain
from autoforge.gym.reward.wanted import wanted
from autoforge.gym.servers.server import ToolDocument
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Answer, AnswerType, Blueprint, Difficulty, Gold, GoldCall, Literally, Probe, Task

__all__ = ["TaskSketch", "expect_tools", "read_sketches", "sketched"]

_ADVICE = "autoforge-gym gold --help says what a line holds"
_TYPES = {
    "number": "a number, such as 3 or 2.5", "text": "a text", "boolean": "true or false", "list": "a list",
    "date": "a date with its year, such as 2026-03-05",
}  # fmt: skip
_NAMED = 8
"""Tools that a message names."""


class _NoJson(ValueError):
    """What the standard has not, or leaves open."""


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

    @model_validator(mode="after")
    def _fits_its_type(self) -> Self:
        if not _is_of_type(self.value, self.type):
            raise ValueError(f"the value of a {self.type} is {_TYPES[self.type]}, not {shown(json.dumps(self.value))}")
        try:
            wanted(_answer(self))
        except BadInput as error:
            raise ValueError(str(error).rpartition("; ")[0]) from None
        return self


class TaskSketch(_Frozen):
    """One line of the file."""

    id: str = Field(pattern=r"^[^/\s]+$", max_length=100)
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
    language: str = Field(default="en", pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$", max_length=35)
    """A BCP 47 tag, such as `en`, `es` or `de`."""

    @field_validator("id")
    @classmethod
    def _is_printable(cls, id: str) -> str:
        if not id.isprintable():
            raise ValueError("an id has printable characters only")
        return id

    @field_validator("instruction")
    @classmethod
    def _is_said(cls, instruction: str) -> str:
        if not instruction.strip():
            raise ValueError("the instruction is blank")
        return instruction

    @field_validator("answers")
    @classmethod
    def _have_names_of_their_own(cls, answers: tuple[SketchedAnswer, ...]) -> tuple[SketchedAnswer, ...]:
        names = [" ".join(answer.name.casefold().split()) for answer in answers]
        twice = next((answer.name for answer, name in zip(answers, names, strict=True) if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two answers are named {shown(twice)!r}; give each a name of its own")
        return answers


def read_sketches(path: Path) -> tuple[TaskSketch, ...]:
    """The lines of a file. Raises BadInput with the line."""
    advice = "give a file with one task in each line"
    with open_regular(path, advice) as file:
        try:
            lines = file.read().decode("utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} cannot be read ({error}); {advice}.") from None
    sketches = [_sketch(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not sketches:
        raise BadInput(f"{path} holds no task; {_ADVICE}.")
    seen: set[str] = set()
    for sketch in sketches:
        if sketch.id in seen:
            raise BadInput(f"{path}: the id {sketch.id!r} occurs twice; give each task its own.")
        seen.add(sketch.id)
    return tuple(sketches)


def expect_tools(sketch: TaskSketch, tools: Sequence[ToolDocument]) -> None:
    """Raises BadInput for a tool that a server does not have, and for a probe that says that it writes."""
    known = {str(tool["name"]): tool.get("annotations") or {} for tool in tools}
    probes = [probe.tool for probe in sketch.probe]
    called = [("probe", name) for name in probes]
    called += [("call", call.tool) for call in sketch.calls] + [("set-up call", call.tool) for call in sketch.setup]
    for what, name in called:
        if name not in known:
            more = f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
            words = f"its tools are {', '.join(list(known)[:_NAMED])}{more}" if known else "it has none"
            raise BadInput(f"task {sketch.id}: the {what} {shown(name)} is no tool of this server; {words}.")
    writes = next((name for name in probes if known[name].get("readOnlyHint") is False), None)
    if writes is not None:
        words = f"task {sketch.id}: the probe {writes} is a tool that says that it does not only read"
        raise BadInput(f"{words}; probe with one that only reads.")


def sketched(sketch: TaskSketch, environment: str, tools: Sequence[ToolDocument]) -> Task:
    """The task of a sketch, whose gold is still to be recorded."""
    reading = {tool["name"] for tool in tools if (tool.get("annotations") or {}).get("readOnlyHint")}
    answers = tuple(map(_answer, sketch.answers))
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
        return TaskSketch.model_validate(_json(line))
    except ValidationError as error:
        first = error.errors()[0]
        words = f"/{shown('/'.join(map(str, first['loc'])))}: {first['msg'].removeprefix('Value error, ')}"
    except _NoJson as error:
        words = str(error)
    except (ValueError, RecursionError) as error:
        words = f"it is not JSON ({error})"
    raise BadInput(f"{path}, line {number}: {words}; {_ADVICE}.")


def _json(line: str) -> Any:
    """The value of a line, if other readers take it as the same. Raises ValueError."""
    value = json.loads(line, parse_constant=_refused, parse_float=_finite, object_pairs_hook=_object)
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise _NoJson("it holds half of a character (a lone surrogate), which no text can") from None
    return value


def _refused(constant: str) -> Any:
    raise _NoJson(f"it holds {constant}, which is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refused(shown(text))


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _NoJson(f"the key {shown(name)!r} occurs twice in one object")
        found[name] = value
    return found


def _answer(answer: SketchedAnswer) -> Answer:
    return Answer(**dict(answer), source=Literally(literal=answer.value))


def _is_of_type(value: JsonValue, kind: AnswerType) -> bool:
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "date":
        return isinstance(value, str) and as_moment(plain(value)) is not None
    return isinstance(value, {"text": str, "boolean": bool, "list": list}[kind])
