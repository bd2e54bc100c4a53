"""Takes a step: finds arguments with which a tool succeeds, and adds it with all that it needs.

Invariant: a step that writes changes the state. Not covered: which tool (`propose`), branches (`twists`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.generator.conformance.values import kinds
from autoforge.generator.tasks.builder import Builder, Option, words_of
from autoforge.generator.tasks.catalogue import ColumnName, Slot, ToolModel
from autoforge.generator.tasks.derived import derived_options
from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.graph import Edge
from autoforge.generator.tasks.hand import relatives
from autoforge.generator.tasks.interpreter import resolve
from autoforge.generator.tasks.slots import compose, value_at
from autoforge.generator.tasks.supply import fed_by, from_hand, from_user
from autoforge.mcp_envs.paths import NoSuchPart, extract
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Literally

__all__ = ["Taking", "find_arguments", "take_step"]

_TRIES = 24
_DEEPEST = 3
_OPTIONAL_READ = 0.35
_OPTIONAL_REFERENCE = 0.6
_DERIVED = 0.45
_SAMPLED = 0.3
"""How often a filter takes a value with which a call found something before."""
_AGAIN = 0.7
"""How often what the user said for a slot is meant again for one of the same name."""
_PLAIN = {"string", "number", "integer", "boolean"}
_Path = tuple[str | int, ...]


class Taking(NamedTuple):
    """Arguments with which a tool succeeded on a copy of the episode."""

    tool: ToolModel
    filled: dict[_Path, Option]
    value: Any
    state: State
    options: dict[_Path, list[Option]]
    """All that each slot could have taken."""


def take_step(builder: Builder, tool: ToolModel, feed: tuple[str, Edge] | None = None, depth: int = 0) -> str:
    """Find arguments, add the step; its id. Raises Rejection."""
    taking = find_arguments(builder, tool, feed, depth)
    return builder.call(tool, taking.filled)


def find_arguments(builder: Builder, tool: ToolModel, feed: tuple[str, Edge] | None = None, depth: int = 0) -> Taking:
    """Arguments that succeed; for a write, ones that change something. Raises Rejection."""
    options = {s.path: _references(builder, tool, s, feed, depth) for s in tool.slots if builder.names_row(s)}
    if feed is not None and feed[1].slot.path not in options:
        options[feed[1].slot.path] = fed_by(builder, *feed)
    for slot in tool.slots:
        if slot.required and slot.role == "reference" and not options[slot.path]:
            raise Rejection("no row for an argument", f"{tool.name}.{slot.name}")
    if feed is not None and not options[feed[1].slot.path]:
        raise Rejection("nothing to choose from", f"{feed[1].producer} -> {tool.name}")
    failed: set[str] = set()
    for _ in range(_TRIES):
        filled = _filled(builder, tool, options, feed, failed)
        taking = _tried(builder, tool, filled, options)
        if taking is not None:
            return taking
        failed.update(_mark(path, option) for path, option in filled.items() if path in options)
        if len(tool.slots) == len(options) and all(_mark(p, o) in failed for p, os in options.items() for o in os):
            break
    raise Rejection("no call succeeded", tool.name)


def _tried(
    builder: Builder, tool: ToolModel, filled: dict[_Path, Option], options: dict[_Path, list[Option]]
) -> Taking | None:
    result, after = builder.trial(tool.name, arguments_of(filled))
    if not result.ok or after is None:
        return None
    if not tool.reads_only and not builder.adds_something(after):
        return None
    if tool.reads_only and tool.rows and not any(_shows(result.value, tool)):
        return None
    return Taking(tool, filled, result.value, after, options)


def _shows(value: Any, tool: ToolModel) -> Sequence[Any]:
    found: list[Any] = []
    for rows in tool.rows:
        try:
            inner = extract(value, rows.path)
        except NoSuchPart:
            continue
        found += inner if rows.many else [inner]
    return found


def arguments_of(filled: Mapping[_Path, Option]) -> dict[str, Any]:
    """The arguments with the options' values."""
    literal = compose({path: Literally(literal=option.value) for path, option in filled.items()})
    return {name: resolve(source, {}, {}) for name, source in literal.items()}


def _references(
    builder: Builder, tool: ToolModel, slot: Slot, feed: tuple[str, Edge] | None, depth: int
) -> list[Option]:
    """Options for a slot that names a row, weighted."""
    if feed is not None and feed[1].slot.path == slot.path:
        return fed_by(builder, *feed)
    if slot.column is None:
        return []
    if slot.role == "filter" and not slot.required:
        return list(from_hand(builder, slot.column))
    found = list(from_hand(builder, slot.column))
    known = from_user(builder, tool, slot)
    if found and builder.chance.random() < 0.75:
        return found
    found += known
    if (not known or builder.chance.random() < 0.5) and (slot.required or not found) and depth < _DEEPEST:
        found += _looked_up(builder, tool, slot, depth)
    return found or from_user(builder, tool, slot, opaque=True)


def _looked_up(builder: Builder, tool: ToolModel, slot: Slot, depth: int) -> list[Option]:
    """Options from a reading tool that is called for them."""
    edges = [e for e in builder.setting.graph.producers.get((tool.name, slot.path), []) if _reads(builder, e)]
    builder.chance.shuffle(edges)
    edges.sort(key=lambda e: not builder.catalogue.tools[e.producer].rows[e.row_set].many)
    for edge in edges[:3]:
        try:
            node = take_step(builder, builder.catalogue.tools[edge.producer], None, depth + 1)
        except Rejection:
            continue
        found = fed_by(builder, node, edge)
        if found:
            return found
    return []


def _reads(builder: Builder, edge: Edge) -> bool:
    producer = builder.catalogue.tools[edge.producer]
    return producer.reads_only and bool(producer.samples)


def _filled(
    builder: Builder,
    tool: ToolModel,
    options: Mapping[_Path, list[Option]],
    feed: tuple[str, Edge] | None,
    failed: set[str],
) -> dict[_Path, Option]:
    """One option for each slot that this try fills."""
    fresh = {**builder.setting.fresh.row(tool.name, builder.chance), **_composed(builder, tool)}
    wanted = _optional_values(builder, tool, fresh)
    filled: dict[_Path, Option] = {}
    expected: dict[ColumnName, Any] = {}
    for slot in reversed(tool.slots):
        given = options.get(slot.path)
        if given:
            fed = feed is not None and feed[1].slot.path == slot.path
            if slot.required or fed or builder.chance.random() < _OPTIONAL_REFERENCE:
                untried = [o for o in given if _mark(slot.path, o) not in failed] or given
                untried = [o for o in untried if not _is_taken(builder, tool, slot, o, filled)] or untried
                fitting = [o for o in given if _fits(builder, slot, o, expected)] if not fed else []
                chosen = builder.chance.choices(fitting or untried, [o.weight for o in fitting or untried])[0]
                filled[slot.path] = chosen
                expected |= relatives(builder, slot.column, chosen.value)
        elif slot.role in ("value", "filter") and slot.path not in options and (slot.required or slot.path in wanted):
            value = fresh.get(slot.path)
            if value is not None:
                filled[slot.path] = _content(builder, tool, slot, value)
    return dict(reversed(filled.items()))


def _composed(builder: Builder, tool: ToolModel) -> dict[_Path, Any]:
    """Lists and objects without a known inside, as calls had them that succeeded: empty ones say nothing."""
    found: dict[_Path, Any] = {}
    for slot in tool.slots:
        if slot.role == "value" and not _PLAIN & set(kinds(slot.schema)):
            told = [value for sample in tool.samples if (value := value_at(sample.arguments, slot.path))]
            if told and builder.chance.random() < _SAMPLED:
                found[slot.path] = builder.chance.choice(told)
    return found


def _fits(builder: Builder, slot: Slot, option: Option, expected: Mapping[ColumnName, Any]) -> bool:
    """Whether an option is the row that the rows chosen so far belong to."""
    if slot.column is None:
        return False
    domain = builder.catalogue.domain(slot.column)
    return domain in expected and bool(expected[domain] == option.value)


def _is_taken(builder: Builder, tool: ToolModel, slot: Slot, option: Option, filled: Mapping[_Path, Option]) -> bool:
    """Whether another slot of the call names the same row."""
    if slot.column is None:
        return False
    domain = builder.catalogue.domain(slot.column)
    same = [s for s in tool.slots if s.path in filled and s.column and builder.catalogue.domain(s.column) == domain]
    return any(filled[s.path].value == option.value for s in same)


def _mark(path: _Path, option: Option) -> str:
    return f"{path} {option.value!r}"


def _content(builder: Builder, tool: ToolModel, slot: Slot, value: Any) -> Option:
    """What the user says, or for a part of the slots something derived from what is in hand."""
    giver, again = builder.contents.get("_".join(words_of(builder.slot_name(tool, slot))), (tool.name, None))
    if again is not None and giver != tool.name and builder.chance.random() < _AGAIN:
        return again
    derived = derived_options(builder, slot) if builder.chance.random() < _DERIVED else []
    if derived and slot.role == "value":
        return builder.chance.choices(derived, [o.weight for o in derived])[0]
    if slot.role == "filter":
        stored = [v for v in builder.setting.fresh.stored(slot.column) if not isinstance(v, bytes)]
        tried = [v for s in tool.samples if (v := value_at(s.arguments, slot.path)) not in (None, "")]
        if tried and (not stored or builder.chance.random() < _SAMPLED):
            value = builder.chance.choice(tried)
        elif stored and not slot.schema.get("enum") and slot.schema.get("type") != "boolean":
            value = builder.chance.choice(stored)
    name = builder.slot_name(tool, slot)
    return Option(value, lambda: builder.tell(name, value))


def _is_key(builder: Builder, slot: Slot) -> bool:
    """Whether a body repeats the key of the row it is about."""
    table = builder.catalogue.tables.get(slot.column.table) if slot.column is not None else None
    return table is not None and slot.column is not None and slot.column.column in table.key


def _optional_values(builder: Builder, tool: ToolModel, fresh: Mapping[_Path, Any]) -> set[_Path]:
    """Slots that may be left out and are filled this time: of an update at least one."""
    free = [s for s in tool.slots if s.role in ("value", "filter") and not s.required and s.path in fresh]
    open_slots = [s.path for s in free if not (s.role == "filter" and s.column is None) and not _is_key(builder, s)]
    needed = [s for s in tool.slots if s.role == "value" and s.required]
    if tool.reads_only:
        return {p for p in open_slots[:8] if builder.chance.random() < _OPTIONAL_READ / max(1, len(open_slots) / 2)}
    least = 1 if not needed and open_slots else 0
    count = min(len(open_slots), builder.chance.choice((least, least, least + 1, 2)))
    return set(builder.chance.sample(open_slots, count))
