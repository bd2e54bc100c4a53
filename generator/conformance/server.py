"""The real `server.py`, started once, spoken to over stdio.

Invariant: one process, ended before this returns; every wait has a deadline. The process is not contained: it is
started only after `tools.py` has passed the static check and loaded in a contained worker. Not covered: HTTP, which is
the same text in every environment.
"""

from __future__ import annotations

import sys
from concurrent.futures import Future
from pathlib import Path

import anyio
import anyio.to_thread
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.types import CallToolResult

from autoforge.generator.conformance.findings import Fault, Plan

__all__ = ["check_server"]

_SECONDS = 30.0
"""For starting, listing and calling; it takes about one on an idle machine."""
_PLAN_SECONDS = 600.0
"""Until the suite has found calls to make."""


def check_server(folder: Path, names: list[str], plan: Future[Plan]) -> list[Fault]:
    """Start it, list, call wrongly, then wait for the plan and call rightly. Raises CancelledError where the plan is
    cancelled.

    It may be run in a thread of its own: starting and importing take a second in which the suite need not wait.
    """
    if not (folder / "server.py").is_file():
        return [Fault(None, "there is no server.py")]
    try:
        return anyio.run(_converse, folder, names, plan)
    except TimeoutError:
        return [Fault(None, f"server.py did not answer within {_SECONDS:g} s")]
    except (MCPError, OSError, RuntimeError, BaseExceptionGroup) as error:
        return [Fault(None, f"server.py could not be used over stdio: {_words(error)}")]


def _words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {str(error)[:200]}"


async def _converse(folder: Path, names: list[str], plan: Future[Plan]) -> list[Fault]:
    faults: list[Fault] = []
    parameters = StdioServerParameters(command=sys.executable, args=["-B", str((folder / "server.py").resolve())])
    async with Client(stdio_client(parameters)) as client:
        with anyio.fail_after(_SECONDS):
            listed = (await client.list_tools()).tools
            if sorted(tool.name for tool in listed) != sorted(names):
                faults.append(Fault(None, "tools/list does not name the documented tools of the agent"))
            faults += await _refuse(client, names)
        chosen = await anyio.to_thread.run_sync(plan.result, _PLAN_SECONDS)
        with anyio.fail_after(_SECONDS):
            faults += await _call(client, chosen)
    return faults


async def _refuse(client: Client, names: list[str]) -> list[Fault]:
    faults: list[Fault] = []
    try:
        await client.call_tool("no_such_tool", {})
    except MCPError:
        pass
    else:
        faults.append(Fault(None, "an unknown tool is not a protocol error"))
    for name in names[:1]:
        faults += _as_error(name, "an unknown parameter", await client.call_tool(name, {"no_such_parameter": 1}))
    return faults


async def _call(client: Client, plan: Plan) -> list[Fault]:
    faults: list[Fault] = []
    if plan.refused is not None:
        name, arguments = plan.refused
        faults += _as_error(name, "a refusal", await client.call_tool(name, dict(arguments)))
    if plan.good is not None:
        name, arguments = plan.good
        result = await client.call_tool(name, dict(arguments))
        if not isinstance(result, CallToolResult) or result.is_error:
            faults.append(Fault(name, f"a call that succeeds in the worker does not over stdio: {_said(result)}"))
    return faults


def _as_error(name: str, what: str, result: object) -> list[Fault]:
    if isinstance(result, CallToolResult) and result.is_error and "Internal error" not in _said(result):
        return []
    return [Fault(name, f"{what} does not come back over stdio as a tool error with its reason: {_said(result)}")]


def _said(result: object) -> str:
    content = result.content if isinstance(result, CallToolResult) else []
    return str(getattr(content[0], "text", ""))[:160] if content else "(nothing)"
