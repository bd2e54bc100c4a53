"""An environment that does not pass: not written unless asked for, never called passing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autoforge.generator.conformance import bar
from tests.cli.conftest import NOTES, Run, tool

FAULTY = """
import sys
from autoforge.generator import compile as compiling
from autoforge.generator.cli import main

inner = compiling.synthesize

def faulty(documentation, *, name, **settings):
    if name == "broken":
        raise ZeroDivisionError("on purpose")
    if name == "refused":
        raise compiling.BadInput("refused: on purpose; give another.")
    return inner(documentation, name=name, **settings)

compiling.synthesize = faulty
if __name__ == "__main__":
    main(sys.argv[1:])
"""
"""The program with a fault in two environments. Workers import it as their main module."""
HOPELESS = [
    tool("frobnicate", "Frobnicate.", ["wibble"], wibble={"type": "string"}),
    tool("flurbify", "Flurbify.", ["wobble"], wobble={"type": "string"}),
    tool("get_note", "Get a note.", ["note_id"], note_id={"type": "string"}),
]
"""Two tools of three whose meaning nobody can infer."""


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar below which these are, whatever the rules make of them."""
    monkeypatch.setattr(bar, "LEAST_WEAK", 0)
    monkeypatch.setattr(bar, "WEAK_FAILING_SHARE", -1.0)


@pytest.fixture
def hopeless(tmp_path: Path) -> Path:
    path = tmp_path / "hopeless.json"
    path.write_text(json.dumps(HOPELESS), encoding="utf-8")
    return path


def test_it_is_not_written_and_the_evidence_is_said(run: Run, hopeless: Path) -> None:
    ran = run(hopeless, "--json")
    assert ran.code == 1
    [environment] = ran.document["environments"]
    assert not environment["passed"] and environment["written"] is None
    assert any("tools are weak" in failure for failure in environment["failures"])
    assert "tools are weak" in ran.err and "was not written" in ran.err and "passed" not in ran.err
    assert not Path("mcp_envs").exists()


def test_kept_on_demand_it_is_not_called_passing_by_any_command(run: Run, hopeless: Path) -> None:
    ran = run(hopeless, "--keep-failing")
    assert ran.code == 1 and "passed" not in ran.err
    manifest = json.loads(Path("mcp_envs/hopeless/environment.json").read_text(encoding="utf-8"))
    assert manifest["conformance"]["passed"] is False
    checked = run("check", "hopeless", "--json")
    assert checked.code == 1
    assert checked.document["environments"][0]["passed"] is False
    assert "hopeless: failed" in checked.err


def test_a_failing_environment_leaves_the_old_one_in_place(run: Run, hopeless: Path) -> None:
    old = Path("mcp_envs/hopeless/environment.json")
    old.parent.mkdir(parents=True)
    old.write_text("{}", encoding="utf-8")
    assert run(hopeless).code == 1
    assert old.read_text(encoding="utf-8") == "{}"


def test_what_goes_wrong_with_one_environment_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY, encoding="utf-8")
    names = ("broken", "notes", "refused")
    for name in names:
        (tmp_path / f"{name}.json").write_text(json.dumps(NOTES), encoding="utf-8")
    command = [sys.executable, "faulty.py", *(f"{name}.json" for name in names), "--json", "--jobs", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    broken, notes, refused = json.loads(done.stdout)["environments"]
    assert notes["passed"] and (tmp_path / "mcp_envs" / "notes").is_dir()
    assert "ZeroDivisionError: on purpose" in broken["failures"][0] and broken["exit_code"] == 1
    assert refused["failures"] == ["refused: on purpose; give another."] and refused["exit_code"] == 2
    assert sorted(p.name for p in (tmp_path / "mcp_envs").iterdir()) == ["notes"]
