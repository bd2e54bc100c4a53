"""In which order a list comes, and from which row on.

Invariant: a list can be sorted by columns that rows have, and by no other. Not covered: how many rows come (`reads`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    Attribute,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Item,
    Order,
)
from autoforge.generator.rules.facts import column_named
from autoforge.generator.rules.prose.orders import Told, order_in_prose
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, negate
from autoforge.generator.rules.shapes import is_moment, shape_of
from autoforge.generator.rules.words import ascii_word, singular, snake, split_words

__all__ = ["offset_of", "order_of"]


def order_of(scene: Scene, entity: Entity) -> tuple[Order, ...]:
    sort, direction = scene.first("sort"), scene.first("direction")
    descending: Expression = scene.argument(direction) if direction is not None else Constant(value=False)
    if direction is not None and direction.shape.type is ColumnType.BOOLEAN and "asc" in snake(direction.name):
        descending = negate(descending)
    if sort is None:
        column = next(
            (a.name for a in entity.attributes if a.name in ("position", "created_at", "date", "name", "title")),
            entity.key[-1],
        )
        if direction is None:
            return _told_order(scene, entity)
        return (Order(column=column, descending=descending),)
    if sort.many or sort.shape.type is ColumnType.JSON:
        return _structured_order(scene, entity, sort)
    allowed = _sortable(entity, sort)
    value = scene.argument(sort)
    if direction is None:
        down = [v for v in sort.shape.schema.get("enum", ()) if _names_descending(str(v))]
        descending = call("in", value, Constant(value=down)) if down else value
    return (Order(by=value, allowed=allowed, descending=descending),)


def _told_order(scene: Scene, entity: Entity) -> tuple[Order, ...]:
    """“Sorted by due date”, “newest first”: the order that prose promises, where rows have what it goes by."""
    nouns = frozenset(singular(ascii_word(w)) for n in (*scene.reading.nouns, entity.name) for w in split_words(n))
    told = order_in_prose(scene.reading.text, nouns)
    column = _told_column(scene, entity, told) if told is not None else None
    if told is None or column is None or column.type is ColumnType.JSON:
        return ()
    return (Order(column=column.name, descending=Constant(value=told.descending)),)


def _told_column(scene: Scene, entity: Entity, told: Told) -> Attribute | None:
    """The column that a told order goes by; None where rows have none of the kind."""
    if any(r.many and snake(r.name) == snake(told.words) for r in scene.roles):
        return None  # `in the order of the symbols` that the call gives
    named = _worded(entity, told.words)
    if told.by == "name":
        return next((entity.attribute(n) for n in _NAMES if entity.attribute(n) is not None), None)
    if told.by in ("made", "time"):
        other = None if re.search(r"date|time|deadline|due", told.words) else _moment(entity, told.by)
        return named if named is not None and is_moment(named.name, named.type) else other
    if named is None or told.by == "words" or is_moment(named.name, named.type):
        return named
    return named if told.by == "amount" and named.type in _AMOUNTS else None


def _worded(entity: Entity, words: str) -> Attribute | None:
    """`due date`; `Namen` → name."""
    if not words:
        return None
    return column_named(entity, words) or column_named(entity, words.removesuffix("n")) or _stemmed(entity, words)


_MOMENTS = (ColumnType.DATE, ColumnType.DATETIME)
_AMOUNTS = (ColumnType.INTEGER, ColumnType.REAL)
_NAMES = ("name", "title", "label", "nombre", "titulo", "bezeichnung", "titel", "nom", "titre", "nome")
_MADE = re.compile(r"created|placed|booked|requested|registered|sent|posted|added|uploaded|submitted|recorded|received")
_LATER = re.compile(r"^(?:due|end|expir|updat|modif|valid|last|birth)|(?:^|_)(?:end|until|expir|deadline)")


def _moment(entity: Entity, by: str) -> Attribute | None:
    """When rows came to be, or when what they tell of begins; where ids count up, they tell which row is newer."""
    moments = [a for a in entity.attributes if a.type in _MOMENTS]
    made = [a for a in moments if _MADE.match(a.name)]
    plain = [a for a in moments if not _LATER.search(a.name)]
    key = entity.attribute(entity.key[-1])
    counted = [key] if by == "made" and key is not None and key.type is ColumnType.INTEGER else []
    if by == "time":
        return next(iter(plain), None)
    return next(iter([*made, *(plain if len(plain) == 1 else []), *counted]), None)  # of several none is the making


def _stemmed(entity: Entity, words: str) -> Attribute | None:
    """`departure` → departs_at, `start` → starts_at, `expire` → expires_on."""
    first, _, second = snake(words).partition("_")
    dated = second in ("date", "time", "")
    stem = re.sub(r"(?:ing|ed)$", "", first)[:5]
    near = [
        a
        for a in entity.attributes
        if a.name.startswith(stem) and (len(stem) > 4 or (len(stem) > 2 and a.type in _MOMENTS))
    ]
    return near[0] if dated and len(near) == 1 else None


def _names_descending(value: str) -> bool:
    """`price_desc`, `-price`, `newest`."""
    return value.startswith("-") or bool(
        {"desc", "descending", "newest", "latest", "highest", "most"} & set(split_words(value))
    )


def _sortable(entity: Entity, sort: Role) -> tuple[tuple[str, str], ...]:
    """Accepted value → column. Values of an enum may hold the direction: `price_asc`, `-price`, `desc`."""
    columns = [a.name for a in entity.attributes if a.type is not ColumnType.JSON]
    values = [str(v) for v in sort.shape.schema.get("enum", ())]
    if not values:
        return tuple([*((c, c) for c in columns), *((f"-{c}", c) for c in columns)])
    allowed = []
    for value in values:
        bare = snake(value)
        for ending in ("_asc", "_desc", "_ascending", "_descending"):
            bare = bare.removesuffix(ending)
        column = next((c for c in columns if c == bare or c.endswith("_" + bare) or bare.endswith("_" + c)), None)
        column = column or next((c for c in columns if bare.split("_")[-1] in c.split("_")), columns[0])
        allowed.append((value, column))
    return tuple(allowed)


def _structured_order(scene: Scene, entity: Entity, sort: Role) -> tuple[Order, ...]:
    """A list of `{field, direction}` objects, or of names: its first entry counts."""
    first = call("at", scene.argument(sort), Constant(value=0))
    items = shape_of(sort.shape.schema.get("items", {})).schema
    allowed = _sortable(entity, sort)
    if items.get("type") == "object":
        names = list(items.get("properties", {}))
        field = next(
            (n for n in names if snake(n) in ("field", "column", "name", "by", "key", "property", "attribute")),
            names[0] if names else "field",
        )
        direction = next((n for n in names if "dir" in snake(n) or "order" in snake(n)), "direction")
        return (
            Order(
                by=Item(container=first, key=Constant(value=field)),
                allowed=allowed,
                descending=Item(container=first, key=Constant(value=direction)),
            ),
        )
    return (Order(by=first, allowed=allowed, descending=first),)


def offset_of(scene: Scene) -> Expression | None:
    offset, page = scene.first("offset"), scene.first("page")
    if offset is not None:
        value = scene.argument(offset)
        return call("integer", value) if offset.shape.type is ColumnType.TEXT else value
    if page is not None:
        limit = scene.first("limit")
        size: Expression = (
            call("coalesce", scene.argument(limit), Constant(value=10)) if limit is not None else Constant(value=10)
        )
        return call("multiply", call("subtract", scene.argument(page), Constant(value=1)), size)
    return None
