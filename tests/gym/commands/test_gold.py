"""`autoforge-gym gold`: tasks that a person wrote for any server become tasks that are scored."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.gym.commands.conftest import HOTEL, Run, files_of
from tests.gym.servers.processes import FAKE

SERVER = f"python {FAKE}"
SKETCH: dict[str, Any] = {
    "id": "milk", "instruction": "Note for the home: buy milk.", "known": {"text": "buy milk"},
    "probe": [{"tool": "list_notes", "path": "$.notes", "kind": {"id": "surrogate"}}],
    "calls": [{"tool": "add_note", "arguments": {"text": "buy milk", "tags": ["home"]}}],
}  # fmt: skip


def written(*sketches: Any) -> str:
    Path("mine.jsonl").write_text("\n".join(json.dumps(s) for s in sketches), encoding="utf-8")
    return "mine.jsonl"


def test_tasks_get_their_gold_and_the_oracle_solves_them_and_doing_nothing_does_not(run: Run) -> None:
    count = {"name": "number of notes", "type": "number", "value": 0}
    looks = {**SKETCH, "id": "look", "calls": [{"tool": "list_notes"}], "answers": [count]}
    ran = run("gold", SERVER, written(SKETCH, looks), "-o", "tasks.jsonl", "--json")
    assert ran.code == 0, ran.err
    assert ran.document == {"output": "tasks.jsonl", "changed_rows": {"milk": 1, "look": 0}}
    for agent, value in (("oracle", 1.0), ("no-op", 0.0)):
        played = run("run", SERVER, "--task-file", "tasks.jsonl", "--agent", agent, "--judge", "none", "--json",
                     "-o", f"{agent}.jsonl")  # fmt: skip
        assert played.code == 0 and played.document["all"]["pass@1"]["value"] == value, played.err


@pytest.mark.parametrize(
    ("sketch", "words"),
    [
        ({**SKETCH, "calls": [{"tool": "nothing"}]}, "was refused: Unknown tool"),
        ({**SKETCH, "calls": []}, "change nothing that its probes show"),
        ({**SKETCH, "probe": [{"tool": "nothing"}]}, "the probe nothing is no tool"),
        ({**SKETCH, "probe": [{"tool": "clock"}]}, "does not begin the same way twice"),
    ],
)
def test_a_task_whose_calls_leave_no_gold_is_named_and_nothing_is_written(
    run: Run, sketch: dict[str, Any], words: str
) -> None:
    ran = run("gold", SERVER, written(SKETCH, {**sketch, "id": "other"}), "-o", "out/tasks.jsonl")
    assert ran.code == 1 and words in ran.err and ran.err.count("\n") == 1
    assert files_of(Path()) == ["mine.jsonl", "out"] and files_of(Path("out")) == []


@pytest.mark.parametrize(
    ("sketches", "words"),
    [
        ([], "holds no task"),
        ([{}], "line 1: /id: Field required"),
        ([SKETCH, SKETCH], "the id 'milk' occurs twice"),
        ([SKETCH, {**SKETCH, "gold": 1}], "line 2: /gold: Extra inputs"),
        ([{**SKETCH, "probe": []}], "line 1: /probe"),
        ([{**SKETCH, "id": "a/b"}], "line 1: /id"),
        ([[]], "line 1"),
    ],
)
def test_a_line_that_is_no_task_is_refused_with_its_place(run: Run, sketches: list[Any], words: str) -> None:
    ran = run("gold", SERVER, written(*sketches), "-o", "tasks.jsonl")
    assert ran.code == 2 and words in ran.err and ran.err.count("\n") == 1
    assert files_of(Path()) == ["mine.jsonl"]


def test_an_environment_of_ours_and_a_file_that_is_none_are_refused(run: Run) -> None:
    written(SKETCH)
    assert "autoforge-gen tasks" in run("gold", HOTEL, "mine.jsonl", "-o", "t.jsonl").err
    assert run("gold", SERVER, "nowhere.jsonl", "-o", "t.jsonl").code == 2
    Path("mine.jsonl").write_text("{", encoding="utf-8")
    ran = run("gold", SERVER, "mine.jsonl", "-o", "t.jsonl")
    assert ran.code == 2 and "line 1: it is not JSON" in ran.err and not Path("t.jsonl").exists()


def test_the_line_in_the_readme_is_one(run: Run) -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    [block] = [block for block in re.findall(r"```json\n(.*?)```", readme, re.DOTALL) if '"probe"' in block]
    ran = run("gold", SERVER, written(json.loads(block)), "-o", "tasks.jsonl", "--json")
    assert ran.code == 0 and ran.document["changed_rows"] == {"milk": 1}, ran.err
