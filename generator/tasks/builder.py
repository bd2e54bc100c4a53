"""Grows a blueprint on a live episode: every node is executed as it is added, so whatever is built can be carried out.

Invariant: a tool step is added only after the same call succeeded on a copy of the episode, and every value that the
user must know is in `known`. Not covered: which steps to take (`propose`), branches and derived values (`twists`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from autoforge.generator.conformance.columns import words
from autoforge.generator.conformance.subject import Tool
from autoforge.generator.tasks.catalogue import Catalogue, ColumnName, RowSet, Slot, ToolModel
from autoforge.generator.tasks.cells import Cell, cells_of
from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.fresh_values import FreshValues
from autoforge.generator.tasks.graph import Graph
from autoforge.generator.tasks.interpreter import resolve
from autoforge.generator.tasks.model.derived_fields import DerivedField
from autoforge.generator.tasks.operators import OperatorFault, derive
from autoforge.generator.tasks.selectors import Link, Selection
from autoforge.generator.tasks.slots import compose
from autoforge.generator.tasks.stage import Stage, Start
from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.paths import NoSuchPart, extract
from autoforge.mcp_envs.state import State, changes
from autoforge.mcp_envs.task import Guard, ListOf, Node, ObjectOf, Output, Reasoning, Source, ToolStep, UserValue

__all__ = ["Builder", "Option", "Setting", "Thing", "inside"]

_TRIAL = "trial"
_Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Setting:
    """What all blueprints of an environment are built with."""

    stage: Stage
    catalogue: Catalogue
    graph: Graph
    tools: Mapping[str, Tool]
    """For the check of arguments that the server makes."""
    fresh: FreshValues
    derived: tuple[DerivedField, ...] = ()
    """Figures that follow from rows, to be asked for."""


@dataclass(frozen=True)
class Thing:
    """A row in hand: found, chosen or made."""

    table: str
    item: Any
    """What the output shows of it."""
    node: str
    path: str
    """Where it stands in the node's value."""
    rows: RowSet
    siblings: tuple[Any, ...] = ()
    """The other items of the list that it was chosen from."""

    def value(self, field: str) -> Any:
        return extract(self.item, field)

    def source(self, field: str) -> Output:
        return Output(node=self.node, path=inside(self.path, field))


class Option(NamedTuple):
    """A value that a slot could take; `make` adds what it needs to the blueprint and gives its source."""

    value: Any
    make: Callable[[], Source]
    weight: float = 1.0
    thing: Thing | None = None


class Snapshot(NamedTuple):
    """What a builder held at one moment."""

    episode: str
    nodes: list[Node]
    values: dict[str, Any]
    known: dict[str, Any]
    things: list[Thing]
    effects: list[frozenset[Cell]]
    contents: dict[str, tuple[str, Option]]
    used: list[Any]


def inside(path: str, field: str) -> str:
    """The path of a field of the item at a path."""
    return path if not field else path + field if field.startswith("[") else f"{path}.{field}"


@dataclass
class Builder:
    """One blueprint in the making."""

    setting: Setting
    start: Start
    chance: random.Random
    nodes: list[Node] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=dict)
    things: list[Thing] = field(default_factory=list)
    guard: Guard | None = None
    """Put on every node that is added."""
    effects: list[frozenset[Cell]] = field(default_factory=list)
    """What of each write still shows."""
    contents: dict[str, tuple[str, Option]] = field(default_factory=dict)
    """What the user gave for a slot's name, and to which tool, to be given again to another."""
    used: list[Any] = field(default_factory=list)
    """Values that were found out and used."""
    depth: int = 0
    """Snapshots that are held."""

    def __post_init__(self) -> None:
        self.session = self.setting.stage.session(self.start)
        self._now: State | None = self.start.state

    def close(self) -> None:
        self.session.close()

    def snapshot(self) -> Snapshot:
        """All there is, to come back to; there is one snapshot at each `depth` of nesting."""
        episode = f"{self.session.episode}-before-{self.depth}"
        self.setting.stage.worker.fork(self.session.episode, episode)
        self.depth += 1
        return Snapshot(
            episode, list(self.nodes), dict(self.values), dict(self.known), list(self.things), list(self.effects),
            dict(self.contents), list(self.used),
        )  # fmt: skip

    def restore(self, snapshot: Snapshot) -> None:
        """Back to a snapshot, the episode too."""
        self.setting.stage.worker.fork(snapshot.episode, self.session.episode)
        self._now = None
        self.nodes, self.values = list(snapshot.nodes), dict(snapshot.values)
        self.known, self.things = dict(snapshot.known), list(snapshot.things)
        self.effects, self.contents = list(snapshot.effects), dict(snapshot.contents)
        self.used = list(snapshot.used)

    def forget(self, snapshot: Snapshot) -> None:
        """Let go of a snapshot."""
        self.depth -= 1
        self.setting.stage.worker.close_episode(snapshot.episode)

    def state(self) -> State:
        """The episode's state as it is."""
        if self._now is None:
            self._now = self.session.state()
        return self._now

    @property
    def catalogue(self) -> Catalogue:
        return self.setting.catalogue

    def tell(self, name: str, value: Any) -> UserValue:
        """A value that the user knows, by a name that is free or already has this value."""
        plain = "_".join(words_of(name)) or "value"
        number = 1
        while True:
            key = plain if number == 1 else f"{plain}_{number}"
            if key not in self.known or (self.known[key] == value and type(self.known[key]) is type(value)):
                self.known[key] = value
                return UserValue(user=key)
            number += 1

    def reason(self, **given: Any) -> str:
        """Add a reasoning node, or find the same one; its id. Raises Rejection where it has no single value."""
        node = Reasoning(id="", when=self.guard, **given)
        for other in self.nodes:
            if isinstance(other, Reasoning) and other.model_copy(update={"id": ""}) == node:
                return other.id
        inputs = {name: resolve(source, self.known, self.values) for name, source in node.inputs.items()}
        over = None if node.over is None else resolve(node.over, self.known, self.values)
        try:
            value = derive(node, over, inputs)
        except OperatorFault as fault:
            raise Rejection("a choice that is not unique", str(fault)) from None
        return self._added(node, value)

    def choose(self, over: Source, selection: Selection, entity: str) -> str:
        """Add the chain of a selection; the id of its last node."""
        last = ""
        for link in selection.chain:
            last = self._link(over, link, entity)
            over = Output(node=last)
        return last

    def _link(self, over: Source, link: Link, entity: str) -> str:
        inputs: dict[str, Source] = {}
        if link.compare is not None:
            label = (link.by or "").rpartition(".")[2] or entity
            bound = {"less": f"most {label}", "greater": f"least {label}"}.get(link.compare, label)
            inputs["value"] = self.tell(bound, link.value)
        return self.reason(reason=link.reason, over=over, by=link.by, compare=link.compare, n=link.n, inputs=inputs)

    def trial(self, tool: str, arguments: Mapping[str, Any]) -> tuple[CallResult, State | None]:
        """The call on a copy of the episode, and the state it leaves; None where the server would not make it."""
        if not self.setting.tools[tool].accepts(arguments):
            return CallResult("refused", message="the arguments are not of the schema"), None
        worker = self.setting.stage.worker
        worker.fork(self.session.episode, _TRIAL)
        result = worker.call(_TRIAL, tool, arguments)
        return result, self.setting.stage.read(_TRIAL, self.start) if result.ok else None

    def adds_something(self, after: State) -> bool:
        """Whether a state differs from the episode's, and every write so far still shows in it."""
        cells = self._cells(after)
        return bool(cells) and all(effect - cells for effect in self.effects) and not self._reverts(after)

    def _cells(self, after: State) -> set[Cell]:
        """What a state differs in from the episode's: table, key and column; of a deleted row all columns."""
        return cells_of(changes(self.state(), after, self.setting.stage.manifest), self.catalogue)

    def _reverts(self, after: State) -> bool:
        """Whether a row that was changed before is as it was in the beginning."""
        manifest = self.setting.stage.manifest
        before, now = (changes(self.start.state, s, manifest) for s in (self.state(), after))
        return bool({(c.table, c.key) for c in before} - {(c.table, c.key) for c in now})

    def call(
        self, tool: ToolModel, filled: Mapping[_Path, Option], *, when: Guard | None = None, attempt: bool = False
    ) -> str:
        """Add a tool step, or find the same reading one; its id. It is executed unless it is an attempt."""
        arguments = compose({path: option.make() for path, option in filled.items()})
        step = ToolStep(
            id="", actor=tool.side, tool=tool.name, arguments=arguments, when=when or self.guard, attempt=attempt
        )
        if tool.reads_only:
            for other in reversed(self.nodes):
                if isinstance(other, ToolStep) and other.model_copy(update={"id": ""}) == step:
                    return other.id
                if isinstance(other, ToolStep) and not self.catalogue.tools[other.tool].reads_only:
                    break
        if attempt:
            return self._added(step, None)
        given = {name: resolve(source, self.known, self.values) for name, source in arguments.items()}
        before = None if tool.reads_only else self.state()
        result = self.session.call(tool.name, given)
        self._now = self._now if tool.reads_only else None
        if not result.ok:
            raise Rejection("a call that was refused", f"{tool.name}: {result.message}")
        if before is not None:
            cells = cells_of(changes(before, self.state(), self.setting.stage.manifest), self.catalogue)
            self.effects = [*(effect - cells for effect in self.effects), frozenset(cells)]
        for path, option in filled.items():
            slot = tool.slot(path)
            if option.thing is None and slot is not None and slot.role in ("value", "filter"):
                self.contents["_".join(words_of(self.slot_name(tool, slot)))] = (tool.name, option)
            elif option.thing is not None:
                self.used.append(option.value)
        name = self._added(step, result.value)
        self._take(tool, name, result.value)
        return name

    def later(self, tool: ToolModel, filled: Mapping[_Path, Option], when: Guard) -> str:
        """Add a step that this episode does not carry out, since its guard does not hold."""
        arguments = compose({path: option.make() for path, option in filled.items()})
        return self._added(ToolStep(id="", actor=tool.side, tool=tool.name, arguments=arguments, when=when), None)

    def _added(self, node: Node, value: Any) -> str:
        name = f"n{len(self.nodes) + 1}"
        self.nodes.append(node.model_copy(update={"id": name}))
        if value is not None or isinstance(node, Reasoning):
            self.values[name] = value
        return name

    def _take(self, tool: ToolModel, node: str, value: Any) -> None:
        """Single rows that an output shows are in hand; what the user's own tools show, the agent never sees."""
        if tool.side == "user":
            return
        for rows in tool.rows:
            if rows.many:
                continue
            try:
                item = extract(value, rows.path)
            except NoSuchPart:
                continue
            self.things.append(Thing(rows.table, item, node, rows.path, rows))

    def items(self, node: str, rows: RowSet) -> list[Any]:
        """The items of a row set of a node's value."""
        try:
            found = extract(self.values[node], rows.path)
        except NoSuchPart:
            return []
        return list(found) if rows.many else [found]

    def is_id(self, name: ColumnName) -> bool:
        column = self.catalogue.column(name)
        return column is not None and (column.kind == "surrogate" or column.references is not None)

    def names_row(self, slot: Slot) -> bool:
        """Whether a slot is filled with what tells a row: a reference, or a filter by a generated id."""
        if slot.role == "reference":
            return True
        if slot.role != "filter" or slot.column is None:
            return False
        column = self.catalogue.column(self.catalogue.domain(slot.column))
        return column is not None and column.kind == "surrogate"

    def ids_of(self, rows: RowSet) -> frozenset[str]:
        """Paths of generated ids and of references in a row set's items."""
        keys = self.catalogue.tables[rows.table].key if rows.table in self.catalogue.tables else ()
        mapped = {path for column, path in rows.fields.items() if self.is_id(ColumnName(rows.table, column))}
        mapped |= {path for c, path in rows.fields.items() if c in keys and rows.types.get(path) == "number"}
        return frozenset(mapped | {path for path in rows.types if words(path)[-1:] in (("id",), ("uuid",), ("etag",))})

    def entity(self, table: str) -> str:
        found = self.catalogue.tables.get(table)
        return found.entity if found else table

    def slot_name(self, tool: ToolModel, slot: Slot) -> str:
        """What the user calls the value of a slot: with the entity where the name alone says little."""
        if words(slot.name) not in (("id",), ("name",)):
            return slot.name
        above = [part for part in slot.path[:-1] if isinstance(part, str)]
        return f"{above[-1] if above else tool.record.entity or ''} {slot.name}"


def source_at(arguments: Mapping[str, Source], path: _Path) -> Source | None:
    """The source in a slot of a step's arguments."""
    found: Any = arguments.get(str(path[0]))
    for part in path[1:]:
        if isinstance(found, ObjectOf) and isinstance(part, str):
            found = found.fields.get(part)
        elif isinstance(found, ListOf) and isinstance(part, int) and part < len(found.items):
            found = found.items[part]
        else:
            return None
    return found  # type: ignore[no-any-return]


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name as they are, in lower case."""
    spaced = "".join(f" {c}" if c.isupper() and i and not name[i - 1].isupper() else c for i, c in enumerate(name))
    return tuple("".join(c if c.isalnum() else " " for c in spaced).lower().split())
