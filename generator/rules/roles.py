"""A parameter and what it is for: key, reference, value, filter, range, search, sort, page, projection, …

Invariant: a role says what a parameter is, never what the tool does with it. Not covered: who gets which role
(`role_assignment`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autoforge.generator.rules.shapes import Shape
from autoforge.generator.rules.verbs import VerbClass

__all__ = ["READING_VERBS", "Role"]

READING_VERBS = frozenset({VerbClass.GET, VerbClass.LIST, VerbClass.SEARCH, VerbClass.COUNT, VerbClass.CHECK})


@dataclass(slots=True)
class Role:
    """One parameter, or one property inside an object parameter."""

    name: str
    path: tuple[str, ...]
    schema: dict[str, Any]
    shape: Shape
    required: bool
    role: str
    """key | reference | value | filter | low | high | search | sort | direction | limit | offset | page | flag |
    project | batch | element | password | token | open | old
    """
    entity: str | None = None
    """The entity that the key or reference names."""
    column: str | None = None
    """The column of the tool's own entity (for key: of `entity`)."""
    items: list[Role] = field(default_factory=list)
    """Roles of the properties of a batch's items."""
    description: str = ""

    @property
    def many(self) -> bool:
        return self.shape.many
