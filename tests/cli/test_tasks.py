"""`autoforge-gen tasks`, and what `check` and `show` say of tasks."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autoforge.mcp_envs.task import Task, read_tasks
from tests.cli.conftest import Ran, Run, files_of, program

SECONDS = 60.0
SHORT = ("--least-calls", "2", "--least-writes", "1")
"""Options with which tasks of the small environment are found at once."""
STALL = """
import os, sys, threading
from autoforge.generator.cli import main
from autoforge.generator.tasks import progress_file

add = progress_file.ProgressFile.add

def added(self, attempts):
    add(self, attempts)
    with open(os.environ["TELL"], "wb", buffering=0) as told:
        told.write(b"kept\\n")
    threading.Event().wait()

progress_file.ProgressFile.add = added
if __name__ == "__main__":
    import signal
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
    main(sys.argv[1:])
"""
"""The program, which waits for ever once its first attempts are kept. Workers import it as their main module."""


@pytest.fixture(scope="session")
def tasked(compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """An environment with three tasks, and what the program said; not to be changed."""
    folder = tmp_path_factory.mktemp("tasked")
    shutil.copytree(compiled, folder / "notes")
    done = program("tasks", "notes", "-n", "3", *SHORT, "--jobs", "1", "--json", cwd=folder)
    assert done.code == 0, done.err
    return folder / "notes", done


@pytest.fixture
def bare(tmp_path: Path, compiled: Path) -> Path:
    """An environment without tasks."""
    return Path(shutil.copytree(compiled, tmp_path / "notes"))


@pytest.fixture
def copy(tmp_path: Path, tasked: tuple[Path, Ran]) -> Path:
    """An environment with three tasks."""
    return Path(shutil.copytree(tasked[0], tmp_path / "notes"))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def edit_task(folder: Path, change: Callable[[dict[str, Any]], object], line: int = 0) -> None:
    """Change one line of `tasks.jsonl`."""
    lines = (folder / "tasks.jsonl").read_text(encoding="utf-8").split("\n")
    document = json.loads(lines[line])
    change(document)
    lines[line] = json.dumps(document)
    (folder / "tasks.jsonl").write_text("\n".join(lines), encoding="utf-8")


def test_tasks_are_added_and_told(tasked: tuple[Path, Ran]) -> None:
    folder, done = tasked
    [environment] = done.document["environments"]
    tasks = read_tasks(folder)
    assert (environment["name"], environment["admitted"], environment["wanted"]) == ("notes", 3, 3)
    assert len(tasks) == 3 and environment["admission"]["tasks"] == 3
    assert (
        environment["admission"] == json.loads((folder / "environment.json").read_text(encoding="utf-8"))["admission"]
    )
    assert "3 of 3 tasks" in done.err and f"Next: autoforge-gen show notes {tasks[0].id}" in done.err
    assert '<section id="tasks"' in (folder / "report.html").read_text(encoding="utf-8")
    assert [name for name in files_of(folder.parent) if "tasks.jsonl" in name] == ["notes/tasks.jsonl"]


def test_more_are_added_behind_those_that_are_there(run: Run, copy: Path) -> None:
    before = read_tasks(copy)
    assert run("tasks", copy, "-n", "1", *SHORT, "--jobs", "1").code == 0
    after = read_tasks(copy)
    assert after[:3] == before and len(after) == 4
    assert after[3].id > before[2].id and len({t.id for t in after}) == 4
    assert len({t.instruction for t in after}) == 4


def test_with_replace_the_old_ones_go_and_distractors_are_offered(run: Run, copy: Path) -> None:
    before = read_tasks(copy)
    ran = run("tasks", copy, "-n", "2", *SHORT, "--jobs", "1", "--replace", "--distractors", "1", "--json")
    assert ran.code == 0
    after = read_tasks(copy)
    assert [t.id for t in after] == [t.id for t in before[:2]]
    assert ran.document["environments"][0]["admission"]["tasks"] == 2
    for task in after:
        assert task.distractors is not None and len(task.distractors) == 1
        assert task.distractors[0] not in {step.tool for step in task.blueprint.steps}


def test_too_few_is_a_failure_whose_reasons_are_kept(run: Run, bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autoforge.generator.tasks.campaign._DRY", 6)
    hopeless = ("--least-calls", "40", "--most-calls", "40", "--merged", "0")
    ran = run("tasks", bare, "-n", "1", "--jobs", "1", *hopeless, "--json")
    assert ran.code == 1
    [environment] = ran.document["environments"]
    assert environment["admitted"] == 0 and environment["examples"]
    assert "0 of 1 tasks" in ran.err and "too short" in ran.err
    assert read_tasks(bare) == ()
    told = json.loads((bare / "environment.json").read_text(encoding="utf-8"))["admission"]
    assert told["proposals"] == sum(told["rejections"].values()) and told["rejections"]["too short"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-n", "0"), "-n"),
        ((), "-n"),
        (("-n", "2", "--difficulty", "hard"), "easy=20,medium=50,hard=30"),
        (("-n", "2", "--difficulty", "brutal=1"), "easy=20,medium=50,hard=30"),
        (("-n", "2", "--difficulty", "easy=0"), "above 0"),
        (("-n", "2", "--language", "xx"), "auto"),
        (("-n", "2", "--jobs", "0"), "--jobs"),
        (("-n", "2", "--branches", "1.5"), "--branches"),
        (("-n", "2", "--least-calls", "0"), "least"),
        (("-n", "2", "--least-calls", "9", "--most-calls", "3"), "exclude"),
        (("-n", "2", "--distractors", "-1"), "--distractors"),
    ],
)
def test_options_that_make_no_sense_are_named(run: Run, bare: Path, options: tuple[str, ...], words: str) -> None:
    before = files_of(bare.parent)
    ran = run("tasks", bare, *options)
    assert ran.code == 2 and words in ran.err
    assert files_of(bare.parent) == before


def test_an_environment_that_is_not_there_is_bad_input_before_any_task_is_made(run: Run, bare: Path) -> None:
    before = contents(bare)
    ran = run("tasks", bare, "nowhere", "-n", "1", "--json")
    assert ran.code == 2 == ran.document["exit_code"] and "nowhere" in ran.document["error"]
    assert contents(bare) == before


def test_tasks_are_proved_again_by_check(run: Run, copy: Path) -> None:
    ran = run("check", copy, "--jobs", "1", "--json")
    assert ran.code == 0
    assert ran.document["environments"][0]["tasks"] == {"proved": 3, "failed": [], "summary": []}
    assert "3 of 3 tasks proved again" in ran.err


def test_a_task_that_was_tampered_with_fails_check(run: Run, copy: Path) -> None:
    edit_task(copy, lambda d: d["gold"].update(state="0" * 64), line=1)
    ran = run("check", copy, "--jobs", "1", "--json")
    assert ran.code == 1
    [environment] = ran.document["environments"]
    name = read_tasks(copy)[1].id
    assert environment["tasks"]["proved"] == 2 and not environment["passed"]
    assert [(p["task"], p["reason"]) for p in environment["tasks"]["failed"]] == [(name, "wrong digest")]
    assert f"task {name}: wrong digest" in ran.err and "notes: failed" in ran.err


@pytest.mark.parametrize("command", [("check",), ("tasks", "-n", "1"), ("show",)])
@pytest.mark.parametrize("line", ["{", '{"id": "x"}', "[]", None])
def test_a_line_that_is_no_task_is_named(run: Run, copy: Path, command: tuple[str, ...], line: str | None) -> None:
    lines = (copy / "tasks.jsonl").read_text(encoding="utf-8").split("\n")
    lines[1] = lines[0] if line is None else line
    (copy / "tasks.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ran = run(command[0], copy, *command[1:])
    assert ran.code == 2 and "tasks.jsonl, line 2" in ran.err


def test_a_task_is_shown_by_its_number(run: Run, copy: Path) -> None:
    first = read_tasks(copy)[0]
    ran = run("show", copy, "#1")
    assert ran.code == 0 and first.id in ran.out and all(call.tool in ran.out for call in first.gold.calls)
    shown = run("show", copy, "#1", "--json").document
    assert Task.model_validate({k: v for k, v in shown.items() if k in Task.model_fields}) == first
    assert run("show", copy, "#4").code == 2 and run("show", copy, "#0").code == 2


def test_several_environments_each_get_theirs(run: Run, bare: Path) -> None:
    other = shutil.copytree(bare, bare.with_name("more"))
    ran = run("tasks", bare, other, "-n", "1", *SHORT, "--jobs", "1", "--json")
    assert ran.code == 0 and len(ran.document["environments"]) == 2
    assert read_tasks(bare) == read_tasks(other) != ()


def test_interrupted_it_leaves_the_environment_as_it_was_and_the_same_command_goes_on(
    tmp_path: Path, bare: Path, run: Run, tasked: tuple[Path, Ran]
) -> None:
    (tmp_path / "stall.py").write_text(STALL, encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    before = contents(bare)
    environment = {
        **os.environ,
        "TELL": str(pipe),
        "TMPDIR": str(tmp_path / "temporary"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = ["tasks", "notes", "-n", "3", *SHORT, "--json"]
    with subprocess.Popen(
        [sys.executable, "stall.py", *command, "--jobs", "2"],
        cwd=tmp_path, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8",
    ) as process:  # fmt: skip
        try:
            with open(os.open(pipe, os.O_RDWR), "rb", buffering=0) as told:  # it writes too: no end is seen
                assert select.select([told], [], [], SECONDS)[0], "the program kept nothing"
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    assert (process.returncode, "Traceback" in err) == (130, False), err
    assert contents(bare) == before and list((tmp_path / "temporary").iterdir()) == []
    kept = tmp_path / ".notes.tasks.jsonl"
    assert len(kept.read_text(encoding="utf-8").splitlines()) > 1
    ran = run(*command, "--jobs", "1")
    assert ran.code == 0 and not kept.exists()
    assert contents(bare) == contents(tasked[0])
