"""What a server answers, as the gym has it: contents become one text, and errors find who is to blame.

Invariant: whatever an answer holds is in the text or named in it; an error is the agent's to mend only where the call
was at fault. Not covered: making the call (`connection`).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from mcp import MCPError, types

from autoforge.gym.failures import Blame, EpisodeFailure
from autoforge.gym.servers.server import ToolResult

__all__ = ["refusal", "result_of", "unsendable"]

_MENDABLE = frozenset({types.INVALID_PARAMS, types.METHOD_NOT_FOUND, -32002})
"""Wrong arguments, an unknown tool, an unknown resource."""
_BROKEN_LINE = frozenset({types.REQUEST_TIMEOUT, types.CONNECTION_CLOSED, types.INVALID_REQUEST})
"""Codes of the SDK itself for no answer, an end of the connection, and a session that the server has forgotten."""
_HTTP_ERRORS = ("Server returned an error response", "Not Found")
"""The SDK's words for an HTTP status without MCP, such as a proxy's."""
_RESERVED = range(-32768, -31999)
"""Codes that JSON-RPC keeps to itself; others are the server's own, for its callers."""


def result_of(answer: types.CallToolResult) -> ToolResult:
    """The result of a call that was answered."""
    parts = [_shown(content) for content in answer.content]
    if not parts and answer.structured_content is not None:
        parts = [json.dumps(answer.structured_content, ensure_ascii=False, separators=(",", ":"))]
    return ToolResult("\n".join(parts), bool(answer.is_error), answer.structured_content, answer.meta or {})


def refusal(name: str, error: MCPError) -> ToolResult:
    """A protocol error as a result that the agent may mend. Raises EpisodeFailure where it cannot."""
    broken = error.code in _BROKEN_LINE or error.message in _HTTP_ERRORS
    own = error.code not in _RESERVED and error.code != 0
    if (error.code in _MENDABLE or own) and not broken:
        return ToolResult(error.message, is_error=True)
    blame: Blame = "infrastructure" if broken else "environment"
    raise EpisodeFailure(blame, "server", f"{name} gave no result: {error.message} (code {error.code})")


def unsendable(arguments: Mapping[str, Any]) -> str:
    """Why arguments cannot be sent as JSON; empty where they can."""
    try:
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return "The arguments hold half of a surrogate pair, which is no text."
    except (ValueError, TypeError, RecursionError) as error:
        return f"The arguments are not JSON: {error}"
    return ""


def _shown(content: types.ContentBlock) -> str:
    if isinstance(content, types.TextContent):
        return content.text
    if isinstance(content, types.ImageContent | types.AudioContent):
        return f"[{content.type} {content.mime_type}, {_size(content.data)} bytes]"
    if isinstance(content, types.ResourceLink):
        return f"[resource {content.uri}, {content.name}]"
    resource = content.resource
    if isinstance(resource, types.TextResourceContents):
        return resource.text
    return f"[resource {resource.uri}, {resource.mime_type or 'no type'}, {_size(resource.blob)} bytes]"


def _size(data: str) -> int:
    try:
        return len(base64.b64decode(data))
    except binascii.Error:
        return len(data)
