"""Foreign keys outside the primary key: valid, spread, agreeing with each other.

Invariant: every value is a key of the parent or None where that is allowed; two references to one entity in a row
differ where they can (from, to); a tree has no loop; a reference that another one implies agrees with it (the order's
address is the customer's). Not covered: columns that repeat something of the parent (`copies`).
"""

from __future__ import annotations

from typing import NamedTuple

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, Entity
from autoforge.generator.rules.meaning import split_name
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.pairs import pair_columns, pair_values
from autoforge.generator.seed.plan import parent_entity
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.seed.untouched import touchable
from autoforge.generator.seed.values import accepts, distinct, fit
from autoforge.generator.vocabulary import word_set

__all__ = ["Agreement", "agreements", "fill_references", "fill_trees", "is_login_flag", "reference_values"]

_OPTIONAL = word_set(
    "parent assignee assigned manager supervisor coupon previous next related original reply transfer "
    "approved approver reviewer "
    "closed resolved category project folder label milestone team secondary backup"
)
_TREES = word_set("parent manager supervisor boss folder superior padre chef")
_FLAGS = word_set("authenticated logged_in is_logged_in login_status signed_in is_authenticated")


def fill_trees(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Fill the references of an entity to itself, which lead to earlier rows."""
    for attribute in entity.attributes:
        if attribute.references == entity.name and attribute.name not in entity.key:
            for row, value in zip(rows, reference_values(setting, entity, attribute, rows), strict=True):
                row[attribute.name] = value


def fill_references(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Fill the foreign keys to other entities that are not part of the key."""
    columns = [a for a in entity.attributes if a.references not in (None, entity.name) and a.name not in entity.key]
    for attribute in columns:
        values = reference_values(setting, entity, attribute, rows)
        for row, value in zip(rows, values, strict=True):
            row[attribute.name] = value
    _pair(setting, entity, rows)
    _differ(setting, entity, rows)
    _agree(setting, entity, rows)
    for attribute in columns:
        _show_examples(setting, entity, attribute, rows)


def reference_values(setting: Setting, entity: Entity, attribute: Attribute, rows: list[Row]) -> list[JsonValue]:
    """Keys of the parent for one foreign key column, one per row."""
    parent = parent_entity(setting.world, attribute)
    draw = setting.draw(entity.name, attribute.name)
    if parent is None:
        return _loose(setting, attribute, draw, rows)
    if entity.singleton:
        return [_of_singleton(entity, attribute, setting.keys(parent))]
    if parent.name == entity.name:
        return _tree(draw, attribute, setting.keys(parent), touchable(setting, parent))
    keys = touchable(setting, parent)
    if not keys:
        return [None] * len(rows)
    if setting.tells_apart(entity, attribute) or attribute.unique:
        spare = [k for k in setting.keys(parent) if k not in keys] if not attribute.nullable else []
        chosen = [*draw.shuffled(keys), *spare][: len(rows)]
        return [
            *chosen,
            *(
                [None] * (len(rows) - len(chosen))
                if attribute.nullable
                else [draw.one(keys) for _ in range(len(rows) - len(chosen))]
            ),
        ]
    values = _spread(draw, keys, len(rows), even=entity.owner == attribute.name)
    return values if entity.owner == attribute.name or not attribute.nullable else _some_empty(draw, attribute, values)


def _loose(setting: Setting, attribute: Attribute, draw: Draw, rows: list[Row]) -> list[JsonValue]:
    """A reference to an entity with a composite key: values of the key column of the same name, else of the first."""
    parent = next((e for e in setting.world.entities if e.name == attribute.references), None)
    known = setting.rows.get(parent.name, []) if parent else []
    if parent is None or not known:
        return [None if attribute.nullable else fit(draw, attribute, 1) for _ in rows]
    column = attribute.name if attribute.name in parent.key else parent.key[0]
    values = [fit(draw, attribute, draw.one(known)[column]) for _ in rows]
    return distinct(attribute, values) if attribute.unique else values


def is_login_flag(attribute: Attribute) -> bool:
    """Whether a column says that somebody is logged in."""
    return attribute.name.lower() in _FLAGS


def _of_singleton(entity: Entity, attribute: Attribute, keys: list[JsonValue]) -> JsonValue:
    """A session belongs to the first user, unless its documented default says that nobody is logged in."""
    if attribute.default in keys and attribute.default is not None:
        return attribute.default
    logged_out = any(is_login_flag(a) and a.default is False for a in entity.attributes)
    if (logged_out and attribute.nullable) or not keys:
        return None
    return next((e for e in attribute.examples if e in keys), keys[0])


def _tree(draw: Draw, attribute: Attribute, keys: list[JsonValue], touchable: list[JsonValue]) -> list[JsonValue]:
    """References to earlier rows only; the first rows are roots."""
    if all(isinstance(key, str) and key.startswith("/") for key in keys):
        return [_folder_above(key, keys) if attribute.nullable or _folder_above(key, keys) else key for key in keys]
    deep = set(split_name(attribute.name)) & _TREES
    roots = max(1, len(keys) // 3 if deep or not attribute.nullable else len(keys) * 2 // 3)
    if attribute.unique:
        return [
            None if attribute.nullable and i == 0 else keys[i - 1] if attribute.nullable else key
            for i, key in enumerate(keys)
        ]
    return [
        (None if attribute.nullable else key)
        if i < roots
        else draw.one([k for k in keys[:i] if k in touchable] or keys[:i])
        for i, key in enumerate(keys)
    ]


def _folder_above(path: JsonValue, keys: list[JsonValue]) -> JsonValue:
    above = [k for k in keys if k != path and str(path).startswith(f"{str(k).rstrip('/')}/")]
    return max(above, key=lambda k: len(str(k)), default=None)


def _spread(draw: Draw, keys: list[JsonValue], count: int, *, even: bool) -> list[JsonValue]:
    """Most parents get one child before any gets more; some get several, the last may get none (unless `even`)."""
    order = draw.shuffled(keys)
    if even:
        return draw.shuffled([keys[i % len(keys)] for i in range(count)])
    served = order if len(order) < 4 else order[:-1]
    busy = served[: max(1, len(served) // 2)]
    return draw.shuffled(
        [served[i] if i < min(len(served), max(1, count * 2 // 3)) else draw.one(busy) for i in range(count)]
    )


def _some_empty(draw: Draw, attribute: Attribute, values: list[JsonValue]) -> list[JsonValue]:
    """Some None: a third of the rows where the name says that it is optional, else one or two."""
    if len(values) < 3:
        return values
    share = 3 if set(attribute.name.lower().split("_")) & _OPTIONAL else 10
    empty = set(draw.some(range(1, len(values)), max(1, len(values) // share)))
    return [None if i in empty else value for i, value in enumerate(values)]


def _pair(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Rows that say how much of one thing another has: each of another pair."""
    attributes = [a for n in pair_columns(setting.world, entity) if (a := entity.attribute(n)) is not None]
    parents = [p for a in attributes if (p := parent_entity(setting.world, a)) is not None]
    if not attributes or any(a.name in entity.key for a in attributes):
        return
    choices = [touchable(setting, parent) for parent in parents]
    found = pair_values(setting.draw(entity.name, "@pairs"), choices, len(rows))
    for row, values in zip(rows, found, strict=False):
        row.update(zip((a.name for a in attributes), values, strict=True))


def _differ(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """The second of two references to one entity is another row's key."""
    columns = [
        a
        for a in entity.attributes
        if a.references not in (None, entity.name) and a.name not in entity.key and not a.unique
    ]
    for i, later in enumerate(columns):
        for earlier in columns[:i]:
            parent = parent_entity(setting.world, later)
            if (
                earlier.references != later.references
                or parent is None
                or len(touchable(setting, parent)) < 2
                or later.name in pair_columns(setting.world, entity)
                or later.name == entity.owner
            ):
                continue
            draw = setting.draw(entity.name, later.name, "@differ")
            for row in rows:
                if row[later.name] is not None and row[later.name] == row[earlier.name]:
                    row[later.name] = draw.one([k for k in touchable(setting, parent) if k != row[earlier.name]])


class Agreement(NamedTuple):
    """A reference that another implies: the order's address (near) has a customer (inner), the order's (far)."""

    near: Attribute
    far: Attribute
    between: Entity
    inner: Attribute


def agreements(setting: Setting, entity: Entity) -> list[Agreement]:
    """Where a row refers to X and to Y, and Y refers to X once, both lead to the same X."""
    columns = [a for a in entity.attributes if a.references not in (None, entity.name)]
    settled: set[str] = {*entity.key, *pair_columns(setting.world, entity)}
    found: list[Agreement] = []
    for near in columns:
        between = parent_entity(setting.world, near)
        if between is None or between.singleton:
            continue
        for far in columns:
            if (
                far.references == near.references
                or far.name in settled
                or far.unique
                or (entity.name, far.name) in setting.lookups
            ):
                continue
            inner = [a for a in between.attributes if a.references == far.references]
            if len(inner) == 1 and parent_entity(setting.world, far) is not None:
                settled.add(far.name)
                found.append(Agreement(near, far, between, inner[0]))
    return found


def _agree(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    for near, far, between, inner in agreements(setting, entity):
        _follow(setting, rows, near, far, between, inner)


def _follow(
    setting: Setting, rows: list[Row], near: Attribute, far: Attribute, between: Entity, inner: Attribute
) -> None:
    leads = {repr(row[between.key[0]]): row.get(inner.name) for row in setting.rows[between.name]}
    for row in rows:
        implied = leads.get(repr(row[near.name]))
        if implied is not None and row[far.name] is not None:
            row[far.name] = implied


def _show_examples(setting: Setting, entity: Entity, attribute: Attribute, rows: list[Row]) -> None:
    """Documented keys that the parent has are referred to by some row."""
    parent = parent_entity(setting.world, attribute)
    if parent is None or attribute.unique or entity.singleton or parent.name == entity.name:
        return
    if attribute.name in pair_columns(setting.world, entity):
        return
    wanted = [e for e in attribute.examples if accepts(attribute, e) and e in setting.keys(parent)]
    for i, example in enumerate(wanted[: len(rows)]):
        if all(row[attribute.name] != example for row in rows):
            rows[i][attribute.name] = example
