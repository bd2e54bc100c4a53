"""A part of `server.py`: the tools as `docs.json`, `environment.json` and `tools.py` have them.

Invariant: what a tool is listed with is what it does: annotations follow from its effects, and a documented one stands
only where it does not contradict them; a result that is no object is wrapped as `{"result": …}`, in the output schema
as in the answer. Not covered: running.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autoforge.mcp_envs.arguments.arguments import Arguments

SIDE_KEY = "autoforge/side"


class BadStart(Exception):
    """The environment or the command line cannot be served: one sentence."""


class Tool(NamedTuple):
    """One served tool."""

    name: str
    side: str
    function: Callable[..., Any]
    arguments: Arguments
    input_schema: dict[str, Any]
    wrapped: bool
    """Whether even an object is wrapped, because the documented output schema is not one of an object."""
    listing: dict[str, Any]
    """The tool as `tools/list` shows it."""


class Toolbox(NamedTuple):
    """Every tool of an environment, and the exception of `tools.py` that means a refusal."""

    tools: dict[str, Tool]
    refusal: type[Exception]


def load_tools(folder: Path, manifest: dict[str, Any]) -> Toolbox:
    """The tools of the environment in `folder`. Raises `BadStart`."""
    module = _load_module(folder / "tools.py")
    records = {record["name"]: record for record in manifest["tools"]}
    tools = {}
    for document in read_json(folder / "docs.json"):
        record = records.get(document["name"])
        if record is None or not hasattr(module, record["function"]):
            raise BadStart(
                f"docs.json documents the tool '{document['name']}', which environment.json or tools.py does not have"
            )
        tools[document["name"]] = _tool(document, record, getattr(module, record["function"]))
    return Toolbox(tools, module.ToolError)


def read_json(path: Path) -> Any:
    """A JSON file of the environment. Raises `BadStart`."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadStart(f"{path} cannot be read: {error}") from None


def _load_module(path: Path) -> ModuleType:
    """`tools.py`, without a byte-code file left in the environment and without a word on the protocol's stdout."""
    module = ModuleType("tools")
    module.__file__ = str(path)
    try:
        code = compile(path.read_bytes(), str(path), "exec")
    except (OSError, SyntaxError, ValueError) as error:
        raise BadStart(f"{path} cannot be read: {error}") from None
    with contextlib.redirect_stdout(sys.stderr):
        exec(code, module.__dict__)
    return module


def _tool(document: dict[str, Any], record: dict[str, Any], function: Callable[..., Any]) -> Tool:
    listing = {key: value for key, value in document.items() if value is not None}
    listing["annotations"] = hints(listing.get("annotations") or {}, record.get("effects") or {})
    output: dict[str, Any] | None = listing.get("outputSchema")
    wrapped = output is not None and output.get("type") != "object"
    if output is not None and wrapped:
        listing["outputSchema"] = _wrap(output)
    side = (document.get("_meta") or {}).get(SIDE_KEY) or record.get("side", "agent")
    arguments = Arguments(document["inputSchema"], record.get("arguments") or {})
    return Tool(document["name"], side, function, arguments, document["inputSchema"], wrapped, listing)


def _wrap(schema: dict[str, Any]) -> dict[str, Any]:
    inner = {key: value for key, value in schema.items() if key not in ("$defs", "definitions", "$schema")}
    shared = {key: value for key, value in schema.items() if key in ("$defs", "definitions", "$schema")}
    return {"type": "object", "properties": {"result": inner}, "required": ["result"], **shared}


def hints(documented: dict[str, Any], effects: dict[str, Any]) -> dict[str, Any]:
    """MCP's tool annotations. Effects decide what they can; the documentation decides the rest."""
    overwrites = bool(effects.get("updates") or effects.get("deletes"))
    reads_only = not overwrites and not effects.get("creates")
    repeatable = reads_only or not (effects.get("creates") or effects.get("updates"))
    if not reads_only and isinstance(documented.get("idempotentHint"), bool):
        repeatable = documented["idempotentHint"]
    derived = {
        "readOnlyHint": reads_only,
        "destructiveHint": overwrites,
        "idempotentHint": repeatable,
        "openWorldHint": False,
    }
    return {**documented, **derived}
