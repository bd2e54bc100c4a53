"""`autoforge-gen check`: from the files alone; a changed environment does not pass."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run, files_of, program


@pytest.fixture
def copy(tmp_path: Path, compiled: Path) -> Path:
    """An environment that may be changed."""
    return Path(shutil.copytree(compiled, tmp_path / "mcp_envs" / "notes"))


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_environment_passes_again_where_only_its_files_are(tmp_path: Path, compiled: Path) -> None:
    """Moved, without the documentation it was made of, in a process that never compiled anything."""
    shutil.copytree(compiled, tmp_path / "elsewhere")
    before = files_of(tmp_path)
    done = program("check", "elsewhere", "--json", cwd=tmp_path)
    assert done.code == 0, done.err
    [environment] = done.document["environments"]
    assert environment["passed"] and environment["failures"] == []
    assert environment["containment"] and environment["containment"] in done.err
    assert set(environment["tools"]) == {"get_note", "create_note", "list_notes", "delete_note"}
    assert files_of(tmp_path) == before


def test_the_verdicts_are_those_of_the_manifest(run: Run, copy: Path) -> None:
    manifest = json.loads((copy / "environment.json").read_text(encoding="utf-8"))
    [environment] = run("check", copy, "--json").document["environments"]
    assert environment["conformance"] == manifest["conformance"]
    assert environment["tools"] == {t["name"]: t["verdict"] for t in manifest["tools"]}


def test_environments_are_found_by_name_here_and_in_the_named_folders(
    run: Run, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("check", "notes").code == 0
    copy.parent.rename("shelf")
    assert run("check", "notes").code == 2
    monkeypatch.setenv("AUTOFORGE_ENVS", "nowhere:shelf")
    assert run("check", "notes").code == 0


def test_a_parameter_made_dead_is_found(run: Run, copy: Path) -> None:
    edit(copy / "tools.py", "        priority,\n        priority,\n", "        None,\n        None,\n")
    edit(copy / "tools.py", "        title,\n", '        "always the same",\n')
    ran = run("check", copy, "--json")
    assert ran.code == 1
    [environment] = ran.document["environments"]
    assert environment["tools"]["list_notes"]["dead_parameters"] == ["priority"]
    assert environment["tools"]["create_note"]["dead_parameters"] == ["title"]
    assert any("parameters are dead" in failure for failure in environment["failures"])
    assert "notes: failed" in ran.err


def test_code_that_may_not_run_is_refused_and_never_run(run: Run, copy: Path) -> None:
    canary = copy.parent / "canary"
    edit(copy / "tools.py", "\n\nclass ToolError", f"\nimport os\nos.mkdir({str(canary)!r})\n\n\nclass ToolError")
    ran = run("check", copy)
    assert ran.code == 1 and "import" in ran.err and "notes: failed" in ran.err
    assert not canary.exists()


def test_a_server_that_does_not_start_is_found(run: Run, copy: Path) -> None:
    (copy / "server.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    ran = run("check", copy)
    assert ran.code == 1 and "server.py" in ran.err


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("environment.json", "{"),
        ("environment.json", '{"name": "notes"}'),
        ("docs.json", "{}"),
        ("docs.json", "[]"),
        ("tools.py", None),
        ("schema.sql", None),
    ],
)
def test_a_file_that_is_missing_or_damaged_is_named(run: Run, copy: Path, file: str, content: str | None) -> None:
    if content is None:
        (copy / file).unlink()
    else:
        (copy / file).write_text(content, encoding="utf-8")
    ran = run("check", copy)
    assert ran.code in (1, 2) and file in ran.err


def test_one_failure_among_several_environments_is_the_exit_code(run: Run, copy: Path, compiled: Path) -> None:
    (copy / "server.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    ran = run("check", compiled, copy, "--json")
    assert ran.code == 1
    assert [e["passed"] for e in ran.document["environments"]] == [True, False]
