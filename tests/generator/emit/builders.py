"""Short ways to write expressions and steps over the shop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autoforge.generator.emit import tools_py
from autoforge.generator.ir import (
    Apply,
    Argument,
    Constant,
    Expression,
    Filter,
    Find,
    Insert,
    Listing,
    Now,
    Return,
    RowField,
    Select,
    Step,
    Update,
    Variable,
)
from autoforge.mcp_envs import runtime

from .conftest import Shop, load, operation, parameter, shop

Start = Callable[..., Shop]
TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
INTEGER: dict[str, Any] = {"type": "integer"}
TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}


def arg(name: str) -> Argument:
    return Argument(name=name)


def const(value: Any) -> Constant:
    return Constant(value=value)


def field(row: str, column: str) -> RowField:
    return RowField(row=row, column=column)


def apply(function: Any, *arguments: Expression) -> Apply:
    return Apply(function=function, arguments=arguments)


def by_id(value: Expression) -> tuple[Filter, ...]:
    return (Filter(column="id", value=value),)


def ids(rows: str = "orders") -> Return:
    """Answer the ids of rows."""
    return Return(value=Listing(over=Variable(name=rows), item="o", value=field("o", "id")))


def listing(*where: Filter, **options: Any) -> tuple[Select, Return]:
    """Answer the ids of the orders that match."""
    return Select(rows="orders", entity="order", where=where, **options), ids()


A, B, C = "ORD-0001", "ORD-0002", "ORD-0003"


def create(*values: tuple[str, Expression], entity: str = "order") -> tuple[Step, ...]:
    """Insert a row and answer it."""
    return Insert(row="new", entity=entity, values=values), Return(value=Variable(name="new"))


ORDER = (("customer_id", arg("customer")), ("created_at", Now()))


def change(*values: tuple[str, Expression], when_given: tuple[str, ...] = ()) -> tuple[Step, ...]:
    find = Find(row="o", entity="order", where=by_id(const(A)), missing="Gone.")
    update = Update(row="o", entity="order", values=values, when_given=when_given)
    return find, update, Return(value=Variable(name="o"))


def evaluate(expression: Expression, parameters: dict[str, dict[str, Any]], arguments: dict[str, Any]) -> Any:
    """The value of an expression over parameters with these schemas, as an emitted tool answers it."""
    declared = tuple(parameter(name, schema, required=True) for name, schema in parameters.items())
    module = load(tools_py(shop(operation(Return(value=expression), parameters=declared))))
    connection = runtime.connect()
    try:
        return runtime.call(connection, module.try_it, arguments)
    finally:
        connection.close()
