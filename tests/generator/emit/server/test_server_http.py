"""`server.py --http`: episodes by path and header, the control route, the user's endpoint, hostile requests."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

pytestmark = pytest.mark.anyio
Serve = Callable[..., Any]
TOKEN = "correct horse"  # as conftest has it
SQLITE = {"content-type": "application/vnd.sqlite3"}


def episode_meta(name: Any) -> Any:
    return {"autoforge/episode": name}


@asynccontextmanager
async def connected(url: str, http: Any, mode: Any = "legacy") -> AsyncIterator[Client]:
    with anyio.fail_after(30):
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            yield client


async def count(client: Client) -> int:
    result = await client.call_tool("count_items", {})
    assert result.structured_content is not None
    return int(result.structured_content["result"])


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
async def test_two_sessions_at_once_are_apart_by_path_and_header(
    serve_http: Serve, http_client: Any, mode: str
) -> None:
    import httpx2

    url = serve_http().url
    async with (
        httpx2.AsyncClient(headers={"x-autoforge-episode": "c"}) as other,
        connected(f"{url}/episodes/a/mcp", http_client, mode) as one,
        connected(f"{url}/episodes/b/mcp", http_client, mode) as two,
        connected(f"{url}/mcp", other, mode) as three,
        connected(f"{url}/mcp", http_client, mode) as plain,
    ):
        await one.call_tool("add_item", {"name": "box"})
        await one.call_tool("add_item", {"name": "crate"}, meta=episode_meta("b"))  # the path wins
        await three.call_tool("add_item", {"name": "box"})
        assert [await count(client) for client in (one, two, three, plain)] == [4, 2, 3, 2]


async def test_a_session_may_not_carry_its_state_to_another_episodes_path(serve_http: Serve, http_client: Any) -> None:
    url = serve_http().url
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    initialize = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    first = await http_client.post(
        f"{url}/episodes/a/mcp",
        headers=headers,
        json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize},
    )
    headers |= {"mcp-session-id": first.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "add_item", "arguments": {"name": "box"}},
    }
    assert (await http_client.post(f"{url}/episodes/a/mcp", headers=headers, json=call)).json()["result"][
        "isError"
    ] is False
    call["params"] = {"name": "count_items"}
    assert (await http_client.post(f"{url}/episodes/b/mcp", headers=headers, json=call)).json()["result"][
        "structuredContent"
    ] == {"result": 2}


@pytest.mark.parametrize("name", ["..%2Fx", "%2e%2e", ".%2e", "x" * 65, "%C3%A9", "a%20b", "a%00", "a%0A"])
async def test_a_hostile_name_in_the_path_is_refused_by_http(guarded_url: str, http_client: Any, name: str) -> None:
    bearer = {"authorization": f"Bearer {TOKEN}"}
    assert (await http_client.post(f"{guarded_url}/episodes/{name}/mcp", json={})).status_code in (400, 404)
    assert (await http_client.put(f"{guarded_url}/episodes/{name}", headers=bearer)).status_code in (400, 404)


async def test_a_bad_name_in_the_header_is_a_protocol_error(serve_http: Serve) -> None:
    import httpx2

    async with (
        httpx2.AsyncClient(headers={"x-autoforge-episode": "../x"}) as http,
        connected(f"{serve_http().url}/mcp", http) as client,
    ):
        with pytest.raises(MCPError, match="An episode is named by"):
            await client.call_tool("count_items", {})


async def test_a_foreign_host_or_origin_is_refused_on_every_route(guarded_url: str, http_client: Any) -> None:
    bearer = {"authorization": f"Bearer {TOKEN}"}
    for path in ("/mcp", "/episodes/a/mcp", "/episodes/a"):
        method = "PUT" if path.endswith("/a") else "POST"
        for bad, status in (({"host": "evil.example"}, 421), ({"origin": "http://evil.example"}, 403)):
            headers = {**bearer, **bad, "accept": "application/json, text/event-stream"}
            assert (
                await http_client.request(method, guarded_url + path, headers=headers, json={})
            ).status_code == status
    good = await http_client.put(f"{guarded_url}/episodes/a", headers={**bearer, "host": "gym.example:80"})
    assert good.status_code == 204


async def test_the_control_route_puts_gets_and_deletes_states(
    serve_http: Serve, http_client: Any, tmp_path: Path
) -> None:
    server = serve_http("--control-token-env", "SECRET", "--max-episodes", "2", SECRET=TOKEN)
    http_client.headers["authorization"] = f"Bearer {TOKEN}"
    one, two = f"{server.url}/episodes/one", f"{server.url}/episodes/two"
    assert (await http_client.get(one)).status_code == 404
    assert (
        await http_client.put(one, json={"initial": ["UPDATE items SET name = 'torch' WHERE id = 1"]})
    ).status_code == 204
    found = await http_client.get(one)
    assert found.headers["content-type"] == SQLITE["content-type"]
    (tmp_path / "one.sqlite").write_bytes(found.content)
    with closing(sqlite3.connect(tmp_path / "one.sqlite")) as connection:
        assert connection.execute("SELECT name FROM items WHERE id = 1").fetchone() == ("torch",)
    assert (await http_client.put(two, content=found.content, headers=SQLITE)).status_code == 204
    async with connected(f"{two}/mcp", http_client) as client:
        item = await client.call_tool("get_item", {"item_id": 1})
        assert item.structured_content is not None and item.structured_content["name"] == "torch"
    assert (await http_client.put(f"{server.url}/episodes/three")).status_code == 503
    assert (await http_client.delete(one)).status_code == 204
    assert (await http_client.get(one)).status_code == 404
    assert (await http_client.put(two)).status_code == 204
    assert (await http_client.get(two)).content != found.content


@pytest.mark.parametrize(
    ("body", "headers", "reason"),
    [
        (b"{", {}, "the body is to be empty"),
        (b'{"initial": "DELETE FROM items"}', {}, "the body is to be empty"),
        (b'{"initial": [1]}', {}, "the body is to be empty"),
        (b'{"initial": ["DELETE FROM nowhere"]}', {}, "initial statement 1: no such table"),
        (b"not SQLite", SQLITE, "not a SQLite file"),
    ],
)
async def test_a_bad_state_is_refused_with_a_reason(
    guarded_url: str, http_client: Any, body: bytes, headers: dict[str, str], reason: str
) -> None:
    answer = await http_client.put(
        f"{guarded_url}/episodes/a", content=body, headers={**headers, "authorization": f"Bearer {TOKEN}"}
    )
    assert answer.status_code == 400 and reason in answer.json()["error"]


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN, "Bearer \xe9"]
)
async def test_without_the_token_the_control_route_answers_nothing(
    guarded_url: str, http_client: Any, header: str | None
) -> None:
    headers = {} if header is None else {"authorization": header.encode("latin-1")}
    for method in ("PUT", "GET", "DELETE"):
        answer = await http_client.request(method, f"{guarded_url}/episodes/a", headers=headers)
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"


async def test_the_control_route_is_off_unless_asked_for(serve_http: Serve, http_client: Any) -> None:
    server = serve_http()
    for method in ("PUT", "GET", "DELETE", "POST"):
        assert (await http_client.request(method, f"{server.url}/episodes/a")).status_code == 404


async def test_the_users_tools_have_their_own_endpoint_on_the_same_state(serve_http: Serve, http_client: Any) -> None:
    url = serve_http("--include-user-tools").url
    async with (
        connected(f"{url}/episodes/a/mcp", http_client) as agent,
        connected(f"{url}/user/episodes/a/mcp", http_client) as user,
    ):
        assert "pay" not in {tool.name for tool in (await agent.list_tools()).tools}
        assert {tool.name for tool in (await user.list_tools()).tools} == {"pay"}
        assert (await user.call_tool("pay", {"item_id": 1})).structured_content == {"paid": 1}
        with pytest.raises(MCPError, match="Unknown tool"):
            await agent.call_tool("pay", {"item_id": 1})


async def test_without_that_option_there_is_no_endpoint_for_the_user(serve_http: Serve, http_client: Any) -> None:
    assert (await http_client.post(f"{serve_http().url}/user/mcp", json={})).status_code == 404


async def test_states_in_a_folder_outlive_the_process_and_a_signal_ends_it_with_status_0(
    serve_http: Serve, http_client: Any, tmp_path: Path
) -> None:
    for expected in (3, 4):
        server = serve_http("--db", f"{tmp_path}/states/")
        async with connected(f"{server.url}/episodes/a/mcp", http_client) as client:
            await client.call_tool("add_item", {"name": f"box {expected}"})
            assert await count(client) == expected
        assert server.stop() == 0
    assert [file.name for file in (tmp_path / "states").iterdir()] == ["a.sqlite"]
