"""Values that a careless reader would give."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.tasks.operators import OperatorFault, derive
from autoforge.generator.tasks.operators.registry import alternatives
from autoforge.generator.tasks.operators.values import same
from autoforge.mcp_envs.task import Reasoning

ITEMS: list[dict[str, Any]] = [
    {"id": c, "price": p, "kind": k} for c, p, k in zip("abcde", [5, 3, 9, 7, 4], "xxyxz", strict=True)
]


def node(reason: str, **fields: Any) -> Reasoning:
    return Reasoning(id="n", reason=reason, **fields)


def picked(reason: str, **fields: Any) -> list[str]:
    return [item["id"] for item in alternatives(node(reason, **fields), ITEMS, {})]


def test_choice_is_mistaken_for_its_neighbour_and_the_other_extreme() -> None:
    assert picked("argmin", by="price")[:2] == ["e", "c"]
    assert picked("nth_highest", by="price", n=2)[:3] == ["c", "a", "e"]


def test_item_that_fails_the_condition_is_an_alternative() -> None:
    others = alternatives(node("only_where", by="kind", compare="equal"), ITEMS, {"value": "z"})
    assert [item["id"] for item in others] == ["a", "b", "c", "d"]


def test_filter_is_mistaken_at_its_boundary() -> None:
    others = alternatives(node("filter", by="price", compare="less"), ITEMS, {"value": 5})
    assert [[item["id"] for item in other] for other in others] == [list("abe"), list("cd"), list("acd"), list("abcde")]


def test_count_is_mistaken_by_one_and_a_sum_for_that_before_the_filter() -> None:
    assert set(alternatives(node("count", by="kind"), ITEMS, {})) == {3, 4, 6}
    assert set(alternatives(node("count_distinct", by="kind"), ITEMS, {})) == {2, 4, 5}
    cheap = [item for item in ITEMS if item["price"] < 6]
    others = alternatives(node("sum", by="price"), cheap, {}, instead=[ITEMS])
    assert others[0] == 28
    assert {4, 5, 7, 9, 8} <= set(others)


@pytest.mark.parametrize(
    ("reasoning", "over", "inputs", "expected"),
    [
        (node("percent_of"), 80, {"value": 25}, [60, 100, 320, 55]),
        (node("round_to", n=1), 2.46, {}, [2.4, 2.46]),
        (node("add_days"), "2024-05-10", {"value": 3}, ["2024-05-14", "2024-05-12", "2024-05-07", "2024-05-10"]),
        (node("days_between"), "2024-05-10", {"value": "2024-05-11"}, [2, 0]),
        (node("later"), "2024-05-10", {"value": "2024-05-11"}, ["2024-05-10"]),
        (node("weekday"), "2024-02-29", {}, ["Friday", "Wednesday"]),
        (node("month_of"), "2024-12-29", {}, ["January", "November"]),
        (node("date_of"), "2024-12-31T10:00:00Z", {}, ["2025-01-01", "2024-12-30"]),
        (node("compare", compare="less"), 1, {"value": 2}, [False]),
        (node("most_common", by="kind"), ITEMS, {}, ["y", "z"]),
        (node("largest_sum_by", by="kind"), ITEMS, {"amount": "price"}, ["y", "z"]),
        (node("intersection"), [1, 2], {"value": [2, 3]}, [[1, 2, 3], [1], [3], [1, 2], [2, 3]]),
        (node("choose"), None, {"condition": True, "then": 1, "otherwise": 2}, [2]),
        (node("join_text"), ["a", "b"], {"separator": " "}, ["b a", "a"]),
        (node("expression", expression="over * 2"), 4, {}, [9, 7]),
    ],
)
def test_alternatives(reasoning: Reasoning, over: Any, inputs: dict[str, Any], expected: list[Any]) -> None:
    assert alternatives(reasoning, over, inputs) == expected


def test_what_cannot_be_derived_has_no_alternatives() -> None:
    with pytest.raises(OperatorFault):
        alternatives(node("argmin", by="price"), [], {})


numbers = st.lists(st.integers(-5, 5), max_size=6)
LIST_NODES = [
    *(node(reason, by="v", n=1) for reason in ("argmin", "argmax", "nth_lowest", "nth_highest")),
    *(node(reason, by="v") for reason in ("count", "sum", "average", "minimum", "maximum", "count_distinct")),
    *(node("filter", by="v", compare=compare) for compare in ("equal", "less", "greater_equal", "not_equal")),
    node("only_where", by="v", compare="equal"),
    node("most_common", by="v"),
    node("count_by", by="v"),
    node("largest_sum_by", by="v"),
]


@given(numbers, st.sampled_from(LIST_NODES))
def test_no_alternative_of_a_list_equals_the_right_value_or_another(values: list[int], reasoning: Reasoning) -> None:
    _check(reasoning, [{"i": i, "v": value} for i, value in enumerate(values)], {"value": 1, "amount": "v"})


@given(
    st.integers(-50, 50),
    st.integers(-50, 50),
    st.sampled_from(["add", "subtract", "multiply", "divide", "percent_of", "absolute_difference", "round_to"]),
)
def test_no_alternative_of_a_number_equals_the_right_value_or_another(one: int, other: int, reason: str) -> None:
    _check(node(reason, n=1), one / 8, {"value": other})


def _check(reasoning: Reasoning, over: Any, inputs: dict[str, Any]) -> None:
    try:
        right = derive(reasoning, over, inputs)
    except OperatorFault:
        return
    found = [right, *alternatives(reasoning, over, inputs)]
    assert not any(same(one, other) for i, one in enumerate(found) for other in found[:i])
    assert len(found) <= 13
