"""Find and Select, as emitted code on a real database."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import (
    Filter,
    Find,
    Order,
    Return,
    Variable,
)

from .builders import (
    INTEGER,
    TEXT,
    TEXTS,
    A,
    B,
    C,
    Start,
    apply,
    arg,
    by_id,
    const,
    field,
    listing,
)
from .conftest import operation, parameter


def test_a_missing_row_is_refused_in_the_words_of_the_documentation(run_shop: Start) -> None:
    find = Find(
        row="o", entity="order", where=by_id(arg("order")), missing="Order '{order}' of {nobody} {is} not here."
    )
    opened = run_shop(operation(find, Return(value=field("o", "status")), parameters=(parameter("order", TEXT),)))
    assert opened.call(order=A) == "pending"
    assert opened.refusal(order='X"{}\\') == "Order 'X\"{}\\' of {nobody} {is} not here."


def test_find_without_a_sentence_binds_none(run_shop: Start) -> None:
    find = Find(row="o", entity="order", where=by_id(arg("order")))
    found = apply("not_null", Variable(name="o"))
    opened = run_shop(operation(find, Return(value=found), parameters=(parameter("order", TEXT),)))
    assert (opened.call(order=A), opened.call(order="x"), opened.call()) == (True, False, False)


def test_find_by_something_else_than_the_key_takes_the_first_by_key(run_shop: Start) -> None:
    find = Find(row="o", entity="order", where=(Filter(column="status", value=const("pending")),))
    assert run_shop(operation(find, Return(value=field("o", "id")))).call() == A


def test_find_ignores_case_where_asked_also_beyond_ascii(run_shop: Start) -> None:
    where = (Filter(column="name", comparison="equal_text", value=arg("name")),)
    find = Find(row="c", entity="customer", where=where, missing="No {name}.")
    opened = run_shop(operation(find, Return(value=field("c", "id")), parameters=(parameter("name", TEXT),)))
    assert opened.call(name="ZOË ångström") == "CUS-001"
    assert opened.refusal(name="Zoe") == "No Zoe."


def test_find_follows_foreign_keys(run_shop: Start) -> None:
    through = (("order_id", "order"), ("customer_id", "customer"))
    where = (Filter(column="email", value=arg("email"), through=through), Filter(column="product", value=const("pear")))
    find = Find(row="i", entity="order_item", where=where, missing="None.")
    opened = run_shop(operation(find, Return(value=field("i", "quantity")), parameters=(parameter("email", TEXT),)))
    assert opened.call(email="zoe@example.org") == 1
    assert opened.refusal(email="half@example.org") == "None."


COMPARISONS: list[tuple[str, str, Any, list[str]]] = [
    ("status", "equal", "pending", [A, C]),
    ("status", "equal", None, []),
    ("note", "not_equal", "DOOR", [B, C]),
    ("rating", "less", 5, [C]),
    ("rating", "less_equal", 5, [A, C]),
    ("rating", "greater", 3, [A]),
    ("rating", "greater_equal", 3, [A, C]),
    ("note", "contains", "oo", [A]),
    ("note", "contains", "STRASSE", [C]),
    ("note", "contains", "%", []),
    ("note", "contains", "_", []),
    ("tags", "contains", "GIFT", [A]),
    ("note", "starts_with", "do", [A]),
    ("note", "starts_with", "oo", []),
    ("note", "equal_text", "door", [A]),
    ("status", "in", ["shipped", "cancelled"], [B]),
    ("status", "in", [], []),
    ("rating", "in", [5, 3], [A, C]),
    ("tags", "has", "fragile", [A, C]),
    ("tags", "has", "frag", []),
    ("tags", "has_any", ["gift", "x"], [A]),
    ("tags", "has_any", [], []),
    ("tags", "equal", ["fragile"], [C]),
    ("note", "is_null", True, [B]),
    ("note", "is_null", False, [A, C]),
    ("gift", "equal", True, [A]),
    ("created_at", "less_equal", "2026-03-01", [A, B, C]),
    ("created_at", "less", "2026-03-01", [A]),
    ("created_at", "greater", "2026-03-01", []),
    ("created_at", "greater_equal", "2026-03-01", [B, C]),
    ("created_at", "equal", "2026-03-01", [B, C]),
    ("created_at", "greater", "2026-03-01T12:00:00", [C]),
    ("status", "has", "pending", [A, C]),
    ("status", "has_any", ["pending"], [A, C]),
]


@pytest.mark.parametrize(("column", "comparison", "value", "expected"), COMPARISONS)
def test_a_comparison_finds_the_same_rows_however_its_value_comes(
    run_shop: Start, column: str, comparison: Any, value: Any, expected: list[str]
) -> None:
    known = {str: TEXT, bool: {"type": "boolean"}, int: INTEGER, list: {"type": "array"}, type(None): {}}[type(value)]
    for schema in (known, {}):
        steps = listing(Filter(column=column, comparison=comparison, value=arg("v")))
        opened = run_shop(operation(*steps, parameters=(parameter("v", schema, required=True),)))
        assert opened.call(v=value) == expected, opened.source
    constant = listing(Filter(column=column, comparison=comparison, value=const(value)))
    assert run_shop(operation(*constant)).call() == expected


@pytest.mark.parametrize(("column", "comparison", "value", "expected"), COMPARISONS)
def test_an_optional_filter_counts_only_when_it_is_given(
    run_shop: Start, column: str, comparison: Any, value: Any, expected: list[str]
) -> None:
    schema = TEXTS if isinstance(value, list) else {}
    if isinstance(value, list) and all(isinstance(v, int) for v in value):
        schema = {"type": "array"}
    steps = listing(Filter(column=column, comparison=comparison, value=arg("v"), optional=True))
    opened = run_shop(operation(*steps, parameters=(parameter("v", schema),)))
    assert opened.call() == [A, B, C]
    assert opened.call(v=value) == ([A, B, C] if value is None or value == [] else expected)


@pytest.mark.parametrize("comparison", ["equal", "contains", "in"])
def test_filters_follow_foreign_keys_optionally(run_shop: Start, comparison: Any) -> None:
    through = (("customer_id", "customer"),)
    value: dict[str, Any] = {"equal": "Zoë Ångström", "contains": "ZOË", "in": ["Zoë Ångström"]}
    steps = listing(Filter(column="name", comparison=comparison, value=arg("v"), optional=True, through=through))
    opened = run_shop(operation(*steps, parameters=(parameter("v", TEXTS if comparison == "in" else TEXT),)))
    assert opened.call(v=value[comparison]) == [A, B]
    assert opened.call() == [A, B, C]


def test_a_search_needs_every_word_somewhere(run_shop: Start) -> None:
    steps = listing(search=(("note", "status"), arg("query")))
    opened = run_shop(operation(*steps, parameters=(parameter("query", TEXT),)))
    assert opened.call(query="pending STRASSE") == [C]
    assert opened.call(query="pending nothing") == []
    assert opened.call(query="%") == []
    assert opened.call(query="  ") == opened.call() == [A, B, C]


def test_a_fixed_order_ends_with_the_key(run_shop: Start) -> None:
    steps = listing(order=(Order(column="status", descending=const("descending")),))
    opened = run_shop(operation(*steps))
    assert opened.call() == [B, A, C]
    assert 'ORDER BY "status" DESC, "id"' in opened.source


@pytest.mark.parametrize(
    ("sort", "direction", "expected"),
    [
        (None, None, [A, B, C]),
        ("rating", None, [B, C, A]),
        ("rating", "DESC", [A, C, B]),
        ("rating", "-", [A, C, B]),
        ("rating", "asc", [B, C, A]),
        ("state", "desc", [B, A, C]),
        ("state", True, [B, A, C]),
    ],
)
def test_the_call_may_choose_the_order(run_shop: Start, sort: Any, direction: Any, expected: list[str]) -> None:
    order = Order(by=arg("sort"), allowed=(("rating", "rating"), ("state", "status")), descending=arg("direction"))
    parameters = (parameter("sort", TEXT), parameter("direction"))
    opened = run_shop(operation(*listing(order=(order,)), parameters=parameters))
    assert opened.call(sort=sort, direction=direction) == expected
    assert opened.refusal(sort="colour") == "Results cannot be sorted by colour; use one of rating, state."


def test_the_direction_alone_may_be_chosen_and_ties_stay_in_key_order(run_shop: Start) -> None:
    order = (Order(column="status", descending=arg("down")), Order(column="rating"))
    opened = run_shop(operation(*listing(order=order), parameters=(parameter("down", {"type": "boolean"}),)))
    assert opened.call(down=True) == [B, C, A]
    assert opened.call(down=False) == [C, A, B]


@pytest.mark.parametrize(
    ("limit", "offset", "expected"),
    [
        (2, None, [A, B]),
        (None, 1, [B, C]),
        (1, 1, [B]),
        (0, 0, []),
        (-1, -1, []),
        (2.0, 1.0, [B, C]),
        (None, None, [A, B, C]),
    ],
)
def test_pages_are_cut_from_the_ordered_rows(run_shop: Start, limit: Any, offset: Any, expected: list[str]) -> None:
    parameters = (parameter("limit", INTEGER), parameter("offset", INTEGER))
    opened = run_shop(operation(*listing(limit=arg("limit"), offset=arg("offset")), parameters=parameters))
    assert opened.call(limit=limit, offset=offset) == expected


def test_a_fixed_limit_is_left_to_sql(run_shop: Start) -> None:
    opened = run_shop(operation(*listing(limit=const(2))))
    assert opened.call() == [A, B]
    assert "LIMIT 2" in opened.source
    filtered = run_shop(
        operation(*listing(Filter(column="note", comparison="contains", value=const("7")), limit=const(1)))
    )
    assert filtered.call() == [C]
