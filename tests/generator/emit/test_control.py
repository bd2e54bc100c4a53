"""Refuse, When, Each and Log, as emitted code on a real database."""

from __future__ import annotations

from autoforge.generator.ir import (
    Assign,
    Each,
    Expression,
    Filter,
    Find,
    Insert,
    Item,
    Log,
    Record,
    Refuse,
    Return,
    Select,
    Update,
    Variable,
    When,
)

from .builders import (
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
)
from .conftest import operation, parameter


def test_refusals_name_values_of_rows_and_parameters(run_shop: Start) -> None:
    find = Find(row="o", entity="order", where=by_id(arg("id")), missing="Gone.")
    refuse = Refuse(
        when=apply("not_equal", field("o", "status"), const("pending")),
        message="{id}: {o.status} ({o.rating}, {o.gift}).",
    )
    opened = run_shop(operation(find, refuse, Return(value=const(True)), parameters=(parameter("id", TEXT),)))
    assert opened.refusal(id=B) == f"{B}: shipped (None, false)."
    assert opened.call(id=A) is True


def test_when_takes_one_branch_and_what_only_one_binds_is_none_after_the_other(run_shop: Start) -> None:
    when = When(
        condition=apply("equal", arg("which"), const("c")),
        steps=(
            Find(row="r", entity="customer", where=by_id(const("CUS-001")), missing="Gone."),
            Assign(name="x", value=const(1)),
        ),
        otherwise=(Assign(name="x", value=const("two")),),
    )
    answer = Record(fields=(("x", Variable(name="x")), ("name", field("r", "name"))))
    opened = run_shop(operation(when, Return(value=answer), parameters=(parameter("which", TEXT),)))
    assert opened.call(which="c") == {"x": 1, "name": "Zoë Ångström"}
    assert opened.call() == {"x": "two", "name": None}


def test_a_branch_may_answer_and_the_rest_knows_it(run_shop: Start) -> None:
    find = Find(row="c", entity="customer", where=by_id(arg("id")))
    early = When(condition=apply("is_null", Variable(name="c")), steps=(Return(value=const("nobody")),))
    opened = run_shop(operation(find, early, Return(value=field("c", "name")), parameters=(parameter("id", TEXT),)))
    assert opened.call(id="x") == "nobody"
    assert opened.call(id="CUS-002") == "50% Ltd_"
    assert "if c else None" not in opened.source


def test_each_collects_and_accumulates(run_shop: Start) -> None:
    each = Each(
        over=arg("lines"),
        item="line",
        steps=(Assign(name="total", value=apply("add", Variable(name="total"), field("line", "price"))),),
        collect="names",
        result=Item(container=Variable(name="line"), key=const("name")),
    )
    answer = Record(fields=(("total", Variable(name="total")), ("names", Variable(name="names"))))
    steps = (Assign(name="total", value=const(0)), each, Return(value=answer))
    opened = run_shop(operation(*steps, parameters=(parameter("lines", {"type": "array"}),)))
    lines = [{"name": "a", "price": 1}, {"name": "b", "price": 2.5}]
    assert opened.call(lines=lines) == {"total": 3.5, "names": ["a", "b"]}
    assert opened.call(lines=[*lines, {}]) == {"total": None, "names": ["a", "b", None]}
    assert opened.call() == {"total": 0, "names": []}


def test_each_over_rows_updates_every_one(run_shop: Start) -> None:
    select = Select(rows="orders", entity="order", where=(Filter(column="status", value=const("pending")),))
    update = Update(row="o", entity="order", values=(("status", const("cancelled")),))
    each = Each(over=Variable(name="orders"), item="o", steps=(update,), collect="done", result=field("o", "status"))
    opened = run_shop(operation(select, each, Return(value=Variable(name="done"))))
    assert opened.call() == ["cancelled", "cancelled"]
    assert opened.rows("SELECT DISTINCT status FROM orders ORDER BY 1") == [("cancelled",), ("shipped",)]


def test_a_loop_that_inserts_checks_every_round(run_shop: Start) -> None:
    item = Insert(
        row="i",
        entity="order_item",
        values=(("order_id", const(C)), ("product", Variable(name="p")), ("quantity", const(1))),
    )
    each = Each(over=arg("products"), item="p", steps=(item,))
    opened = run_shop(operation(each, Return(value=const(1)), parameters=(parameter("products", TEXTS),)))
    before = opened.dump()
    assert "product b" in opened.refusal(products=["a", "b", "b"])
    assert opened.dump() == before
    assert opened.call(products=["a", "b"]) == 1


def test_an_accumulator_that_changes_its_kind_in_a_loop_is_read_with_care(run_shop: Start) -> None:
    longer = Assign(name="x", value=hidden_none())
    each = Each(
        over=const([1, 2, 3]),
        item="i",
        steps=(Assign(name="y", value=apply("add", Variable(name="x"), const(1))), longer),
    )
    steps = (Assign(name="x", value=const(1)), Assign(name="y", value=const(0)), each, Return(value=Variable(name="y")))
    assert run_shop(operation(*steps)).call() is None


def hidden_none() -> Expression:
    """None, in a way that the emitter cannot see through."""
    return Item(container=const({}), key=const("absent"))


def test_log_records_the_call_and_nothing_else(run_shop: Start) -> None:
    opened = run_shop(
        operation(Log(), Return(value=const("ok")), parameters=(parameter("a b"), parameter("c", default=[1])))
    )
    assert opened.call(**{"a b": "x'"}) == "ok"
    assert opened.rows("SELECT tool, arguments FROM autoforge_log") == [("try_it", {"a b": "x'", "c": [1]})]
