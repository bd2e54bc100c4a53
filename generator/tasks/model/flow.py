"""Whether a value of an output can be passed on: the call that takes it succeeds, and the value makes a difference.

Invariant: a value that a tool takes and then ignores has not flowed. Not covered: whether passing it on makes sense.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoforge.generator.conformance.subject import Tool
from autoforge.generator.tasks.catalogue import Catalogue, RowSet, Sample, Slot
from autoforge.generator.tasks.model.pairs import Carrier
from autoforge.generator.tasks.slots import replaced, value_at
from autoforge.generator.tasks.stage import Run, Stage
from autoforge.mcp_envs.containment import Call
from autoforge.mcp_envs.paths import NoSuchPart, extract

__all__ = ["flows"]

_MOST_VALUES = 3
_MOST_SHOWN = 2
_MOST_SAMPLES = 4


def flows(stage: Stage, catalogue: Catalogue, carrier: Carrier, tool: Tool, slot: Slot) -> bool:
    """Try some of the values that the carrier shows in calls of the tool that succeeded before."""
    producer, consumer = catalogue.tools[carrier.producer], catalogue.tools[tool.name]
    rows = producer.rows[carrier.row_set]
    given = _fitting(consumer.samples, slot)
    for sample in producer.samples[:_MOST_SHOWN]:
        first = Call(producer.name, sample.arguments)
        for value in _values(sample.value, rows, carrier.field):
            if any(_taken(stage, first, tool, slot, value, arguments) for arguments in given):
                return True
    return False


def _values(value: Any, rows: RowSet, field: str) -> list[Any]:
    try:
        items = extract(value, rows.path)
    except NoSuchPart:
        return []
    found: list[Any] = []
    for item in items if rows.many else [items]:
        try:
            inner = extract(item, field)
        except NoSuchPart:
            continue
        if isinstance(inner, str | int | float) and not isinstance(inner, bool) and inner not in found:
            found.append(inner)
    return found[:_MOST_VALUES]


def _fitting(samples: Sequence[Sample], slot: Slot) -> list[Mapping[str, Any]]:
    """Arguments in which the slot is filled, and then those into which it can be put."""
    filled = [s.arguments for s in samples if value_at(s.arguments, slot.path) is not None]
    bare = [s.arguments for s in samples if s.arguments not in filled] if len(slot.path) == 1 else []
    return [*filled, *bare][:_MOST_SAMPLES]


def _taken(stage: Stage, first: Call, tool: Tool, slot: Slot, value: Any, arguments: Mapping[str, Any]) -> bool:
    given = replaced(arguments, slot.path, value)
    if not tool.accepts(given):
        return False
    start = stage.start()
    fed = stage.run(start, [first, Call(tool.name, given)])
    if len(fed.results) < 2 or not fed.results[-1].ok:
        return False
    if slot.role == "reference":
        return True
    same = value_at(arguments, slot.path) == value
    other = _without(arguments, slot) if same else dict(arguments)
    return _matters(stage.run(start, [first, Call(tool.name, other)]), fed)


def _matters(other: Run, fed: Run) -> bool:
    """Whether the other call ended differently: in its answer, or in the state."""
    return not other.results[-1].ok or other.results[-1].value != fed.results[-1].value or other.state != fed.state


def _without(arguments: Mapping[str, Any], slot: Slot) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name != slot.parameter}
