"""What is left of two states once the rows that both have cancel.

Invariant: a row is dropped only from both states at once, as often as both have it, and only when no generated id can
stand in it; so no comparison up to a renaming of those ids is changed. Not covered: what an id is (`equality`).
"""

from __future__ import annotations

import itertools
import operator
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from autoforge.mcp_envs.manifest import Column, ColumnKind
from autoforge.mcp_envs.state import Contents, Row, State, Value

__all__ = ["HeldIds", "remainder"]

_UNUSUAL = r"\d[eE]|\d{11}|true|false"
"""How JSON may write a whole number otherwise: an exponent, a rounded fraction, 1 and 0."""


@dataclass(frozen=True)
class HeldIds:
    """Where generated ids may stand."""

    columns: Mapping[tuple[str, str], Column]
    """(table, column) -> what the manifest says of it."""
    ids: Mapping[tuple[str, str], set[Value]] = field(repr=False)
    """(table, column) -> the generated ids of its kind; columns without are missing."""
    texts: frozenset[str] = field(repr=False)
    """Generated ids that are looked for inside every text."""

    def rows(self, table: str, columns: tuple[str, ...], rows: list[Row]) -> set[int]:
        """The places of those of the rows that may hold a generated id; never one too few."""
        found: set[int] = set()
        for name, cells in zip(columns, zip(*rows, strict=True), strict=False):
            column = self.columns.get((table, name))
            ids = self.ids.get((table, name), set())
            if (ids or self.texts) and (column is None or column.kind not in (ColumnKind.LOG, ColumnKind.FREE_TEXT)):
                found |= self._cells(cells, ids, column is not None and column.type.upper() == "JSON")
        return found

    def _cells(self, cells: tuple[Value, ...], ids: set[Value], is_json: bool) -> set[int]:
        types = set(map(type, cells))
        found: set[int] = set()
        if ids and (float in types or not ids.isdisjoint(cells)):
            found = {i for i, cell in enumerate(cells) if isinstance(cell, float) or cell in ids}
        if str not in types:
            return found
        joined = "\n".join(cells if types == {str} else filter(_is_text, cells))  # type: ignore[arg-type]
        present = [text for text in self._all(ids, is_json) if text in joined]
        escaped = is_json and "\\" in joined
        numbers = _numbers(ids) if is_json else None
        if present or escaped or numbers:
            for i, cell in enumerate(cells):
                if isinstance(cell, str) and (
                    any(text in cell for text in present)
                    or (escaped and "\\" in cell)
                    or (numbers is not None and numbers.search(cell))
                ):
                    found.add(i)
        return found

    def _all(self, ids: set[Value], is_json: bool) -> set[str] | frozenset[str]:
        """The ids that may be a part of a text."""
        return self.texts | {i for i in ids if isinstance(i, str)} if is_json else self.texts


def _is_text(cell: Value) -> bool:
    return isinstance(cell, str)


def _numbers(ids: Iterable[Value]) -> re.Pattern[str] | None:
    """What finds one of the ids as a number in JSON, and perhaps more; None where no id is a number."""
    numbers = [i for i in ids if isinstance(i, int | float)]
    if not numbers:
        return None
    if not all(isinstance(n, int) for n in numbers):
        return re.compile("")
    whole = "|".join(str(abs(int(n))) for n in numbers)
    return re.compile(rf"(?<![\d.])(?:{whole})(?!\d)|{_UNUSUAL}")


class _Rest(NamedTuple):
    first: Contents
    second: Contents


def remainder(first: State, second: State, held: HeldIds) -> tuple[State, State]:
    """The two states without the rows that cancel."""
    one, two = dict(first), dict(second)
    for name in first.keys() & second.keys():
        if first[name].columns == second[name].columns:
            one[name], two[name] = _rest(name, first[name], second[name], held)
    return one, two


def _rest(name: str, first: Contents, second: Contents, held: HeldIds) -> _Rest:
    shared, only_first, only_second = _split(first.rows, second.rows)
    kept = [shared[i] for i in sorted(held.rows(name, first.columns, shared))]
    columns = first.columns
    return _Rest(Contents(columns, (*kept, *only_first)), Contents(columns, (*kept, *only_second)))


def _split(first: tuple[Row, ...], second: tuple[Row, ...]) -> tuple[list[Row], list[Row], list[Row]]:
    """Rows of both, of the first only, of the second only, each as often as it is there."""
    same = list(map(operator.eq, first, second))  # an episode leaves most rows in their places
    shared = list(itertools.compress(first, same))
    if len(shared) == len(first) == len(second):
        return shared, [], []
    other = list(map(operator.not_, same))
    moved = (*itertools.compress(second, other), *second[len(same) :])
    left = Counter(moved)
    only_first: list[Row] = []
    for row in (*itertools.compress(first, other), *first[len(same) :]):
        if left[row]:
            left[row] -= 1
            shared.append(row)
        else:
            only_first.append(row)
    return shared, only_first, list(left.elements())
