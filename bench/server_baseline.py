"""What `bench/server.py` compares a generated server with: servers a person would write by hand on the same SDK.

    python bench/server_baseline.py empty                  no tool at all: the least that a server takes to start
    python bench/server_baseline.py noop                   one tool that does nothing
    python bench/server_baseline.py sql PLAN.json          one tool that runs the statements of a recorded call in a
    transaction

Each serves stdio, or HTTP with `--http PORT`. Invariant: nothing here knows of episodes, schemas or containment.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}


def noop_server() -> Server[Any]:
    """One tool, `noop`, that answers `ok`."""
    tools = [types.Tool(name="noop", description="Does nothing.", input_schema=SCHEMA)]

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(ctx: Any, params: Any) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(text="ok")])

    return Server("noop", on_list_tools=list_tools, on_call_tool=call_tool, get_tool_input_schema=lambda name: SCHEMA)


def sql_server(plan: dict[str, Any]) -> Server[Any]:
    """One tool, `call`, that runs the plan's statements on a database in memory and answers the plan's result.

    `plan` is {"script": SQL, "statements": [[sql, [values]], …], "result": JSON}.
    """
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.row_factory = sqlite3.Row
    database.executescript(plan["script"])
    tools = [types.Tool(name="call", description="Runs some SQL.", input_schema=SCHEMA)]

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(ctx: Any, params: Any) -> types.CallToolResult:
        database.execute("BEGIN")
        for statement, values in plan["statements"]:
            [dict(row) for row in database.execute(statement, values)]
        database.execute("COMMIT")
        content: list[types.ContentBlock] = [types.TextContent(text=json.dumps(plan["result"]))]
        return types.CallToolResult(content=content, structured_content=plan["result"])

    return Server("sql", on_list_tools=list_tools, on_call_tool=call_tool, get_tool_input_schema=lambda name: SCHEMA)


async def serve_stdio(server: Server[Any]) -> None:
    """Serve until the input ends."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main(arguments: list[str]) -> None:
    """Serve the named baseline."""
    if arguments[0] == "sql":
        server = sql_server(json.loads(Path(arguments[1]).read_text(encoding="utf-8")))
    else:
        server = noop_server() if arguments[0] == "noop" else Server("empty")
    if "--http" not in arguments:
        anyio.run(serve_stdio, server)
        return
    import uvicorn

    port = int(arguments[arguments.index("--http") + 1])
    uvicorn.run(
        server.streamable_http_app(json_response=True), port=port, http="h11", log_level="warning", access_log=False
    )


if __name__ == "__main__":
    main(sys.argv[1:])
