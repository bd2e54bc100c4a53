"""Computations that need a table of the world: exchange rates of currencies, distances between two places.

Invariant: the table is part of the state, so the same state gives the same result; what it does not hold is refused.
Not covered: prices of things that tools list (`estimates`), rates that change with time.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from autoforge.generator.ir import ColumnType, Expression, Filter, Find, Refuse, RowField, Variable
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import Shape, properties_of, shape_of
from autoforge.generator.rules.signature import Formula, Operand, apply, constant, is_null, refusal
from autoforge.generator.rules.tables import PairTable, RateTable, pair_of, rate_of
from autoforge.generator.rules.words import column_name, snake

__all__ = ["RATE", "Lookup", "cast_tables", "lookup_of"]

RATE = "units_per_usd"
"""Column of the rates: how many units of a currency one US dollar buys."""
_CODES = (
    "USD",
    "EUR",
    "GBP",
    "JPY",
    "CHF",
    "CAD",
    "AUD",
    "CNY",
    "INR",
    "MXN",
    "BRL",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "ZAR",
)
_CODE_COLUMNS = ("currency", "currency_code", "code", "iso_code", "moneda", "divisa", "waehrung", "devise", "codigo")


class Lookup(NamedTuple):
    """Rows to bind, what to refuse when they are missing, and the formula over them."""

    finds: tuple[Find, ...]
    formula: Formula


def cast_tables(cast: Cast, readings: list[Reading]) -> None:
    """Add the tables that computations need: one of rates, one for each kind of pair."""
    for reading in readings:
        if cast.of_tool[reading.tool.name] is not None:
            continue
        rates, pair = rate_of(reading), pair_of(reading)
        if rates is not None:
            _cast_rates(cast, rates, reading)
        elif pair is not None:
            _cast_pairs(cast, pair, reading)


def _cast_rates(cast: Cast, table: RateTable, reading: Reading) -> None:
    draft = cast.entities.get("currency") or cast.add("exchange_rate")
    column = _code_column(draft)
    if column not in draft.attributes:
        spoken = next((w for w in table.source.words if w in ("moneda", "divisa", "waehrung", "devise")), column)
        column = spoken if draft.name == "exchange_rate" else column
        draft.column(
            column, shape_of({"type": "string"}), "Code of the currency", f"{reading.tool.name}.{table.source.name}"
        )
    code = draft.attributes[column]
    known = [c for o in (table.source, table.target) for c in o.choices if re.fullmatch(r"[A-Z]{3,4}", c)]
    code.examples.extend(c for c in dict.fromkeys(known or _CODES) if c not in code.examples)
    code.nullable = False
    rate = draft.column(
        RATE,
        Shape(ColumnType.REAL, False, {"type": "number", "minimum": 0}, False),
        "Units of the currency for one US dollar",
        f"{reading.tool.name} -> rate",
    )
    rate.nullable = False
    draft.column(
        "name",
        Shape(ColumnType.TEXT, True, {"type": "string"}, False),
        "Name of the currency",
        f"{reading.tool.name} -> rate",
    )
    if not draft.key and not {"id", f"{draft.name}_id"} & set(draft.attributes):
        draft.key = (column,)
    draft.seed_rows = max(draft.seed_rows or 0, len(code.examples))


def _code_column(draft: EntityDraft) -> str:
    return next((c for c in _CODE_COLUMNS if c in draft.attributes), "code" if draft.name == "currency" else "currency")


def _cast_pairs(cast: Cast, table: PairTable, reading: Reading) -> None:
    draft = cast.add(table.entity)
    for operand, column in zip((table.first, table.second), _ends(table), strict=True):
        draft.column(
            column,
            shape_of(operand.schema),
            str(operand.schema.get("description", "")),
            f"{reading.tool.name}.{operand.name}",
        ).nullable = False
    for name, schema in _answers(reading, table).items():
        made = draft.column(
            column_name(name),
            shape_of(schema),
            str(schema.get("description", "")),
            f"{reading.tool.name} -> {name}",
            output=True,
        )
        if made.type is ColumnType.REAL:
            made.nullable, made.minimum = False, 0
    if not draft.key:
        draft.key, draft.id_template = ("id",), "{}"
        draft.column("id", Shape(ColumnType.INTEGER, False, {"type": "integer"}, False))


def _ends(table: PairTable) -> tuple[str, str]:
    """The columns of the two places."""
    return column_name(table.first.name), column_name(table.second.name)


def _answers(reading: Reading, table: PairTable) -> dict[str, dict[str, object]]:
    """Documented results that the table holds; echoes of the parameters are none."""
    told = properties_of(reading.tool.output_schema) or {table.measure: {"type": "number", "minimum": 0}}
    return {n: s for n, s in told.items() if snake(n) not in (snake(table.first.name), snake(table.second.name))}


def lookup_of(reading: Reading, cast: Cast) -> Lookup | None:
    """How a tool answers from a table of the world; None where it needs none."""
    rates, pair = rate_of(reading), pair_of(reading)
    if rates is not None:
        draft = cast.entities.get("currency") or cast.entities["exchange_rate"]
        return _rates(draft, rates)
    return _pairs(cast.entities[pair.entity], pair, reading) if pair is not None else None


def _rates(draft: EntityDraft, table: RateTable) -> Lookup:
    column = _code_column(draft)
    finds = tuple(
        Find(
            row=row,
            entity=draft.name,
            where=(Filter(column=column, value=_code(draft, operand)),),
            missing=f"The currency {{{operand.name}}} is not known.",
        )
        for row, operand in (("source_rate", table.source), ("target_rate", table.target))
    )
    source, target = (RowField(row=r, column=RATE) for r in ("source_rate", "target_rate"))
    rate: Expression = apply("round", apply("divide", target, source), constant(6))
    names = ("rate", "exchange_rate", "conversion_rate", "tasa", "tipo_de_cambio")
    if table.amount is None:
        return Lookup(finds, Formula(rate, others=tuple((n, rate) for n in names)))
    value = table.amount.or_else(constant(1))
    converted = apply("round", apply("divide", apply("multiply", value, target), source), constant(2))
    negative = refusal(apply("less", value, constant(0)), "An amount of money to convert is not negative.")
    return Lookup(finds, Formula(converted, (negative,), tuple((n, rate) for n in names)))


def _code(draft: EntityDraft, operand: Operand) -> Expression:
    """The code as the table writes it: in capitals where all known ones are."""
    capitals = all(str(e).isupper() for e in draft.attributes[_code_column(draft)].examples)
    return apply("upper", operand.argument) if capitals and not operand.enum else operand.argument


def _pairs(draft: EntityDraft, table: PairTable, reading: Reading) -> Lookup:
    """The row of the pair in either direction."""
    first, second = _ends(table)
    finds = []
    for row, ends in (("there", (table.first, table.second)), ("back", (table.second, table.first))):
        where = tuple(
            Filter(column=c, comparison="equal_text", value=o.argument)
            for c, o in zip((first, second), ends, strict=True)
        )
        finds.append(Find(row=row, entity=draft.name, where=where))
    unknown = apply("and", is_null(Variable(name="there")), is_null(Variable(name="back")))
    refusals: tuple[Refuse, ...] = (
        refusal(
            unknown,
            (
                f"The {table.measure.replace('_', ' ')} from {{{table.first.name}}} to {{{table.second.name}}} is "
                f"not known."
            ),
        ),
    )
    held = {
        n: apply("coalesce", RowField(row="there", column=column_name(n)), RowField(row="back", column=column_name(n)))
        for n in _answers(reading, table)
    }
    main = next(
        (n for n, s in _answers(reading, table).items() if shape_of(s).type in (ColumnType.REAL, ColumnType.INTEGER)),
        next(iter(held)),
    )
    return Lookup(tuple(finds), Formula(held[main], refusals, tuple((snake(n), v) for n, v in held.items())))
