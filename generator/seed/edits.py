"""Changing cells so that operations have rows to succeed on.

Invariant: an edit is made whole or not at all, and only where every rule of the schema still holds, references that
imply each other agree, every enum value and documented value still occurs, no parent that should stay untouched gets
a child and no pair occurs twice. Rows that the user gave, keys and documented cells stay. Not covered: which edits
are useful (`proposals`), columns that follow from others (`witness` settles them).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.seed.pairs import pair_columns
from autoforge.generator.seed.plan import parent_entity
from autoforge.generator.seed.relations import Agreement, agreements
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.seed.values import accepts

__all__ = ["Cell", "Edit", "Editor"]


class Cell(NamedTuple):
    """A cell and what it is to hold."""

    entity: str
    number: int
    column: str
    value: JsonValue


class Edit(NamedTuple):
    """Cells that change together."""

    cost: int
    cells: tuple[Cell, ...]


class Editor:
    """Makes and unmakes edits of one setting."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.entities = {e.name: e for e in setting.world.entities}
        self.derived: set[tuple[str, int, str]] = set()
        """Cells that did not keep what an edit gave them, because they follow from others."""
        self.changed: dict[str, set[int]] = {}
        """Rows that changed since they were settled."""
        self.kept: list[Cell] = []
        """What those edits gave."""
        self._agreements = {e.name: agreements(setting, e) for e in setting.world.entities}
        self._pairs = {e.name: columns for e in setting.world.entities if (columns := pair_columns(setting.world, e))}

    def attribute(self, entity: str, column: str) -> Attribute | None:
        return self.entities[entity].attribute(column)

    def may_change(self, entity: str, index: int, column: str) -> bool:
        """Whether a cell is free to change at all."""
        holder = self.entities[entity]
        attribute = holder.attribute(column)
        return (
            attribute is not None
            and entity not in self.setting.given
            and column not in holder.key
            and attribute.references != entity
            and not (holder.singleton and attribute.references is not None)
            and (entity, index, column) not in self.setting.pinned
            and (entity, index, column) not in self.derived
            and self.setting.rows[entity][index].get(column) is not None
        )

    def make(self, edit: Edit) -> list[Cell] | None:
        """Change the cells and those that must follow; what they held before, or None where that is not allowed."""
        cells = list(dict.fromkeys(c for cell in edit.cells for c in self._followed(cell)))
        if not all(self._may_hold(cell) for cell in cells):
            return None
        before = [Cell(c.entity, c.number, c.column, self._row(c)[c.column]) for c in cells]
        for cell in cells:
            self._row(cell)[cell.column] = cell.value
        if not all(self._lawful(cell) for cell in before):
            self.unmake(before)
            return None
        return before

    def unmake(self, before: list[Cell]) -> None:
        """Give cells back what they held."""
        for cell in reversed(before):
            self._row(cell)[cell.column] = cell.value

    def keep(self, before: list[Cell]) -> None:
        """Remember that an edit stays."""
        for cell in before:
            self.changed.setdefault(cell.entity, set()).add(cell.number)
            self.kept.append(cell._replace(value=self._row(cell)[cell.column]))

    def _row(self, cell: Cell) -> Row:
        return self.setting.rows[cell.entity][cell.number]

    def _may_hold(self, cell: Cell) -> bool:
        attribute = self.attribute(cell.entity, cell.column)
        if attribute is None or not self.may_change(cell.entity, cell.number, cell.column):
            return False
        if attribute.references is None:
            return (cell.value is None and attribute.nullable) or accepts(attribute, cell.value)
        parent = parent_entity(self.setting.world, attribute)
        untouched = self.setting.untouched.get(parent.name, frozenset()) if parent is not None else frozenset()
        return parent is not None and cell.value in self.setting.keys(parent) and repr(cell.value) not in untouched

    def _lawful(self, old: Cell) -> bool:
        """Whether the column of a changed cell still keeps what it must."""
        entity, rows = self.entities[old.entity], self.setting.rows[old.entity]
        attribute = self.attribute(old.entity, old.column)
        assert attribute is not None
        values = [row[old.column] for row in rows]
        shown = old.value in (*attribute.enum, *attribute.examples) or attribute.type is ColumnType.BOOLEAN
        if shown and not entity.singleton and old.value not in values:
            return False
        if self.setting.tells_apart(entity, attribute):
            known = [repr(v) for v in values if v is not None]
            if len(set(known)) < len(known):
                return False
        pair = self._pairs.get(entity.name, ())
        return old.column not in pair or len({tuple(repr(r[c]) for c in pair) for r in rows}) == len(rows)

    # --- references that imply each other ---

    def _followed(self, cell: Cell) -> Iterator[Cell]:
        """The cell, and the references that change with it."""
        yield cell
        for agreement in self._agreements[cell.entity]:
            if agreement.near.name == cell.column:
                yield from self._far(cell, agreement)
            elif agreement.far.name == cell.column:
                yield from self._near(cell, agreement)
        for name, found in self._agreements.items():
            for agreement in found:
                if agreement.between.name == cell.entity and agreement.inner.name == cell.column:
                    yield from self._children(cell, self.entities[name], agreement)

    def _far(self, cell: Cell, agreement: Agreement) -> Iterator[Cell]:
        key = agreement.between.key[0]
        leads = next(
            (r.get(agreement.inner.name) for r in self.setting.rows[agreement.between.name] if r[key] == cell.value),
            None,
        )
        held = self._row(cell).get(agreement.far.name)
        if leads is not None and held is not None and held != leads:
            yield Cell(cell.entity, cell.number, agreement.far.name, leads)

    def _near(self, cell: Cell, agreement: Agreement) -> Iterator[Cell]:
        """Another Y that belongs to the new X."""
        key, held = agreement.between.key[0], self._row(cell).get(agreement.near.name)
        rows = self.setting.rows[agreement.between.name]
        untouched = self.setting.untouched.get(agreement.between.name, frozenset())
        fits = [r[key] for r in rows if r.get(agreement.inner.name) == cell.value and repr(r[key]) not in untouched]
        if held is not None and held not in fits:
            yield Cell(cell.entity, cell.number, agreement.near.name, fits[cell.number % len(fits)] if fits else None)

    def _children(self, cell: Cell, child: Entity, agreement: Agreement) -> Iterator[Cell]:
        own = self._row(cell)[agreement.between.key[0]]
        for i, row in enumerate(self.setting.rows[child.name]):
            if row.get(agreement.near.name) == own and row.get(agreement.far.name) not in (None, cell.value):
                yield Cell(child.name, i, agreement.far.name, cell.value)
