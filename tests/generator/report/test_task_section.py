"""The part of the page that shows tasks: made from the files, put into a page that is there, safe whatever it holds."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import networkx as nx
import pytest

from autoforge.generator.report import tasks_section, with_tasks
from autoforge.generator.report.dependency_picture import dependency_picture
from autoforge.generator.report.task_counts import admission_groups, difficulty_groups
from autoforge.generator.report.task_lines import ROOM, task_lines
from autoforge.generator.report.task_view import verdict_tone
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task
from tests.generator.report.desk_tasks import desk, desk_tasks, replayed
from tests.generator.report.test_page import HOSTILE, Page

MANIFEST = desk().manifest


class Given(NamedTuple):
    tasks: tuple[Task, ...]
    outputs: Mapping[str, Mapping[str, Any]]
    refusals: Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="module")
def given() -> Given:
    with Stage(desk()) as stage:
        tasks = desk_tasks(stage)
        return Given(tasks, *replayed(stage, tasks))


def graph(tools: int, each: int = 3) -> nx.MultiDiGraph[str]:
    """Every tool gives to the next ones."""
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    names = [f"tool_{n:02d}" for n in range(tools)]
    made.add_nodes_from((name, {"kind": "get", "side": "agent"}) for name in names)
    for place in range(tools):
        for step in range(1, each + 1):
            evidence = "types,names,flow" if step == 1 else "types"
            taker = names[(place + step) % tools]
            made.add_edge(names[place], taker, output="$.id", parameter="id", evidence=evidence)
    return made


def details(section: str) -> list[dict[str, Any]]:
    found = re.search(r'id="task-details">\n(.*?)\n</script>', section, re.DOTALL)
    assert found is not None
    return [json.loads(line) for line in found.group(1).split("\n")]


def test_a_task_is_held_with_its_calls_outputs_refusals_diff_answers_and_verdicts(given: Given) -> None:
    task = details(tasks_section(given.tasks, MANIFEST, given.outputs, None, given.refusals))[0]
    steps = {task["picture"]["boxes"][place][0]: given for place, *given in task["steps"]}
    fates = {box[0]: box[1] for box in task["picture"]["boxes"]}
    assert steps["n8"][0] == [["ticket_id", "2"], ["agent_id", "5"]]
    assert '"status": "assigned"' in steps["n8"][1]
    assert (fates["n6"], steps["n6"]) == ("write refused attempt", [0, "", "Chiara Lombardi is not on duty"])
    assert (fates["n13"], steps["n13"]) == ("write skipped", [0, "", ""])
    changed = [(change["table"], change["fate"]) for change in task["diff"]]
    assert changed == [
        ("tickets", "changed"),
        ("tickets", "new"),
        ("notes", "new"),
    ]
    assert ["status", '"open"', '"assigned"'] in task["diff"][0]["cells"]
    answers = [(answer["name"], answer["value"]) for answer in task["answers"]]
    assert answers == [
        ("number of tickets", "2"),
        ("number of the new ticket", "9"),
    ]
    assert ["mutants killed", "9/9", "good"] in task["verdicts"]


def test_a_section_is_put_into_a_page_and_replaced_and_taken_out_again(shop: Any, given: Given) -> None:
    page = shop.page()
    first = tasks_section(given.tasks, MANIFEST, given.outputs, graph(4))
    second = tasks_section(given.tasks[:1], MANIFEST, given.outputs, None)
    once = with_tasks(page, first)
    assert with_tasks(once, first) == once
    assert with_tasks(once, second) == with_tasks(page, second)
    assert with_tasks(once, "") == page
    text = Page(once)
    assert text.unbalanced == []
    assert [a["href"] for a in text.named("a")].count("#tasks") == 1
    assert "Dependencies" in text.text and "#dependencies" not in with_tasks(page, second)


def test_a_page_that_keeps_no_place_is_refused(given: Given) -> None:
    with pytest.raises(BadInput, match="autoforge-gen"):
        with_tasks("<html></html>", tasks_section(given.tasks, MANIFEST, {}, None))


def test_every_script_that_runs_is_named_by_the_policy_and_no_other(shop: Any, given: Given) -> None:
    page = with_tasks(shop.page(), tasks_section(given.tasks, MANIFEST, given.outputs, graph(4)))
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = ["sha256-" + base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    policy = next(a["content"] for a in Page(page).named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert len(scripts) == 2
    assert re.findall(r"sha256-[^']+", str(policy)) == digests[::-1]


def test_identifiers_are_used_once_and_labels_lead_to_them(shop: Any, given: Given) -> None:
    page = Page(with_tasks(shop.page(), tasks_section(given.tasks, MANIFEST, given.outputs, graph(5))))
    identifiers = [a["id"] for _, a in page.elements if "id" in a]
    labels = [str(a[name]) for _, a in page.elements for name in ("aria-labelledby", "for") if name in a]
    assert len(identifiers) == len(set(identifiers))
    assert [label for label in labels if label not in identifiers] == []


def test_hostile_texts_stay_texts(shop: Any, given: Given) -> None:
    end = HOSTILE + "<!-- /tasks --><!-- tasks -->\u2028</section>"
    known = {**given.tasks[0].known, "email": end, end: end}
    task = given.tasks[0].model_copy(
        update={"id": end, "instruction": end, "persona": end, "known": known,
                "verdicts": {end: end}, "provenance": {end: end}, "initial": (end,), "distractors": (end,)}
    )  # fmt: skip
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    made.add_node(end + "a", kind=end, side=end)
    made.add_node(end + "b", kind=end, side=end)
    made.add_edge(end + "a", end + "b", output=end, parameter=end, evidence=end)
    manifest = MANIFEST.model_copy(update={"name": end, "admission": {end: {end: 1}, "x": end}})
    section = tasks_section([task], manifest, {end: {"n1": {end: end}}}, made, {end: {"n6": end}})
    page = with_tasks(shop.page(), section)
    page.encode("utf-8")
    parsed = Page(page)
    assert parsed.unbalanced == [] and parsed.named("img") == []
    assert len(parsed.named("script")) == 5
    assert not any(name.startswith("on") for _, attributes in parsed.elements for name in attributes)
    assert "\u202e" not in page and "\x00" not in page
    assert "\u2028" not in page[page.index('id="task-index"') : page.rindex("<script>")]
    assert with_tasks(page, "") == shop.page()
    assert details(section)[0]["persona"].startswith("</script><script>alert(1)")


def test_the_lines_keep_to_their_room_by_shortening_and_then_by_sampling(given: Given) -> None:
    many = [given.tasks[0].model_copy(update={"id": f"t{n}"}) for n in range(40)]
    outputs = {task.id: given.outputs["desk-fall-back"] for task in many}
    whole = task_lines(many, MANIFEST, outputs, {})
    size = sum(len(line.encode()) for line in (*whole.entries, *whole.details))
    shorter = task_lines(many, MANIFEST, outputs, {}, size * 9 // 10)
    fewer = task_lines(many, MANIFEST, outputs, {}, size // 4)
    assert len(whole.details) == len(shorter.details) == 40 and len(shorter.details[0]) < len(whole.details[0])
    assert 5 <= len(fewer.details) == len(fewer.entries) < 40 and fewer.total == 40
    assert sum(len(line.encode()) for line in (*fewer.entries, *fewer.details)) <= size // 4
    assert [json.loads(line)["n"] for line in fewer.entries][:2] != [1, 2]


def test_a_thousand_hard_tasks_keep_a_page_below_fifteen_megabytes(given: Given) -> None:
    found = task_lines(given.tasks[:1], MANIFEST, given.outputs, given.refusals)
    assert len(given.tasks[0].blueprint.nodes) == 13
    assert sum(len(line.encode()) for line in (*found.entries, *found.details)) < ROOM / 1000
    assert ROOM + 1_000_000 < 15_000_000


def test_the_section_is_the_same_every_time(given: Given) -> None:
    sections = {tasks_section(given.tasks, MANIFEST, given.outputs, graph(9), given.refusals) for _ in range(2)}
    assert len(sections) == 1


def test_admission_is_shown_whole_and_ranked() -> None:
    admission = {
        "proposed": 9, "rejected": {"leaks": 2, "not_minimal": 6},
        "baselines": {"oracle": {"mean": 1.0}, "no_op": {"mean": 0.0}},
    }  # fmt: skip
    groups = {group.name: group.counts for group in admission_groups(admission)}
    assert [(c.name, c.words) for c in groups["Admission"]] == [("proposed", "9")]
    assert groups["rejected"][0] == ("not minimal", "6", 1.0, "75 %")
    assert [(c.name, c.words) for c in groups["baselines"]] == [("oracle", "mean 1.0"), ("no op", "mean 0.0")]
    assert admission_groups(None) == admission_groups({}) == ()


def test_difficulty_is_counted_from_the_tasks(given: Given) -> None:
    groups = {group.name: {c.name: c.words for c in group.counts} for group in difficulty_groups(given.tasks)}
    assert groups["Level"] == {"easy": "2", "medium": "0", "hard": "1"}
    assert groups["Tasks with"]["a branch or fall-back"] == "1" and groups["Tasks with"]["the user's own calls"] == "1"
    assert groups["Gold calls, median 3"] == {"1": "1", "3": "1", "5": "1"}
    assert difficulty_groups(()) == ()


@pytest.mark.parametrize(
    ("name", "value", "tone"),
    [("gold", 1, "good"), ("gold", 0, "bad"), ("no_op", 0, "good"), ("no_op", 1, "bad"), ("minimal", False, "bad"),
     ("mutants_killed", "9/9", "good"), ("mutants_killed", "8/9", "bad"), ("orders", 24, ""), ("note", "a/b", "")],
)  # fmt: skip
def test_a_verdict_is_good_or_bad_only_where_its_value_says_so(name: str, value: Any, tone: str) -> None:
    assert verdict_tone(name, value) == tone


def test_the_dependency_picture_has_a_curve_for_each_pair_and_draws_the_strongest_at_once() -> None:
    small, large = dependency_picture(graph(6)), dependency_picture(graph(60))
    assert len(small.pairs) == small.strong == 18
    assert len(large.pairs) == 180 and large.strong == sum(pair.strong for pair in large.pairs) == 90
    assert all(pair.strong for pair in large.pairs if pair.flowed)


def test_parallel_edges_are_one_pair_and_tools_without_edges_are_named() -> None:
    made = graph(3, 1)
    made.add_edge("tool_00", "tool_01", output="$.name", parameter="name", evidence="names")
    made.add_node("lonely", kind="get", side="user")
    picture = dependency_picture(made)
    pair = next(pair for pair in picture.pairs if pair.giver == "tool_00")
    assert [(edge.output, edge.evidence) for edge in pair.edges] == [
        ("$.id", ("types", "names", "flow")),
        ("$.name", ("names",)),
    ]
    assert (picture.edges, picture.alone) == (4, ("lonely",))
    assert "lonely" in Page(tasks_section((), MANIFEST, {}, made)).text


def test_tools_of_the_dependency_picture_do_not_overlap() -> None:
    for place in ("gives", "takes"):
        tops = sorted(tool.y for tool in dependency_picture(graph(30)).tools if tool.place == place)
        assert all(b - a >= 22 for a, b in pairwise(tops))


def test_a_graph_without_edges_and_no_tasks_still_make_a_section(shop: Any) -> None:
    empty: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    page = Page(with_tasks(shop.page(), tasks_section((), MANIFEST, {}, empty)))
    assert page.unbalanced == [] and "None yet" in page.text and "No output of one tool" in page.text
