"""Our environments over HTTP: episodes by the control route, at one or several addresses."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any, cast

import anyio
import httpx2
import pytest
from mcp import Client

from autoforge.gym.environment import Environment
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.reward import score, telling
from autoforge.gym.servers.connection import Connection
from autoforge.gym.servers.control import Begun, Control, Episode, Seen
from autoforge.gym.servers.hosted import HostedServer, HostedSession
from autoforge.gym.servers.server import ToolResult
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.state import State
from tests.gym.conftest import ENVIRONMENTS, Plain, Scripted, gold_actions
from tests.gym.servers.processes import HttpServer, open_files, serve_http

pytestmark = pytest.mark.anyio
TOKEN = "correct horse battery"
TELECOM = find_environment(str(ENVIRONMENTS / "telecom"))
HOTEL = find_environment(str(ENVIRONMENTS / "hotel"))


@pytest.fixture(scope="module")
def telecom() -> Iterator[HttpServer]:
    with serve_http(TELECOM.path, "--side", "all", token=TOKEN) as server:
        yield server


@pytest.fixture(scope="module")
def hotel() -> Iterator[HttpServer]:
    with serve_http(HOTEL.path, token=TOKEN) as server:
        yield server


def hosted(*urls: str, folder: EnvironmentFolder = TELECOM, token: str = TOKEN) -> HostedServer:
    return HostedServer(urls, folder, token)


async def test_the_gold_calls_of_both_sides_score_1_and_none_0(telecom: HttpServer) -> None:
    async with hosted(f"{telecom.url}/mcp") as server:
        assert {call.actor for task in server.tasks for call in task.gold.calls} == {"agent", "user"}
        for task in server.tasks:
            session = await server.open(task, "the name of an episode does not matter / here")
            initial = await session.state()
            for number, made in enumerate(task.gold.calls):
                await session.call(made.tool, made.arguments, f"c{number}")
            told = [telling(answer) for answer in task.gold.answers]
            final = await session.state()
            assert score(task, initial, final, TELECOM.manifest, told).value == 1, task.id
            assert score(task, initial, initial, TELECOM.manifest, []).value == 0
            await session.close()


async def test_an_episode_is_played_over_http(telecom: HttpServer) -> None:
    async with hosted(telecom.url) as server:
        task = next(t for t in server.tasks if {c.actor for c in t.gold.calls} == {"agent"} and t.gold.diff)
        environment = Environment(server, Plain(), progress=True)
        trajectory = await play_episode(environment, Scripted(*gold_actions(task)), Play(task))
    assert (trajectory.reward, trajectory.failure) == (1, None)
    assert trajectory.turns[-1].role == "assistant" and trajectory.instructions == server.instructions != ""


async def test_twenty_episodes_at_once_do_not_see_each_other(hotel: HttpServer) -> None:
    found: dict[int, list[str]] = {}
    async with hosted(hotel.url, folder=HOTEL) as server:

        async def episode(number: int) -> None:
            session = await server.open(None, "the same name")
            await session.call("createGuest", guest(number), "c1")
            found[number] = canaries(await session.state())
            await session.close()

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(episode, number)
    assert found == {number: [f"Canary {number}"] for number in range(20)}


def guest(number: int) -> dict[str, Any]:
    return {"firstName": f"Canary {number}", "lastName": "Bird", "email": f"canary{number}@example.com"}


def canaries(state: State) -> list[str]:
    return [str(value) for row in state["guests"].rows for value in row if str(value).startswith("Canary ")]


async def test_what_an_agent_does_wrong_it_may_mend(hotel: HttpServer) -> None:
    async with hosted(hotel.url, folder=HOTEL) as server:
        session = await server.open(None, "a")
        assert (await session.call("createGuest", {"nonsense": 1}, "1")).is_error
        assert (await session.call("nothing", {}, "2")).text == "Unknown tool: nothing"
        assert (await session.call("createGuest", guest(1), "3")).value["firstName"] == "Canary 1"


async def test_a_closed_episode_is_forgotten_by_its_server(hotel: HttpServer) -> None:
    async with hosted(hotel.url, folder=HOTEL) as server, httpx2.AsyncClient() as http:
        session, kept = await server.open(None, "a"), await server.open(None, "b")
        address = f"{hotel.url}/episodes/{session._episode.name}"
        headers = {"authorization": f"Bearer {TOKEN}"}
        assert (await http.get(address, headers=headers)).status_code == 200
        await session.close()
        await session.close()
        assert (await http.get(address, headers=headers)).status_code == 404
        assert canaries(await kept.state()) == []


async def test_many_episodes_leave_no_connection(hotel: HttpServer) -> None:
    before = open_files()
    async with hosted(hotel.url, folder=HOTEL) as server:
        for _ in range(30):
            session = await server.open(None, "a")
            await session.call("listRooms", {}, "1")
            await session.close()
        assert len(open_files() - before) < 10
    assert open_files() == before


async def test_a_server_that_was_started_anew_ends_its_episodes_and_is_never_scored() -> None:
    async with AsyncExitStack() as stack:
        running = stack.enter_context(serve_http(HOTEL.path, token=TOKEN))
        server = await stack.enter_async_context(hosted(running.url, folder=HOTEL))
        session = await server.open(None, "a")
        await session.call("createGuest", guest(1), "1")
        assert canaries(await session.state()) == ["Canary 1"]
        running.stop()
        running.start()
        with pytest.raises(EpisodeFailure, match="has lost the state of the episode") as failed:
            await session.call("createGuest", guest(2), "2")  # on a state made from the seed
        assert failed.value.failure.blame == "infrastructure"
        again = await server.open(None, "b")
        await again.call("createGuest", guest(3), "1")
        assert canaries(await again.state()) == ["Canary 3"]


async def test_a_server_that_is_gone_ends_its_episodes_and_the_others_serve_on(hotel: HttpServer) -> None:
    async with AsyncExitStack() as stack:
        other = stack.enter_context(serve_http(HOTEL.path, token=TOKEN))
        server = await stack.enter_async_context(hosted(hotel.url, other.url, folder=HOTEL))
        first, second = await server.open(None, "a"), await server.open(None, "b")
        assert {first._episode.url, second._episode.url} == {hotel.url, other.url}
        other.stop()
        lost = first if first._episode.url == other.url else second
        with pytest.raises(EpisodeFailure) as failed:
            await lost.call("createGuest", guest(1), "1")
        assert failed.value.failure.blame == "infrastructure"
        await lost.close()
        for _ in range(2):
            session = await server.open(None, "c")
            assert session._episode.url == hotel.url
            assert not (await session.call("createGuest", guest(1), "1")).is_error


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"token": "wrong"}, "does not know the control token"),
        ({"folder": TELECOM}, "serves other tools than|does not serve the tools of the user"),
        ({"path": "/somewhere/else"}, "has no control route"),
    ],
)
async def test_an_address_that_does_not_serve_the_environment_is_refused_at_once(
    hotel: HttpServer, given: dict[str, Any], words: str
) -> None:
    url = hotel.url + given.pop("path", "")
    before = open_files()
    with pytest.raises(BadInput, match=words):
        async with hosted(url, **{"folder": HOTEL, **given}):
            pass
    assert open_files() == before


async def test_a_server_without_its_control_route_or_its_users_tools_is_refused_at_once() -> None:
    with serve_http(TELECOM.path) as bare:
        assert "start server.py with --http and --control-token-env" in await why_refused(bare.url)
    with serve_http(TELECOM.path, token=TOKEN) as one_sided:
        assert "start server.py with --side all" in await why_refused(one_sided.url)
    assert "cannot be reached" in await why_refused(one_sided.url)


async def why_refused(url: str) -> str:
    with pytest.raises(BadInput) as refused:
        await hosted(url).__aenter__()
    return str(refused.value)


async def test_initial_statements_that_fail_are_the_environments_fault(hotel: HttpServer) -> None:
    async with hosted(hotel.url, folder=HOTEL) as server:
        task = server.tasks[0].model_copy(update={"initial": ("INSERT INTO nowhere VALUES (1)",)})
        with pytest.raises(EpisodeFailure, match="initial statement 1: no such table") as failed:
            await server.open(task, "a")
    assert failed.value.failure.blame == "environment"


class Breaks:
    """A connection whose tool is at fault, in the words of `server.py`."""

    def __init__(self, words: str) -> None:
        self.words = words

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(self.words.replace("{tool.name}", name), is_error=True)


@pytest.mark.parametrize(
    "words",
    ["Internal error in tool {tool.name}; nothing was changed.",
     "The tool {tool.name} took too long and was rolled back; nothing was changed."],
)  # fmt: skip
async def test_a_tool_that_is_broken_is_no_fault_of_the_agent(words: str) -> None:
    assert words in HOTEL.text("server.py")
    line = cast(Connection, Breaks(words))
    session = HostedSession(
        hosted("http://127.0.0.1:1", folder=HOTEL), Begun(Episode("", "a", 1), None), {"agent": line}
    )
    with pytest.raises(EpisodeFailure) as failed:
        await session.call("listRooms", {}, "1")
    assert failed.value.failure.blame == "environment"


class Route:
    """A control route that answers what it is given, in order."""

    def __init__(self, *answers: int | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer, json={"error": "too many episodes"} if answer >= 400 else None)


async def test_requests_to_the_control_route_are_made_again_where_it_may_help() -> None:
    route = Route(503, httpx2.ConnectError("refused"), 204, 503, 503, 503, 503, 400)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(route)) as http:
        control = Control(http, TOKEN)
        episode, state = await control.put("http://x", "a", ["DELETE FROM rooms"])
        assert state is None
        assert [request.method for request in route.asked] == ["PUT"] * 3
        bodies = [json.loads(request.content)["initial"] for request in route.asked]
        assert len({body[-1] for body in bodies}) == 3 and bodies[-1][-1] == f"PRAGMA user_version = {episode.mark}"
        assert b"DELETE FROM rooms" in route.asked[0].content and b"user_version" in route.asked[0].content
        with pytest.raises(EpisodeFailure, match="too many episodes") as busy:
            await control.state(episode)
        assert busy.value.failure.blame == "infrastructure" and len(route.asked) == 7
        with pytest.raises(EpisodeFailure) as bad:
            await control.put("http://x", "a", [])
        assert bad.value.failure.blame == "environment" and TOKEN not in str(bad.value)


async def test_a_request_to_begin_that_arrives_late_is_found_out(hotel: HttpServer) -> None:
    sent: list[bytes] = []

    async def note(request: httpx2.Request) -> None:
        if request.method == "PUT":
            sent.append(await request.aread())
            if len(sent) == 1:
                raise httpx2.ReadTimeout("no answer")

    async with hosted(hotel.url, folder=HOTEL) as server:
        server._http.event_hooks["request"].append(note)
        session = await server.open(None, "a")
        await session.call("createGuest", guest(1), "1")
        assert canaries(await session.state()) == ["Canary 1"]
        headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
        address = f"{hotel.url}/episodes/{session._episode.name}"
        async with httpx2.AsyncClient() as late:
            assert (await late.put(address, content=sent[0], headers=headers)).status_code == 204
        for lost in (session.call("listRooms", {}, "2"), session.state()):
            with pytest.raises(EpisodeFailure, match="has lost the state of the episode") as failed:
                await lost
            assert failed.value.failure.blame == "infrastructure"


async def test_a_state_is_fetched_again_only_after_a_call_that_may_have_changed_it(hotel: HttpServer) -> None:
    asked: list[str] = []

    async def note(request: httpx2.Request) -> None:
        asked.append("call" if request.url.path.endswith("/mcp") else request.method)

    async with hosted(hotel.url, folder=HOTEL) as server:
        server._http.event_hooks["request"].append(note)
        session = await server.open(None, "a")
        before = await session.state()
        await session.call("listRooms", {}, "1")
        assert (await session.call("createGuest", {}, "2")).is_error
        assert await session.state() == before and asked == ["PUT", "call", "call"]
        await session.call("createGuest", guest(1), "3")
        assert canaries(await session.state()) == canaries(await session.state()) == ["Canary 1"]
        assert asked == ["PUT", "call", "call", "call", "GET"]


async def test_a_call_that_reaches_another_server_behind_the_address_is_found_out(hotel: HttpServer) -> None:
    with serve_http(HOTEL.path, token=TOKEN) as other:
        async with hosted(hotel.url, folder=HOTEL) as server:

            async def astray(request: httpx2.Request) -> None:
                request.url = request.url.copy_with(port=httpx2.URL(other.url).port)

            session = await server.open(None, "a")
            server._http.event_hooks["request"].append(astray)
            with pytest.raises(EpisodeFailure, match="or the request went to another server") as failed:
                await session.call("listRooms", {}, "1")
            assert failed.value.failure.blame == "infrastructure"


class Silent:
    """A connection that gives one result."""

    def __init__(self, result: ToolResult) -> None:
        self.result = result

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        return self.result


def silent(seen: Seen | None, result: ToolResult) -> HostedSession:
    line = cast(Connection, Silent(result))
    return HostedSession(hosted("http://127.0.0.1:1", folder=HOTEL), Begun(Episode("", "a", 1), seen), {"agent": line})


async def test_a_server_that_does_not_tell_the_version_of_its_state_is_asked_after_each_call() -> None:
    session = silent(Seen({}, ""), ToolResult("done", meta={}))
    assert await session.state() == {}
    await session.call("listRooms", {}, "1")
    assert session._seen is None


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"autoforge/state": None},
        {"autoforge/state": {}},
        {"autoforge/state": {"mark": 1}},
        {"autoforge/state": {"mark": "1", "version": "p.1"}},
        {"autoforge/state": {"mark": 2, "version": "p.1"}},
        {"autoforge/state": {"mark": 1, "version": 1}},
    ],
)
async def test_where_the_state_is_told_a_result_without_it_came_from_elsewhere(meta: dict[str, Any]) -> None:
    session = silent(Seen({}, "p.1"), ToolResult("done", meta=meta))
    with pytest.raises(EpisodeFailure, match="or the request went to another server") as failed:
        await session.call("listRooms", {}, "1")
    assert failed.value.failure.blame == "infrastructure" and session._seen is None


async def test_a_protocol_error_says_nothing_of_the_state_so_it_is_read_again() -> None:
    session = silent(Seen({}, "p.1"), ToolResult("Unknown tool", is_error=True, meta=None))
    assert (await session.call("listRooms", {}, "1")).is_error and session._seen is None


async def test_a_write_that_another_request_made_is_seen_after_the_next_call(hotel: HttpServer) -> None:
    """As when a balancer repeats a request whose answer was lost: the repetition is refused and writes nothing."""
    async with hosted(hotel.url, folder=HOTEL) as server:
        session = await server.open(None, "a")
        assert canaries(await session.state()) == []
        async with Client(f"{hotel.url}/episodes/{session._episode.name}/mcp") as other:
            await other.call_tool("createGuest", guest(1))
        await session.call("createGuest", {}, "1")
        assert canaries(await session.state()) == ["Canary 1"]


async def test_what_a_server_says_of_the_state_is_not_for_the_agent(hotel: HttpServer) -> None:
    async with hosted(hotel.url, folder=HOTEL) as server:
        session = await server.open(None, "a")
        result = await session.call("listRooms", {}, "1")
        assert "autoforge/state" in (result.meta or {}) and "autoforge/state" not in result.text + str(result.value)
        await session.close()


async def test_a_beginning_that_is_cancelled_leaves_nothing() -> None:
    before = open_files()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with anyio.move_on_after(0.1) as scope:
            async with hosted(url):
                pass
    assert scope.cancelled_caught and open_files() == before


async def test_the_token_goes_to_the_control_route_alone(hotel: HttpServer) -> None:
    seen: dict[str, set[bool]] = {"mcp": set(), "control": set()}

    async def look(request: httpx2.Request) -> None:
        seen["mcp" if request.url.path.endswith("/mcp") else "control"].add("authorization" in request.headers)

    async with hosted(hotel.url, folder=HOTEL) as server:
        server._http.event_hooks["request"].append(look)
        session = await server.open(None, "a")
        await session.call("listRooms", {}, "1")
        await session.close()
    assert seen == {"mcp": {False}, "control": {True}}
