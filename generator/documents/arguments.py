"""The input and output schema of one tool, from whatever its format documents them with.

An input is always one closed object of named arguments. Invariant: what is required is among the properties, and the
schema is closed. Not covered: single schemas (`normalise`, `finish`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autoforge.generator.documents.finish import Direction, check, finish
from autoforge.generator.documents.keywords import is_any
from autoforge.generator.documents.merge import Schema, either, structure
from autoforge.generator.documents.normalise import Normaliser
from autoforge.generator.documents.patterns import without_slow_patterns
from autoforge.generator.documents.raw import Argument, Body, Notes, Place, RawTool, Response
from autoforge.generator.documents.text import clean

__all__ = ["Inputs", "read_inputs", "read_output"]

_SCHEMA_KEYWORDS = {
    "type",
    "properties",
    "$ref",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "description",
    "items",
    "const",
    "format",
    "default",
}


@dataclass(slots=True)
class Inputs:
    """The arguments of a tool, in normal form, and what the documentation says about them together."""

    properties: dict[str, Schema] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    """Sentences that a closed object of arguments cannot say; they belong to the tool's description."""
    names: dict[int, str] = field(default_factory=dict)
    """Position in `RawTool.arguments` to the name in `properties`."""
    body_title: str | None = None

    def add(self, name: str, schema: Schema, required: bool) -> None:
        self.properties[name] = schema
        if required and name not in self.required:
            self.required.append(name)


def read_inputs(tool: RawTool, normaliser: Normaliser, notes: Notes) -> tuple[Schema, Inputs]:
    """The input schema of `tool`, finished and checked, and what was found on the way."""
    inputs = Inputs()
    if tool.arguments is not None:
        _add_arguments(tool, tool.arguments, inputs, normaliser, notes)
        if tool.body is not None:
            _add_body(tool, tool.body, inputs, normaliser, notes)
    else:
        _add_parameters(tool, inputs, normaliser, notes)
    place = tool.parameters_place or tool.place
    hide: Direction | None = "input" if tool.http else None
    finished = finish(
        {"type": "object", "properties": inputs.properties, "required": inputs.required},
        place,
        notes,
        normaliser.budget,
        hide,
    )
    schema: Schema = {
        "type": "object",
        "properties": finished.get("properties", {}),
        "required": finished.get("required", []),
        "additionalProperties": False,
    }
    check(schema, place)
    return schema, inputs


# A schema of parameters


def _add_parameters(tool: RawTool, inputs: Inputs, normaliser: Normaliser, notes: Notes) -> None:
    place = tool.parameters_place or tool.place
    parameters = _as_schema(tool.parameters, place, notes)
    if not parameters:
        return
    schema = normaliser.schema(parameters, place.as_root())
    _add_object(schema, True, inputs, place, notes)
    if (text := clean(schema.get("description"))) and not _is_noise(text):
        inputs.prose.append(text)


def _is_noise(text: str) -> bool:
    return text.lower().rstrip(".") in ("parameters", "arguments", "input", "input parameters", "the parameters")


def _as_schema(parameters: Any, place: Place, notes: Notes) -> dict[str, Any]:
    if parameters is None or parameters == {} or parameters == []:
        return {}
    if isinstance(parameters, list):
        return _listed(parameters, place, notes)
    if not isinstance(parameters, dict):
        place.refuse('holds parameters that are no JSON Schema; write {"type": "object", "properties": {…}}')
    if _is_bare_properties(parameters):
        notes.add(place, "the parameters are a bare list of properties; read as an object with them")
        return {"type": "object", "properties": parameters}
    return parameters


def _is_bare_properties(parameters: dict[str, Any]) -> bool:
    if not all(isinstance(value, dict) and _SCHEMA_KEYWORDS & value.keys() for value in parameters.values()):
        return False
    return (
        not {"$ref", "$defs", "properties"} & parameters.keys()
        and set(parameters) - {"items", "additionalProperties", "not"} != set()
    )


def _listed(parameters: list[Any], place: Place, notes: Notes) -> dict[str, Any]:
    properties = {}
    for index, parameter in enumerate(parameters):
        name = parameter.get("name") if isinstance(parameter, dict) else None
        if not isinstance(name, str) or not name or name in properties:
            (place / index).refuse('is no parameter with a name of its own; write {"name": …, "type": …}')
        own = parameter.get("schema") if isinstance(parameter.get("schema"), dict) else {}
        properties[name] = {
            **own,
            **{key: value for key, value in parameter.items() if key not in ("name", "schema", "in")},
        }
    notes.add(place, "the parameters are a list; read as an object with them")
    return {"type": "object", "properties": properties}


def _add_object(schema: Schema, required: bool, inputs: Inputs, place: Place, notes: Notes) -> None:
    """Add the properties of an object, or of several alternative objects, as arguments."""
    branches = [branch for branch in _objects(schema) if "properties" in branch]
    if not is_any(schema) and not _objects(schema):
        place.refuse('describes no object of arguments; write {"type": "object", "properties": {…}}')
    if any(branch.get("additionalProperties") not in (None, False) for branch in branches) or (
        not branches and not is_any(schema) and _is_open(schema)
    ):
        notes.add(place, "the tool takes no arguments but the documented ones, though its schema is open")
    names = dict.fromkeys(name for branch in branches for name in branch["properties"])
    needed = [set(branch.get("required", [])) for branch in _objects(schema)]
    for name in names:
        found = [branch["properties"][name] for branch in branches if name in branch["properties"]]
        merged = found[0] if len(found) == 1 or all(other == found[0] for other in found) else either(found)
        inputs.add(name, merged, required and all(name in part for part in needed))
    for name in dict.fromkeys(
        name for branch in _objects(schema) for name in branch.get("required", []) if name not in names
    ):
        notes.add(place, f"'required' named {name!r}, which the schema does not describe; dropped there")
    if len(needed) > 1:
        _explain(needed, list(names), inputs, place, notes)


def _explain(needed: list[set[str]], names: list[str], inputs: Inputs, place: Place, notes: Notes) -> None:
    """Say in words what several alternative objects of arguments demand."""
    notes.add(place, "alternative objects of arguments are read as one object with all their properties")
    choices = [[name for name in names if name in part and name not in inputs.required] for part in needed]
    if all(choices) and len({tuple(choice) for choice in choices}) > 1:
        inputs.prose.append(
            "Give at least one of these: "
            + "; or ".join(" and ".join(f"`{name}`" for name in choice) for choice in choices)
            + "."
        )


def _objects(schema: Schema) -> list[Schema]:
    if "anyOf" not in schema:
        return [schema] if schema["type"] == "object" else []
    return [found for branch in schema["anyOf"] for found in _objects(branch)]


def _is_open(schema: Schema) -> bool:
    return schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict)


# Parameters and a body of an HTTP operation


def _add_arguments(
    tool: RawTool, arguments: tuple[Argument, ...], inputs: Inputs, normaliser: Normaliser, notes: Notes
) -> None:
    for index, argument in enumerate(arguments):
        name = argument.name
        if name in inputs.properties:
            name = _free(f"{argument.location or 'other'}_{name}", inputs)
            notes.add(
                argument.place,
                f"the {argument.location} parameter {argument.name!r} has another's name; its argument is {name!r}",
            )
        inputs.names[index] = name
        inputs.add(name, normaliser.schema(argument.schema, argument.place), argument.required)


def _free(name: str, inputs: Inputs) -> str:
    candidate, number = name, 2
    while candidate in inputs.properties:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def _add_body(tool: RawTool, body: Body, inputs: Inputs, normaliser: Normaliser, notes: Notes) -> None:
    schema = normaliser.schema(body.schema, body.place)
    objects = _objects(schema)
    flat = objects and all("properties" in branch for branch in objects) and len(objects) == _width(schema)
    if not flat:
        inputs.add(_free(body.name, inputs), schema, body.required)
        return
    found = Inputs()
    _add_object(schema, body.required, found, body.place, notes)
    inputs.body_title = schema.get("title")
    inputs.prose.extend(found.prose)
    for name, child in found.properties.items():
        if child.get("readOnly") is not True:
            _add_member(tool, name, child, name in found.required, inputs, body.place, notes)


def _width(schema: Schema) -> int:
    """Alternatives of a schema that are not null."""
    return sum(_width(branch) for branch in schema["anyOf"]) if "anyOf" in schema else int(schema["type"] != "null")


def _add_member(
    tool: RawTool, name: str, schema: Schema, required: bool, inputs: Inputs, place: Place, notes: Notes
) -> None:
    if name not in inputs.properties:
        inputs.add(name, schema, required)
    elif _names_the_resource(tool, name) and structure(schema) == structure(inputs.properties[name]):
        notes.add(place, f"the body's {name!r} is the {name!r} of the path; both are one argument")
    else:
        renamed = _free(f"body_{name}", inputs)
        notes.add(place, f"the body's {name!r} has the name of a parameter; its argument is {renamed!r}")
        inputs.add(renamed, schema, required)


def _names_the_resource(tool: RawTool, name: str) -> bool:
    """Whether the operation changes the very thing that its path names last, as in `PUT /pets/{id}`."""
    return (
        tool.http is not None
        and tool.http.method in ("PUT", "PATCH")
        and tool.http.path.rstrip("/").endswith(f"{{{name}}}")
    )


# Results


def read_output(tool: RawTool, response: Response, normaliser: Normaliser, notes: Notes) -> Schema | None:
    """The output schema, finished and checked: an object, or `{"result": …}` around anything else."""
    schema = normaliser.schema(response.schema, response.place)
    hide: Direction | None = "output" if tool.http else None
    if schema.get("type") == "null":
        return None
    if "type" not in schema and not is_any(schema) and len(_objects(schema)) == _width(schema) and not tool.http:
        schema = _one_object(schema, response.place, notes)
    if schema.get("type") != "object":
        notes.add(response.place, 'the result is no object; it is wrapped as {"result": …}')
        schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    if response.description and "description" not in schema:
        schema = {**schema, "description": response.description}
    finished = finish(schema, response.place, notes, normaliser.budget, hide)
    finished = without_slow_patterns(finished, response.place, notes)
    check(finished, response.place)
    return finished


def _one_object(schema: Schema, place: Place, notes: Notes) -> Schema:
    """Alternative objects as one: structured content is an object already, so it cannot be wrapped."""
    merged = Inputs()
    _add_object(schema, True, merged, place, notes)
    outer = {keyword: value for keyword, value in schema.items() if keyword != "anyOf"}
    return {**outer, "type": "object", "properties": merged.properties, "required": merged.required}
