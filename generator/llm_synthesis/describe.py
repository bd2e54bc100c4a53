"""How documentation, tables and drafts are shown to a model.

Invariant: the same input gives the same text (no times, paths or unordered sets), and each text is bounded, so that
the size of a request does not grow with the environment beyond one line for each table and the tools that the request
is about. Not covered: the words (`words`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from autoforge.generator.documents import ToolDocument
from autoforge.generator.emit import schema_sql
from autoforge.generator.ir import Entity, Operation, World, effects_of
from autoforge.generator.llm_synthesis.answers import ColumnAnswer, StructureAnswer, TableAnswer

__all__ = ["ordered_json", "policy_text", "structure_draft", "tables_text", "tool_text", "tools_summary"]

MOST_SUMMARY = 1_500
"""Characters of one tool where all are shown."""
LEAST_SUMMARY = 200
MOST_SUMMARIES = 100_000
"""Characters of all tools where all are shown; with many tools each gets less."""
MOST_TOOL = 8_000
"""Characters of one tool's documentation in the function stage."""
MOST_TABLES = 14_000
"""Characters of tables shown whole; of the others one line each."""
MOST_POLICY = 8_000


def ordered_json(value: Any) -> str:
    """JSON in the order of the documentation, on one line."""
    return json.dumps(value, ensure_ascii=False)


def tools_summary(tools: Sequence[ToolDocument]) -> str:
    """One line for each tool, for who only needs to know what they deal with."""
    share = max(LEAST_SUMMARY, min(MOST_SUMMARY, MOST_SUMMARIES // max(1, len(tools))))
    return "\n".join(_cut(_summary(tool), share) for tool in tools)


def _summary(tool: ToolDocument) -> str:
    record = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema.get("properties", {})}
    if tool.input_schema.get("required"):
        record["required"] = tool.input_schema["required"]
    if tool.output_schema is not None:
        record["answers"] = tool.output_schema.get("properties", {})
    return ordered_json(record)


def tool_text(tool: ToolDocument, operation: Operation) -> str:
    """One tool, whole; its output schema is the one that the compiler settled on."""
    record = {
        **tool.to_mcp(),
        **({"outputSchema": operation.output_schema} if operation.output_schema is not None else {}),
    }
    return _cut(ordered_json(record), MOST_TOOL)


def policy_text(world: World) -> str:
    """The rules of the domain, empty where there are none."""
    return _cut("\n".join(world.policy), MOST_POLICY)


def structure_draft(world: World) -> str:
    """The tables of a world, in the form of an answer."""
    tables = tuple(_table(entity) for entity in world.entities if not entity.system)
    answer = StructureAnswer.model_construct(entities=tables).model_dump(mode="json", exclude_defaults=True)
    return '{"entities": [\n' + ",\n".join(_table_text(table) for table in answer["entities"]) + "\n]}"


def _table_text(table: dict[str, Any]) -> str:
    """A table with a line for each column."""
    columns = ",\n  ".join(ordered_json(column) for column in table["columns"])
    rest = ordered_json({name: value for name, value in table.items() if name != "columns"})
    return f'{rest[:-1]}, "columns": [\n  {columns}\n]}}'


def _table(entity: Entity) -> TableAnswer:
    shared = {
        name: getattr(entity, name)
        for name in ("name", "table", "title", "key", "id_template", "singleton", "label", "owner", "status")
    }
    fields = [name for name in ColumnAnswer.model_fields if name != "description"]
    columns = tuple(
        ColumnAnswer.model_construct(**{f: getattr(a, f) for f in fields}, description=_cut(a.description, 300))
        for a in entity.attributes
    )
    return TableAnswer.model_construct(**shared, columns=columns)


def tables_text(world: World, about: Iterable[Operation]) -> str:
    """The tables as SQL: those that the operations touch, and their neighbours, whole; the others, where all are too
    many, in one line each."""
    entities = [e for e in world.entities if not e.system]
    whole = _sql(world, entities)
    if len(whole) > MOST_TABLES:
        near = _near(entities, {name for operation in about for name in _touched(operation)})
        rest = [f"-- {e.table}({', '.join(a.name for a in e.attributes)})" for e in entities if e.name not in near]
        whole = _sql(world, [e for e in entities if e.name in near]) + "\n" + "\n".join(rest)
    notes = [f"-- Ids of {e.table} read {e.id_template}." for e in entities if e.id_template is not None]
    return "\n".join([whole.strip(), *notes])


def _sql(world: World, entities: Sequence[Entity]) -> str:
    """The CREATE statements of some entities of a world."""
    wanted = {f'CREATE TABLE "{e.table}" ' for e in entities}
    blocks = schema_sql(world).split("\n\n")
    return "\n\n".join(b.strip() for b in blocks if any(w in b for w in wanted))


def _touched(operation: Operation) -> set[str]:
    effects = effects_of(operation)
    own = {operation.entity} if operation.entity is not None else set()
    return {*effects.reads, *effects.creates, *(e for e, _ in effects.updates), *effects.deletes, *own}


def _near(entities: Sequence[Entity], names: set[str]) -> set[str]:
    """The named entities and those that a reference joins to them, either way."""
    near = set(names)
    for entity in entities:
        referred = {a.references for a in entity.attributes if a.references is not None}
        if entity.name in names:
            near |= referred
        elif referred & names:
            near.add(entity.name)
    return near


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
