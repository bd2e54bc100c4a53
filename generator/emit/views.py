"""The objects that several tools make of a row in the same way, as one helper function each.

Invariant: a view reads one row and nothing else, so calling it has the value of the object that it stands for. Short
objects and those that occur once stay where they are. Not covered: how an object is written (`expressions`).
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.generator.emit.names import NameTable
from autoforge.generator.ir import Apply, Choose, Constant, Item, Record, RowField, Variable, expressions_of

__all__ = ["View", "Views", "row_of"]

LEAST_FIELDS = 4
"""Properties of an object that is worth a function."""
LEAST_USES = 2
_ROW = "\0row"


class View(NamedTuple):
    """One helper: its name, the entity of the row and the object, in which the row is called as the entity."""

    function: str
    entity: str
    record: Record


class Views:
    """Counts objects in a first pass over the functions; in a second one, knows which of them are views."""

    def __init__(self, counted: Views | None = None) -> None:
        self._uses: dict[tuple[str, str], int] = {}
        self.chosen: dict[tuple[str, str], View] = {}
        if counted is not None:
            names = NameTable()
            for key in (k for k, uses in counted._uses.items() if uses >= LEAST_USES):
                entity, text = key
                record = Record.model_validate(_renamed(json.loads(text), _ROW, entity))
                self.chosen[key] = View("_" + names.take(f"{entity}_view"), entity, record)

    def find(self, entity: str, row: str, record: Record) -> View | None:
        """Count an object made of a row; the view that stands for it, where there is one."""
        key = (entity, json.dumps(_renamed(record.model_dump(mode="json"), row, _ROW)))
        self._uses[key] = self._uses.get(key, 0) + 1
        return self.chosen.get(key)


def row_of(record: Record) -> str | None:
    """The only row that an object is made of; None where there is another ingredient or the object is short."""
    parts = list(expressions_of(record))
    if len(record.fields) < LEAST_FIELDS:
        return None
    if not all(isinstance(p, Apply | Choose | Constant | Item | Record | RowField | Variable) for p in parts):
        return None
    names = {p.row for p in parts if isinstance(p, RowField)} | {p.name for p in parts if isinstance(p, Variable)}
    return names.pop() if len(names) == 1 else None


def _renamed(value: Any, old: str, new: str) -> JsonValue:
    """A dumped expression with one row called otherwise."""
    if isinstance(value, list):
        return [_renamed(v, old, new) for v in value]
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    result = {k: _renamed(v, old, new) for k, v in value.items()}
    name = {"field": "row", "variable": "name"}.get(str(value.get("kind")))
    if name is not None and value.get(name) == old:
        result[name] = new
    return result
