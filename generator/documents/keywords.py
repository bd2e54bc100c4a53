"""The keywords of one schema node, without its subschemas: types, enumerations, bounds, defaults and prose.

Each function takes the node as documented and gives the draft 2020-12 form; what was mended is noted.

Invariant: the node that is given stays as it is. Not covered: subschemas (`normalise`), references (`references`).
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from autoforge.generator.documents.patterns import is_portable
from autoforge.generator.documents.raw import Notes, Place
from autoforge.generator.documents.text import clean
from autoforge.generator.documents.type_names import STANDARD_TYPES, read_type
from autoforge.generator.documents.values import UNFIT, canonical, coerce, fits, type_of

__all__ = [
    "ABSENT_WORDS",
    "ANNOTATIONS",
    "Typed",
    "annotations_of",
    "any_value",
    "bounds_of",
    "enumeration_of",
    "is_any",
    "types_of",
]  # fmt: skip

ANNOTATIONS = ("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly")
_SCALARS = ("string", "number", "boolean", "null", "object")
_COUNTS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
_RANGES = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_TEXTS = ("pattern", "contentEncoding", "contentMediaType")
_EVIDENCE = (
    ("object", ("properties", "patternProperties", "additionalProperties", "propertyNames", *_COUNTS["object"])),
    ("array", ("items", "prefixItems", "uniqueItems", "contains", *_COUNTS["array"])),
    ("string", (*_COUNTS["string"], *_TEXTS)),
    ("number", _RANGES),
)
_NUMERIC_FORMATS = {"int32": "integer", "int64": "integer", "float": "number", "double": "number", "decimal": "number"}
_ENUM_IN_PROSE = re.compile(r"\[Enum\]\s*:\s*\[([^\[\]]*)\]", re.IGNORECASE)
ABSENT_WORDS = ("None", "null", "NULL", "nil", "undefined")
"""What stands for no value at all."""


class Typed(NamedTuple):
    """`types` is empty where any value is allowed; `node` has the keywords that a type name brought with it."""

    types: tuple[str, ...]
    node: dict[str, Any]


def any_value() -> dict[str, Any]:
    """Any JSON value, without the empty schema that some hosts refuse."""
    items = {"anyOf": [{"type": kind} for kind in _SCALARS]}
    return {"anyOf": [*({"type": kind} for kind in _SCALARS), {"type": "array", "items": items}]}


_ANY = any_value()["anyOf"]


def is_any(schema: dict[str, Any]) -> bool:
    """Whether `schema` is the union that `any_value` gives."""
    return bool(schema.get("anyOf") == _ANY)


def types_of(node: dict[str, Any], place: Place, notes: Notes) -> Typed:
    """The standard types of a node, mended or inferred, with `null` last where it is nullable."""
    documented = node.get("type")
    if documented is None or documented == []:
        typed = _inferred(node, place, notes)
    else:
        typed = _named(documented, node, place, notes)
    types = _combined(typed.types)
    nullable = node.get("nullable") is True or node.get("x-nullable") is True
    if types and nullable and "null" not in types:
        types = (*types, "null")
    return Typed(types, typed.node)


def _combined(types: tuple[str, ...]) -> tuple[str, ...]:
    distinct = tuple(dict.fromkeys(types))
    if "number" in distinct:
        distinct = tuple(kind for kind in distinct if kind != "integer")
    return (*(kind for kind in distinct if kind != "null"), *(kind for kind in distinct if kind == "null"))


def _named(documented: Any, node: dict[str, Any], place: Place, notes: Notes) -> Typed:
    names = documented if isinstance(documented, list) else [documented]
    types: list[str] = []
    for name in names:
        if not isinstance(name, str):
            (place / "type").refuse("is no name of a type; write one of " + ", ".join(STANDARD_TYPES))
        read = read_type(name)
        if read is None:
            notes.add(
                place,
                f"the unknown type {name!r} is read as {'what its keywords show' if len(names) == 1 else 'any value'}",
            )
            return _inferred(node, place, notes) if len(names) == 1 else Typed((), node)
        if name not in STANDARD_TYPES:
            notes.add(place, f"the type {name!r} is read as {' or '.join(read.types) or 'any value'}")
        if not read.types:
            return _inferred(node, place, notes)
        node = {**read.keywords, **node}
        types.extend(read.types)
    return Typed(tuple(types), node)


def _inferred(node: dict[str, Any], place: Place, notes: Notes) -> Typed:
    values = node["enum"] if isinstance(node.get("enum"), list) else [node["const"]] if "const" in node else []
    if values:
        return Typed(tuple(type_of(value) for value in values), node)
    if isinstance(node.get("required"), list):
        return Typed(("object",), node)
    for kind, keywords in _EVIDENCE:
        if any(node.get(keyword) is not None for keyword in keywords):
            return Typed((kind,), node)
    if isinstance(node.get("format"), str):
        return Typed((_NUMERIC_FORMATS.get(node["format"], "string"),), node)
    return _from_default(node, place, notes)


def _from_default(node: dict[str, Any], place: Place, notes: Notes) -> Typed:
    default = node.get("default")
    if isinstance(default, bool | int | float | str) and default not in ("", *ABSENT_WORDS):
        kind = {"integer": "number"}.get(type_of(default), type_of(default))
        notes.add(place, f"has no type; read as {kind}, like its default")
        return Typed((kind,), node)
    notes.add(place, "has no type; read as any value")
    return Typed((), node)


def enumeration_of(node: dict[str, Any], types: tuple[str, ...], place: Place, notes: Notes) -> list[Any] | None:
    """The values that `enum`, `const` or an explicit `[Enum]:

    […]` in the description allows, each fitting one of `types`.
    """
    values = [node["const"]] if "const" in node else node.get("enum")
    if values is None and "enum" not in node:
        values = _from_prose(node, types, place, notes)
    if values is None:
        return None
    if not isinstance(values, list):
        notes.add(place, "the enum is no list and was dropped")
        return None
    fitting = [_fitting(value, types, place, notes) for value in values] if types else values
    distinct = list({canonical(value): value for value in fitting if value is not UNFIT}.values())
    if not distinct or distinct == [None]:
        if values != [None]:
            notes.add(place, "the enum allows nothing of the documented type and was dropped")
        return None
    return distinct


def _fitting(value: Any, types: tuple[str, ...], place: Place, notes: Notes) -> Any:
    if any(fits(value, kind) for kind in types):
        return value
    for kind in types:
        meant = coerce(value, kind)
        if meant is not UNFIT:
            notes.add(place, f"values of the enum are written as {type_of(value)} and read as {kind}")
            return meant
    if value is not None:
        notes.add(place, "values of the enum that do not fit its type were dropped")
    return UNFIT


def _from_prose(node: dict[str, Any], types: tuple[str, ...], place: Place, notes: Notes) -> list[Any] | None:
    description = node.get("description")
    if types not in (("string",), ("integer",), ("number",)) or not isinstance(description, str):
        return None
    found = _ENUM_IN_PROSE.search(description)
    words = [word.strip().strip("\"'") for word in found[1].split(",")] if found else []
    values = [coerce(word, types[0]) for word in words if word]
    if not values or UNFIT in values:
        return None
    notes.add(place, "the [Enum] in the description is enforced as enum")
    return values


def bounds_of(kind: str, node: dict[str, Any], place: Place, notes: Notes) -> dict[str, Any]:
    """The bounds, texts and format of `node` that apply to values of `kind`."""
    found: dict[str, Any] = {}
    for keyword in _COUNTS.get(kind, ()):
        _keep(found, keyword, _count(node.get(keyword)), node, place, notes)
    if kind in ("integer", "number"):
        node = _without_boolean_bounds(node)
        for keyword in _RANGES:
            _keep(found, keyword, _number(node.get(keyword), positive=keyword == "multipleOf"), node, place, notes)
    if kind == "string":
        for keyword in _TEXTS:
            value = node.get(keyword)
            usable = isinstance(value, str) and (keyword != "pattern" or is_portable(value))
            _keep(found, keyword, value if usable else None, node, place, notes)
    if kind == "array" and node.get("uniqueItems") is True:
        found["uniqueItems"] = True
    if kind in ("string", "integer", "number") and isinstance(node.get("format"), str) and node["format"]:
        found["format"] = node["format"]
    return found


def _keep(found: dict[str, Any], keyword: str, value: Any, node: dict[str, Any], place: Place, notes: Notes) -> None:
    if value is not None:
        found[keyword] = value
    elif node.get(keyword) is not None:
        why = "is no portable regular expression" if keyword == "pattern" else "has no usable value"
        notes.add(place, f"{keyword} {why} and was dropped")


def _count(value: Any) -> int | None:
    number = _number(value, positive=False)
    return int(number) if number is not None and number >= 0 and float(number).is_integer() else None


def _number(value: Any, *, positive: bool) -> float | int | None:
    number = coerce(value, "number") if isinstance(value, str) else value
    if number is UNFIT or isinstance(number, bool) or not isinstance(number, int | float):
        return None
    # Beyond 1e300 no double holds it, and the validator would overflow.
    usable = math.isfinite(number) if isinstance(number, float) else abs(number) < 10**300
    return number if usable and (number > 0 or not positive) else None


def _without_boolean_bounds(node: dict[str, Any]) -> dict[str, Any]:
    """Draft 4 and OpenAPI 3.0 write `exclusiveMinimum: true` beside `minimum`."""
    node = dict(node)
    for keyword, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(node.get(keyword), bool):
            exclusive = node.pop(keyword)
            if exclusive and bound in node:
                node[keyword] = node.pop(bound)
    return node


def annotations_of(node: dict[str, Any]) -> dict[str, Any]:
    """Title, description, default, examples and flags; OpenAPI's `example` becomes one of `examples`."""
    found: dict[str, Any] = {}
    for keyword in ("title", "description"):
        if text := clean(node.get(keyword)):
            found[keyword] = text
    if "default" in node:
        found["default"] = node["default"]
    examples = node.get("examples")
    listed = list(examples) if isinstance(examples, list) else []
    if node.get("example") is not None:
        listed.append(node["example"])
    if listed:
        found["examples"] = list({canonical(value): value for value in listed}.values())
    found.update({keyword: True for keyword in ("deprecated", "readOnly", "writeOnly") if node.get(keyword) is True})
    return found
