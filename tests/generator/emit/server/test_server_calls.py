"""What a call answers, in memory and in both protocol eras."""

from __future__ import annotations

import gc
import json
import logging
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError

pytestmark = pytest.mark.anyio

INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603


@pytest.fixture(params=["legacy", "2026-07-28"])
async def client(request: pytest.FixtureRequest, served: ModuleType, environment: Any) -> AsyncIterator[Client]:
    with anyio.fail_after(20):
        async with Client(served.build_server(environment), mode=request.param) as one:
            yield one


def episode_meta(name: Any) -> Any:
    return {"autoforge/episode": name}


def text(result: Any) -> str:
    return str(result.content[0].text)


async def test_a_result_is_structure_and_the_same_json_as_text(client: Client) -> None:
    result = await client.call_tool("get_item", {"item_id": 1})
    assert not result.is_error
    assert (
        result.structured_content
        == json.loads(text(result))
        == {"id": 1, "name": "lamp", "price": 20.5, "tags": ["red"]}
    )


@pytest.mark.parametrize(
    ("name", "value"), [("list_items", [{"id": 1, "name": "lamp"}, {"id": 2, "name": "desk"}]), ("count_items", 2)]
)
async def test_a_result_that_is_no_object_is_wrapped(client: Client, name: str, value: Any) -> None:
    result = await client.call_tool(name, None)
    assert result.structured_content == json.loads(text(result)) == {"result": value}


async def test_a_tool_that_returns_nothing_answers_null(client: Client) -> None:
    assert (await client.call_tool("remove_item", {"item_id": 2})).structured_content == {"result": None}


async def test_keys_and_tuples_come_back_as_the_json_that_they_are(client: Client) -> None:
    result = await client.call_tool("fail", {"how": "keys"})
    assert result.structured_content == json.loads(text(result)) == {"1": {"null": [1, 2]}}


async def test_a_renamed_argument_reaches_its_function(client: Client) -> None:
    result = await client.call_tool("rename_item", {"item_id": 1, "from": "torch"})
    assert result.structured_content is not None and result.structured_content["name"] == "torch"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"name": "x"}, "name: 'x' is shorter, in characters, than 2"),
        ({"name": "box", "tags": ["a", "a"]}, "tags: an item occurs more than once"),
        ({"name": "box", "size": {"width": "2"}}, "size.width: '2' is not of type 'integer'"),
        ({"name": "box", "size": {"width": 2, "unit": "km"}}, "size.unit: 'km' is not one of 'cm', 'in'"),
        ({"nam": "box"}, "unknown parameter 'nam'; did you mean 'name'?"),
        ({"name": "b\0x"}, "name: the text contains a NUL character"),
        ({"name": "box", "on": "tomorrow"}, "on: 'tomorrow' is not a date (YYYY-MM-DD)"),
        ({"name": "box", "price": -1}, "price: -1 is less than the minimum of 0"),
        ({"name": "box", "price": 10**30}, "price: the integer does not fit in 64 bits"),
    ],
)
async def test_bad_arguments_are_refused_in_the_result_and_change_nothing(
    client: Client, arguments: dict[str, Any], sentence: str
) -> None:
    result = await client.call_tool("add_item", arguments)
    assert result.is_error and text(result) == sentence and result.structured_content is None
    assert (await client.call_tool("count_items")).structured_content == {"result": 2}


async def test_good_optional_arguments_reach_the_function(client: Client) -> None:
    arguments = {
        "name": "box",
        "price": 3,
        "tags": ["a"],
        "on": "2026-02-01",
        "at": "2026-02-01T08:00:00Z",
        "size": {"width": 2.0},
    }
    result = await client.call_tool("add_item", arguments)
    assert result.structured_content == {"item_id": 3, "now": "2026-01-02T09:00:00", "price": 3, "size": {"width": 2}}


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("refuse", "not on Sundays"),
        ("sql", "The tool fail took too long and was rolled back; nothing was changed."),
        *(
            (how, "Internal error in tool fail; nothing was changed.")
            for how in ("crash", "exit", "nan", "surrogate", "set", "commit")
        ),
    ],
)
async def test_a_call_that_fails_says_so_and_changes_nothing(client: Client, how: str, sentence: str) -> None:
    result = await client.call_tool("fail", {"how": how})
    assert result.is_error and text(result) == sentence
    item = (await client.call_tool("get_item", {"item_id": 1})).structured_content
    assert item is not None and item["name"] == "lamp"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timer signals here")
async def test_python_that_never_ends_is_interrupted_and_rolled_back(served: ModuleType, environment: Any) -> None:
    before = signal.getsignal(signal.SIGALRM)
    environment.start_timer()
    try:
        async with Client(served.build_server(environment)) as client:
            result = await client.call_tool("fail", {"how": "loop"})
            item = await client.call_tool("get_item", {"item_id": 1})
    finally:
        signal.signal(signal.SIGALRM, before)
    assert result.is_error and "took too long" in text(result)
    assert item.structured_content is not None and item.structured_content["name"] == "lamp"


async def test_an_internal_error_is_logged_with_its_traceback(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        await client.call_tool("fail", {"how": "crash"})
    assert "Traceback" in caplog.text and "secret detail" in caplog.text and "tools.py" in caplog.text


async def test_an_unknown_tool_is_a_protocol_error(client: Client) -> None:
    with pytest.raises(MCPError, match="Unknown tool: nope") as caught:
        await client.call_tool("nope", {})
    assert caught.value.code == INVALID_PARAMS


@pytest.mark.parametrize("name", ["../x", "a/b", ".", "..", "", "x" * 65, "é", "a b", "a\n", 7, ["a"]])
async def test_a_bad_episode_name_is_a_protocol_error(client: Client, name: Any) -> None:
    with pytest.raises(MCPError) as caught:
        await client.call_tool("count_items", {}, meta=episode_meta(name))
    assert caught.value.code == INVALID_PARAMS


async def test_episodes_named_in_meta_do_not_see_each_other(client: Client) -> None:
    for episode, name in (("a", "box"), ("b", "box"), ("a", "crate")):
        assert not (await client.call_tool("add_item", {"name": name}, meta=episode_meta(episode))).is_error
    counts = [
        await client.call_tool("count_items", {}, meta=episode_meta(episode)) for episode in ("a", "b", "c", "default")
    ]
    assert [count.structured_content for count in counts] == [{"result": number} for number in (4, 3, 2, 2)]
    assert (await client.call_tool("count_items")).structured_content == {"result": 2}


async def test_two_clients_share_an_episode(served: ModuleType, environment: Any) -> None:
    server = served.build_server(environment)
    with anyio.fail_after(20):
        async with Client(server) as one, Client(server) as two:
            await one.call_tool("add_item", {"name": "box"})
            assert (await two.call_tool("count_items")).structured_content == {"result": 3}


async def test_too_many_episodes_are_refused_and_the_open_ones_go_on(served: ModuleType, shop: Path) -> None:
    server = served.build(shop, max_episodes=2)
    with anyio.fail_after(20):
        async with Client(server) as client:
            for episode in ("a", "b"):
                await client.call_tool("count_items", {}, meta=episode_meta(episode))
            with pytest.raises(MCPError, match="--max-episodes") as caught:
                await client.call_tool("count_items", {}, meta=episode_meta("c"))
            assert caught.value.code == INTERNAL_ERROR
            assert not (await client.call_tool("count_items", {}, meta=episode_meta("a"))).is_error
            assert not (await client.call_tool("count_items")).is_error


async def test_a_built_server_closes_its_states_when_it_is_collected(
    served: ModuleType, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = []

    def close(environment: Any) -> None:
        closed.append(environment)
        environment.episodes.close()

    monkeypatch.setattr(served.Environment, "close", close)
    server = served.build(shop)
    async with Client(server) as client:
        await client.call_tool("count_items")
    del server, client
    gc.collect()
    assert closed
