"""The real `server.py`, started once, spoken to over stdio.

Invariant: one process, ended before this returns; every wait has a deadline. The process is not contained: it is started only after
`tools.py` has passed the static check and every call of the suite. Not covered: HTTP, which is the same text in every environment.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import anyio
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.types import CallToolResult

from autoforge.generator.conformance.findings import Findings
from autoforge.generator.conformance.probe import Evidence
from autoforge.generator.conformance.subject import Subject, Tool

__all__ = ["check_server"]

_SECONDS = 20.0
"""For the whole conversation; it takes about one."""


class _Plan(NamedTuple):
    """What is asked of the server."""

    names: list[str]
    invalid: Tool | None
    good: tuple[Tool, Mapping[str, Any]] | None
    refused: tuple[Tool, Mapping[str, Any]] | None


def check_server(subject: Subject, evidence: Evidence, findings: Findings) -> None:
    """Start it, list, call rightly and wrongly; note what does not hold."""
    if not (subject.folder / "server.py").is_file():
        findings.notes.append("server: there is no server.py")
        return
    try:
        anyio.run(_converse, subject, _plan(subject, evidence, findings), findings)
    except TimeoutError:
        findings.notes.append(f"server: server.py did not answer within {_SECONDS:g} s")
    except (MCPError, OSError, RuntimeError, ExceptionGroup) as error:
        findings.notes.append(f"server: server.py could not be used over stdio: {_words(error)}")


def _words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {str(error)[:200]}"


def _plan(subject: Subject, evidence: Evidence, findings: Findings) -> _Plan:
    agents = [tool for tool in subject.tools if tool.record.side == "agent"]
    good = [(t, w.arguments) for t in agents for w in evidence.witnesses[t.name][:1] if not w.place.path and not findings.checks(t.name)]
    refused = [(t, a) for t in agents for a in evidence.refused[t.name][:1]]
    return _Plan([tool.name for tool in agents], next(iter(agents), None), next(iter(good), None), next(iter(refused), None))


async def _converse(subject: Subject, plan: _Plan, findings: Findings) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=["-B", str(subject.folder / "server.py")])
    with anyio.fail_after(_SECONDS):
        async with Client(stdio_client(parameters)) as client:
            listed = (await client.list_tools()).tools
            if sorted(tool.name for tool in listed) != sorted(plan.names):
                findings.notes.append("server: tools/list does not name the documented tools of the agent")
            await _call(client, findings, plan)
            try:
                await client.call_tool("no_such_tool", {})
            except MCPError:
                pass
            else:
                findings.notes.append("server: an unknown tool is not a protocol error")


async def _call(client: Client, findings: Findings, plan: _Plan) -> None:
    if plan.good is not None:
        tool, arguments = plan.good
        result = await client.call_tool(tool.name, dict(arguments))
        if not isinstance(result, CallToolResult) or result.is_error:
            findings.add(tool.name, "server", f"a call that succeeds in the worker does not over stdio: {_said(result)}")
    for tried, what in ((plan.refused, "a refusal"), (None if plan.invalid is None else (plan.invalid, {"no_such_parameter": 1}), "a wrong name")):
        if tried is not None:
            result = await client.call_tool(tried[0].name, dict(tried[1]))
            if not isinstance(result, CallToolResult) or not result.is_error or "Internal" in _said(result):
                findings.add(tried[0].name, "server", f"{what} does not come back over stdio as a tool error with its reason: {_said(result)}")


def _said(result: Any) -> str:
    content = getattr(result, "content", [])
    return str(getattr(content[0], "text", ""))[:160] if content else "(nothing)"
