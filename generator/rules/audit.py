"""A table for what is said beside a deletion, when some tool takes a reason.

Invariant: what a tool is told is kept, though the row is gone. Not covered: the deletion itself (`deletes`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    ColumnKind,
    ColumnType,
)
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.deletes import AUDIT
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.shapes import Shape
from autoforge.generator.rules.verbs import VerbClass

__all__ = ["add_audit"]


def add_audit(cast: Cast, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    """A table for reasons given with deletions, when some tool takes one."""
    if not any(
        r.verb.kind in (VerbClass.DELETE, VerbClass.REMOVE) and _says_more(roles[r.tool.name]) for r in readings
    ):
        return
    draft = cast.add(AUDIT)
    text = Shape(ColumnType.TEXT, False, {"type": "string"}, False)
    draft.column("id", Shape(ColumnType.INTEGER, False, {"type": "integer"}, False))
    draft.key, draft.id_template, draft.seed_rows = ("id",), "{}", 0
    for column, words in (("action", "Tool that was called"), ("target", "Key of what it concerned")):
        draft.column(column, text, words).nullable = False
    details = draft.column(
        "details",
        Shape(ColumnType.JSON, True, {"type": "object", "additionalProperties": {"type": "string"}}, False),
        "What else was said",
    )
    details.kind = ColumnKind.FREE_TEXT
    draft.column(
        "created_at", Shape(ColumnType.DATETIME, True, {"type": "string", "format": "date-time"}, False), "When"
    )


def _says_more(roles: list[Role]) -> bool:
    return any(r.role == "key" for r in roles) and any(
        r.role in ("value", "flag", "reference", "filter") for r in roles
    )
