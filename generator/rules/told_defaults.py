"""Defaults that only sentences tell: `Defaults to 21`, `10 when not given`, `if no severity is given, it is warning`.

Invariant: a default fits its parameter's type, bounds and values; an update leaves alone what is left out. Not covered:
defaults of schemas, which come before, and of tools of a file system.
"""

from __future__ import annotations

import re
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.prose import MISSING, default_in_prose, defaults_of_others
from autoforge.generator.rules.prose.numbers import range_in_prose
from autoforge.generator.rules.prose.setting_fields import is_status, yes_or_no
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene
from autoforge.generator.rules.shapes import Shape, properties_of, shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import column_name, snake

__all__ = ["told_default"]

_LEAVE_ALONE = frozenset({VerbClass.UPDATE, VerbClass.SET})
_PLAIN = frozenset({"value", "limit", "filter", "flag"})


def told_default(scene: Scene, name: str, schema: dict[str, Any]) -> JsonValue:
    """The default of an optional parameter that prose tells, None where it tells none that fits."""
    role = next((r for r in scene.roles if r.path == (name,)), None)
    if role is None or role.required or role.role not in _PLAIN or scene.reading.tool.name in scene.cast.special:
        return None
    if scene.reading.verb.kind in _LEAVE_ALONE and role.role == "value":
        return None
    if role.role in ("filter", "flag") and not _chooses_rows(scene, role):
        return None
    text = str(schema.get("description", ""))
    told = default_in_prose(text)
    if told is MISSING:
        text, told = scene.reading.tool.description, _told_elsewhere(scene, snake(name))
    value = _fitting(shape_of(schema), role, told, text) if told is not MISSING else None
    return value if value is None or _is_accepted(schema, value) else None


def _chooses_rows(scene: Scene, role: Role) -> bool:
    """Whether rows are known to have what a list is narrowed by: a switch of the answer must not leave rows out,
    and who need not say `only gifts` gets others too.
    """
    where = f"{scene.reading.tool.name}.{role.name}"
    columns = {role.column, column_name(role.name)}
    held = [a for d in scene.cast.entities.values() for a in d.attributes.values() if a.name in columns]
    if role.role == "flag":
        return not any(a.evidence == [where] for a in held)
    return bool(role.shape.schema.get("enum")) and any(a.evidence != [where] for a in held)


def _told_elsewhere(scene: Scene, name: str) -> Any:
    """What the tool's own text says of the parameter: the one of that name, else the only one that ends so."""
    names = [snake(n) for n in properties_of(scene.reading.tool.input_schema)]
    for words, value in defaults_of_others(scene.reading.tool.description):
        wanted = snake(words)
        ending = [n for n in names if n.endswith("_" + wanted)]
        if name == wanted or (wanted not in names and ending == [name]):
            return value
    return MISSING


def _fitting(shape: Shape, role: Role, told: Any, text: str) -> JsonValue:
    values = shape.schema.get("enum", ())
    if values:
        return next((v for v in values if v == told or snake(str(v)) == snake(str(told))), None)
    if shape.type is ColumnType.BOOLEAN:
        return told if isinstance(told, bool) else yes_or_no(str(told))
    if shape.type in (ColumnType.INTEGER, ColumnType.REAL):
        return told if _is_number(shape, told) else None
    plain = isinstance(told, str) and _is_value(role, told, text)
    return str(told) if shape.type is ColumnType.TEXT and role.role == "value" and plain else None


def _is_value(role: Role, word: str, text: str) -> bool:
    """Whether a word is a value, not `unlimited` or `generated`: one in quotation marks, a state, a code, a zone."""
    quoted = re.search(rf"([\"'`]){re.escape(word)}\1", text) is not None
    return quoted or is_status(role.name) or re.fullmatch(r"[A-Z]{2,5}|[A-Z]\w+/\w+", word) is not None


def _is_number(shape: Shape, told: Any) -> bool:
    if isinstance(told, bool):
        return False
    return isinstance(told, int if shape.type is ColumnType.INTEGER else int | float)


def _is_accepted(schema: dict[str, Any], value: JsonValue) -> bool:
    """Whether the parameter would take the value if a call gave it, by its schema and by the range in its prose."""
    if not Draft202012Validator(schema).is_valid(value):
        return False
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    low, high = range_in_prose(str(schema.get("description", "")))
    return (low is None or low <= value) and (high is None or value <= high)
