"""What a verb itself changes: a status, a flag, a time stamp.

Invariant: a state that is reached already is refused, unless nothing could ever leave it again. Not covered: states
that prose gives to other rows (`effects`).
"""

from __future__ import annotations

from pydantic import JsonValue

from autoforge.generator.ir import (
    Attribute,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Insert,
    Now,
    RowField,
    Update,
    walk_steps,
)
from autoforge.generator.rules.effects import constant_of
from autoforge.generator.rules.facts import column_named
from autoforge.generator.rules.prose.setting_fields import is_status
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.statuses import FLAG_STATES, VERB_FLAGS, synonym_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import column_name, snake, split_words

__all__ = ["change_state", "closest_state", "settings_of", "state_change", "unkept"]


def change_state(
    scene: Scene, entity: Entity, row: str, values: dict[str, Expression], *, refuse_into: Scene | None = None
) -> None:
    """What the verb itself changes, a status, a flag, a time stamp, and what the prose says outright."""
    _move_state(scene, entity, row, values, refuse_into or scene)
    for column, value in settings_of(scene, entity).items():
        values.setdefault(column, value)


def settings_of(scene: Scene, entity: Entity) -> dict[str, Expression]:
    """The columns of the entity that the prose of the tool sets outright, and their values."""
    found: dict[str, Expression] = {}
    for setting in scene.reading.settings:
        column = entity.attribute(column_name(setting.field)) or column_named(entity, setting.field)
        if column is None and is_status(setting.field) and entity.status:
            column = entity.attribute(entity.status)
        value = constant_of(column, setting.value) if column is not None and column.name not in entity.key else None
        if column is not None and value is not None:
            found.setdefault(column.name, value)
    return found


def unkept(scene: Scene) -> list[str]:
    """Columns that the prose says the tool sets, and that no change of a row writes; a new row counts where the tool
    makes one.
    """
    steps = walk_steps(tuple(scene.steps))
    changed = {c for s in steps if isinstance(s, Update) for c, _ in s.values}
    changed |= {c for s in steps if isinstance(s, Insert) and not scene.reading.settings for c, _ in s.values}
    words = {w for c in changed for w in (c, c.rsplit("_", 1)[-1])} | (
        {"status"} if any(map(is_status, changed)) else set()
    )
    said = scene.reading.settings or tuple(s for s in scene.reading.said if s.first)
    return [s.field for s in said if not {column_name(s.field), *(["status"] if is_status(s.field) else [])} & words]


def _move_state(scene: Scene, entity: Entity, row: str, values: dict[str, Expression], target: Scene) -> None:
    verb = scene.reading.verb
    if verb.kind is VerbClass.TOGGLE:
        flag = None if values else _flag(scene, entity, None)  # what it switches to is given
        if flag is not None and flag.name not in values:
            values[flag.name] = negate(call("coalesce", RowField(row=row, column=flag.name), Constant(value=False)))
        return
    if verb.kind is VerbClass.RUN or verb.kind is VerbClass.CHECK:
        stamp = entity.attribute(f"last_{snake(verb.word)}_at")
        if stamp is not None:
            values[stamp.name] = Now()
            count = entity.attribute(f"{snake(verb.word)}_count")
            if count is not None:
                values[count.name] = call(
                    "add", call("coalesce", RowField(row=row, column=count.name), Constant(value=0)), Constant(value=1)
                )
        return
    change = state_change(scene, entity)
    if change is None:
        return
    column, value = change
    if column in values:
        return
    values[column] = Constant(value=value)
    current = RowField(row=row, column=column)
    title = entity.title
    if isinstance(value, bool):
        state = scene.reading.verb.state or ""
        target.refuse(
            equal(call("coalesce", current, Constant(value=False)), Constant(value=value)),
            f"{title} is already {state}." if state else f"{title} is already so.",
            "status",
        )
        return
    if entity.singleton and not any(t.after != value for t in entity.transitions):
        return  # nothing could ever leave the state again
    transition = next((t for t in entity.transitions if t.tool == scene.reading.tool.name), None)
    if transition is not None and transition.before:
        target.refuse(
            negate(call("in", current, Constant(value=list(transition.before)))),
            f"{title} cannot become {value}: its {column.replace('_', ' ')} is {{{row}.{column}}}.",
            "status",
        )
    else:
        target.refuse(equal(current, Constant(value=value)), f"{title} is already {value}.", "status")


def state_change(scene: Scene, entity: Entity) -> tuple[str, JsonValue] | None:
    """Column and value that a state verb sets; decided once in `statuses`."""
    state = scene.reading.verb.state
    if scene.reading.verb.kind is not VerbClass.STATE or state is None:
        return None
    flag = _flag(scene, entity, state)
    if flag is not None:
        return flag.name, not state.startswith(("un", "incomplete")) and scene.reading.verb.word not in (
            "disable",
            "deactivate",
            "unlock",
            "unarchive",
            "unpin",
            "unstar",
            "unmute",
            "unblock",
            "reopen",
            "unpublish",
        )
    status = entity.attribute(entity.status) if entity.status else None
    if status is None:
        return None
    value = closest_state(status, state)
    return (status.name, value) if value is not None else None


def closest_state(status: Attribute, state: str) -> JsonValue:
    """The enum value that a verb's state means, whatever its spelling: cancelled, CANCELED, Cancelled."""
    stem = state.replace("_", "")[:5]
    exact = [v for v in status.enum if snake(str(v)) == state]
    near = [v for v in status.enum if snake(str(v)).replace("_", "").startswith(stem)]
    return next(iter(exact or near), None) or synonym_of(state, status.enum)


def _flag(scene: Scene, entity: Entity, state: str | None) -> Attribute | None:
    booleans = [a for a in entity.attributes if a.type is ColumnType.BOOLEAN]
    if state is None:
        words = set(scene.reading.nouns) | {scene.reading.verb.word}
        return next((a for a in booleans if words & set(a.name.split("_"))), booleans[0] if booleans else None)
    pairs = {
        "disabled": "enabled",
        "inactive": "active",
        "unlocked": "locked",
        "active": "active",
        "unpinned": "pinned",
        "unstarred": "starred",
        "unmuted": "muted",
        "open": "closed",
    }
    base = pairs.get(state) or FLAG_STATES.get(state, state)
    flag = VERB_FLAGS.get(scene.reading.verb.word, base)
    parts = {f"{n}_{state}" for n in split_words(scene.reading.tool.original_name)}  # `open_vents`: vents_open
    wanted = {
        *parts,
        state,
        base,
        flag,
        f"is_{state}",
        f"is_{base}",
        f"is_{flag}",
        "done" if state == "completed" else state,
    }
    return next((a for a in booleans if a.name in wanted), None)
