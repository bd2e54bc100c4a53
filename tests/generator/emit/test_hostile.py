"""Whatever a document calls its things and whatever a caller sends: no injection, no crash."""

from __future__ import annotations

import ast
import json
import warnings

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoforge.generator.emit import schema_sql, tools_py
from autoforge.generator.emit.code import function_names, parameter_names
from autoforge.generator.emit.names import identifier
from autoforge.generator.ir import (
    Attribute,
    ColumnType,
    Delete,
    Entity,
    Expression,
    Filter,
    Find,
    Insert,
    Log,
    Now,
    Operation,
    OperationKind,
    Order,
    Parameter,
    Record,
    Refuse,
    Return,
    Select,
    Step,
    Update,
    Variable,
    World,
)
from autoforge.mcp_envs import runtime

from .builders import (
    C,
    Start,
    apply,
    arg,
    const,
    create,
    field,
)
from .conftest import CUSTOMERS, ITEMS, ORDERS, Shop, load, operation, parameter, shop

NASTY = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30),
    st.sampled_from(
        [
            "class",
            "None",
            "match",
            "list",
            "db",
            "ToolError",
            "json",
            "date",
            "__class__",
            "_x",
            'a"b',
            "a'b",
            "a\\",
            "a\nb",
            "{x}",
            '"""',
            "'''",
            "x" * 200,
            "日本語",
            "ﬁ",
            "ﬀ",
            "fi",
            "ª",
            "1st",
            "select",
            "a#b",
            "sum",
            "row",
            "-- x",
            "\u202eevil",
            "\u2028",
            "Order",
            "order",
        ]
    ),
)


def nasty_world(names: list[str], text: str) -> tuple[World, str]:
    """Every kind of step in a world whose every name and text comes from a hostile document; and its tool."""
    entity, table, key, column, other, first, second, row, variable, tool = names
    attributes = (
        Attribute(name=key),
        Attribute(name=column, default=text, description=text, unique=True),
        Attribute(name=other, type=ColumnType.JSON),
    )
    thing = Entity(name=entity, table=table, title=text, key=(key,), id_template="{}", attributes=attributes)
    parent = Entity(
        name=entity + "2", table=table + "2", key=(), attributes=(Attribute(name=column, references=entity),)
    )
    same = Filter(column=column, value=arg(first), optional=True)
    begins = Filter(column=column, comparison="starts_with", value=const(text), through=((column, entity),))
    sentence = f"{text}{{{row}.{column}}}{{{first}}}{{{second}}}"
    answer = ((text, field(row, other)), (column, field(row, column)), ("all", Variable(name=variable)))
    steps: tuple[Step, ...] = (
        Insert(row=row, entity=entity, values=((column, arg(first)), (other, arg(second)))),
        Insert(row=row + "2", entity=entity + "2", values=((column, field(row, key)),)),
        Find(row=row, entity=entity, where=by_key(key, field(row, key)), missing=sentence),
        Update(
            row=row, entity=entity, values=((other, const({text: [text]})), (column, arg(first))), when_given=(column,)
        ),
        Refuse(when=apply("equal", arg(first), const(text + "no")), message=sentence),
        Select(
            rows=variable,
            entity=entity,
            search=((column,), const("")),
            where=(same, Filter(column=column, comparison="contains", value=arg(first), optional=True)),
            order=(Order(by=arg(second), allowed=((text, column),)),),
        ),
        Delete(entity=entity + "2", where=(begins,)),
        Log(),
        Return(value=Record(fields=answer)),
    )
    parameters = tuple(Parameter(name=n, identifier=n, json_schema={}) for n in (first, second))
    made = Operation(
        tool=tool, function=tool, kind=OperationKind.CREATE, summary=text, parameters=parameters, steps=steps
    )
    return World(name=text, title=text, entities=(parent, thing), operations=(made,)), tool


def by_key(key: str, value: Expression) -> tuple[Filter, ...]:
    return (Filter(column=key, value=value),)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(NASTY, min_size=10, max_size=10, unique_by=lambda n: n.casefold()), NASTY)
def test_no_name_or_text_of_a_document_becomes_code(names: list[str], text: str) -> None:
    if names[1].lower().startswith(("sqlite_", "autoforge_")):
        return
    world, tool = nasty_world(names, text)
    source = tools_py(world)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module = load(source)
    reference, _ = nasty_world(
        ["entity", "table", "key", "column", "other", "first", "second", "row", "variable", "tool"], "text"
    )
    assert shape_of(source) == shape_of(tools_py(reference))
    first, second = (parameter_names(world.operations[0])[n] for n in names[5:7])
    connection = runtime.connect()
    try:
        connection.executescript(schema_sql(world) + "INSERT INTO autoforge_clock VALUES ('2026-03-02T09:00:00');")
        function = getattr(module, function_names(world)[tool])
        answer = runtime.call(connection, function, {first: "v'\";--", second: None})
        assert answer["all"] == [] or names[3] in answer["all"][0]
        assert connection.execute("SELECT tool, arguments FROM autoforge_log").fetchall() == [
            (tool, json.loads(json.dumps({names[5]: "v'\";--", names[6]: None})))
        ]
    finally:
        connection.close()


def shape_of(source: str) -> list[str]:
    """What a module is made of, without its names and literals."""
    kept = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            kept.append(f"call .{node.func.attr}")
        elif isinstance(
            node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.FunctionDef | ast.Raise | ast.For | ast.While
        ):
            kept.append(type(node).__name__)
    return sorted(kept)


@given(NASTY)
def test_an_identifier_is_legal_private_to_nobody_and_stable(text: str) -> None:
    name = identifier(text)
    assert name.isidentifier()
    assert name.isascii()
    assert not name.startswith("_")
    assert identifier(name) == name


def test_every_entity_of_the_shop_can_be_created_and_read_back(run_shop: Start) -> None:
    values: dict[str, tuple[tuple[str, Expression], ...]] = {
        "customer": (("name", const("n")),),
        "order": (("customer_id", const("CUS-001")), ("created_at", Now())),
        "order_item": (("order_id", const(C)), ("product", const("p")), ("quantity", const(2))),
    }
    for entity in (CUSTOMERS, ORDERS, ITEMS):
        row = run_shop(operation(*create(*values[entity.name], entity=entity.name))).call()
        assert list(row) == [a.name for a in entity.attributes]


FITTING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.sampled_from(["CUS-001", "ORD-0001", "ORD-0002", "pear", "pending", "5", "1,000", "zoe@example.org", 3]),
    st.lists(st.integers(0, 9) | st.text(max_size=2), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(0, 9), max_size=2),
)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from([CUSTOMERS, ORDERS, ITEMS]), st.booleans(), st.data())
def test_no_value_reaches_a_constraint_unguarded(entity: Entity, updates: bool, data: st.DataObject) -> None:
    names = [a.name for a in entity.attributes]
    optional = tuple(data.draw(st.lists(st.sampled_from(names), unique=True)))
    values = tuple((name, arg(name)) for name in names)
    insert = create(*values, entity=entity.name)
    find = Find(row="r", entity=entity.name, where=(), missing="Gone.")
    update = (
        find,
        Update(row="r", entity=entity.name, values=values, when_given=optional),
        Return(value=Variable(name="r")),
    )
    opened = Shop(shop(operation(*(update if updates else insert), parameters=tuple(parameter(n) for n in names))))
    try:
        for _ in range(3):
            before = opened.dump()
            try:
                row = opened.call(**{name: data.draw(FITTING) for name in names})
                assert list(row) == names
            except opened.module.ToolError:
                assert opened.dump() == before
    finally:
        opened.close()
