"""One connection: many callers, and every way in which a server can let them down."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.server import Server
from mcp.server.context import ServerRequestContext

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.connection import CLASSIC, Connection, Deadlines, connect
from tests.gym.servers.processes import FAKE

pytestmark = pytest.mark.anyio
QUICK = Deadlines(open=20, call=0.3, close=10)
PATIENT = Deadlines(open=20, call=20, close=10)


@asynccontextmanager
async def connected(*options: str, deadlines: Deadlines = PATIENT) -> AsyncIterator[Connection]:
    """A connection to the fake server."""
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group, AsyncExitStack() as stack:
            yield await connect(group, partial(to_fake, options, deadlines), CLASSIC, stack)


def to_fake(options: Sequence[str], deadlines: Deadlines, mode: str) -> Connection:
    parameters = StdioServerParameters(
        command=sys.executable, args=[str(FAKE), *options], encoding_error_handler="replace"
    )  # fmt: skip
    return Connection(Client(stdio_client(parameters), mode=mode), "fake", deadlines=deadlines)


async def failure_of(make: Callable[[str], Connection]) -> EpisodeFailure:
    """How a connection that cannot be made fails."""
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group, AsyncExitStack() as stack:
            with pytest.raises(EpisodeFailure) as failed:
                await connect(group, make, CLASSIC, stack)
            assert failed.value.failure.blame == "infrastructure"
            return failed.value
    raise AssertionError


async def test_the_tools_of_all_pages_are_listed_as_on_the_wire() -> None:
    async with connected() as connection:
        tools = await connection.tools()
    assert [tool["name"] for tool in tools] == [
        "add_note", "list_notes", "drop_note", "where", "misbehave", "write", "clock", "pay",
    ]  # fmt: skip
    assert tools[-1]["_meta"] == {"autoforge/side": "user"} and tools[0]["inputSchema"] == {"type": "object"}
    assert connection.instructions == "Write everything down."


async def test_calls_of_many_tasks_are_answered_each_with_its_own() -> None:
    said: dict[int, str] = {}
    async with connected() as connection, anyio.create_task_group() as group:

        async def say(number: int) -> None:
            result = await connection.call("add_note", {"text": f"canary {number}"})
            said[number] = result.value["text"]

        for number in range(50):
            group.start_soon(say, number)
    assert said == {number: f"canary {number}" for number in range(50)}


@pytest.mark.parametrize("how", ["-32602", "-32601", "17", "refuse"])
async def test_what_the_agent_can_mend_is_a_result(how: str) -> None:
    async with connected() as connection:
        result = await connection.call("misbehave", {"how": how})
        assert result.is_error and result.text in ("as you wished", "not on Sundays")
        assert (await connection.call("nothing", {})).text == "Unknown tool: nothing"


@pytest.mark.parametrize(
    ("how", "blame"),
    [("-32603", "environment"), ("0", "environment"), ("garbage", "environment"), ("-32001", "infrastructure"),
     ("die", "infrastructure"), ("hang", "infrastructure")],
)  # fmt: skip
async def test_what_it_cannot_mend_ends_the_episode(how: str, blame: str) -> None:
    async with connected(deadlines=QUICK) as connection:
        with pytest.raises(EpisodeFailure) as failed:
            await connection.call("misbehave", {"how": how})
    assert failed.value.failure.blame == blame


async def test_a_call_after_the_end_of_the_server_fails_at_once_and_says_so() -> None:
    async with connected() as connection:
        for _ in range(2):
            with pytest.raises(EpisodeFailure, match="fake has ended: misbehave gave no answer"):
                await connection.call("misbehave", {"how": "die"})


async def test_those_who_wait_are_told_when_the_connection_is_closed() -> None:
    async with connected() as connection:
        assert await told_at_the_end(connection, "misbehave", {"how": "hang"}) == ["infrastructure"] * 3


async def test_those_who_wait_are_told_where_the_sdk_does_not() -> None:
    async def call_tool(ctx: ServerRequestContext[Any], params: Any) -> types.CallToolResult:
        await anyio.sleep_forever()
        raise AssertionError

    server = Server[Any]("slow", on_call_tool=call_tool)
    async with anyio.create_task_group() as group, AsyncExitStack() as stack:
        connection = await connect(group, lambda mode: Connection(Client(server, mode=mode), "slow"), ["auto"], stack)
        assert await told_at_the_end(connection, "look", {}) == ["infrastructure"] * 3


async def told_at_the_end(connection: Connection, tool: str, arguments: dict[str, Any]) -> list[str]:
    """Who is to blame for calls that wait while the connection is closed."""
    blamed: list[str] = []

    async def wait() -> None:
        try:
            await connection.call(tool, arguments)
        except EpisodeFailure as error:
            blamed.append(error.failure.blame)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            await connection.close()
    return blamed


async def test_a_caller_that_is_cancelled_leaves_the_connection_as_it_was() -> None:
    async with connected() as connection:
        with anyio.move_on_after(0.1) as scope:
            await connection.call("misbehave", {"how": "hang"})
        assert scope.cancelled_caught
        assert (await connection.call("add_note", {"text": "after"})).value["id"] == 1


async def test_bytes_that_are_no_protocol_do_not_end_the_connection() -> None:
    async with connected() as connection:
        assert (await connection.call("misbehave", {"how": "bytes"})).text == "still here"


@pytest.mark.parametrize("arguments", [{"text": "\ud800"}, {"text": float("nan")}, {"text": {1, 2}}])
async def test_arguments_that_are_no_json_are_refused_and_not_sent(arguments: dict[str, Any]) -> None:
    async with connected() as connection:
        assert (await connection.call("add_note", arguments)).is_error
        assert (await connection.call("list_notes", {})).value == {"notes": []}


async def test_every_kind_of_content_is_in_the_text_or_named_in_it() -> None:
    async with connected() as connection:
        result = await connection.call("misbehave", {"how": "mixed"})
    assert result.text.split("\n") == [
        "look:", "[image image/png, 8 bytes]", "[resource file:///a, a]", "inside",
        "[resource file:///c, no type, 8 bytes]",
    ]  # fmt: skip


async def test_a_server_that_knows_no_handshake_is_begun_with_as_it_wants() -> None:
    async with connected("--modern") as connection:
        assert connection.mode == "auto"
        assert (await connection.call("add_note", {"text": "new"})).value["id"] == 1


async def test_a_server_that_ends_at_once_is_no_server_of_another_era() -> None:
    tried: list[str] = []

    def make(mode: str) -> Connection:
        tried.append(mode)
        return to_fake(["--exit"], PATIENT, mode)

    assert "fake has ended: it could not be started" in str(await failure_of(make))
    assert tried == ["legacy"]


async def test_a_server_that_never_greets_is_given_up() -> None:
    quick = Deadlines(open=0.5, call=1, close=10)
    assert "it did not greet within 0.5 s" in str(await failure_of(partial(to_fake, ["--silent"], quick)))


async def test_an_error_of_the_sdk_is_worded_in_one_line() -> None:
    def make(mode: str) -> Connection:
        return Connection(Client(stdio_client(StdioServerParameters(command="/no/such/program"))), "none")

    words = str(await failure_of(make))
    assert "FileNotFoundError" in words and "\n" not in words


async def test_the_tools_are_listed_once_and_a_result_is_not_checked_against_its_schema() -> None:
    asked: list[str] = []

    async def list_tools(ctx: ServerRequestContext[Any], params: Any) -> types.ListToolsResult:
        asked.append("list")
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        tool = types.Tool(name="odd", input_schema={"type": "object"}, output_schema=schema)
        return types.ListToolsResult(tools=[tool], ttl_ms=0, cache_scope="private")

    async def call_tool(ctx: ServerRequestContext[Any], params: Any) -> types.CallToolResult:
        asked.append("call")
        return types.CallToolResult(content=[], structured_content={"m": "text"})

    server = Server[Any]("odd", on_list_tools=list_tools, on_call_tool=call_tool)
    async with anyio.create_task_group() as group, AsyncExitStack() as stack:
        connection = await connect(group, lambda mode: Connection(Client(server, mode=mode), "odd"), CLASSIC, stack)
        await connection.tools()
        results = [await connection.call("odd", {}) for _ in range(3)]
    assert asked == ["list", "call", "call", "call"]
    assert {result.text for result in results} == {'{"m":"text"}'}


async def test_a_caller_that_is_cancelled_while_the_server_starts_ends_it() -> None:
    made: list[Connection] = []

    def make(mode: str) -> Connection:
        made.append(to_fake(["--silent"], PATIENT, mode))
        return made[-1]

    async with anyio.create_task_group() as group, AsyncExitStack() as stack:
        with anyio.fail_after(PATIENT.close / 2):  # it is not waited for as if it would end by itself
            with anyio.move_on_after(0.2) as scope:
                await connect(group, make, CLASSIC, stack)
        assert scope.cancelled_caught and made[0]._ended.is_set()
