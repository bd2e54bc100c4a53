"""`tasks.jsonl`: what a task says, as typed models, and how the file is read and written.

Invariant: a task holds all that scoring needs beside the environment's own files (the gold state is the initial state
with `gold.diff` applied), and the same task is the same line of text. Not covered: executing a blueprint
(`generator.tasks`), scoring (`gym.reward`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, JsonValue, Tag, ValidationError, field_validator

from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import ColumnKind
from autoforge.mcp_envs.paths import parse

__all__ = [
    "TASKS_FILE", "Actor", "Answer", "AnswerType", "Blueprint", "Difficulty", "Gold", "GoldCall", "Guard", "ListOf",
    "Literally", "Node", "ObjectOf", "Output", "Probe", "Reasoning", "RowChange", "Source", "Task", "ToolStep",
    "UserValue", "read_task_file", "read_tasks", "sources_in", "task_line",
]  # fmt: skip

TASKS_FILE = "tasks.jsonl"
_AGAIN = "write the tasks anew with autoforge-gen tasks {} -n N --replace."
Actor: TypeAlias = Literal["agent", "user"]
AnswerType: TypeAlias = Literal["number", "text", "date", "boolean", "list"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class UserValue(_Model):
    """A value that the user knows, by its name in `known`."""

    user: str


class Output(_Model):
    """A part of an earlier output."""

    node: str = Field(validation_alias="from", serialization_alias="from")
    path: str = "$"
    """`$`, `.name`, `['any name']`, `[0]`, `[*]` (every item, as a list)."""


class Literally(_Model):
    """A value that the documentation or the policy fixes."""

    literal: JsonValue
    why: str = ""
    """Where it is fixed."""


class ListOf(_Model):
    """A list made of sources."""

    items: tuple[Source, ...] = Field(validation_alias="list", serialization_alias="list")


class ObjectOf(_Model):
    """An object made of sources."""

    fields: dict[str, Source] = Field(validation_alias="object", serialization_alias="object")


def _kind(value: Any) -> str | None:
    """The one property by which a source is known."""
    for name, attribute in (("user", "user"), ("from", "node"), ("literal", "literal"), ("list", "items"),
                            ("object", "fields")):  # fmt: skip
        if (isinstance(value, dict) and name in value) or (isinstance(value, BaseModel) and hasattr(value, attribute)):
            return name
    return None


Source: TypeAlias = Annotated[
    Annotated[UserValue, Tag("user")]
    | Annotated[Output, Tag("from")]
    | Annotated[Literally, Tag("literal")]
    | Annotated[ListOf, Tag("list")]
    | Annotated[ObjectOf, Tag("object")],
    Discriminator(_kind),
]


class Guard(_Model):
    """When a node is executed: `is` compares the value of a reasoning node; `refused` asks what became of an attempt
    (a tool step with `attempt`). A node whose guard does not hold is skipped, and so is what reads it.
    """

    node: str = Field(validation_alias="from", serialization_alias="from")
    equals: bool | None = Field(default=None, validation_alias="is", serialization_alias="is")
    refused: bool | None = None


class ToolStep(_Model):
    """A call of a tool."""

    id: str
    actor: Actor = "agent"
    tool: str
    arguments: dict[str, Source] = {}
    when: Guard | None = None
    attempt: bool = False
    """A first wish: it may be refused, and then it is no gold call; a guard with `refused` reads what became of it."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """What its arguments are made of; `sources_in` goes inside."""
        return tuple(self.arguments.values())


class Reasoning(_Model):
    """A value derived from earlier ones by a typed operator (`generator.tasks.operators`)."""

    id: str
    reason: str
    """Name of the operator."""
    over: Source | None = None
    """What it works on: a list for operators that choose or aggregate, else the first operand."""
    by: str | None = None
    """Path inside an item: the field that items are compared by (`price`, `owner.name`)."""
    compare: (
        Literal["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "contains", "in"] | None
    ) = None
    n: int | None = None
    """A position or count that the operator needs, from 1."""
    inputs: dict[str, Source] = {}
    """Other operands by name; `value` for a comparison."""
    expression: str | None = None
    """A pure Python expression over `over` and the inputs, for the operator `expression`."""
    when: Guard | None = None

    @property
    def sources(self) -> tuple[Source, ...]:
        """What it reads; `sources_in` goes inside."""
        return (*(() if self.over is None else (self.over,)), *self.inputs.values())


Node: TypeAlias = ToolStep | Reasoning


class Blueprint(_Model):
    """A DAG in topological order."""

    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...] = ()
    """Every dependency: data, guards, and the order of conflicting writes."""

    def node(self, id: str) -> Node:
        return next(node for node in self.nodes if node.id == id)

    @property
    def steps(self) -> tuple[ToolStep, ...]:
        return tuple(node for node in self.nodes if isinstance(node, ToolStep))

    @property
    def reasons(self) -> tuple[Reasoning, ...]:
        return tuple(node for node in self.nodes if isinstance(node, Reasoning))


class GoldCall(_Model):
    node: str
    actor: Actor = "agent"
    tool: str
    arguments: dict[str, JsonValue] = {}


class RowChange(_Model):
    """`state.Change` on disk: one row of the gold state that differs from the initial one."""

    table: str
    key: tuple[JsonValue, ...]
    before: dict[str, JsonValue] | None
    after: dict[str, JsonValue] | None


class Answer(_Model):
    """A value that the agent must tell the user."""

    name: str
    """What it is, in words: `total price`, `number of open orders`."""
    type: AnswerType
    value: JsonValue
    source: Source
    """Where gold gets it."""
    others: tuple[JsonValue, ...] = ()
    """Values of the same kind that gold calls show and that could be mistaken for it: telling one instead, or beside
    it, contradicts."""


class Gold(_Model):
    calls: tuple[GoldCall, ...]
    state: str
    """SHA-256 of the gold state (`state.digest` without the log)."""
    diff: tuple[RowChange, ...]
    answers: tuple[Answer, ...] = ()


class Probe(_Model):
    """A call that only reads, and whose output is a part of the state of a server that is not ours."""

    tool: str
    arguments: dict[str, JsonValue] = {}
    path: str = "$"
    """What of the output counts: each object of a list is a row; `[*]` of a text, each of its lines."""
    kind: ColumnKind | dict[str, ColumnKind] = ColumnKind.VALUE
    """How its columns are compared, all or by name; those that are not named as `value`."""

    @field_validator("path")
    @classmethod
    def _is_path(cls, path: str) -> str:
        parse(path)
        return path


class Difficulty(_Model):
    calls: int
    writes: int
    depth: int
    """Longest path of the blueprint, in nodes."""
    reasoning: int
    branches: int = 0
    """Branches and fall-backs."""
    walks: int = 1
    """Walks that were merged into it."""
    level: Literal["easy", "medium", "hard"] = "medium"


class Task(_Model):
    id: str
    environment: str
    instruction: str
    persona: str = ""
    language: str = "en"
    known: dict[str, JsonValue]
    initial: tuple[str, ...] = ()
    setup: tuple[GoldCall, ...] = ()
    blueprint: Blueprint
    gold: Gold
    difficulty: Difficulty
    split: Literal["train", "validation", "test"] = "train"
    signature: str = ""
    """SHA-256 of the blueprint without its values: tasks of one signature ask for the same kind of work."""
    distractors: tuple[str, ...] | None = None
    """Tools that are offered to the agent beside those that gold calls; None: all of the environment are."""
    provenance: dict[str, JsonValue] = {}
    """Seed, number of the proposal, model."""
    verdicts: dict[str, JsonValue] = {}
    probe: tuple[Probe, ...] = Field(default=(), exclude_if=lambda probe: not probe)
    """What stands for the state where the server is not ours."""


for _model in (ListOf, ObjectOf, ToolStep, Reasoning, Blueprint, Answer, Gold, Task):
    _model.model_rebuild()


def sources_in(source: Source | None) -> tuple[Source, ...]:
    """A source and every source in it."""
    if source is None:
        return ()
    inner = (
        source.items if isinstance(source, ListOf) else source.fields.values() if isinstance(source, ObjectOf) else ()
    )
    return (source, *(leaf for part in inner for leaf in sources_in(part)))


def task_line(task: Task) -> str:
    """The task as its line of `tasks.jsonl`, with the line's end."""
    return json.dumps(task.model_dump(mode="json", by_alias=True), ensure_ascii=False, separators=(",", ":")) + "\n"


def read_tasks(folder: Path) -> tuple[Task, ...]:
    """The tasks of an environment folder; none where it has no such file. Raises BadInput with the line."""
    path = folder / TASKS_FILE
    return _read(path, f"write them anew with autoforge-gen tasks {folder} -n N --replace") if path.exists() else ()


def read_task_file(path: Path) -> tuple[Task, ...]:
    """The tasks of a file that was written for any server. Raises BadInput with the line."""
    return _read(path, "give a file with one task in each line")


def _read(path: Path, advice: str) -> tuple[Task, ...]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"{path} cannot be read ({reason}); {advice}.") from None
    return tuple(_parsed(path, advice, lines))


def _parsed(path: Path, advice: str, lines: Iterable[str]) -> Iterable[Task]:
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            task = Task.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = "/".join(str(p) for p in first["loc"])
            words = f"/{where}: {first['msg']}"
        else:
            words = f"the id {task.id!r} occurs twice" if task.id in seen else ""
            seen.add(task.id)
        if words:
            raise BadInput(f"{path}, line {number}: {words}; {advice}.")
        yield task
