"""One operation per documented tool, and the world that they share.

Invariant: an operation says nothing of its effects beside its steps. Not covered: how it is inferred (`rules`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import JsonValue

from autoforge.generator.ir.entities import Entity
from autoforge.generator.ir.node import Node
from autoforge.generator.ir.steps import Step

__all__ = ["Operation", "OperationKind", "Parameter", "World"]


class OperationKind(StrEnum):
    GET = "get"
    LIST = "list"
    SEARCH = "search"
    COUNT = "count"
    CREATE = "create"
    UPDATE = "update"
    SET_STATUS = "set_status"
    DELETE = "delete"
    LINK = "link"
    UNLINK = "unlink"
    MOVE = "move"
    TRANSFER = "transfer"
    SESSION = "session"
    COMPUTE = "compute"
    WEAK = "weak"


class Parameter(Node):
    name: str
    """As documented."""
    identifier: str
    """Its name in the Python function."""
    json_schema: dict[str, JsonValue]
    required: bool = False
    default: JsonValue = None
    role: str = ""
    """What the compiler took it for: key, value, filter, search, sort, page, projection, actor, …"""


class Operation(Node):
    tool: str
    function: str
    """Name of the Python function, unique in the environment."""
    kind: OperationKind
    summary: str = ""
    side: Literal["agent", "user"] = "agent"
    entity: str | None = None
    parameters: tuple[Parameter, ...] = ()
    steps: tuple[Step, ...] = ()
    code: str | None = None
    """Python source of the function where a model wrote it; `steps` then hold only what the model declared, for the
    effects.
    """
    output_schema: dict[str, JsonValue] | None = None
    evidence: tuple[str, ...] = ()
    """Why it was read this way, one phrase each; shown in the report."""
    guesses: tuple[str, ...] = ()
    """What the documentation left open and was assumed."""

    @property
    def weak(self) -> bool:
        """Touches no entity and computes nothing from its inputs (issue: not a matter of opinion)."""
        return self.kind is OperationKind.WEAK


class World(Node):
    """All that is known of one environment before its code is written."""

    name: str
    title: str = ""
    description: str = ""
    entities: tuple[Entity, ...]
    operations: tuple[Operation, ...]
    policy: tuple[str, ...] = ()
    """Sentences of domain rules, for policy.md."""
    clock: str = "2026-03-02T09:00:00"
    """The state's clock at the start."""
    notes: tuple[str, ...] = ()

    def entity(self, name: str) -> Entity:
        return next(e for e in self.entities if e.name == name)
