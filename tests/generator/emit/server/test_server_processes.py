"""`python server.py` as a process on stdio: what it writes, how it ends, what it leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

SECONDS = 30
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def episode_meta(name: Any) -> Any:
    return {"autoforge/episode": name}


def start(shop: Path, *options: str, **variables: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(shop / "server.py"), *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, **variables})


def call(identity: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def lines(*messages: dict[str, Any]) -> bytes:
    return "".join(json.dumps(message) + "\n" for message in messages).encode()


def answer(process: subprocess.Popen[bytes], *messages: dict[str, Any]) -> dict[str, Any]:
    """Send messages and read up to the answer of the last one."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(lines(*messages))
    process.stdin.flush()
    while True:
        found: dict[str, Any] = json.loads(process.stdout.readline())
        if found.get("id") == messages[-1]["id"]:
            return found


def test_stdout_carries_the_protocol_only_and_the_end_of_input_ends_the_server(shop: Path) -> None:
    with start(shop) as process:
        found = answer(process, INITIALIZE)
        assert found["result"]["instructions"] == "Sell nothing on Sundays.\n"
        assert answer(process, INITIALIZED, call(2, "fail", {"how": "crash"}))["result"]["isError"]
        stdout, stderr = process.communicate(timeout=SECONDS)
    assert process.returncode == 0 and stdout == b""
    assert b"a tool module that prints" in stderr and b"secret detail" in stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_its_temporary_files(shop: Path, tmp_path: Path, number: int) -> None:
    with start(shop, TMPDIR=str(tmp_path)) as process:
        answer(process, INITIALIZE)
        answer(process, INITIALIZED, call(2, "count_items", {}))
        process.send_signal(number)
        _, stderr = process.communicate(timeout=SECONDS)
    assert process.returncode == 0 and b"Traceback" not in stderr
    assert not list(tmp_path.iterdir())


def test_what_no_json_should_carry_is_answered_and_the_server_goes_on(shop: Path) -> None:
    bad = [
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_item","arguments":{"item_id":NaN}}}\n',
        b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_item","arguments":{"item_id":1e999}}}\n',
        b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"get_item","arguments":{"item_id":'
        + b"9" * 400
        + b"}}}\n",
        b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_item","arguments":{"item_id":"\\u0000"}}}\n',
        b'{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_item","arguments":{"item_id":"\\ud800"}}}\n',
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_item","arguments":[1]}}\n',
        b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"get_item","arguments":{"item_id":'
        + b"[" * 150
        + b"]" * 150
        + b"}}}\n",
        b"\xff\xfe not even text\n",
    ]
    with start(shop) as process:
        answer(process, INITIALIZE)
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(lines(INITIALIZED) + b"".join(bad))
        process.stdin.write(lines(call(99, "count_items", {})))
        process.stdin.flush()
        found: dict[int, Any] = {}
        while 99 not in found:
            one = json.loads(process.stdout.readline())
            found[one["id"]] = one
        process.communicate(timeout=SECONDS)
    for identity in (2, 3, 4, 5, 7, 8):  # the sixth is no JSON to the SDK, which then cannot know whom to answer
        assert "error" in found[identity] or found[identity]["result"]["isError"], found[identity]
    assert found[99]["result"]["structuredContent"] == {"result": 2}
    assert process.returncode == 0


def test_a_result_larger_than_the_pipe_arrives_whole(shop: Path) -> None:
    with start(shop) as process:
        answer(process, INITIALIZE)
        found = answer(process, INITIALIZED, call(2, "fail", {"how": "big"}), call(3, "fail", {"how": "big"}))
        process.communicate(timeout=SECONDS)
    assert found["result"]["structuredContent"] == {"x": "y" * 300_000}


def test_a_client_that_stops_reading_ends_the_server_without_a_traceback(shop: Path) -> None:
    with start(shop) as process:
        answer(process, INITIALIZE)
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stdin.write(lines(INITIALIZED, call(2, "count_items", {})))
        process.stdin.close()
        stderr = process.stderr.read()
        assert process.wait(SECONDS) == 0 and b"Traceback" not in stderr


def test_a_state_in_a_file_outlives_the_process(shop: Path, tmp_path: Path) -> None:
    for expected in (3, 4):
        with start(shop, "--db", str(tmp_path / "state.sqlite")) as process:
            answer(process, INITIALIZE)
            answer(process, INITIALIZED, call(2, "add_item", {"name": f"box {expected}"}))
            assert answer(process, call(3, "count_items", {}))["result"]["structuredContent"] == {"result": expected}
            process.communicate(timeout=SECONDS)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--db", "/nowhere/at/all.sqlite"], "does not exist"),
        (["--db", "/dev/null/states/"], "the folder cannot be made"),
        (["--db", ""], "--db is empty"),
        (["--http", "99999"], "cannot listen on"),
        (["--http", "0", "--host", "999.1.1.1"], "cannot listen on"),
        (["--control-token-env", "TOKEN"], "needs --http"),
        (["--http", "0", "--control-token-env", "NO_SUCH_VARIABLE"], "is empty or not set"),
    ],
)
def test_what_cannot_be_served_ends_with_status_2_and_one_sentence(shop: Path, options: list[str], reason: str) -> None:
    with start(shop, *options) as process:
        stdout, stderr = process.communicate(timeout=SECONDS)
    said = [line for line in stderr.decode().splitlines() if line.startswith("server.py: ")]
    assert (
        process.returncode == 2
        and stdout == b""
        and len(said) == 1
        and reason in said[0]
        and b"Traceback" not in stderr
    )


def test_no_byte_code_is_left_in_the_environment(shop: Path) -> None:
    with start(shop) as process:
        answer(process, INITIALIZE)
        process.communicate(timeout=SECONDS)
    assert not (shop / "tools.pyc").exists() and not list(shop.rglob("tools.*.pyc"))


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdks_client_is_served_in_both_eras(shop: Path, mode: Any) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=[str(shop / "server.py"), "--side", "all"])
    with anyio.fail_after(SECONDS):
        async with Client(parameters, mode=mode) as client:
            assert client.protocol_version == {"legacy": "2025-11-25", "auto": "2026-07-28"}[mode]
            assert "pay" in {tool.name for tool in (await client.list_tools()).tools}
            assert (await client.call_tool("count_items", {})).structured_content == {"result": 2}
            result = await client.call_tool("add_item", {"name": "box"}, meta=episode_meta("e1"))
            assert not result.is_error and (await client.call_tool("count_items", {})).structured_content == {
                "result": 2
            }
