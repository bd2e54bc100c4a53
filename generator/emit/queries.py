"""Filters, searches and orders as SQL, and as Python where SQLite cannot do them.

Invariant: SQL text is made of literals only, every value is bound. Text comparisons that ignore case are done in
Python, because SQLite ignores the case of ASCII letters only; a filter that may be absent reads `(? IS NULL OR
...)`. A filter with None finds nothing, `not_equal` finds rows without a value too. A moment is compared to a date
by its date. Not covered: the statements around a query.
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.generator.emit.expressions import write
from autoforge.generator.emit.functions import Code
from autoforge.generator.emit.layout import Bracket, Doc, Joined, Soft, Strings, call
from autoforge.generator.emit.names import python_string, quote, sql_literal
from autoforge.generator.emit.prepare import entity_of
from autoforge.generator.emit.scope import Scope
from autoforge.generator.emit.shapes import Shape
from autoforge.generator.ir import Attribute, ColumnType, Constant, Entity, Expression, Filter
from autoforge.mcp_envs.errors import BadInput

__all__ = ["Query", "attribute_of", "query", "search_test", "select", "simple", "where_pieces"]

_OPERATORS = {
    "equal": "=",
    "not_equal": "IS NOT",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
}
_IN_PYTHON = {"contains": "_contains_text", "starts_with": "_starts_with", "equal_text": "_equal_text"}
_MEMBERS = "(SELECT value FROM json_each(?))"


class Query(NamedTuple):
    """Conditions on the rows of one table."""

    before: list[Doc]
    """Statements that have to come first."""
    clauses: list[str]
    """SQL conditions, all of which must hold."""
    values: list[Doc]
    """What the clauses bind."""
    tests: list[Doc]
    """Python conditions on a row, all of which must hold."""


class _Value(NamedTuple):
    code: Code
    expression: Expression
    optional: bool


def attribute_of(entity: Entity, column: str) -> Attribute:
    """The attribute of a column. Raises BadInput where there is none."""
    attribute = entity.attribute(column)
    if attribute is None:
        raise BadInput(f"the entity {entity.name!r} has no column {column!r}; add it or use one that exists")
    return attribute


def query(scope: Scope, entity: Entity, where: tuple[Filter, ...]) -> Query:
    """The conditions of these filters."""
    result = Query([], [], [], [])
    for condition in where:
        _add(scope, entity, condition, result)
    return result


def select(entity: Entity, query_: Query, order: list[str], limit: int | None = None, what: str = "*") -> list[Doc]:
    """The arguments of a database call that reads the rows of a query."""
    pieces = [f"SELECT {what} FROM {quote(entity.table)}", *where_pieces(query_.clauses)]
    if order:
        pieces.append(f"ORDER BY {', '.join(order)}")
    if limit is not None:
        pieces.append(f"LIMIT {limit}")
    return [Strings(tuple(pieces)), *query_.values]


def where_pieces(clauses: list[str]) -> list[str]:
    """The WHERE part of a statement, a piece a clause."""
    return [f"{'AND' if i else 'WHERE'} {clause}" for i, clause in enumerate(clauses)]


def search_test(scope: Scope, columns: tuple[str, ...], text: Expression, before: list[Doc]) -> Doc:
    """The Python condition that every word of a text occurs in one of the columns of a row."""
    row, words = scope.candidate(), simple(scope, write(scope, text), "words", before)
    values = Bracket("[", tuple(f"{row}[{python_string(c)}]" for c in columns), "]")
    return call(scope.library.helper("_matches_words"), values, words.doc)


def simple(scope: Scope, code: Code, hint: str, before: list[Doc]) -> Code:
    """The same value under a name, so that it may be written twice and is computed once."""
    if code.simple:
        return code
    name = scope.fresh(hint)
    before.append(Joined((f"{name} = ", code.doc)))
    return Code(name, shape=code.shape)


def _add(scope: Scope, entity: Entity, condition: Filter, result: Query) -> None:
    last = entity
    for column, parent in condition.through:
        attribute_of(last, column)
        last = entity_of(scope.world, parent)
    attribute = attribute_of(last, condition.column)
    code = write(scope, condition.value)
    optional = condition.optional and (code.shape.nullable or code.shape.kind in ("list", "any"))
    if optional or condition.comparison in _IN_PYTHON:
        code = simple(scope, code, f"wanted_{condition.column}", result.before)
    value = _Value(code, condition.value, optional)
    if condition.comparison in _IN_PYTHON:
        test = _python_test(scope, condition, value)
        if condition.through:
            _add_through_python(scope, entity, last, condition, value, test, result)
        else:
            result.tests.append(test)
        return
    clause, values = _clause(scope, last, attribute, condition, value)
    clause = _through(scope, condition.through, clause)
    if optional:
        result.values.append(_or_none(scope, condition.comparison, value.code))
        clause = f"(? IS NULL OR {clause})"
    result.clauses.append(clause)
    result.values.extend(values)


def _or_none(scope: Scope, comparison: str, code: Code) -> Doc:
    if comparison in ("in", "has_any"):
        return Soft((_list(scope, code), "or None"))
    return Soft((code.doc, "or None")) if code.shape.kind == "list" else code.doc


def _through(scope: Scope, path: tuple[tuple[str, str], ...], clause: str) -> str:
    if not path:
        return clause
    (column, name), *rest = path
    parent = entity_of(scope.world, name)
    inner = _through(scope, tuple(rest), clause)
    return f"{quote(column)} IN (SELECT {quote(parent.key[0])} FROM {quote(parent.table)} WHERE {inner})"


def _add_through_python(
    scope: Scope, entity: Entity, last: Entity, condition: Filter, value: _Value, test: Doc, result: Query
) -> None:
    """The keys of the rows at the end of the path are collected first; the path then leads to them in SQL."""
    row, key = scope.candidate(), last.key[0]
    name = scope.fresh(f"{last.name}_keys")
    rows = call("db.all", f"{python_string('SELECT * FROM ' + quote(last.table))}")
    listing = Bracket(
        "[",
        (f"{row}[{python_string(key)}]", Joined((f"for {row} in ", rows)), Joined(("if ", test))),
        "]",
        commas=False,
    )
    result.before.append(Joined((f"{name} = ", listing)))
    (column, _), *others = reversed(condition.through)
    path = tuple(reversed(others))
    clause = _through(scope, path, f"{quote(column)} IN {_MEMBERS}")
    if value.optional:
        result.values.append(value.code.doc)
        clause = f"(? IS NULL OR {clause})"
    result.clauses.append(clause)
    result.values.append(name)


def _python_test(scope: Scope, condition: Filter, value: _Value) -> Doc:
    helper = scope.library.helper(_IN_PYTHON[condition.comparison])
    test = call(helper, f"{scope.candidate()}[{python_string(condition.column)}]", value.code.doc)
    if not value.optional or not value.code.shape.nullable:
        return test
    return Soft((Joined((value.code.doc, " is None")), Joined(("or ", test))))


def _clause(
    scope: Scope, entity: Entity, attribute: Attribute, condition: Filter, value: _Value
) -> tuple[str, list[Doc]]:
    """The SQL condition on a column, and what it binds."""
    column, comparison = quote(attribute.name), condition.comparison
    fixed = isinstance(value.expression, Constant) and not value.optional
    if comparison == "is_null":
        return _null_clause(column, value)
    if comparison == "in":
        return _in_clause(scope, column, value)
    if comparison in ("has", "has_any"):
        return _has_clause(scope, entity, attribute, comparison, value)
    operator = _OPERATORS[comparison]
    if attribute.type is ColumnType.JSON and comparison in ("equal", "not_equal"):
        return f"json({column}) {operator} ?", [_stored(scope, value.code)]
    if _by_date(attribute, comparison, value.code.shape):
        code = value.code
        return f"substr({column}, 1, length(?)) {operator} ?", [code.doc, code.doc]
    if fixed and isinstance(value.expression, Constant) and not isinstance(value.expression.value, list | dict):
        return f"{column} {operator} {sql_literal(value.expression.value)}", []
    return f"{column} {operator} ?", [value.code.doc]


def _by_date(attribute: Attribute, comparison: str, shape: Shape) -> bool:
    precise = (shape.schema or {}).get("format") == "date-time"
    return (
        attribute.type is ColumnType.DATETIME
        and comparison in ("equal", "not_equal", "less_equal", "greater")
        and not precise
    )


def _null_clause(column: str, value: _Value) -> tuple[str, list[Doc]]:
    if isinstance(value.expression, Constant) and not value.optional:
        return f"{column} IS {'' if value.expression.value else 'NOT '}NULL", []
    doc = value.code.doc if value.code.shape.kind == "boolean" else call("bool", value.code.doc)
    return f"({column} IS NULL) = ?", [doc]


def _in_clause(scope: Scope, column: str, value: _Value) -> tuple[str, list[Doc]]:
    members = value.expression.value if isinstance(value.expression, Constant) else None
    if isinstance(members, list) and not value.optional and not any(isinstance(m, list | dict) for m in members):
        if len(members) == 1:
            return f"{column} = {sql_literal(members[0])}", []
        return f"{column} IN ({', '.join(map(sql_literal, members))})", []
    return f"{column} IN {_MEMBERS}", [_list(scope, value.code)]


def _has_clause(
    scope: Scope, entity: Entity, attribute: Attribute, comparison: str, value: _Value
) -> tuple[str, list[Doc]]:
    if attribute.type is not ColumnType.JSON:
        if comparison == "has":
            return f"{quote(attribute.name)} = ?", [value.code.doc]
        return f"{quote(attribute.name)} IN {_MEMBERS}", [_list(scope, value.code)]
    members = f"json_each({quote(entity.table)}.{quote(attribute.name)})"
    if comparison == "has":
        return f"EXISTS (SELECT 1 FROM {members} WHERE value = ?)", [value.code.doc]
    return f"EXISTS (SELECT 1 FROM {members} WHERE value IN {_MEMBERS})", [_list(scope, value.code)]


def _list(scope: Scope, code: Code) -> Doc:
    return code.doc if code.shape.kind == "list" else call(scope.library.helper("_as_list"), code.doc)


def _stored(scope: Scope, code: Code) -> Doc:
    return (
        code.doc if code.shape.kind in ("list", "object", "row") else call(scope.library.helper("_as_json"), code.doc)
    )
