"""`autoforge-gen show`: an environment, a tool, a task, and JSON of each."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.task import task_line
from tests.cli.conftest import Run
from tests.generator.report.desk_tasks import DESK, desk, desk_tasks


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


@pytest.fixture(scope="module")
def with_tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The support desk with three tasks, and one that bears the name of a tool."""
    folder = tmp_path_factory.mktemp("tasks") / "desk"
    shutil.copytree(DESK, folder)
    with Stage(desk()) as stage:
        tasks = desk_tasks(stage)
    same = tasks[2].model_copy(update={"id": "get_ticket"})
    (folder / "tasks.jsonl").write_text("".join(task_line(task) for task in (*tasks, same)), encoding="utf-8")
    return folder


def test_an_environment_is_shown_with_its_tasks(run: Run, with_tasks: Path) -> None:
    ran = run("show", with_tasks)
    assert ran.code == 0
    assert re.search(r"2 +│ desk-user-acts +│ easy +│ test +│ 3 +│ 2 +│ Close the newest", ran.out)


def test_a_task_is_shown_with_its_dag_outputs_diff_answers_and_verdicts(run: Run, with_tasks: Path) -> None:
    ran = run("show", with_tasks, "desk-fall-back")
    assert (ran.code, ran.err) == (0, "")
    for words in (
        "Tom Baker (tom.baker@mail.example) is upset.", "persona: You are a team lead", "if n6 was refused",
        "n6 assign_ticket attempt refused", "ticket_id ← n3 $.id", "tags[1] ← user: tag", "after n8", "+ notes 6",
        "n13 resolve_ticket skipped", "Chiara Lombardi is not on duty", 'status: "open" → "assigned"', "9 (number)",
        'assign_ticket {"ticket_id": 2, "agent_id": 5}', "9/9",
    ):  # fmt: skip
        assert words in ran.out, words


def test_a_task_is_found_by_number_and_by_the_beginning_of_its_id(run: Run, with_tasks: Path) -> None:
    for name in ("#2", "desk-u", "desk-user-acts"):
        ran = run("show", with_tasks, name)
        assert ran.code == 0 and ran.out.startswith("desk-user-acts"), name


def test_a_name_of_a_tool_and_a_task_is_the_tool(run: Run, with_tasks: Path) -> None:
    assert "def get_ticket" in run("show", with_tasks, "get_ticket").out
    assert run("show", with_tasks, "#4").out.startswith("get_ticket")


@pytest.mark.parametrize(
    ("name", "words"),
    [("desk-", "3 tasks"), ("desk-user-axe", "desk-user-acts"), ("get_tickets", "get_ticket"), ("#9", "#1 to #4"),
     ("", "autoforge-gen show")],
)  # fmt: skip
def test_a_name_that_is_not_one_task_is_refused_with_what_is_near(
    run: Run, with_tasks: Path, name: str, words: str
) -> None:
    ran = run("show", with_tasks, name)
    assert ran.code == 2 and words in ran.err


def test_json_is_the_task_with_its_outputs(run: Run, with_tasks: Path) -> None:
    found = run("show", with_tasks, "#1", "--json").document
    line = json.loads((with_tasks / "tasks.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert {name: found[name] for name in line} == line
    assert found["outputs"]["n9"] == 2 and found["refusals"] == {"n6": "Chiara Lombardi is not on duty"}
    assert found["problems"] == []


def test_a_task_that_cannot_be_carried_out_is_shown_and_the_reason_said(
    run: Run, with_tasks: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(with_tasks, tmp_path / "damaged"))
    source = (folder / "tools.py").read_text(encoding="utf-8")
    (folder / "tools.py").write_text("import os\n" + source, encoding="utf-8")
    ran = run("show", folder, "#1")
    assert ran.code == 0 and "Tom Baker" in ran.out and "import" in ran.out
    assert run("show", folder, "#1", "--json").document["problems"] != []


def test_markup_of_the_terminal_in_a_task_is_printed_as_it_stands(run: Run, with_tasks: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(with_tasks, tmp_path / "marked"))
    text = (folder / "tasks.jsonl").read_text(encoding="utf-8").replace("He needs it", "[red]He[/] \\u001b[31mneeds it")
    (folder / "tasks.jsonl").write_text(text, encoding="utf-8")
    ran = run("show", folder, "#1")
    assert ran.code == 0 and "[red]He[/]" in ran.out and "\x1b[31m" not in ran.out
