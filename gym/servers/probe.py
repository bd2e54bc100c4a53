"""The state of a server that is not ours: what calls that only read answer, as tables.

The output of a probe is its structured content, else its text: JSON, else a Python literal (as `mcp-server-sqlite`
answers), else plain text. What its path leads to becomes rows: a list one for each item, anything else a single one,
nothing none; `[*]` of a text is its lines. An object is a row of its properties, any other value one of the column
`value`; lists and objects inside are kept as JSON.

Invariant: the same outputs are the same rows, whatever the order of properties; a property that is missing is null; a
column keeps its place once it has been seen, and those that gold changes are there from the start, so that states of
one episode can be compared. Not covered: whether a probe only reads, or sees all that matters (`recording` looks
whether it answers the same twice).
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.server import ToolResult
from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Provenance, Table
from autoforge.mcp_envs.paths import Step, parse
from autoforge.mcp_envs.state import Contents, State, Value
from autoforge.mcp_envs.task import Probe, RowChange

__all__ = ["StateProbe"]

Call: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[ToolResult]]
PLAIN = "value"
"""The column of what is no object."""
_NAMED = 12
"""Columns that a message names."""
_LONGEST_LITERAL = 1_000_000
"""Characters of a text that is read as a Python literal."""


class StateProbe:
    """The probes of one episode, and the columns that they have shown so far."""

    def __init__(self, name: str, probes: Sequence[Probe], changes: Iterable[RowChange] = ()) -> None:
        """`name` is the server's; `changes` are those of gold, whose columns may not be there at the start."""
        self._name = name
        self._views: list[_View] = []
        for probe in probes:
            self._views.append(_View(self._unused(probe), probe))
        views = {view.table: view for view in self._views}
        for change in changes:
            if change.table in views:
                views[change.table].expect(row for row in (change.before, change.after) if row is not None)

    @property
    def manifest(self) -> Manifest:
        """How the states are compared."""
        tables = tuple(view.as_table() for view in self._views)
        return Manifest(name=self._name, tables=tables, tools=(), provenance=Provenance(generator="", docs_digest=""))

    async def read(self, call: Call) -> State:
        """The state now; probes with the same call share it. Raises EpisodeFailure."""
        outputs: dict[str, Any] = {}
        state: dict[str, Contents] = {}
        for view in self._views:
            key = json.dumps([view.probe.tool, view.probe.arguments], sort_keys=True)
            if key not in outputs:
                outputs[key] = await self._output(call, view.probe)
            state[view.table] = view.contents(rows_at(outputs[key], view.probe.path))
        return state

    def misnamed(self) -> list[str]:
        """Columns whose kind is said and that no row had, of probes that have shown rows; a sentence each."""
        return [words for view in self._views for words in view.misnamed()]

    async def _output(self, call: Call, probe: Probe) -> Any:
        result = await call(probe.tool, probe.arguments)
        if result.is_error:
            words = f"the probe {probe.tool} was refused: {result.text[:300]}"
            raise EpisodeFailure("environment", "state", words)
        return result.text if result.value is None else result.value

    def _unused(self, probe: Probe) -> str:
        """A name for the table of a probe: `read_graph.entities`, with a number where it is taken."""
        base = probe.tool + probe.path.removeprefix("$")
        taken = {view.table for view in self._views}
        names = (base if number == 1 else f"{base} {number}" for number in range(1, len(taken) + 2))
        return next(name for name in names if name not in taken)


class _View:
    """One probe as a table."""

    def __init__(self, table: str, probe: Probe) -> None:
        self.table = table
        self.probe = probe
        self._kinds = probe.kind if isinstance(probe.kind, dict) else {}
        self._other = ColumnKind.VALUE if isinstance(probe.kind, dict) else probe.kind
        self._columns = dict.fromkeys(self._kinds, False)
        """Name -> whether lists or objects have stood in it."""
        self._shown: dict[str, None] = {}
        """The columns of rows that were read."""

    def expect(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take the columns of stored rows."""
        for row in rows:
            for name, value in row.items():
                self._see(name, _is_json(value))

    def contents(self, rows: Sequence[Mapping[str, Any]]) -> Contents:
        """The rows as stored."""
        for row in rows:
            self._shown.update(dict.fromkeys(row))
            for name, value in row.items():
                if value is not None:
                    self._see(name, isinstance(value, list | dict))
        names = tuple(self._columns)
        return Contents(names, tuple(tuple(_stored(row.get(name)) for name in names) for row in rows))

    def misnamed(self) -> list[str]:
        missing = [name for name in self._kinds if name not in self._shown] if self._shown else []
        has = ", ".join(map(repr, list(self._shown)[:_NAMED]))
        return [f"{self.table} has no column {name!r}; it has {has}" for name in missing]

    def as_table(self) -> Table:
        columns = tuple(
            Column(name=name, type="JSON" if is_json else "ANY", kind=self._kind(name))
            for name, is_json in self._columns.items()
        )
        return Table(name=self.table, entity=self.table, key=self._key(columns), columns=columns)

    def _key(self, columns: Iterable[Column]) -> tuple[str, ...]:
        """What rows are told apart by: the columns said to be keys, else the one generated id, else the whole row."""
        said = tuple(name for name, kind in self._kinds.items() if kind is ColumnKind.KEY)
        ids = tuple(name for name, kind in self._kinds.items() if kind is ColumnKind.SURROGATE)
        whole = tuple(column.name for column in columns if column.kind is not ColumnKind.LOG)
        return said or (ids if len(ids) == 1 else whole)

    def _kind(self, name: str) -> ColumnKind:
        return self._kinds.get(name, self._other)

    def _see(self, name: str, is_json: bool) -> None:
        self._columns[name] = self._columns.get(name, False) or is_json


def rows_at(output: Any, path: str) -> list[dict[str, Any]]:
    """The rows that a path leads to in an output."""
    found = _walk(_parsed(output), parse(path))
    if found is None:
        return []
    return [_row(item) for item in (found if isinstance(found, list) else [found])]


def _walk(value: Any, steps: tuple[Step, ...]) -> Any:
    """What the steps lead to; None where they lead nowhere."""
    for place, step in enumerate(steps):
        value = _parsed(value)
        if step is None:
            rest = steps[place + 1 :]
            found = [_walk(item, rest) for item in _items(value)]
            flat = [inner for item in found for inner in item or ()] if None in rest else found
            return [item for item in flat if item is not None]
        inside = isinstance(step, int) and isinstance(value, list) and step < len(value)
        if not inside and not (isinstance(step, str) and isinstance(value, dict) and step in value):
            return None
        value = value[step]
    return value


def _items(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [line for line in value.splitlines() if line.strip()]
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _parsed(value: Any) -> Any:
    """A text that is data as data; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{", "(")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return _literal(value)


def _literal(text: str) -> Any:
    if len(text) > _LONGEST_LITERAL:
        return text
    try:
        with warnings.catch_warnings(action="ignore"):  # of the escapes in what may be no Python at all
            return json.loads(json.dumps(ast.literal_eval(text.strip()), default=str))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return text


def _row(item: Any) -> dict[str, Any]:
    return item if isinstance(item, dict) else {PLAIN: item}


def _stored(value: Any) -> Value:
    """A value as SQLite would have it."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return int(value) if isinstance(value, bool) else value


def _is_json(value: Any) -> bool:
    """Whether a stored value was a list or an object."""
    if not isinstance(value, str) or not value.startswith(("[", "{")):
        return False
    try:
        return isinstance(json.loads(value), list | dict)
    except (ValueError, RecursionError):
        return False
