"""Flags of a list that say which rows come besides, or which alone: `include_retired`, `exclude_drafts`, `only_open`.

Invariant: a flag is one about states only where rows have that state, as a value of a column or as a flag of their own;
a row in it is left out unless the flag, or a filter on the same column, asks for it. Not covered: flags that are
columns themselves (`role_values`).
"""

from __future__ import annotations

import re

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, Choose, ColumnType, Constant, Entity, Expression, Filter
from autoforge.generator.rules.prose.setting_fields import is_status
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.verbs import STATES
from autoforge.generator.rules.words import snake
from autoforge.generator.vocabulary import word_set

__all__ = ["FLAG", "flag_filter"]

_WITH = r"include|with|show|expand|embed|return|incluir|con|mostrar|mit|inklusive|inclure|avec|com|includi|includere"
_WITHOUT = r"exclude|without|hide|omit|skip|excluir|sin|ocultar|ohne|exclure|sans|sem|escludi|senza"
_ONLY = r"only|solo|nur|seulement|uniquement|apenas|somente|soltanto"
FLAG = re.compile(rf"^(?:(?P<with>{_WITH})|(?P<without>{_WITHOUT})|(?P<only>{_ONLY}))_")


_BESIDES = re.compile(r"^(?:include|show|incluir|mostrar|inklusive|inclure|includi|includere)_")
_HAVING = re.compile(r"^(?:with|con|mit|avec|com)_")
_USUAL = word_set(
    "active available open enabled published public in_stock valid visible current activo activa disponible abierto "
    "aktiv offen verfuegbar actif ouvert ativo aberto attivo aperto"
)
_ABOUT_ANSWER = re.compile(
    r"\b(?:field|column|propert(?:y|ies)|count|total|details?|date|reason|history|info(?:rmation)?|instead|only|each|"
    r"solo|nur|seulement|apenas|campo|feld|champ)\b",
    re.IGNORECASE,
)
_ENDINGS = frozenset(("", "e", "en", "er", "es", "s", "d", "ed", "a", "o", "as", "os"))


def flag_filter(scene: Scene, entity: Entity, role: Role) -> Filter | None:
    """The condition that a flag stands for; None where rows have nothing of the kind."""
    sense = FLAG.match(snake(role.name))
    if sense is None:
        return None
    held = _held(entity, _state_words(entity, role.column or ""), besides=sense["with"] is not None)
    if held is None:
        return None
    column, state = held
    wanted = scene.argument(role)
    having = (
        state is True and _HAVING.match(snake(role.name)) and column.name.removeprefix("is_") not in STATES.values()
    )
    if sense["only"] or having:  # `with_balcony`
        return _filter(column, Choose(condition=wanted, then=Constant(value=state)))
    if sense["without"]:
        return _filter(column, Choose(condition=wanted, then=Constant(value=state)), unlike=True)
    if not _comes_besides(role, column, state):
        return None
    asked = _asked_for(scene, column)
    shown = call("or", wanted, *asked) if asked else wanted
    left_out = Choose(condition=shown, then=Constant(value=None), otherwise=Constant(value=state))
    return _filter(column, left_out, unlike=True)


def _comes_besides(role: Role, column: Attribute, state: JsonValue) -> bool:
    """Whether rows in the state are left out unless asked for: nothing is left out that lists are made for."""
    usual = column.name.removeprefix("is_") if state is True else snake(str(state))
    if usual in _USUAL or _ABOUT_ANSWER.search(role.description):
        return False
    return bool(_BESIDES.match(snake(role.name)) or _HAVING.match(snake(role.name)))


def _state_words(entity: Entity, words: str) -> str:
    """`cancelled_orders` → cancelled."""
    for noun in (entity.table, entity.name, "items", "records", "entries", "rows"):
        words = words.removesuffix(f"_{noun}")
    return words


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


def _held(entity: Entity, words: str, *, besides: bool) -> tuple[Attribute, JsonValue] | None:
    """The column and the value that mean the state: a flag of its own, else a value; one that comes besides is of the
    status.
    """
    own = [a for a in entity.attributes if a.type is ColumnType.BOOLEAN and a.name in (words, f"is_{words}")]
    if own:
        return own[0], True
    states = [a for a in entity.attributes if a.enum and (a.name == entity.status or is_status(a.name))]
    listed = states if besides else [*states, *(a for a in entity.attributes if a.enum and a not in states)]
    found = [(a, v) for a in listed for v in a.enum if _alike(snake(str(v)), words)]
    return min(found, key=lambda f: f[1] != words) if found else None  # of `OPEN` and `open` the one that is named


def _alike(value: str, words: str) -> bool:
    """`canceled` and `cancelled`, `storniert` and `stornierten`: spelling and declension do not matter."""
    held, said = value.replace("ll", "l"), words.replace("ll", "l")
    stem = held[:-1] if len(held) > 4 and held[-1] in "aeo" else held
    return held == said or (len(stem) > 3 and said.startswith(stem) and said[len(stem) :] in _ENDINGS)
