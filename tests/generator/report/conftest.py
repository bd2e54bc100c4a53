"""A shop built by hand, with the manifest and the files that its report is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from autoforge.generator.ir import (
    Argument,
    Attribute,
    ColumnKind,
    ColumnType,
    Constant,
    Entity,
    Filter,
    Find,
    Insert,
    Operation,
    OperationKind,
    Parameter,
    Refuse,
    Return,
    Select,
    Update,
    Variable,
    World,
)
from autoforge.generator.report import report_html
from autoforge.mcp_envs.manifest import (
    Column,
    Conformance,
    Effects,
    Manifest,
    Provenance,
    Table,
    ToolRecord,
    ToolVerdict,
)

SCHEMA = """
CREATE TABLE "customers" ("id" TEXT PRIMARY KEY NOT NULL, "name" TEXT, "balance" REAL);
CREATE TABLE "orders" ("id" TEXT PRIMARY KEY NOT NULL, "customer_id" TEXT REFERENCES "customers" ("id"), "note" TEXT);
"""
SEED = "".join(f"INSERT INTO customers VALUES ('CUS-{n}', 'Customer {n}', {n}.5);\n" for n in range(1, 8)) + (
    "INSERT INTO orders VALUES ('ORD-1', 'CUS-1', NULL);\n"
)
TOOLS = '''"""Tools."""

def list_orders(db):
    """List them."""
    return db.all("SELECT * FROM orders")  # in the order of their ids


def cancel_order(db, *, order_id, reason=None):
    if order_id < 3:
        raise ToolError("<b>No</b> order")
    return None
'''


class Parts(NamedTuple):
    world: World
    manifest: Manifest
    files: dict[str, str]

    def page(self) -> str:
        return report_html(self.world, self.manifest, self.files)


def _world() -> World:
    customers = Entity(name="customer", table="customers", key=("id",), attributes=(Attribute(name="id"),))
    orders = Entity(
        name="order",
        table="orders",
        key=("id",),
        attributes=(
            Attribute(name="id", kind=ColumnKind.SURROGATE),
            Attribute(name="customer_id", references="customer"),
            Attribute(name="note", type=ColumnType.TEXT, kind=ColumnKind.FREE_TEXT),
        ),
    )
    find = Find(
        row="order",
        entity="order",
        where=(Filter(column="id", value=Argument(name="order_id")),),
        missing="No order {order_id} was found.",
    )
    refuse = Refuse(
        when=Constant(value=True),
        message="A shipped order cannot be cancelled.",
        reason="status",
        evidence="Shipped orders stay as they are",
    )
    update = Update(row="order", entity="order", values=(("note", Argument(name="reason")),))
    insert = Insert(row="order", entity="order", values=(("customer_id", Argument(name="customer")),))
    order_id = Parameter(
        name="order_id",
        identifier="order_id",
        json_schema={"type": "string", "description": "Id of the `order`"},
        required=True,
        role="key",
    )
    reason = Parameter(
        name="reason",
        identifier="reason",
        json_schema={"type": "string", "enum": ["late", "wrong"]},
        role="value",
    )
    rows = Return(value=Variable(name="rows"))
    operations = (
        Operation(
            tool="list_orders",
            function="list_orders",
            kind=OperationKind.LIST,
            summary="List orders.",
            steps=(Select(rows="rows", entity="order"), rows),
        ),
        Operation(
            tool="cancel_order",
            function="cancel_order",
            kind=OperationKind.SET_STATUS,
            parameters=(order_id, reason),
            steps=(find, refuse, update),
        ),
        Operation(tool="create_order", function="create_order", kind=OperationKind.CREATE, steps=(insert,)),
        Operation(tool="send_mail", function="send_mail", kind=OperationKind.WEAK, summary="Send a mail."),
    )
    return World(
        name="shop",
        title="Shop",
        entities=(customers, orders),
        operations=operations,
        policy=("Be kind.",),
    )


def _tables() -> tuple[Table, ...]:
    key = Column(name="id", type="TEXT", kind=ColumnKind.SURROGATE)
    return (
        Table(
            name="customers",
            entity="customer",
            title="Customer",
            key=("id",),
            columns=(
                key,
                Column(name="name", type="TEXT", kind=ColumnKind.VALUE),
                Column(name="balance", type="REAL", kind=ColumnKind.VALUE),
            ),
        ),
        Table(
            name="orders",
            entity="order",
            key=("id",),
            columns=(
                key,
                Column(name="customer_id", type="TEXT", kind=ColumnKind.VALUE, references="customers"),
                Column(name="note", type="TEXT", kind=ColumnKind.FREE_TEXT, enum=("late", "wrong")),
            ),
        ),
    )


def _records() -> tuple[ToolRecord, ...]:
    return (
        ToolRecord(
            name="list_orders",
            function="list_orders",
            kind="list",
            entity="order",
            effects=Effects(reads=("orders",)),
            verdict=ToolVerdict(calls=9, succeeded=8, refused=1),
        ),
        ToolRecord(
            name="cancel_order",
            function="cancel_order",
            kind="set_status",
            entity="order",
            effects=Effects(reads=("customers", "orders"), updates={"orders": ("note",)}),
            refusals=("No order {order_id} was found.", "A refusal only the manifest knows."),
            evidence=("verb cancel",),
            guesses=("the state is called cancelled",),
            verdict=ToolVerdict(
                calls=12,
                succeeded=4,
                refused=8,
                parameters=2,
                dead_parameters=("reason",),
                failures=("reads: the note is lost",),
            ),
        ),
        ToolRecord(
            name="create_order",
            function="create_order",
            kind="create",
            entity="order",
            effects=Effects(creates=("orders",)),
            verdict=ToolVerdict(calls=3, succeeded=3),
        ),
        ToolRecord(name="send_mail", function="send_mail", kind="weak", weak=True, side="user"),
    )


@pytest.fixture
def shop() -> Parts:
    provenance = Provenance(
        generator="autoforge-rl 0.1.0",
        docs_digest="d" * 64,
        formats=("OpenAPI 3.1",),
        notes=("A note on reading.",),
        renamed={"list_orders": "list orders!"},
    )
    manifest = Manifest(
        name="shop",
        title="Shop",
        description="Orders.\n\nMore of it.",
        tables=_tables(),
        tools=_records(),
        provenance=provenance,
        conformance=Conformance(
            passed=False,
            tools=4,
            weak=1,
            parameters=2,
            dead_parameters=1,
            calls=24,
            failures=("two sessions see each other",),
        ),
    )
    return Parts(_world(), manifest, {"schema.sql": SCHEMA, "seed.sql": SEED, "tools.py": TOOLS})


@pytest.fixture
def large() -> Callable[[int, int], Parts]:
    """An environment of so many tools and tables; each table has twelve columns, and all texts are long."""

    def build(tools: int, tables: int) -> Parts:
        names = [f"resource_{n:02d}" for n in range(tables)]
        made = tuple(_wide_table(n, names) for n in range(tables))
        records = tuple(_long_tool(n, names) for n in range(tools))
        schema = "".join(f'CREATE TABLE "{t.name}" ({", ".join(f"{c.name} TEXT" for c in t.columns)});\n' for t in made)
        seed = "".join(
            f'INSERT INTO "{t.name}" VALUES ({", ".join("?" for c in t.columns)});\n'.replace(
                "?", "'some value of a row'"
            )
            for t in made
            for _ in range(6)
        )
        body = "".join(f"    value_{n} = db.one('SELECT {n} FROM resource_00', {n})\n" for n in range(35))
        source = "".join(f"def tool_number_{n}(db, *, identifier):\n{body}    return None\n\n\n" for n in range(tools))
        parameters = tuple(
            Parameter(
                name=f"parameter_{n}",
                identifier=f"parameter_{n}",
                json_schema={"type": "string", "description": "x " * 60},
            )
            for n in range(6)
        )
        operations = tuple(
            Operation(
                tool=r.name, function=r.function, kind=OperationKind.GET, summary="Word " * 60, parameters=parameters
            )
            for r in records
        )
        provenance = Provenance(generator="g", docs_digest="d")
        manifest = Manifest(name="large", tables=made, tools=records, provenance=provenance)
        world = World(name="large", entities=(), operations=operations)
        return Parts(world, manifest, {"schema.sql": schema, "seed.sql": seed, "tools.py": source})

    return build


def _wide_table(number: int, names: list[str]) -> Table:
    references = {2: names[number // 3], 3: names[number // 2]} if number else {}
    columns = tuple(
        Column(name=f"column_{n}", type="TEXT", kind=ColumnKind.VALUE, references=references.get(n)) for n in range(12)
    )
    return Table(name=names[number], entity=names[number], key=("column_0",), columns=columns)


def _long_tool(number: int, names: list[str]) -> ToolRecord:
    here = names[number % len(names)]
    effects = Effects(reads=(here, names[0])) if number % 2 else Effects(reads=(names[0],), creates=(here,))
    function = f"tool_number_{number}"
    return ToolRecord(name=function, function=function, kind="get", effects=effects)
