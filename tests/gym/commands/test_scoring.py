"""`autoforge-gym score`: what trajectories are scored on again, and what they must not reach."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.runs.reading import latest
from autoforge.mcp_envs.task import read_tasks
from tests.gym.commands.conftest import HOTEL, Run, files_of
from tests.gym.commands.test_play import typed
from tests.gym.runs.outcomes import trajectory
from tests.gym.servers.processes import FAKE

SERVER = f"{sys.executable} {FAKE}"
SKETCH = {
    "id": "milk", "instruction": "Note for the home: buy milk.", "probe": [{"tool": "list_notes", "path": "$.notes"}],
    "calls": [{"tool": "add_note", "arguments": {"text": "buy milk"}}],
}  # fmt: skip


def settings(**more: Any) -> str:
    return json.dumps({"agent": "a", "user": "u", **more})


def copied(place: str) -> Path:
    shutil.copytree(HOTEL, place)
    return Path(place)


def played(run: Run, place: object, output: str, *more: object) -> None:
    assert run("run", place, "--agent", "oracle", "--limit", 2, "--judge", "none", "-o", output, *more).code == 0


def problems(ran: Any) -> list[str]:
    return [difference["problem"] for difference in ran.document["differences"]]


@pytest.mark.parametrize("named", ["environment", "environments"])
def test_a_program_or_an_address_that_a_trajectory_names_is_not_started(run: Run, named: str) -> None:
    for number, target in enumerate((f"touch {Path('started').absolute()}", "http://127.0.0.1:9/mcp")):
        name = target if named == "environment" else "inn"
        Path(f"{number}.jsonl").write_text(trajectory(environment=name).line(), encoding="utf-8")
        if named == "environments":
            Path(f"{number}.jsonl.meta.json").write_text(settings(environments={"inn": target}), encoding="utf-8")
        ran = run("score", f"{number}.jsonl")
        words = f"inn was played on {target}" if named == "environments" else "no such environment"
        assert ran.code == 2 and words in ran.err and "--env" in ran.err, ran.err
    assert not Path("started").exists()


def test_a_command_is_scored_when_a_person_gives_it_and_another_one_is_told(run: Run) -> None:
    Path("mine.jsonl").write_text(json.dumps(SKETCH), encoding="utf-8")
    assert run("gold", SERVER, "mine.jsonl", "-o", "tasks.jsonl").code == 0
    with_tasks = ("--task-file", "tasks.jsonl")
    played(run, SERVER, "runs.jsonl", *with_tasks)
    refused = run("score", "runs.jsonl", *with_tasks)
    assert refused.code == 2 and f"was played on {SERVER}" in refused.err and "--task-file" in refused.err
    ran = run("score", "runs.jsonl", "--env", SERVER, *with_tasks, "--json")
    assert ran.code == 0 and ran.document["not scored"] == 0 and ran.err.count("\n") == 1
    ran = run("score", "runs.jsonl", "--env", f"env A=1 {SERVER}", *with_tasks, "--json")
    assert ran.code == 0 and ran.document["rewards changed"] == 0
    assert ran.err.splitlines()[0] == f"fake_server was played on {SERVER} and is scored on env A=1 {SERVER}."


def test_tasks_are_those_of_the_trajectorys_own_file(run: Run) -> None:
    """Two files from one folder, whose tasks changed in between."""
    place = copied("elsewhere/hotel")
    played(run, place, "old.jsonl")
    lines = [json.loads(line) for line in (place / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
    text = "".join(json.dumps(line | {"persona": "Another."}) + "\n" for line in lines)
    (place / "tasks.jsonl").write_text(text, encoding="utf-8")
    played(run, place, "new.jsonl")
    for files, count in ((["old.jsonl"], 2), (["new.jsonl"], 0), (["old.jsonl", "new.jsonl"], 2)):
        ran = run("score", *files, "--json")
        assert problems(ran) == ["hotel has another task of this id now"] * count


def test_an_environment_whose_tools_changed_is_told_and_scored_only_where_it_is_named(run: Run) -> None:
    place = copied("elsewhere/hotel")
    played(run, place, "runs.jsonl")
    with (place / "tools.py").open("a", encoding="utf-8") as file:
        file.write("\n# other now\n")
    ran = run("score", "runs.jsonl", "--json")
    assert ran.code == 1 and all("hotel has changed since" in problem for problem in problems(ran))
    assert ran.document["not scored"] == 2
    ran = run("score", "runs.jsonl", "--env", place, "--json")
    assert ran.code == 0 and ran.document["not scored"] == 0 and "hotel has changed since" in ran.err


def test_what_a_person_played_is_scored_where_it_was_played(run: Run) -> None:
    place = copied("elsewhere/hotel")
    task = next(task for task in read_tasks(place) if task.gold.answers)
    other = json.loads((place / "tasks.jsonl").read_text(encoding="utf-8").splitlines()[0]) | {"id": "own"}
    (place / "tasks.jsonl").write_text(json.dumps(other) + "\n", encoding="utf-8")
    ran = run("play", place, "own", "--as", "agent", "-o", "mine.jsonl", stdin=typed(task))
    assert ran.code == 0, ran.err
    ran = run("score", "mine.jsonl", "--json")
    assert ran.code == 0 and ran.document["episodes"] == 1, ran.err


def test_a_file_that_is_given_twice_counts_once(run: Run, oracle_file: Path) -> None:
    Path("link.jsonl").symlink_to(oracle_file)
    ran = run("score", oracle_file, "link.jsonl", oracle_file, "--json", "--env", HOTEL)
    assert ran.code == 0 and ran.document["episodes"] == 12


@pytest.mark.parametrize(
    "output", ["runs.jsonl", "./sub/../runs.jsonl", "link.jsonl", "runs.jsonl.meta.json", "t.jsonl"]
)
def test_no_input_is_written_over(run: Run, output: str) -> None:
    played(run, "hotel", "runs.jsonl")
    shutil.copy(HOTEL / "tasks.jsonl", "t.jsonl")
    Path("sub").mkdir()
    Path("link.jsonl").symlink_to("runs.jsonl")
    before = {name: Path(name).read_bytes() for name in files_of(Path()) if Path(name).is_file()}
    for line in (
        ["score", "runs.jsonl", "--env", "hotel", "--task-file", "t.jsonl", "-o", output],
        *(
            [["export", "runs.jsonl", "-o", output], ["view", "runs.jsonl", "-o", output]]
            if "meta" not in output
            else []
        ),
    ):
        if output == "t.jsonl" and line[0] != "score":
            continue
        ran = run(*line)
        assert ran.code == 2 and "is a file that is read" in ran.err, line
    assert {name: Path(name).read_bytes() for name in before} == before


def test_the_sketches_are_not_written_over(run: Run) -> None:
    Path("mine.jsonl").write_text(json.dumps(SKETCH), encoding="utf-8")
    ran = run("gold", SERVER, "mine.jsonl", "-o", "./mine.jsonl")
    assert ran.code == 2 and "is a file that is read" in ran.err
    assert json.loads(Path("mine.jsonl").read_text(encoding="utf-8")) == SKETCH


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "line 1: it has format 2, and this version reads 1"),
        ({"format": 2, "of the future": 1}, "line 1: it has format 2"),
        ({"trial": 7}, "is hotel/"),
        ({"environment": "bank"}, "is bank/"),
    ],
)
def test_a_trajectory_of_another_format_or_of_another_id_is_refused(
    run: Run, oracle_file: Path, change: dict[str, Any], words: str
) -> None:
    line = json.loads(next(latest(oracle_file)).line()) | change
    Path("one.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    ran = run("score", "one.jsonl", "--env", HOTEL)
    assert ran.code == 2 and words in ran.err and ran.err.count("\n") == 1


def test_what_is_wrong_beside_the_trajectories_is_told_with_advice_that_helps(run: Run) -> None:
    played(run, "hotel", "runs.jsonl")
    ran = run("score", "runs.jsonl", "--task-file", "nofile")
    assert ran.code == 2 and "nofile cannot be read" in ran.err and "--env" not in ran.err
    Path("runs.jsonl.meta.json").write_text("{", encoding="utf-8")
    ran = run("score", "runs.jsonl")
    assert ran.code == 2 and "Invalid JSON" in ran.err and "move it away" in ran.err and "-o" not in ran.err


@pytest.mark.parametrize("arguments", [["score"], ["view", "-o", "page.html"], ["export", "-o", "out.jsonl"]])
def test_input_that_is_no_file_is_named(run: Run, oracle_file: Path, arguments: list[str]) -> None:
    ours, theirs = os.pipe()
    with subprocess.Popen(["cat", oracle_file], stdout=theirs) as process:
        os.close(theirs)
        ran = run(arguments[0], f"/dev/fd/{ours}", *arguments[1:])
        os.close(ours)
        process.wait()
    assert (ran.code, ran.err) == (2, f"autoforge-gym: /dev/fd/{ours} is a pipe; give a regular file.\n")
    assert files_of(Path()) == []


def test_a_pipe_that_nobody_writes_to_blocks_nothing(run: Run) -> None:
    os.mkfifo("runs.jsonl")
    os.mkfifo("some.jsonl.meta.json")
    Path("some.jsonl").write_text(trajectory().line(), encoding="utf-8")
    for name in ("runs.jsonl", "some.jsonl"):
        ran = run("score", name)
        assert ran.code == 2 and "is a pipe; give a regular file" in ran.err


def test_names_that_no_file_can_have_are_refused_in_one_sentence(run: Run) -> None:
    for name in ("x" * 5000, "a\0b"):
        Path("some.jsonl").write_text(trajectory(environment=name).line(), encoding="utf-8")
        for line in (["score", "some.jsonl"], ["score", name], ["score", "some.jsonl", "-o", name]):
            ran = run(*line)
            assert ran.code == 2 and "a fault" not in ran.err and len(ran.err) < 700, ran.err[:1000]
