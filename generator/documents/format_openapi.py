"""OpenAPI 3.0 and 3.1 and Swagger 2.0: one tool per operation.

Parameters and the properties of the request body together are the arguments; the schema of the first successful
response is the output. Invariant: one tool for each path and method that is documented. Not covered: servers, security,
callbacks, links and webhooks (a tool has none of them), and how parameters are serialised.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autoforge.generator.documents.format import Element, Format
from autoforge.generator.documents.model import HttpOperation
from autoforge.generator.documents.openapi_parts import Parts, dereferenced
from autoforge.generator.documents.raw import Argument, Place, RawTool
from autoforge.generator.documents.text import clean

__all__ = ["OPENAPI"]

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def _recognises(value: dict[str, Any]) -> bool:
    return ("openapi" in value or "swagger" in value) and not isinstance(
        value.get("openapi", value.get("swagger")), dict | list
    )


def _read(element: Element) -> Iterator[RawTool]:
    version = _version(element)
    paths = element.value.get("paths")
    if not isinstance(paths, dict):
        if isinstance(element.value.get("webhooks"), dict):
            element.place.refuse("describes webhooks but no paths; tools are read from paths only")
        (element.place / "paths").refuse("is missing or no object; an OpenAPI document needs paths")
    if element.value.get("webhooks"):
        element.notes.add(element.place / "webhooks", "webhooks are no tools and were left out")
    for path, item in paths.items():
        if not path.startswith("x-"):
            yield from _operations(element, version, path, item)


def _version(element: Element) -> str:
    key = "openapi" if "openapi" in element.value else "swagger"
    version = str(element.value[key])
    if key == "swagger" and version.split(".")[0] == "2":
        return "Swagger 2.0"
    if key == "openapi" and version.startswith("3."):
        return f"OpenAPI 3.{version.split('.')[1]}"
    return (element.place / key).refuse(
        f"names version {version!r}; OpenAPI 3.0 and 3.1 and Swagger 2.0 are read, so convert it to one"
    )


def _operations(element: Element, version: str, path: str, item: Any) -> Iterator[RawTool]:
    place = element.place / "paths" / path
    item, place = dereferenced(item, element.document, place)
    if not isinstance(item, dict):
        place.refuse("is no object; describe the operations of the path in it")
    for method in _METHODS:
        if method in item:
            operation, here = item[method], place / method
            if not isinstance(operation, dict):
                here.refuse("is no object; describe the operation in it")
            yield _operation(element, version, _Route(path, method, item, place, operation, here))


class _Route:
    """One operation and the path item around it."""

    def __init__(
        self, path: str, method: str, item: dict[str, Any], item_place: Place, value: dict[str, Any], place: Place
    ) -> None:
        self.path = path
        self.method = method.upper()
        self.item = item
        self.item_place = item_place
        self.value = value
        self.place = place


def _operation(element: Element, version: str, route: _Route) -> RawTool:
    parts = Parts(element.document, element.notes, version == "Swagger 2.0")
    found = parts.parameters((route.item, route.item_place), (route.value, route.place), route.path)
    summary, description = clean(route.value.get("summary")), clean(route.value.get("description"))
    name = route.value.get("operationId")
    if name is None or name == "":
        element.notes.add(route.place, "has no operationId; the tool is named after its method and path")
        name = f"{route.method} {route.path}"
    return RawTool(
        name=name,
        place=route.place,
        format=version,
        title=summary or None,
        description=_described(summary, description, route.value),
        arguments=found,
        body=parts.body(route.value, route.place, (route.item, route.item_place)),
        response=parts.response(route.value, route.place),
        meta=route.value.get("_meta"),
        http=_http(route, found),
    )


def _http(route: _Route, arguments: tuple[Argument, ...]) -> HttpOperation:
    return HttpOperation(
        method=route.method,
        path=route.path,
        path_parameters=tuple(argument.name for argument in arguments if argument.location == "path"),
        query_parameters=tuple(argument.name for argument in arguments if argument.location == "query"),
    )


def _described(summary: str, description: str, operation: dict[str, Any]) -> str:
    text = description or summary
    if summary and description and not description.lower().startswith(summary.lower().rstrip(".")):
        text = f"{summary}\n\n{description}"
    return f"{text}\n\nDeprecated.".strip() if operation.get("deprecated") is True else text


OPENAPI = Format(name="OpenAPI", shape='{"openapi" or "swagger", "paths"}', recognises=_recognises, read=_read)
