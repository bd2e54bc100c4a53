"""Changing one cell of a row that is there.

Invariant: only to a value that the column accepts; never a key, a reference, an empty cell, a row that the user gave, a
cell that shows a documented value, nor so that rows which must be told apart become alike. Not covered: which change
helps (`edits`).
"""

from __future__ import annotations

from pydantic import JsonValue

from autoforge.generator.ir import ColumnType, Entity
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.seed.values import accepts

__all__ = ["change"]


def change(setting: Setting, entity: Entity, rows: list[Row], i: int, column: str, value: JsonValue) -> bool:
    """Set a cell where that is allowed; says whether it holds the value now."""
    attribute = entity.attribute(column)
    if (
        entity.name in setting.given
        or attribute is None
        or attribute.references is not None
        or column in entity.key
        or (entity.name, i, column) in setting.pinned
    ):
        return False
    if attribute.type is ColumnType.INTEGER and isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is None or not accepts(attribute, value) or rows[i].get(column) is None:
        return rows[i].get(column) == value
    if setting.tells_apart(entity, attribute) and any(row.get(column) == value for j, row in enumerate(rows) if j != i):
        return False
    rows[i][column] = value
    return True
