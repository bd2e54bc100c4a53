"""The module as a whole: its form, its manifest, the same bytes everywhere."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from autoforge.generator.emit import manifest_tables, manifest_tools, schema_sql, tools_py
from autoforge.generator.ir import (
    Attribute,
    Delete,
    Entity,
    Find,
    Insert,
    Listing,
    Log,
    NextId,
    Operation,
    OperationKind,
    Order,
    Record,
    Refuse,
    Return,
    Select,
    Update,
    Variable,
    World,
)
from autoforge.mcp_envs import runtime
from autoforge.mcp_envs.errors import BadInput

from .builders import (
    ORDER,
    TEXT,
    TEXTS,
    B,
    Start,
    apply,
    arg,
    by_id,
    change,
    const,
    create,
    field,
    listing,
)
from .conftest import load, operation, parameter, shop


def test_defaults_stand_in_the_signature_and_lists_are_fresh_in_every_call(run_shop: Start) -> None:
    parameters = (parameter("n", default=3), parameter("t", default='a"b'), parameter("xs", TEXTS, default=["a"]))
    answer = Record(fields=tuple((p.name, arg(p.name)) for p in parameters))
    opened = run_shop(operation(Return(value=answer), parameters=parameters))
    assert opened.call() == {"n": 3, "t": 'a"b', "xs": ["a"]}
    assert opened.call(xs=[]) == {"n": 3, "t": 'a"b', "xs": []}
    assert "def try_it(db, *, n=3, t='a\"b', xs=None):" in opened.source


def test_only_the_helpers_that_are_used_are_there() -> None:
    source = tools_py(shop(operation(Return(value=apply("join", arg("xs"))), parameters=(parameter("xs"),))))
    functions = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert functions == {"try_it", "_join", "_as_list", "_text"}
    assert "import json\n" in source
    assert "import re" not in source


def test_an_object_that_several_tools_answer_is_made_in_one_place(run_shop: Start) -> None:
    def answer(row: str) -> Record:
        names = ("id", "status", "note", "rating")
        return Record(fields=tuple((n, field(row, n)) for n in names), omit_null=("note",))

    find = Find(row="o", entity="order", where=by_id(arg("id")), missing="Gone.")
    rows = Return(value=Listing(over=Variable(name="orders"), item="each", value=answer("each")))
    opened = run_shop(
        operation(find, Return(value=answer("o")), parameters=(parameter("id", TEXT),), name="get"),
        operation(Select(rows="orders", entity="order"), rows, name="list"),
    )
    assert "return [_order_view(each) for each in orders]" in opened.source
    assert opened.source.count('"rating": order["rating"]') == 1
    assert opened.call("get", id=B) == {"id": B, "status": "shipped", "rating": None}
    assert opened.call("list")[1] == opened.call("get", id=B)


def test_the_first_sentence_of_the_documentation_is_the_docstring(run_shop: Start) -> None:
    summary = 'Ships it, e.g. "today". \\n """ Never twice.\nMore.'
    opened = run_shop(operation(Return(value=const(1)), summary=summary))
    assert opened.module.try_it.__doc__ == 'Ships it, e.g. "today".'


def test_code_that_a_model_wrote_is_taken_as_it_is() -> None:
    code = 'def weekday(db, *, day):\n    """The day."""\n    return json.dumps(date.fromisoformat(day).isoweekday())\n'
    written = Operation(
        tool="weekday", function="weekday", kind=OperationKind.COMPUTE, code=code,
        parameters=(parameter("day", TEXT, required=True),),
    )  # fmt: skip
    source = tools_py(shop(written, operation(Return(value=const(1)), name="weekday_2")))
    assert code in source
    connection = runtime.connect()
    try:
        assert runtime.call(connection, load(source).weekday, {"day": "2026-03-02"}) == "1"
    finally:
        connection.close()


def test_code_that_is_not_python_is_refused() -> None:
    written = Operation(tool="t", function="t", kind=OperationKind.COMPUTE, code="def t(db:\n")
    with pytest.raises(BadInput, match="'t' is not Python"):
        tools_py(shop(written))


def test_an_id_template_that_is_none_is_refused() -> None:
    bad = Entity(name="x", table="x", key=("id",), id_template="{0.__class__}", attributes=(Attribute(name="id"),))
    world = World(name="w", entities=(bad,), operations=(operation(Return(value=NextId(entity="x"))),))
    with pytest.raises(BadInput, match="no template"):
        tools_py(world)


def test_the_same_world_gives_the_same_bytes_in_any_process() -> None:
    program = (
        "import sys; from autoforge.generator.ir import World; from autoforge.generator.emit import *\n"
        "w = World.model_validate_json(sys.stdin.read())\n"
        "sys.stdout.write(tools_py(w) + schema_sql(w) + repr(manifest_tables(w)) + repr(manifest_tools(w)))"
    )
    world = everything()
    outputs = set()
    for seed in ("1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", program]
        done = subprocess.run(
            command,
            input=world.model_dump_json().encode(),
            capture_output=True,
            env=environment,
            check=True,
            timeout=60,
        )
        outputs.add(done.stdout)
    assert outputs == {
        (tools_py(world) + schema_sql(world) + repr(manifest_tables(world)) + repr(manifest_tools(world))).encode()
    }


def everything() -> World:
    """A world with many tools."""
    order = (parameter("sort", TEXT), parameter("id", TEXT))
    by = Order(by=arg("sort"), allowed=(("rating", "rating"),))
    remove, later = Delete(entity="order", where=by_id(arg("id"))), apply("add_days", arg("id"), const(1))
    return shop(
        operation(*listing(order=(by,), search=(("note",), arg("id"))), parameters=order, name="list_orders"),
        operation(*create(*ORDER), parameters=(parameter("customer"),), name="create_order"),
        operation(*change(("note", arg("id"))), parameters=order, name="update_order"),
        operation(remove, Return(value=const(None)), parameters=order, name="delete"),
        operation(Log(), Return(value=apply("digest", later)), parameters=order, name="weak"),
    )


def test_the_manifest_says_what_the_tools_do() -> None:
    find = Find(row="o", entity="order", where=by_id(arg("class")), missing="Order {class} is unknown.")
    refuse = Refuse(when=apply("is_null", arg("class")), message="Give a class.")
    update = Update(row="o", entity="order", values=(("note", const("x")), ("gift", const(True))))
    delete = Delete(entity="customer", where=by_id(const("x")))
    insert = Insert(row="i", entity="order", values=ORDER)
    parameters = (parameter("class", TEXT), parameter("customer", TEXT))
    world = shop(operation(refuse, find, update, insert, delete, parameters=parameters, name="import"))
    (record,) = manifest_tools(world)
    assert (record.name, record.function, record.arguments) == ("import", "import_", {"class": "class_"})
    assert record.effects.reads == ("orders",)
    assert record.effects.creates == ("orders",)
    assert record.effects.updates == {"orders": ("gift", "note")}
    assert record.effects.deletes == ("customers",)
    assert record.refusals == ("Give a class.", "Order {class} is unknown.")
    tables = {t.name: t for t in manifest_tables(world)}
    assert list(tables) == ["customers", "orders", "order_items", "session"]
    assert {c.name: c.references for c in tables["orders"].columns}["customer_id"] == "customers"
    assert tables["order_items"].key == ("order_id", "product")
