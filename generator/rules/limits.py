"""Yes or no to a number: whether what is asked for lies within what a row of the state allows.

Invariant: the answer is a comparison of the parameter with one column, which exists from the roles on, so the parameter
matters. Not covered: answers that are numbers (`estimates`).
"""

from __future__ import annotations

from collections.abc import Iterable

from autoforge.generator.ir import ColumnType, Expression, RowField
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.shapes import Shape, properties_of, shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import column_name, snake
from autoforge.generator.vocabulary import word_set

__all__ = ["cast_limits", "within_limit"]

_NUMBERS = (ColumnType.REAL, ColumnType.INTEGER)
_DISTANCES = word_set("distance mileage miles km kilometers length trip distancia strecke")
_MONEY = word_set("amount price cost total value importe monto betrag montant")


def _asked(roles: Iterable[Role]) -> Role | None:
    """The one number that is compared."""
    numbers = [
        r
        for r in roles
        if r.shape.type in _NUMBERS and not r.many and r.required and r.role not in ("key", "reference")
    ]
    return numbers[0] if len(numbers) == 1 else None


def _answers_yes(reading: Reading) -> bool:
    outputs = [shape_of(s).type for s in properties_of(reading.tool.output_schema).values()]
    return ColumnType.BOOLEAN in outputs and not set(outputs) & set(_NUMBERS)


def _limit_column(columns: Iterable[str], parameter: str) -> str:
    """The column that limits a number: one that says so, else a new one."""
    last = parameter.rsplit("_", 1)[-1]
    wanted = [
        f"{p}_{n}" for n in dict.fromkeys((parameter, last)) for p in ("max", "maximum", "available", "remaining")
    ] + [f"{parameter}_limit"]
    wanted += ["range", "remaining_range", "driving_range", "range_km", "range_miles"] if last in _DISTANCES else []
    wanted += (
        ["available_balance", "balance", "credit_limit", "spending_limit", "budget", "limit", "saldo"]
        if last in _MONEY
        else []
    )
    known = set(columns)
    return next((c for c in [*wanted, "capacity"] if c in known), column_name(f"max_{parameter}"))


def cast_limits(cast: Cast, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    """Give the entity of each such tool the column, and make it a single row where no tool tells its rows apart."""
    for reading in readings:
        entity = cast.of_tool[reading.tool.name]
        asked = _asked(roles[reading.tool.name])
        if entity is None or asked is None or reading.verb.kind is not VerbClass.COMPUTE or not _answers_yes(reading):
            continue
        draft = cast.entities[entity]
        alone = [t for t, e in cast.of_tool.items() if e == entity] == [reading.tool.name]
        if alone and not draft.key and not draft.given and not any(r.role == "key" for r in roles[reading.tool.name]):
            draft.attributes.clear()
            draft.key, draft.singleton = ("id",), True
            draft.column("id", Shape(ColumnType.INTEGER, False, {"type": "integer"}, False))
        number = Shape(asked.shape.type, False, {"type": asked.shape.schema.get("type", "number"), "minimum": 0}, False)
        name = _limit_column(draft.attributes, snake(asked.name))
        if name not in draft.attributes:
            words = f"Largest {asked.name.replace('_', ' ')} that is possible"
            draft.column(name, number, words, f"{reading.tool.name}.{asked.name}").nullable = False


def within_limit(scene: Scene, rows: dict[str, str]) -> Expression | None:
    """Whether the number asked for is not above the limit; None where there is no such number or row."""
    asked = _asked(scene.roles)
    entity = scene.entity
    if asked is None or entity is None or not _answers_yes(scene.reading):
        return None
    column = _limit_column((a.name for a in entity.attributes), snake(asked.name))
    row = next((r for r, e in rows.items() if e == entity.name), None)
    if entity.attribute(column) is None or (row is None and not entity.singleton):
        return None
    row = row or scene.find(entity, None)
    return call("less_equal", scene.argument(asked), RowField(row=row, column=column))
