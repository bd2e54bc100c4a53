"""An MCP server on stdio without the SDK, with one thing wrong on demand.

By hand: `python odd_server.py [FAULT] [FILE]`; `FAULTS` lists what may be wrong, `FILE` is what sessions may share.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

FAULTS = ("none", "chance", "shared", "child", "schema", "names", "silent", "unannotated")
FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
NOTES: list[str] = []
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
NUMBER = {"type": "object", "properties": {"number": {"type": "integer", "minimum": 1}}}


def document(name: str, schema: dict[str, Any], reads: bool) -> dict[str, Any]:
    hints = {} if FAULT == "unannotated" else {"annotations": {"readOnlyHint": reads}}
    return {"name": name, "description": f"{name}.", "inputSchema": schema, **hints}


def tools() -> list[dict[str, Any]]:
    bad = {"type": "object", "properties": {"text": {"type": "word"}}, "required": ["txt"]}
    listed = [
        document("list_notes", NUMBER, True),
        document("add_note", bad if FAULT == "schema" else TEXT, False),
    ]
    return [*listed, listed[0]] if FAULT == "names" else listed


def notes() -> list[str]:
    return list(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))) if FAULT == "shared" else NOTES


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    known = notes()
    if name == "add_note":
        known.append(arguments["text"])
        if FAULT == "shared":
            Path(sys.argv[2]).write_text(json.dumps(known), encoding="utf-8")
    told = f"{len(known)} notes"
    if FAULT == "chance":
        told += f", {os.getpid()}"
    return {"content": [{"type": "text", "text": told}]}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        info = {"name": "odd", "version": "1"}
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
    return {"tools": tools()} if method == "tools/list" else call(params["name"], params.get("arguments") or {})


if __name__ == "__main__":
    if FAULT == "child":
        subprocess.Popen(
            ["sleep", "600"], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and not (FAULT == "silent" and message["method"] == "tools/call"):
            result = answer(message["method"], message.get("params") or {})
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
