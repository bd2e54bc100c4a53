"""New rows: what refers to them exists, what they start with, and the rows that come with them.

Invariant: whatever could be refused is refused before the first write. Not covered: uniqueness and keys, which the
emitter guards.
"""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue

from autoforge.generator.ir import (
    Attribute,
    Choose,
    ColumnType,
    Constant,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Function,
    Insert,
    Listing,
    NextId,
    Now,
    RowField,
    Today,
    Variable,
    When,
)
from autoforge.generator.rules.items import ItemScene, item_scene
from autoforge.generator.rules.least_values import least_value
from autoforge.generator.rules.patterns import text_like
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.presets import presets
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, key_filter
from autoforge.generator.rules.shapes import properties_of, row_schema, shape_of
from autoforge.generator.rules.words import snake, split_words

__all__ = [
    "choose_id",
    "completed",
    "create_row",
    "filler",
    "insert_children",
    "insert_record",
    "insert_row",
    "reference_value",
    "refuse_twice",
    "row_name",
]


def create_row(scene: Scene, entity: Entity, values: dict[str, Expression]) -> str:
    """Insert a row of these values and of what a new row gets by itself; the name under which it is bound."""
    presets(scene, entity, values)
    return insert_row(scene, entity, values)


def insert_children(scene: Scene, entity: Entity, row: str) -> None:
    """Rows of the lists that a new row comes with, each checked for what it refers to; the same thing twice is
    refused.
    """
    for role in scene.roles_of("children"):
        child = scene.entities[role.entity or ""]
        parent = next(a.name for a in child.attributes if a.references == entity.name)
        inner = item_scene(scene, role)
        values: dict[str, Expression] = {parent: RowField(row=row, column=entity.key[-1])}
        for item in inner.roles:
            if item.role == "reference":
                reference_value(inner, child, item, values)
            elif item.column and child.attribute(item.column):
                values[item.column] = inner.argument(item)
        inner.clues = [c for c in scene.clues if c.kind in ("status_in", "status_not_in") and c.subject]
        guard(inner, child, None)
        presets(inner, child, values)
        refuse_twice(inner, child, values)
        insert_row(inner, child, values)
        scene.add(
            Each(over=call("coalesce", scene.argument(role), Constant(value=[])), item="item", steps=tuple(inner.steps))
        )


def refuse_twice(scene: Scene, child: Entity, values: dict[str, Expression]) -> None:
    """The same pair of references may stand once."""
    pairs = [
        (a.name, values[a.name])
        for a in child.attributes
        if a.references and a.name in values and not isinstance(values[a.name], NextId)
    ]
    if len(pairs) < 2:
        return
    taken = scene.variable("taken")
    scene.add(
        Find(row=taken, entity=child.name, where=tuple(Filter(column=c, value=v) for c, v in pairs), missing=None)
    )
    scene.bound[taken] = child.name
    scene.refuse(call("not_null", Variable(name=taken)), f"This {child.title.lower()} is there already.", "duplicate")


def choose_id(entity: Entity, values: dict[str, Expression]) -> None:
    """An optional id of the caller's is taken; without one the next is given."""
    key = entity.key[-1]
    given = values.get(key)
    if entity.id_template is not None and given is not None and not isinstance(given, NextId):
        values[key] = Choose(condition=call("not_null", given), then=given, otherwise=NextId(entity=entity.name))


def reference_value(scene: Scene, entity: Entity, role: Role, values: dict[str, Expression]) -> None:
    """Check that what is referred to exists; a list of ids is checked one by one."""
    other = scene.entities.get(role.entity or "")
    if other is None or role.column is None:
        return
    value = scene.argument(role)
    if role.many:
        inner = Find(
            row="referred",
            entity=other.name,
            where=key_filter(other, Variable(name="one_id")),
            missing=f"No {other.title.lower()} with {other.key[-1]} {{one_id}} was found.",
        )
        scene.add(Each(over=call("coalesce", value, Constant(value=[])), item="one_id", steps=(inner,)))
    elif role.required:
        found = scene.find(other, value, row=row_name(role, other), shown=role.path[0])
        value = RowField(row=found, column=other.key[-1])
    else:
        shown = (
            "this " + other.key[-1].replace("_", " ")
            if isinstance(scene, ItemScene)
            else f"{other.key[-1].replace('_', ' ')} {{{role.path[0]}}}"
        )
        find = Find(
            row=row_name(role, other),
            entity=other.name,
            where=key_filter(other, value),
            missing=f"No {other.title.lower()} with {shown} was found.",
        )
        scene.add(When(condition=call("not_null", value), steps=(find,)))
    if entity.attribute(role.column):
        values[role.column] = value


def row_name(role: Role, other: Entity) -> str:
    name = snake(role.name)
    for ending in ("_id", "_ids", "_uuid"):
        name = name.removesuffix(ending)
    return name if name not in ("id", "") else other.name


def insert_row(scene: Scene, entity: Entity, values: dict[str, Expression]) -> str:
    row = scene.variable(f"new_{entity.name}")
    needed = [
        a
        for a in entity.attributes
        if not a.nullable
        and a.default is None
        and a.name not in values
        and a.name not in entity.key
        and not a.references
    ]
    full = {**{a.name: filler(a) for a in needed}, **{c: completed(scene, entity, c, v) for c, v in values.items()}}
    for attribute in entity.attributes:
        if (
            attribute.name in full
            and not attribute.nullable
            and attribute.name not in entity.key
            and not isinstance(full[attribute.name], Constant | Now | Today)
        ):
            full[attribute.name] = call("coalesce", full[attribute.name], filler(attribute))
    scene.add(Insert(row=row, entity=entity.name, values=tuple(full.items())))
    scene.bound[row] = entity.name
    return row


def completed(scene: Scene, entity: Entity, column: str, value: Expression) -> Expression:
    """A list of objects, each with the properties that outputs require and the parameter does not have."""
    attribute = entity.attribute(column)
    converted = _converted(scene, attribute, value)
    if converted is not None:
        return converted
    role = next((r for r in scene.roles if r.column == column and r.many), None)
    listed = attribute is not None and attribute.type is ColumnType.JSON
    items: Any = (attribute.item_schema or {}).get("items") if attribute is not None and listed else None
    if role is None or not isinstance(items, dict) or items.get("type") != "object":
        return value
    given = (row_schema(role.schema) or {}).get("required", [])
    absent = [n for n in items.get("required", ()) if n not in given]
    if not absent:
        return value
    least = {n: least_value(properties_of(items).get(n, {"type": "string"})) for n in absent}
    part = call("merge", Constant(value=least), Variable(name="part"))
    return Listing(over=call("coalesce", value, Constant(value=[])), item="part", value=part)


_MAKES: dict[str, Function] = {"string": "text", "integer": "integer", "number": "number"}
"""What makes a member of that type."""


def _converted(scene: Scene, attribute: Attribute | None, value: Expression) -> Expression | None:
    """A text of several values for a list (`tags: "a, b"`), a list for a text, members of another type; else None."""
    role = next(
        (r for r in scene.roles if attribute is not None and r.column == attribute.name and r.role == "value"), None
    )
    if role is None or attribute is None or scene.argument(role) != value:
        return None
    schema: dict[str, Any] = attribute.item_schema or {}
    made: Expression | None = None
    if attribute.type is ColumnType.TEXT and role.many:
        made = call("join", value, Constant(value=", "))
    elif attribute.type is ColumnType.JSON and schema.get("type") == "array":
        wanted = shape_of(schema.get("items") or {}).schema.get("type")
        given = shape_of((role.shape.schema.get("items") or {}) if role.many else role.shape.schema).schema.get("type")
        change = _MAKES.get(str(wanted))
        if not role.many and role.shape.type is ColumnType.TEXT and wanted in (None, "string", "integer", "number"):
            part = call("trim", Variable(name="part"))
            part = call(change, part) if change and change != "text" else part
            made = Listing(over=call("split", value, Constant(value=",")), item="part", value=part)
        elif (
            role.many
            and change
            and given in ("string", "integer", "number")
            and given != wanted
            and (given, wanted) != ("integer", "number")
        ):
            made = Listing(over=value, item="part", value=call(change, Variable(name="part")))
    return None if made is None else Choose(condition=call("not_null", value), then=made)


def filler(attribute: Attribute) -> Expression:
    """The least value for a column that must hold one and was not given."""
    if attribute.default is not None:
        return Constant(value=attribute.default)
    if attribute.enum:
        return Constant(value=attribute.enum[0])
    if attribute.type is ColumnType.JSON:
        return Constant(value=least_value(attribute.item_schema or {"type": "array"}))
    if attribute.type is ColumnType.DATE:
        return Today()
    if attribute.type is ColumnType.DATETIME:
        return Now()
    if attribute.type is ColumnType.TEXT and attribute.pattern is not None:
        return Constant(value=text_like(attribute.pattern) or "")
    low = attribute.minimum if attribute.minimum is not None else 0
    least: dict[ColumnType, JsonValue] = {
        ColumnType.INTEGER: int(low),
        ColumnType.REAL: float(low),
        ColumnType.BOOLEAN: False,
        ColumnType.TIME: "00:00",
    }
    return Constant(value=least.get(attribute.type, ""))


def _copied(scene: Scene, entity: Entity, values: dict[str, Expression]) -> dict[str, Expression]:
    """References that a bound row has and the record wants too: a payment of a bill is of the bill's customer."""
    copied: dict[str, Expression] = {}
    for attribute in entity.attributes:
        if attribute.references is None or attribute.name in values:
            continue
        for row, name in scene.bound.items():
            own = next(
                (a for a in scene.entities[name].attributes if a.references == attribute.references and row == name),
                None,
            )
            if own is not None and name != "session":
                copied.setdefault(attribute.name, RowField(row=row, column=own.name))
    return copied


_LEAVING = frozenset(
    ("withdraw spend debit charge pay transfer send retirar abheben retirer prelevare pagar zahlen").split()
)


def leaves(scene: Scene) -> bool:
    """Whether the tool takes something out, by its name."""
    return bool(_LEAVING & {scene.reading.verb.word, *split_words(scene.reading.tool.original_name)})


def insert_record(
    scene: Scene,
    entity: Entity,
    references: dict[str, Expression],
    amount: Expression | None = None,
    balance: Expression | None = None,
) -> str:
    """Insert a row that records what was done: its parameters, the rows it concerned, the amount, what was left,
    the time.
    """
    values: dict[str, Expression] = {}
    for attribute in entity.attributes:
        if attribute.references in references:
            values[attribute.name] = references[attribute.references]
    for role in scene.roles:
        if role.role == "key" and entity.attribute(snake(role.name)) is not None and not role.many:
            values[snake(role.name)] = scene.argument(role)
        elif (role.role == "reference" and role.column and entity.attribute(role.column)) or (
            role.role not in ("key", "batch") and role.column and entity.attribute(role.column)
        ):
            values[role.column] = scene.argument(role)
    if balance is not None and (
        column := next((c for c in ("balance", "balance_after", "new_balance") if entity.attribute(c)), None)
    ):
        values.setdefault(column, balance)
    values.update(_copied(scene, entity, values))
    if amount is not None:
        name = next((n for n in ("amount", "value", "total", "importe", "quantity") if entity.attribute(n)), None)
        if name is not None:
            values[name] = amount
    kind = next(
        (a for a in entity.attributes if a.name in ("type", "transaction_type", "kind") and a.name not in values), None
    )
    if kind is not None:
        word = scene.reading.verb.word
        way = ("out", "debit", "withdraw", "paid", "sent") if leaves(scene) else ("in", "credit", "deposit", "received")
        told = [v for v in kind.enum if word[:4] in str(v).lower()]
        near = [v for v in told or kind.enum if set(way) & set(snake(str(v)).split("_"))] or told or list(kind.enum)
        values[kind.name] = Constant(value=near[0] if near else word)
    presets(scene, entity, values)
    return insert_row(scene, entity, values)
