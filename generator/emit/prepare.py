"""The world as the emitter needs it: every entity has a key whose columns exist, no two columns share a name, no
insert must fail.

Invariant: preparing twice changes nothing, and a world that needs nothing is returned equal. A column that an
insert leaves out although it may not be empty and has no default becomes nullable: otherwise the tool could never
succeed. Raises BadInput for what cannot be mended: an unknown entity, a table or column twice, a name that SQLite
keeps for itself, more columns than a table can have. Not covered: whether the world makes sense.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from autoforge.generator.emit.names import quote
from autoforge.generator.ir import Attribute, ColumnKind, ColumnType, Entity, Insert, World, walk_steps
from autoforge.mcp_envs.errors import BadInput

__all__ = ["entity_of", "prepared"]

MACHINERY = ("autoforge_", "sqlite_")
"""Beginnings of table names that are not the domain's."""

MOST_COLUMNS = 1_900
"""SQLite's own bound is 2,000, for a table as for a query; a key may be added."""


def entity_of(world: World, name: str) -> Entity:
    """The entity of a name. Raises BadInput where there is none."""
    for entity in world.entities:
        if entity.name == name:
            return entity
    raise BadInput(f"the world {world.name!r} has no entity {name!r}; define it or take the references to it away")


def prepared(world: World) -> World:
    """The world with complete entities."""
    _refuse_twice("entity", [e.name for e in world.entities])
    _refuse_twice("table", [e.table for e in world.entities])
    given = _columns_given(world)
    entities = tuple(_complete(e, given.get(e.name)) for e in world.entities)
    result = world.model_copy(update={"entities": entities})
    for entity in entities:
        for attribute in entity.attributes:
            if attribute.references is not None:
                entity_of(result, attribute.references)
    return result


def _columns_given(world: World) -> dict[str, frozenset[str]]:
    """By entity, the columns that every insert gives."""
    given: dict[str, frozenset[str]] = {}
    for operation in world.operations:
        for step in walk_steps(operation.steps):
            if isinstance(step, Insert):
                columns = frozenset(column for column, _ in step.values)
                given[step.entity] = given.get(step.entity, columns) & columns
    return given


def _complete(entity: Entity, given: frozenset[str] | None) -> Entity:
    if entity.table.lower().startswith(MACHINERY):
        raise BadInput(f"the table name {entity.table!r} of {entity.name!r} is kept for the machinery; rename it")
    if len(entity.attributes) > MOST_COLUMNS:
        raise BadInput(
            f"the table {entity.table!r} would have {len(entity.attributes):,} columns, and SQLite holds no more than "
            f"{MOST_COLUMNS:,}; leave out parameters of the tools that speak of it"
        )
    _refuse_twice(f"column of {entity.table!r}", [a.name for a in entity.attributes])
    for name in (entity.table, *(a.name for a in entity.attributes)):
        quote(name)
    key = entity.key or (_free("id", entity),)
    missing = tuple(_key_column(name, entity) for name in key if entity.attribute(name) is None)
    attributes = tuple(_mend(a, key, given) for a in missing + entity.attributes)
    return entity.model_copy(update={"key": key, "attributes": attributes})


def _key_column(name: str, entity: Entity) -> Attribute:
    kind = ColumnKind.KEY if entity.singleton else ColumnKind.SURROGATE
    return Attribute(name=name, type=ColumnType.INTEGER, kind=kind, nullable=False)


def _mend(attribute: Attribute, key: tuple[str, ...], given: frozenset[str] | None) -> Attribute:
    if attribute.name in key:
        return attribute.model_copy(update={"nullable": False})
    if attribute.enum and attribute.default is not None and attribute.default not in attribute.enum:
        attribute = attribute.model_copy(update={"enum": (*attribute.enum, attribute.default)})
    left_out = given is not None and attribute.name not in given and attribute.default is None
    return attribute.model_copy(update={"nullable": True}) if left_out and not attribute.nullable else attribute


def _free(name: str, entity: Entity) -> str:
    taken = {a.name.lower() for a in entity.attributes}
    while name in taken:
        name = "row_" + name
    return name


def _refuse_twice(what: str, names: Iterable[str]) -> None:
    twice = [name for name, count in Counter(n.lower() for n in names).items() if count > 1]
    if twice:
        raise BadInput(f"the {what} {twice[0]!r} is defined twice; rename one of them")
