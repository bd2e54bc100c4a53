"""`autoforge-gym check`: a sound server passes, and each fault is found by the check that is for it."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.commands.checks.leftovers import Leftovers
from autoforge.gym.commands.checks.target import CheckOptions, check_target
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.open import open_server
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.task import Task
from tests.gym.commands.conftest import HOTEL, TELECOM, Run, files_of

SERVER = Path(__file__).parent / "odd_server.py"


def server(fault: str, *more: object) -> str:
    return " ".join(map(str, (sys.executable, SERVER, fault, *more)))


def checks(document: Any) -> dict[str, bool | None]:
    [checked] = document["servers"]
    return {name: found["holds"] for name, found in checked["checks"].items()}


SOUND = dict.fromkeys(("schemas", "reset", "replay", "reward", "isolation", "leftovers"), True)


def test_our_own_environments_pass_and_leave_nothing(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    ran = run("check", HOTEL, "--json")
    assert ran.code == 0, ran.err
    assert checks(ran.document) == SOUND and ran.document["servers"][0]["tasks"] == 12
    assert files_of(folder) == []
    assert run("check", TELECOM, "--limit", 3).code == 0


def test_an_environment_without_tasks_is_called_with_drawn_arguments(run: Run) -> None:
    ran = run("check", "bank", "--json", "--calls", 12)
    assert ran.code == 0 and checks(ran.document) == {**SOUND, "reward": None}
    assert 6 < ran.document["servers"][0]["calls"] <= 12
    assert "there are no tasks" in ran.err


def test_a_sound_server_of_others_passes_with_what_only_reads(run: Run) -> None:
    ran = run("check", server("none"), "--calls", 3, "--json")
    assert ran.code == 0 and checks(ran.document) == {**SOUND, "reward": None, "isolation": None}
    ran = run("check", server("none"), "--calls", 3, "--json", "--writes")
    assert ran.code == 0 and checks(ran.document) == {**SOUND, "reward": None}


def test_a_tool_that_may_write_is_not_called_unless_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "notes.json"
    kept.write_text("[]", encoding="utf-8")
    ran = run("check", server("shared", kept), "--calls", 4, "--json")
    assert ran.code == 0 and kept.read_text(encoding="utf-8") == "[]"
    ran = run("check", server("shared", kept), "--calls", 4, "--json", "--writes")
    assert ran.code == 1 and checks(ran.document)["replay"] is False
    ran = run("check", server("unannotated"), "--json")
    assert ran.code == 0 and checks(ran.document)["replay"] is None and "--writes" in ran.err


@pytest.mark.parametrize(
    ("fault", "check", "words"),
    [
        ("chance", "replay", "call 1 (list_notes) gave"),
        ("schema", "schemas", "'word' is not valid"),
        ("schema", "schemas", "requires 'txt'"),
        ("names", "schemas", "2 tools are named 'list_notes'"),
    ],
)
def test_a_fault_is_found_with_its_evidence(run: Run, fault: str, check: str, words: str) -> None:
    ran = run("check", server(fault), "--calls", 2, "--json")
    assert ran.code == 1
    found = ran.document["servers"][0]["checks"]
    assert [name for name, verdict in found.items() if verdict["holds"] is False] == [check]
    assert any(words in sentence for sentence in found[check]["words"]), found[check]


def test_tasks_on_a_server_whose_state_is_not_seen_have_no_reward_to_try(run: Run) -> None:
    task = json.loads((HOTEL / "tasks.jsonl").read_text(encoding="utf-8").splitlines()[0])
    Path("tasks.jsonl").write_text(json.dumps({**task, "initial": []}) + "\n", encoding="utf-8")
    ran = run("check", server("none"), "--task-file", "tasks.jsonl", "--json")
    assert checks(ran.document)["reward"] is None and "nothing shows the state" in ran.err


def test_a_process_that_is_left_is_found(run: Run) -> None:
    ran = run("check", server("child"), "--calls", 1, "--json")
    assert ran.code == 1
    left = ran.document["servers"][0]["checks"]["leftovers"]["words"]
    assert all("a process is left" in words and "(sleep)" in words for words in left if "more" not in words)
    for words in left:
        if "process" in words:
            os.kill(int(words.split()[4]), signal.SIGKILL)


class Shared(FolderServer):
    """Every session is the same episode."""

    async def open(self, task: Task | None, episode: str) -> Any:
        return await super().open(task, "one")


@pytest.mark.anyio
async def test_sessions_that_see_each_other_are_found() -> None:
    options = CheckOptions(limit=2)
    found = await check_target(lambda: Shared(find_environment(str(HOTEL))), options, lambda *told: None)
    verdicts = {verdict.check: verdict for verdict in found.verdicts}
    assert [name for name, verdict in verdicts.items() if not verdict.holds] == ["isolation"]
    assert "by the calls of another session" in verdicts["isolation"].words[0]


class Worn(FolderServer):
    """A reset after the first few begins with what another task left."""

    opened = 0

    async def open(self, task: Task | None, episode: str) -> Any:
        self.opened += 1
        return await super().open(task if self.opened < 5 else self.tasks[-1], episode)


@pytest.mark.anyio
async def test_a_reset_that_is_another_the_second_time_is_found() -> None:
    found = await check_target(lambda: Worn(find_environment(str(HOTEL))), CheckOptions(limit=1), lambda *told: None)
    verdicts = {verdict.check: verdict for verdict in found.verdicts}
    assert verdicts["reset"].holds is False and "after the second reset" in verdicts["reset"].words[0]
    assert verdicts["isolation"].holds is None and not found.passed


@pytest.mark.anyio
async def test_gold_that_is_worth_nothing_and_nothing_that_is_worth_something_are_found() -> None:
    server = FolderServer(find_environment(str(HOTEL)))
    first, second = server.tasks[:2]
    idle = second.gold.model_copy(update={"diff": (), "calls": (), "answers": ()})
    server.tasks = [first.model_copy(update={"gold": first.gold.model_copy(update={"diff": ()})}),
                    second.model_copy(update={"gold": idle})]  # fmt: skip
    found = await check_target(lambda: server, CheckOptions(), lambda *told: None)
    [reward] = [verdict for verdict in found.verdicts if verdict.check == "reward"]
    assert reward.holds is False
    assert any(f"{first.id}: gold is worth 0" in words for words in reward.words)
    assert any(f"{second.id}: doing nothing is worth 1" in words for words in reward.words)


@pytest.mark.anyio
async def test_files_and_descriptors_that_are_left_are_found() -> None:
    with Leftovers() as leftovers:
        leftovers.look()
        assert await leftovers.left() == []
        number, name = tempfile.mkstemp(suffix=".left")
        left = await leftovers.left()
        os.close(number)
    assert left == [f"a file descriptor is left: {name}", f"a temporary file is left: {Path(name).name}"]
    assert not Path(name).exists()


@pytest.mark.anyio
async def test_a_tool_that_does_not_answer_is_found_in_time() -> None:
    options = CheckOptions(limits=EpisodeLimits(call_seconds=0.3))
    found = await check_target(lambda: open_server(server("silent")), options, lambda *told: None)
    [replay] = [verdict for verdict in found.verdicts if verdict.check == "replay"]
    assert replay.words == ("drawn calls: there was not an answer of list_notes within 0.3 s",)


def test_what_is_no_server_is_refused(run: Run) -> None:
    ran = run("check", "no-such-program-at-all")
    assert ran.code == 2 and "no-such-program-at-all" in ran.err and ran.err.count("\n") == 1


def tasks_file(*more: dict[str, Any]) -> str:
    line = json.loads((HOTEL / "tasks.jsonl").read_text(encoding="utf-8").splitlines()[0])
    empty = {"calls": [], "state": "", "diff": [], "answers": []}
    written = [{**line, "id": f"t{n}", "initial": [], "gold": empty, **one} for n, one in enumerate(more)]
    Path("tasks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in written), encoding="utf-8")
    return "tasks.jsonl"


def verdicts_of(ran: Any) -> dict[str, Any]:
    return dict(ran.document["servers"][0]["checks"])


UNTRIED = ("reset", "reward", "isolation")
BROKEN = {"setup": [{"node": "s", "tool": "nothing", "arguments": {}}]}


def test_where_no_case_is_played_to_its_end_nothing_is_said_to_hold(run: Run) -> None:
    ran = run("check", server("none"), "--task-file", tasks_file(BROKEN, BROKEN), "--json")
    assert ran.code == 1 and verdicts_of(ran)["replay"]["holds"] is False
    for name in UNTRIED:
        assert verdicts_of(ran)[name]["holds"] is None, name
        assert verdicts_of(ran)[name]["words"] == ["t0: the set-up call of nothing was refused: Unknown tool: nothing"]


def test_what_holds_of_some_cases_says_of_how_many(run: Run) -> None:
    ran = run("check", server("none"), "--task-file", tasks_file(BROKEN, {}), "--json")
    assert ran.code == 1 and verdicts_of(ran)["replay"]["holds"] is False
    assert verdicts_of(ran)["isolation"] == {"holds": True, "words": ["1 of 2 could not be played to the end"]}
    assert verdicts_of(ran)["reward"]["words"] == ["nothing shows the state"]


def test_a_reset_whose_state_is_not_seen_holds_of_tools_and_rules_only(run: Run) -> None:
    ran = run("check", server("none"), "--calls", 3, "--json", "--writes")
    words = ["only tools and rules were compared: nothing shows the state"]
    assert verdicts_of(ran)["reset"] == {"holds": True, "words": words} and words[0] in ran.err
    assert verdicts_of(run("check", "bank", "--calls", 3, "--json"))["reset"] == {"holds": True, "words": []}


@pytest.mark.anyio
async def test_drawn_calls_that_break_leave_the_rest_untried_and_nothing_that_differs() -> None:
    options = CheckOptions(limits=EpisodeLimits(call_seconds=0.3))
    found = await check_target(lambda: open_server(server("silent")), options, lambda *told: None)
    verdicts = {str(verdict.check): verdict for verdict in found.verdicts}
    assert [verdicts[name].holds for name in UNTRIED] == [None] * 3
    assert verdicts["reset"].words == verdicts["isolation"].words == verdicts["replay"].words
    assert not any("already differ" in words for verdict in found.verdicts for words in verdict.words)
