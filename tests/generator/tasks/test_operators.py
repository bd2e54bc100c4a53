"""Operators on plain values, and the registry."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.tasks.operators import OPERATORS, Ambiguous, OperatorFault, derive
from autoforge.generator.tasks.operators.values import same
from autoforge.mcp_envs.task import Literally, Reasoning


def run(reason: str, over: Any = None, value: Any = ..., inputs: dict[str, Any] | None = None, **fields: Any) -> Any:
    given_inputs = inputs or ({} if value is ... else {"value": value})
    return derive(Reasoning(id="n", reason=reason, **fields), over, given_inputs)


cents = st.integers(-(10**7), 10**7).map(lambda n: n / 100)
days = st.dates(date(1950, 1, 1), date(2100, 1, 1)).map(date.isoformat)
plain = st.lists(st.one_of(st.integers(0, 9), st.sampled_from(["a", "b", "c"]), st.booleans()), max_size=8)


class TestRegistry:
    def test_holds_every_operator_under_its_name(self) -> None:
        assert all(name == operator.name for name, operator in OPERATORS.items())
        assert set(OPERATORS) == set(
            "argmin argmax nth_lowest nth_highest only filter only_where count sum average minimum maximum "
            "count_distinct add subtract multiply divide percent_of absolute_difference round_to add_days days_between "
            "date_of weekday month_of later earlier compare both either negate most_common count_by largest_sum_by "
            "union intersection difference distinct choose coalesce join_text contains_text expression".split()
        )

    def test_unknown_operator_is_a_fault(self) -> None:
        with pytest.raises(OperatorFault, match="no operator 'guess'"):
            run("guess", [])

    @pytest.mark.parametrize("name", sorted(OPERATORS))
    def test_needed_field_must_be_there(self, name: str) -> None:
        with pytest.raises(OperatorFault, match="needs"):
            run(name)

    @pytest.mark.parametrize("name", sorted(OPERATORS))
    @pytest.mark.parametrize("junk", [None, True, 7, 2.5, "x", "2024-02-30", [], [None], [[1]], {}, {"v": [{}]}])
    def test_junk_is_a_fault_or_a_value_but_never_a_crash(self, name: str, junk: Any) -> None:
        names = ("value", "condition", "then", "otherwise", "separator", "amount")
        reasoning = Reasoning(id="n", reason=name, by="v", compare="less", n=1, expression="over + value")
        for other in (junk, 3, "v", [1]):
            try:
                value = derive(reasoning, junk, dict.fromkeys(names, other))
            except OperatorFault:
                continue
            assert same(value, value)


class TestArithmetic:
    @given(cents, cents)
    def test_money_has_no_noise(self, one: float, other: float) -> None:
        total = run("add", one, other)
        assert round(total * 100) == round(one * 100) + round(other * 100)
        assert run("subtract", total, other) == one
        assert run("absolute_difference", one, other) == run("absolute_difference", other, one) >= 0

    def test_results_are_as_a_person_writes_them(self) -> None:
        assert run("add", 0.1, 0.2) == 0.3
        assert run("multiply", 19.99, 3) == 59.97
        assert run("divide", 1, 3) == 0.3333333333
        assert run("percent_of", 80, 12.5) == 10
        assert run("subtract", 123456789.12, 0.01) == 123456789.11
        assert run("multiply", 0.000012345678, 0.1) == 0.0000012345678

    @pytest.mark.parametrize(("reason", "one", "other"), [("add", 2, 3), ("divide", 6, 2), ("add", 0.5, 0.5)])
    def test_whole_results_are_ints(self, reason: str, one: Any, other: Any) -> None:
        assert type(run(reason, one, other)) is int

    def test_rounds_where_conventions_agree(self) -> None:
        assert run("round_to", 2.346, n=2) == 2.35
        assert run("round_to", 1.875, n=2) == 1.88
        assert run("round_to", -2.6, n=0) == -3
        with pytest.raises(Ambiguous):
            run("round_to", 2.345, n=2)

    @pytest.mark.parametrize(
        ("reason", "one", "other"),
        [("divide", 1, 0), ("add", True, 1), ("add", "1", 1), ("add", None, 1), ("multiply", 10**29, 10**29)],
    )
    def test_says_what_it_cannot_calculate(self, reason: str, one: Any, other: Any) -> None:
        with pytest.raises(OperatorFault):
            run(reason, one, other)


class TestDates:
    @given(days, st.integers(-3000, 3000))
    def test_days_added_are_the_days_between(self, day: str, count: int) -> None:
        moved = run("add_days", day, count)
        assert run("days_between", day, moved) == run("days_between", moved, day) == abs(count)
        assert run("add_days", moved, -count) == day

    @given(days, days)
    def test_later_and_earlier_are_the_two(self, one: str, other: str) -> None:
        assert [run("earlier", one, other), run("later", one, other)] == sorted([one, other])

    @pytest.mark.parametrize("rest", ["", "T23:30:00Z", " 08:00", "T10:00:00.250+02:00", "T10:00:00"])
    def test_form_is_kept(self, rest: str) -> None:
        assert run("add_days", "2024-02-28" + rest, 2) == "2024-03-01" + rest
        assert run("date_of", "2024-02-28" + rest) == "2024-02-28"

    def test_names_the_day_and_the_month(self) -> None:
        assert run("weekday", "2024-02-29T12:00:00Z") == "Thursday"
        assert run("month_of", "2024-02-29") == "February"

    def test_days_between_timestamps_need_one_reading(self) -> None:
        assert run("days_between", "2024-05-01T10:00:00Z", "2024-05-03T11:00:00Z") == 2
        assert run("days_between", "2024-05-01", "2024-05-03T01:00:00Z") == 2
        with pytest.raises(Ambiguous):
            run("days_between", "2024-05-01T23:00:00Z", "2024-05-03T01:00:00Z")

    def test_same_moment_written_twice_is_ambiguous(self) -> None:
        with pytest.raises(Ambiguous):
            run("later", "2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00")

    @pytest.mark.parametrize("over", ["2024-02-30", "20240501", "1 May 2024", "2024-05-01T25:00:00Z", 20240501, None])
    def test_what_is_no_iso_date_is_a_fault(self, over: Any) -> None:
        with pytest.raises(OperatorFault):
            run("add_days", over, 1)

    @pytest.mark.parametrize("value", [1.5, "1", True, 10**9])
    def test_days_are_whole_and_few(self, value: Any) -> None:
        with pytest.raises(OperatorFault):
            run("add_days", "2024-05-01", value)


class TestCompare:
    @pytest.mark.parametrize(
        ("one", "compare", "other", "holds"),
        [
            (5, "less", 5.5, True),
            (1, "equal", 1.0, True),
            (0.1 + 0.2, "equal", 0.3, True),
            ("2024-05-01T10:00:00Z", "equal", "2024-05-01T12:00:00+02:00", True),
            ("2024-05-01T10:00:00Z", "less_equal", "2024-05-01", True),
            ("open", "not_equal", "closed", True),
            (None, "equal", None, True),
            (None, "equal", 3, False),
            (True, "equal", True, True),
            ("Blue Room", "contains", "room", True),
            ([1, 2], "contains", 3, False),
            (2, "in", [1, 2.0], True),
            ([1, {"a": 1}], "equal", [1.0, {"a": 1}], True),
        ],
    )
    def test_compares(self, one: Any, compare: str, other: Any, holds: bool) -> None:
        node = Reasoning(id="n", reason="compare", over=Literally(literal=one), compare=compare)  # type: ignore[arg-type]
        assert derive(node, one, {"value": other}) is holds

    @pytest.mark.parametrize(
        ("one", "compare", "other"),
        [
            (1, "equal", True),
            (1, "equal", "1"),
            (1, "less", "2"),
            (None, "less", 1),
            (True, "less", False),
            ("soon", "less", "2024-05-01"),
            ("2024-05-01T10:00:00", "less", "2024-05-01T10:00:00+02:00"),
            ([1], "less", [2]),
            ("abc", "contains", 1),
            ("a", "in", "abc"),
        ],
    )
    def test_kinds_do_not_mix(self, one: Any, compare: str, other: Any) -> None:
        with pytest.raises(OperatorFault):
            run("compare", one, other, compare=compare)

    @given(st.booleans(), st.booleans())
    def test_conditions_are_combined(self, one: bool, other: bool) -> None:
        assert run("both", one, other) is (one and other)
        assert run("either", one, other) is (one or other)
        assert run("negate", run("both", one, other)) is run("either", run("negate", one), run("negate", other))

    @pytest.mark.parametrize("reason", ["both", "either", "negate"])
    def test_only_booleans_are_conditions(self, reason: str) -> None:
        with pytest.raises(OperatorFault):
            run(reason, 1, True)


class TestSets:
    @given(plain, plain)
    def test_laws_of_sets(self, one: list[Any], other: list[Any]) -> None:
        both, rest = run("intersection", one, other), run("difference", one, other)
        assert both == [x for x in run("distinct", one) if any(same(x, y) for y in other)]
        assert len(both) + len(rest) == len(run("distinct", one))
        assert len(run("union", one, other)) == len(rest) + len(run("distinct", other))

    def test_order_of_first_occurrence_is_kept(self) -> None:
        assert run("union", [3, 1, 3], [2, 1.0]) == [3, 1, 2]
        assert run("distinct", ["b", None, "a", "b"]) == ["b", "a"]

    @pytest.mark.parametrize(("one", "other"), [([{"a": 1}], [1]), ("ab", ["a"]), ([1], 1)])
    def test_only_lists_of_plain_values(self, one: Any, other: Any) -> None:
        with pytest.raises(OperatorFault):
            run("union", one, other)

    def test_spellings_of_one_word_are_ambiguous(self) -> None:
        with pytest.raises(Ambiguous):
            run("intersection", ["Bug"], ["bug"])


class TestChoiceAndText:
    def test_choose_takes_one_of_two(self) -> None:
        values = {"then": "a", "otherwise": None}
        assert run("choose", inputs={"condition": True, **values}) == "a"
        assert run("choose", inputs={"condition": False, **values}) is None
        with pytest.raises(OperatorFault, match="boolean"):
            run("choose", inputs={"condition": 1, **values})

    def test_coalesce_takes_the_first_that_is_there(self) -> None:
        assert run("coalesce", [None, 0, 5]) == 0
        with pytest.raises(OperatorFault, match="null"):
            run("coalesce", [None])

    def test_joins_text_and_numbers(self) -> None:
        assert run("join_text", ["Ann", 2.0, 0.1 + 0.2, None], inputs={"separator": ", "}) == "Ann, 2, 0.3"
        with pytest.raises(OperatorFault):
            run("join_text", [{}], inputs={"separator": ", "})

    def test_finds_text_without_regard_to_case(self) -> None:
        assert run("contains_text", "Breakfast included", "breakfast") is True
        assert run("contains_text", "Breakfast included", "dinner") is False
        with pytest.raises(OperatorFault):
            run("contains_text", "text", "")
