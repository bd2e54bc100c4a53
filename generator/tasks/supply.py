"""Where the arguments of a step can come from: the step before, rows in hand, the user, another look-up.

Invariant: an option that is offered carries the value that its source will give. Not covered: trying the options
(`steps`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autoforge.generator.tasks.builder import Builder, Option, Thing
from autoforge.generator.tasks.catalogue import ColumnName, RowSet, Slot, ToolModel
from autoforge.generator.tasks.graph import Edge
from autoforge.generator.tasks.hand import given, holding, origin, repeated
from autoforge.generator.tasks.selectors import selections
from autoforge.generator.tasks.walks import is_opaque
from autoforge.mcp_envs.paths import NoSuchPart, extract
from autoforge.mcp_envs.task import Output, Source

__all__ = ["fed_by", "from_hand", "from_user", "picked"]

_MOST_KNOWN = 8
_MOST_SELECTIONS = 24


def fed_by(builder: Builder, node: str, edge: Edge) -> list[Option]:
    """Values that an edge brings from a node: the one row's, or those of rows that a selection can point out."""
    rows = builder.catalogue.tools[edge.producer].rows[edge.row_set]
    if rows.many:
        items = builder.items(node, rows)
        told = repeated(builder, node, rows, edge.field, items[0]) if len(items) == 1 else None
        if told is not None:
            return [told]
        return picked(builder, node, rows, edge.field)
    try:
        value = extract(builder.values[node], rows.path)
        inner = extract(value, edge.field)
    except NoSuchPart:
        return []
    thing = Thing(rows.table, value, node, rows.path, rows)
    return [] if inner is None else [Option(inner, lambda: origin(builder, thing, edge.field), 3.0, thing)]


def picked(builder: Builder, node: str, rows: RowSet, field: str) -> list[Option]:
    """Values of a field of the items that a selection can point out."""
    items = builder.items(node, rows)
    over: Source = Output(node=node, path=rows.path)
    found = []
    for selection in selections(items, rows.types, builder.chance, ids=builder.ids_of(rows))[:_MOST_SELECTIONS]:
        item = items[selection.place]
        try:
            value = extract(item, field)
        except NoSuchPart:
            continue
        if value is None or (isinstance(value, str) and value in builder.known.values()):
            continue
        siblings = tuple(other for i, other in enumerate(items) if i != selection.place)

        def make(selection: Any = selection, item: Any = item, siblings: Any = siblings) -> Source:
            chosen = builder.choose(over, selection, builder.entity(rows.table))
            thing = Thing(rows.table, item, chosen, "$", rows, siblings)
            builder.things.append(thing)
            return thing.source(field)

        found.append(Option(value, make, selection.weight, Thing(rows.table, item, node, "$", rows, siblings)))
    return found


def from_hand(builder: Builder, column: ColumnName) -> Iterator[Option]:
    """Values of rows in hand, and of rows that earlier calls were about."""
    seen: list[Any] = []
    for thing, field in holding(builder, column):
        try:
            value = thing.value(field)
        except NoSuchPart:
            continue
        if value is not None and value not in seen:
            seen.append(value)
            yield Option(value, lambda thing=thing, field=field: origin(builder, thing, field), 2.0 / len(seen), thing)  # type: ignore[misc]
    for value, source in given(builder, column):
        if value not in seen:
            seen.append(value)
            yield Option(value, lambda source=source: source, 1.0 / len(seen))  # type: ignore[misc]


def from_user(builder: Builder, tool: ToolModel, slot: Slot, *, opaque: bool = False) -> list[Option]:
    """Values of rows that the user can name; generated ids only with `opaque`."""
    if slot.column is None or (is_opaque(slot, builder.catalogue, builder.setting.graph) and not opaque):
        return []
    column = slot.column
    values = [v for v in builder.setting.fresh.stored(column) if not isinstance(v, bytes)]
    values = [v for v in values if v not in builder.used and not (isinstance(v, str) and v[:1] in ("[", "{"))]
    builder.chance.shuffle(values)
    name = builder.slot_name(tool, slot)
    return [Option(v, lambda v=v: builder.tell(name, v), 1.0) for v in values[:_MOST_KNOWN]]  # type: ignore[misc]
