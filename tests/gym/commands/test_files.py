"""`autoforge-gym score`, `export`, `view` and `compare`: what is read from files of trajectories."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from autoforge.gym.runs.reading import latest
from autoforge.gym.trajectory import Trajectory
from tests.gym.commands.conftest import HOTEL, Run, files_of
from tests.gym.runs.outcomes import trajectory


def test_scores_that_hold_are_said_to_hold(run: Run, oracle_file: Path) -> None:
    ran = run("score", oracle_file, "--json", "-o", "again.jsonl")
    assert ran.code == 0
    assert ran.document == {"episodes": 12, "rewards changed": 0, "changed": 0, "not scored": 0, "differences": []}
    assert Path("again.jsonl").read_bytes() == oracle_file.read_bytes()


def test_a_score_that_does_not_hold_is_found_and_mended_in_the_new_file_alone(run: Run, oracle_file: Path) -> None:
    lines = list(latest(oracle_file))
    lies = [lines[0].model_copy(update={"reward": 0.0, "state_reached": False}), *lines[1:3]]
    Path("lies.jsonl").write_text("".join(line.line() for line in lies), encoding="utf-8")
    before = Path("lies.jsonl").read_bytes()
    ran = run("score", "lies.jsonl", "--env", HOTEL, "-o", "true.jsonl")
    assert ran.code == 0 and "reward was 0 and is 1" in ran.out and "3 episodes: 1 with another reward" in ran.out
    assert Path("lies.jsonl").read_bytes() == before and list(latest(Path("true.jsonl"))) == lines[:3]


def test_an_episode_that_cannot_be_scored_again_is_told(run: Run, oracle_file: Path) -> None:
    line = next(latest(oracle_file)).model_copy(update={"task": "gone", "id": "hotel/gone/oracle/scripted/0"})
    Path("old.jsonl").write_text(line.line(), encoding="utf-8")
    ran = run("score", "old.jsonl", "--json")
    assert ran.code == 1 and ran.document["not scored"] == 1
    assert ran.document["differences"][0]["problem"] == "hotel has no such task any more"


def test_an_environment_is_scored_where_it_was_and_not_one_of_its_name(run: Run) -> None:
    """A folder that `mcp_envs` has another environment of that name beside."""
    shutil.copytree(HOTEL, "elsewhere/hotel")
    lines = Path("elsewhere/hotel/tasks.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0]) | {"id": "of-its-own"}
    Path("elsewhere/hotel/tasks.jsonl").write_text(json.dumps(first) + "\n", encoding="utf-8")
    assert run("run", "elsewhere/hotel", "--agent", "oracle", "-o", "own.jsonl").code == 0
    ran = run("score", "own.jsonl", "--json")
    assert ran.code == 0 and ran.document["not scored"] == 0
    Path("elsewhere/hotel/tasks.jsonl").write_text(json.dumps(first | {"persona": "Another."}) + "\n", encoding="utf-8")
    ran = run("score", "own.jsonl", "--json")
    assert ran.code == 1 and "another task of this id" in ran.document["differences"][0]["problem"]


def test_one_name_in_two_places_is_refused(run: Run) -> None:
    for place in ("one", "two"):
        shutil.copytree(HOTEL, f"{place}/hotel")
        assert run("run", f"{place}/hotel", "--agent", "no-op", "--limit", 1, "-o", f"{place}.jsonl").code == 0
    ran = run("score", "one.jsonl", "two.jsonl")
    assert ran.code == 2 and "hotel is one environment in" in ran.err


def test_where_the_environment_is_another_the_changes_are_told(run: Run, oracle_file: Path) -> None:
    shutil.copytree(HOTEL, "inn")
    tasks = [json.loads(line) for line in Path("inn/tasks.jsonl").read_text(encoding="utf-8").splitlines()]
    for task in tasks:
        task["gold"]["diff"] = []
    Path("inn/tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
    ran = run("score", oracle_file, "--env", "inn", "--json")
    assert ran.code == 0 and 0 < ran.document["rewards changed"] <= 12
    assert {(d["before"], d["after"]) for d in ran.document["differences"]} == {(1.0, 0.0)}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["score", "nowhere.jsonl"], "nowhere.jsonl"),
        (["score", "empty.jsonl"], "no episodes in it"),
        (["score", "broken.jsonl"], "broken.jsonl, line 1"),
        (["score", "foreign.jsonl"], "inn: no such environment"),
        (["score", "foreign.jsonl", "--env", str(HOTEL)], "--env hotel: no episode is of it"),
        (["score", "one.jsonl", "--env", "nowhere"], "nowhere"),
        (["score", "one.jsonl", "-o", "folder"], "folder"),
        (["score", "one.jsonl", "-o", "one.jsonl/below"], "one.jsonl/below"),
        (["score", ""], "empty argument"),
        (["score"], "FILE"),
        (["export", "one.jsonl"], "--output"),
        (["export", "nowhere.jsonl", "-o", "out.jsonl"], "nowhere.jsonl"),
        (["export", "broken.jsonl", "-o", "out.jsonl"], "broken.jsonl, line 1"),
        (["export", "one.jsonl", "-o", "out.jsonl", "--reward", "2"], "--reward"),
        (["export", "one.jsonl", "-o", "out.jsonl", "--thinking", "maybe"], "--thinking"),
        (["export", "one.jsonl", "-o", ""], "empty argument"),
        (["export", "one.jsonl", "-o", "folder"], "is a folder"),
        (["view", "nowhere.jsonl", "-o", "page.html"], "nowhere.jsonl"),
        (["view", "broken.jsonl", "-o", "page.html"], "broken.jsonl, line 1"),
        (["view", "empty.jsonl", "-o", "page.html"], "no episodes in it"),
        (["view", "torn.jsonl", "-o", "page.html"], "no episodes in it"),
        (["view", "one.jsonl", "-o", "folder"], "folder"),
        (["view", "one.jsonl"], "--output"),
        (["compare", "one.jsonl"], "one agent and one user only"),
        (["compare", "one.jsonl", "one.jsonl"], "which another file holds"),
        (["compare", "nowhere.jsonl"], "nowhere.jsonl"),
        (["compare", "one.jsonl", "--seed", "-1"], "--seed"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_what_cannot_be_used_is_refused_before_anything_is_written(
    run: Run, oracle_file: Path, arguments: list[str], words: str
) -> None:
    Path("one.jsonl").write_text(next(latest(oracle_file)).line(), encoding="utf-8")
    Path("foreign.jsonl").write_text(trajectory().line(), encoding="utf-8")
    Path("broken.jsonl").write_text('{"id": 7}\n', encoding="utf-8")
    Path("empty.jsonl").touch()
    Path("torn.jsonl").write_bytes(b"\xff\xfe\x00")
    Path("folder").mkdir()
    before = files_of(Path())
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert words in " ".join(ran.err.split()), ran.err
    assert files_of(Path()) == before


def test_won_and_unmasked_episodes_become_chats(run: Run, oracle_file: Path) -> None:
    won, masked, lost = list(latest(oracle_file))[:3]
    masked = masked.model_copy(update={"masked": True})
    lost = lost.model_copy(update={"reward": 0.0})
    Path("some.jsonl").write_text("".join(t.line() for t in (won, masked, lost)), encoding="utf-8")
    ran = run("export", "some.jsonl", "-o", "chats/out.jsonl", "--json")
    assert ran.code == 0 and ran.document["episodes"] == {"exported": 1, "masked": 1, "lower reward": 1}
    [chat] = [json.loads(line) for line in Path("chats/out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert chat["id"] == won.id and chat["messages"][0]["role"] == "system" and chat["tools"]
    assert [m["role"] for m in chat["messages"][1:4]] == ["user", "assistant", "tool"]
    assert chat["messages"][-1]["role"] == "assistant"
    assert run("export", "some.jsonl", "-o", "out.jsonl", "--masked", "--reward", 0).code == 0
    assert Path("out.jsonl").read_text(encoding="utf-8").count("\n") == 3


def test_where_no_episode_fits_nothing_is_written(run: Run) -> None:
    Path("lost.jsonl").write_text(trajectory(reward=0.0).line(), encoding="utf-8")
    ran = run("export", "lost.jsonl", "-o", "out.jsonl")
    assert ran.code == 1 and "none of 1 episodes fits (1 lower reward)" in ran.err
    assert files_of(Path()) == ["lost.jsonl"]


def test_a_page_holds_every_episode(run: Run, oracle_file: Path) -> None:
    ran = run("view", oracle_file, "-o", "page.html")
    assert ran.code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert all(line.task in page for line in latest(oracle_file)) and page.startswith("<!")


def test_users_are_compared_on_the_same_agent_and_tasks(run: Run, oracle_file: Path) -> None:
    lines = [line.model_copy(update={"id": f"{n}", "user": "model", "reward": float(n % 2)})
             for n, line in enumerate(latest(oracle_file))]  # fmt: skip
    Path("model.jsonl").write_text("".join(map(Trajectory.line, lines)), encoding="utf-8")
    ran = run("compare", oracle_file, "model.jsonl", "--json")
    assert ran.code == 0 and "users with oracle" in ran.err
    [comparison] = ran.document["comparisons"]
    first, second = comparison["rows"]
    assert (first["user"], second["user"]) == ("scripted", "model") and first["difference"] is None
    assert second["difference"]["value"] == -0.5 and second["difference"]["tasks"] == 12
    assert run("compare", oracle_file, "model.jsonl").out.count("oracle") == 3
