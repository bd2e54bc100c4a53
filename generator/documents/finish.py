"""From normal form to a finished schema: closed, honest, nothing shared, checked against draft 2020-12.

An object that declares properties allows no others; one without declared properties, or with a schema for additional
ones, stays open; `required` names only what is there.

Invariant: the result is a valid schema that refers to nothing outside itself. Not covered: merging (`merge`),
keywords (`keywords`).
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from autoforge.generator.documents.defaults import mend_default
from autoforge.generator.documents.keywords import is_any
from autoforge.generator.documents.limits import mend_limits
from autoforge.generator.documents.merge import Budget, Schema, either
from autoforge.generator.documents.raw import Notes, Place

__all__ = ["Direction", "check", "finish"]

Direction = Literal["input", "output"]

_ORDER = (
    "title",
    "description",
    "type",
    "enum",
    "format",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
)
_HIDDEN = {"input": "readOnly", "output": "writeOnly"}


def finish(schema: Schema, place: Place, notes: Notes, budget: Budget, hide: Direction | None = None) -> Schema:
    """A closed copy of a schema in normal form.

    With `hide`, properties that do not travel in that direction are left out.
    """
    budget.spend()
    # Again, since two schemas that hold together may contradict each other in their bounds, or one in its default.
    schema = mend_default(mend_limits(schema, place, notes), place, notes)
    finished = {keyword: schema[keyword] for keyword in _ORDER if keyword in schema}
    finished.update({keyword: _copy(value) for keyword, value in schema.items() if keyword not in finished})
    if "enum" in finished:
        finished["enum"] = _copy(finished["enum"])
    if "anyOf" in schema:
        branches = [
            finish(branch, place / "anyOf" / i, notes, budget, hide) for i, branch in enumerate(schema["anyOf"])
        ]
        del finished["anyOf"]
        # Branches may have become equal; what stands around them stays in front.
        finished = {**either(branches), **finished}
    elif schema["type"] == "array":
        finished["items"] = finish(schema["items"], place / "items", notes, budget, hide)
    elif schema["type"] == "object":
        _finish_object(finished, schema, place, notes, budget, hide)
    return finished


def _finish_object(
    finished: Schema, schema: Schema, place: Place, notes: Notes, budget: Budget, hide: Direction | None
) -> None:
    declared = schema.get("properties", {})
    properties = {}
    for name, child in declared.items():
        if hide and child.get(_HIDDEN[hide]) is True:
            notes.add(place / "properties" / name, f"the {_HIDDEN[hide]} property is no part of the {hide}")
            continue
        properties[name] = finish(child, place / "properties" / name, notes, budget, hide)
    finished["properties"] = properties
    missing = [name for name in schema.get("required", []) if name not in declared]
    if missing:
        notes.add(
            place,
            f"'required' named {', '.join(map(repr, missing))}, which the schema does not describe; dropped there",
        )
    finished["required"] = [name for name in schema.get("required", []) if name in properties]
    extra = schema.get("additionalProperties", False if declared else None)
    if isinstance(extra, dict):
        extra = (
            None
            if is_any(extra) and not declared
            else finish(extra, place / "additionalProperties", notes, budget, hide)
        )
    finished["additionalProperties"] = extra
    for keyword in ("properties", "required", "additionalProperties"):
        if finished[keyword] in (None, {}, []):
            del finished[keyword]


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value)) if isinstance(value, list | dict) else value


def check(schema: Schema, place: Place) -> None:
    """Draft 2020-12's own check, node by node.

    The metaschema judges each node apart from its subschemas, so checking every node with stubs in their place is the
    same check, without its recursion; and few kinds of nodes occur, so it is done once per kind.
    """
    nodes = [schema]
    while nodes:
        node = nodes.pop()
        stub = dict(node)
        for keyword in ("properties", "anyOf", "items", "additionalProperties"):
            value = stub.get(keyword)
            if keyword == "properties" and isinstance(value, dict):
                nodes.extend(value.values())
                stub[keyword] = {}
            elif keyword == "anyOf" and isinstance(value, list):
                nodes.extend(value)
                stub[keyword] = [{}]
            elif isinstance(value, dict):
                nodes.append(value)
                stub[keyword] = {}
        problem = _problem(json.dumps(_without_content(stub), sort_keys=True))
        if problem:
            place.refuse(f"gives a schema that draft 2020-12 does not allow ({problem}); correct it")


def _without_content(node: Schema) -> Schema:
    """Texts and data of which any value is allowed are replaced by one of their kind."""
    plain = {"title": "", "description": "", "pattern": "", "format": ""}
    kept = {
        keyword: plain[keyword] if keyword in plain and isinstance(value, str) else value
        for keyword, value in node.items()
    }
    for keyword in ("examples", "enum"):
        if isinstance(kept.get(keyword), list):
            kept[keyword] = [0]
    kept.pop("default", None)
    return kept


@lru_cache(maxsize=20_000)
def _problem(node: str) -> str:
    try:
        Draft202012Validator.check_schema(json.loads(node))
    except SchemaError as error:
        return error.message
    return ""
