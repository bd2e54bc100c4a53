"""From the words of a sentence to rows and values at hand: `the room` of a reservation, `total price minus amount
paid`.

Invariant: returns None rather than guess when the words name nothing that the operation has or can reach by a foreign
key. Not covered: what is done with them (`preconditions`, `effects`).
"""

from __future__ import annotations

from autoforge.generator.ir import Attribute, ColumnType, Constant, Entity, Expression, Function, RowField
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.words import ascii_word, singular, snake, split_words

__all__ = ["column_named", "entity_named", "owner_value", "parameter_named", "row_for", "value_for"]


def entity_named(scene: Scene, words: str) -> Entity | None:
    """The entity that a noun phrase names."""
    parts = tuple(singular(ascii_word(w)) for w in split_words(words))
    name = scene.cast.find(parts) if parts else None
    if name is None and parts and parts[-1] in ("source", "destination", "target", "recipient"):
        return None
    return scene.entities.get(name or "")


def row_for(scene: Scene, entity: Entity, row: str | None, subject: str) -> str | None:
    """The bound row that a subject means; one foreign key away it is fetched. An empty subject is the tool's own
    row.
    """
    if not subject.strip():
        return row
    role = _named_reference(scene, subject)
    if role is not None:
        return role
    thing = entity_named(scene, subject)
    if thing is None:
        return None
    if thing.name == entity.name and row is not None:
        return row
    bound = next(
        (r for r, e in scene.bound.items() if e == thing.name and r not in scene.cast.entities[thing.name].table), None
    )
    if bound is not None and not _is_list(scene, bound):
        return bound
    return _through_key(scene, thing, row)


def _is_list(scene: Scene, name: str) -> bool:
    """Whether a bound name is a list of rows: lists are named by tables or `held_…`, `all_…`."""
    return name.startswith(("held_", "all_", "created_", "changed_")) or any(
        name == e.table for e in scene.entities.values() if e.table != e.name
    )


def _named_reference(scene: Scene, subject: str) -> str | None:
    """“the destination”, “from account id”: a row bound under a parameter's own name."""
    name = snake(subject)
    for ending in ("_id", "_ids"):
        name = name.removesuffix(ending)
    for bound in scene.bound:
        side = name.partition("_")[0]
        if bound == name or (bound.startswith("source_") and side in ("source", "from", "sender", "origin")):
            return bound
        if side in ("destination", "target", "to", "recipient") and bound.startswith(("target_", "to_", "destination")):
            return bound
    return None


def _through_key(scene: Scene, thing: Entity, row: str | None) -> str | None:
    """Fetch the row that a bound row refers to."""
    candidates = ([row] if row is not None else []) + [r for r in scene.bound if r != row]
    for name in candidates:
        if _is_list(scene, name) or name not in scene.bound:
            continue
        holder = scene.entities[scene.bound[name]]
        reference = next((a for a in holder.attributes if a.references == thing.name), None)
        if reference is not None:
            return scene.find(thing, RowField(row=name, column=reference.name), optional=True)
    return None


def parameter_named(scene: Scene, words: str) -> Role | None:
    name = snake(words)
    exact = next((r for r in scene.roles if snake(r.name) == name or r.column == name), None)
    return exact or next(
        (
            r
            for r in scene.roles
            if name and (snake(r.name).endswith("_" + name) or snake(r.name).startswith(name + "_"))
        ),
        None,
    )


def column_named(entity: Entity, words: str) -> Attribute | None:
    """A column by words: the whole name, else its ending, else a common stem (`renovacion` → renovaciones)."""
    name = snake(words)
    exact = entity.attribute(name)
    if exact is not None or not name:
        return exact
    ending = [a for a in entity.attributes if a.name.endswith("_" + name) or a.name.startswith(name + "_")]
    stem = [a for a in entity.attributes if len(name) > 5 and "_" not in name and a.name.startswith(name[:6])]
    return next(iter(ending or stem), None)


_JOINTS: tuple[tuple[str, Function], ...] = ((" minus ", "subtract"), (" plus ", "add"), (" times ", "multiply"))


def value_for(scene: Scene, entity: Entity, row: str | None, words: object) -> Expression | None:
    """What a phrase amounts to: a number, a parameter, a column of a row at hand, or a sum or difference of such."""
    if isinstance(words, bool | int | float):
        return Constant(value=words)
    text = str(words).strip()
    for joint, function in _JOINTS:
        if joint in text:
            left, right = (value_for(scene, entity, row, part) for part in text.split(joint, 1))
            zero = Constant(value=0)
            return (
                call(function, call("coalesce", left, zero), call("coalesce", right, zero))
                if left is not None and right is not None
                else None
            )
    role = parameter_named(scene, text)
    stored = entity.attribute(snake(text)) if row is not None else None
    if role is not None:
        given = scene.argument(role)
        return (
            call("coalesce", given, RowField(row=row, column=stored.name))
            if stored is not None and row is not None
            else given
        )
    if stored is not None and row is not None:
        return RowField(row=row, column=stored.name)
    return _of_another_row(scene, entity, row, text)


def _of_another_row(scene: Scene, entity: Entity, row: str | None, text: str) -> Expression | None:
    """`card spending limit`, `room capacity`; else the only bound row that has such a column."""
    words = split_words(text)
    for cut in range(1, len(words)):
        thing = entity_named(scene, " ".join(words[:cut]))
        column = thing.attribute(snake(" ".join(words[cut:]))) if thing is not None else None
        if thing is not None and column is not None:
            other = row_for(scene, entity, row, " ".join(words[:cut]))
            return RowField(row=other, column=column.name) if other is not None else None
    for bound, name in scene.bound.items():
        column = column_named(scene.entities[name], text)
        if column is not None and not _is_list(scene, bound):
            return RowField(row=bound, column=column.name)
    return None


def owner_value(scene: Scene, entity: Entity, row: str) -> tuple[Expression, str] | None:
    """Whose a row is, and the entity of persons: its own column, else through a row that it refers to."""
    if entity.owner is not None:
        attribute = entity.attribute(entity.owner)
        assert attribute is not None
        return RowField(row=row, column=attribute.name), str(attribute.references)
    for attribute in entity.attributes:
        parent = scene.entities.get(attribute.references or "")
        if parent is not None and parent.owner is not None and not parent.singleton:
            holder = row_for(scene, entity, row, parent.name)
            person = parent.attribute(parent.owner)
            if holder is not None and person is not None:
                return RowField(row=holder, column=person.name), str(person.references)
    return None


def numeric(attribute: Attribute | None) -> bool:
    return attribute is not None and attribute.type in (ColumnType.INTEGER, ColumnType.REAL)
