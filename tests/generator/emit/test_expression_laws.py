"""No expression raises, and how a function is written makes no difference."""

from __future__ import annotations

import json
from typing import Any, get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoforge.generator.emit.functions import FUNCTIONS
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
    Now,
    Record,
    Return,
    RowField,
    Select,
    Today,
    Variable,
)

from .builders import evaluate
from .conftest import Shop, operation, parameter, shop

NAMES = get_args(Apply.model_fields["function"].annotation)


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
PLAIN: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=4), st.lists(st.integers(0, 3), max_size=2)
)
TYPED: dict[str, tuple[dict[str, Any], st.SearchStrategy[Any]]] = {
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
def test_the_short_form_and_the_helper_agree(function: Any, data: st.DataObject) -> None:
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
    assert evaluate(tree, typed, values) == evaluate(tree, {name: {} for name in names}, values)
