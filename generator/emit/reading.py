"""The steps that read rows, Find and Select, as Python statements.

Invariant: the order of rows is total, so the same state gives the same answer. What SQL can order and cut off
is done there; an order that the call decides, and pages of it, in Python.
Not covered: conditions (`queries`).
"""

from __future__ import annotations

from autoforge.generator.emit.body import Body, local, raise_when, sentence
from autoforge.generator.emit.expressions import fstring, write
from autoforge.generator.emit.layout import Bracket, Doc, Joined, Soft, call
from autoforge.generator.emit.names import python_string, quote
from autoforge.generator.emit.prepare import entity_of
from autoforge.generator.emit.queries import Query, attribute_of, query, search_test, select
from autoforge.generator.emit.scope import Fact, Scope
from autoforge.generator.emit.shapes import Shape
from autoforge.generator.ir import (
    Constant,
    Entity,
    Find,
    Order,
    Select,
)

__all__ = ["filtered", "write_find", "write_select"]


def write_find(body: Body, scope: Scope, step: Find) -> None:
    entity = entity_of(scope.world, step.entity)
    conditions = query(scope, entity, step.where)
    for statement in conditions.before:
        body.add(statement)
    doc = _first(scope, entity, conditions, by_key=_names_one_row(entity, step))
    name = scope.bind(step.row, Shape("row", nullable=True, entity=entity.name))
    body.assign(name, doc)
    if step.missing is not None:
        raise_when(body, Joined((name, " is None")), sentence(scope, step.missing))
        scope.bind(step.row, Shape("row", nullable=False, entity=entity.name))
        if len(step.where) == 1 and _is_plain(step):
            scope.facts.append(Fact("exists", entity.name, step.where[0].column, step.where[0].value))
    elif len(step.where) == 1 and _is_plain(step):
        scope.seeking[step.row] = Fact("absent", entity.name, step.where[0].column, step.where[0].value)


def _is_plain(step: Find) -> bool:
    (condition_,) = step.where
    return condition_.comparison == "equal" and not condition_.optional and not condition_.through


def _names_one_row(entity: Entity, step: Find) -> bool:
    if entity.singleton:
        return True
    fixed = {f.column for f in step.where if f.comparison == "equal" and not f.optional and not f.through}
    return set(entity.key) <= fixed or any(a.unique and a.name in fixed for a in entity.attributes)


def _first(scope: Scope, entity: Entity, conditions: Query, *, by_key: bool) -> Doc:
    order = [] if by_key else [quote(k) for k in entity.key]
    if not conditions.tests:
        return call("db.one", *select(entity, conditions, order, None if by_key else 1))
    row = scope.candidate()
    rows = call("db.all", *select(entity, conditions, order))
    search = Bracket("(", (row, Joined((f"for {row} in ", rows)), _tests(conditions.tests)), ")", commas=False)
    return call("next", search, "None")


def _tests(tests: list[Doc]) -> Doc:
    if len(tests) == 1:
        return Joined(("if ", tests[0]))
    docs = [Bracket("(", (t,), ")", commas=False) if isinstance(t, Soft) else t for t in tests]
    return Soft((Joined(("if ", docs[0])), *(Joined(("and ", t)) for t in docs[1:])))


def filtered(scope: Scope, rows: Doc, tests: list[Doc]) -> Doc:
    """The source of rows of which only those are kept that pass the tests."""
    if not tests:
        return rows
    row = scope.candidate()
    return Bracket("[", (row, Joined((f"for {row} in ", rows)), _tests(tests)), "]", commas=False)


def write_select(body: Body, scope: Scope, step: Select) -> None:
    entity = entity_of(scope.world, step.entity)
    conditions = query(scope, entity, step.where)
    if step.search is not None:
        conditions.tests.append(search_test(scope, step.search[0], step.search[1], conditions.before))
        for column in step.search[0]:
            attribute_of(entity, column)
    for first in conditions.before:
        body.add(first)
    in_sql = _sql_order(entity, step.order)
    sorts = [] if in_sql is not None else [_sort_arguments(body, scope, entity, o) for o in reversed(step.order)]
    limit = None if in_sql is None else _sql_limit(step, conditions)
    page: list[Doc] = [] if limit is not None else _page_arguments(scope, step)
    order = in_sql if in_sql is not None else [quote(k) for k in entity.key]
    rows = filtered(scope, call("db.all", *select(entity, conditions, order, limit)), conditions.tests)
    name = scope.bind(step.rows, Shape("list", nullable=False, entity=entity.name))
    body.assign(name, rows)
    for criterion, direction in sorts:
        body.assign(name, call(scope.library.helper("_sort_rows"), name, criterion, direction))
    if page:
        body.assign(name, call(scope.library.helper("_page"), name, *page))


def _sql_limit(step: Select, conditions: Query) -> int | None:
    """The number of rows at which SQL can stop; None where Python has to filter or cut off, or all are wanted."""
    limit = step.limit.value if isinstance(step.limit, Constant) else None
    known = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
    return int(limit) if known and isinstance(limit, int) and step.offset is None and not conditions.tests else None


def _sql_order(entity: Entity, orders: tuple[Order, ...]) -> list[str] | None:
    """The criteria of an order that is known beforehand; None where the call decides."""
    criteria: dict[str, str] = {}
    for order in orders:
        if order.column is None or not isinstance(order.descending, Constant):
            return None
        attribute_of(entity, order.column)
        down = order.descending.value
        is_down = down.lower().startswith(("desc", "-")) if isinstance(down, str) else bool(down)
        criteria.setdefault(order.column, quote(order.column) + (" DESC" if is_down else ""))
    for column in entity.key:
        criteria.setdefault(column, quote(column))
    return list(criteria.values())


def _sort_arguments(body: Body, scope: Scope, entity: Entity, order: Order) -> tuple[Doc, Doc]:
    direction = write(scope, order.descending).doc
    if order.column is not None:
        attribute_of(entity, order.column)
        return python_string(order.column), direction
    if order.by is None:
        return "None", direction
    allowed = dict(order.allowed) or {a.name: a.name for a in entity.attributes}
    for column in allowed.values():
        attribute_of(entity, column)
    by = local(body, scope, write(scope, order.by), "sort_by", textual=True)
    columns = scope.fresh("sort_columns")
    items = tuple(f"{python_string(word)}: {python_string(column)}" for word, column in allowed.items())
    body.assign(columns, Bracket("{", items, "}"))
    promised = (by.shape.schema or {}).get("enum")
    if not (isinstance(promised, list) and all(v is None or v in allowed for v in promised)):
        unknown: Doc = Soft((by.doc, f"not in {columns}"))
        if by.shape.nullable:
            unknown = Soft((Joined((by.doc, " is not None")), Joined(("and ", unknown))))
        message = fstring(scope, ["Results cannot be sorted by ", by, f"; use one of {', '.join(allowed)}."])
        raise_when(body, unknown, message)
    return Joined((f"{columns}.get", Bracket("(", (by.doc,), ")"))), direction


def _page_arguments(scope: Scope, step: Select) -> list[Doc]:
    if step.limit is None and step.offset is None:
        return []
    limit: Doc = "None" if step.limit is None else write(scope, step.limit).doc
    return [limit] if step.offset is None else [limit, write(scope, step.offset).doc]
