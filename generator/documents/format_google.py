"""Google function declarations.

A list under `functionDeclarations`, or single ones with upper-case types or `parametersJsonSchema`.

Invariant: upper-case types mean what those of JSON Schema do. Not covered: its schema (`normalise`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autoforge.generator.documents.format import Element, Format, named_tool, objects_in
from autoforge.generator.documents.raw import RawTool

__all__ = ["GOOGLE"]

_NAME = "Google function declarations"
_LISTS = ("functionDeclarations", "function_declarations")
_SCHEMAS = ("parameters", "parametersJsonSchema", "parameters_json_schema")
_TYPES = ("OBJECT", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "TYPE_UNSPECIFIED")


def _recognises(value: dict[str, Any]) -> bool:
    if any(isinstance(value.get(key), list) for key in _LISTS):
        return True
    parameters = value.get("parameters")
    upper = isinstance(parameters, dict) and parameters.get("type") in _TYPES
    return "name" in value and (upper or any(key in value for key in _SCHEMAS[1:]))


def _read(element: Element) -> Iterator[RawTool]:
    lists = [key for key in _LISTS if isinstance(element.value.get(key), list)]
    if not lists:
        yield _declaration(element)
    for key in lists:
        for value, place in objects_in(element.value[key], element.place / key):
            yield _declaration(Element(value, place, element.document, element.notes))


def _declaration(element: Element) -> RawTool:
    key = next((key for key in _SCHEMAS if key in element.value), "parameters")
    return named_tool(element, _NAME, key)


GOOGLE = Format(name=_NAME, shape='{"functionDeclarations": […]}', recognises=_recognises, read=_read)
