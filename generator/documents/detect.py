"""Which format each object of a document is in.

Lists are read element by element, so mixed lists work; wrappers such as `{"tools": […]}` are opened. The formats are
tried in the order of `FORMATS`, the most telling first. Adding a format: a file with a `Format`, and a line here.

Invariant: an object is of at most one format, the same one wherever it stands. Not covered: what a format means
(`format_*`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from autoforge.generator.documents.format import Element, Format
from autoforge.generator.documents.format_anthropic import ANTHROPIC
from autoforge.generator.documents.format_bfcl import BFCL
from autoforge.generator.documents.format_google import GOOGLE
from autoforge.generator.documents.format_mcp import MCP
from autoforge.generator.documents.format_openai import OPENAI_FUNCTIONS, OPENAI_RESPONSES, OPENAI_TOOLS
from autoforge.generator.documents.format_openapi import OPENAPI
from autoforge.generator.documents.format_rapidapi import RAPIDAPI
from autoforge.generator.documents.format_tool_class import TOOL_CLASS
from autoforge.generator.documents.raw import Notes, Place, RawTool
from autoforge.generator.documents.text import clean

__all__ = ["FORMATS", "Heading", "heading_of", "raw_tools"]

FORMATS: tuple[Format, ...] = (
    OPENAPI,
    RAPIDAPI,
    TOOL_CLASS,
    GOOGLE,
    MCP,
    ANTHROPIC,
    OPENAI_TOOLS,
    OPENAI_RESPONSES,
    BFCL,
    OPENAI_FUNCTIONS,
)

_WRAPPERS = ("tools", "functions", "function", "result", "data", "items", "apis", "tool_list", "actions")


class Heading(NamedTuple):
    """What a document says about itself."""

    title: str | None
    description: str


def raw_tools(document: Any, source: str, notes: Notes) -> Iterator[RawTool]:
    """All tools of a document, in its order. Raises `BadInput` where an object is of no known shape."""
    yield from _tools(Element({}, Place(source), document, notes), document, Place(source))


def _tools(context: Element, value: Any, place: Place) -> Iterator[RawTool]:
    if isinstance(value, list):
        for index, child in enumerate(value):
            yield from _tools(context, child, place / index)
    elif isinstance(value, dict):
        yield from _object(context, value, place)
    else:
        place.refuse(f"is no object; tools are described as objects: {_shapes()}")


def _object(context: Element, value: dict[str, Any], place: Place) -> Iterator[RawTool]:
    for known in FORMATS:
        if known.recognises(value):
            yield from known.read(Element(value, place, context.document, context.notes))
            return
    if "jsonrpc" in value and isinstance(value.get("error"), dict):
        place.refuse("is an error answer of a server and holds no tools; ask it again for tools/list")
    if (
        isinstance(value.get("type"), str)
        and value["type"] != "function"
        and not value.keys() & {"properties", "tools", "functions"}
    ):
        context.notes.add(
            place,
            f"the built-in tool {value.get('name', value['type'])!r} has no documented arguments and was left out",
        )
        return
    wrapped = [key for key in _WRAPPERS if isinstance(value.get(key), list | dict)]
    if not wrapped:
        place.refuse(f"is of no known shape; known are {_shapes()}")
    if value.get("nextCursor"):
        context.notes.add(place, "the list of tools goes on at nextCursor; only this page was read")
    for key in wrapped:
        yield from _tools(context, value[key], place / key)


def _shapes() -> str:
    return ", ".join(f"{known.name} {known.shape}" for known in FORMATS)


def heading_of(document: Any) -> Heading:
    """Title and description of a document:

    OpenAPI's `info`, MCP's `serverInfo` and `instructions`, or its own `title`.
    """
    value = (
        document.get("result") if isinstance(document, dict) and isinstance(document.get("result"), dict) else document
    )
    if not isinstance(value, dict):
        return Heading(None, "")
    about = next((value[key] for key in ("info", "serverInfo") if isinstance(value.get(key), dict)), value)
    title = clean(about.get("title")) or (clean(about.get("name")) if about is not value else "")
    prose = [clean(about.get("summary")), clean(about.get("description")), clean(value.get("instructions"))]
    return Heading(title or None, "\n\n".join(text for text in dict.fromkeys(prose) if text))
