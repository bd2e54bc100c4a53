"""Fields that a model proposes: which are used, and what is asked of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.tasks.builder import Builder, Option, Thing
from autoforge.generator.tasks.catalogue import RowSet
from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.model.derived_fields import DerivedField, row_value, wrong_with
from autoforge.generator.tasks.model.derived_questions import derived_question
from autoforge.generator.tasks.model.field_proposals import derived_fields
from autoforge.generator.tasks.model.formulas import fields_read, numbers_in, spoken
from autoforge.generator.tasks.operators.grammar import check_expression
from autoforge.generator.tasks.workshop import Workshop
from autoforge.mcp_envs.task import Reasoning
from tests.generator.tasks.model.conftest import Connect, Decide, prompt
from tests.gym.replay_server import Answer, ReplayServer

Serve = Callable[[Decide], ReplayServer]
STAYS = [
    {"id": "s1", "total": 300.0, "nights": 3, "paid": 100.0, "guest": {"age": 30}},
    {"id": "s2", "total": 100.0, "nights": 2, "paid": 0.0, "guest": {"age": 41}},
]
GOOD = "over['total'] / over['nights']"


def _field(expression: str = GOOD, words: str = "price per night", name: str = "price_per_night") -> DerivedField:
    return DerivedField(name, words, "stays", expression)


@pytest.mark.parametrize("expression", [GOOD, 'over["total"] - over["paid"]', 'over["guest"]["age"] * over["nights"]'])
def test_figures_that_follow_from_a_row_are_used(expression: str) -> None:
    assert wrong_with(_field(expression), STAYS) == ""


@pytest.mark.parametrize(("expression", "because"), [
    ("__import__('os').environ['OPENAI_API_KEY']", "Attribute is not allowed"),
    ("open('/etc/passwd')", "open may not be called"),
    ("over.total / over.nights", "Attribute is not allowed"),
    ("(lambda: over['total'])()", "may not be called"),
    ("total / nights", "the name total is not known"),
    ("over['total'] /", "no Python expression"),
    ("9 ** 9 ** 9 ** 9 + over['total']", "on a row that was seen"),
    ("over['rooms'] * over['nights']", "on a row that was seen"),
    ("over['nights'] / (over['paid'] - 100)", "on a row that was seen"),
    ("over['id'] + over['id']", "not give a number"),
    ("over['total'] > over['paid']", "not give a number"),
    ("over['total'] - over['total']", "the same for every row"),
    ("over['total'] + 0 * over['nights']", "only repeats total"),
    ("len(over)", "reads no field"),
    ("1 + 1", "reads none of over"),
])  # fmt: skip
def test_forbidden_failing_and_useless_ones_are_not(expression: str, because: str) -> None:
    assert because in wrong_with(_field(expression), STAYS)


@pytest.mark.parametrize("words", ["", "price per 2 nights", "price_per_night", 'say: "yes"', "a b c d e f g h"])
def test_words_that_are_not_just_words_are_refused(words: str) -> None:
    assert "words are not just words" in wrong_with(_field(words=words), STAYS)


def test_too_few_rows_prove_nothing() -> None:
    assert "too few rows" in wrong_with(_field(), STAYS[:1])


NAMES = st.from_regex(r"[a-z]{3,8}(_[a-z]{3,8})?", fullmatch=True)


@given(NAMES, NAMES, st.sampled_from("+-*/"))
def test_the_fields_that_are_read_are_those_that_are_spoken_of(one: str, two: str, operator: str) -> None:
    expression = f"over['{one}'] {operator} over[\"{two}\"] * 100"
    assert check_expression(expression, {"over"}) is None
    assert fields_read(expression) == tuple(dict.fromkeys((one, two)))
    assert numbers_in(expression) == (100,)
    assert "over" not in spoken(expression).replace(one, "").split() and "[" not in spoken(expression)


def test_a_formula_reads_like_one() -> None:
    assert spoken('round(over["roomRate"] / over["guest"]["stay_nights"], 2)') == "round(room rate / stay nights, 2)"


# What a model proposes -----------------------------------------------------------------------------------------------


def _proposals(*fields: tuple[str, str, int, str]) -> Answer:
    names = ("name", "words", "rows", "expression")
    return Answer(json.dumps({"fields": [dict(zip(names, field, strict=True)) for field in fields]}))


def _rows(body: dict[str, Any]) -> int:
    """The number under which tickets are shown."""
    line = next(line for line in prompt(body).splitlines() if line.startswith("### ") and ". ticket" in line)
    return int(line.split()[1].rstrip("."))


def test_only_what_holds_on_the_outputs_of_the_environment_comes_back(
    workshop: Workshop, connect: Connect, serve: Serve
) -> None:
    server = serve(lambda body: _proposals(
        ("tag_count", "number of tags", _rows(body), "len(over['tags'])"),
        ("exit", "way out", _rows(body), "exit()"),
        ("age", "age in days", _rows(body), "over['due_on'] - over['opened_at']"),
        ("lost", "lost rows", 99, "len(over['tags'])"),
        ("load", "workload", _rows(body), "len(over['tags']) + len(over['notes'])"),
    ))  # fmt: skip
    with connect(server) as adviser:
        found = derived_fields(workshop.catalogue, adviser)
        notes = adviser.notes
    assert [(f.name, f.table) for f in found] == [("tag_count", "tickets"), ("load", "tickets")]
    assert [note.split(": ")[2] for note in notes] == ["exit", "age", "lost"]


def test_a_model_that_answers_garbage_adds_no_fields(workshop: Workshop, connect: Connect, serve: Serve) -> None:
    with connect(serve(lambda body: Answer("price per night, obviously"))) as adviser:
        assert derived_fields(workshop.catalogue, adviser) == ()
        assert adviser.notes[0].startswith("fields: an answer was given up")


# Questions -----------------------------------------------------------------------------------------------------------


def _ticket(workshop: Workshop) -> Builder:
    """A builder with one ticket in hand."""
    builder = Builder(workshop.setting, workshop.stage.start(), random.Random(0))
    tool = workshop.catalogue.tools["get_ticket"]
    builder.call(tool, {("ticket_id",): Option(1, lambda: builder.tell("ticket_id", 1))})
    return builder


def test_a_question_adds_the_node_that_answers_it(workshop: Workshop) -> None:
    builder = _ticket(workshop)
    load = DerivedField("load", "workload", "tickets", "len(over['tags']) + len(over['notes']) + 40")
    answer = derived_question(builder, [load])
    builder.close()
    node = builder.nodes[-1]
    assert isinstance(node, Reasoning) and (node.reason, node.by) == ("expression", "workload")
    assert answer.value == builder.values[node.id] == row_value(load, builder.values[builder.nodes[0].id])
    assert answer.name == "workload" and answer.value not in answer.others and answer.others


def test_there_is_no_question_where_the_row_shows_the_value_or_is_of_another_table(workshop: Workshop) -> None:
    builder = _ticket(workshop)
    same = DerivedField("same", "number", "tickets", "over['id'] + 0")
    with pytest.raises(Rejection, match="nothing to ask for"):
        derived_question(builder, [same, same._replace(table="agents")])
    builder.close()


def test_a_row_of_a_list_is_told_apart_from_its_neighbours(workshop: Workshop) -> None:
    types = {"total": "number", "nights": "number", "paid": "number"}
    rows = RowSet("$.stays[*]", "stays", {}, types)
    builder = Builder(workshop.setting, workshop.stage.start(), random.Random(0))
    builder.values["n0"] = STAYS[0]
    builder.things.append(Thing("stays", STAYS[0], "n0", "$", rows, (STAYS[1],)))
    assert derived_question(builder, [_field("over['total'] - over['paid']")]).others == (100, 300, 3)
    with pytest.raises(Rejection):
        derived_question(builder, [_field()])  # 300 / 3 is what was paid, too
    builder.close()
