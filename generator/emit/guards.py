"""The refusals that a write needs so that no constraint of the schema is met by surprise.

Invariant: after the guards of a write, SQLite cannot reject it, so an agent always gets a sentence and never an
internal error. What the steps above already made sure of (the parent was found, the name was seen to be free) or
what the schema of a parameter promises is not checked twice. Not covered: rules of the domain, which are Refuse
steps.
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.generator.emit.expressions import constant, fstring
from autoforge.generator.emit.functions import Code
from autoforge.generator.emit.layout import Bracket, Doc, Joined, Soft, call
from autoforge.generator.emit.names import article, human, python_string, quote
from autoforge.generator.emit.queries import attribute_of
from autoforge.generator.emit.schema import parent_of
from autoforge.generator.emit.scope import Fact, Scope
from autoforge.generator.emit.shapes import bound_of
from autoforge.generator.ir import Attribute, ColumnType, Entity, Expression, RowField

__all__ = ["Guard", "Write", "guards_of", "key_guard"]

_NUMERIC = (ColumnType.INTEGER, ColumnType.REAL)


class Guard(NamedTuple):
    """When to refuse, and the sentence."""

    when: Doc
    message: Doc


class Write(NamedTuple):
    """A value on its way into a column."""

    attribute: Attribute
    code: Code
    expression: Expression
    kept_when_null: bool = False
    """None leaves the column as it is."""
    row: Code | None = None
    """The row that is changed; None for a new one."""


def guards_of(scope: Scope, entity: Entity, write: Write) -> list[Guard]:
    """The refusals that this value needs, in order; if there are any, `write.code` must be simple."""
    if write.code.doc == "None":
        return _presence(scope, entity, write)
    guards = [*_presence(scope, entity, write), *_kind(scope, write), *_values(scope, write), *_range(scope, write)]
    guards += _reference(scope, write)
    if write.attribute.unique and entity.key != (write.attribute.name,):
        guards += _unique(scope, entity, write)
    return guards


def key_guard(scope: Scope, entity: Entity, key: dict[str, Code], row: Code | None) -> Guard:
    """The refusal of a key that another row has."""
    clauses = [f"{quote(column)} = ?" for column in key]
    values = [code.doc for code in key.values()]
    if row is not None:
        same = " AND ".join(f"{quote(column)} = ?" for column in key)
        clauses.append(f"NOT ({same})")
        values += [f"{_source(row)}[{python_string(column)}]" for column in key]
    sql = f"SELECT 1 FROM {quote(entity.table)} WHERE {' AND '.join(clauses)}"
    found = Joined((call("db.one", python_string(sql), *values), " is not None"))
    parts: list[str | Code] = [f"There is already {article(human(entity.title or entity.name))} with "]
    for i, (column, code) in enumerate(key.items()):
        parts += [f"{' and ' if i else ''}{human(column)} ", code]
    return Guard(found, fstring(scope, [*parts, "."]))


def _source(code: Code) -> str:
    return str(code.doc)


def _shown(write: Write) -> Code:
    """The value as a sentence shows it, where it is known to be there."""
    return write.code._replace(shape=write.code.shape.given())


def _known(write: Write, condition: Doc) -> Doc:
    """The condition, only where there is a value."""
    return (
        Soft((Joined((write.code.doc, " is not None")), Joined(("and ", condition))))
        if write.code.shape.nullable
        else condition
    )


def _presence(scope: Scope, entity: Entity, write: Write) -> list[Guard]:
    if write.attribute.nullable or write.kept_when_null or not write.code.shape.nullable:
        return []
    message = f"The {human(write.attribute.name)} of the {human(entity.title or entity.name)} must be given."
    return [Guard(Joined((write.code.doc, " is None")), python_string(message))]


def _kind(scope: Scope, write: Write) -> list[Guard]:
    kind, attribute = write.code.shape.kind, write.attribute
    if attribute.type in _NUMERIC and kind not in ("integer", "number", "boolean"):
        test = Joined((call(scope.library.helper("_number"), write.code.doc), " is None"))
        return [Guard(_known(write, test), _sentence(scope, write, " must be a number"))]
    if attribute.type is ColumnType.BOOLEAN and kind != "boolean":
        test = Joined((write.code.doc, " not in (True, False)"))
        return [Guard(_known(write, test), _sentence(scope, write, " must be true or false"))]
    return []


def _values(scope: Scope, write: Write) -> list[Guard]:
    attribute = write.attribute
    allowed = [v for v in attribute.enum if v is not None and not isinstance(v, list | dict)]
    if not allowed or attribute.type in (ColumnType.JSON, ColumnType.BOOLEAN):
        return []
    promised = (write.code.shape.schema or {}).get("enum")
    if isinstance(promised, list) and all(v is None or v in allowed for v in promised):
        return []
    items = tuple(constant(v) for v in allowed)
    test = Soft((write.code.doc, Joined(("not in ", Bracket("(", items, ",)" if len(items) == 1 else ")")))))
    return [Guard(_known(write, test), _sentence(scope, write, f" must be one of {', '.join(map(str, allowed))}"))]


def _range(scope: Scope, write: Write) -> list[Guard]:
    attribute, schema = write.attribute, write.code.shape.schema or {}
    guards: list[Guard] = []
    if attribute.type not in _NUMERIC:
        return guards
    value = write.code.doc if write.code.shape.numeric else call(scope.library.helper("_number"), write.code.doc)
    least, most = bound_of(schema, "minimum"), bound_of(schema, "maximum")
    for bound, operator, words, promised in (
        (
            attribute.minimum,
            "<",
            "at least",
            least is not None and attribute.minimum is not None and least >= attribute.minimum,
        ),
        (
            attribute.maximum,
            ">",
            "at most",
            most is not None and attribute.maximum is not None and most <= attribute.maximum,
        ),
    ):
        if bound is None or promised:
            continue
        shown = repr(int(bound)) if bound == int(bound) else repr(bound)
        test = Soft((value, f"{operator} {shown}"))
        guards.append(Guard(_known(write, test), _sentence(scope, write, f" must be {words} {shown}")))
    return guards


def _reference(scope: Scope, write: Write) -> list[Guard]:
    parent = parent_of(scope.world, write.attribute)
    if parent is None or _points_to(scope, parent, write.expression):
        return []
    key = parent.key[0]
    sql = f"SELECT 1 FROM {quote(parent.table)} WHERE {quote(key)} = ?"
    test = Joined((call("db.one", python_string(sql), write.code.doc), " is None"))
    message = fstring(
        scope, [f"There is no {human(parent.title or parent.name)} with {human(key)} ", _shown(write), "."]
    )
    return [Guard(_known(write, test), message)]


def _points_to(scope: Scope, parent: Entity, expression: Expression) -> bool:
    """Whether a value is known to be the key of a row that exists."""
    if scope.knows(Fact("exists", parent.name, parent.key[0], expression)):
        return True
    if not isinstance(expression, RowField):
        return False
    shape = scope.shapes.get(expression.row)
    if shape is None or shape.kind != "row" or shape.entity is None or scope.stale(expression.row):
        return False
    entity = next(e for e in scope.world.entities if e.name == shape.entity)
    is_key = entity.name == parent.name and expression.column == parent.key[0]
    return is_key or attribute_of(entity, expression.column).references == parent.name


def _unique(scope: Scope, entity: Entity, write: Write) -> list[Guard]:
    column = write.attribute.name
    if write.row is None and scope.knows(Fact("absent", entity.name, column, write.expression)):
        return []
    clauses, values = [f"{quote(column)} = ?"], [write.code.doc]
    if write.row is not None:
        same = " AND ".join(f"{quote(k)} = ?" for k in entity.key)
        clauses.append(f"NOT ({same})")
        values += [f"{_source(write.row)}[{python_string(k)}]" for k in entity.key]
    sql = f"SELECT 1 FROM {quote(entity.table)} WHERE {' AND '.join(clauses)}"
    test = Joined((call("db.one", python_string(sql), *values), " is not None"))
    message = fstring(
        scope,
        [f"There is already {article(human(entity.title or entity.name))} with {human(column)} ", _shown(write), "."],
    )
    return [Guard(_known(write, test), message)]


def _sentence(scope: Scope, write: Write, rule: str) -> Doc:
    return fstring(scope, [f"The {human(write.attribute.name)}{rule}; it cannot be ", _shown(write), "."])
