"""Tools of a live MCP server are read over stdio and HTTP.

A server that fails is refused in one sentence and leaves no process.
"""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from autoforge.generator.documents import read_server
from autoforge.mcp_envs.errors import BadInput

pytestmark = pytest.mark.anyio

_SERVER = """
import os, sys
import anyio
from mcp import types
from mcp.server import Server

with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(str(os.getpid()))
COUNT = int(sys.argv[2])


async def list_tools(ctx, params):
    start = int(params.cursor) if params is not None and params.cursor else 0
    schema = {"type": "object", "properties": {"id": {"type": ["integer", "null"]}}}
    tools = [
        types.Tool(name=f"tool_{n}", description="Does.", input_schema=schema, output_schema=schema)
        for n in range(start, min(start + 2, COUNT))
    ]
    return types.ListToolsResult(tools=tools, next_cursor=str(start + 2) if start + 2 < COUNT else None)


server = Server("paged", instructions="Be kind.", on_list_tools=list_tools)


async def main():
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _command(folder: Path, program: str, *arguments: str) -> str:
    script = folder / "server.py"
    script.write_text(program, encoding="utf-8")
    return shlex.join([sys.executable, str(script), str(folder / "pid"), *arguments])


def _is_alive(folder: Path) -> bool:
    try:
        os.kill(int((folder / "pid").read_text(encoding="utf-8")), 0)
    except ProcessLookupError:
        return False
    return True


async def test_all_pages_of_a_stdio_server_are_read_and_its_process_ends(tmp_path: Path) -> None:
    documentation = await read_server(_command(tmp_path, _SERVER, "5"))
    assert [tool.name for tool in documentation.tools] == [f"tool_{number}" for number in range(5)]
    assert (documentation.title, documentation.description) == ("paged", "Be kind.")
    assert documentation.tools[0].format == "MCP tools/list"
    assert documentation.tools[0].input_schema["properties"]["id"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    assert not _is_alive(tmp_path)


async def test_a_server_without_tools_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="lists no tools"):
        await read_server(_command(tmp_path, _SERVER, "0"))
    assert not _is_alive(tmp_path)


async def test_a_server_that_dies_is_refused_with_its_last_words(tmp_path: Path) -> None:
    program = "import sys; print('no database', file=sys.stderr); sys.exit(3)"
    with pytest.raises(BadInput, match="its last words were: no database") as caught:
        await read_server(_command(tmp_path, program))
    assert "\n" not in str(caught.value)


async def test_a_server_that_never_answers_is_refused_at_the_deadline_and_ended(tmp_path: Path) -> None:
    program = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid()))\nwhile True: time.sleep(60)"
    with anyio.fail_after(15), pytest.raises(BadInput, match=r"within 0\.5 seconds"):
        await read_server(_command(tmp_path, program), deadline_seconds=0.5)
    assert not _is_alive(tmp_path)


async def test_a_program_that_speaks_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="check that it"):
        await read_server(_command(tmp_path, "print('hello'); input(); print('bye')"), deadline_seconds=3)


def test_lines_that_are_no_messages_leave_no_traceback_on_stderr() -> None:
    program = (
        "import anyio; from autoforge.generator.documents import read_server; anyio.run(read_server, 'echo nonsense')"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1 and "JSONRPC message" not in ended.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program-at-all --x", "no program of that name"),
        ("python 'server.py", "check its quotes"),
        ("  ", "No server was named"),
        ("http://127.0.0.1:x/mcp", "not valid"),
    ],
)
async def test_a_command_that_cannot_be_started_is_refused(command: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        await read_server(command)


async def test_an_address_without_a_server_is_refused_without_its_secrets() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with pytest.raises(BadInput, match=rf"^http://127\.0\.0\.1:{port}/mcp: ") as caught:
            await read_server(f"http://user:hunter2@127.0.0.1:{port}/mcp?key=hunter2", deadline_seconds=10)
    assert "hunter2" not in str(caught.value)


async def test_secrets_of_a_command_are_masked(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        await read_server(_command(tmp_path, "import sys; sys.exit(1)", "--api-key", "hunter2", "--token=hunter2"))
    assert "hunter2" not in str(caught.value)
    assert "--api-key ***" in str(caught.value)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A streamable HTTP server with three tools on a port of its own."""
    import uvicorn

    namespace: dict[str, object] = {"__name__": "served"}
    arguments, sys.argv = sys.argv, ["server.py", str(tmp_path / "pid"), "3"]
    try:
        exec(compile(_SERVER, "server.py", "exec"), namespace)
    finally:
        sys.argv = arguments
    application = namespace["server"].streamable_http_app(json_response=True)  # type: ignore[attr-defined]
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(application, log_level="error", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        server.should_exit = True
        thread.join(timeout=20)


async def test_all_pages_of_an_http_server_are_read(address: str) -> None:
    documentation = await read_server(f"{address}?token=hunter2")
    assert [tool.name for tool in documentation.tools] == ["tool_0", "tool_1", "tool_2"]
    assert documentation.tools[0].source == f"{address}#/tools/0"
