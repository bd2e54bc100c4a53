"""What reading tool documentation gives: one `ToolDocument` per tool, in one `Documentation`.

Invariant: schemas are inlined draft 2020-12, need nothing outside themselves and are shared by no two tools; names are
legal MCP names and unique. Not covered: how a format is recognised (`detect`) and how a schema is mended (`normalise`).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = ["Documentation", "FormatCount", "HttpOperation", "ToolDocument"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FormatCount(NamedTuple):
    """How many tools one source gave in one format."""

    source: str
    format: str
    tools: int


class HttpOperation(_Model):
    """The HTTP side of a tool that was documented as an operation; parameters are named as in `input_schema`."""

    method: str
    """Upper case."""
    path: str
    path_parameters: tuple[str, ...] = ()
    query_parameters: tuple[str, ...] = ()
    body_title: str | None = None
    """Name of the schema whose properties became arguments: evidence of the entity that the tool writes."""


class ToolDocument(_Model):
    """One documented tool."""

    name: str
    """`^[A-Za-z0-9_.-]{1,128}$`, unique in its documentation."""
    original_name: str
    title: str | None = None
    description: str = ""
    input_schema: dict[str, Any]
    """Exactly `type`, `properties`, `required` and `additionalProperties: false`."""
    output_schema: dict[str, Any] | None = None
    """An object; other results are wrapped as `{"result": …}`."""
    annotations: dict[str, JsonValue] = {}
    meta: dict[str, JsonValue] = {}
    """The `_meta` of the documentation, such as `{"autoforge/side": "user"}`."""
    format: str
    source: str
    """File as given, `#`, JSON pointer."""
    http: HttpOperation | None = None
    group: str | None = None
    """The class, API or collection that the tool was listed under."""
    examples: tuple[JsonValue, ...] = ()
    """Calls that the documentation shows, as argument objects."""

    def to_mcp(self) -> dict[str, Any]:
        """The JSON-ready MCP `Tool` object; keys without content are left out."""
        tool: dict[str, Any] = {"name": self.name}
        if self.title:
            tool["title"] = self.title
        tool["description"] = self.description
        tool["inputSchema"] = self.input_schema
        if self.output_schema is not None:
            tool["outputSchema"] = self.output_schema
        if self.annotations:
            tool["annotations"] = self.annotations
        if self.meta:
            tool["_meta"] = self.meta
        # A copy through JSON: a caller may change what it gets.
        copied: dict[str, Any] = json.loads(json.dumps(tool, ensure_ascii=False, allow_nan=False))
        return copied


class Documentation(_Model):
    """All tools of the sources that were read together."""

    title: str | None = None
    description: str = ""
    tools: tuple[ToolDocument, ...]
    formats: tuple[FormatCount, ...] = ()
    renamed: dict[str, str] = {}
    """New name to the documented one."""
    notes: tuple[str, ...] = ()
    """Everything that was inferred or mended, as sentences."""
    digest: str = ""
    """SHA-256 of the normalised tools, in order; the same for the same tools in another format or file."""

    def to_mcp(self) -> list[dict[str, Any]]:
        """What `docs.json` of an environment holds: JSON-ready MCP `Tool` objects."""
        return [tool.to_mcp() for tool in self.tools]


def digest_of(tools: tuple[ToolDocument, ...]) -> str:
    """SHA-256 over the canonical JSON of the tools, as hexadecimal digits."""
    text = json.dumps([tool.to_mcp() for tool in tools], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
