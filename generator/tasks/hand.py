"""What is at hand while a blueprint is drafted: where a value was first told, which rows hold it, which belong to it.

Invariant: nothing is added to the blueprint; a source that is given leads to the value that was asked for. Not covered:
values that only the user knows (`supply`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autoforge.generator.tasks.builder import Builder, Option, Thing, source_at
from autoforge.generator.tasks.catalogue import ColumnName, RowSet
from autoforge.generator.tasks.interpreter import resolve
from autoforge.mcp_envs.paths import NoSuchPart, extract, part
from autoforge.mcp_envs.task import Output, Source, ToolStep

__all__ = ["given", "holding", "origin", "relatives", "repeated", "seen"]


def origin(builder: Builder, thing: Thing, field: str) -> Source:
    """The source of a field, as early as it is told: what a step repeats of its arguments is taken from there, and
    what a look-up repeats of a row in hand from that row.
    """
    told = repeated(builder, thing.node, thing.rows, field, thing.item)
    if told is not None:
        return told.make()
    earlier = _shown_before(builder, thing, field)
    return thing.source(field) if earlier is None else earlier


def _shown_before(builder: Builder, thing: Thing, field: str) -> Source | None:
    """The same value of the same row in an earlier output, where the later one is only a look-up."""
    step = next(n for n in builder.nodes if n.id == thing.node)
    column = next((c for c, path in thing.rows.fields.items() if path == field), None)
    if not isinstance(step, ToolStep) or column is None or not builder.catalogue.tools[step.tool].reads_only:
        return None
    key = builder.catalogue.tables[thing.table].key
    for other in builder.things:
        if other.node == thing.node:
            break
        same = other.table == thing.table and all(_agree(thing, other, name) for name in (*key, column))
        if same and key:
            return other.source(other.rows.fields[column])
    return None


def _agree(one: Thing, two: Thing, column: str) -> bool:
    """Whether both show the column, with one value."""
    paths = one.rows.fields.get(column), two.rows.fields.get(column)
    if paths[0] is None or paths[1] is None:
        return False
    value = part(one.item, paths[0])
    return value is not None and value == part(two.item, paths[1])


def repeated(builder: Builder, node: str, rows: RowSet, field: str, item: Any) -> Option | None:
    """The argument that a field of a step's output only repeats: the row that the step was about."""
    step = next(n for n in builder.nodes if n.id == node)
    column = next((c for c, path in rows.fields.items() if path == field), None)
    if not isinstance(step, ToolStep) or column is None:
        return None
    domain = builder.catalogue.domain(ColumnName(rows.table, column))
    for slot in builder.catalogue.tools[step.tool].slots:
        given = source_at(step.arguments, slot.path) if slot.role in ("reference", "filter") else None
        if given is None or slot.column is None or builder.catalogue.domain(slot.column) != domain:
            continue
        value = resolve(given, builder.known, builder.values)
        if value == part(item, field):
            return Option(value, lambda given=given: given, 3.0, _about(builder, given))  # type: ignore[misc]
    return None


def _about(builder: Builder, source: Source) -> Thing | None:
    """The row in hand that a source takes a field of."""
    if not isinstance(source, Output):
        return None
    return next((t for t in reversed(builder.things) if t.node == source.node), None)


def seen(builder: Builder, table: str, field: str) -> list[Any]:
    """The values of a column that outputs have shown so far."""
    found: list[Any] = []
    for node in builder.nodes:
        if not isinstance(node, ToolStep) or node.id not in builder.values:
            continue
        for rows in builder.catalogue.tools[node.tool].rows:
            path = rows.fields.get(field)
            if rows.table != table or path is None:
                continue
            for item in builder.items(node.id, rows):
                try:
                    found.append(extract(item, path))
                except NoSuchPart:
                    continue
    return found


def relatives(builder: Builder, column: ColumnName | None, value: Any) -> dict[ColumnName, Any]:
    """Domain -> key of the rows that a row's foreign keys lead to, as the episode began."""
    found: dict[ColumnName, Any] = {}
    if column is None:
        return found
    frontier = [(builder.catalogue.domain(column), value)]
    while frontier:
        domain, key = frontier.pop()
        contents = builder.start.state.get(domain.table)
        rows = [] if contents is None or domain.column not in contents.columns else contents.records()
        row = next((r for r in rows if r[domain.column] == key), None)
        for child in builder.catalogue.tables[domain.table].columns if row is not None else ():
            if child.references in builder.catalogue.tables and row is not None and row.get(child.name) is not None:
                parent = builder.catalogue.domain(ColumnName(domain.table, child.name))
                if parent not in found and parent.table != domain.table:
                    found[parent] = row[child.name]
                    frontier.append((parent, row[child.name]))
    return found


def given(builder: Builder, column: ColumnName) -> Iterable[tuple[Any, Source]]:
    """What earlier calls were given where they take the column's values, the latest first, with its source."""
    domain = builder.catalogue.domain(column)
    for step in reversed(builder.nodes):
        if not isinstance(step, ToolStep) or step.id not in builder.values:
            continue
        for slot in builder.catalogue.tools[step.tool].slots:
            source = source_at(step.arguments, slot.path) if slot.role == "reference" else None
            if source is not None and slot.column is not None and builder.catalogue.domain(slot.column) == domain:
                yield resolve(source, builder.known, builder.values), source


def holding(builder: Builder, column: ColumnName) -> Iterable[tuple[Thing, str]]:
    """Things in hand that hold a value of the column's domain, the latest first, with the field."""
    domain = builder.catalogue.domain(column)
    for thing in reversed(builder.things):
        for name, path in thing.rows.fields.items():
            here = ColumnName(thing.table, name)
            if here == column or builder.catalogue.domain(here) == domain:
                yield thing, path
