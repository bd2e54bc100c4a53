"""The default of one schema node: one that the node accepts, or none.

Invariant: a default that is left is a value of the node. Not covered: the properties of a default that is an object.
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.documents.keywords import ABSENT_WORDS
from autoforge.generator.documents.limits import within
from autoforge.generator.documents.raw import Notes, Place
from autoforge.generator.documents.values import UNFIT, canonical, coerce, fits, type_of

__all__ = ["mend_default"]


def mend_default(schema: dict[str, Any], place: Place, notes: Notes) -> dict[str, Any]:
    """`schema` with a default that it accepts, or with none.

    A default of null on a type without null only means 'may be left out'.
    """
    if "default" not in schema or (_accepts(schema, schema["default"]) and schema["default"] not in ABSENT_WORDS):
        return schema
    default = schema["default"]
    if default in ABSENT_WORDS and _enumerates(schema, default):
        return schema
    meant = _meant(schema, default)
    if meant is not UNFIT:
        notes.add(place, f"the default is written as {type_of(default)} and read as {type_of(meant)}")
        return {**schema, "default": meant}
    notes.add(place, f"the default {_fault(schema, default)} and was dropped")
    return {keyword: value for keyword, value in schema.items() if keyword != "default"}


def _fault(schema: dict[str, Any], default: Any) -> str:
    if default is None or default in ABSENT_WORDS:
        return "(null or 'None') only says that there is none"
    typed = any(fits(default, branch["type"]) for branch in schema.get("anyOf", [schema]) if "type" in branch)
    return "is none of the values that its enum and bounds allow" if typed else "does not fit its type"


def _meant(schema: dict[str, Any], default: Any) -> Any:
    branches = schema.get("anyOf", [schema])
    if default in ABSENT_WORDS or default == "":
        return None if any(branch.get("type") == "null" for branch in branches) else UNFIT
    for branch in branches:
        meant = coerce(default, branch["type"]) if "type" in branch else UNFIT
        if (
            meant is UNFIT
            and branch.get("type") == "array"
            and not isinstance(default, list)
            and _accepts(branch["items"], default)
        ):
            meant = [default]
        if meant is not UNFIT and _accepts(branch, meant):
            return meant
    return UNFIT


def _enumerates(schema: dict[str, Any], value: Any) -> bool:
    return any(value in branch.get("enum", []) for branch in schema.get("anyOf", [schema]))


def _accepts(schema: dict[str, Any], value: Any) -> bool:
    """By type, enum and bounds, and those of the items of a list."""
    if "anyOf" in schema:
        return any(_accepts(branch, value) for branch in schema["anyOf"])
    if not fits(value, schema["type"]) or not within(schema, value):
        return False
    if isinstance(value, list) and not all(_accepts(schema["items"], item) for item in value):
        return False
    return "enum" not in schema or canonical(value) in {canonical(allowed) for allowed in schema["enum"]}
