"""How many rows each entity gets, and in which order entities are filled.

Invariant: an entity never gets more rows than its key, its unique columns and its required references can tell apart,
and enough to show every value of its enums and every documented key; parents have fewer rows than children. Not
covered: the rows (`rows`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import networkx as nx

from autoforge.generator.emit.schema import ordered_entities, parent_of
from autoforge.generator.ir import Attribute, ColumnType, Entity, Find, World, walk_steps
from autoforge.generator.seed.pairs import pair_count
from autoforge.generator.seed.untouched import untouched_count

__all__ = ["filling_order", "key_order", "lookup_columns", "parent_entity", "row_counts", "soft_parents"]

MOST_FOR_ENUMS = 30
"""Rows that an entity gets at most for the sake of its enums and examples."""


def parent_entity(world: World, attribute: Attribute) -> Entity | None:
    """The entity whose key the column holds, where that key is one column."""
    return parent_of(world, attribute)


def row_counts(world: World, rows: int, given: Mapping[str, int]) -> dict[str, int]:
    """Rows by entity name; `rows` is the general setting, at least 1; `given` are fixed."""
    counts = {entity.name: given.get(entity.name, _wanted(world, entity, rows)) for entity in world.entities}
    for _ in range(sum(counts.values()) + 1):  # two entities that bound each other go down row by row
        before = dict(counts)
        for entity in (e for e in world.entities if e.name not in given):
            counts[entity.name] = min(_paired(world, entity, counts), _bound(world, entity, counts))
        if counts == before:
            break
    return counts


def _paired(world: World, entity: Entity, counts: dict[str, int]) -> int:
    """Rows wanted, where they are of pairs of other rows."""
    count = pair_count(world, entity, counts)
    return counts[entity.name] if count is None else count


def _wanted(world: World, entity: Entity, rows: int) -> int:
    if entity.system:
        return 0
    if entity.singleton:
        return 1
    if entity.seed_rows is not None:
        return entity.seed_rows
    parents = [a for a in entity.attributes if a.references not in (None, entity.name)]
    has_children = any(a.references == entity.name for e in world.entities if e is not entity for a in e.attributes)
    share = 2 / 3 if has_children and not parents else 4 / 3 if parents and not has_children else 1.0
    shown = [len(a.enum) for a in entity.attributes] + [
        len(a.examples) for a in entity.attributes if a.name in entity.key
    ]
    usual = min(rows, max(4, round(rows * share))) if share < 1 else round(rows * share)
    return max(usual, min(MOST_FOR_ENUMS, max(shown, default=0)))


def _bound(world: World, entity: Entity, counts: dict[str, int]) -> int:
    rooms = [_room(world, entity, a, counts) for name in entity.key if (a := entity.attribute(name)) is not None]
    bound = 0 if 0 in rooms else math.prod(rooms) if rooms else math.inf
    for attribute in entity.attributes:
        if attribute.nullable or attribute.name in entity.key:
            continue
        if attribute.unique:
            bound = min(bound, _room(world, entity, attribute, counts))
        parent = parent_of(world, attribute)
        if parent is not None and counts[parent.name] == 0:
            bound = 0
    return 10**9 if bound == math.inf else int(bound)


def _room(world: World, entity: Entity, attribute: Attribute, counts: dict[str, int]) -> float:
    """How many different values a column can hold."""
    parent = parent_of(world, attribute)
    if parent is not None and not (parent.name == entity.name and entity.key == (attribute.name,)):
        own = parent.name == entity.name or entity.singleton
        return counts[parent.name] - (0 if own else untouched_count(counts[parent.name]))
    if attribute.type is ColumnType.BOOLEAN:
        return 2
    values = {repr(v) for v in attribute.enum if v is not None}
    if values and attribute.type is not ColumnType.JSON:
        return len(values)
    low, high = attribute.minimum, attribute.maximum
    if attribute.type is ColumnType.INTEGER and low is not None and high is not None:
        return max(0, math.floor(high) - math.ceil(low) + 1)
    if attribute.type is ColumnType.REAL and low is not None and high is not None:
        return math.inf if high > low else 1
    return math.inf


def key_order(world: World) -> list[Entity]:
    """Entities whose keys others take into their own keys come first; a cycle is cut at its first entity."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(e.name for e in world.entities)
    for entity in world.entities:
        for name in entity.key:
            attribute = entity.attribute(name)
            parent = parent_of(world, attribute) if attribute is not None else None
            if parent is not None and parent.name != entity.name:
                graph.add_edge(parent.name, entity.name)
    return _sorted(world, graph)


def filling_order(world: World) -> list[Entity]:
    """Parents before children, also those that only share names (`soft_parents`), as far as there is no cycle."""
    order = list(ordered_entities(world))
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(e.name for e in order)
    position = {e.name: i for i, e in enumerate(order)}
    for entity in world.entities:
        parents = {
            p for a in entity.attributes if (p := a.references) is not None and position[p] < position[entity.name]
        }
        graph.add_edges_from((parent, entity.name) for parent in sorted(parents))
    for entity in world.entities:
        for parent in soft_parents(world, entity):
            if parent != entity.name and not nx.has_path(graph, entity.name, parent):
                graph.add_edge(parent, entity.name)
    return _sorted(world, graph)


def _sorted(world: World, graph: nx.DiGraph[str]) -> list[Entity]:
    position = {e.name: i for i, e in enumerate(world.entities)}
    while not nx.is_directed_acyclic_graph(graph):
        cycle = nx.find_cycle(graph)
        graph.remove_edge(*min((edge[:2] for edge in cycle), key=lambda edge: position[edge[1]]))
    return [world.entity(name) for name in nx.lexicographical_topological_sort(graph, key=position.__getitem__)]


def soft_parents(world: World, entity: Entity) -> list[str]:
    """Entities that the columns of this one name without a foreign key: `customer_email`, items with a `product_id`."""
    names = sorted((e.name for e in world.entities if e.name != entity.name and not e.system), key=len, reverse=True)
    users = [name for name in names if name in ("user", "customer", "employee", "member", "person", "contact")]
    found: list[str] = []
    for attribute in entity.attributes:
        if attribute.references is not None:
            continue
        text = f"{attribute.name} {attribute.item_schema or ''}".lower().replace("_", "").replace("-", "")
        found += [n for n in names if n.replace("_", "") in text and n not in found]
        if attribute.meaning in ("user_name", "person_name", "email"):
            found += [n for n in users if n not in found]
    return found


def lookup_columns(world: World) -> set[tuple[str, str]]:
    """(entity, column) pairs by which alone some tool finds one row: their values should tell rows apart."""
    return {
        (step.entity, step.where[0].column)
        for operation in world.operations
        for step in walk_steps(operation.steps)
        if isinstance(step, Find)
        and len(step.where) == 1
        and not step.where[0].through
        and step.where[0].comparison in ("equal", "equal_text")
    }
