"""What every function of the intermediate representation means, and that no expression can raise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest

from autoforge.generator.emit import tools_py
from autoforge.generator.emit.functions import FUNCTIONS
from autoforge.generator.emit.helpers import HELPERS
from autoforge.generator.ir import (
    Apply,
    Argument,
    Choose,
    Constant,
    Expression,
    Filter,
    Find,
    Item,
    Listing,
    NextId,
    Now,
    Record,
    Return,
    RowField,
    Today,
    Variable,
)
from autoforge.mcp_envs.errors import BadInput

from .builders import evaluate
from .conftest import Shop, operation, parameter, shop
from .meaning import MEANING

NAMES = get_args(Apply.model_fields["function"].annotation)

SCHEMAS: dict[type, str] = {
    bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object",
}  # fmt: skip


def same(left: Any, right: Any) -> bool:
    """Whether two answers are the same JSON, `1`, `1.0` and `true` told apart only where that matters."""
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def test_every_function_has_its_python_and_an_example() -> None:
    assert set(FUNCTIONS) == set(NAMES)
    assert {name for name, _, _ in MEANING} == set(NAMES)


@pytest.mark.parametrize(("function", "values", "expected"), MEANING)
def test_a_function_means_what_it_says_however_much_is_known_of_its_arguments(
    function: Any, values: list[Any], expected: Any
) -> None:
    arguments = {f"p{i}": value for i, value in enumerate(values)}
    names = tuple(Argument(name=name) for name in arguments)
    typed = {n: {} if v is None else {"type": SCHEMAS[type(v)]} for n, v in arguments.items()}
    forms: list[tuple[Expression, dict[str, dict[str, Any]], dict[str, Any]]] = [
        (Apply(function=function, arguments=names), typed, arguments),
        (Apply(function=function, arguments=names), {n: {} for n in arguments}, arguments),
        (Apply(function=function, arguments=tuple(Constant(value=v) for v in values)), {}, {}),
    ]
    for form in forms:
        assert same(evaluate(*form), expected), form


def test_a_function_applied_to_too_few_arguments_is_refused() -> None:
    with pytest.raises(BadInput, match="divide cannot be applied"):
        evaluate(Apply(function="divide", arguments=(Constant(value=1),)), {}, {})


def test_operators_bind_as_the_tree_says() -> None:
    def apply(function: Any, *arguments: Expression) -> Expression:
        return Apply(function=function, arguments=arguments)

    a, b, c = (Argument(name=n) for n in "abc")
    integers = {n: {"type": "integer"} for n in "abc"}
    values = {"a": 10, "b": 4, "c": 3}
    assert evaluate(apply("subtract", a, apply("subtract", b, c)), integers, values) == 9
    assert evaluate(apply("subtract", apply("subtract", a, b), c), integers, values) == 3
    either = apply("or", apply("less", a, b), apply("less", c, b))
    assert evaluate(apply("and", either, apply("less", a, c)), integers, values) is False
    assert evaluate(apply("not", either), integers, values) is False
    assert evaluate(apply("equal", apply("equal", a, b), apply("equal", b, c)), integers, values) is True
    choice = Choose(condition=apply("less", a, b), then=a, otherwise=b)
    assert evaluate(apply("add", choice, c), integers, values) == 7
    assert evaluate(apply("not", apply("in", a, Constant(value=[10]))), integers, values) is False
    assert evaluate(apply("not", apply("in", a, Constant(value=[1, 2]))), integers, values) is True


def test_records_leave_out_only_the_named_properties_that_are_null() -> None:
    record = Record(fields=(("a", Argument(name="x")), ("b", Argument(name="x"))), omit_null=("b",))
    assert evaluate(record, {"x": {}}, {"x": None}) == {"a": None}
    assert evaluate(record, {"x": {}}, {"x": 0}) == {"a": 0, "b": 0}


def test_listings_filter_and_map_and_take_none_for_an_empty_list() -> None:
    listing = Listing(
        over=Argument(name="xs"),
        item="x",
        value=Item(container=Variable(name="x"), key=Constant(value="p")),
        condition=Apply(function="not_null", arguments=(RowField(row="x", column="p"),)),
    )
    assert evaluate(listing, {"xs": {}}, {"xs": [{"p": 1}, {}, 7, None]}) == [1]
    assert evaluate(listing, {"xs": {}}, {"xs": None}) == []
    assert evaluate(listing, {"xs": {}}, {"xs": {"p": 5}}) == [5]


def test_items_of_validated_objects_are_read_plainly_and_absent_ones_are_none() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]}
    item = {k: Item(container=Argument(name="x"), key=Constant(value=k)) for k in ("a", "b")}
    both = Record(fields=tuple(item.items()))
    assert evaluate(both, {"x": schema}, {"x": {"a": 1}}) == {"a": 1, "b": None}
    source = tools_py(shop(operation(Return(value=both), parameters=(parameter("x", schema, required=True),))))
    assert '{"a": x["a"], "b": x.get("b")}' in source


def test_clock_and_ids_come_from_the_state(run_shop: Callable[..., Shop]) -> None:
    values = Record(fields=(("now", Now()), ("today", Today()), ("id", NextId(entity="order"))))
    opened = run_shop(operation(Return(value=values)))
    assert opened.call() == {"now": "2026-03-02T09:00:00", "today": "2026-03-02", "id": "ORD-0004"}
    assert opened.call()["id"] == "ORD-0005"


def test_a_fresh_id_passes_over_ids_that_exist(run_shop: Callable[..., Shop]) -> None:
    opened = run_shop(operation(Return(value=NextId(entity="order"))))
    opened.connection.execute("UPDATE autoforge_counters SET value = 0")
    assert opened.call() == "ORD-0004"


def test_fields_of_a_row_that_was_not_found_are_none(run_shop: Callable[..., Shop]) -> None:
    find = Find(row="c", entity="customer", where=(Filter(column="id", value=Argument(name="id")),))
    opened = run_shop(operation(find, Return(value=RowField(row="c", column="name")), parameters=(parameter("id"),)))
    assert opened.call(id="nobody") is None
    assert opened.call(id="CUS-002") == "50% Ltd_"


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (Argument(name="nothing"), "no parameter 'nothing'"),
        (Variable(name="nothing"), "before any step binds it"),
        (RowField(row="nothing", column="x"), "before any step binds it"),
        (NextId(entity="nothing"), "no entity 'nothing'"),
    ],
)
def test_what_nothing_binds_is_refused_with_its_name(expression: Expression, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        evaluate(expression, {}, {})


def test_a_column_that_the_entity_does_not_have_is_refused() -> None:
    steps = (Find(row="c", entity="customer", where=()), Return(value=RowField(row="c", column="shoe_size")))
    with pytest.raises(BadInput, match="shoe_size"):
        tools_py(shop(operation(*steps)))


def test_every_helper_has_a_docstring_and_can_be_reached() -> None:
    used = {name for name in HELPERS for other in HELPERS.values() if f"{name}(" in other.partition("\n")[2]}
    direct = {f"_{name}" for name in FUNCTIONS} | {
        "_starts_with", "_equal_text", "_matches_words", "_sort_rows", "_page", "_omit_null", "_as_json", "_item",
    }  # fmt: skip
    assert all('    """' in source for source in HELPERS.values())
    assert set(HELPERS) <= used | direct
