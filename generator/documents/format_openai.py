"""OpenAI functions: bare, wrapped as `{type: function, function: {…}}`, or flat as in the Responses interface.

Invariant: the three wordings give the same tool. Not covered: its schema (`normalise`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.documents.format import Element, Format, named_tool
from autoforge.generator.documents.raw import RawTool

__all__ = ["OPENAI_FUNCTIONS", "OPENAI_RESPONSES", "OPENAI_TOOLS"]


def _is_wrapped(value: dict[str, Any]) -> bool:
    return isinstance(value.get("function"), dict)


def _is_flat(value: dict[str, Any]) -> bool:
    return value.get("type") == "function" and "function" not in value


def _is_function(value: dict[str, Any]) -> bool:
    if "parameters" in value and ("name" in value or "description" in value):
        return True
    return "name" in value and isinstance(value.get("description", ""), str) and not value.keys() - _PLAIN


_PLAIN = {"name", "description", "strict", "title", "annotations", "_meta"}


def _read_wrapped(element: Element) -> list[RawTool]:
    inner = Element(element.value["function"], element.place / "function", element.document, element.notes)
    return [named_tool(inner, OPENAI_TOOLS.name, "parameters")]


def _read_flat(element: Element) -> list[RawTool]:
    return [named_tool(element, OPENAI_RESPONSES.name, "parameters")]


def _read_function(element: Element) -> list[RawTool]:
    return [named_tool(element, OPENAI_FUNCTIONS.name, "parameters")]


OPENAI_TOOLS = Format(
    name="OpenAI tools", shape='{"type": "function", "function": {…}}', recognises=_is_wrapped, read=_read_wrapped
)
OPENAI_RESPONSES = Format(
    name="OpenAI Responses tools",
    shape='{"type": "function", "name", "parameters"}',
    recognises=_is_flat,
    read=_read_flat,
)
OPENAI_FUNCTIONS = Format(
    name="OpenAI functions", shape='{"name", "parameters"}', recognises=_is_function, read=_read_function
)
