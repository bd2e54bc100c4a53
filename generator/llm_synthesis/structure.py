"""The first stage: the tables.

Invariant: what comes out can be created in SQLite, and keeps every table and column of the user's own data; an answer
that cannot be used leaves the rules' tables in place. Not covered: rows (`seed`), functions.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from pydantic import JsonValue

from autoforge.generator.data import DataSample
from autoforge.generator.emit import schema_sql
from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.generator.llm_synthesis.answers import ColumnAnswer, StructureAnswer, TableAnswer, held_to
from autoforge.generator.llm_synthesis.describe import policy_text, structure_draft, tools_summary
from autoforge.generator.llm_synthesis.desk import Desk, Unanswered
from autoforge.generator.llm_synthesis.words import STRUCTURE
from autoforge.generator.rules.meaning import MEANINGS
from autoforge.mcp_envs.errors import BadInput, BudgetExceeded, ModelFailure

__all__ = ["world_of", "write_structure"]


async def write_structure(desk: Desk) -> World:
    """The rules' world with the model's tables and without operations. Raises BudgetExceeded and Unanswered."""
    desk.say("structure", f"{len(desk.documentation.tools)} tools, {len(desk.rules.entities)} tables in the draft")
    sections = (
        ("Tools", tools_summary(desk.documentation.tools)),
        ("Rules of the domain", policy_text(desk.rules)),
        ("Words for `meaning`", "; ".join(f"{word}: {gloss}" for word, gloss in MEANINGS.items())),
        ("Draft", structure_draft(desk.rules)),
    )

    def faults(answer: StructureAnswer) -> Iterator[str]:
        yield from _faults(world_of(desk.rules, answer), desk.settings.data)

    try:
        answer = await desk.ask("structure", STRUCTURE, sections, StructureAnswer, held_to(StructureAnswer, faults))
    except (BudgetExceeded, Unanswered):
        raise
    except ModelFailure as error:
        desk.say("structure", f"the rules' tables are kept: {error}")
        return desk.rules.model_copy(
            update={
                "operations": (),
                "notes": (*desk.rules.notes, "The model gave no usable tables; those of the rules are kept."),
            }
        )
    desk.say("structure", ", ".join(e.table for e in answer.entities))
    return world_of(desk.rules, answer)


def world_of(rules: World, answer: StructureAnswer) -> World:
    """The rules' world with the tables of an answer, and without operations."""
    entities = tuple(_entity(rules, table) for table in answer.entities)
    return rules.model_copy(update={"entities": entities, "operations": ()})


def _entity(rules: World, table: TableAnswer) -> Entity:
    """The model's table; what the rules know of a column with the same name (examples, evidence, bounds of JSON) is
    kept beside."""
    known = next((e for e in rules.entities if e.table == table.table or e.name == table.name), None)
    attributes = tuple(
        _attribute(known.attribute(c.name) if known else None, c, c.name in table.key) for c in table.columns
    )
    fields = {
        name: getattr(table, name)
        for name in ("name", "table", "title", "key", "id_template", "singleton", "label", "owner", "status")
    }
    # What the rules kept without rows from the start (an audit) stays so.
    rows, evidence = (known.seed_rows, known.evidence) if known is not None else (None, ())
    moves = known.transitions if known is not None and _states(known) == _enum(table) else ()
    return Entity(**fields, attributes=attributes, seed_rows=rows, evidence=evidence, transitions=moves)


def _states(entity: Entity) -> set[str]:
    attribute = entity.attribute(entity.status or "")
    return set(map(str, attribute.enum)) if attribute is not None else set()


def _enum(table: TableAnswer) -> set[str]:
    return {str(v) for c in table.columns if c.name == table.status for v in c.enum}


def _attribute(known: Attribute | None, column: ColumnAnswer, in_key: bool) -> Attribute:
    fields = {name: getattr(column, name) for name in ColumnAnswer.model_fields}
    fields["nullable"] = column.nullable and not in_key
    fields["meaning"] = (
        column.meaning
        if column.meaning in MEANINGS
        else known.meaning
        if known is not None and known.type is column.type
        else ""
    )
    if known is not None and known.type is column.type:
        fields["examples"], fields["evidence"] = known.examples, known.evidence
        fields["item_schema"] = column.item_schema or known.item_schema
    return Attribute(**fields)


def _faults(world: World, data: DataSample | None) -> Iterator[str]:
    for entity in data.entities if data is not None else ():
        table = next((e for e in world.entities if e.table == entity.table), None)
        if table is None:
            yield f"the table {entity.table} is the user's own data and must stay"
            continue
        missing = [a.name for a in entity.attributes if table.attribute(a.name) is None]
        if missing:
            yield f"the columns {', '.join(missing)} of {entity.table} are the user's own data and must stay"
    for entity in world.entities:
        for attribute in entity.attributes:
            yield from _enum_faults(entity, attribute)
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(schema_sql(world))
    except (BadInput, sqlite3.Error) as error:
        yield f"the tables cannot be created: {error}"


def _enum_faults(entity: Entity, attribute: Attribute) -> Iterator[str]:
    kinds: dict[ColumnType, tuple[type, ...]] = {
        ColumnType.INTEGER: (int,),
        ColumnType.REAL: (int, float),
        ColumnType.BOOLEAN: (bool,),
        ColumnType.JSON: (),
    }
    wanted = kinds.get(attribute.type, (str,))
    wrong: list[JsonValue] = [v for v in attribute.enum if wanted and not isinstance(v, wanted)]
    if wrong:
        yield f"{entity.table}.{attribute.name} is {attribute.type.value}, but its enum holds {wrong[0]!r}"
