"""What every function of the intermediate representation means, and that no expression can raise."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    Select,
    Today,
    Variable,
)
from autoforge.mcp_envs import runtime
from autoforge.mcp_envs.errors import BadInput

from .conftest import Shop, load, operation, parameter, shop

NAMES = get_args(Apply.model_fields["function"].annotation)

MEANING: list[tuple[str, list[Any], Any]] = [
    ("add", [1, 2], 3),
    ("add", [0.1, 0.2], 0.3),
    ("add", [1, None], None),
    ("add", ["1", 2], None),
    ("add", [1, 2, 3.5], 6.5),
    ("add", [1e300, 1e300], None),
    ("subtract", [5, 7], -2),
    ("subtract", [None, 7], None),
    ("multiply", [3, 1.1], 3.3),
    ("multiply", [1e300, 1e300], None),
    ("multiply", [True, 2], None),
    ("divide", [7, 2], 3.5),
    ("divide", [7, 0], None),
    ("divide", [7, 1e-320], None),
    ("modulo", [7, 3], 1),
    ("modulo", [7, 0], None),
    ("power", [2, 10], 1024),
    ("power", [-8, 0.5], None),
    ("power", [10, 1e9], None),
    ("power", [0, -1], None),
    ("power", [2, 62], 2**62),
    ("negate", [4], -4),
    ("negate", ["4"], None),
    ("absolute", [-2.5], 2.5),
    ("round", [2.345, 2], 2.35),
    ("round", [2.7], 3),
    ("round", [None], None),
    ("minimum", [3, 1, None], 1),
    ("minimum", [None], None),
    ("maximum", ["a", "b"], "b"),
    ("equal", [None, None], True),
    ("equal", [1, 1.0], True),
    ("equal", ["1", 1], False),
    ("not_equal", ["a", None], True),
    ("less", [1, 2], True),
    ("less", [None, 2], False),
    ("less", ["a", 2], False),
    ("less", ["2026-01-01", "2026-01-02"], True),
    ("less_equal", [2, 2], True),
    ("greater", [3, 2], True),
    ("greater", [3, None], False),
    ("greater_equal", [2, 3], False),
    ("and", [True, 1], True),
    ("and", [True, None], False),
    ("and", [], True),
    ("or", [0, "x"], True),
    ("or", [0, ""], False),
    ("not", [None], True),
    ("not", [[1]], False),
    ("is_null", [None], True),
    ("is_null", [0], False),
    ("not_null", [""], True),
    ("in", ["a", ["a", "b"]], True),
    ("in", ["a", ["b"]], False),
    ("in", [{"a": 1}, [{"a": 1}]], True),
    ("in", ["a", None], False),
    ("in", ["a", {"a": 1}], True),
    ("contains_text", ["STRASSE", "straße"], True),
    ("contains_text", [["Red", "blue"], "RED"], True),
    ("contains_text", [None, "a"], False),
    ("contains_text", ["abc", ""], True),
    ("lower", ["ÄB"], "äb"),
    ("lower", [None], None),
    ("upper", ["äb"], "ÄB"),
    ("concat", ["a", None, 1, True, 2.0], "a1true2"),
    ("text", [3.0], "3"),
    ("text", [None], None),
    ("text", [{"a": "é"}], '{"a": "é"}'),
    ("length", ["héllo"], 5),
    ("length", [[1, 2]], 2),
    ("length", [None], 0),
    ("truncate", ["abcdef", 3], "abc"),
    ("truncate", ["abc", None], "abc"),
    ("truncate", ["abc", -1], ""),
    ("split", ["a,b", ","], ["a", "b"]),
    ("split", ["a  b"], ["a", "b"]),
    ("split", [None, ","], []),
    ("join", [["a", None, 1], "-"], "a-1"),
    ("join", [["a", "b"]], "a, b"),
    ("replace", ["aXbX", "X", "y"], "ayby"),
    ("replace", ["ab", "", "y"], "ab"),
    ("replace", [None, "a", "b"], None),
    ("reverse", [[1, 2]], [2, 1]),
    ("reverse", ["ab"], "ba"),
    ("append", [[1], 2], [1, 2]),
    ("append", [None, 2], [2]),
    ("without", [[1, 2, 1], 1], [2]),
    ("without", [{"a": 1, "b": 2}, "a"], {"b": 2}),
    ("at", [[1, 2], -1], 2),
    ("at", [[1, 2], 2], None),
    ("at", ["ab", 0], "a"),
    ("insert_at", [[1, 3], 1, 2], [1, 2, 3]),
    ("insert_at", [[1], None, 2], [1, 2]),
    ("move_item", [["a", "b", "c"], 0, 2], ["b", "c", "a"]),
    ("move_item", [["a"], 5, 0], ["a"]),
    ("set_item", [{"a": 1}, "b", 2], {"a": 1, "b": 2}),
    ("set_item", [[1, 2], -1, 3], [1, 3]),
    ("set_item", [None, "a", 1], {"a": 1}),
    ("merge", [{"a": 1}, None, {"a": 2, "b": 3}], {"a": 2, "b": 3}),
    ("merge", [[1], [2]], [1, 2]),
    ("unique", [["b", "a", "b", {"x": 1}, {"x": 1}]], ["b", "a", {"x": 1}]),
    ("sort", [[3, None, "a", 1]], [None, 1, 3, "a"]),
    ("sort", [[{"p": 2}, {"p": 1}], "p"], [{"p": 1}, {"p": 2}]),
    ("sort", [[1, 2], None, "desc"], [2, 1]),
    ("slice", [[1, 2, 3], 1], [2, 3]),
    ("slice", ["abcd", 1, 3], "bc"),
    ("slice", [None, 0, 1], None),
    ("count", [[1, None]], 2),
    ("count", [None], 0),
    ("sum", [[1, None, "x", 2.5]], 3.5),
    ("sum", [None], 0),
    ("sum", [[{"p": 1}, {"p": 2}, {}], "p"], 3),
    ("average", [[1, 2, None]], 1.5),
    ("average", [[]], None),
    ("min_of", [[3, 1, None]], 1),
    ("min_of", [[]], None),
    ("max_of", [[{"p": 1}, {"p": 2}], "p"], 2),
    ("group_count", [["a", "b", "a", None]], {"a": 2, "b": 1}),
    ("group_count", [[{"s": "x"}, {"s": 1}], "s"], {"x": 1, "1": 1}),
    ("coalesce", [None, 0, 1], 0),
    ("coalesce", [None, None], None),
    ("keys", [{"a": 1}], ["a"]),
    ("keys", [None], []),
    ("values", [{"a": 1}], [1]),
    ("add_days", ["2026-02-27", 2], "2026-03-01"),
    ("add_days", ["2026-02-27T10:00:00Z", 1], "2026-02-28T10:00:00"),
    ("add_days", ["soon", 1], None),
    ("add_days", ["9999-12-31", 1], None),
    ("add_minutes", ["23:30", 45], "00:15"),
    ("add_minutes", ["2026-03-02T09:00:00", 90], "2026-03-02T10:30:00"),
    ("add_minutes", ["25:00", 1], None),
    ("days_between", ["2026-02-27", "2026-03-01T23:00:00"], 2),
    ("days_between", ["2026-03-01", None], None),
    ("date_of", ["2026-03-02T09:00:00"], "2026-03-02"),
    ("date_of", ["x"], None),
    ("time_of", ["2026-03-02T09:05:00"], "09:05"),
    ("time_of", ["09:05:33"], "09:05"),
    ("number", ["1,234.5"], 1234.5),
    ("number", ["12"], 12),
    ("number", ["nan"], None),
    ("number", ["twelve"], None),
    ("integer", ["12.9"], 12),
    ("integer", [None], None),
    ("digest", [{"b": 1, "a": [2]}], "41ff4104bc489a1b"),
    ("matches", ["AB-12", r"^[A-Z]+-\d+$"], True),
    ("matches", ["x", "("], False),
    ("matches", ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "(a+)+$"], False),
    ("matches", [None, "a"], False),
]
SCHEMAS: dict[type, str] = {
    bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object",
}  # fmt: skip


def evaluate(expression: Expression, parameters: dict[str, dict[str, Any]], arguments: dict[str, Any]) -> Any:
    """The value of an expression over parameters with these schemas, as an emitted tool answers it."""
    declared = tuple(parameter(name, schema, required=True) for name, schema in parameters.items())
    module = load(tools_py(shop(operation(Return(value=expression), parameters=declared))))
    connection = runtime.connect()
    try:
        return runtime.call(connection, module.try_it, arguments)
    finally:
        connection.close()


def same(left: Any, right: Any) -> bool:
    """Whether two answers are the same JSON, `1`, `1.0` and `true` told apart only where that matters."""
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def test_every_function_has_its_python_and_an_example() -> None:
    assert set(FUNCTIONS) == set(NAMES)
    assert {name for name, _, _ in MEANING} == set(NAMES)


@pytest.mark.parametrize(("function", "values", "expected"), MEANING)
def test_a_function_means_what_it_says_however_much_is_known_of_its_arguments(
    function: str, values: list[Any], expected: Any
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


# --- laws ---

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**320), 10**320),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(["2026-03-02", "2026-03-02T09:00:00", "12:30", "a.b", "(", "desc", "-x", "0001-01-01", "1e400"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=4), st.lists(st.integers(0, 3), max_size=2)
)
TYPED = {
    "text": ({"type": "string"}, st.text(max_size=8)),
    "whole": ({"type": "integer"}, st.integers(-(2**63), 2**63 - 1)),
    "real": ({"type": "number"}, st.floats(allow_nan=False, allow_infinity=False)),
    "flag": ({"type": "boolean"}, st.booleans()),
    "many": ({"type": "array"}, st.lists(VALUES, max_size=3)),
    "thing": ({"type": "object"}, st.dictionaries(st.text(max_size=3), VALUES, max_size=3)),
    "maybe": ({"type": ["string", "null"]}, st.none() | st.text(max_size=8)),
    "anything": ({}, VALUES),
}
COLUMNS = ("id", "customer_id", "status", "note", "tags", "gift", "created_at", "rating")
LEAVES: st.SearchStrategy[Expression] = st.one_of(
    st.sampled_from([Argument(name=name) for name in TYPED]),
    PLAIN.map(lambda value: Constant(value=value)),
    st.sampled_from([RowField(row=row, column=column) for row in ("found", "lost") for column in COLUMNS]),
    st.sampled_from([Variable(name="found"), Variable(name="lost"), Variable(name="rows"), Now(), Today()]),
)


def applied(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """A function with as many arguments as it takes."""

    def arguments(name: Any) -> st.SearchStrategy[Expression]:
        function = FUNCTIONS[name]
        lists = st.lists(inner, min_size=function.least, max_size=min(function.most, function.least + 2))
        return lists.map(lambda parts: Apply(function=name, arguments=tuple(parts)))

    return st.sampled_from(NAMES).flatmap(arguments)


def branches(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Every kind of expression with parts."""
    members = st.sampled_from([Variable(name="x"), RowField(row="x", column="rating"), Argument(name="anything")])
    return st.one_of(
        applied(inner),
        applied(inner),
        st.builds(Choose, condition=inner, then=inner, otherwise=inner),
        st.builds(Item, container=inner, key=inner),
        inner.map(lambda value: Record(fields=(("a", value), ("b'\"", value)), omit_null=("a",))),
        st.builds(Listing, over=inner, item=st.just("x"), value=members | inner, condition=st.none() | members),
    )


TREES = st.recursive(LEAVES, branches, max_leaves=12)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_expression_raises_whatever_it_is_given(data: st.DataObject) -> None:
    trees = data.draw(st.lists(TREES, min_size=1, max_size=4))
    declared = tuple(parameter(name, schema, required=True) for name, (schema, _) in TYPED.items())
    arguments = {name: data.draw(values) for name, (_, values) in TYPED.items()}
    first = Filter(column="id", value=Constant(value="ORD-0001"))
    nobody = Filter(column="id", value=Constant(value="nobody"))
    steps = (
        Find(row="found", entity="order", where=(first,), missing="Gone."),
        Find(row="lost", entity="order", where=(nobody,)),
        Select(rows="rows", entity="order"),
        Return(value=Record(fields=tuple((str(i), tree) for i, tree in enumerate(trees)))),
    )
    opened = Shop(shop(operation(*steps, parameters=declared)))
    try:
        before = opened.dump()
        answer = opened.call(**arguments)
        assert set(answer) == {str(i) for i in range(len(trees))}
        assert json.dumps(opened.call(**arguments)) == json.dumps(answer)
        assert opened.dump() == before
    finally:
        opened.close()


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(NAMES), st.data())
def test_the_short_form_and_the_helper_agree(function: str, data: st.DataObject) -> None:
    spec = FUNCTIONS[function]
    count = data.draw(st.integers(spec.least, min(spec.most, spec.least + 2)))
    kinds = [data.draw(st.sampled_from(["text", "whole", "flag", "many", "thing", "maybe"])) for _ in range(count)]
    names = [f"p{i}" for i in range(count)]
    values = {
        name: data.draw(st.integers(-(10**6), 10**6) if kind == "whole" else TYPED[kind][1])
        for name, kind in zip(names, kinds, strict=True)
    }
    tree = Apply(function=function, arguments=tuple(Argument(name=name) for name in names))
    typed = {name: TYPED[kind][0] for name, kind in zip(names, kinds, strict=True)}
    assert evaluate(tree, typed, values) == evaluate(tree, dict.fromkeys(names, {}), values)
