"""Classes of tools: `{class_name, tools: [{name, description, input_schema, output_schema}]}`.

The class is the group.

Invariant: the class is the group of each of its tools. Not covered: its schema (`normalise`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autoforge.generator.documents.format import Element, Format, named_tool, objects_in
from autoforge.generator.documents.raw import RawTool

__all__ = ["TOOL_CLASS"]

_NAME = "tool class"


def _recognises(value: dict[str, Any]) -> bool:
    return isinstance(value.get("class_name"), str) and isinstance(value.get("tools"), list)


def _read(element: Element) -> Iterator[RawTool]:
    group = element.value["class_name"]
    for value, place in objects_in(element.value["tools"], element.place / "tools"):
        key = next((key for key in ("input_schema", "inputSchema", "parameters") if key in value), "input_schema")
        yield named_tool(Element(value, place, element.document, element.notes), _NAME, key, group)


TOOL_CLASS = Format(name=_NAME, shape='{"class_name", "tools": […]}', recognises=_recognises, read=_read)
