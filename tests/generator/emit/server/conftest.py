"""A small environment with a tool for each way a call can go, its `server.py` as a module, and servers in processes."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import select
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autoforge.generator.emit.server import server_py

START_SECONDS = 30
"""How long a server process may take to listen."""

TOKEN = "correct horse"

SCHEMA = """
CREATE TABLE items (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price REAL NOT NULL DEFAULT 0, tags JSON NOT NULL DEFAULT '[]'
);
CREATE TABLE autoforge_clock (now DATETIME NOT NULL);
CREATE TABLE autoforge_counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
"""
SEED = """
INSERT INTO items VALUES (1, 'lamp', 20.5, '["red"]'), (2, 'desk', 90, '[]');
INSERT INTO autoforge_clock VALUES ('2026-01-02T09:00:00');
INSERT INTO autoforge_counters VALUES ('items', 2);
"""
TOOLS = """
print("a tool module that prints")


class ToolError(Exception):
    pass


def get_item(db, *, item_id):
    row = db.one("SELECT * FROM items WHERE id = ?", item_id)
    if row is None:
        raise ToolError(f"there is no item {item_id!r}")
    return row


def list_items(db):
    return db.all("SELECT id, name FROM items ORDER BY id")


def count_items(db):
    return db.value("SELECT count(*) FROM items")


def add_item(db, *, name, price=0, tags=None, on=None, at=None, size=None):
    item_id = db.next_id("items")
    db.run("INSERT INTO items VALUES (?, ?, ?, ?)", item_id, name, price, tags or [])
    return {"item_id": item_id, "now": db.now(), "price": price, "size": size}


def rename_item(db, *, item_id, from_):
    db.run("UPDATE items SET name = ? WHERE id = ?", from_, item_id)
    return get_item(db, item_id=item_id)


def remove_item(db, *, item_id):
    db.run("DELETE FROM items WHERE id = ?", item_id)


def fail(db, *, how):
    db.run("UPDATE items SET name = 'spoiled' WHERE id = 1")
    if how == "refuse":
        raise ToolError("not on Sundays")
    if how == "exit":
        raise SystemExit(3)
    if how == "nan":
        return {"x": float("nan")}
    if how == "surrogate":
        return {"x": "\\ud800"}
    if how == "set":
        return {"x": {1}}
    if how == "sql":
        return db.value("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")
    if how == "loop":
        while True:
            pass
    if how == "commit":
        return db.run("COMMIT")
    if how == "big":
        return {"x": "y" * 300_000}
    if how == "keys":
        return {1: {None: (1, 2)}}
    raise RuntimeError("secret detail")


def pay(db, *, item_id):
    return {"paid": item_id}
"""
ITEM = {"type": "integer", "description": "The item's number."}


def tool(name: str, properties: dict[str, Any], required: list[str], **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": f"{name}.", "inputSchema": schema, **more}


DOCS = [
    tool("get_item", {"item_id": ITEM}, ["item_id"], title="Get an item", annotations={"readOnlyHint": False}),
    tool("list_items", {}, [], _meta={"team": "shop"}),
    tool("count_items", {}, [], outputSchema={"type": "integer"}),
    tool(
        "add_item",
        {
            "name": {"type": "string", "minLength": 2, "maxLength": 20},
            "price": {"type": "number", "minimum": 0},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "uniqueItems": True},
            "on": {"type": "string", "format": "date"},
            "at": {"type": "string", "format": "date-time"},
            "size": {
                "type": "object",
                "properties": {"width": {"type": "integer"}, "unit": {"enum": ["cm", "in"]}},
                "required": ["width"],
                "additionalProperties": False,
            },
        },
        ["name"],
        annotations={"destructiveHint": True, "idempotentHint": True, "title": "Add"},
    ),
    tool(
        "rename_item",
        {"item_id": ITEM, "from": {"type": "string"}},
        ["item_id", "from"],
        annotations={"idempotentHint": True},
    ),
    tool("remove_item", {"item_id": ITEM}, ["item_id"], annotations={"readOnlyHint": True, "openWorldHint": True}),
    tool("fail", {"how": {"type": "string"}}, ["how"]),
    tool("pay", {"item_id": ITEM}, ["item_id"], _meta={"autoforge/side": "user"}),
]
EFFECTS: dict[str, dict[str, Any]] = {
    "add_item": {"creates": ["items"]},
    "rename_item": {"updates": {"items": ["name"]}},
    "remove_item": {"deletes": ["items"]},
}


def record(name: str) -> dict[str, Any]:
    arguments = {"from": "from_"} if name == "rename_item" else {}
    side = "user" if name == "pay" else "agent"
    return {"name": name, "function": name, "arguments": arguments, "side": side, "effects": EFFECTS.get(name, {})}


MANIFEST = {
    "format_version": 1,
    "name": "shop",
    "title": "A shop",
    "provenance": {"docs_digest": "sha256:0123456789abcdef"},
    "tools": [record(str(one["name"])) for one in DOCS],
}


def write_environment(folder: Path) -> Path:
    """The environment's files in `folder`."""
    folder.mkdir(parents=True)
    (folder / "schema.sql").write_text(SCHEMA, encoding="utf-8")
    (folder / "seed.sql").write_text(SEED, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    (folder / "docs.json").write_text(json.dumps(DOCS), encoding="utf-8")
    (folder / "environment.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (folder / "policy.md").write_text("Sell nothing on Sundays.\n", encoding="utf-8")
    (folder / "server.py").write_text(server_py(), encoding="utf-8")
    return folder


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the environment; not to be written to."""
    return write_environment(tmp_path_factory.mktemp("environments") / "shop")


@pytest.fixture(scope="session")
def served(shop: Path) -> ModuleType:
    """The environment's `server.py`, imported as a stranger would."""
    spec = importlib.util.spec_from_file_location("shop_server", shop / "server.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def environment(served: ModuleType, shop: Path) -> Iterator[Any]:
    """A fresh `Environment` whose calls may take 0.2 s."""
    one = served.Environment(shop, seconds=0.2)
    yield one
    one.close()


class HttpServer:
    """A server process, where it listens, and what it said on stderr before that."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process = process
        self.url = url

    def stop(self) -> int:
        """End it as a service manager would; its exit status."""
        self.process.terminate()
        return self.process.wait(START_SECONDS)


def start_http(stack: contextlib.ExitStack, folder: Path, *options: str, **variables: str) -> HttpServer:
    """Start `server.py --http 0` and wait until it listens; `stack` ends it."""
    command = [sys.executable, str(folder / "server.py"), "--http", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, **variables})
    assert process.stderr is not None
    stack.callback(process.stderr.close)
    stack.callback(process.wait)
    stack.callback(process.kill)
    while True:
        assert select.select([process.stderr], [], [], START_SECONDS)[0], "the server does not listen"
        line = process.stderr.readline().decode()
        assert line, "the server ended"
        if line.startswith("serving "):
            return HttpServer(process, line.split()[1].removesuffix("/mcp"))


@pytest.fixture
def serve_http(shop: Path) -> Iterator[Callable[..., HttpServer]]:
    """Starts `server.py --http 0` with further options; every process is ended."""
    with contextlib.ExitStack() as stack:
        yield functools.partial(start_http, stack, shop)


@pytest.fixture(scope="session")
def guarded_url(shop: Path) -> Iterator[str]:
    """A server with its control route on, for tests that leave nothing behind that another one reads."""
    with contextlib.ExitStack() as stack:
        yield start_http(stack, shop, "--allowed-host", "gym.example", AUTOFORGE_CONTROL_TOKEN=TOKEN).url


@pytest.fixture
async def http_client() -> AsyncIterator[Any]:
    """One HTTP client for every connection of a test."""
    import httpx2

    async with httpx2.AsyncClient(timeout=10) as client:
        yield client
