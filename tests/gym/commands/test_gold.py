"""`autoforge-gym gold`: tasks that a person wrote for any server become tasks that are scored."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from tests.gym.commands.conftest import HOTEL, Run, files_of
from tests.gym.servers.processes import FAKE

SERVER = f"python {FAKE}"
NOTES = {"tool": "list_notes", "path": "$.notes"}
ADDS = {"tool": "add_note", "arguments": {"text": "x"}}
COUNT = {"name": "number of notes", "type": "number", "value": 0}
ADD = {"tool": "add_note", "arguments": {"text": "buy milk"}}
OTHER = {"tool": "add_note", "arguments": {"text": "buy bread"}}
DROP = {"tool": "drop_note", "arguments": {"id": 1}}
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
        ({**SKETCH, "calls": [{"tool": "misbehave", "arguments": {"how": "refuse"}}]}, "was refused: not on Sundays"),
        ({**SKETCH, "calls": []}, "change nothing that its probes show"),
        ({**SKETCH, "probe": [{"tool": "clock"}]}, "do not show the same twice in a row (clock)"),
        ({**SKETCH, "probe": [ADDS]}, "do not show the same twice in a row (add_note)"),
        ({**SKETCH, "probe": [{**NOTES, "kind": {"it": "surrogate"}}]}, "no column 'it'; it has 'id', 'text', 'tags'"),
        (
            {**SKETCH, "probe": [{**NOTES, "kind": {"text": "free_text"}}], "calls": [DROP, OTHER], "setup": [ADD]},
            "doing nothing solves task other",
        ),
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
        ([{**SKETCH, "id": "x" * 101}], "line 1: /id"),
        ([{**SKETCH, "id": "a\u0007b"}], "line 1: /id: an id has printable characters only"),
        ([{**SKETCH, "instruction": " \n"}], "line 1: /instruction: the instruction is blank"),
        ([{**SKETCH, "language": "English, please"}], "line 1: /language"),
        ([{**SKETCH, "known": {"rate": math.nan}}], "line 1: it holds NaN, which is no number of JSON"),
        ([SKETCH, {**SKETCH, "known": {"rate": -math.inf}}], "line 2: it holds -Infinity"),
        ([{**SKETCH, "known": {"half": "\ud800"}}], "line 1: it holds half of a character"),
        ([{**SKETCH, "x" * 5000: 1}], "xxx…: Extra inputs"),
        ([{**SKETCH, "answers": [COUNT, {**COUNT, "name": "Number  of notes"}]}], "line 1: /answers: two answers are"),
        ([{**SKETCH, "answers": [{**COUNT, "value": True}]}], "line 1: /answers/0: the value of a number is a number"),
        ([{**SKETCH, "answers": [{**COUNT, "value": "3"}]}], 'such as 3 or 2.5, not "3"'),
        ([{**SKETCH, "answers": [{**COUNT, "type": "date", "value": "tomorrow"}]}], "such as 2026-03-05"),
        ([{**SKETCH, "answers": [{**COUNT, "type": "date", "value": "2026-02-30"}]}], "such as 2026-03-05"),
        ([{**SKETCH, "answers": [{**COUNT, "type": "boolean", "value": 1}]}], "true or false, not 1"),
        ([{**SKETCH, "answers": [{**COUNT, "type": "list", "value": "a, b"}]}], "is a list"),
        ([{**SKETCH, "answers": [{**COUNT, "type": "list", "value": [{}]}]}], "is no plain value"),
        ([{**SKETCH, "answers": [{**COUNT, "type": "text", "value": 3}]}], "is a text, not 3"),
        ([{**SKETCH, "answers": [{**COUNT, "type": "text", "value": "!"}]}], "has no words"),
        (
            [{**SKETCH, "calls": [{"tool": "nothing"}]}],
            "the call nothing is no tool of this server; its tools are add_",
        ),
        ([{**SKETCH, "setup": [{"tool": "nothing"}]}], "the set-up call nothing is no tool"),
        ([SKETCH, {**SKETCH, "id": "b", "probe": [{"tool": "x" * 500}]}], "task b: the probe xxx"),
        ([{**SKETCH, "probe": [{"tool": "write"}]}], "write is a tool that says that it does not only read"),
    ],
)
def test_a_line_that_is_no_task_is_refused_with_its_place(run: Run, sketches: list[Any], words: str) -> None:
    ran = run("gold", SERVER, written(*sketches), "-o", "tasks.jsonl")
    assert ran.code == 2 and words in ran.err and ran.err.count("\n") == 1 and len(ran.err) < 500, ran.err
    assert files_of(Path()) == ["mine.jsonl"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"id": "milk", "id": "milk"}', "the key 'id' occurs twice"),
        ('{"id": "milk", "known": {"a": 1, "a": 2}}', "the key 'a' occurs twice"),
        ('{"known": {"a": 1e999}}', "it holds 1e999, which is no number"),
        ("[" * 100_000, "it is not JSON"),
        ('{"id": ' + "1" * 5000 + "}", "it is not JSON"),
    ],
    ids=lambda value: value[:20],
)
def test_what_other_readers_would_take_for_something_else_is_refused(run: Run, line: str, words: str) -> None:
    Path("mine.jsonl").write_text(f"\n{line}\n", encoding="utf-8")
    ran = run("gold", SERVER, "mine.jsonl", "-o", "tasks.jsonl")
    assert ran.code == 2 and words in ran.err and "mine.jsonl, line 2" in ran.err and len(ran.err) < 500, ran.err


def test_a_file_may_begin_with_a_byte_order_mark_and_a_task_may_have_every_type_of_answer(run: Run) -> None:
    values = {"number": 0, "text": "nothing", "date": "5 March 2026", "boolean": True, "list": [1, "a"]}
    answers = [{"name": f"the {kind}", "type": kind, "value": value} for kind, value in values.items()]
    sketch = {**SKETCH, "language": "pt-BR", "answers": answers}
    Path("mine.jsonl").write_text(json.dumps(sketch), encoding="utf-8-sig")
    assert run("gold", SERVER, "mine.jsonl", "-o", "tasks.jsonl").code == 0


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
