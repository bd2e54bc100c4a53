"""The steps that change rows, Insert, Update and Delete, as Python statements.

Invariant: a write that the schema would reject is refused first, in a sentence; rows are bound as stored, where
anybody reads them. In an insert, None takes the default of the column. Not covered: which refusals (`guards`).
"""

from __future__ import annotations

from autoforge.generator.emit.body import Body, local, raise_when
from autoforge.generator.emit.expressions import constant, write
from autoforge.generator.emit.functions import TERNARY, Code, apply_function
from autoforge.generator.emit.guards import Guard, Write, guards_of, key_guard
from autoforge.generator.emit.layout import Doc, Joined, Soft, Strings, call
from autoforge.generator.emit.names import python_string, quote
from autoforge.generator.emit.prepare import entity_of
from autoforge.generator.emit.queries import Query, attribute_of, query, select, where_pieces
from autoforge.generator.emit.reading import filtered
from autoforge.generator.emit.scope import Fact, Scope
from autoforge.generator.emit.shapes import Shape, of_constant
from autoforge.generator.ir import (
    ColumnType,
    Constant,
    Delete,
    Entity,
    Expression,
    Insert,
    NextId,
    Update,
    Variable,
)

__all__ = ["write_delete", "write_insert", "write_update"]

_INTEGER = Shape("integer", nullable=False)


def write_insert(body: Body, scope: Scope, step: Insert, later: frozenset[str]) -> None:
    entity = entity_of(scope.world, step.entity)
    given = dict(step.values)
    made = _missing_key(entity, given)
    writes: dict[str, Write] = {}
    for column, expression in {**made, **given}.items():
        attribute = attribute_of(entity, column)
        if (
            isinstance(expression, Constant)
            and expression.value is None
            and column not in entity.key
            and (attribute.nullable or attribute.default is not None)
        ):
            continue
        code = write(scope, expression)
        if attribute.default is not None and code.shape.nullable:
            code = _or_default(body, scope, code, attribute.default, column)
        writes[column] = _guarded(body, scope, entity, Write(attribute, code, expression), keep=column in entity.key)
    _guard_key(body, scope, entity, writes)
    columns = ", ".join(quote(column) for column in writes)
    marks = ", ".join("?" for _ in writes)
    head = f"INSERT INTO {quote(entity.table)} ({columns})"
    body.add(call("db.run", Strings((head, f"VALUES ({marks})")), *(_bound(scope, w) for w in writes.values())))
    scope.inserted(entity.name)
    shape = Shape("row", nullable=False, entity=entity.name)
    name = scope.bind(step.row, shape)
    if step.row in later:
        body.assign(name, _stored_row(entity, [writes[k].code.doc for k in entity.key]))


def _missing_key(entity: Entity, given: dict[str, Expression]) -> dict[str, Expression]:
    made: dict[str, Expression] = {}
    for column in entity.key:
        if column not in given:
            made[column] = Constant(value=1) if entity.singleton else NextId(entity=entity.name)
    return made


def _guard_key(body: Body, scope: Scope, entity: Entity, writes: dict[str, Write]) -> None:
    """Refuse a key that exists, unless it is fresh or was seen to be free."""
    key = {column: writes[column] for column in entity.key}
    fresh = [isinstance(w.expression, NextId) for w in key.values()]
    seen = [scope.knows(Fact("absent", entity.name, column, w.expression)) for column, w in key.items()]
    if not any(fresh) and not any(seen):
        _raise_guard(body, key_guard(scope, entity, {column: w.code for column, w in key.items()}, None))


def _or_default(body: Body, scope: Scope, code: Code, default: object, column: str) -> Code:
    code = local(body, scope, code, column)
    fallback = Code(constant(default), shape=of_constant(default))  # type: ignore[arg-type]
    return apply_function("coalesce", (code, fallback), scope.library.helper)


def _guarded(body: Body, scope: Scope, entity: Entity, write_: Write, *, keep: bool) -> Write:
    """Write the refusals of a value; the value comes back under a name where it is needed twice."""
    probe = guards_of(scope, entity, write_._replace(code=write_.code._replace(doc="_", level=99)))
    if probe or keep:
        hint = f"{entity.name}_id" if write_.attribute.name == "id" else f"new_{write_.attribute.name}"
        write_ = write_._replace(code=local(body, scope, write_.code, hint))
    for guard in guards_of(scope, entity, write_):
        _raise_guard(body, guard)
    return write_


def _bound(scope: Scope, write_: Write) -> Doc:
    """The value as it is bound: anything but lists and objects must be turned into JSON for a JSON column."""
    kind, type_ = write_.code.shape.kind, write_.attribute.type
    if type_ is ColumnType.JSON and kind not in ("list", "object", "row"):
        return call(scope.library.helper("_as_json"), write_.code.doc)
    if type_ in (ColumnType.INTEGER, ColumnType.REAL) and kind not in ("integer", "number", "boolean"):
        return call(scope.library.helper("_number"), write_.code.doc)
    return write_.code.doc


def _stored_row(entity: Entity, key: list[Doc]) -> Doc:
    conditions = [f"{quote(column)} = ?" for column in entity.key]
    return call("db.one", Strings((f"SELECT * FROM {quote(entity.table)}", *where_pieces(conditions))), *key)


def write_update(body: Body, scope: Scope, step: Update, later: frozenset[str]) -> None:
    entity = entity_of(scope.world, step.entity)
    shape = scope.bound(step.row)
    if shape.nullable:
        with body.block(Joined(("if ", scope.name(step.row), " is not None:"))):
            inner = scope.branch()
            inner.given.append(Variable(name=step.row))
            _update_row(body, inner, step, entity, later)
        scope.forget(step.row)
        return
    _update_row(body, scope, step, entity, later)


def _update_row(body: Body, scope: Scope, step: Update, entity: Entity, later: frozenset[str]) -> None:
    row = Code(scope.name(step.row), shape=scope.bound(step.row))
    writes: dict[str, Write] = {}
    for column, expression in dict(step.values).items():
        attribute = attribute_of(entity, column)
        code = write(scope, expression)
        keeps = column in step.when_given and code.shape.nullable
        plain = Write(attribute, code, expression, keeps, row)
        writes[column] = _guarded(body, scope, entity, plain, keep=column in entity.key)
    if not writes:
        return
    key = {k: _new_key_value(body, scope, row, k, writes.get(k)) for k in entity.key}
    if writes.keys() & key.keys():
        _raise_guard(body, key_guard(scope, entity, key, row))
    body.add(_update_statement(scope, entity, writes, row))
    scope.inserted(entity.name)
    if any(column in entity.key or attribute_of(entity, column).unique for column in writes):
        scope.deleted()
    name = scope.bind(step.row, Shape("row", nullable=False, entity=entity.name))
    if step.row in later:
        body.assign(name, _stored_row(entity, [code.doc for code in key.values()]))


def _update_statement(scope: Scope, entity: Entity, writes: dict[str, Write], row: Code) -> Doc:
    sets = [f"{quote(c)} = " + (f"COALESCE(?, {quote(c)})" if w.kept_when_null else "?") for c, w in writes.items()]
    where = where_pieces([f"{quote(k)} = ?" for k in entity.key])
    key = [f"{row.doc}[{python_string(k)}]" for k in entity.key]
    pieces = (f"UPDATE {quote(entity.table)}", f"SET {', '.join(sets)}", *where)
    return call("db.run", Strings(pieces), *(_bound(scope, w) for w in writes.values()), *key)


def _new_key_value(body: Body, scope: Scope, row: Code, column: str, write_: Write | None) -> Code:
    """What a key column holds after an update, under a name."""
    old = Code(f"{row.doc}[{python_string(column)}]")
    if write_ is None:
        return old
    if not write_.kept_when_null:
        return write_.code
    choice = Soft((write_.code.doc, Joined(("if ", write_.code.doc, " is not None")), Joined(("else ", old.doc))))
    return local(body, scope, Code(choice, TERNARY, write_.code.shape.given()), f"{column}_after")


def write_delete(body: Body, scope: Scope, step: Delete) -> None:
    entity = entity_of(scope.world, step.entity)
    conditions = query(scope, entity, step.where)
    for doc in conditions.before:
        body.add(doc)
    if conditions.tests:
        doc = _delete_tested(body, scope, entity, conditions)
    else:
        pieces = (f"DELETE FROM {quote(entity.table)}", *where_pieces(conditions.clauses))
        doc = call("db.run", Strings(pieces), *conditions.values)
    scope.deleted()
    if step.count is None:
        body.add(doc)
    else:
        body.assign(scope.bind(step.count, _INTEGER), doc)


def _delete_tested(body: Body, scope: Scope, entity: Entity, conditions: Query) -> Doc:
    """Rows that only Python can choose are deleted one by one, by their keys."""
    rows, row = scope.fresh("doomed"), scope.candidate()
    chosen = call("db.all", *select(entity, conditions, [quote(k) for k in entity.key]))
    body.assign(rows, filtered(scope, chosen, conditions.tests))
    pieces = (f"DELETE FROM {quote(entity.table)}", *where_pieces([f"{quote(k)} = ?" for k in entity.key]))
    with body.block(f"for {row} in {rows}:"):
        body.add(call("db.run", Strings(pieces), *(f"{row}[{python_string(k)}]" for k in entity.key)))
    return call("len", rows)


def _raise_guard(body: Body, guard: Guard) -> None:
    raise_when(body, guard.when, guard.message)
