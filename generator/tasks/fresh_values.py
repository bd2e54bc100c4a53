"""Values for what is new: contents that a user would give, realistic and agreeing within a call.

The seed generator makes them: the value slots of a tool are the columns of a table that nobody stores. Invariant: the
same catalogue and seed give the same values. Not covered: whether the tool takes them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from autoforge.generator.conformance.values import kinds
from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.generator.seed import seed_rows
from autoforge.generator.tasks.catalogue import Catalogue, ColumnName, Slot, ToolModel
from autoforge.generator.tasks.row_sets import type_of_value
from autoforge.mcp_envs.runtime import CLOCK_TABLE
from autoforge.mcp_envs.state import State

__all__ = ["FreshValues"]

_ROWS = 40
_NUMBERS_VARY = 0.6
_LONGEST_WORD = 20
_Path = tuple[str | int, ...]


class FreshValues:
    """Rows of values for the value slots of each tool."""

    def __init__(self, catalogue: Catalogue, state: State, seed: int) -> None:
        self._catalogue = catalogue
        self._stored = {name: contents.records() for name, contents in state.items()}
        self._seed = seed
        clock = self._stored.get(CLOCK_TABLE) or [{"now": "2026-03-02T09:00:00"}]
        self._now = str(clock[0]["now"])
        self._rows = cache(self._made)

    def row(self, tool: str, chance: random.Random) -> dict[_Path, Any]:
        """One value for each slot that takes contents."""
        slots = self._slots(self._catalogue.tools[tool])
        rows = self._rows(tool)
        row = chance.choice(rows) if rows else {}
        return {slot.path: self._value(slot, row.get(_name(i, slot)), chance) for i, slot in enumerate(slots)}

    def stored(self, column: ColumnName | None) -> list[Any]:
        """The distinct values of a column in the seed, without nulls."""
        if column is None:
            return []
        values = [r.get(column.column) for r in self._stored.get(column.table, ())]
        return list({repr(v): v for v in values if v is not None}.values())

    def _slots(self, tool: ToolModel) -> list[Slot]:
        return [slot for slot in tool.slots if slot.role in ("value", "filter")]

    def _made(self, tool: str) -> Sequence[Mapping[str, Any]]:
        model = self._catalogue.tools[tool]
        slots = self._slots(model)
        if not slots:
            return ()
        entity = Entity(
            name=model.record.entity or "item",
            table="items",
            attributes=(
                Attribute(name="row_number", type=ColumnType.INTEGER),
                *map(self._attribute, range(len(slots)), slots),
            ),
            key=("row_number",),
        )
        world = World(name="fresh", entities=(entity,), operations=(), clock=self._now)
        return seed_rows(world, seed=self._seed + 77, rows=_ROWS)[entity.name]

    def _attribute(self, i: int, slot: Slot) -> Attribute:
        return Attribute(
            name=_name(i, slot),
            type=self._type(slot),
            description=str(slot.schema.get("description") or ""),
            enum=tuple(v for v in slot.schema.get("enum") or () if v is not None),
            nullable=False,
            minimum=_number(slot.schema.get("minimum", slot.schema.get("exclusiveMinimum"))),
            maximum=_number(slot.schema.get("maximum", slot.schema.get("exclusiveMaximum"))),
            pattern=slot.schema.get("pattern") if isinstance(slot.schema.get("pattern"), str) else None,
            examples=tuple(slot.schema.get("examples") or ()) if isinstance(slot.schema.get("examples"), list) else (),
        )

    def _type(self, slot: Slot) -> ColumnType:
        wanted, form = kinds(slot.schema), slot.schema.get("format")
        for kind, type in (("boolean", "boolean"), ("integer", "integer"), ("number", "real")):
            if kind in wanted:
                return ColumnType(type)
        if {"array", "object"} & set(wanted) and "string" not in wanted:
            return ColumnType.JSON
        shapes = [v for v in self.stored(slot.column) if type_of_value(v) == "date"]
        if form in ("date", "date-time") or shapes:
            return ColumnType.DATE if form == "date" or (shapes and len(shapes[0]) == 10) else ColumnType.DATETIME
        return ColumnType.TEXT

    def _value(self, slot: Slot, made: Any, chance: random.Random) -> Any:
        """What the seed generator made; for a known column of numbers, one like those that are stored."""
        if slot.schema.get("enum"):
            return chance.choice([v for v in slot.schema["enum"] if v is not None] or [None])
        seen = self.stored(slot.column)
        words = self.closed(slot.column) if slot.column is not None and "string" in kinds(slot.schema) else []
        if words:
            return chance.choice(words)
        stored = [v for v in seen if isinstance(v, int | float) and not isinstance(v, bool)]
        if stored and all(float(v).is_integer() for v in stored):
            made = int(made) if isinstance(made, float) else made
            stored = [int(v) for v in stored]
        if stored and {"integer", "number"} & set(kinds(slot.schema)) and chance.random() < _NUMBERS_VARY:
            value = chance.choice(stored)
            return round(value * chance.choice((0.5, 0.8, 1.2, 1.5)), 2 if isinstance(value, float) else None) or value
        if slot.schema.get("format") == "date-time" and isinstance(made, str) and "T" in made and made[-1] != "Z":
            return made + "Z"
        return _sized(made, slot) if isinstance(made, str) else made

    def closed(self, column: ColumnName) -> list[str]:
        """The words of a text column that holds few different ones; none of any other column."""
        described = self._catalogue.column(column)
        seen = self.stored(column)
        words = [v for v in seen if isinstance(v, str) and len(v) <= _LONGEST_WORD]
        rows = len(self._stored.get(column.table, ()))
        few = bool(described and described.enum) or len(words) <= rows / 2
        return words if 1 < len(seen) == len(words) and few else []


def _sized(text: str, slot: Slot) -> str:
    longest = slot.schema.get("maxLength")
    return text[:longest].strip() if isinstance(longest, int) else text


def _name(i: int, slot: Slot) -> str:
    """A column name in which the words of the slot's name lead to its meaning; a number keeps names apart."""
    plain = re.sub(r"\W+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", slot.name)).strip("_").lower()
    return (
        plain
        if plain and plain[0].isalpha() and i == 0
        else f"{plain or 'value'}__{i}"
        if plain[:1].isalpha()
        else f"v_{i}"
    )


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
