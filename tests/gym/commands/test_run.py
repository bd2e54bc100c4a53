"""`autoforge-gym run`: figures that are right, resuming, and every way in which it can end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoforge.gym.runs.reading import latest
from tests.gym.commands.conftest import HOTEL, TELECOM, Run, files_of
from tests.gym.replay_server import Answer, ReplayServer, Status


def test_the_oracle_solves_every_task_and_doing_nothing_none(run: Run) -> None:
    ran = run("run", HOTEL, TELECOM, "--agent", "oracle", "--json", "-o", "oracle.jsonl", "--judge", "none")
    assert ran.code == 0 and "100.0 %" in ran.err
    figures = ran.document
    assert set(figures["environments"]) == {"hotel", "telecom"}
    assert figures["all"]["pass@1"]["value"] == 1.0 and figures["all"]["episodes"] == figures["all"]["counted"] == 24
    ran = run("run", "hotel", "--agent", "no-op", "--json", "-o", "nothing.jsonl", "--trials", 2, "--judge", "none")
    assert ran.code == 0 and ran.document["all"]["pass@1"]["value"] == 0.0
    assert set(ran.document["all"]["pass^k"]) == {"1", "2"} and ran.document["all"]["masked"] == 0


def test_without_json_the_table_is_what_was_asked_for(run: Run) -> None:
    ran = run("run", HOTEL, "--agent", "no-op", "--limit", 2, "--judge", "none")
    assert ran.code == 0 and "hotel" in ran.out and "0.0 %" in ran.out and ran.err == ""
    assert "runs/no-op.scripted.jsonl" in ran.out and Path("runs/no-op.scripted.jsonl").is_file()
    assert files_of(Path("runs")) == ["no-op.scripted.jsonl", "no-op.scripted.jsonl.meta.json"]


def test_the_same_command_again_plays_nothing_and_more_of_the_same_only_the_rest(run: Run) -> None:
    words = ("run", HOTEL, "--agent", "oracle", "--judge", "none", "-o", "run.jsonl", "--limit")
    assert run(*words, 2).code == 0
    before = Path("run.jsonl").read_bytes()
    assert run(*words, 2).code == 0 and Path("run.jsonl").read_bytes() == before
    assert run(*words, 3, "--concurrency", 1, "--retries", 0).code == 0
    assert Path("run.jsonl").read_bytes().startswith(before) and len(list(latest(Path("run.jsonl")))) == 3


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (["--agent", "no-op"], "--agent was"),
        (["--agent", "oracle", "--max-turns", "9"], "--max-turns was"),
        (["--agent", "oracle", "--seed", "1"], "--seed was"),
        (["--agent", "oracle", "--progress-signal"], "--progress-signal was"),
    ],
)
def test_a_file_with_other_settings_is_refused_and_stays(run: Run, changed: list[str], words: str) -> None:
    target = ("run", HOTEL, "--judge", "none", "-o", "run.jsonl", "--limit", 1)
    assert run(*target, "--agent", "oracle").code == 0
    before = {path: path.read_bytes() for path in Path().iterdir()}
    ran = run(*target, *changed)
    assert ran.code == 2 and words in ran.err and ran.err.count("\n") == 1
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_splits_and_tasks_choose_what_is_played(run: Run) -> None:
    ids = [json.loads(line)["id"] for line in (HOTEL / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
    ran = run(
        "run", HOTEL, "--agent", "no-op", "--tasks", ids[3], "--tasks", ids[1], "--judge", "none", "-o", "a.jsonl"
    )
    assert ran.code == 0 and {t.task for t in latest(Path("a.jsonl"))} == {ids[1], ids[3]}
    run("run", HOTEL, "--agent", "no-op", "--split", "test", "--judge", "none", "-o", "b.jsonl")
    tasks = [json.loads(line) for line in (HOTEL / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {t.task for t in latest(Path("b.jsonl"))} == {task["id"] for task in tasks if task["split"] == "test"}


def test_a_server_without_a_state_gives_episodes_without_a_reward(run: Run) -> None:
    server = Path(__file__).parents[1] / "servers" / "fake_server.py"
    task = json.loads((HOTEL / "tasks.jsonl").read_text(encoding="utf-8").splitlines()[0])
    Path("tasks.jsonl").write_text(json.dumps({**task, "initial": []}) + "\n", encoding="utf-8")
    ran = run("run", f"python {server}", "--task-file", "tasks.jsonl", "--agent", "no-op", "--limit", 1,
              "--judge", "none", "--json")  # fmt: skip
    assert ran.code == 1 and ran.document["all"]["unscored"] == {"no state": 1}


def test_a_model_plays_and_its_tokens_are_paid_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    prices = Path("prices.json")
    prices.write_text(json.dumps({"small": [1000, 10000]}), encoding="utf-8")
    monkeypatch.setenv("AUTOFORGE_PRICES", str(prices.resolve()))
    with ReplayServer([Answer("I cannot help with that.", usage=(100, 10))]) as server:
        words = ("run", HOTEL, "--agent", "openai:small", "--base-url", server.openai_url, "--limit", 2, "--judge",
                 "none", "-o", "run.jsonl", "--json")  # fmt: skip
        ran = run(*words)
        assert ran.code == 0, ran.err
        asked = len(server.requests)
        turns = sum(turn.role == "assistant" for t in latest(Path("run.jsonl")) for turn in t.turns)
        assert asked == turns > 0
        assert ran.document["all"]["cost"] == pytest.approx(turns * 0.2)
        Path("run.jsonl").unlink()
        again = run(*words)
        assert again.document == ran.document and len(server.requests) == asked
    assert Path("run.jsonl.ledger").stat().st_size > 0 and Path("run.jsonl.cache").is_dir()


def test_at_the_cost_limit_it_ends_with_a_sentence_and_what_is_finished_is_kept(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = Path("prices.json")
    prices.write_text(json.dumps({"small": [1, 1]}), encoding="utf-8")
    monkeypatch.setenv("AUTOFORGE_PRICES", str(prices.resolve()))
    with ReplayServer([Answer("No.", usage=(20_000, 10))]) as server:
        words = ("run", HOTEL, "--agent", "openai:small", "--base-url", server.openai_url, "--judge", "none", "-o",
                 "run.jsonl", "--concurrency", 1, "--max-cost")  # fmt: skip
        ran = run(*words, 0.3)
        assert ran.code == 1 and "raise --max-cost" in ran.err and "Traceback" not in ran.err
        kept = [t.id for t in latest(Path("run.jsonl"))]
        assert 0 < len(kept) < 12
        ran = run(*words, 50, "--json")
        assert ran.code == 0 and ran.document["all"]["episodes"] == 12
        assert [t.id for t in latest(Path("run.jsonl"))][: len(kept)] == kept


def test_a_dead_endpoint_is_nobodys_zero(run: Run) -> None:
    with ReplayServer([Status(400, message="no such model")]) as server:
        ran = run("run", HOTEL, "--agent", "openai:small", "--base-url", server.openai_url, "--limit", 2, "--judge",
                  "none", "--json", "--retries", 1)  # fmt: skip
    assert ran.code == 1
    assert ran.document["all"]["unscored"] == {"infrastructure": 2} and ran.document["all"]["pass@1"] is None
    assert "2: 2 infrastructure" in ran.err and "no such model" in ran.err


def test_a_user_may_be_a_model(run: Run) -> None:
    with ReplayServer([Answer("I want to leave."), Answer("Bye. ###STOP###")]) as server:
        ran = run("run", HOTEL, "--agent", "no-op", "--user", "openai:small", "--user-base-url", server.openai_url,
                  "--limit", 1, "--judge", "none", "--json", "-o", "run.jsonl")  # fmt: skip
    assert ran.code == 0, ran.err
    [line] = latest(Path("run.jsonl"))
    assert line.user == "openai:small" and line.turns[0].content == "I want to leave."
    assert line.turns[0].usage is not None


def test_users_are_judged_unless_that_is_not_wanted(run: Run) -> None:
    words = ("run", HOTEL, "--agent", "oracle", "--limit", 2)
    assert run(*words, "-o", "judged.jsonl", "--json").code == 0
    assert all(line.judgements is not None for line in latest(Path("judged.jsonl")))
    assert run(*words, "-o", "unjudged.jsonl", "--judge", "none").code == 0
    assert all(line.judgements is None and not line.masked for line in latest(Path("unjudged.jsonl")))
    assert run("score", "judged.jsonl").code == 0


def test_a_model_may_judge_and_an_episode_without_its_verdict_has_no_score(run: Run) -> None:
    said = {"kind": "early_stop", "turn": 0, "touches": "stop", "effect": "spoiled"}
    with ReplayServer([Answer(json.dumps({"findings": [{**said, "quote": "nothing like that"}]}))]) as server:
        words = ("run", HOTEL, "--agent", "oracle", "--limit", 2, "--json", "--judge", "openai:small",
                 "--user-base-url", server.openai_url)  # fmt: skip
        ran = run(*words, "-o", "judged.jsonl")
        assert ran.code == 0 and ran.document["all"]["counted"] == 2 and len(server.requests) == 2
    assert [line.judgements for line in latest(Path("judged.jsonl"))] == [(), ()]
    with ReplayServer([Status(400)]) as server:
        ran = run(*words[:-1], server.openai_url, "-o", "unjudged.jsonl")
        assert ran.code == 1 and ran.document["all"]["unscored"] == {"judge": 2}
