"""The parts of `environment.json` that follow from the world: tables with the kinds of their columns, tools with their
effects.

Invariant: what is recorded is what `schema.sql` and `tools.py` of the same world do. Not covered: provenance,
verdicts, admission.
"""

from __future__ import annotations

from autoforge.generator.emit.code import function_names
from autoforge.generator.emit.prepare import entity_of, prepared
from autoforge.generator.emit.schema import declared_type, ordered_entities
from autoforge.generator.emit.scope import parameter_names
from autoforge.generator.ir import Attribute, Entity, Find, Operation, Refuse, World, effects_of, walk_steps
from autoforge.mcp_envs.manifest import Column, Effects, Table, ToolRecord

__all__ = ["manifest_tables", "manifest_tools"]


def manifest_tables(world: World) -> tuple[Table, ...]:
    """The tables of the domain, parents first."""
    world = prepared(world)
    return tuple(_table(world, entity) for entity in ordered_entities(world) if not entity.system)


def manifest_tools(world: World) -> tuple[ToolRecord, ...]:
    """The tools, in the order of the documentation."""
    world = prepared(world)
    functions = function_names(world)
    return tuple(_tool(world, operation, functions[operation.tool]) for operation in world.operations)


def _table(world: World, entity: Entity) -> Table:
    columns = tuple(_column(world, attribute) for attribute in entity.attributes)
    return Table(
        name=entity.table,
        entity=entity.name,
        title=entity.title,
        key=entity.key,
        columns=columns,
        singleton=entity.singleton,
    )


def _column(world: World, attribute: Attribute) -> Column:
    references = None if attribute.references is None else entity_of(world, attribute.references).table
    schema = attribute.item_schema or {}
    return Column(
        name=attribute.name,
        type=declared_type(attribute),
        kind=attribute.kind,
        references=references,
        description=attribute.description,
        enum=attribute.enum,
        set_like=schema.get("uniqueItems") is True,
    )


def _tool(world: World, operation: Operation, function: str) -> ToolRecord:
    names = parameter_names(operation)
    return ToolRecord(
        name=operation.tool,
        function=function,
        arguments={documented: name for documented, name in names.items() if documented != name},
        kind=operation.kind.value,
        side=operation.side,
        entity=operation.entity,
        weak=operation.weak,
        effects=_effects(world, operation),
        refusals=_refusals(operation),
        evidence=operation.evidence,
        guesses=operation.guesses,
    )


def _effects(world: World, operation: Operation) -> Effects:
    effects = effects_of(operation)
    tables = {entity.name: entity.table for entity in world.entities}
    updates: dict[str, tuple[str, ...]] = {}
    for name, column in sorted(effects.updates):
        updates[tables[name]] = (*updates.get(tables[name], ()), column)
    return Effects(
        reads=tuple(sorted(tables[name] for name in effects.reads)),
        creates=tuple(sorted(tables[name] for name in effects.creates)),
        updates=updates,
        deletes=tuple(sorted(tables[name] for name in effects.deletes)),
    )


def _refusals(operation: Operation) -> tuple[str, ...]:
    sentences: list[str] = []
    for step in walk_steps(operation.steps):
        sentence = step.missing if isinstance(step, Find) else step.message if isinstance(step, Refuse) else None
        if sentence is not None and sentence not in sentences:
            sentences.append(sentence)
    return tuple(sentences)
