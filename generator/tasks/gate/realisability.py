"""Whether an agent can know what gold uses: from the user, an earlier output, a derivation or the documents.

Invariant: static; what an output really held was seen when gold was executed. Not covered: whether the instruction says
what the user knows (`wording`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from autoforge.generator.tasks.catalogue import Catalogue, ToolModel
from autoforge.generator.tasks.gate.alternatives import LeafPath, accepts, slot_of
from autoforge.generator.tasks.gate.orders import ancestors
from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.trial import Trial
from autoforge.mcp_envs.manifest import ColumnKind
from autoforge.mcp_envs.task import (
    ListOf,
    Literally,
    ObjectOf,
    Output,
    Reasoning,
    Source,
    ToolStep,
    UserValue,
    sources_in,
)

__all__ = ["check_known", "check_realisable", "opaque_values"]

_TELLING_NUMBER = 20
"""Whole numbers up to here are equal by chance too often to say that one was derived."""
_FIXED = ("const", "default", "minimum", "maximum")


class _Leaf(NamedTuple):
    path: LeafPath
    source: Source


def check_realisable(trial: Trial) -> bool:
    """True. Raises Rejection for a value from nowhere, a call of the other side, or one the server would not take."""
    blueprint, catalogue = trial.draft.blueprint, trial.catalogue
    before = ancestors(blueprint)
    for node in blueprint.nodes:
        for source in node.sources:
            for part in sources_in(source):
                _check_source(part, trial, node.id, before[node.id])
        if isinstance(node, ToolStep):
            _check_step(node, catalogue)
        else:
            _check_operands(node, catalogue)
    for call in [*trial.gold.calls, *trial.execution.refused.values()]:
        if not accepts(catalogue.tools[call.tool], call.arguments):
            raise reject("unrealisable argument", f"{call.node}: the server does not take these arguments")
    return True


def _check_source(source: Source, trial: Trial, node: str, before: set[str]) -> None:
    if isinstance(source, UserValue) and source.user not in trial.draft.known:
        raise reject("unrealisable argument", f"{node}: the user does not know {source.user!r}")
    if isinstance(source, Output) and source.node not in before:
        raise reject("unrealisable argument", f"{node} reads {source.node}, which comes later or is not there")


def _check_step(step: ToolStep, catalogue: Catalogue) -> None:
    tool = catalogue.tools.get(step.tool)
    if tool is None:
        raise reject("malformed blueprint", f"{step.id}: there is no tool {step.tool!r}")
    if tool.side != step.actor:
        raise reject("malformed blueprint", f"{step.id}: {step.tool} is a tool of the {tool.side}")
    for leaf in (leaf for name, source in step.arguments.items() for leaf in _leaves(source, (name,))):
        if isinstance(leaf.source, Literally) and not _is_fixed(leaf.source, _schema(tool, leaf.path), tool, catalogue):
            raise reject(
                "unrealisable argument",
                f"{step.id}: nothing fixes the {leaf.source.literal!r} of {'.'.join(map(str, leaf.path))}",
            )


def _leaves(source: Source, path: LeafPath) -> Iterator[_Leaf]:
    if isinstance(source, ListOf):
        for place, item in enumerate(source.items):
            yield from _leaves(item, (*path, place))
    elif isinstance(source, ObjectOf):
        for name, inner in source.fields.items():
            yield from _leaves(inner, (*path, name))
    else:
        yield _Leaf(path, source)


def _schema(tool: ToolModel, path: LeafPath) -> Mapping[str, Any]:
    slot = slot_of(tool, path)
    return slot.schema if slot is not None else {}


def _is_fixed(literal: Literally, schema: Mapping[str, Any], tool: ToolModel, catalogue: Catalogue) -> bool:
    """Whether a schema lists the value, or the documents say why it is so and what it is."""
    value = literal.literal
    listed = [*(schema.get("enum") or ()), *((schema.get("items") or {}).get("enum") or ())]
    if value in listed or any(name in schema and schema[name] == value for name in _FIXED):
        return True
    texts = _plain(" ".join((catalogue.policy, json.dumps(tool.document, ensure_ascii=False))))
    told = isinstance(value, bool) or _plain(str(value)) in texts
    return bool(literal.why.strip()) and _plain(literal.why) in texts and told


def _check_operands(node: Reasoning, catalogue: Catalogue) -> None:
    """A literal operand must be in the documents of some tool."""
    slots = [(tool, slot.schema) for tool in catalogue.tools.values() for slot in tool.slots]
    for source in node.sources:
        for part in sources_in(source):
            if isinstance(part, Literally) and not any(
                _is_fixed(part, schema, tool, catalogue) for tool, schema in slots
            ):
                raise reject("unrealisable argument", f"{node.id}: nothing fixes the operand {part.literal!r}")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def check_known(trial: Trial) -> None:
    """Raise Rejection where the user knows what gold derives or what a call of gold generates."""
    values = trial.execution.values
    derived = {repr(values[node.id]): node.id for node in trial.draft.blueprint.reasons if node.id in values}
    derived |= {repr(answer.value): f"the answer {answer.name!r}" for answer in trial.gold.answers}
    for name, value in trial.draft.known.items():
        if repr(value) in derived and _is_telling(value) and not _passes_through(trial, name):
            raise reject("derived value known", f"{name} = {value!r} is what {derived[repr(value)]} should find out")


def _passes_through(trial: Trial, name: str) -> bool:
    """Whether a reasoning node reads the value, so that it may give it back: the smaller of a wish and a price."""
    return any(
        isinstance(part, UserValue) and part.user == name
        for node in trial.draft.blueprint.reasons
        for source in node.sources
        for part in sources_in(source)
    )


def _is_telling(value: Any) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return abs(value) > _TELLING_NUMBER or value != int(value)
    return isinstance(value, str) and len(value) > 2


def opaque_values(trial: Trial) -> list[str]:
    """Names of known values that are generated ids of the seed although some tool tells them."""
    shown = {rows.table for tool in trial.catalogue.tools.values() if tool.reads_only for rows in tool.rows}
    found = []
    for step in trial.draft.blueprint.steps:
        tool = trial.catalogue.tools[step.tool]
        for leaf in (leaf for name, source in step.arguments.items() for leaf in _leaves(source, (name,))):
            slot = slot_of(tool, leaf.path)
            if not isinstance(leaf.source, UserValue) or slot is None or slot.column is None:
                continue
            column = trial.catalogue.domain(slot.column)
            kind = trial.catalogue.column(column)
            if kind is not None and kind.kind is ColumnKind.SURROGATE and column.table in shown:
                found.append(leaf.source.user)
    return sorted(set(found))
