"""A shop built by hand: customers, orders with items and tags, a session; and emitted code on a real database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from autoforge.generator.emit import schema_sql, tools_py
from autoforge.generator.emit.code import function_names, parameter_names
from autoforge.generator.ir import (
    Attribute,
    ColumnKind,
    ColumnType,
    Entity,
    Operation,
    OperationKind,
    Parameter,
    Step,
    World,
)
from autoforge.mcp_envs import runtime
from autoforge.mcp_envs.containment.static import check_source

CUSTOMERS = Entity(
    name="customer",
    table="customers",
    title="Customer",
    key=("id",),
    id_template="CUS-{:03d}",
    label="name",
    attributes=(
        Attribute(name="id", kind=ColumnKind.SURROGATE, nullable=False),
        Attribute(name="name", nullable=False, description="Full name; as on the passport"),
        Attribute(name="email", unique=True),
        Attribute(name="balance", type=ColumnType.REAL, nullable=False, default=0, minimum=0),
        Attribute(name="referred_by", references="customer"),
    ),
)
ORDERS = Entity(
    name="order",
    table="orders",
    title="Order",
    key=("id",),
    id_template="ORD-{:04d}",
    status="status",
    owner="customer_id",
    attributes=(
        Attribute(name="id", kind=ColumnKind.SURROGATE, nullable=False),
        Attribute(name="customer_id", references="customer", nullable=False),
        Attribute(name="status", enum=("pending", "shipped", "cancelled"), default="pending", nullable=False),
        Attribute(name="note"),
        Attribute(name="tags", type=ColumnType.JSON, default=[]),
        Attribute(name="gift", type=ColumnType.BOOLEAN, default=False),
        Attribute(name="created_at", type=ColumnType.DATETIME, kind=ColumnKind.CLOCK, nullable=False),
        Attribute(name="rating", type=ColumnType.INTEGER, minimum=1, maximum=5),
    ),
)
ITEMS = Entity(
    name="order_item",
    table="order_items",
    title="Order item",
    key=("order_id", "product"),
    attributes=(
        Attribute(name="order_id", references="order"),
        Attribute(name="product"),
        Attribute(name="quantity", type=ColumnType.INTEGER, nullable=False, minimum=1),
        Attribute(name="price", type=ColumnType.REAL),
    ),
)
SESSION = Entity(
    name="session",
    table="session",
    title="Session",
    key=(),
    singleton=True,
    attributes=(Attribute(name="user", references="customer"),),
)

SEED = """
INSERT INTO autoforge_clock VALUES ('2026-03-02T09:00:00');
INSERT INTO autoforge_counters VALUES ('orders', 3);
INSERT INTO customers VALUES ('CUS-001', 'Zoë Ångström', 'zoe@example.org', 10.5, NULL);
INSERT INTO customers VALUES ('CUS-002', '50% Ltd_', 'half@example.org', 0, 'CUS-001');
INSERT INTO orders VALUES
  ('ORD-0001', 'CUS-001', 'pending', 'DOOR', '["gift","fragile"]', 1, '2026-02-01T10:00:00', 5);
INSERT INTO orders VALUES
  ('ORD-0002', 'CUS-001', 'shipped', NULL, '[]', 0, '2026-03-01T08:30:00', NULL);
INSERT INTO orders VALUES
  ('ORD-0003', 'CUS-002', 'pending', 'straße 7', '["fragile"]', 0, '2026-03-01T23:59:59', 3);
INSERT INTO order_items VALUES ('ORD-0001', 'apple', 2, 1.25);
INSERT INTO order_items VALUES ('ORD-0001', 'pear', 1, NULL);
INSERT INTO session VALUES (1, NULL);
"""


def parameter(
    name: str, schema: dict[str, Any] | None = None, *, required: bool = False, default: Any = None
) -> Parameter:
    """A parameter whose name is its identifier."""
    return Parameter(name=name, identifier=name, json_schema=schema or {}, required=required, default=default)


def operation(
    *steps: Step, parameters: tuple[Parameter, ...] = (), name: str = "try_it", summary: str = "Try it."
) -> Operation:
    """A tool of these steps."""
    return Operation(
        tool=name, function=name, kind=OperationKind.GET, summary=summary, parameters=parameters, steps=steps
    )


def shop(*operations: Operation) -> World:
    """The shop with these tools."""
    return World(name="shop", title="A small shop", entities=(ITEMS, ORDERS, CUSTOMERS, SESSION), operations=operations)


def load(source: str) -> ModuleType:
    """Emitted source as a module, after the static check."""
    assert check_source(source) == (), source
    module = ModuleType("tools")
    exec(compile(source, "tools.py", "exec"), module.__dict__)
    return module


class Shop:
    """A seeded shop with one tool, to call and look at."""

    def __init__(self, world: World, seed: str = SEED) -> None:
        self.source = tools_py(world)
        self.module = load(self.source)
        self._names = function_names(world)
        self._parameters = {o.tool: parameter_names(o) for o in world.operations}
        self.connection = runtime.connect()
        self.connection.executescript(schema_sql(world) + seed)

    def call(self, tool: str = "try_it", **arguments: Any) -> Any:
        """What a tool answers to arguments by their documented names."""
        given = {self._parameters[tool][name]: value for name, value in arguments.items()}
        return runtime.call(self.connection, getattr(self.module, self._names[tool]), given)

    def refusal(self, tool: str = "try_it", **arguments: Any) -> str:
        """The sentence with which a tool refuses."""
        with pytest.raises(self.module.ToolError) as caught:
            self.call(tool, **arguments)
        return str(caught.value)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of the state as SQLite gives them."""
        return self.connection.execute(sql).fetchall()

    def dump(self) -> list[str]:
        """The whole state as text."""
        return list(self.connection.iterdump())

    def close(self) -> None:
        """Give the database back."""
        self.connection.close()


@pytest.fixture
def run_shop() -> Iterator[Callable[..., Shop]]:
    """Opens shops with the tools given, and closes them after the test."""
    opened: list[Shop] = []

    def start(*operations: Operation, seed: str = SEED) -> Shop:
        opened.append(Shop(shop(*operations), seed))
        return opened[-1]

    yield start
    for one in opened:
        one.close()
