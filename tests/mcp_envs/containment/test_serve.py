"""A confined server process: what it still can do and what no more."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autoforge.mcp_envs import containment

PROGRAM = """
import asyncio, json, subprocess, sys, threading

def attempt(run):
    try:
        run()
    except OSError:
        return False
    return True

def thread():
    one = threading.Thread(target=int)
    one.start()
    one.join()


print(json.dumps({
    "read": attempt(lambda: open(__file__).close()),
    "nothing": attempt(lambda: open("/dev/null", "w").close()),
    "loop": attempt(lambda: asyncio.run(asyncio.sleep(0))),
    "thread": attempt(thread),
    "write": attempt(lambda: open(sys.argv[1], "w").close()),
    "program": attempt(lambda: subprocess.run(["/bin/true"])),
    "main": __name__ == "__main__",
    "ours": [name for name in sys.modules if name.startswith("autoforge")],
}))
"""


def outcome(tmp_path: Path) -> dict[str, object]:
    program = tmp_path / "server.py"
    program.write_text(PROGRAM, encoding="utf-8")
    serve = Path(containment.__file__).with_name("serve.py")
    command = [sys.executable, "-P", "-B", str(serve), str(program), str(tmp_path / "written")]
    done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    return dict(json.loads(done.stdout))


def test_a_confined_server_can_read_and_wait_and_sees_nothing_of_ours(tmp_path: Path) -> None:
    found = outcome(tmp_path)
    assert all(found[name] is True for name in ("read", "nothing", "loop", "thread", "main"))
    assert found["ours"] == []


@pytest.mark.skipif(not containment.probe().landlock, reason="this kernel has no Landlock")
def test_a_confined_server_can_neither_write_nor_start_programs(tmp_path: Path) -> None:
    found = outcome(tmp_path)
    assert found["write"] is False and found["program"] is False
    assert not (tmp_path / "written").exists()
