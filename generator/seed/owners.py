"""What whoever is logged in owns: several rows of each owned entity, in as many states as there are.

Invariant: others own most rows, so that an owner check has something to refuse; an owner changes only as `edits`
allows. Not covered: worlds without a session, or where nobody is logged in.
"""

from __future__ import annotations

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, Entity
from autoforge.generator.seed.edits import Cell, Edit, Editor
from autoforge.generator.seed.plan import parent_entity
from autoforge.generator.seed.setting import Row
from autoforge.generator.seed.states import status_column

__all__ = ["share_with_session"]

LEAST = 3
"""Rows that the user of the session owns where there are enough."""
SHARE = 3
"""At most one in so many rows is given to the user for the sake of its state."""


def share_with_session(editor: Editor) -> None:
    """Give rows to the users that sessions belong to."""
    setting = editor.setting
    for session in [e for e in setting.world.entities if e.singleton and setting.rows[e.name]]:
        for column in session.attributes:
            person = parent_entity(setting.world, column)
            user = setting.rows[session.name][0].get(column.name)
            if person is None or user is None or person.singleton:
                continue
            for entity in setting.world.entities:
                owner = entity.attribute(entity.owner) if entity.owner is not None else None
                if owner is not None and owner.references == person.name and not entity.singleton:
                    _share(editor, entity, owner, user)


def _share(editor: Editor, entity: Entity, owner: Attribute, user: JsonValue) -> None:
    rows = editor.setting.rows[entity.name]
    for i in _wanted(entity, rows, owner.name, user):
        before = editor.make(Edit(1, (Cell(entity.name, i, owner.name, user),)))
        if before is not None:
            editor.keep(before)


def _wanted(entity: Entity, rows: list[Row], owner: str, user: JsonValue) -> list[int]:
    """A row of each state that the user has none of and that is not the only one; then any, up to the least."""
    status = status_column(entity)
    states = [repr(row.get(status.name)) if status is not None else "" for row in rows]
    own = [i for i, row in enumerate(rows) if row.get(owner) == user]
    most = max(len(own), len(rows) // SHARE)
    held = {states[i] for i in own}
    found: list[int] = []
    for i, state in enumerate(states):
        if state not in held and states.count(state) > 1 and len(own) + len(found) < most:
            held.add(state)
            found.append(i)
    others = [i for i in range(len(rows)) if i not in own and i not in found]
    missing = min(LEAST, len(rows) // 2) - len(own) - len(found)
    return found + others[: max(0, missing)]
