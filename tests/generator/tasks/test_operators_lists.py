"""Operators over lists of items: choice, filters, aggregates, groups."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from autoforge.generator.tasks.operators import Ambiguous, OperatorFault, derive
from autoforge.mcp_envs.paths import extract
from autoforge.mcp_envs.task import Blueprint, Output, Reasoning

OFFERS = [
    {"id": "a", "price": 120.5, "rating": 4, "city": "Paris", "owner": {"name": "Ann"}},
    {"id": "b", "price": 99, "rating": 4, "city": "Rome", "owner": {"name": "Bob"}},
    {"id": "c", "price": 310.0, "rating": 5, "city": "Paris", "owner": {"name": "Cid"}},
    {"id": "d", "price": None, "rating": 3, "city": "Oslo", "owner": {"name": "Dan"}},
    {"id": "e", "rating": 1, "city": "Paris", "owner": {"name": "Eve"}},
]


def node(reason: str, **fields: Any) -> Reasoning:
    return Reasoning(id="n", reason=reason, **fields)


def run(reason: str, over: Any, value: Any = ..., inputs: dict[str, Any] | None = None, **fields: Any) -> Any:
    given_inputs = inputs or ({} if value is ... else {"value": value})
    return derive(node(reason, **fields), over, given_inputs)


def ids(items: list[dict[str, Any]]) -> str:
    return "".join(item["id"] for item in items)


prices = st.one_of(st.integers(-1000, 1000), st.decimals(-1000, 1000, places=2, allow_nan=False).map(float))
lists = st.lists(st.fixed_dictionaries({"price": prices, "city": st.sampled_from("abc")}), min_size=1, max_size=12).map(
    lambda items: [{"id": str(i), **item} for i, item in enumerate(items)]
)


def result(reason: str, over: Any, **fields: Any) -> Any:
    """The value, or the kind of failure."""
    try:
        return run(reason, over, **fields)
    except OperatorFault as fault:
        return type(fault).__name__


class TestChoose:
    def test_carries_out_the_node_of_the_design(self) -> None:
        blueprint = Blueprint.model_validate(
            {
                "nodes": [
                    {"id": "n1", "tool": "search", "arguments": {}},
                    {"id": "n2", "reason": "argmin", "over": {"from": "n1", "path": "$.offers[*]"}, "by": "price"},
                ]
            }
        )
        reasoning = blueprint.reasons[0]
        assert isinstance(reasoning.over, Output)
        chosen = derive(reasoning, extract({"offers": OFFERS}, reasoning.over.path), {})
        assert extract(chosen, "$.id") == "b"

    @given(lists)
    def test_argmin_has_the_least_value_and_argmax_the_greatest(self, items: list[dict[str, Any]]) -> None:
        values = [item["price"] for item in items]
        for reason, best in (("argmin", min(values)), ("argmax", max(values))):
            found = result(reason, items, by="price")
            assert found == "Ambiguous" if values.count(best) > 1 else found["price"] == best

    @given(lists, st.randoms(use_true_random=False), st.sampled_from(["argmin", "argmax", "nth_lowest", "nth_highest"]))
    def test_order_of_the_list_changes_nothing(self, items: list[dict[str, Any]], random: Any, reason: str) -> None:
        shuffled = random.sample(items, len(items))
        assert result(reason, items, by="price", n=2) == result(reason, shuffled, by="price", n=2)

    @given(lists)
    def test_places_from_both_ends_meet(self, items: list[dict[str, Any]]) -> None:
        assume(len({item["price"] for item in items}) == len(items))
        rising = [run("nth_lowest", items, by="price", n=n)["price"] for n in range(1, len(items) + 1)]
        falling = [run("nth_highest", items, by="price", n=n)["price"] for n in range(1, len(items) + 1)]
        assert rising == sorted(rising) == falling[::-1]

    def test_item_without_the_value_is_left_out(self) -> None:
        assert run("argmin", OFFERS, by="price")["id"] == "b"
        assert run("nth_highest", OFFERS, by="price", n=3)["id"] == "b"

    def test_path_leads_inside_the_item(self) -> None:
        assert run("argmax", OFFERS, by="owner.name")["id"] == "e"

    def test_tie_before_the_place_is_ambiguous(self) -> None:
        items = [{"v": 1}, {"v": 1}, {"v": 2}, {"v": 3}]
        for n in (1, 2, 3, 4):
            with pytest.raises(Ambiguous):
                run("nth_lowest", items, by="v", n=n)
        assert run("nth_highest", items, by="v", n=2) == {"v": 2}

    def test_tie_by_float_noise_is_a_tie(self) -> None:
        with pytest.raises(Ambiguous):
            run("argmin", [{"v": 0.1 + 0.2}, {"v": 0.3}], by="v")

    def test_dates_are_in_order_of_time(self) -> None:
        items = [{"at": "2024-05-01T10:00:00+02:00"}, {"at": "2024-05-01T09:00:00Z"}, {"at": "2024-05-01T08:30:00Z"}]
        assert run("argmin", items, by="at") == items[0]
        assert run("argmax", items, by="at") == items[1]

    def test_texts_whose_order_is_disputed_are_ambiguous(self) -> None:
        assert run("argmin", [{"v": "banana"}, {"v": "Cherry"}, {"v": "apple"}], by="v") == {"v": "apple"}
        for pair in (["room 9", "room 10"], ["9.50", "12.00"], ["-3", "-5"], ["a", "A"], ["José", "jose"]):
            with pytest.raises(Ambiguous):
                run("argmin", [{"v": value} for value in pair], by="v")

    @pytest.mark.parametrize(
        ("over", "fields"),
        [
            ([], {"by": "price"}),
            (OFFERS, {"by": "weight"}),
            (OFFERS, {"by": "owner"}),
            ([{"v": 1}, {"v": "x"}], {"by": "v"}),
            ([{"v": True}, {"v": False}], {"by": "v"}),
            ([{"v": True}, {"v": 0}], {"by": "v"}),
            ([{"v": "2024-05-01"}, {"v": "2024-05-01T10:00:00Z"}], {"by": "v"}),
            ([{"v": "2024-05-01T10:00:00"}, {"v": "2024-05-01T10:00:00+02:00"}], {"by": "v"}),
            ({"price": 1}, {"by": "price"}),
            (OFFERS, {"by": "pr ice"}),
            ([{"v": float("nan")}], {"by": "v"}),
        ],
    )
    def test_says_what_it_cannot_choose_from(self, over: Any, fields: dict[str, Any]) -> None:
        with pytest.raises(OperatorFault) as caught:
            run("argmin", over, **fields)
        assert not isinstance(caught.value, Ambiguous)

    @pytest.mark.parametrize("n", [0, -1, 4])
    def test_place_that_is_not_there_is_a_fault(self, n: int) -> None:
        with pytest.raises(OperatorFault, match="place"):
            run("nth_lowest", OFFERS, by="price", n=n)

    def test_only_wants_one(self) -> None:
        assert run("only", OFFERS[:1]) == OFFERS[0]
        with pytest.raises(Ambiguous):
            run("only", OFFERS[:2])
        with pytest.raises(OperatorFault, match="no item"):
            run("only", [])


class TestFilter:
    @given(
        lists, prices, st.sampled_from([("less", "greater_equal"), ("greater", "less_equal"), ("equal", "not_equal")])
    )
    def test_filter_and_its_complement_are_all(
        self, items: list[dict[str, Any]], value: float, pair: tuple[str, str]
    ) -> None:
        one, other = (run("filter", items, value, by="price", compare=compare) for compare in pair)
        assert sorted(ids(one + other)) == sorted(ids(items))
        assert [item for item in items if item in one] == one

    def test_null_and_missing_satisfy_no_comparison_but_not_equal(self) -> None:
        assert ids(run("filter", OFFERS, 1000, by="price", compare="less")) == "abc"
        assert ids(run("filter", OFFERS, 99, by="price", compare="not_equal")) == "acde"
        assert ids(run("filter", OFFERS, None, by="price", compare="equal")) == "de"

    @pytest.mark.parametrize(
        ("compare", "value", "kept"),
        [("equal", "Paris", "ace"), ("in", ["Rome", "Oslo"], "bd"), ("contains", "PAR", "ace"), ("less", "Pa", "d")],
    )
    def test_compares_texts(self, compare: str, value: Any, kept: str) -> None:
        assert ids(run("filter", OFFERS, value, by="city", compare=compare)) == kept

    def test_list_field_contains_a_whole_value(self) -> None:
        items = [{"id": "a", "tags": ["10", "x"]}, {"id": "b", "tags": ["100"]}, {"id": "c"}]
        assert ids(run("filter", items, "10", by="tags", compare="contains")) == "a"

    def test_date_stands_for_the_whole_day_of_a_timestamp(self) -> None:
        items = [{"id": "a", "at": "2024-05-01T10:00:00Z"}, {"id": "b", "at": "2024-05-02T00:00:00Z"}]
        assert ids(run("filter", items, "2024-05-01", by="at", compare="equal")) == "a"
        assert ids(run("filter", items, "2024-05-01", by="at", compare="greater")) == "b"

    def test_of_nothing_is_nothing(self) -> None:
        assert run("filter", [], 1, by="price", compare="less") == []

    def test_text_that_differs_by_case_alone_is_ambiguous(self) -> None:
        with pytest.raises(Ambiguous):
            run("filter", OFFERS, "paris", by="city", compare="equal")

    @pytest.mark.parametrize(
        "fields",
        [{"by": "weight", "compare": "less"}, {"by": "city", "compare": "less"}, {"by": "city", "compare": "in"}],
    )
    def test_says_what_it_cannot_compare(self, fields: dict[str, Any]) -> None:
        with pytest.raises(OperatorFault):
            run("filter", OFFERS, 5, **fields)

    def test_only_where_wants_one(self) -> None:
        assert run("only_where", OFFERS, "Rome", by="city", compare="equal")["id"] == "b"
        with pytest.raises(Ambiguous):
            run("only_where", OFFERS, "Paris", by="city", compare="equal")
        with pytest.raises(OperatorFault, match="no item"):
            run("only_where", OFFERS, "Bern", by="city", compare="equal")


class TestAggregate:
    @given(lists, lists)
    def test_sum_and_count_of_joined_lists_add_up(self, one: list[Any], other: list[Any]) -> None:
        for reason in ("sum", "count"):
            parts = [Fraction(str(run(reason, items, by="price"))) for items in (one, other)]
            assert Fraction(str(run(reason, one + other, by="price"))) == sum(parts)

    @given(lists, st.randoms(use_true_random=False))
    def test_order_of_the_list_changes_nothing(self, items: list[dict[str, Any]], random: Any) -> None:
        shuffled = random.sample(items, len(items))
        for reason in ("sum", "average", "minimum", "maximum", "count_distinct"):
            assert run(reason, items, by="price") == run(reason, shuffled, by="price")

    @given(lists)
    def test_average_lies_between_the_extremes(self, items: list[dict[str, Any]]) -> None:
        least, mean, most = (run(reason, items, by="price") for reason in ("minimum", "average", "maximum"))
        assert least - 1e-9 <= mean <= most + 1e-9

    def test_reads_fields_plain_values_and_inner_lists(self) -> None:
        orders = [{"lines": [{"price": 0.1}, {"price": 0.2}]}, {"lines": [{"price": 1}]}, {"lines": []}]
        assert run("sum", orders, by="lines[*].price") == 1.3
        assert run("sum", [0.1, 0.2]) == 0.3
        assert run("count_distinct", OFFERS, by="city") == 3
        assert run("minimum", ["2024-05-02", "2024-04-30"]) == "2024-04-30"

    def test_null_is_left_out_but_an_average_over_it_is_ambiguous(self) -> None:
        assert run("sum", OFFERS, by="price") == 529.5
        assert run("count", OFFERS, by="price") == 3
        assert run("count", OFFERS) == 5
        with pytest.raises(Ambiguous):
            run("average", OFFERS, by="price")

    def test_equal_extremes_are_one_value(self) -> None:
        assert run("maximum", [3, 1, 3]) == 3

    def test_of_nothing(self) -> None:
        assert run("sum", []) == run("count", []) == run("count_distinct", []) == 0
        for reason in ("average", "minimum", "maximum"):
            with pytest.raises(OperatorFault):
                run(reason, [])

    def test_spellings_of_one_word_are_not_counted(self) -> None:
        with pytest.raises(Ambiguous):
            run("count_distinct", ["Bug", "bug", "feature"])

    @pytest.mark.parametrize("over", [["1", "2"], [True, False], [1, {"v": 2}], "12", [float("inf")]])
    def test_only_numbers_are_added(self, over: Any) -> None:
        with pytest.raises(OperatorFault):
            run("sum", over)


class TestGroup:
    @given(lists)
    def test_counts_add_up_and_the_most_common_has_the_most(self, items: list[dict[str, Any]]) -> None:
        counts = run("count_by", items, by="city")
        assert counts == Counter(item["city"] for item in items)
        first = result("most_common", items, by="city")
        most = [city for city, count in counts.items() if count == max(counts.values())]
        assert first == (most[0] if len(most) == 1 else "Ambiguous")

    def test_largest_sum_is_not_the_most_common(self) -> None:
        items = [
            {"c": "x", "v": 1},
            {"c": "x", "v": 2},
            {"c": "y", "v": 3.5},
            {"c": "y", "v": None},
            {"c": "z", "v": 4},
        ]
        assert run("largest_sum_by", items, by="c", inputs={"amount": "v"}) == "z"
        with pytest.raises(Ambiguous):
            run("largest_sum_by", [*items, {"c": "x", "v": 1}], by="c", inputs={"amount": "v"})

    def test_groups_may_be_numbers_or_booleans(self) -> None:
        items = [{"v": 1}, {"v": 1.0}, {"v": 2}]
        assert run("count_by", items, by="v") == {"1": 2, "2": 1}
        assert run("count_by", [{"v": True}], by="v") == {"true": 1}

    @pytest.mark.parametrize("items", [[], [{"v": [1]}], [{"v": 1}, {"v": 1}, {"v": "1"}], [{"w": 1}]])
    def test_says_what_it_cannot_group(self, items: list[Any]) -> None:
        with pytest.raises(OperatorFault):
            run("most_common", items, by="v")
