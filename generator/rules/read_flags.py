"""Flags of a list that say which rows come besides, or which alone: `include_retired`, `exclude_drafts`, `only_open`.

Invariant: a flag is one about states only where rows have that state, as a value of a column or as a flag of their own;
a row in it is left out unless the flag, or a filter on the same column, asks for it. Not covered: flags that are
columns themselves (`role_values`).
"""

from __future__ import annotations

import re

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, Choose, ColumnType, Constant, Entity, Expression, Filter
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.words import snake

__all__ = ["FLAG", "flag_filter"]

_WITH = r"include|with|show|expand|embed|return|incluir|con|mostrar|mit|inklusive|inclure|avec|com|includi|includere"
_WITHOUT = r"exclude|without|hide|omit|skip|excluir|sin|ocultar|ohne|exclure|sans|sem|escludi|senza"
_ONLY = r"only|solo|nur|seulement|uniquement|apenas|somente|soltanto"
FLAG = re.compile(rf"^(?:(?P<with>{_WITH})|(?P<without>{_WITHOUT})|(?P<only>{_ONLY}))_")


def flag_filter(scene: Scene, entity: Entity, role: Role) -> Filter | None:
    """The condition that a flag stands for; None where rows have nothing of the kind."""
    sense = FLAG.match(snake(role.name))
    held = _held(entity, role.column or "")
    if sense is None or held is None:
        return None
    column, state = held
    wanted = scene.argument(role)
    if sense["only"]:
        return _filter(column, Choose(condition=wanted, then=Constant(value=state)))
    asked = _asked_for(scene, column)
    if sense["without"]:
        return _filter(column, Choose(condition=wanted, then=Constant(value=state)), unlike=True)
    shown = call("or", wanted, *asked) if asked else wanted
    left_out = Choose(condition=shown, then=Constant(value=None), otherwise=Constant(value=state))
    return _filter(column, left_out, unlike=True)


def _filter(column: Attribute, value: Expression, *, unlike: bool = False) -> Filter:
    """Rows in the state, or all others; a null of a flag of their own means that they are not in it."""
    return Filter(column=column.name, value=value, comparison="not_equal" if unlike else "equal", optional=True)


def _asked_for(scene: Scene, column: Attribute) -> list[Expression]:
    """Whether a filter names the state: who asks for retired rows gets them."""
    return [
        call("not_null", scene.argument(r))
        for r in scene.roles
        if r.column == column.name and r.role == "filter" and not r.required
    ]


def _held(entity: Entity, words: str) -> tuple[Attribute, JsonValue] | None:
    """The column and the value that mean the state."""
    own = [a for a in entity.attributes if a.type is ColumnType.BOOLEAN and a.name in (words, f"is_{words}")]
    if own:
        return own[0], True
    listed = sorted((a for a in entity.attributes if a.enum), key=lambda a: a.name != entity.status)
    found = [(a, v) for a in listed for v in a.enum if _alike(snake(str(v)), words)]
    return found[0] if found else None


def _alike(value: str, words: str) -> bool:
    """`canceled` and `cancelled`, `storniert` and `stornierten`: spelling and declension do not matter."""
    return value == words or (len(value) > 4 and words.replace("ll", "l").startswith(value.replace("ll", "l")[:-1]))
