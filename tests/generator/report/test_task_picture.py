"""The picture of a task: what its steps are, and where they are drawn."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.generator.report.task_picture import TaskPicture, outline, task_picture
from autoforge.generator.report.task_steps import Input, Kind, Step, steps, writing_tools
from autoforge.generator.report.task_words import leaves, operation_words, short, source_words
from autoforge.generator.report.wording import cells
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.task import ListOf, Reasoning, Task
from tests.generator.report.desk_tasks import desk, desk_tasks

WRITING = writing_tools(desk().manifest)


@pytest.fixture(scope="module")
def fall_back() -> Task:
    with Stage(desk()) as stage:
        return desk_tasks(stage)[0]


def drawn(count: int, pairs: list[tuple[int, int]]) -> list[Step]:
    """Steps with an input for each earlier step that a pair names."""
    return [
        Step(f"n{n}", "read" if n % 3 else "reason", f"tool_{n}", "",
             tuple(Input(f"p{a}", "id", f"n{a} $.id", f"n{a}") for a, b in pairs if b == n and a < n))
        for n in range(count)
    ]  # fmt: skip


def assert_sound(picture: TaskPicture) -> None:
    boxes = {box.step.id: box for box in picture.boxes}
    for a, b in combinations(picture.boxes, 2):
        assert a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
    for box in picture.boxes:
        assert box.x >= 0 and box.x + box.width <= picture.width and box.y >= 0 and box.y + box.height <= picture.height
    for line in picture.lines:
        assert boxes[line.origin].x + boxes[line.origin].width < boxes[line.end].x


@st.composite
def shapes(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """A number of steps, and which reads which."""
    number = draw(st.integers(1, 14))
    place = st.integers(0, number)
    return number, draw(st.lists(st.tuples(place, place), max_size=30))


@settings(max_examples=40, deadline=None)
@given(shapes())
def test_boxes_never_overlap_and_lines_run_to_the_right(shape: tuple[int, list[tuple[int, int]]]) -> None:
    found = drawn(*shape)
    picture = task_picture(found, [("n0", f"n{shape[0] - 1}")] if shape[0] > 1 else [])
    assert_sound(picture)
    assert sum(line.flow == "data" for line in picture.lines) == sum(len(step.inputs) for step in found)


def test_every_node_known_value_and_answer_is_drawn_with_its_kind_and_fate(fall_back: Task) -> None:
    found = {step.id: step for step in steps(fall_back, WRITING, {"n10": True})}
    assert_sound(task_picture(tuple(found.values()), fall_back.blueprint.edges))
    kinds = {name: step.kind for name, step in found.items()}
    assert kinds["n1"] == "read" and kinds["n8"] == "write" and kinds["n3"] == "reason"
    assert kinds["user:email"] == "known" and kinds["answer:0"] == "answer"
    assert [name for name, step in found.items() if step.fate == "refused"] == ["n6"]
    assert [name for name, step in found.items() if step.fate == "skipped"] == ["n13"]


def test_fates_come_from_the_gold_calls_alone_where_there_are_no_outputs(fall_back: Task) -> None:
    fates = {step.id: step.fate for step in steps(fall_back, WRITING, {})}
    assert (fates["n6"], fates["n8"], fates["n12"], fates["n13"]) == ("refused", "done", "done", "skipped")


def test_a_step_behind_a_skipped_one_is_skipped(fall_back: Task) -> None:
    fates = {step.id: step.fate for step in steps(fall_back, WRITING, {"n10": False})}
    assert (fates["n11"], fates["n12"]) == ("skipped", "skipped")


def test_a_user_s_step_is_told_apart() -> None:
    with Stage(desk()) as stage:
        found = steps(desk_tasks(stage)[1], WRITING, {})
    assert [step.id for step in found if step.kind == "user"] == ["n3"]


def test_edges_are_labelled_with_what_flows_and_told_apart(fall_back: Task) -> None:
    picture = task_picture(steps(fall_back, WRITING, {}), fall_back.blueprint.edges)
    boxes = {box.step.id: box for box in picture.boxes}
    lines = {
        (line.origin, line.end, line.flow): "" if line.row is None else boxes[line.end].rows[line.row].full
        for line in picture.lines
    }
    assert lines["n3", "n8", "data"] == "ticket_id ← n3 $.id"
    assert lines["n6", "n8", "guard"] == "if n6 was refused"
    assert lines["user:tag", "n11", "data"] == "tags[1] ← user: tag"
    assert ("n8", "n11", "order") in lines and ("n8", "n13", "order") not in lines
    assert [(row.name, row.words, row.flow) for row in boxes["n11"].rows] == [
        ("", "if n10 is true", "guard"), ("customer_email", "email", "data"), ("subject", "subject", "data"),
        ("tags[0]", '"escalation"', "literal"), ("tags[1]", "tag", "data"),
    ]  # fmt: skip


def test_texts_of_a_box_fit_into_it() -> None:
    long = Step(
        "n1", "read", "a_tool_with_a_name_that_goes_on_and_on", "d" * 90, (Input("p" * 60, "w" * 60, "f", "n0"),)
    )
    box = next(b for b in task_picture([Step("n0", "read", "x", "", ()), long]).boxes if b.step.id == "n1")
    most = box.width / 6.65
    row = box.rows[0]
    assert len(box.title) + len(" n1") < most and len(box.detail) < most
    assert len(row.name) + len(row.words) < most and row.words.endswith("…")


def test_each_kind_has_its_own_shape() -> None:
    kinds: tuple[Kind, ...] = get_args(Kind)
    assert len({outline(kind, 120, 60) for kind in kinds}) == len(kinds) == 6


def test_no_steps_make_an_empty_picture() -> None:
    assert task_picture([]).boxes == ()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_a_short_value_is_never_wider_than_asked(value: object) -> None:
    assert cells(short(value, 40)) <= 40


def test_a_long_list_says_how_much_is_missing() -> None:
    assert short(list(range(100)), 60) == '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, "… 88 more"]'


def test_sources_and_operators_in_words() -> None:
    made = ListOf.model_validate({"list": [{"user": "tag"}, {"object": {"id": {"from": "n1", "path": "$.id"}}}]})
    assert source_words(made) == "[user: tag, {id: n1 $.id}]"
    assert [leaf.name for leaf in leaves("tags", made)] == ["tags[0]", "tags[1].id"]
    node = Reasoning(id="n", reason="nth_lowest", by="price", n=2, compare="less_equal")
    assert operation_words(node) == "by price, ≤, n = 2"
