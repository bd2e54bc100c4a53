"""`schema.sql`: the state structure as readable SQL.

Invariant: every rule that the world knows of a column (type, presence, uniqueness, values, range, reference) is a
constraint, so no tool can leave a state that breaks it; parents come before children where there is no cycle; the
same world gives the same bytes. Dates and times are TEXT (Python's converters for DATE are deprecated); BOOLEAN and
JSON are decoded by the runtime. Not covered: the rows.
"""

from __future__ import annotations

import networkx as nx

from autoforge.generator.emit.names import json_text, plain, quote, sql_literal
from autoforge.generator.emit.prepare import entity_of, prepared
from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.mcp_envs.runtime import CLOCK_TABLE, COUNTER_TABLE, LOG_TABLE

__all__ = ["declared_type", "ordered_entities", "parent_of", "schema_sql"]

_TYPES = {ColumnType.DATE: "TEXT", ColumnType.DATETIME: "TEXT", ColumnType.TIME: "TEXT"}
_MACHINERY = f"""\
-- The clock and the counters of generated ids: part of the state, so that the same call has the same result.
CREATE TABLE {CLOCK_TABLE} (
  now TEXT NOT NULL
);

CREATE TABLE {COUNTER_TABLE} (
  name TEXT PRIMARY KEY NOT NULL,
  value INTEGER NOT NULL
);

-- Calls of tools that have no other effect; no comparison of states reads it.
CREATE TABLE {LOG_TABLE} (
  id INTEGER PRIMARY KEY,
  tool TEXT NOT NULL,
  arguments JSON NOT NULL
);
"""


def declared_type(attribute: Attribute) -> str:
    """The SQL type of a column."""
    return _TYPES.get(attribute.type, attribute.type.value.upper())


def parent_of(world: World, attribute: Attribute) -> Entity | None:
    """The entity that a foreign key points to; None where it is none or the parent's key has several columns."""
    parent = None if attribute.references is None else entity_of(world, attribute.references)
    return parent if parent is not None and len(parent.key) == 1 else None


def ordered_entities(world: World) -> tuple[Entity, ...]:
    """Parents before children; within a cycle, and among equals, in the order of the world."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    position = {entity.name: i for i, entity in enumerate(world.entities)}
    graph.add_nodes_from(position)
    for entity in world.entities:
        parents = {a.references for a in entity.attributes if a.references is not None} - {entity.name}
        graph.add_edges_from((parent, entity.name) for parent in sorted(parents))
    groups = nx.condensation(graph)
    first = {node: min(position[name] for name in groups.nodes[node]["members"]) for node in groups}
    order = nx.lexicographical_topological_sort(groups, key=first.__getitem__)
    names = [name for node in order for name in sorted(groups.nodes[node]["members"], key=position.__getitem__)]
    return tuple(entity_of(world, name) for name in names)


def schema_sql(world: World) -> str:
    """The statements that create an empty state. Raises BadInput for a world that no schema can hold."""
    world = prepared(world)
    title = plain(world.title or world.name)
    parts = [f"-- State of {title}.\n", _MACHINERY]
    taken = {entity.table.lower() for entity in world.entities}
    parts += [_table(world, entity) + _indexes(world, entity, taken) for entity in ordered_entities(world)]
    return "\n".join(parts)


def _table(world: World, entity: Entity) -> str:
    lines = [(_column(world, entity, a), plain(a.description)) for a in entity.attributes]
    if len(entity.key) > 1:
        lines.append((f"PRIMARY KEY ({', '.join(map(quote, entity.key))})", ""))
    body = []
    for i, (definition, comment) in enumerate(lines):
        comma = "," if i < len(lines) - 1 else ""
        body.append(f"  {definition}{comma}" + (f"  -- {comment}" if comment else ""))
    heading = f"-- {plain(entity.title)}\n" if entity.title else ""
    return heading + f"CREATE TABLE {quote(entity.table)} (\n" + "\n".join(body) + "\n);\n"


def _column(world: World, entity: Entity, attribute: Attribute) -> str:
    # JSON alone has numeric affinity: SQLite would keep a text `1e400` or `12345678901234567890` as a rounded number
    kind = "JSON TEXT" if attribute.type is ColumnType.JSON else declared_type(attribute)
    parts = [quote(attribute.name), kind]
    if entity.key == (attribute.name,):
        parts.append("PRIMARY KEY")
        if entity.singleton and attribute.type is ColumnType.INTEGER and attribute.references is None:
            parts.append(f"CHECK ({quote(attribute.name)} = 1)")
    if not attribute.nullable:
        parts.append("NOT NULL")
    if attribute.unique and entity.key != (attribute.name,):
        parts.append("UNIQUE")
    if attribute.default is not None:
        parts.append(f"DEFAULT {_default(attribute)}")
    parts += [f"CHECK ({check})" for check in _checks(attribute)]
    parent = parent_of(world, attribute)
    if parent is not None:
        action = "SET NULL" if attribute.nullable else "CASCADE"
        parts.append(f"REFERENCES {quote(parent.table)} ({quote(parent.key[0])}) ON DELETE {action} ON UPDATE CASCADE")
    return " ".join(parts)


def _default(attribute: Attribute) -> str:
    if attribute.type is ColumnType.JSON or isinstance(attribute.default, list | dict):
        return sql_literal(json_text(attribute.default))
    return sql_literal(attribute.default)


def _checks(attribute: Attribute) -> list[str]:
    name = quote(attribute.name)
    if attribute.type is ColumnType.JSON:
        return []
    if attribute.type is ColumnType.BOOLEAN:
        return [f"{name} IN (0, 1)"]
    checks = []
    values = [v for v in attribute.enum if v is not None and not isinstance(v, list | dict)]
    if values:
        checks.append(f"{name} IN ({', '.join(map(sql_literal, values))})")
    if attribute.type in (ColumnType.INTEGER, ColumnType.REAL):
        checks += [f"{name} >= {_bound(attribute.minimum)}"] if attribute.minimum is not None else []
        checks += [f"{name} <= {_bound(attribute.maximum)}"] if attribute.maximum is not None else []
    return checks


def _bound(number: float) -> str:
    return sql_literal(int(number) if number == int(number) else number)


def _indexes(world: World, entity: Entity, taken: set[str]) -> str:
    lines = []
    for attribute in entity.attributes:
        leads_key = attribute.name == entity.key[0]
        if parent_of(world, attribute) is not None and not attribute.unique and not leads_key:
            name = f"{entity.table}_{attribute.name}_index"
            while name.lower() in taken:
                name += "_"
            taken.add(name.lower())
            lines.append(f"CREATE INDEX {quote(name)} ON {quote(entity.table)} ({quote(attribute.name)});\n")
    return "".join(lines)
