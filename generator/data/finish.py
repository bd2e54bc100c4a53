"""Drafts and plans → the frozen `DataSample`.

Invariant: row indices of the plans become key values here, and nowhere else. Entities and rows come parents first.
Not covered: inference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

import networkx as nx

from autoforge.generator.data.attributes import entity_of
from autoforge.generator.data.drafts import CellPlan, Column, ConstantPlan, Draft, GroupPlan, Plan, RowsPlan, SinglePlan
from autoforge.generator.data.keys import add_key_columns, choose_keys
from autoforge.generator.data.links import find_references, name_keys
from autoforge.generator.data.naming import name_columns, name_drafts
from autoforge.generator.data.sample import Cell, Constant, DataSample, Group, Key, Link, Recipe, Row, Rows, Single
from autoforge.generator.data.types import store

__all__ = ["finish"]


def finish(
    drafts: Sequence[Draft],
    plans: Mapping[str, Plan],
    hints: Collection[str],
    notes: list[str],
    empty: Sequence[str],
    digest: str,
) -> DataSample:
    """Type, key, name and link the drafts, in that order, and freeze everything."""
    drafts = sorted(drafts, key=lambda d: len(d.ancestors()))
    for column in (c for d in drafts for c in d.columns):
        store(column)
    choose_keys(drafts)
    find_references(drafts, notes)
    name_drafts(drafts)
    name_keys(drafts, hints)
    for draft in drafts:
        name_columns(draft)
    add_key_columns(drafts)
    drafts = _parents_first(drafts, notes)
    frozen = _Frozen.of(drafts)
    return DataSample(
        entities=tuple(entity_of(d) for d in drafts),
        rows={d.entity: _rows(d) for d in drafts},
        layout={file: frozen.recipe(plan, None) for file, plan in plans.items()},
        names={d.entity: {c.name: ".".join(c.path) for c in d.columns if c.path and c.role == "data"} for d in drafts},
        hidden={d.entity: frozenset(c.name for c in d.columns if c.generated) for d in drafts},
        links=tuple(Link(d.entity, c.name, c.link.entity, c.reason) for d in drafts for c in d.columns if c.link),
        empty=tuple(empty), notes=tuple(notes), digest=digest,
    )  # fmt: skip


def _parents_first(drafts: Sequence[Draft], notes: list[str]) -> list[Draft]:
    """Sorted by references; a circle is opened where it was last closed, which is said."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(drafts)))
    index = {id(d): i for i, d in enumerate(drafts)}
    for i, draft in enumerate(drafts):
        for column in sorted(draft.columns, key=lambda c: c.role != "owner"):
            if column.target is None or column.target is draft:
                continue
            target = index[id(column.target)]
            if nx.has_path(graph, i, target):
                notes.append(
                    f"{draft.table} and {column.target.table} refer to each other: "
                    "load them with foreign keys deferred."
                )
            else:
                graph.add_edge(target, i)
    return [drafts[i] for i in nx.lexicographical_topological_sort(graph)]


def _rows(draft: Draft) -> list[Row]:
    names = [c.name for c in draft.columns]
    rows: list[Row] = [
        dict(zip(names, cells, strict=True)) for cells in zip(*(c.cells for c in draft.columns), strict=True)
    ]
    for column in draft.columns:
        if column.target is draft:
            rows = _referenced_first(rows, draft.key[0].name, column.name)
    return rows


def _referenced_first(rows: list[Row], key: str, reference: str) -> list[Row]:
    """Rows of a table that refers to itself, so that each comes after the one it names; a circle keeps its order."""
    by_key = {row[key]: i for i, row in enumerate(rows)}
    done: dict[int, None] = {}
    for start in range(len(rows)):
        chain: dict[int, None] = {}
        i: int | None = start
        while i is not None and i not in done and i not in chain:
            chain[i] = None
            i = by_key.get(rows[i][reference])
        done.update(dict.fromkeys(reversed(chain)))
    return [rows[i] for i in done]


@dataclass(frozen=True, slots=True)
class _Frozen:
    """Recipes from plans; holds the key of every row of every draft."""

    keys: dict[int, list[Key]]

    @classmethod
    def of(cls, drafts: Iterable[Draft]) -> _Frozen:
        return cls({id(d): list(zip(*(c.cells for c in d.key), strict=True)) for d in drafts})

    def recipe(self, plan: Plan, draft: Draft | None) -> Recipe:
        """The recipe of a plan whose current row is one of `draft`."""
        match plan:
            case CellPlan(column):
                return self._cell(column, draft)
            case ConstantPlan(value):
                return Constant(value)
            case GroupPlan():
                return Group(
                    self._fields(plan.fields, draft), self._some(draft, plan.missing), self._some(draft, plan.null)
                )
            case SinglePlan():
                return Single(plan.draft.entity if plan.draft else None, self._fields(plan.fields, plan.draft))
            case RowsPlan():
                return self._members(plan, draft)
        assert_never(plan)

    def _fields(self, fields: Iterable[tuple[str, Plan]], draft: Draft | None) -> tuple[tuple[str, Recipe], ...]:
        return tuple((name, self.recipe(plan, draft)) for name, plan in fields)

    def _some(self, draft: Draft | None, rows: Iterable[int]) -> frozenset[Key]:
        return frozenset(self.keys[id(draft)][row] for row in rows)

    def _members(self, plan: RowsPlan, draft: Draft | None) -> Rows:
        child = plan.draft
        return Rows(
            child.entity, "list" if child.kind in ("list", "table") else "map" if child.kind == "map" else "entries",
            item=self.recipe(plan.item, child),
            owner=child.owner.name if child.owner else None, order=tuple(c.name for c in child.order),
            key=self._cell(child.own_key, child) if child.own_key else None, many=child.many,
            missing=self._some(draft, plan.missing), null=self._some(draft, plan.null),
        )  # fmt: skip

    def _cell(self, column: Column, draft: Draft | None) -> Cell:
        keys = self.keys[id(draft)]
        forms = {keys[row]: form for row, form in column.forms.items()}
        nulls = {row for row, cell in enumerate(column.cells) if cell is None} - column.missing
        if column.written:
            return Cell(column.name, column.codec, "empty", forms=forms)
        if len(column.missing) < column.scope / 2 or not column.missing:
            return Cell(column.name, column.codec, "null", self._some(draft, column.missing), forms)
        return Cell(column.name, column.codec, "missing", self._some(draft, nulls), forms)
