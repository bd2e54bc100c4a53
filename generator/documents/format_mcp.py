"""MCP `tools/list`: `{name, title, description, inputSchema, outputSchema, annotations, _meta}`.

Invariant: what MCP defines is kept, the tool being one already. Not covered: its schema (`normalise`), a running
server (`server`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.documents.format import Element, Format, named_tool
from autoforge.generator.documents.raw import RawTool

__all__ = ["MCP"]

_NAME = "MCP tools/list"


def _recognises(value: dict[str, Any]) -> bool:
    return "inputSchema" in value


def _read(element: Element) -> list[RawTool]:
    return [named_tool(element, _NAME, "inputSchema")]


MCP = Format(name=_NAME, shape='{"name", "inputSchema"}', recognises=_recognises, read=_read)
