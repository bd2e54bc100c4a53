"""The official tools on a generated server: the MCP Inspector's strict listing and the conformance suite, in both eras.

They need node's `npx` and the npm registry. Where either is missing the tests are skipped and say why; with
`AUTOFORGE_NODE_TESTS=1` that is a failure. Run by hand: `pytest tests/conformance -rs`. The suite's fixture tools
(`test_simple_text`, …) are documented in `suite_tools.json`: that they compile to a server that lists them is tested;
what the suite's other scenarios want of their answers (an image, a sampling request) no simulated world gives.
"""

from __future__ import annotations

import contextlib
import functools
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autoforge.generator.compile import Settings, compile_environment
from autoforge.generator.documents import read_documents
from autoforge.generator.emit.server import server_py

DESK = Path(__file__).parents[1] / "fixtures" / "desk"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
STABLE = "@modelcontextprotocol/conformance@0.1.16"
MODERN = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
NODE = ("-p", "node@22")
"""The suite needs node 22; this package brings it where the installed one is older."""
SECONDS = 180
SCENARIOS = [
    *((STABLE, scenario, ()) for scenario in ("server-initialize", "ping", "tools-list", "dns-rebinding-protection")),
    (STABLE, "server-sse-multiple-streams", ()),
    (MODERN, "http-header-validation", ("--spec-version", "2026-07-28")),
]


def npx(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a node tool. Its output is one text: what matters is said on either stream."""
    command = ["npx", "-y", *arguments]
    out = subprocess.STDOUT
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=out, text=True, encoding="utf-8", timeout=SECONDS, check=False
    )


@functools.cache
def reason_to_skip(package: str) -> str | None:
    """Why a package cannot be run here, or None."""
    if shutil.which("npx") is None:
        return "npx is not installed"
    try:
        found = npx("-p", package, "node", "--version")
    except subprocess.TimeoutExpired:
        return f"npm does not bring {package} within {SECONDS} s"
    return None if found.returncode == 0 else f"npm does not bring {package}: {found.stdout.strip()[-300:]}"


def need(package: str) -> None:
    """Skip, or fail with AUTOFORGE_NODE_TESTS=1, where a package cannot be run."""
    reason = reason_to_skip(package)
    if reason is None:
        return
    if os.environ.get("AUTOFORGE_NODE_TESTS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixture environment with a `server.py` of today."""
    folder = tmp_path_factory.mktemp("conformance") / "desk"
    shutil.copytree(DESK, folder)
    (folder / "server.py").write_text(server_py(), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def suite_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment compiled from documentation of the suite's fixture tools."""
    documentation = read_documents([Path(__file__).parent / "suite_tools.json"])
    target = tmp_path_factory.mktemp("conformance") / "suite_tools"
    compiled = compile_environment(documentation, Settings(name="suite_tools"), target)
    assert compiled.report.passed, compiled.report.as_conformance().failures
    return target


@pytest.fixture(scope="module", params=["desk", "suite_tools"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where an environment is served over HTTP."""
    folder: Path = request.getfixturevalue(request.param)
    command = [sys.executable, str(folder / "server.py"), "--http", "0"]
    with contextlib.ExitStack() as stack:
        process = stack.enter_context(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
        stack.callback(process.kill)
        assert process.stderr is not None and select.select([process.stderr], [], [], SECONDS)[0]
        yield process.stderr.readline().split()[1].replace("127.0.0.1", "localhost")


@pytest.mark.parametrize(("package", "scenario", "options"), SCENARIOS, ids=[scenario for _, scenario, _ in SCENARIOS])
def test_the_conformance_suite_passes(url: str, package: str, scenario: str, options: tuple[str, ...]) -> None:
    need(package)
    found = npx(*NODE, "-p", package, "conformance", "server", "--url", url, "--scenario", scenario, *options)
    assert found.returncode == 0 and "0 failed, 0 warnings" in found.stdout, found.stdout[-3000:]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_the_tools_and_finds_no_error(desk: Path, era: str) -> None:
    need(INSPECTOR)
    listing = ("--cli", "--strict", "-q", "--method", "tools/list", "--protocol-era", era)
    found = npx(INSPECTOR, *listing, sys.executable, str(desk / "server.py"))
    assert found.returncode == 0 and "list_agents" in found.stdout, found.stdout[-3000:]


@pytest.mark.parametrize(("argument", "status"), [('{"ticket_id": 1}', 0), ('{"ticket_id": "x"}', 5)])
def test_the_inspector_calls_a_tool_and_sees_its_refusal(desk: Path, argument: str, status: int) -> None:
    need(INSPECTOR)
    call = ("--method", "tools/call", "--tool-name", "get_ticket", "--tool-args-json", argument)
    found = npx(INSPECTOR, "--cli", "-q", "--format", "json", *call, sys.executable, str(desk / "server.py"))
    assert found.returncode == status, found.stdout[-3000:]
