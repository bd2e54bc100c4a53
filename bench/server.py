"""How fast a generated server is, beside servers written by hand on the same SDK: `python bench/server.py ENV
[--json]`.

Every figure is a ratio of two things measured in alternating batches in one run, so that a busy machine slows both; the
table shows the median. `rate` ratios are generated ÷ by hand (1 is as fast), the start ratio is generated ÷ empty
server (1 is as quick). The call that is measured is `--tool` with `--arguments`, else the first read-only one that
succeeds. Not covered: concurrency, which one process does not gain from. `tools.py` of ENV is run in this process:
measure environments you trust.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # it is run as a script, too
from bench.figures import Figure, at_least, at_most, print_figures  # noqa: E402

BASELINE = HERE / "server_baseline.py"
START_SECONDS = 30.0
"""How long a server process may take to listen."""

Run = Callable[[int], Awaitable[None]]


class Call(NamedTuple):
    """The measured call, and what it does to the database."""

    tool: str
    arguments: dict[str, Any]
    plan: dict[str, Any]


def load_server(environment: Path) -> ModuleType:
    """The environment's `server.py` as a module."""
    spec = importlib.util.spec_from_file_location("served", environment / "server.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{environment} has no server.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["served"] = module
    spec.loader.exec_module(module)
    return module


# The measured call ---------------------------------------------------------------------------------------------------


def choose_call(module: ModuleType, environment: Path, tool: str | None, arguments: str | None) -> Call:
    """The call to measure, with the statements it runs, recorded through the facade that its function gets."""
    served = module.Environment(environment)
    try:
        names = (
            [tool]
            if tool
            else [one.name for one in served.tools.values() if one.listing["annotations"]["readOnlyHint"]]
        )
        for name in names:
            for given in [json.loads(arguments)] if arguments else guesses(served, name):
                result = served.answer(served.tools[name], given, "default")
                if not result.get("isError"):
                    return Call(name, given, record(module, served, name, given, environment))
    finally:
        served.close()
    raise SystemExit("no call succeeds by itself: name one with --tool and --arguments")


def guesses(served: Any, name: str) -> Iterator[dict[str, Any]]:
    """No arguments, or for one required parameter the first cell of every column of every table."""
    required = served.tools[name].input_schema.get("required", [])
    if not required:
        yield {}
    if len(required) == 1:
        connection = served.episodes.connection("default")
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in connection.execute(f'SELECT * FROM "{table}" LIMIT 1').fetchall():
                yield from ({required[0]: cell} for cell in row if isinstance(cell, int | str))


def record(module: ModuleType, served: Any, name: str, arguments: dict[str, Any], environment: Path) -> dict[str, Any]:
    """The plan of a call for `server_baseline.sql_server`."""
    statements: list[Any] = []
    connection = served.episodes.connection("default")

    class Recorded(module.Database):  # type: ignore[misc, name-defined]
        def __init__(self, inner: Any) -> None:
            super().__init__(self)
            self.inner = inner

        def execute(self, sql: str, values: list[Any]) -> Any:
            statements.append([sql, values])
            return self.inner.execute(sql, values)

    tool = served.tools[name]
    keywords = tool.arguments.keywords(arguments)
    result = module.call(connection, lambda db, **given: tool.function(Recorded(connection), **given), keywords)
    script = "".join((environment / part).read_text(encoding="utf-8") for part in ("schema.sql", "seed.sql"))
    return {
        "script": script,
        "statements": statements,
        "result": result if isinstance(result, dict) else {"result": result},
    }


# Rates ---------------------------------------------------------------------------------------------------------------


def caller(client: Client, tool: str, arguments: dict[str, Any]) -> Run:
    """Calls without the client's own output validation, which would measure the client."""

    async def run(times: int) -> None:
        for _ in range(times):
            request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
            result = await client.session.send_request(request, CallToolResult)
            if result.is_error:
                raise SystemExit(f"{tool}: {result.content}")

    return run


async def compare(ours: Run, theirs: Run, batches: int, size: int) -> tuple[float, str]:
    """Median of rate(ours) ÷ rate(theirs) over alternating batches, and the median rates in words."""
    ratios, times = [], []
    for run in (ours, theirs):
        await run(size)
    for batch in range(batches):
        taken = [0.0, 0.0]
        for side in (0, 1) if batch % 2 else (1, 0):  # who goes first changes, so that a drift of the machine cancels
            start = time.perf_counter()
            await (ours, theirs)[side](size)
            taken[side] = (time.perf_counter() - start) / size
        ratios.append(taken[1] / taken[0])
        times.append(taken)
    ours_us, theirs_us = (statistics.median(one[side] for one in times) * 1e6 for side in (0, 1))
    return statistics.median(ratios), f"{ours_us:,.0f} µs a call, by hand {theirs_us:,.0f}"


@contextlib.asynccontextmanager
async def stdio(command: list[str], mode: Any) -> AsyncIterator[Client]:
    with open("/dev/null", "w", encoding="utf-8") as errors:
        parameters = StdioServerParameters(command=sys.executable, args=command)
        async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
            await client.list_tools()
            yield client


@contextlib.asynccontextmanager
async def http(command: list[str], mode: Any) -> AsyncIterator[Client]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, *command, "--http", str(port)], stderr=subprocess.DEVNULL)
    try:
        with anyio.fail_after(START_SECONDS):
            while True:
                try:
                    await (await anyio.connect_tcp("127.0.0.1", port)).aclose()
                    break
                except OSError:
                    await anyio.sleep(0.05)
        async with (
            httpx2.AsyncClient() as transport,
            Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=transport), mode=mode) as client,
        ):
            await client.list_tools()
            yield client
    finally:
        process.terminate()
        process.wait(10)


async def rates(module: ModuleType, environment: Path, call: Call, batches: int, work: Path) -> list[Figure]:
    """Ratios against the no-op tool and against the same SQL by hand, on every transport and in both eras."""
    sys.path.insert(0, str(HERE))
    from server_baseline import noop_server, sql_server  # type: ignore[import-not-found]

    plan = work / "plan.json"
    plan.write_text(json.dumps(call.plan), encoding="utf-8")
    ours = [str(environment / "server.py")]
    by_hand = {"no-op": [str(BASELINE), "noop"], "same SQL": [str(BASELINE), "sql", str(plan)]}
    in_memory = {"no-op": noop_server, "same SQL": lambda: sql_server(call.plan)}
    figures = []
    for mode, era in (("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")):
        for label, tool in (("no-op", "noop"), ("same SQL", "call")):
            for transport, size in (("memory", 100), ("stdio", 40), ("http", 25)):
                async with contextlib.AsyncExitStack() as stack:
                    if transport == "memory":
                        mine = await stack.enter_async_context(Client(module.build(environment), mode=mode))
                        other = await stack.enter_async_context(Client(in_memory[label](), mode=mode))
                        await mine.list_tools()
                    else:
                        opened = stdio if transport == "stdio" else http
                        mine = await stack.enter_async_context(opened(ours, mode))
                        other = await stack.enter_async_context(opened(by_hand[label], mode))
                    value, detail = await compare(
                        caller(mine, call.tool, call.arguments), caller(other, tool, {}), batches, size
                    )
                name = f"rate vs {label}, {transport}, {era}"
                if label == "no-op" and transport == "memory":
                    figures.append(Figure(name, value, "x", "", True, detail))
                else:
                    figures.append(at_least(name, value, "x", 0.9 if label == "same SQL" else 0.8, detail))
    return figures


# Start and episodes --------------------------------------------------------------------------------------------------


def start_seconds(command: list[str]) -> float:
    """From spawning a stdio server to its answer to the first request after the handshake."""
    initialize = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "ping"},
    ]
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode())
        process.stdin.flush()
        for line in process.stdout:
            if json.loads(line).get("id") == 2:
                break
        taken = time.perf_counter() - start
        process.stdin.close()
    return taken


def start_figure(environment: Path, runs: int) -> Figure:
    """Generated ÷ empty start-up, alternating."""
    pairs = [
        (start_seconds([str(environment / "server.py")]), start_seconds([str(BASELINE), "empty"]))
        for _ in range(runs + 1)
    ][1:]
    ratio = statistics.median(ours / empty for ours, empty in pairs)
    ours, empty = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    return at_most("start vs empty server", ratio, "x", 1.15, f"{ours:.2f} s, empty {empty:.2f} s")


def measure_episodes(environment: Path, call: Call, number: int) -> dict[str, float]:
    """Open `number` episodes with a first call each, then call each once more; run in a process of its own, for its
    memory."""
    module = load_server(environment)
    served = module.Environment(environment)
    tool = served.tools[call.tool]
    served.answer(tool, call.arguments, "first")
    before, opens, first, again = resident(), [], [], []
    for index in range(number):
        start = time.perf_counter()
        served.episodes.connection(f"e{index}")
        opened = time.perf_counter()
        served.answer(tool, call.arguments, f"e{index}")
        first.append(time.perf_counter() - opened)
        opens.append(opened - start)
    for index in range(number):
        start = time.perf_counter()
        served.answer(tool, call.arguments, f"e{index}")
        again.append(time.perf_counter() - start)
    memory = (resident() - before) / number
    seed = len(served.episodes.seed_image())
    served.close()
    times = {"open_ms": opens, "first_call_ms": first, "next_call_ms": again}
    return {
        **{key: statistics.median(values) * 1e3 for key, values in times.items()},
        "memory_kb": memory / 1024,
        "seed_kb": seed / 1024,
    }


def resident() -> int:
    """Resident memory of this process in bytes (Linux)."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def episode_figures(environment: Path, call: Call, number: int) -> list[Figure]:
    command = [
        sys.executable,
        __file__,
        str(environment),
        "--episodes",
        str(number),
        "--tool",
        call.tool,
        "--arguments",
        json.dumps(call.arguments),
    ]
    found = json.loads(subprocess.run([*command, "--child"], check=True, stdout=subprocess.PIPE).stdout)
    calls = f"first call {found['first_call_ms']:.2f} ms, next in turn {found['next_call_ms']:.2f} ms"
    open_ms, memory = found["open_ms"], found["memory_kb"] / 1024
    return [
        at_most("open an episode", open_ms, "ms", 5, f"seed {found['seed_kb']:.0f} KB; {calls}"),
        at_most(f"memory of each of {number} episodes", memory, "MB", 1),
    ]


def main() -> int:
    """Measure and print; 1 when a bound does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("environment", type=Path)
    parser.add_argument("--tool")
    parser.add_argument("--arguments", help="the call's arguments, as JSON")
    parser.add_argument("--batches", type=int, default=41, help="alternating batches per rate (default 41)")
    parser.add_argument("--starts", type=int, default=7, help="alternating starts (default 7)")
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    environment = options.environment.resolve()
    if options.child:
        call = Call(options.tool, json.loads(options.arguments), {})
        print(json.dumps(measure_episodes(environment, call, options.episodes)))
        return 0
    module = load_server(environment)
    call = choose_call(module, environment, options.tool, options.arguments)
    with tempfile.TemporaryDirectory() as work:
        figures = [start_figure(environment, options.starts), *episode_figures(environment, call, options.episodes)]
        figures += anyio.run(rates, module, environment, call, options.batches, Path(work))
    report(figures, call, options.json)
    return 0 if all(figure.holds for figure in figures) else 1


def report(figures: list[Figure], call: Call, as_json: bool) -> None:
    if as_json:
        print(
            json.dumps(
                {"tool": call.tool, "arguments": call.arguments, "figures": [figure._asdict() for figure in figures]},
                indent=2,
            )
        )
        return
    print(f"measured call: {call.tool} {json.dumps(call.arguments)}")
    print_figures(figures)


if __name__ == "__main__":
    sys.exit(main())
