"""Quotes, totals, fees: what a tool works out from rows and parameters without changing anything.

Invariant: read-only, and every parameter has a part in the result or in a refusal. The amount is rate × units (nights,
days, quantity) with what the documentation says of surcharges; where it says nothing of a number, the number is 0. Not
covered: arithmetic on parameters alone (`arithmetic`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    Assign,
    Choose,
    ColumnType,
    Constant,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Function,
    Listing,
    OperationKind,
    Record,
    Return,
    RowField,
    Select,
    Variable,
)
from autoforge.generator.rules.facts import numeric
from autoforge.generator.rules.least_values import least_value
from autoforge.generator.rules.limits import within_limit
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.words import snake, split_words

__all__ = ["build_estimate"]

_RATES = (
    "price",
    "unit_price",
    "rate",
    "nightly_rate",
    "price_per_night",
    "daily_rate",
    "hourly_rate",
    "cost",
    "fee",
    "monthly_price",
    "base_price",
    "precio",
    "tarifa",
    "preis",
    "prix",
)
_UNITS = (
    "quantity",
    "qty",
    "units",
    "nights",
    "days",
    "hours",
    "count",
    "months",
    "cantidad",
    "dias",
    "noches",
    "menge",
    "weight",
    "distance",
    "seats",
    "tickets",
)
_AMOUNTS = re.compile(
    r"(?:^|_)(?:total|amount|price|cost|sum|importe|precio|charge|net|subtotal|gesamt|betrag|prix|montant|multa|fine)(?:$|_)"
)
_NUMBER = r"(\d+(?:[.,]\d+)?)"


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
    rate = _rate(scene, rows)
    base = _base(scene, rows)
    subtotal: Expression = call("multiply", rate, units) if units is not None else rate
    if base is not None:
        subtotal = base if _is_zero(rate) else call("add", base, subtotal)
    scene.add(Assign(name="units", value=units if units is not None else Constant(value=1)))
    scene.add(Assign(name="subtotal", value=call("round", subtotal, Constant(value=2))))
    scene.add(
        Assign(
            name="surcharge",
            value=call(
                "round", _surcharge(scene, Variable(name="subtotal"), Variable(name="units")), Constant(value=2)
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
        (r for r in scene.roles if snake(r.name) in _UNITS or snake(r.name).rsplit("_", 1)[-1] in _UNITS), None
    )
    return (scene.argument(counted), snake(counted.name)) if counted is not None else (None, "units")


def _rate(scene: Scene, rows: dict[str, str]) -> Expression:
    """A price of a bound row, else “0.20 per day” of the prose, else 0."""
    for row, name in rows.items():
        column = next((c for c in _RATES if numeric(scene.entities[name].attribute(c))), None)
        column = column or next(
            (
                a.name
                for a in scene.entities[name].attributes
                if numeric(a) and any(a.name.endswith("_" + c) for c in _RATES)
            ),
            None,
        )
        if column is not None:
            return call("coalesce", RowField(row=row, column=column), Constant(value=0))
    per = re.search(
        _NUMBER + r"\s*(?:€|\$|£|EUR|USD|GBP|euros?|dollars?)?\s*(?:per|por|pro|par|al|each|a)\s+(?:\w+\s+)?"
        r"(?:day|día|dia|tag|jour|night|unit|hour|giorno|late day|día de retraso)",
        scene.reading.text,
        re.IGNORECASE,
    )
    return Constant(value=float(per.group(1).replace(",", ".")) if per else 0)


def _base(scene: Scene, rows: dict[str, str]) -> Expression | None:
    """An amount parameter, else the sum over child rows of price × quantity (`calculate_order_total`)."""
    amount = next(
        (
            r
            for r in scene.roles
            if r.shape.type in (ColumnType.REAL, ColumnType.INTEGER)
            and snake(r.name) in ("amount", "price", "value", "importe", "betrag", "montant")
        ),
        None,
    )
    if amount is not None:
        return scene.argument(amount)
    for row, name in rows.items():
        for child in scene.entities.values():
            reference = next((a for a in child.attributes if a.references == name), None)
            priced = _priced_items(scene, row, name, child) if reference is not None and child.name != name else None
            if priced is not None:
                return priced
            quantity = next((a.name for a in child.attributes if a.name in _UNITS and numeric(a)), None)
            price = next((a.name for a in child.attributes if a.name in _RATES and numeric(a)), None)
            if reference is None or quantity is None or price is None or child.name == name:
                continue
            items = scene.variable(child.table)
            scene.add(
                Select(
                    rows=items,
                    entity=child.name,
                    where=(
                        Filter(column=reference.name, value=RowField(row=row, column=scene.entities[name].key[-1])),
                    ),
                )
            )
            scene.bound[items] = child.name
            product = call("multiply", RowField(row="row", column=price), RowField(row="row", column=quantity))
            return call("sum", Listing(over=Variable(name=items), item="row", value=product))
        listed = next(
            (
                a
                for a in scene.entities[name].attributes
                if a.name in ("total", "total_price", "total_amount", "amount", "importe_total") and numeric(a)
            ),
            None,
        )
        if listed is not None:
            return call("coalesce", RowField(row=row, column=listed.name), Constant(value=0))
    return None


def _priced_items(scene: Scene, row: str, name: str, child: Entity) -> Expression | None:
    """The sum over child rows of quantity × the price of the thing that each refers to."""
    quantity = next((a.name for a in child.attributes if a.name in _UNITS and numeric(a)), None)
    own = next((a.name for a in child.attributes if a.name in _RATES and numeric(a)), None)
    thing = next(
        (
            (a, t)
            for a in child.attributes
            if (t := scene.entities.get(a.references or "")) is not None
            and t.name != name
            and any(numeric(t.attribute(c)) for c in _RATES)
        ),
        None,
    )
    if quantity is None or own is not None or thing is None:
        return None
    attribute, other = thing
    price = next(c for c in _RATES if numeric(other.attribute(c)))
    items = scene.variable(child.table)
    reference = next(a.name for a in child.attributes if a.references == name)
    scene.add(
        Select(
            rows=items,
            entity=child.name,
            where=(Filter(column=reference, value=RowField(row=row, column=scene.entities[name].key[-1])),),
        )
    )
    scene.bound[items] = child.name
    find = Find(
        row="thing",
        entity=other.name,
        where=(Filter(column=other.key[-1], value=RowField(row="item", column=attribute.name)),),
        missing=f"An item is of no {other.title.lower()}.",
    )
    product = call(
        "multiply",
        call("coalesce", RowField(row="thing", column=price), Constant(value=0)),
        RowField(row="item", column=quantity),
    )
    scene.add(Each(over=Variable(name=items), item="item", steps=(find,), collect="prices", result=product))
    return call("sum", Variable(name="prices"))


def _surcharge(scene: Scene, subtotal: Expression, units: Expression) -> Expression:
    """What flags and choices add, by the numbers that the prose names beside them: `express costs 2.50`."""
    total: Expression = Constant(value=0)
    for role in scene.roles:
        if "percent" in snake(role.name) or "rate" in snake(role.name).split("_"):
            share = call(
                "divide",
                call("multiply", subtotal, call("coalesce", scene.argument(role), Constant(value=0))),
                Constant(value=100),
            )
            sign: Function = (
                "subtract" if re.search(r"discount|rebate|descuento|rabatt|remise", snake(role.name)) else "add"
            )
            total = call(sign, total, share)
        if role.shape.type is ColumnType.BOOLEAN:
            added = _named_amount(scene, snake(role.name).split("_")[-1], subtotal, units)
            if added is not None:
                total = call(
                    "add", total, Choose(condition=scene.argument(role), then=added, otherwise=Constant(value=0))
                )
        for value in role.shape.schema.get("enum", ()):
            added = _named_amount(scene, str(value), subtotal, units)
            if added is not None:
                chosen = call("equal", scene.argument(role), Constant(value=value))
                total = call("add", total, Choose(condition=chosen, then=added, otherwise=Constant(value=0)))
    return total


def _named_amount(scene: Scene, word: str, subtotal: Expression, units: Expression) -> Expression | None:
    """The number nearest behind a word in its sentence: a percentage of the subtotal, per unit, or a flat amount."""
    text = scene.reading.text + " " + " ".join(r.description for r in scene.roles)
    before = re.search(
        _NUMBER + r"\s*(?:€|\$|EUR|USD)?\s*(%|percent)?\s*(?:for|per|by|para|für|pour)\s+" + re.escape(word) + r"\b",
        text,
        re.IGNORECASE,
    )
    if before is not None:
        number = float(before.group(1).replace(",", "."))
        return call("multiply", subtotal, Constant(value=number / 100)) if before.group(2) else Constant(value=number)
    found = re.search(
        re.escape(word) + r"[^.;,]{0,60}?" + _NUMBER + r"\s*(%|percent|por ciento|prozent)?([^.;]{0,40})",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    number = float(found.group(1).replace(",", "."))
    if found.group(2):
        return call("multiply", subtotal, Constant(value=number / 100))
    per = re.search(r"per\s|por\s|pro\s|each", found.group(3))
    return call("multiply", units, Constant(value=number)) if per else Constant(value=number)


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
    if word in _UNITS or re.search(r"(?:^|_)(?:nights|days|dias|units|quantity|count)(?:$|_)", word):
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
