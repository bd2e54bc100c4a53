"""What whoever is logged in owns: several rows of each owned entity, in as many states as there are.

Invariant: others own most rows, so that an owner check has something to refuse; an owner changes only as `edits`
allows. Not covered: worlds without a session, or where nobody is logged in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, Entity
from autoforge.generator.seed.edits import Cell, Edit, Editor
from autoforge.generator.seed.plan import parent_entity
from autoforge.generator.seed.relations import is_login_flag
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.seed.states import status_column

__all__ = ["logged_in", "share_with_session"]

LEAST = 2
"""Rows that the user of the session owns where there are enough; one more where rows have a state."""
SHARE = 3
"""At most one in so many rows is given to the user for the sake of its state."""


@contextmanager
def logged_in(setting: Setting) -> Iterator[None]:
    """Where the seed begins with nobody logged in, as if the first person were: nothing else can be called anyhow."""
    before: list[tuple[Row, Row]] = []
    for session in [e for e in setting.world.entities if e.singleton and e.name not in setting.given]:
        for row in setting.rows[session.name]:
            flags = [a for a in session.attributes if a.name in row and row[a.name] is False and is_login_flag(a)]
            people = [
                (a, p)
                for a in session.attributes
                if (p := parent_entity(setting.world, a)) is not None and row[a.name] is None
            ]
            if flags:
                before.append((row, dict(row)))
                row.update({a.name: True for a in flags})
                row.update({a.name: setting.keys(p)[0] for a, p in people if setting.rows[p.name]})
    yield
    for row, held in before:
        row.update(held)


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
    owners = [repr(row.get(owner)) for row in rows]
    most = max(len(own), len(rows) // SHARE)
    held = {states[i] for i in own}
    found: list[int] = []
    for i, state in enumerate(states):
        if (
            owners.count(owners[i]) > 1
            and state not in held
            and states.count(state) > 1
            and len(own) + len(found) < most
        ):
            held.add(state)
            owners[i] = ""
            found.append(i)
    least = min(LEAST + (status is not None), len(rows) // 2)
    for i in range(len(rows)):
        if len(own) + len(found) < least and i not in own and owners.count(owners[i]) > 1 and owners[i]:
            owners[i] = ""
            found.append(i)
    return found
