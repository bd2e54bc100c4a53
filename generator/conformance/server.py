"""The real `server.py`, started once, spoken to over stdio.

Invariant: one process, ended before this returns; every wait has a deadline. It is started only after its text was
recognized (`server_text`) and `tools.py` has passed the static check, inherits no variable but a few harmless ones, and
is confined (`containment/serve.py`): no writing, no programs, no connections where the kernel can forbid them. Not
covered: HTTP, which is the same text in every environment.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.stdio import get_default_environment
from mcp.types import CallToolResult

from autoforge.generator.conformance.conversation import Answered, Conversation
from autoforge.generator.conformance.findings import Fault
from autoforge.generator.conformance.laboratory import Step
from autoforge.gym.llm.secrecy import scrubbed_environment
from autoforge.mcp_envs import containment

__all__ = ["check_server", "server_parameters", "speak"]

_SECONDS = 30.0
"""For starting, listing and calling; it takes about one on an idle machine."""
_PLAN_SECONDS = 600.0
"""Until the suite has found calls to make."""
_LAUNCHER = Path(containment.__file__).with_name("serve.py")
_EPISODE_META = "autoforge/episode"


def check_server(folder: Path, names: list[str], told: Future[Conversation]) -> list[Fault]:
    """Start it, list, then wait to be told what to say, and say it. Raises CancelledError where that is cancelled.

    It may be run in a thread of its own: starting and importing take a second in which the suite need not wait.
    """
    try:
        return anyio.run(_converse, folder, names, told)
    except TimeoutError:
        return [Fault(None, f"server.py did not answer within {_SECONDS:g} s")]
    except (MCPError, OSError, RuntimeError, BaseExceptionGroup) as error:
        return [Fault(None, f"server.py could not be used over stdio: {_words(error)}")]


def _words(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {str(error)[:200]}"


def server_parameters(folder: Path) -> StdioServerParameters:
    """How it is started. The folder is not on its import path: a module that lies there is nobody's."""
    server = str((folder / "server.py").resolve())
    return StdioServerParameters(
        command=sys.executable,
        args=["-P", "-B", str(_LAUNCHER), server],
        env=scrubbed_environment(get_default_environment()),
    )


async def _converse(folder: Path, names: list[str], told: Future[Conversation]) -> list[Fault]:
    faults: list[Fault] = []
    async with Client(stdio_client(server_parameters(folder))) as client:
        with anyio.fail_after(_SECONDS):
            listed = (await client.list_tools()).tools
            if sorted(tool.name for tool in listed) != sorted(names):
                faults.append(Fault(None, "tools/list does not name the documented tools of the agent"))
            faults += await _ask_for_nothing(client)
        conversation = await anyio.to_thread.run_sync(told.result, _PLAN_SECONDS)
        with anyio.fail_after(_SECONDS):
            faults += await speak(client, conversation)
    return faults


async def speak(client: Client, conversation: Conversation) -> list[Fault]:
    """Make the calls; what does not become of them what must."""
    faults: list[Fault] = []
    for fault, step in conversation.refused:
        faults += _as_error(step.tool, fault, await _call(client, step))
    for answered in conversation.good:
        faults += await _succeed(client, answered)
    return faults + await _in_two_episodes(client, conversation.writing)


async def _ask_for_nothing(client: Client) -> list[Fault]:
    try:
        await client.call_tool("no_such_tool", {})
    except MCPError:
        return []
    return [Fault(None, "an unknown tool is not a protocol error")]


async def _call(client: Client, step: Step, episode: str | None = None) -> CallToolResult:
    meta: Mapping[str, Any] | None = None if episode is None else {_EPISODE_META: episode}
    return await client.call_tool(step.tool, dict(step.arguments), meta=meta)  # type: ignore[arg-type]


async def _succeed(client: Client, answered: Answered) -> list[Fault]:
    """Make a call whose answer is known. A value that is no object comes back inside one, under `result`."""
    result = await _call(client, answered.step)
    tool, value = answered.step.tool, json.loads(json.dumps(answered.value))
    if result.is_error:
        return [Fault(tool, f"a call that succeeds in the worker does not over stdio: {_said(result)}")]
    if result.structured_content not in (value, {"result": value}):
        return [Fault(tool, f"over stdio the answer is another one than in the worker: {_said(result)}")]
    return []


async def _in_two_episodes(client: Client, step: Step | None) -> list[Fault]:
    """Make a call that tells whether it was made before, in turn in two named episodes: each has a first time."""
    if step is None:
        return []
    answers = [await _call(client, step, episode) for episode in ("left", "right", "left", "right")]
    left, right, left_again, right_again = (_said(answer, whole=True) for answer in answers)
    if left == left_again:
        return [Fault(step.tool, f"over stdio, an episode does not keep what it wrote: {left[:160]}")]
    if left != right or left_again != right_again or answers[1].is_error:
        return [Fault(step.tool, f"over stdio, a write in one episode is seen in another: {right[:160]}")]
    return []


def _as_error(name: str, what: str, result: CallToolResult) -> list[Fault]:
    if result.is_error and "Internal error" not in _said(result):
        return []
    return [Fault(name, f"{what}: it does not come back over stdio as a tool error with its reason: {_said(result)}")]


def _said(result: CallToolResult, *, whole: bool = False) -> str:
    text = str(getattr(result.content[0], "text", "")) if result.content else "(nothing)"
    return text if whole else text[:160]
