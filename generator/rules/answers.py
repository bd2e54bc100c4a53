"""What a tool with fixed semantics answers: its facts, fitted to the documented output, or under plain names where
there is none.

Invariant: each documented property gets a fact of its kind, the one whose words are nearest, else a confirmation or
the least value of its schema; without a documented output all facts are returned. Not covered: outputs planned from
columns (`outputs`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from autoforge.generator.ir import ColumnType, Constant, Expression, Listing, Record, Return
from autoforge.generator.rules.least_values import least_value
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.shapes import properties_of, row_schema, shape_of
from autoforge.generator.rules.words import split_words

__all__ = ["Fact", "RowMaker", "Rows", "answer", "fitted_record"]

RowMaker = Callable[[str, dict[str, Any]], Expression | None]
"""From a property's name and schema to its value in the row called `entry`; None where the row has nothing like it."""


class Rows(NamedTuple):
    """The members of a list of rows for which a condition on `entry` holds."""

    rows: Expression
    condition: Expression | None
    plain: Expression
    """What stands for a row in a list of plain values."""
    make: RowMaker
    usual: tuple[str, ...]
    """Properties of a row where the documentation names none."""
    limit: Expression | None = None


class Fact(NamedTuple):
    """Something that a tool can tell."""

    name: str
    kind: str
    """text | integer | boolean | list | rows | object"""
    value: Expression | Rows
    words: str = ""
    """Words of property names that mean it, beside its own."""
    principal: bool = False
    """Whether it is what the tool is called for."""

    def score(self, name: str) -> int:
        words = set(split_words(name))
        return 2 * len(words & set(split_words(self.name))) + len(words & set(self.words.split()))


def answer(scene: Scene, facts: list[Fact], sentence: str) -> None:
    """Return the facts in the documented shape."""
    schema = scene.reading.tool.output_schema
    if not schema:
        scene.add(
            Return(
                value=Record(
                    fields=tuple((f.name, _plainly(f)) for f in facts) or (("message", Constant(value=sentence)),)
                )
            )
        )
        return
    properties = properties_of(schema)
    if not properties:
        scene.add(
            Return(
                value=Record(
                    fields=tuple((f.name, _plainly(f)) for f in facts)
                    if schema.get("additionalProperties") is not False
                    else ()
                )
            )
        )
        return
    scene.add(Return(value=_object(schema, facts, sentence)))


def _object(schema: dict[str, Any], facts: list[Fact], sentence: str) -> Record:
    required = set(shape_of(schema).schema.get("required", ()))
    used: set[str] = set()
    fields = []
    for name, value in properties_of(schema).items():
        made = _property(name, value, facts, used, sentence)
        nullable = shape_of(value).nullable
        fields.append(
            (
                name,
                call("coalesce", made, Constant(value=least_value(value)))
                if name in required and not nullable and not isinstance(made, Constant | Listing | Record)
                else made,
            )
        )
    return Record(fields=tuple(fields), omit_null=tuple(n for n, _ in fields if n not in required))


def _property(name: str, schema: dict[str, Any], facts: list[Fact], used: set[str], sentence: str) -> Expression:
    fitting = [f for f in facts if _fits(f, schema)]
    best = max(fitting, key=lambda f: f.score(name), default=None)
    if best is None or best.score(name) == 0:
        best = next((f for f in fitting if f.principal and f.name not in used), None)
    if best is not None:
        used.add(best.name)
        return _shaped(best, schema)
    if properties_of(schema) and any(
        any(_fits(f, s) and f.score(n) for n, s in properties_of(schema).items()) for f in facts
    ):
        return _object(schema, facts, sentence)
    kind = shape_of(schema).type
    if kind is ColumnType.BOOLEAN:
        return Constant(value="error" not in name.lower())
    if kind is ColumnType.TEXT and not schema.get("enum") and "error" not in name.lower():
        return Constant(value=sentence)
    return Constant(value=None if "error" in name.lower() else least_value(schema))


def _fits(fact: Fact, schema: dict[str, Any]) -> bool:
    shape = shape_of(schema)
    enum = schema.get("enum")
    if fact.kind == "text":
        known = fact.value.value if isinstance(fact.value, Constant) else None
        return shape.type in (ColumnType.TEXT, ColumnType.DATETIME, ColumnType.DATE) and (
            not enum or known in enum or bool(set(enum) <= set(fact.words.split()))
        )
    if fact.kind == "integer":
        return shape.type in (ColumnType.INTEGER, ColumnType.REAL)
    if fact.kind == "boolean":
        return shape.type is ColumnType.BOOLEAN
    if fact.kind == "object":
        return bool(properties_of(schema)) or (shape.type is ColumnType.JSON and not shape.many)
    if fact.kind == "list":
        return (shape.many and not row_schema(schema)) or (shape.type is ColumnType.TEXT and not enum)
    return shape.many or (shape.type is ColumnType.TEXT and not enum)


def _shaped(fact: Fact, schema: dict[str, Any]) -> Expression:
    value = fact.value
    if isinstance(value, Rows):
        if shape_of(schema).type is ColumnType.TEXT:
            return call(
                "join",
                _limited(value, Listing(over=value.rows, item="entry", value=value.plain, condition=value.condition)),
                Constant(value="\n"),
            )
        items = row_schema(schema)
        made: Expression = fitted_record(items, value.make) if items else value.plain
        if items is None and (shape_of(schema).schema.get("items") or {}).get("type") == "object":
            made = _usual(value)
        return _limited(value, Listing(over=value.rows, item="entry", value=made, condition=value.condition))
    if fact.kind == "list" and shape_of(schema).type is ColumnType.TEXT:
        return call("join", value, Constant(value="\n"))
    return value


def fitted_record(schema: dict[str, Any], make: RowMaker) -> Record:
    """An object of the schema about the row `entry`."""
    required = set(shape_of(schema).schema.get("required", ()))
    fields = []
    for name, value in properties_of(schema).items():
        made = make(name, value)
        least = Constant(value=least_value(value))
        if made is None:
            made = least if name in required else Constant(value=None)
        elif name in required and not shape_of(value).nullable:
            made = call("coalesce", made, least)
        fields.append((name, made))
    return Record(fields=tuple(fields), omit_null=tuple(n for n, _ in fields if n not in required))


def _usual(value: Rows) -> Record:
    made = [(n, value.make(n, {"type": "string"})) for n in value.usual]
    return Record(fields=tuple((n, e) for n, e in made if e is not None))


def _plainly(fact: Fact) -> Expression:
    if isinstance(fact.value, Rows):
        return _limited(
            fact.value,
            Listing(over=fact.value.rows, item="entry", value=_usual(fact.value), condition=fact.value.condition),
        )
    return fact.value


def _limited(value: Rows, listing: Expression) -> Expression:
    return call("slice", listing, Constant(value=0), value.limit) if value.limit is not None else listing
