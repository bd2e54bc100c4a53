"""JSON documents → drafts of tables and the plan that puts them back.

What occurs once is a singleton; maps, lists of records and lists of scalars at the top are tables; inside a row, lists
of records and maps are child tables, small uniform objects are columns with a prefix, and all else is a JSON column.
Invariant: every value of the document is in exactly one cell, key or position. Linear in the size of the document;
nesting beyond `DEEPEST` stays JSON. Not covered: types and keys of the columns (`types`, `keys`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from autoforge.generator.data.drafts import CellPlan, Column, ConstantPlan, Draft, GroupPlan, Plan, RowsPlan, SinglePlan
from autoforge.generator.data.shapes import (
    inner_key,
    is_entries,
    is_flat,
    is_map,
    is_record,
    kind_of,
    list_of_records,
    map_of_lists,
)

__all__ = ["SETTINGS", "TableBuilder"]

DEEPEST = 6
"""Levels of nesting that become tables or columns."""
_MOST_COLUMNS = 400
_MEMBER = ("value",)
"""Path of members that are no records."""
_SCALARS = frozenset(("text", "number", "boolean", "null"))
SETTINGS = "settings"
"""Source name of the singleton that holds the loose scalars at the top of a document."""


class TableBuilder:
    """Collects drafts over all documents; `document` gives the plan of one."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.empty: list[str] = []
        self._document = ""

    def document(self, file: str, stem: str, value: JsonValue) -> Plan:
        """The plan of one parsed file; a scalar or an empty document gives a ConstantPlan and no draft."""
        self._document = file
        if isinstance(value, list) and value:
            return self._list(stem, None, range(1), range(1), [value], 0)
        if isinstance(value, dict) and value:
            if is_map(stem, [value]):
                return self._map(stem, None, range(1), range(1), [value], 0)
            tables = any(isinstance(v, dict | list) for v in value.values())
            return self._single(SETTINGS if tables else stem, value, 0)
        return ConstantPlan(value)

    def _draft(self, source: str, kind: Any, parent: Draft | None) -> Draft:
        draft = Draft(source, self._document, kind, 1 if kind == "single" else 0, parent=parent)
        self.drafts.append(draft)
        return draft

    # --- what occurs once

    def _single(self, name: str, value: dict[str, JsonValue], depth: int) -> Plan:
        draft = self._draft(name, "single", None)
        fields = [(key, self._single_field(draft, key, member, depth)) for key, member in value.items()]
        if not draft.columns:
            self.drafts.remove(draft)
        return SinglePlan(draft if draft.columns else None, fields)

    def _single_field(self, draft: Draft, key: str, value: JsonValue, depth: int) -> Plan:
        once: tuple[Sequence[int], Sequence[int], list[Any]] = (range(1), range(1), [value])
        if value == [] or value == {}:
            self.empty.append(key)
            return ConstantPlan(value)
        if isinstance(value, dict) and depth < DEEPEST:
            if is_map(key, [value]):
                return self._map(key, None, *once, depth + 1)
            if depth == 0 or _holds_tables(value):
                return self._single(key, value, depth + 1)
        if isinstance(value, list) and (list_of_records(value) or all(kind_of(i) in _SCALARS for i in value)):
            return self._list(key, None, *once, depth + 1)
        return self._field(draft, *once, (key,), depth + 1)

    # --- in rows: `scope` are the rows that hold the object, `rows` those that have the property, `values` theirs

    def _field(
        self,
        draft: Draft,
        scope: Sequence[int],
        rows: Sequence[int],
        values: Sequence[Any],
        path: tuple[str, ...],
        depth: int,
    ) -> Plan:
        kinds = {kind_of(v) for v in values} - {"null"}
        name = path[-1] if not draft.scalar or path != _MEMBER else "entry"
        if depth < DEEPEST and kinds == {"object"}:
            objects = [v for v in values if v is not None]
            if is_map(path[-1], objects):
                return self._map(name, draft, scope, rows, values, depth)
            if is_flat(objects) and len(draft.columns) < _MOST_COLUMNS:
                return self._group(draft, scope, rows, values, path, depth + 1)
        if depth < DEEPEST and kinds == {"list"} and list_of_records(i for v in values if v is not None for i in v):
            return self._list(name, draft, scope, rows, values, depth)
        return self._cell(draft, scope, rows, values, path)

    def _cell(
        self, draft: Draft, scope: Sequence[int], rows: Sequence[int], values: Sequence[Any], path: tuple[str, ...]
    ) -> CellPlan:
        cells: list[JsonValue] = [None] * draft.size
        for row, value in zip(rows, values, strict=True):
            cells[row] = value
        column = Column(path, cells, missing=_absent(scope, rows), scope=len(scope))
        draft.columns.append(column)
        return CellPlan(column)

    def _group(
        self,
        draft: Draft,
        scope: Sequence[int],
        rows: Sequence[int],
        values: Sequence[Any],
        path: tuple[str, ...],
        depth: int,
    ) -> GroupPlan:
        held: dict[str, tuple[list[int], list[Any]]] = {}
        inside, null = [], set()
        for row, value in zip(rows, values, strict=True):
            if value is None:
                null.add(row)
                continue
            inside.append(row)
            for key, member in value.items():
                indices, members = held.setdefault(key, ([], []))
                indices.append(row)
                members.append(member)
        fields = [(key, self._field(draft, inside, *part, (*path, key), depth)) for key, part in held.items()]
        return GroupPlan(fields, _absent(scope, rows), null)

    def _list(
        self,
        name: str,
        parent: Draft | None,
        scope: Sequence[int],
        rows: Sequence[int],
        values: Sequence[Any],
        depth: int,
    ) -> RowsPlan:
        draft = self._draft(name, "list", parent)
        items, null = self._members(draft, rows, values)
        draft.positions = [i for v in values if v is not None for i in range(1, len(v) + 1)]
        if is_entries(items):
            draft.kind = "entries"
            keys = [key for item in items for key in item]
            item = self._item(draft, keys, [member for item in items for member in item.values()], depth + 1)
        else:
            item = self._item(draft, None, items, depth + 1)
        return RowsPlan(draft, item, _absent(scope, rows), null)

    def _map(
        self,
        name: str,
        parent: Draft | None,
        scope: Sequence[int],
        rows: Sequence[int],
        values: Sequence[Any],
        depth: int,
    ) -> RowsPlan:
        draft = self._draft(name, "map", parent)
        members, null = self._members(draft, rows, [None if v is None else list(v.values()) for v in values])
        keys = [key for v in values if v is not None for key in v]
        if map_of_lists(members):
            draft.many = True
            keys = [key for key, m in zip(keys, members, strict=True) for _ in m]
            draft.owners = [owner for owner, m in zip(draft.owners, members, strict=True) for _ in m]
            draft.positions = [i for m in members for i in range(1, len(m) + 1)]
            members = [item for m in members for item in m]
            draft.size = len(members)
        return RowsPlan(draft, self._item(draft, keys, members, depth + 1), _absent(scope, rows), null)

    @staticmethod
    def _members(draft: Draft, rows: Sequence[int], values: Sequence[list[Any] | None]) -> tuple[list[Any], set[int]]:
        """The members of all collections, with their owners noted; and the rows whose collection is null."""
        members: list[Any] = []
        null: set[int] = set()
        for row, value in zip(rows, values, strict=True):
            if value is None:
                null.add(row)
            else:
                members.extend(value)
                draft.owners.extend([row] * len(value))
        draft.size = len(members)
        return members, null

    def _item(self, draft: Draft, keys: list[str] | None, items: Sequence[Any], depth: int) -> Plan:
        """Columns for the members of a draft whose owners and size are known."""
        every = range(draft.size)
        objects = [i for i in items if i is not None]
        records = bool(objects) and all(isinstance(o, dict) for o in objects) and is_record(objects)
        inner = inner_key(keys, items) if keys and records and draft.kind == "map" and not draft.many else None
        if keys is not None and inner is None:
            draft.own_key = Column((), list(keys), role="key")
            draft.columns.append(draft.own_key)
        if records and (inner is not None or not is_map(draft.source, objects)):
            plan: Plan = self._group(draft, every, every, items, (), depth)
        else:
            draft.scalar = True
            plan = self._field(draft, every, every, items, _MEMBER, depth)
            for column in draft.columns[-1:] if isinstance(plan, CellPlan) else ():
                column.role = "value"
        if inner is not None:
            draft.own_key = next(c for c in draft.columns if c.path == (inner,))
        return plan


def _absent(scope: Sequence[int], rows: Sequence[int]) -> set[int]:
    return set(scope).difference(rows) if len(rows) != len(scope) else set()


def _holds_tables(value: dict[str, JsonValue], levels: int = DEEPEST) -> bool:
    for key, member in value.items():
        if (
            isinstance(member, dict)
            and member
            and (is_map(key, [member]) or (levels and _holds_tables(member, levels - 1)))
        ):
            return True
        if isinstance(member, list) and list_of_records(member):
            return True
    return False
