"""Operations for hand-made worlds, in few words."""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import (
    Apply,
    Argument,
    Constant,
    Each,
    Expression,
    Filter,
    Find,
    Operation,
    OperationKind,
    Refuse,
    RowField,
    Select,
    Step,
    Variable,
)


def call(function: Any, *arguments: Expression) -> Apply:
    return Apply(function=function, arguments=arguments)


def cell(row: str, column: str) -> RowField:
    return RowField(row=row, column=column)


def constant(value: Any) -> Constant:
    return Constant(value=value)


def find(entity: str, column: str, value: Expression | None = None, *, row: str = "", optional: bool = False) -> Find:
    where = (Filter(column=column, value=value or Argument(name=f"{row or entity}_id")),)
    return Find(row=row or entity, entity=entity, where=where, missing=None if optional else "missing")


def refuse(when: Expression) -> Refuse:
    return Refuse(when=when, message="no")


def states(row: str, *values: str) -> Refuse:
    """Refused unless the row's status is one of these."""
    return refuse(call("not", call("in", cell(row, "status"), constant(list(values)))))


def count(entity: str, column: str, value: Expression, *status: str) -> Select:
    where = [Filter(column=column, value=value)]
    if status:
        where.append(Filter(column="status", comparison="in", value=constant(list(status))))
    return Select(rows=f"held_{entity}", entity=entity, where=tuple(where))


def least(rows: str, number: int) -> Refuse:
    """Refused when so many rows or more were counted."""
    return refuse(call("greater_equal", call("length", Variable(name=rows)), constant(number)))


def operation(tool: str, *steps: Step) -> Operation:
    return Operation(tool=tool, function=tool, kind=OperationKind.UPDATE, steps=steps)


def each(rows: str, *steps: Step) -> Each:
    return Each(over=Variable(name=rows), item="item", steps=steps)
