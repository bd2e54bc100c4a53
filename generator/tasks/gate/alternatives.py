"""Other values that could stand in a place of a call: rows that look alike, values of the same column, neighbours.

Invariant: the same values for the same state and the same chance, none of them equal to the given one, all of them
accepted by the server's own check of arguments. Not covered: what they do.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple, TypeAlias

from autoforge.generator.conformance.subject import Tool
from autoforge.generator.tasks.catalogue import Catalogue, ColumnName, Slot, ToolModel
from autoforge.generator.tasks.row_sets import loaded
from autoforge.generator.tasks.slots import value_at
from autoforge.mcp_envs.state import State

__all__ = ["Leaf", "LeafPath", "accepts", "leaves", "look_alikes", "neighbours", "others", "slot_of"]

LeafPath: TypeAlias = tuple[str | int, ...]
_MOST_STORED = 12
"""Values of a column that are tried."""
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(.*)", re.DOTALL)
_checkers: dict[int, tuple[ToolModel, Tool]] = {}


class Leaf(NamedTuple):
    """One plain value in a call's arguments."""

    path: LeafPath
    value: Any


def leaves(value: Any, path: LeafPath = ()) -> Iterator[Leaf]:
    """Every plain value in it; an empty list or object is one."""
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    if not inner:
        yield Leaf(path, value)
    for name, part in inner:
        yield from leaves(part, (*path, name))


def accepts(tool: ToolModel, arguments: Mapping[str, Any]) -> bool:
    """Whether the environment's server would hand this call to the tool."""
    known = _checkers.get(id(tool))
    if known is None:
        known = _checkers[id(tool)] = (tool, Tool(tool.document, tool.record, ()))
    return known[1].accepts(arguments)


def slot_of(tool: ToolModel, path: LeafPath) -> Slot | None:
    """The slot that a place belongs to; every item of a list has the slot of the first."""
    first = tuple(0 if isinstance(part, int) else part for part in path)
    for length in range(len(first), 0, -1):
        slot = tool.slot(first[:length])
        if slot is not None:
            return slot
    return None


def others(tool: ToolModel, leaf: Leaf, catalogue: Catalogue, state: State, chance: random.Random) -> Iterator[Any]:
    """Other values for a place, the most misleading ones first."""
    slot = slot_of(tool, leaf.path)
    yield from _different(leaf.value, _candidates(tool, leaf, slot, catalogue, state, chance))


def _candidates(
    tool: ToolModel, leaf: Leaf, slot: Slot | None, catalogue: Catalogue, state: State, chance: random.Random
) -> Iterator[Any]:
    schema = slot.schema if slot is not None else {}
    listed = [*(schema.get("enum") or ()), *((schema.get("items") or {}).get("enum") or ())]
    yield from chance.sample(listed, len(listed))
    if isinstance(leaf.value, bool):
        yield not leaf.value
        return
    if slot is not None and slot.column is not None:
        source = catalogue.domain(slot.column)
        if slot.role == "reference":
            yield from look_alikes(source, leaf.value, state)
        else:
            found = list(dict.fromkeys(_column(source, state)))
            yield from chance.sample(found, min(_MOST_STORED, len(found)))
    if slot is not None:
        yield from (value_at(sample.arguments, slot.path) for sample in tool.samples[:6])
    if not listed:
        yield from neighbours(leaf.value)


def look_alikes(column: ColumnName, value: Any, state: State) -> list[Any]:
    """Other values of an identifying column, those of the rows most like the row of `value` first."""
    contents = state.get(column.table)
    if contents is None or column.column not in contents.columns:
        return []
    place = contents.columns.index(column.column)
    target = next((row for row in contents.rows if row[place] == value), None)
    rows = [row for row in contents.rows if row[place] is not None and row[place] != value]
    if target is not None:
        rows.sort(key=lambda row: -sum(a == b for a, b in zip(row, target, strict=True)))
    return list(dict.fromkeys(row[place] for row in rows))


def _column(column: ColumnName, state: State) -> list[Any]:
    contents = state.get(column.table)
    if contents is None or column.column not in contents.columns:
        return []
    place = contents.columns.index(column.column)
    return [value for row in contents.rows if row[place] is not None for value in _opened(row[place])]


def _opened(value: Any) -> list[Any]:
    """The items of a list that is stored as JSON; any other value as it is."""
    items = loaded(value) if isinstance(value, str) and value.startswith("[") else None
    plain = isinstance(items, list) and not any(isinstance(item, list | dict) for item in items)
    return items if isinstance(items, list) and plain else [value]


def neighbours(value: Any) -> Iterator[Any]:
    """Values near a plain value, and some far from it."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, value * 2 + 3, 0, value * 1000 + 7, -value - 1)
    elif isinstance(value, float):
        yield from (value + 1.0, value - 1.0, value * 2 + 0.5, 0.0, value * 1000 + 7.5, -value - 1)
    elif isinstance(value, str):
        yield from _texts(value)
    elif isinstance(value, list) and value:
        yield value[:-1]


def _texts(value: str) -> Iterator[str]:
    match = _DATE.fullmatch(value)
    try:
        day = date.fromisoformat(match.group(1)) if match else None
    except ValueError:
        day = None
    if match is not None and day is not None:
        for days in (1, -1, 7, -400, 400):
            yield (day + timedelta(days=days)).isoformat() + match.group(2)
        return
    if re.fullmatch(r"\d+", value):
        yield str(int(value) + 1).zfill(len(value))
        return
    local, at, domain = value.partition("@")
    yield f"{local}.b@{domain}" if at else f"{value} B"
    yield "b." + value if at else f"Other {value}"


def _different(value: Any, candidates: Iterable[Any]) -> Iterator[Any]:
    seen: set[str] = {_told(value)}
    for candidate in candidates:
        if candidate is not None and _told(candidate) not in seen and _fits(value, candidate):
            seen.add(_told(candidate))
            yield candidate


def _told(value: Any) -> str:
    return repr(value)


def _fits(value: Any, other: Any) -> bool:
    """Stored booleans are numbers and stored lists texts: they are no values of an argument of another type."""
    numbers = isinstance(value, int | float) and not isinstance(value, bool)
    if numbers:
        return isinstance(other, int | float) and not isinstance(other, bool)
    return value is None or type(value) is type(other)
