"""Quotes, totals, fees: what a tool works out from rows and parameters without changing anything.

Invariant: read-only, and every parameter has a part in the result or in a refusal. The amount is rate × units (nights,
days, quantity) with what the documentation says of surcharges; where it says nothing of a number, the number is 0. Not
covered: arithmetic on parameters alone (`arithmetic`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    Assign,
    ColumnType,
    Constant,
    Entity,
    Expression,
    OperationKind,
    Record,
    Return,
    RowField,
    Variable,
)
from autoforge.generator.rules.estimate_amounts import UNITS, base_amount, rate_of, surcharge_of
from autoforge.generator.rules.least_values import least_value
from autoforge.generator.rules.limits import within_limit
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.words import snake, split_words

__all__ = ["build_estimate"]

_AMOUNTS = re.compile(
    r"(?:^|_)(?:total|amount|price|cost|sum|importe|precio|charge|net|subtotal|gesamt|betrag|prix|montant|multa|fine)(?:$|_)"
)


def build_estimate(scene: Scene, entity: Entity | None) -> None:
    """Bind the rows that the parameters name, work out units, rate and amount; return them by the documented names."""
    scene.kind = OperationKind.COMPUTE
    rows = _bind_rows(scene, entity)
    if entity is not None:
        own = next((r for r, e in rows.items() if e == entity.name), None)
        guard(scene, entity, own)
    within = within_limit(scene, rows)
    if within is not None:
        scene.add(
            Return(
                value=Record(
                    fields=tuple(
                        (n, within if shape_of(s).type is ColumnType.BOOLEAN else _field(scene, rows, n, s))
                        for n, s in properties_of(scene.reading.tool.output_schema).items()
                    )
                )
            )
        )
        return
    units, units_name = _units(scene, rows)
    rate = rate_of(scene, rows)
    base = base_amount(scene, rows)
    subtotal: Expression = call("multiply", rate, units) if units is not None else rate
    if base is not None:
        subtotal = base if _is_zero(rate) else call("add", base, subtotal)
    scene.add(Assign(name="units", value=units if units is not None else Constant(value=1)))
    scene.add(Assign(name="subtotal", value=call("round", subtotal, Constant(value=2))))
    scene.add(
        Assign(
            name="surcharge",
            value=call(
                "round", surcharge_of(scene, Variable(name="subtotal"), Variable(name="units")), Constant(value=2)
            ),
        )
    )
    scene.add(
        Assign(
            name="total",
            value=call("round", call("add", Variable(name="subtotal"), Variable(name="surcharge")), Constant(value=2)),
        )
    )
    scene.refuse(call("is_null", Variable(name="total")), "The amount is out of range.", "range")
    scene.add(Return(value=_result(scene, rows, units_name)))


def _is_zero(expression: Expression) -> bool:
    return isinstance(expression, Constant) and expression.value in (0, 0.0)


def _bind_rows(scene: Scene, entity: Entity | None) -> dict[str, str]:
    """Every row that an id parameter names, then the rows that these refer to where a rate is missing."""
    rows: dict[str, str] = {}
    for role in scene.roles_of("key", "reference"):
        if role.entity in scene.entities and not role.many and (role.required or role.role == "key"):
            row = scene.find(
                scene.entities[role.entity],
                scene.argument(role),
                row=_row_name(role, scene.entities[role.entity]),
                shown=role.path[0],
            )
            rows[row] = role.entity
    return rows


def _row_name(role: Role, entity: Entity) -> str:
    name = re.sub(r"_(?:id|ids|uuid)$", "", snake(role.name))
    return name if name not in ("id", "") and not name.startswith("id_") else entity.name


def _units(scene: Scene, rows: dict[str, str]) -> tuple[Expression | None, str]:
    """How many: nights between two dates, days past a due date, or a quantity parameter."""
    dates = [
        r
        for r in scene.roles
        if r.shape.type in (ColumnType.DATE, ColumnType.DATETIME) and r.role not in ("key", "reference")
    ]
    if len(dates) >= 2:
        first, second = sorted(
            dates[:2],
            key=lambda r: any(
                w in split_words(r.name) for w in ("out", "end", "to", "until", "return", "fin", "hasta", "checkout")
            ),
        )
        scene.refuse(
            call("greater_equal", scene.argument(first), scene.argument(second)),
            f"{second.name} must be after {first.name}.",
            "dates",
        )
        return call("days_between", scene.argument(first), scene.argument(second)), "days"
    if len(dates) == 1:
        due = next(
            (
                (r, a.name)
                for r, e in rows.items()
                for a in scene.entities[e].attributes
                if re.search(r"due|limit|deadline|vence|expir|frist|echeance", a.name)
            ),
            None,
        )
        if due is not None:
            late = call("days_between", RowField(row=due[0], column=due[1]), scene.argument(dates[0]))
            return call("maximum", Constant(value=0), call("coalesce", late, Constant(value=0))), "days"
    counted = next(
        (r for r in scene.roles if snake(r.name) in UNITS or snake(r.name).rsplit("_", 1)[-1] in UNITS), None
    )
    return (scene.argument(counted), snake(counted.name)) if counted is not None else (None, "units")


def _result(scene: Scene, rows: dict[str, str], units_name: str) -> Record:
    properties = properties_of(scene.reading.tool.output_schema)
    if not properties:
        keys = tuple(
            (
                f"{e}_{scene.entities[e].key[-1]}" if scene.entities[e].key[-1] == "id" else scene.entities[e].key[-1],
                RowField(row=r, column=scene.entities[e].key[-1]),
            )
            for r, e in rows.items()
        )
        echoes = tuple(
            (snake(r.name), scene.argument(r))
            for r in scene.roles
            if r.role not in ("key", "reference") and len(r.path) == 1
        )
        fields: dict[str, Expression] = {**dict(keys), **dict(echoes)}
        fields.update(
            {
                units_name if units_name != "units" else "units": Variable(name="units"),
                "subtotal": Variable(name="subtotal"),
                "surcharge": Variable(name="surcharge"),
                "total": Variable(name="total"),
            }
        )
        return Record(fields=tuple(fields.items()))
    inner = next((n for n, s in properties.items() if properties_of(s) and len(properties) == 1), None)
    if inner is not None:
        return Record(fields=((inner, _fields(scene, rows, properties_of(properties[inner]))),))
    return _fields(scene, rows, properties)


def _fields(scene: Scene, rows: dict[str, str], properties: dict[str, dict[str, object]]) -> Record:
    return Record(fields=tuple((name, _field(scene, rows, name, schema)) for name, schema in properties.items()))


def _field(scene: Scene, rows: dict[str, str], name: str, schema: dict[str, object]) -> Expression:
    """A documented property: an echoed parameter, a column of a bound row, units, surcharge or total."""
    word = snake(name)
    role = next((r for r in scene.roles if snake(r.name) == word), None)
    if role is not None:
        return (
            scene.argument(role)
            if role.required or shape_of(schema).nullable
            else call("coalesce", scene.argument(role), Constant(value=least_value(schema)))
        )
    kind = shape_of(schema).type
    if kind in (ColumnType.INTEGER, ColumnType.REAL):
        value = _number(word)
        return call("integer", value) if kind is ColumnType.INTEGER else value
    for row, entity in rows.items():
        attribute = scene.entities[entity].attribute(word)
        if attribute is not None and attribute.type is kind:
            field = RowField(row=row, column=word)
            return field if not attribute.nullable else call("coalesce", field, Constant(value=least_value(schema)))
    return Constant(value=least_value(schema))


def _number(word: str) -> Expression:
    if word in UNITS or re.search(r"(?:^|_)(?:nights|days|dias|units|quantity|count)(?:$|_)", word):
        return Variable(name="units")
    if word.startswith(("total", "grand", "net", "final")) or word in (
        "amount",
        "price",
        "cost",
        "importe",
        "estimate",
        "quote",
        "result",
    ):
        return Variable(name="total")
    if re.search(r"surcharge|extra|fee|breakfast|tax|discount|comision|gebuehr|frais", word):
        return Variable(name="surcharge")
    if _AMOUNTS.search(word):
        return Variable(name="subtotal")
    return Variable(name="total")
