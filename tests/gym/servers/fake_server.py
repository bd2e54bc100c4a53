"""An MCP server on stdio without the SDK, which starts in no time and misbehaves on demand.

By hand: `python fake_server.py [--silent | --exit | --modern | --stubborn]`; the tool `misbehave` does the rest.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

OBJECT = {"type": "object"}
PNG = "iVBORw0KGgo="
NOTES: list[dict[str, Any]] = []
PAGES = {
    None: (["add_note", "list_notes", "drop_note"], "more"),
    "more": (["where", "misbehave", "write"], "last"),
    "last": (["clock", "pay"], None),
}


class Refused(Exception):
    """A protocol error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


def add_note(arguments: dict[str, Any]) -> dict[str, Any]:
    note = {"id": len(NOTES) + 1, "text": arguments["text"], "tags": arguments.get("tags", [])}
    NOTES.append(note)
    return text(f"note {note['id']}", structuredContent=note)


def list_notes(arguments: dict[str, Any]) -> dict[str, Any]:
    return text(json.dumps(NOTES), structuredContent={"notes": NOTES})


def drop_note(arguments: dict[str, Any]) -> dict[str, Any]:
    NOTES[:] = [note for note in NOTES if note["id"] != arguments["id"]]
    return text("dropped")


def where(arguments: dict[str, Any]) -> dict[str, Any]:
    told = {"folder": os.getcwd(), "arguments": sys.argv[1:], "process": os.getpid(), "environment": dict(os.environ)}
    return text(json.dumps(told), structuredContent=told)


def clock(arguments: dict[str, Any]) -> dict[str, Any]:
    return text(str(time.time_ns()))


def write(arguments: dict[str, Any]) -> dict[str, Any]:
    with open(arguments["path"], "w", encoding="utf-8") as file:
        file.write("something")
    return text("written")


def misbehave(arguments: dict[str, Any]) -> dict[str, Any] | None:
    how = arguments["how"]
    if how == "die":
        print("the disk of the server is full", file=sys.stderr, flush=True)
        os._exit(3)
    if how == "hang":
        return None
    if how == "child":
        child = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return text(str(child.pid))
    if how == "refuse":
        return text("not on Sundays", isError=True)
    if how == "garbage":
        return {"content": "no list"}
    if how == "mixed":
        link = {"type": "resource_link", "uri": "file:///a", "name": "a"}
        words = {"type": "resource", "resource": {"uri": "file:///b", "text": "inside"}}
        blob = {"type": "resource", "resource": {"uri": "file:///c", "blob": PNG}}
        picture = {"type": "image", "mimeType": "image/png", "data": PNG}
        return {"content": [{"type": "text", "text": "look:"}, picture, link, words, blob]}
    if how == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe no line of the protocol\n")
        return text("still here")
    raise Refused(int(how), "as you wished")


TOOLS = {f.__name__: f for f in (add_note, list_notes, drop_note, where, clock, write, misbehave)} | {"pay": list_notes}


def document(name: str) -> dict[str, Any]:
    side = {"_meta": {"autoforge/side": "user"}} if name == "pay" else {}
    hints = {"annotations": {"readOnlyHint": False}} if name == "write" else {}
    return {"name": name, "description": f"{name}.", "inputSchema": OBJECT, **side, **hints}


def answer(method: str, params: dict[str, Any], modern: bool) -> dict[str, Any] | None:
    if method == "initialize":
        if modern:
            raise Refused(-32601, "Method not found")
        info = {"name": "fake", "version": "1"}
        return {
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info,
            "instructions": "Write everything down.",
        }  # fmt: skip
    if method == "server/discover" and modern:
        return {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
    if method == "tools/list":
        names, cursor = PAGES[params.get("cursor")]
        return {"tools": list(map(document, names)), **({"nextCursor": cursor} if cursor else {})}
    if method == "tools/call":
        if params["name"] not in TOOLS:
            raise Refused(-32602, f"Unknown tool: {params['name']}")
        return TOOLS[params["name"]](params.get("arguments") or {})
    raise Refused(-32601, f"Method not found: {method}")


def serve(modern: bool) -> None:
    extra = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if modern else {}
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            result = answer(message["method"], message.get("params") or {}, modern)
            if result is None:
                continue
            reply["result"] = result | extra
        except Refused as refused:
            reply["error"] = {"code": refused.code, "message": str(refused)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    if "--exit" in sys.argv:
        sys.exit("no licence was found")
    if "--stubborn" in sys.argv:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "--silent" in sys.argv:
        sys.stdin.read()
    serve("--modern" in sys.argv)
    if "--stubborn" in sys.argv:
        signal.pause()
