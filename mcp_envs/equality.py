"""Whether two final states are the same outcome, by the kinds of their columns.

Invariant: an equivalence relation for a fixed initial state. Ids that tools generated in the episode may be renamed, by
one bijection per kind of id that holds in every table, foreign key, JSON value and text at once; nothing else may
differ, but counters, the log, and the words of free text. Not covered: finding the bijection (`renaming`), what an
agent says (`equal_states` asks `accept`).

Values after normalisation: 1 = 1.0 = true; a float is equal to another within twelve significant digits, and to 0 below
1e-9, so that the order in which amounts were added does not matter; JSON by its value; lists that the manifest calls
set-like, sorted.

Time grows with the rows of the states as little as reading them does: rows that both states have and that hold no
generated id cancel before anything else looks at them (`remainder`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Table
from autoforge.mcp_envs.remainder import HeldIds, remainder
from autoforge.mcp_envs.renaming import Id, Part, Renaming, Undecided, applied, rough_renaming, search
from autoforge.mcp_envs.runtime import CLOCK_TABLE
from autoforge.mcp_envs.state import MACHINERY, Contents, State, Value

__all__ = ["Comparer", "Comparison", "Renaming", "equal_states"]

_SHOWN = 12
"""Differences listed."""
_LEAST_LENGTH = 3
"""Shortest generated id that is looked for inside texts."""
_LEAST_FLOAT = 1e-9
"""A smaller float is what is left of a sum that should be 0."""

Domain: TypeAlias = str
"""Names a kind of id: `table` for keys, `table.column` for other generated values."""


class Comparison(NamedTuple):
    """The verdict, with what tells the states apart."""

    equal: bool
    differences: tuple[str, ...] = ()
    """Sentences, at most a dozen; empty when equal."""
    renaming: Renaming = {}  # noqa: RUF012
    """(kind of id, id in the first state) -> id in the second, for ids generated in the episode; the one that was
    accepted.
    """


def equal_states(
    initial: State, first: State, second: State, manifest: Manifest, accept: Callable[[Renaming], bool] | None = None
) -> Comparison:
    """Compare two states that both came from `initial`.

    `accept` may refuse a renaming (answers that were told must fit, too): the next one that makes the states equal is
    tried.
    """
    return Comparer(initial, manifest).compare(first, second, accept)


class Comparer:
    """Compares states that came from one initial state, many times."""

    def __init__(self, initial: State, manifest: Manifest) -> None:
        self._manifest = manifest
        self._view = _View(initial, manifest)

    def compare(
        self, first: State, second: State, accept: Callable[[Renaming], bool] | None = None, *, explain: bool = True
    ) -> Comparison:
        """As `equal_states`; without `explain` one sentence stands for all differences."""
        view = self._view
        created = view.created(first), view.created(second)
        left = remainder(_compared(first), _compared(second), view.held(*created))
        if not explain and _rows(left[0]) != _rows(left[1]):  # no renaming changes how many rows a table has
            return Comparison(False, ("the states differ",))
        one, two = view.parts(left[0], created[0]), view.parts(left[1], created[1])
        refused = 0

        def good(renaming: Renaming) -> bool:
            nonlocal refused
            if accept is None or accept(renaming):
                return True
            refused += 1
            return False

        try:
            renaming = search(one, two, good)
        except Undecided as undecided:
            return Comparison(False, (str(undecided),))
        if renaming is not None:
            return Comparison(True, (), renaming)
        if refused:
            words = "the states are equal, but under no renaming of generated ids that fits what was told"
            return Comparison(False, (words,))
        return Comparison(False, _differences(one, two, self._manifest) if explain else ("the states differ",))


def _rows(state: State) -> dict[str, int]:
    return {name: len(contents.rows) for name, contents in state.items() if contents.rows}


def _compared(state: State) -> State:
    return {name: contents for name, contents in state.items() if name == CLOCK_TABLE or name not in MACHINERY}


class _View:
    """States as rows of comparable cells, where a generated id stands as `Id`."""

    def __init__(self, initial: State, manifest: Manifest) -> None:
        self._tables = {table.name: table for table in manifest.tables}
        columns = [(table, column) for table in manifest.tables for column in table.columns]
        self._domains = {(t.name, c.name): _name(*self._source(t, c)) for t, c in columns}
        self._sources = {(t.name, c.name) for t, c in columns if self._source(t, c) == (t, c)}
        self._fixed = self._values(initial)

    def created(self, state: State) -> dict[Domain, set[Value]]:
        """The ids that the initial state has not, by kind."""
        return {domain: values - self._fixed.get(domain, set()) for domain, values in self._values(state).items()}

    def held(self, *created: Mapping[Domain, set[Value]]) -> HeldIds:
        """Where generated ids of either state may stand."""
        both = {domain: set().union(*(c.get(domain, set()) for c in created)) for domain in {*created[0], *created[1]}}
        kinds = {(t.name, c.name): c for t in self._tables.values() for c in t.columns}
        ids = {
            place: both[domain] for place, domain in self._domains.items() if domain is not None and both.get(domain)
        }
        return HeldIds(kinds, ids, frozenset(value for values in both.values() for value in values if _in_texts(value)))

    def parts(self, state: State, created: dict[Domain, set[Value]]) -> list[Part]:
        """Every row, as cells."""
        texts = _TextIds(created)
        return [part for name, contents in state.items() for part in self._rows(name, contents, created, texts)]

    def _rows(self, name: str, contents: Contents, created: dict[Domain, set[Value]], texts: _TextIds) -> list[Part]:
        table = self._tables.get(name)
        known = {column.name: column for column in table.columns} if table is not None else {}
        columns = [known.get(column) for column in contents.columns]
        kept = [i for i, column in enumerate(columns) if column is None or column.kind is not ColumnKind.LOG]
        domains = [self._domains.get((name, column)) for column in contents.columns]

        def cell(i: int, value: Value) -> Any:
            domain = domains[i]
            ids = created.get(domain, set()) if domain is not None else set()
            return _cell(
                value, columns[i], lambda leaf: Id(str(domain), leaf) if _is_in(leaf, ids) else texts.find(leaf)
            )

        return [Part(name, tuple(cell(i, row[i]) for i in kept)) for row in contents.rows]

    def _source(self, table: Table, column: Column) -> tuple[Table, Column]:
        """The column where the values of this one come from: the key at the end of its foreign keys, or itself."""
        seen: set[str] = set()
        while column.references in self._tables and table.name not in seen:
            seen.add(table.name)
            parent = self._tables[str(column.references)]
            key = parent.key[0] if len(parent.key) == 1 else column.name
            target = next((c for c in parent.columns if c.name == key), None)
            if target is None:
                return table, column
            table, column = parent, target
        return table, column

    def _values(self, state: State) -> dict[Domain, set[Value]]:
        """The ids there are, by kind."""
        found: dict[Domain, set[Value]] = {}
        for name, contents in state.items():
            for i, column in enumerate(contents.columns):
                domain = self._domains.get((name, column))
                if domain is not None and (name, column) in self._sources:
                    found.setdefault(domain, set()).update({row[i] for row in contents.rows} - {None})
        return found


def _name(table: Table, column: Column) -> Domain | None:
    """The kind of generated id that a column is the source of; None for a column of another kind."""
    if column.kind is not ColumnKind.SURROGATE:
        return None
    return table.name if table.key == (column.name,) else f"{table.name}.{column.name}"


def _is_in(leaf: Any, ids: set[Value]) -> bool:
    return leaf is not None and not isinstance(leaf, tuple) and leaf in ids


def _in_texts(value: Value) -> TypeGuard[str]:
    """Whether a generated id is looked for inside texts."""
    return isinstance(value, str) and len(value) >= _LEAST_LENGTH and not value.isdigit()


class _TextIds:
    """Finds generated ids that are texts inside other texts, where no foreign key tells of them."""

    def __init__(self, created: Mapping[Domain, set[Value]]) -> None:
        self._domains: dict[str, Domain] = {}
        for domain in sorted(created):
            for value in created[domain]:
                if _in_texts(value):
                    self._domains.setdefault(value, domain)
        longest_first = sorted(self._domains, key=len, reverse=True)
        self._pattern = (
            re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)") if longest_first else None
        )

    def find(self, text: Any) -> Any:
        """The text with its ids taken out, as a tuple; anything else as it is."""
        if self._pattern is None or not isinstance(text, str) or self._pattern.search(text) is None:
            return text
        parts: list[Any] = []
        last = 0
        for match in self._pattern.finditer(text):
            parts += [text[last : match.start()], Id(self._domains[match.group()], match.group())]
            last = match.end()
        return ("text", *parts, text[last:])


def _cell(value: Value, column: Column | None, leaf: Callable[[Any], Any]) -> Any:
    if column is not None and column.kind is ColumnKind.FREE_TEXT:
        return ("given", not (value is None or (isinstance(value, str) and value.strip() in ("", "[]", "{}"))))
    if column is not None and column.type.upper() == "JSON" and isinstance(value, str):
        try:
            return _json(json.loads(value), column.set_like, leaf)
        except (ValueError, RecursionError):
            return value
    return leaf(_number(value))


def _json(value: Any, set_like: bool, leaf: Callable[[Any], Any]) -> Any:
    if isinstance(value, list):
        items = [_json(item, False, leaf) for item in value]
        return ("set", frozenset(Counter(items).items())) if set_like else ("list", *items)
    if isinstance(value, dict):
        return ("object", frozenset((leaf(name), _json(inner, False, leaf)) for name, inner in value.items()))
    return leaf(_number(value))


def _number(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    if abs(value) < _LEAST_FLOAT:
        return 0
    rounded = value if value.is_integer() else float(f"{value:.12g}")
    return int(rounded) if rounded.is_integer() else rounded


def _differences(one: list[Part], two: list[Part], manifest: Manifest) -> tuple[str, ...]:
    renaming = rough_renaming(one, two)
    renamed = Counter(Part(part.table, applied(part.cells, renaming)) for part in one)
    others = Counter(two)
    names = {table.name: [c.name for c in table.columns if c.kind is not ColumnKind.LOG] for table in manifest.tables}
    keys = {table.name: table.key for table in manifest.tables}
    only_one, only_two = list((renamed - others).elements()), list((others - renamed).elements())
    sentences: list[str] = []
    twins: dict[Any, list[Part]] = {}
    for part in only_two:
        twins.setdefault(_identity(part, names, keys), []).append(part)
    matched: Counter[Part] = Counter()
    for part in only_one:
        columns = names.get(part.table, [])
        alike = twins.get(_identity(part, names, keys), [])
        if not alike or not keys.get(part.table):
            sentences.append(f"{part.table}: only in the first {_shown(part, columns)}")
            continue
        twin = alike.pop(0)
        matched[twin] += 1
        told = ", ".join(
            f"{n} {_plain(a)!r} / {_plain(b)!r}"
            for n, a, b in zip(columns, part.cells, twin.cells, strict=False)
            if a != b
        )
        sentences.append(f"{part.table} {_key(part, columns, keys[part.table])}: {told}")
    rest = (Counter(only_two) - matched).elements()
    sentences += [f"{part.table}: only in the second {_shown(part, names.get(part.table, []))}" for part in rest]
    return tuple(sentences[:_SHOWN]) or ("generated ids are used differently",)


def _key(part: Part, columns: list[str], key: tuple[str, ...]) -> str:
    return ", ".join(str(_plain(part.cells[columns.index(name)])) for name in key if name in columns)


def _identity(part: Part, columns: Mapping[str, list[str]], keys: Mapping[str, tuple[str, ...]]) -> Any:
    """The table and the key of a row."""
    known = columns.get(part.table, [])
    return part.table, tuple(part.cells[known.index(name)] for name in keys.get(part.table, ()) if name in known)


def _shown(part: Part, columns: list[str]) -> str:
    return "{" + ", ".join(f"{n}: {_plain(v)!r}" for n, v in zip(columns, part.cells, strict=False)) + "}"


def _plain(cell: Any) -> Any:
    if isinstance(cell, Id):
        return cell.value
    if isinstance(cell, tuple) and cell:
        if cell[0] == "text":
            return "".join(str(_plain(part)) for part in cell[1:])
        if cell[0] == "given":
            return "(some text)" if cell[1] else None
        if cell[0] == "list":
            return [_plain(part) for part in cell[1:]]
        if cell[0] == "set":
            return sorted((_plain(item) for item, count in cell[1] for _ in range(count)), key=repr)
        return {_plain(name): _plain(value) for name, value in sorted(cell[1], key=repr)}
    return cell
