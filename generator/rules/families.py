"""Second thoughts on the cast, once every tool has an entity: children in lists, tools about another row, singletons
that are one thing.

Invariant: entities are only added, or merged into one that exists; each change is noted in the reading's evidence. Not
covered: the first reading of nouns (`entities`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import Cast, id_stem
from autoforge.generator.rules.drafts import noun_key
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import Shape, properties_of, row_schema, shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import singular, snake, split_words

__all__ = ["find_children", "follow_lists", "follow_rows", "merge_singletons", "note_parents"]

_CHANGES = frozenset(
    {VerbClass.UPDATE, VerbClass.SET, VerbClass.STATE, VerbClass.TOGGLE, VerbClass.MOVE, VerbClass.CHECK, VerbClass.RUN}
)


def find_children(cast: Cast, readings: list[Reading]) -> None:
    """Lists of objects that name other entities are rows of their own: an order's items, each with a product."""
    for reading in readings:
        entity = cast.of_tool[reading.tool.name]
        if entity is None or entity == "session":
            continue
        for schema in (reading.tool.input_schema, reading.tool.output_schema):
            for name, value in properties_of(schema).items():
                _find_child(cast, reading, entity, name, value)
    for reading in readings:
        name = noun_key(reading.nouns)
        if name in cast.children.values() and reading.verb.kind in (
            VerbClass.ADD,
            VerbClass.REMOVE,
            VerbClass.UPDATE,
            VerbClass.CREATE,
            VerbClass.DELETE,
            VerbClass.LIST,
        ):
            cast.of_tool[reading.tool.name] = name
            cast.attribute_of_tool.pop(reading.tool.name, None)


def _find_child(cast: Cast, reading: Reading, entity: str, name: str, schema: dict[str, object]) -> None:
    items = row_schema(schema)
    words = split_words(name)
    if items is None or not words or cast.entities[entity].given:
        return
    single = (*words[:-1], singular(words[-1]))
    if (
        noun_key(single) == entity
        or cast.find(single) == entity
        or (noun_key(single) in cast.entities and noun_key(single) not in cast.children.values())
    ):
        return
    others = [e for p in properties_of(items) if id_stem(p) and (e := cast.by_parameter(p)) and e != entity]
    if not others or reading.plural:
        return
    child = f"{entity}_{snake(single)}" if not snake(single).startswith(entity) else snake(single)
    draft = cast.add(child)
    draft.column(
        f"{entity}_id", Shape(shape_of({"type": "string"}).type, False, {"type": "string"}, False)
    ).references = entity
    draft.attributes[f"{entity}_id"].nullable = False
    cast.children[(entity, name)] = child


def note_parents(cast: Cast, readings: list[Reading]) -> None:
    """A required id of another thing with which rows are made says to what they belong."""
    for reading in readings:
        own = cast.of_tool[reading.tool.name]
        if own is None or reading.verb.kind not in (VerbClass.CREATE, VerbClass.ADD, VerbClass.SEND):
            continue
        for name in reading.tool.input_schema.get("required", []):
            parent = cast.by_parameter(name) if id_stem(name) else None
            scalar = shape_of(properties_of(reading.tool.input_schema)[name]).type in (
                ColumnType.TEXT,
                ColumnType.INTEGER,
            )
            if parent is not None and parent != own and scalar:
                cast.given_with.add((own, parent))


def follow_lists(cast: Cast, readings: list[Reading]) -> None:
    """`add_observations([{entityName, contents}])`: what is added belongs to the list `observations` that entities
    are made with.
    """
    owners: dict[str, tuple[str, str]] = {}
    for reading in readings:
        entity = cast.of_tool[reading.tool.name]
        if entity is None or reading.verb.kind is not VerbClass.CREATE:
            continue
        for name, schema in _properties_at_hand(reading).items():
            if shape_of(schema).many and shape_of(shape_of(schema).schema.get("items", {})).type is ColumnType.TEXT:
                owners[singular(snake(name))] = (entity, snake(name))
    for reading in readings:
        own = cast.of_tool[reading.tool.name]
        owner, column = owners.get(reading.head, (None, ""))
        edits = reading.verb.kind in (VerbClass.ADD, VerbClass.REMOVE, VerbClass.DELETE)
        if owner is None or own in (owner, None) or not edits or own in cast.identified:
            continue
        names = [split_words(n) for n in _properties_at_hand(reading)]
        if any(
            w[:-1] == tuple(owner.split("_")) and w[-1] in ("name", "title", "key", "id", "email") for w in names if w
        ):
            cast.of_tool[reading.tool.name] = owner
            cast.attribute_of_tool[reading.tool.name] = column
            cast.edited_lists[reading.tool.name] = column


def _properties_at_hand(reading: Reading) -> dict[str, dict[str, Any]]:
    """The parameters, and the properties of the items of list parameters."""
    found: dict[str, dict[str, Any]] = {}
    for name, schema in properties_of(reading.tool.input_schema).items():
        inner = row_schema(schema)
        found.update(properties_of(inner) if inner is not None else {name: schema})
    return found


def follow_rows(cast: Cast, readings: list[Reading]) -> None:
    """`change_plan(line_id, plan_id)` changes a line: the row whose id comes first, when that is what the tool answers
    with or nothing else is left.
    """
    for reading in readings:
        own = cast.of_tool[reading.tool.name]
        if own is None or reading.verb.kind not in _CHANGES or own == "session":
            continue
        required = reading.tool.input_schema.get("required", [])
        ids = [(p, e) for p in required if id_stem(p) and (e := cast.by_parameter(p))]
        first_out = next((cast.by_parameter(n) for n in properties_of(reading.tool.output_schema) if id_stem(n)), None)
        others = [e for _, e in ids if e != own]
        if not others or (own in cast.identified and first_out == own):
            continue
        answers = first_out in others
        values = [p for p in properties_of(reading.tool.input_schema) if not id_stem(p)]
        bare = own in [e for _, e in ids] and ids[0][1] != own and not values and first_out in (None, others[0])
        loose = (
            own not in cast.identified and own in cast.loners and reading.verb.kind in (VerbClass.SET, VerbClass.TOGGLE)
        )
        if answers or bare or loose:
            chosen = str(first_out) if answers else others[0]
            cast.of_tool[reading.tool.name] = chosen
            cast.attribute_of_tool[reading.tool.name] = "_".join(reading.nouns)
            reading.evidence.append(f"about the {chosen.replace('_', ' ')} whose id it takes")


def merge_singletons(cast: Cast, readings: list[Reading]) -> bool:
    """Airplane mode, mobile data and signal are one phone: singletons with common columns, or one named like another's
    column.
    """
    lone = [
        e
        for e in cast.entities
        if e in cast.loners and e != "session" and not cast.entities[e].given and not _keyed(cast, readings, e)
    ]
    lone.sort(
        key=lambda e: (
            -sum(1 for r in readings if cast.of_tool[r.tool.name] == e and r.verb.kind is VerbClass.GET),
            -len(cast.entities[e].attributes),
        )
    )
    merged = False
    for i, keeper in enumerate(lone):
        for other in lone[i + 1 :]:
            if keeper in cast.entities and other in cast.entities and _same_thing(cast, keeper, other):
                _merge(cast, keeper, other)
                merged = True
    return merged


def _keyed(cast: Cast, readings: list[Reading], entity: str) -> bool:
    mine = [r for r in readings if cast.of_tool[r.tool.name] == entity]
    return any(
        (r.tool.input_schema.get("required") and r.verb.kind is VerbClass.GET)
        or r.verb.kind in (VerbClass.CREATE, VerbClass.SEND, VerbClass.ADD)
        for r in mine
    )


def _same_thing(cast: Cast, keeper: str, other: str) -> bool:
    first, second = cast.entities[keeper].attributes, cast.entities[other].attributes
    common = set(first) & set(second) - {"id", "name", "status", "description", "created_at"}
    return len(common) >= 2 or other in first or any(a == other or a.startswith(other + "_") for a in first)


def _merge(cast: Cast, keeper: str, other: str) -> None:
    for name, attribute in cast.entities[other].attributes.items():
        cast.entities[keeper].attributes.setdefault(name, attribute)
    del cast.entities[other]
    cast.alias[other] = keeper
    cast.alias = {a: keeper if t == other else t for a, t in cast.alias.items()}
    for tool, entity in cast.of_tool.items():
        if entity == other:
            cast.of_tool[tool] = keeper
            cast.attribute_of_tool.setdefault(tool, other)
