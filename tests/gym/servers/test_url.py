"""Servers of others at addresses: a session for each episode, at the next address that answers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import MCPError, types

from autoforge.gym.environment import Environment
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.connection import Deadlines
from autoforge.gym.servers.recording import record_gold
from autoforge.gym.servers.results import refusal
from autoforge.gym.servers.url import UrlServer
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Gold, GoldCall, Probe
from tests.gym.conftest import ENVIRONMENTS, Plain, Scripted, gold_actions
from tests.gym.servers.notes import notes_task
from tests.gym.servers.processes import HttpServer, open_files, serve_http

pytestmark = pytest.mark.anyio
HOTEL = find_environment(str(ENVIRONMENTS / "hotel")).path
QUICK = Deadlines(open=10, call=5, close=5)


@pytest.fixture(scope="module")
def hotel() -> Iterator[HttpServer]:
    """As a stranger sees it: one state for all who name no episode."""
    with serve_http(HOTEL) as server:
        yield server


async def test_a_session_lists_and_calls_and_leaves_nothing(hotel: HttpServer) -> None:
    before = open_files()
    async with UrlServer([f"{hotel.url}/mcp"]) as server:
        sessions = [await server.open(None, name) for name in "abc"]
        assert {tool["name"] for tool in sessions[0].tools} > {"listRooms", "createGuest"}
        assert all([(await session.call("listRooms", {}, "1")).value for session in sessions])
        assert (await sessions[0].call("listRooms", {"nonsense": 1}, "2")).is_error
        assert sessions[0].manifest is None and await sessions[0].state() is None and server.name == "127.0.0.1"
        await sessions[0].close()
        with pytest.raises(EpisodeFailure):
            await sessions[0].call("listRooms", {}, "3")
        assert (await sessions[1].call("listRooms", {}, "3")).value
    assert open_files() == before


async def test_a_task_with_a_probe_is_recorded_and_scored(hotel: HttpServer) -> None:
    guest: dict[str, Any] = {"firstName": "Ada", "lastName": "Byron", "email": "ada@example.com"}
    task = notes_task(
        probe=(Probe.model_validate({"tool": "listGuests", "path": "$.guests", "kind": {"guestId": "surrogate"}}),),
        setup=(GoldCall(node="s", tool="createGuest", arguments={**guest, "email": "byron@example.com"}),),
        gold=Gold(calls=(GoldCall(node="n", tool="createGuest", arguments=guest),), state="", diff=()),
    )
    async with UrlServer([f"{hotel.url}/episodes/{name}/mcp" for name in "abcd"]) as server:
        recorded = await record_gold(server, task)
        assert [change.after["email"] for change in recorded.gold.diff if change.after] == ["ada@example.com"]
        rewards = []
        for actions in (gold_actions(recorded), []):
            played = await play_episode(Environment(server, Plain()), Scripted(*actions), Play(recorded))
            rewards.append(played.reward)
    assert rewards == [1, 0]


@pytest.mark.parametrize("gone", [0, 1])
async def test_an_address_that_does_not_answer_is_passed_over(hotel: HttpServer, gone: int) -> None:
    urls = [f"{hotel.url}/mcp", "http://127.0.0.1:1/mcp"][:: -1 if gone == 0 else 1]
    async with UrlServer(urls, deadlines=QUICK) as server:
        for _ in range(3):
            session = await server.open(None, "a")
            assert (await session.call("listRooms", {}, "1")).value


async def test_episodes_take_turns_and_stay_at_their_address(hotel: HttpServer) -> None:
    with serve_http(HOTEL) as other:
        async with UrlServer([f"{hotel.url}/mcp", f"{other.url}/mcp"], deadlines=QUICK) as server:
            sessions = [await server.open(None, name) for name in "abcd"]
            other.stop()
            alive = [await answers(session) for session in sessions]
            assert alive == [True, False, True, False]


async def answers(session: Any) -> bool:
    try:
        return not (await session.call("listRooms", {}, "1")).is_error
    except EpisodeFailure as error:
        assert error.failure.blame == "infrastructure"
        return False


async def test_no_address_that_answers_is_a_failure_of_the_infrastructure() -> None:
    async with UrlServer(["http://127.0.0.1:1/mcp", "http://me:pass@127.0.0.1:2/mcp"], deadlines=QUICK) as server:
        with pytest.raises(EpisodeFailure, match=r"127\.0\.0\.1:2/mcp has ended: it could not be started") as failed:
            await server.open(None, "a")
    assert failed.value.failure.blame == "infrastructure" and "pass" not in str(failed.value)


@asynccontextmanager
async def answered_by(handler: Callable[[httpx2.Request], httpx2.Response], **more: Any) -> AsyncIterator[UrlServer]:
    """A server whose HTTP is answered by a function."""
    async with UrlServer(["http://server.example/mcp"], deadlines=QUICK, **more) as server:
        server._http._transport = httpx2.MockTransport(handler)
        server._http._mounts = {}
        yield server


def greeting(request: httpx2.Request) -> dict[str, Any] | None:
    """What a server of 2025 answers to all but a call."""
    message = request_json(request)
    result: dict[str, Any]
    if message.get("method") == "initialize":
        info = {"name": "x", "version": "1"}
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
    elif message.get("method") == "tools/list":
        result = {"tools": [{"name": "look", "inputSchema": {"type": "object"}}]}
    else:
        return None
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def request_json(request: httpx2.Request) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(request.content or b"{}")
    return found


@pytest.mark.parametrize("status", [502, 404, 500, 0])
async def test_a_proxy_that_answers_in_the_servers_place_is_no_fault_of_the_agent(status: int) -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        known = greeting(request)
        if known is not None:
            return httpx2.Response(200, json=known, headers={"mcp-session-id": "s1"})
        if request_json(request).get("method") == "tools/call":
            if not status:
                raise httpx2.ReadError("reset by peer")
            return httpx2.Response(status, text="<html>no</html>")
        return httpx2.Response(202 if request.method == "POST" else 405)

    async with answered_by(handler) as server:
        session = await server.open(None, "a")
        with pytest.raises(EpisodeFailure) as failed:
            await session.call("look", {}, "1")
    assert failed.value.failure.blame == "infrastructure"


async def test_a_call_is_sent_once_and_with_the_token_of_the_server() -> None:
    seen: list[tuple[str, str | None]] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append((request_json(request).get("method", request.method), request.headers.get("authorization")))
        known = greeting(request)
        if known is not None:
            return httpx2.Response(200, json=known, headers={"mcp-session-id": "s1"})
        if seen[-1][0] == "tools/call":
            raise httpx2.ReadTimeout("no answer")
        return httpx2.Response(202 if request.method == "POST" else 405)

    async with answered_by(handler, token="secret") as server:
        session = await server.open(None, "a")
        with pytest.raises(EpisodeFailure) as failed:
            await session.call("look", {}, "1")
        await session.close()
    assert [method for method, _ in seen].count("tools/call") == 1
    assert {token for _, token in seen} == {"Bearer secret"} and "secret" not in str(failed.value)


@pytest.mark.parametrize(
    "urls",
    [[], ["ftp://x/mcp"], ["http://"], ["localhost:8000/mcp"], ["http://[::1/mcp"], ["http://x:port/mcp"],
     ["http://x:99999/mcp"], ["http://x\x00/mcp"]],
)  # fmt: skip
def test_what_is_no_address_is_refused(urls: list[str]) -> None:
    with pytest.raises(BadInput, match="no address of a server"):
        UrlServer(urls)


@pytest.mark.parametrize(
    ("code", "message", "blame"),
    [
        (types.INVALID_PARAMS, "x", None), (types.METHOD_NOT_FOUND, "Unknown tool: x", None), (-32002, "x", None),
        (429, "slow down", None), (types.METHOD_NOT_FOUND, "Not Found", "infrastructure"),
        (types.INVALID_REQUEST, "Session terminated", "infrastructure"),
        (types.INTERNAL_ERROR, "Server returned an error response", "infrastructure"),
        (types.INTERNAL_ERROR, "x", "environment"), (types.PARSE_ERROR, "x", "environment"), (0, "x", "environment"),
        (-32050, "x", "environment"),
    ],
)  # fmt: skip
def test_who_is_to_blame_for_a_protocol_error(code: int, message: str, blame: str | None) -> None:
    if blame is None:
        result = refusal("look", MCPError(code, message))
        assert result.is_error and result.text == message
        return
    with pytest.raises(EpisodeFailure) as failed:
        refusal("look", MCPError(code, message))
    assert failed.value.failure.blame == blame
