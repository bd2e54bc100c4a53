"""What makes a wish hard: a condition that decides between two actions, a first wish that may be refused.

Invariant: both sides of a twist were tried on the state in which it is decided, and they end differently. Not covered:
the words for it (`wording`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from typing import Any, NamedTuple

from autoforge.generator.tasks.builder import Builder, Option, Thing
from autoforge.generator.tasks.catalogue import ColumnName, Slot, ToolModel
from autoforge.generator.tasks.cells import plain_rows
from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.graph import Edge
from autoforge.generator.tasks.row_sets import type_of_value
from autoforge.generator.tasks.steps import Taking, arguments_of, find_arguments, take_step
from autoforge.mcp_envs.paths import NoSuchPart
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Guard

__all__ = ["branch", "fall_back", "plain"]

_MOST_ALTERNATIVES = 8
_MOST_TOOLS = 6
_MOST_LOOK_UPS = 3
_Path = tuple[str | int, ...]
_Feed = tuple[str, Edge] | None


class _Condition(NamedTuple):
    node: str
    holds: bool


class _Alternative(NamedTuple):
    tool: ToolModel
    filled: dict[_Path, Option]


def plain(builder: Builder, tool: ToolModel, feed: _Feed) -> list[str]:
    """The step as it is; the ids of its nodes."""
    taking = find_arguments(builder, tool, feed)
    return [builder.call(tool, taking.filled)]


def fall_back(builder: Builder, tool: ToolModel, feed: _Feed) -> list[str]:
    """A first wish and what to do where it is refused. Raises Rejection where nothing is refused."""
    taking = find_arguments(builder, tool, feed)
    for slot in (s for s in tool.slots if s.role == "reference" and s.path in taking.filled):
        for option in _others(builder, taking, slot):
            first = {**taking.filled, slot.path: option}
            result, after = builder.trial(tool.name, arguments_of(first))
            if result.kind == "refused" and "schema" not in result.message:
                attempt = builder.call(tool, first, attempt=True)
                return [attempt, builder.call(tool, taking.filled, when=Guard(node=attempt, refused=True))]
            if result.ok and after is not None and builder.chance.random() < 0.3 and _differ(after, taking.state):
                attempt = builder.call(tool, first)
                builder.nodes[-1] = builder.nodes[-1].model_copy(update={"attempt": True})
                return [attempt, builder.later(tool, taking.filled, Guard(node=attempt, refused=True))]
    raise Rejection("nothing to fall back from", tool.name)


def _others(builder: Builder, taking: Taking, slot: Slot) -> list[Option]:
    chosen = taking.filled[slot.path].value
    found = [o for o in taking.options.get(slot.path, []) if o.value != chosen]
    builder.chance.shuffle(found)
    return found[:_MOST_ALTERNATIVES]


def branch(builder: Builder, tool: ToolModel, feed: _Feed) -> list[str]:
    """A condition on a row in hand or looked up, the step on one side, another on the other. Raises Rejection."""
    taking = find_arguments(builder, tool, feed)
    for option in taking.filled.values():
        if option.thing is not None:
            option.make()
    other = next(_alternatives(builder, taking), None)
    if other is None:
        raise Rejection("no other action for a branch", tool.name)
    condition, holds = _condition(builder, taking) or _looked_up(builder, taking)
    yes, no = Guard(node=condition, equals=True), Guard(node=condition, equals=False)
    if holds:
        done = builder.call(tool, taking.filled, when=yes)
        return [done, builder.later(other.tool, other.filled, no)]
    untaken = builder.later(other.tool, other.filled, yes)
    return [untaken, builder.call(tool, taking.filled, when=no)]


def _alternatives(builder: Builder, taking: Taking) -> Iterator[_Alternative]:
    """Other actions on the same row that succeed and end differently."""
    ideas = [*_other_contents(builder, taking), *_other_tools(builder, taking)]
    builder.chance.shuffle(ideas)
    for idea in ideas:
        result, after = builder.trial(idea.tool.name, arguments_of(idea.filled))
        if result.ok and after is not None and builder.adds_something(after) and _differ(after, taking.state):
            yield idea


def _other_contents(builder: Builder, taking: Taking) -> Iterator[_Alternative]:
    """The same tool with another content."""
    for slot in taking.tool.slots:
        if slot.role != "value" or slot.path not in taking.filled:
            continue
        value = builder.setting.fresh.row(taking.tool.name, builder.chance).get(slot.path)
        said = taking.filled[slot.path]
        if value is not None and value != said.value and (said.thing is None or isinstance(value, str)):
            name = builder.slot_name(taking.tool, slot)
            option = Option(value, lambda n=name, v=value: builder.tell(n, v))  # type: ignore[misc]
            yield _Alternative(taking.tool, {**taking.filled, slot.path: option})


def _other_tools(builder: Builder, taking: Taking) -> Iterator[_Alternative]:
    """Another writing tool on the same row; where there is no row, another that needs none."""
    targets = [
        (s, taking.filled[s.path]) for s in taking.tool.slots if s.role == "reference" and s.path in taking.filled
    ]
    tools = [
        t for t in builder.catalogue.tools.values() if not t.reads_only and t.samples and t.side == taking.tool.side
    ]
    builder.chance.shuffle(tools)
    for tool in tools[: _MOST_TOOLS * 3]:
        if tool is taking.tool or tool.record.kind == "weak":
            continue
        filled = _on_same_row(builder, tool, targets)
        if filled is not None:
            yield _Alternative(tool, filled)


def _on_same_row(builder: Builder, tool: ToolModel, targets: list[tuple[Slot, Option]]) -> dict[_Path, Option] | None:
    filled: dict[_Path, Option] = {}
    domain = builder.catalogue.domain
    fresh = builder.setting.fresh.row(tool.name, builder.chance)
    for slot in (s for s in tool.slots if s.required):
        if slot.role == "reference" and slot.column is not None:
            fit = next((o for s, o in targets if s.column and domain(s.column) == domain(slot.column)), None)
            if fit is None:
                return None
            filled[slot.path] = fit
        elif fresh.get(slot.path) is not None:
            value, name = fresh[slot.path], builder.slot_name(tool, slot)
            filled[slot.path] = Option(value, lambda n=name, v=value: builder.tell(n, v))  # type: ignore[misc]
    return filled if any(o.thing is not None for o in filled.values()) or not targets else None


def _condition(builder: Builder, taking: Taking) -> _Condition | None:
    """A comparison of something in hand with a value of the user; None where nothing can be compared."""
    ideas = list(_comparable(builder))
    builder.chance.shuffle(ideas)
    for thing, path, value in ideas:
        bound, compare = _bound(builder, value, thing, path)
        if bound is None:
            continue
        name = f"{path.rpartition('.')[2]} limit" if compare != "equal" else path.rpartition(".")[2]
        inputs = {"value": builder.tell(name, bound)}
        node = builder.reason(reason="compare", over=thing.source(path), compare=compare, inputs=inputs)
        return _Condition(node, bool(builder.values[node]))
    return None


def _looked_up(builder: Builder, taking: Taking) -> _Condition:
    """A comparison of what a reading tool shows that is called for it. Raises Rejection."""
    tools = [t for t in builder.catalogue.tools.values() if t.reads_only and t.samples and t.side == taking.tool.side]
    tools = [t for t in tools if any(not rows.many for rows in t.rows)]
    builder.chance.shuffle(tools)
    for tool in tools[:_MOST_LOOK_UPS]:
        with suppress(Rejection):
            take_step(builder, tool)
            found = _condition(builder, taking)
            if found is not None:
                return found
    raise Rejection("nothing to decide a branch by", taking.tool.name)


def _comparable(builder: Builder) -> Iterator[tuple[Thing, str, Any]]:
    for thing in builder.things[-4:]:
        ids = builder.ids_of(thing.rows)
        for path, kind in thing.rows.types.items():
            if path in ids or kind not in ("number", "date", "text"):
                continue
            try:
                value = thing.value(path)
            except NoSuchPart:
                continue
            if value is None or type_of_value(value) != kind or (kind == "text" and len(value) > 24):
                continue
            if not any(value == told and type(value) is type(told) for told in builder.known.values()):
                yield thing, path, value


def _bound(builder: Builder, value: Any, thing: Thing, path: str) -> tuple[Any, str]:
    """What to compare with, and how; (None, "") where nothing sensible is there."""
    if isinstance(value, str) and type_of_value(value) == "text":
        column = next((c for c, p in thing.rows.fields.items() if p == path), None)
        words = builder.setting.fresh.closed(ColumnName(thing.table, column)) if column else []
        return (builder.chance.choice([value, *words]), "equal") if value in words else (None, "")
    compare = builder.chance.choice(("greater", "less"))
    if isinstance(value, str) and len(value) > 10:
        return None, ""
    if isinstance(value, str):
        shift = builder.chance.choice((-30, -14, -7, 7, 14, 30))
        try:
            return (date.fromisoformat(value[:10]) + timedelta(days=shift)).isoformat() + value[10:], compare
        except (ValueError, OverflowError):
            return None, ""
    if value == 0:
        return builder.chance.choice((1, 5, 10)), compare
    size = 10 ** max(0, len(str(int(abs(value)))) - 1)
    bound = (int(value / size) + builder.chance.choice((-1, 1, 2))) * size
    return (bound, compare) if bound != value else (bound + size, compare)


def _differ(one: State, two: State) -> bool:
    return plain_rows(one) != plain_rows(two)
