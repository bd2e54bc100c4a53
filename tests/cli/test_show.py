"""`autoforge-gen show`: an environment, a tool, and JSON of either."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Run


def test_an_environment_is_shown_with_its_tables_tools_and_verdicts(run: Run, compiled: Path) -> None:
    ran = run("show", compiled)
    assert (ran.code, ran.err) == (0, "")
    for word in ("notes", "priority", "get_note", "creates notes", "deletes notes", "passed"):
        assert word in ran.out


def test_a_tool_is_shown_with_its_refusals_and_its_code(run: Run, compiled: Path) -> None:
    ran = run("show", compiled, "delete_note")
    assert ran.code == 0
    assert "def delete_note(db, *, note_id):" in ran.out and "refuses: No note" in ran.out
    assert "def get_note" not in ran.out


def test_json_is_the_manifest_or_the_record_of_the_tool(run: Run, compiled: Path) -> None:
    manifest = json.loads((compiled / "environment.json").read_text(encoding="utf-8"))
    assert run("show", compiled, "--json").document == manifest
    assert run("show", compiled, "get_note", "--json").document == manifest["tools"][0]


def test_an_unknown_tool_is_refused_with_where_to_look(run: Run, compiled: Path) -> None:
    for extra in ([], ["--json"]):
        ran = run("show", compiled, "get_nothing", *extra)
        assert ran.code == 2 and "get_nothing" in ran.err and "autoforge-gen show" in ran.err


def test_a_damaged_tools_py_is_said_and_not_a_fault(run: Run, compiled: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(compiled, tmp_path / "damaged"))
    (folder / "tools.py").write_text("def (", encoding="utf-8")
    ran = run("show", folder, "get_note")
    assert ran.code == 0 and "autoforge-gen check" in ran.out


def test_a_reader_that_goes_away_is_no_fault(compiled: Path) -> None:
    command = [sys.executable, "-m", "autoforge.generator.cli", "show", str(compiled), "--json"]
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as closed:
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, encoding="utf-8", timeout=60, check=False)
    assert "Traceback" not in done.stderr and "fault" not in done.stderr
