"""What `tools/list` shows, and to whom."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

from autoforge.generator.emit.server_tools import hints

pytestmark = pytest.mark.anyio


async def listed(server: Any, mode: Any = "legacy") -> dict[str, Any]:
    with anyio.fail_after(20):
        async with Client(server, mode=mode) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_titles_and_meta_are_kept_and_schemas_are_objects(
    served: ModuleType, environment: Any, mode: str
) -> None:
    tools = await listed(served.build_server(environment), mode)
    assert tools["get_item"].title == "Get an item" and tools["list_items"].meta == {"team": "shop"}
    assert tools["count_items"].output_schema == {
        "type": "object",
        "properties": {"result": {"type": "integer"}},
        "required": ["result"],
    }


@pytest.mark.parametrize(
    ("name", "read_only", "destructive", "idempotent"),
    [
        ("get_item", True, False, True),
        ("add_item", False, False, True),
        ("rename_item", False, True, True),
        ("remove_item", False, True, True),
    ],
)
async def test_hints_follow_the_effects_and_the_documentation_where_it_agrees(
    served: ModuleType, environment: Any, name: str, read_only: bool, destructive: bool, idempotent: bool
) -> None:
    found = (await listed(served.build_server(environment)))[name].annotations
    assert (found.read_only_hint, found.destructive_hint, found.idempotent_hint, found.open_world_hint) == (
        read_only,
        destructive,
        idempotent,
        False,
    )


def test_a_tool_that_adds_or_sets_is_not_taken_for_idempotent() -> None:
    assert (
        hints({}, {"creates": ["t"]})["idempotentHint"]
        is hints({}, {"updates": {"t": ["c"]}})["idempotentHint"]
        is False
    )
    assert hints({"title": "T"}, {})["title"] == "T"


async def test_the_users_tools_are_hidden_from_the_agent_and_not_callable(served: ModuleType, environment: Any) -> None:
    server = served.build_server(environment)
    assert "pay" not in await listed(server)
    assert server.get_tool_input_schema("pay") is None
    async with Client(server) as client:
        with pytest.raises(MCPError, match="Unknown tool: pay"):
            await client.call_tool("pay", {"item_id": 1})


async def test_a_side_can_be_asked_for(served: ModuleType, environment: Any) -> None:
    assert set(await listed(served.build_server(environment, "user"))) == {"pay"}
    assert {"pay", "get_item"} < set(await listed(served.build_server(environment, "all")))


async def test_the_agent_is_told_the_policy_and_the_user_is_not(served: ModuleType, environment: Any) -> None:
    for side, told in (("agent", "Sell nothing on Sundays.\n"), ("user", None)):
        async with Client(served.build_server(environment, side), mode="legacy") as client:
            assert client.instructions == told
            assert client.server_info is not None and client.server_info.name == "shop"


async def test_the_list_is_one_page(served: ModuleType, environment: Any) -> None:
    async with Client(served.build_server(environment)) as client:
        with pytest.raises(MCPError, match="cursor"):
            await client.list_tools(cursor="2")


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("docs.json", "[", "docs.json cannot be read"),
        ("tools.py", "def (", "tools.py cannot be read"),
        ("docs.json", json.dumps([{"name": "other", "inputSchema": {"type": "object"}}]), "the tool 'other'"),
        ("environment.json", "nope", "environment.json cannot be read"),
    ],
)
def test_a_broken_environment_is_refused_in_one_sentence(
    served: ModuleType, shop: Path, tmp_path: Path, file: str, content: str, reason: str
) -> None:
    for one in shop.iterdir():
        if one.is_file():
            (tmp_path / one.name).write_bytes(one.read_bytes())
    (tmp_path / file).write_text(content, encoding="utf-8")
    with pytest.raises(served.BadStart, match=reason):
        served.Environment(tmp_path)
