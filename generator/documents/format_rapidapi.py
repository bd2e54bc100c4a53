"""RapidAPI as collected in ToolBench.

`{category_name, tool_name, api_name, required_parameters, optional_parameters, …}`. The `default` of a parameter there
is an example value from the API's test page, so it is kept as an example. `template_response` shows types as values
(`{"id": "int"}`).

Invariant: a documented parameter is kept, required or optional. Not covered: its schema (`normalise`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autoforge.generator.documents.format import Element, Format, objects_in
from autoforge.generator.documents.model import HttpOperation
from autoforge.generator.documents.raw import Argument, Place, RawTool, Response
from autoforge.generator.documents.type_names import read_type
from autoforge.generator.documents.values import UNFIT, coerce, type_of

__all__ = ["RAPIDAPI"]

_NAME = "RapidAPI"
_LENGTH = "_list_length"


def _recognises(value: dict[str, Any]) -> bool:
    return isinstance(value.get("api_list"), list) or "api_name" in value or "required_parameters" in value


def _read(element: Element) -> Iterator[RawTool]:
    if not isinstance(element.value.get("api_list"), list):
        yield _tool(element, None)
        return
    group = element.value.get("tool_name") or element.value.get("title") or element.value.get("name")
    for value, place in objects_in(element.value["api_list"], element.place / "api_list"):
        yield _tool(Element(value, place, element.document, element.notes), group)


def _tool(element: Element, group: Any) -> RawTool:
    value, place = element.value, element.place
    arguments = tuple(_arguments(element))
    name = value.get("api_name", value.get("name"))
    group = value.get("tool_name", group)
    return RawTool(
        name=name,
        place=place,
        format=_NAME,
        description=value.get("api_description", value.get("description")),
        arguments=arguments,
        response=_response(value, place),
        http=_operation(value, name, arguments),
        group=group if isinstance(group, str) and group else None,
        examples=_call(arguments),
    )


def _arguments(element: Element) -> Iterator[Argument]:
    names: set[str] = set()
    for key in ("required_parameters", "optional_parameters"):
        for value, place in objects_in(element.value.get(key) or [], element.place / key):
            name = value.get("name")
            if not isinstance(name, str) or not name:
                place.refuse('is a parameter without a name; add "name"')
            if name in names:
                element.notes.add(place, f"the parameter {name!r} is listed twice; the first is kept")
                continue
            names.add(name)
            yield Argument(
                name=name, schema=_schema(value, element, place), place=place, required=key == "required_parameters"
            )


def _schema(value: dict[str, Any], element: Element, place: Place) -> dict[str, Any]:
    kind = value.get("type") or "string"
    if not isinstance(kind, str) or read_type(kind) is None:
        element.notes.add(place, f"the unknown type {kind!r} is read as string")
        kind = "string"
    schema = {key: child for key, child in value.items() if key in ("description", "enum")}
    if value.get("default") not in (None, ""):
        schema["examples"] = [_meant(value["default"], kind)]
        element.notes.add(place, "the default is an example of the API's test page, and kept as one")
    return {**schema, "type": kind}


def _meant(example: Any, kind: str) -> Any:
    read = read_type(kind)
    meant = coerce(example, read.types[0]) if read and read.types else UNFIT
    return example if meant is UNFIT else meant


def _call(arguments: tuple[Argument, ...]) -> tuple[dict[str, Any], ...]:
    """The call that the examples of all required parameters make."""
    shown = {argument.name: argument.schema["examples"][0] for argument in arguments if "examples" in argument.schema}
    complete = shown and all(argument.name in shown for argument in arguments if argument.required)
    return (shown,) if complete else ()


def _operation(value: dict[str, Any], name: Any, arguments: tuple[Argument, ...]) -> HttpOperation | None:
    method = value.get("method")
    if not isinstance(method, str) or not method:
        return None
    path = name if isinstance(name, str) and name.startswith("/") else ""
    in_path = tuple(
        argument.name for argument in arguments if f":{argument.name}" in path or f"{{{argument.name}}}" in path
    )
    others = tuple(argument.name for argument in arguments if argument.name not in in_path)
    return HttpOperation(
        method=method.upper(),
        path=path,
        path_parameters=in_path,
        query_parameters=others if method.upper() == "GET" else (),
    )


def _response(value: dict[str, Any], place: Place) -> Response | None:
    template = value.get("template_response")
    if not isinstance(template, dict | list) or not template:
        return None
    return Response(schema=_shown(template), place=(place / "template_response").as_root())


def _shown(template: Any) -> dict[str, Any]:
    """The schema of a template: a type's name as text stands for the type, a list shows its items."""
    if isinstance(template, dict):
        properties = {name: _shown(child) for name, child in template.items() if name != _LENGTH}
        return {"type": "object", "properties": properties} if properties else {"type": "object"}
    if isinstance(template, list):
        shown = [_shown(child) for child in template[:5]]
        return (
            {"type": "array", "items": shown[0] if len(shown) == 1 else {"anyOf": shown}}
            if shown
            else {"type": "array"}
        )
    read = read_type(template) if isinstance(template, str) else None
    if read is not None:
        return {"type": list(read.types), **read.keywords} if read.types else {}
    return {"type": "string" if template is None else type_of(template)}


RAPIDAPI = Format(
    name=_NAME, shape='{"tool_name", "api_name", "required_parameters"}', recognises=_recognises, read=_read
)
