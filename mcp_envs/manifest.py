"""`environment.json`: what an environment says of itself, as typed models.

Invariant: the same inputs give the same bytes (no times, no paths of a machine), so an environment can be reviewed as a
diff and reproduced. Not covered: the state itself (`state.py`), the tasks.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

__all__ = [
    "FORMAT_VERSION",
    "Column",
    "ColumnKind",
    "Conformance",
    "Effects",
    "Manifest",
    "Provenance",
    "Table",
    "ToolRecord",
    "ToolVerdict",
]

FORMAT_VERSION = 1


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ColumnKind(StrEnum):
    """How a column takes part in the comparison of two states (DESIGN, An environment on disk)."""

    KEY = "key"
    VALUE = "value"
    SURROGATE = "surrogate"
    CLOCK = "clock"
    FREE_TEXT = "free_text"
    LOG = "log"


class Column(_Model):
    name: str
    type: str
    kind: ColumnKind
    references: str | None = None
    """The table whose key this column holds."""
    description: str = ""
    enum: tuple[JsonValue, ...] = ()
    set_like: bool = False
    """A JSON list whose order carries no meaning."""


class Table(_Model):
    name: str
    entity: str
    title: str = ""
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    singleton: bool = False


class Effects(_Model):
    """What a tool does to tables."""

    reads: tuple[str, ...] = ()
    creates: tuple[str, ...] = ()
    updates: dict[str, tuple[str, ...]] = {}
    deletes: tuple[str, ...] = ()


class ToolVerdict(_Model):
    """What the conformance suite found for one tool."""

    calls: int = 0
    succeeded: int = 0
    refused: int = 0
    parameters: int = 0
    dead_parameters: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    """One sentence per check that does not hold."""

    @property
    def passed(self) -> bool:
        return not self.failures


class ToolRecord(_Model):
    name: str
    function: str
    """The function in `tools.py`."""
    arguments: dict[str, str] = {}
    """Documented parameter name -> name in the function, where they differ."""
    kind: str
    side: Literal["agent", "user"] = "agent"
    entity: str | None = None
    weak: bool = False
    effects: Effects = Effects()
    refusals: tuple[str, ...] = ()
    """The sentences with which it may refuse a call."""
    evidence: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    verdict: ToolVerdict | None = None


class Provenance(_Model):
    generator: str
    """Distribution and version."""
    docs_digest: str
    formats: tuple[str, ...] = ()
    synthesizer: Literal["rules", "llm"] = "rules"
    model: str | None = None
    prompt_digests: tuple[str, ...] = ()
    seed: int = 0
    seed_rows: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """US dollars."""
    data_digests: tuple[str, ...] = ()
    policy_digest: str | None = None
    renamed: dict[str, str] = {}
    """Name in the environment -> documented name."""
    notes: tuple[str, ...] = ()


class Conformance(_Model):
    """Summary of the conformance suite."""

    passed: bool
    tools: int
    weak: int
    parameters: int
    dead_parameters: int
    calls: int
    failures: tuple[str, ...] = ()
    """Failures that belong to no single tool."""


class Manifest(_Model):
    format_version: int = FORMAT_VERSION
    name: str
    title: str = ""
    description: str = ""
    tables: tuple[Table, ...]
    tools: tuple[ToolRecord, ...]
    provenance: Provenance
    conformance: Conformance | None = None
    admission: dict[str, JsonValue] | None = Field(default=None)
    """Summary of the task gate, once there are tasks."""
