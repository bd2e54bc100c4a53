"""The MCP client side of `read_server`: one connection, all pages of `tools/list`, and which failures are the server's.

Invariant: one task owns the connection, and every await of it has a deadline. Not covered: starting a server
(`transport`).
"""

from __future__ import annotations

from typing import Any, TextIO

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from pydantic import ValidationError

__all__ = ["FAILURES", "list_tools"]

MAXIMUM_PAGES = 1_000
"""Pages of `tools/list`; a server that gives more repeats itself."""

FAILURES = (
    OSError,
    MCPError,
    ValidationError,
    RuntimeError,
    ValueError,
    httpx2.HTTPError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
)
"""What the SDK raises where a server cannot be started or reached, or answers what is no MCP."""


async def list_tools(target: str | list[str], log: TextIO) -> dict[str, Any]:
    """Connect to an address or start a command, and give its `tools/list` result as JSON, with `serverInfo` and
    `instructions`.

    The server's stderr goes to `log`: its last line explains a failure, and an unread pipe could block it.
    """
    if isinstance(target, str):
        client = Client(target)
    else:
        client = Client(stdio_client(StdioServerParameters(command=target[0], args=target[1:]), errlog=log))
    async with client:
        info = client.server_info
        return {
            "serverInfo": {"name": info.name, "title": info.title} if info else {},
            "instructions": client.instructions,
            "tools": await _pages(client),
        }


async def _pages(client: Client) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = []
    seen: set[str] = set()
    cursor: str | None = None
    for _ in range(MAXIMUM_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools.extend(tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools)
        cursor = page.next_cursor
        if not cursor or cursor in seen:
            break
        seen.add(cursor)
    return tools
