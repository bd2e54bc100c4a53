"""What differs between two states, cell by cell, for drafts: does each write still show?

Invariant: a cell counts only where comparing states would see it. Not covered: the comparison itself (`equality`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.mcp_envs.manifest import ColumnKind
from autoforge.mcp_envs.runtime import COUNTER_TABLE
from autoforge.mcp_envs.state import Change, State

__all__ = ["Cell", "cells_of", "plain_rows"]

Cell: TypeAlias = tuple[str, tuple[Any, ...], str]
"""Table, key and column."""


def cells_of(found: Iterable[Change], catalogue: Catalogue) -> set[Cell]:
    """The cells that changed in a way that comparing states sees; of a row that is new or gone all."""
    cells: set[Cell] = set()
    for change in found:
        columns = catalogue.tables[change.table].columns
        if change.before is None or change.after is None:
            cells |= {(change.table, change.key, c.name) for c in columns}
            continue
        kinds = {c.name: c.kind for c in columns}
        for name, value in change.after.items():
            words = kinds.get(name) == ColumnKind.FREE_TEXT and bool(value) == bool(change.before[name])
            if not words and kinds.get(name) != ColumnKind.LOG:
                cells.add((change.table, change.key, name))
    return cells


def plain_rows(state: State) -> Sequence[Any]:
    """The rows of a state without counters, comparable."""
    return [(name, contents.rows) for name, contents in sorted(state.items()) if name != COUNTER_TABLE]
