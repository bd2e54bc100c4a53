"""What calls answer as a state: which rows there are, and that they can be compared as any state can."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.reward import gold_state, row_change, score
from autoforge.gym.servers.probe import StateProbe, rows_at
from autoforge.gym.servers.server import ToolResult
from autoforge.mcp_envs.equality import equal_states
from autoforge.mcp_envs.manifest import ColumnKind
from autoforge.mcp_envs.state import State, changes
from autoforge.mcp_envs.task import Probe, RowChange
from tests.gym.servers.notes import notes_task

pytestmark = pytest.mark.anyio
GRAPH = {"entities": [{"name": "a", "tags": ["x"]}], "count": 1, "open": True}


class Answers:
    """Calls that are answered with what is given, in order."""

    def __init__(self, *outputs: Any) -> None:
        self.outputs = list(outputs)
        self.made: list[str] = []

    async def __call__(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.made.append(name)
        output = self.outputs.pop(0)
        return output if isinstance(output, ToolResult) else ToolResult(json.dumps(output), value=output)


async def state_of(probe: StateProbe, *outputs: Any) -> State:
    return await probe.read(Answers(*outputs))


@pytest.mark.parametrize(
    ("output", "path", "rows"),
    [
        (GRAPH, "$.entities", [{"name": "a", "tags": ["x"]}]),
        (json.dumps(GRAPH), "$.entities[*].name", [{"value": "a"}]),
        (GRAPH, "$.count", [{"value": 1}]),
        (GRAPH, "$", [GRAPH]),
        (GRAPH, "$.nothing.inside", []),
        (GRAPH, "$.entities[3]", []),
        (GRAPH, "$.entities[*].tags[*]", [{"value": "x"}]),
        ("[{'id': 1, 'b': None}, {'id': 2, 'b': (1, 2)}]", "$", [{"id": 1, "b": None}, {"id": 2, "b": [1, 2]}]),
        ("[DIR] .git\n\n[FILE] a.txt\n", "$[*]", [{"value": "[DIR] .git"}, {"value": "[FILE] a.txt"}]),
        ({"content": "[DIR] .git\n[FILE] a"}, "$.content[*]", [{"value": "[DIR] .git"}, {"value": "[FILE] a"}]),
        ("nothing to commit\n", "$", [{"value": "nothing to commit\n"}]),
        ({"result": '[{"id": 1}]'}, "$.result[*].id", [{"value": 1}]),
        ([1, "x", {"a": 2}], "$", [{"value": 1}, {"value": "x"}, {"a": 2}]),
        ("[" * 100_000, "$", [{"value": "[" * 100_000}]),
        ({"a": {"x": 1}, "b": {"x": 2}}, "$[*].x", [{"value": 1}, {"value": 2}]),
        ([], "$", []),
        (None, "$", []),
    ],
)  # fmt: skip
def test_what_a_path_leads_to_becomes_rows(output: Any, path: str, rows: list[Any]) -> None:
    assert rows_at(output, path) == rows


async def test_probes_with_one_call_share_it_and_have_a_table_each() -> None:
    answers = Answers(GRAPH, ["a"], ["b"])
    probe = StateProbe(
        "graph",
        [Probe(tool="read", path="$.entities"), Probe(tool="read", path="$.count"),
         Probe(tool="list", arguments={"n": 1}), Probe(tool="list", arguments={"n": 2})],
    )  # fmt: skip
    state = await probe.read(answers)
    assert answers.made == ["read", "list", "list"]
    assert list(state) == ["read.entities", "read.count", "list", "list 2"]
    assert state["list 2"].rows == (("b",),) and state["read.count"].rows == ((1,),)


async def test_a_probe_that_is_refused_is_the_environments_fault() -> None:
    with pytest.raises(EpisodeFailure, match="the probe read was refused: locked") as failed:
        await state_of(StateProbe("x", [Probe(tool="read")]), ToolResult("locked", is_error=True))
    assert (failed.value.failure.blame, failed.value.failure.where) == ("environment", "state")


KINDS: dict[str, Any] = {"id": ColumnKind.SURROGATE, "made": ColumnKind.LOG, "words": ColumnKind.FREE_TEXT}


@pytest.mark.parametrize(
    ("other", "equal"),
    [
        ([{"id": 1, "name": "a", "made": 10, "words": "x"}, {"id": 9, "name": "b", "made": 99, "words": "o"}], True),
        ([{"id": 9, "name": "b", "words": "w"}, {"name": "a", "id": 1, "words": "x", "new": None}], True),
        ([{"id": 1, "name": "a", "words": "x"}, {"id": 2, "name": "c", "words": "w"}], False),
        ([{"id": 1, "name": "a", "words": "x"}, {"id": 2, "name": "b", "words": ""}], False),
        ([{"id": 1, "name": "a", "words": "x"}, {"id": 2, "name": "b", "words": "w", "new": 1}], False),
        ([{"id": 1, "name": "a", "words": "x"}], False),
        ([], False),
    ],
)  # fmt: skip
async def test_states_are_compared_by_the_kinds_of_their_columns(other: list[Any], equal: bool) -> None:
    probe = StateProbe("x", [Probe(tool="rows", kind=KINDS)])
    initial = await state_of(probe, [{"id": 1, "name": "a", "made": 1, "words": "x"}])
    gold = await state_of(probe, [{"id": 1, "name": "a", "words": "x"}, {"id": 2, "name": "b", "words": "w"}])
    assert equal_states(initial, gold, await state_of(probe, other), probe.manifest).equal is equal


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ({"id": ColumnKind.KEY}, ['rows 2: gone {"id": 2, "n": 0}', "rows 3: n 0 -> 1"]),
        ({"id": ColumnKind.SURROGATE}, ['rows 2: gone {"id": 2, "n": 0}', "rows 3: n 0 -> 1"]),
        ({"n": ColumnKind.LOG}, ['rows 2: gone {"id": 2}']),
    ],
)
async def test_a_row_is_followed_by_its_key_or_by_all_that_it_holds(kinds: Any, expected: list[str]) -> None:
    probe = StateProbe("x", [Probe(tool="rows", kind=kinds)])
    before = await state_of(probe, [{"id": 1, "n": 0}, {"id": 2, "n": 0}, {"id": 3, "n": 0}])
    after = await state_of(probe, [{"id": 1, "n": 0}, {"id": 3, "n": 1}])
    assert sorted(map(str, changes(before, after, probe.manifest))) == expected


async def test_the_order_of_properties_is_no_change() -> None:
    probe = StateProbe("x", [Probe(tool="rows", kind={"id": ColumnKind.KEY})])
    before = await state_of(probe, [{"id": 1, "size": {"width": 1, "height": 2}}])
    after = await state_of(probe, [{"size": {"height": 2, "width": 1}, "id": 1}])
    assert changes(before, after, probe.manifest) == ()


async def test_columns_that_only_gold_brings_are_there_from_the_start() -> None:
    recording = StateProbe("x", [Probe(tool="rows", kind={"made": ColumnKind.LOG})])
    before = await state_of(recording, [])
    after = await state_of(recording, [{"name": "a", "tags": ["y", "x"], "made": 5}])
    diff = [row_change(change) for change in changes(before, after, recording.manifest)]
    scoring = StateProbe("x", [Probe(tool="rows", kind={"made": ColumnKind.LOG})], diff)
    initial = await state_of(scoring, [])
    task = notes_task()
    gold = gold_state(initial, task.model_copy(update={"gold": with_diff(task.gold, diff)}), scoring.manifest)
    final = await state_of(scoring, [{"made": 7, "tags": ["y", "x"], "name": "a"}])
    assert equal_states(initial, gold, final, scoring.manifest).equal
    assert not equal_states(initial, gold, initial, scoring.manifest).equal


@pytest.mark.parametrize("kinds", [{}, {"id": ColumnKind.KEY}])
async def test_a_property_that_came_and_went_is_no_difference_and_one_that_stays_is(kinds: Any) -> None:
    recording = StateProbe("x", [Probe(tool="rows", kind=kinds)])
    before, after = [await state_of(recording, [{"id": 1}, *more]) for more in ([], [{"id": 2}])]
    diff = [row_change(change) for change in changes(before, after, recording.manifest)]
    task = notes_task().model_copy(update={"gold": with_diff(notes_task().gold, diff)})
    scoring = StateProbe("x", [Probe(tool="rows", kind=kinds)], diff)
    initial = await state_of(scoring, [{"id": 1}])
    kept = await state_of(scoring, [{"id": 1}, {"id": 2, "new": 5}])
    gone = await state_of(scoring, [{"id": 1}, {"id": 2}])
    assert gone != after and score(task, initial, gone, scoring.manifest, []).value == 1
    wrong = score(task, initial, kept, scoring.manifest, [])
    assert wrong.value == 0 and "new" in " ".join(wrong.explanation)


def with_diff(gold: Any, diff: Sequence[RowChange]) -> Any:
    return gold.model_copy(update={"diff": tuple(diff)})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "a", "[1]", "b c"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("pq"), inner, max_size=2),
    max_leaves=4,
)
ROWS = st.lists(st.dictionaries(st.sampled_from(["id", "x", "y"]), VALUES, min_size=1, max_size=3), max_size=5)
KEYED = st.sampled_from([{}, {"id": ColumnKind.KEY}, {"id": ColumnKind.SURROGATE}, {"y": ColumnKind.LOG}])


def state_at_once(probe: StateProbe, output: Any) -> State:
    """The state, outside an event loop: nothing here waits, and hypothesis ends a test in ways that tasks report."""
    with pytest.raises(StopIteration) as done:
        probe.read(Answers(output)).send(None)
    state: State = done.value.value
    return state


@given(before=ROWS, after=ROWS, kinds=KEYED)
def test_the_gold_diff_leads_from_the_initial_state_to_gold(
    before: list[dict[str, Any]], after: list[dict[str, Any]], kinds: dict[str, ColumnKind]
) -> None:
    recording = StateProbe("x", [Probe(tool="rows", kind=kinds)])
    initial, final = state_at_once(recording, before), state_at_once(recording, after)
    diff = [row_change(change) for change in changes(initial, final, recording.manifest)]
    scoring = StateProbe("x", [Probe(tool="rows", kind=kinds)], diff)
    again = state_at_once(scoring, before)
    task = notes_task()
    gold = gold_state(again, task.model_copy(update={"gold": with_diff(task.gold, diff)}), scoring.manifest)
    reached = equal_states(again, gold, state_at_once(scoring, after), scoring.manifest)
    assert reached.equal, (reached.differences, diff)


@given(rows=ROWS, order=st.randoms(use_true_random=False))
def test_the_order_of_rows_and_properties_does_not_matter(rows: list[dict[str, Any]], order: Any) -> None:
    shuffled = [dict(order.sample(list(row.items()), len(row))) for row in rows]
    order.shuffle(shuffled)
    probe = StateProbe("x", [Probe(tool="rows")])
    one, two = state_at_once(probe, rows), state_at_once(probe, shuffled)
    assert equal_states(one, one, two, probe.manifest).equal
