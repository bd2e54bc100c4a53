"""The third stage: the initial rows, a few tables a request, parents before children.

Invariant: rows that come out load into the tables together with all rows before them, references included; tables
without a usable answer, and those of the user's own data, are left to the seed generator. Not covered: whether the
rows are worth having (`versions`).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from pydantic import JsonValue

from autoforge.generator.compile import world_rows
from autoforge.generator.emit import schema_sql
from autoforge.generator.emit.schema import ordered_entities
from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.generator.llm_synthesis.answers import SeedAnswer, held_to
from autoforge.generator.llm_synthesis.describe import ordered_json, policy_text, tables_text, tools_summary
from autoforge.generator.llm_synthesis.desk import Desk, Unanswered
from autoforge.generator.llm_synthesis.words import SEED
from autoforge.generator.seed import seed_sql
from autoforge.mcp_envs.errors import BadInput, BudgetExceeded, ModelFailure

__all__ = ["Rows", "write_seed"]

Rows = dict[str, list[dict[str, JsonValue]]]
"""By entity name."""

_MOST_KEYS = 40
"""Keys shown of a table that was written before."""
_MOST_FAULTS = 12
_FORMS = {
    ColumnType.DATE: re.compile(r"\d{4}-\d{2}-\d{2}"),
    ColumnType.DATETIME: re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}"),
    ColumnType.TIME: re.compile(r"\d{2}:\d{2}"),
}


async def write_seed(desk: Desk, world: World) -> Rows:
    """Rows by entity, of the tables that the model filled. `world` holds the operations. Raises BudgetExceeded and
    Unanswered."""
    own = world_rows(world, desk.settings.data)
    rows: Rows = {}
    wanted = [e for e in ordered_entities(world) if not e.system and e.seed_rows != 0 and e.name not in own]
    for start in range(0, len(wanted), desk.caps.tables_per_request):
        group = wanted[start : start + desk.caps.tables_per_request]
        rows |= await _ask(desk, world, group, {**own, **rows})
        desk.say(
            "seed",
            ", ".join(
                f"{e.table} {len(rows[e.name])}" if e.name in rows else f"{e.table} left to the generator"
                for e in group
            ),
        )
    return rows


async def _ask(desk: Desk, world: World, group: Sequence[Entity], known: Rows) -> Rows:
    about = [o for o in world.operations if o.entity in {e.name for e in group}]
    sections = (
        ("Clock", world.clock),
        ("Tables to fill", tables_text(world.model_copy(update={"entities": (*_around(world, group),)}), about)),
        (
            "Known rows",
            "\n".join(
                f"{name}: {ordered_json(_keys(world, name, rows))}"
                for name, rows in known.items()
                if _referred(name, group)
            ),
        ),
        ("Rules of the domain", policy_text(world)),
        ("Tools", tools_summary([desk.tool(o.tool) for o in about])),
    )

    def faults(answer: SeedAnswer) -> Iterator[str]:
        yield from _faults(world, group, known, answer)

    try:
        label = f"seed of {', '.join(e.name for e in group)}"
        answer = await desk.ask(label, SEED, sections, SeedAnswer, held_to(SeedAnswer, faults))
    except (BudgetExceeded, Unanswered):
        raise
    except ModelFailure:
        return {}
    return {table.entity: _complete(world.entity(table.entity), table.rows) for table in answer.tables}


def _around(world: World, group: Sequence[Entity]) -> Iterator[Entity]:
    """The tables of a group and those they refer to, which are needed to write them down."""
    names = {e.name for e in group}
    todo = list(names)
    while todo:
        for attribute in world.entity(todo.pop()).attributes:
            if attribute.references is not None and attribute.references not in names:
                names.add(attribute.references)
                todo.append(attribute.references)
    return (e for e in world.entities if e.name in names)


def _referred(name: str, group: Sequence[Entity]) -> bool:
    return any(a.references == name for e in group for a in e.attributes)


def _keys(world: World, name: str, rows: Sequence[Mapping[str, JsonValue]]) -> list[JsonValue]:
    """Key and label of known rows."""
    entity = world.entity(name)
    columns = [*entity.key, *([entity.label] if entity.label and entity.label not in entity.key else [])]
    return [[row.get(c) for c in columns] for row in rows[:_MOST_KEYS]]


def _complete(entity: Entity, rows: Sequence[Mapping[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    return [{a.name: row.get(a.name, a.default) for a in entity.attributes} for row in rows]


def _faults(world: World, group: Sequence[Entity], known: Rows, answer: SeedAnswer) -> Iterator[str]:
    names = [table.entity for table in answer.tables]
    if sorted(names) != sorted(e.name for e in group):
        yield f"tables must hold each of {', '.join(e.name for e in group)} once, by entity, and no others"
        return
    found = [f for table in answer.tables for f in _table_faults(world.entity(table.entity), table.rows)]
    yield from found[:_MOST_FAULTS]
    if not found:
        rows = {t.entity: _complete(world.entity(t.entity), t.rows) for t in answer.tables}
        yield from _load_faults(world, {**known, **rows})


def _table_faults(entity: Entity, rows: Sequence[Mapping[str, JsonValue]]) -> Iterator[str]:
    columns = {a.name: a for a in entity.attributes}
    if entity.singleton and len(rows) != 1:
        yield f"{entity.name} has exactly one row"
    for number, row in enumerate(rows, 1):
        for name, value in row.items():
            if name not in columns:
                yield f"{entity.name} row {number}: there is no column {name!r}"
            elif value is not None and not _is_of(columns[name], value):
                yield f"{entity.name} row {number}: {name} is {columns[name].type.value}, {str(value)[:40]!r} is not"


def _is_of(attribute: Attribute, value: JsonValue) -> bool:
    match attribute.type:
        case ColumnType.BOOLEAN:
            return isinstance(value, bool)
        case ColumnType.INTEGER:
            return isinstance(value, int) and not isinstance(value, bool)
        case ColumnType.REAL:
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ColumnType.JSON:
            return True
        case _:
            form = _FORMS.get(attribute.type)
            return isinstance(value, str) and (form is None or form.fullmatch(value) is not None)


def _load_faults(world: World, rows: Rows) -> Iterator[str]:
    """What the database says to the rows; references into tables that have no rows yet are not looked at."""
    tables = {e.table for e in world.entities if e.name in rows}
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.executescript(schema_sql(world) + seed_sql(world, rows))
        except (sqlite3.Error, BadInput) as error:
            yield f"the rows cannot be stored: {error}"
            return
        broken = [
            (table, row, parent)
            for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check")
            if parent in tables
        ]
    yield from (
        f"{table}: the row with rowid {row} refers to a row of {parent} that does not exist"
        for table, row, parent in broken[:_MOST_FAULTS]
    )
