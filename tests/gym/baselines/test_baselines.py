"""What the baselines do on the desk, and what they get."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from autoforge.gym.baselines import (
    BASELINES,
    Episodes,
    NoOp,
    Oracle,
    RandomCaller,
    WriteSpammer,
    agent_tools,
    play_all,
    played,
    run_baselines,
)
from autoforge.gym.baselines.arguments import combinations, drawn
from autoforge.gym.baselines.values import SeenValues
from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.errors import BadInput, CheckFailed
from autoforge.mcp_envs.task import GoldCall, Task
from tests.gym.reward.desk_tasks import Solved, answer, desk, solved

TOOLS = desk().documents()


class Recorder:
    """Answers every call the same, and remembers it."""

    def __init__(self, value: Any = None, kind: Any = "ok") -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._result = CallResult(kind, value)

    def __call__(self, tool: str, arguments: dict[str, Any]) -> CallResult:
        self.calls.append((tool, arguments))
        return self._result


def just_tasks(tasks: dict[str, Solved]) -> list[Task]:
    return [one.task for one in tasks.values()]


def test_the_oracle_solves_every_task_and_the_others_none(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    summary = run_baselines(just_tasks(tasks), episodes)
    assert summary == {"baselines": {"oracle": 1.0, "no-op": 0.0, "random": 0.0, "spam": 0.0}}
    assert json.loads(json.dumps(summary)) == summary


def test_playing_again_gives_the_same_rewards(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    some = just_tasks(tasks)[:3]
    assert list(play_all(some, episodes)) == list(play_all(some, episodes))


def test_a_task_that_starts_satisfied_is_won_by_the_no_op(episodes: Episodes) -> None:
    idle = solved(episodes, "idle", [("list_agents", {})]).task
    rates = run_baselines([idle], episodes, [NoOp(), Oracle()])
    assert rates == {"baselines": {"no-op": 1.0, "oracle": 1.0}}


def test_no_tasks_give_no_rates(episodes: Episodes) -> None:
    with pytest.raises(BadInput, match="autoforge-gen tasks"):
        run_baselines([], episodes)


def test_the_oracle_stops_at_a_gold_call_that_is_refused(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    task = tasks["assign"].task
    wrong = GoldCall(node="n1", tool="assign_ticket", arguments={"ticket_id": 99, "agent_id": 1})
    broken = task.model_copy(update={"gold": task.gold.model_copy(update={"calls": (wrong,)})})
    with pytest.raises(
        CheckFailed, match="task assign: its gold call of assign_ticket was refused: there is no ticket 99"
    ):
        run_baselines([broken], episodes)
    broken = task.model_copy(update={"setup": (wrong,)})
    with pytest.raises(CheckFailed, match="the set-up call of assign_ticket was refused"):
        episodes.of(broken)


def test_the_oracle_plays_the_users_calls_too_and_tells_each_answer(tasks: dict[str, Solved]) -> None:
    task = tasks["open-two"].task
    theirs = GoldCall(node="n1", actor="user", tool="restart_phone", arguments={})
    both = task.model_copy(update={"gold": task.gold.model_copy(update={"calls": (theirs, *task.gold.calls)})})
    call = Recorder()
    assert played(Oracle().play(both, TOOLS), call) == ["The number of the rent ticket is 9."]
    assert call.calls[0] == ("restart_phone", {}) and len(call.calls) == 3


def test_tools_of_the_users_side_are_hidden_from_the_others(tasks: dict[str, Solved]) -> None:
    mine = {"name": "restart_phone", "inputSchema": {"type": "object"}, "_meta": {"autoforge/side": "user"}}
    assert agent_tools([mine, TOOLS[0]]) == [TOOLS[0]]
    for baseline in (NoOp(), RandomCaller(), WriteSpammer()):
        call = Recorder()
        assert played(baseline.play(tasks["assign"].task, [mine]), call)
        assert not call.calls


def test_chance_is_the_tasks_own(tasks: dict[str, Solved]) -> None:
    found = []
    for task in (tasks["assign"].task, tasks["assign"].task, tasks["open-two"].task):
        call = Recorder({"id": 4, "names": ["a", "b"]})
        found.append((call.calls, played(RandomCaller().play(task, TOOLS), call)))
        assert 1 <= len(call.calls) <= len(task.gold.calls) + 2
    assert found[0] == found[1] != found[2]


def test_the_spammer_writes_with_all_it_has_met_and_tells_all_it_saw(tasks: dict[str, Solved]) -> None:
    call = Recorder({"ticket_id": 6, "agent_id": 5})
    [message] = played(WriteSpammer().play(tasks["assign"].task, TOOLS), call)
    assert len(call.calls) <= WriteSpammer().most
    assert ("assign_ticket", {"ticket_id": 6, "agent_id": 5}) in call.calls
    writes = {"open_ticket", "assign_ticket", "add_note", "resolve_ticket"}
    assert writes <= {tool for tool, _ in call.calls}
    assert json.loads(message) == [{"ticket_id": 6, "agent_id": 5}] * len(call.calls)


def test_refused_calls_teach_nothing(tasks: dict[str, Solved]) -> None:
    call = Recorder({"secret": 4}, "refused")
    assert played(WriteSpammer().play(tasks["assign"].task, TOOLS), call) == ["[]"]
    assert played(RandomCaller().play(tasks["assign"].task, TOOLS), call) == ["I found nothing."]


def test_a_tool_that_does_not_say_that_it_only_reads_counts_as_writing(tasks: dict[str, Solved]) -> None:
    silent = [{"name": f"t{n}", "inputSchema": {"type": "object", "properties": {}}} for n in range(3)]
    call = Recorder()
    played(WriteSpammer().play(tasks["assign"].task, silent), call)
    assert [tool for tool, _ in call.calls] == ["t0", "t1", "t2"]


def test_every_baseline_tells_the_user_something(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    episode = episodes.of(tasks["count"].task)
    for baseline in BASELINES:
        episode.begin()
        messages = played(baseline.play(tasks["count"].task, TOOLS), episode.call)
        assert messages and all(isinstance(message, str) and message for message in messages)


def test_values_met_under_the_same_name_come_first() -> None:
    seen = SeenValues({"customer": "ann"})
    seen.add({"tickets": [{"id": 3, "agentId": 7, "tags": ["x"], "note": None}]})
    assert seen.for_name("ticket_id") == [3, "ann", 7, "x"]
    assert seen.under("agent_id") == [3, 7]
    assert seen.under("colour") == []


LEAVES = st.sampled_from([
    {"type": "string"}, {"type": "string", "minLength": 3}, {"type": "integer", "minimum": 1}, {"type": "number"},
    {"type": "boolean"}, {"enum": ["a", 2]}, {"const": 4}, {"type": ["integer", "null"]},
    {"type": "string", "maxLength": 2}, {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    {}, True, {"type": "string", "pattern": "^z{9}$"},
])  # fmt: skip


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    arrays = st.builds(lambda items: {"type": "array", "items": items}, inner)
    return arrays | st.builds(lambda given: {"type": "object", "properties": given}, properties(inner))


def properties(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(["id", "name", "ticket_id"]), inner, max_size=3)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    given = draw(properties(st.recursive(LEAVES, nested, max_leaves=4)))
    required = draw(st.lists(st.sampled_from(sorted(given)), unique=True)) if given else []
    return {"name": "t", "inputSchema": {"type": "object", "properties": given, "required": required}}


@settings(deadline=None)
@given(
    documents(),
    st.dictionaries(st.sampled_from(["id", "name"]), st.integers() | st.text(max_size=4)),
    st.integers(0, 99),
)
def test_arguments_are_always_valid_and_come_from_chance_or_order_alone(
    tool: dict[str, Any], known: dict[str, Any], seed: int
) -> None:
    def made() -> Iterator[dict[str, Any] | None]:
        yield drawn(tool, SeenValues(known), random.Random(seed))
        yield from combinations(tool, SeenValues(known), 5)

    found = list(made())
    assert found == list(made())
    assert len(found) <= 1 + 20
    for arguments in found:
        assert arguments is None or Draft202012Validator(tool["inputSchema"]).is_valid(arguments)


def test_an_answer_that_is_shown_with_others_is_not_won_by_telling_all(episodes: Episodes) -> None:
    asked = answer("text", "Amara Okafor", "Dmitri Volkov", name="agent")
    task = solved(episodes, "read-only", [("list_agents", {"team": "billing"})], (asked,)).task
    [spam] = play_all([task], episodes, [WriteSpammer()])
    assert spam.reward.value == 0.0 and not spam.reward.answers[0].told


def test_the_spammer_writes_however_many_tools_only_read(episodes: Episodes) -> None:
    read = {"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    tools = [{**read, "name": f"look_{n}"} for n in range(80)] + [{"name": "write", "inputSchema": {"type": "object"}}]
    recorder = Recorder({"id": 1})
    played(WriteSpammer().play(solved(episodes, "any", [("list_agents", {})]).task, tools), recorder)
    assert any(name == "write" for name, _ in recorder.calls)


def test_another_trial_of_the_random_caller_throws_other_dice(episodes: Episodes) -> None:
    task = solved(episodes, "any", [("list_agents", {})] * 6).task
    made = []
    for trial in (0, 0, 1, 2):
        recorder = Recorder({"id": 1})
        played(RandomCaller(trial=trial).play(task, TOOLS), recorder)
        made.append(recorder.calls)
    assert made[0] == made[1] and made[0] != made[2] != made[3]
