"""Finds the rows of tables in outputs.

Invariant: an item counts as a row only where its values are those of one row of the state that the call left, at least
the key or two columns of like names; the mapping of columns to item paths holds for every item that was seen. Not
covered: values that are no rows (`fields_of` lists them as they are).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autoforge.generator.conformance.columns import words
from autoforge.generator.tasks.catalogue import Field, RowSet
from autoforge.mcp_envs.manifest import Manifest, Table
from autoforge.mcp_envs.paths import join
from autoforge.mcp_envs.state import State, Value

__all__ = ["RowFinder", "fields_of", "loaded", "type_of_value"]

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?")
_MOST_ITEMS = 12
_PLAIN = tuple((word,) for word in "result data item record row entry value content response payload output".split())
"""What an output calls its rows, whatever they are."""
_Path = tuple[str | int | None, ...]


def type_of_value(value: Any) -> str:
    """number, text, date, boolean, list or object."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, list):
        return "list"
    if isinstance(value, dict):
        return "object"
    return "date" if isinstance(value, str) and _DATE.fullmatch(value) else "text"


class RowFinder:
    """Aligns output items with rows."""

    def __init__(self, manifest: Manifest) -> None:
        self._tables = manifest.tables

    def row_sets(
        self, values: Sequence[Any], arguments: Sequence[Mapping[str, Any]], states: Sequence[State]
    ) -> tuple[RowSet, ...]:
        """The row sets of a tool, from its sample outputs and the states after the calls."""
        votes: dict[_Path, Counter[str]] = defaultdict(Counter)
        maps: dict[tuple[_Path, str], list[dict[str, str]]] = defaultdict(list)
        types: dict[_Path, dict[str, str]] = defaultdict(dict)
        for value, given, state in zip(values, arguments, states, strict=True):
            rows = _Rows(self._tables, state)
            for path, items in _items(value):
                for item in items[:_MOST_ITEMS]:
                    flat = _flat(item)
                    types[path].update({p: type_of_value(v) for p, v in flat.items() if v is not None})
                    match = rows.match(flat, path, given)
                    if match is not None:
                        votes[path][match[0]] += 1
                        maps[path, match[0]].append(match[1])
        found = []
        for path, counted in votes.items():
            table = counted.most_common(1)[0][0]
            fields = _common(maps[path, table])
            if fields:
                found.append(RowSet(join(path), table, fields, types[path]))
        return tuple(row_set for row_set in found if not _wraps(row_set, found))


def _wraps(row_set: RowSet, others: Sequence[RowSet]) -> bool:
    """Whether an object is no row but holds one: `{"account": {…}}`."""
    nested = [p.split(".")[0] for p in row_set.fields.values() if "." in p]
    return len(nested) > len(row_set.fields) / 2 and any(
        o.table == row_set.table and o.path == f"{row_set.path}.{nested[0]}" for o in others
    )


class _Rows:
    """The rows of a state, looked up by the values of identifying columns."""

    def __init__(self, tables: Sequence[Table], state: State) -> None:
        self._tables = [(t, state[t.name].records()) for t in tables if t.name in state]
        self._by_key: dict[str, dict[Any, list[Mapping[str, Value]]]] = {}
        for table, records in self._tables:
            index: dict[Any, list[Mapping[str, Value]]] = defaultdict(list)
            for record in records:
                if table.key:
                    index[record.get(table.key[0])].append(record)
            self._by_key[table.name] = index

    def match(
        self, flat: Mapping[str, Any], path: _Path, given: Mapping[str, Any]
    ) -> tuple[str, dict[str, str]] | None:
        """The table of an item, with column -> path inside it."""
        best: tuple[float, str, dict[str, str]] | None = None
        named = words(next((p for p in reversed(path) if isinstance(p, str)), ""))
        for table, _ in self._tables:
            for record in self._candidates(table, flat, given):
                mapped = _mapped(table, record, flat)
                keyed = bool(table.key) and table.key[0] in mapped
                if _other_key(table, mapped, flat):
                    continue
                direct = sum("." not in field for field in mapped.values())
                score = direct + 0.2 * (len(mapped) - direct) + keyed
                alike = bool({*words(table.entity), *words(table.name)} & set(named)) or not named or named in _PLAIN
                score += 0.6 * (words(table.entity) == named or words(table.name) == named)
                told = [f for f in mapped.values() if not isinstance(flat[f], bool)]
                own = len([f for f in told if "." not in f])
                enough = own >= (2 if alike else 3) or len(told) >= 3 or (keyed and len(flat) == 1)
                if enough and (best is None or score > best[0]):
                    best = score, table.name, mapped
        return None if best is None else (best[1], best[2])

    def _candidates(
        self, table: Table, flat: Mapping[str, Any], given: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Value]]:
        index = self._by_key[table.name]
        told = [v for v in (*flat.values(), *_leaves(given)) if isinstance(v, str | int | float)]
        for value in dict.fromkeys(told):
            yield from index.get(value, ())[:4]
        if table.singleton:
            yield from (record for records in index.values() for record in records[:1])


def _other_key(table: Table, mapped: Mapping[str, str], flat: Mapping[str, Any]) -> bool:
    """Whether the item has a key of its own, so that it only points to the row."""
    if len(table.key) != 1 or table.key[0] not in mapped:
        return False
    path = mapped[table.key[0]]
    own = [p for p in flat if words(p) == words(table.key[0])]
    return bool(own) and path not in own


def _mapped(table: Table, record: Mapping[str, Value], flat: Mapping[str, Any]) -> dict[str, str]:
    """Column -> path of the item that holds its value under a like name."""
    mapped: dict[str, str] = {}
    entity = words(table.entity)
    for column in table.columns:
        stored = record.get(column.name)
        if stored is None:
            continue
        best: tuple[int, str] | None = None
        for path, value in flat.items():
            if not _equal(stored, value):
                continue
            score = _likeness(words(column.name), words(path.rpartition(".")[2]), entity, path, stored)
            if score and (best is None or score > best[0]):
                best = score, path
        if best is not None and best[1] not in mapped.values():
            mapped[column.name] = best[1]
    return mapped


def _likeness(
    column: tuple[str, ...], field: tuple[str, ...], entity: tuple[str, ...], path: str, stored: Value
) -> int:
    if not path:
        return 2  # the item is the value
    flat_bonus = "." not in path
    if field == column:
        return 6 + flat_bonus
    if (*entity, *field) == column or (*entity, *column) == field:
        return 5 + flat_bonus
    if field[-1:] == column[-1:] and field and flat_bonus:
        return 3
    return 1 if isinstance(stored, str) and len(stored) > 5 and not _DATE.fullmatch(stored) and flat_bonus else 0


def _equal(stored: Value, value: Any) -> bool:
    if isinstance(value, bool):
        return stored in (0, 1) and bool(stored) == value
    if isinstance(value, list | dict):
        return isinstance(stored, str) and stored[:1] in ("[", "{") and loaded(stored) == value
    return value is not None and not isinstance(stored, bytes) and stored == value


def loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _items(value: Any, path: _Path = ()) -> Iterator[tuple[_Path, list[Any]]]:
    """Lists of objects or plain values, maps of objects, and objects, with their paths; not inside lists of lists."""
    if _is_map(value):
        if None not in path:
            yield (*path, None), list(value.values())
    elif isinstance(value, dict):
        yield path, [value]
        for name, inner in value.items():
            yield from _items(inner, (*path, name))
    elif isinstance(value, list) and None not in path and value and _is_even(value):
        yield (*path, None), value


def _is_map(value: Any) -> bool:
    """Whether the names of an object are data: the keys of rows, which stand in the rows too."""
    return isinstance(value, dict) and bool(value) and all(
        isinstance(item, dict) and any(isinstance(v, str | int) and str(v) == name for v in item.values())
        for name, item in value.items()
    )  # fmt: skip


def _is_even(items: list[Any]) -> bool:
    """Whether all are objects, or all plain values."""
    return all(isinstance(item, dict) for item in items) or not any(isinstance(item, list | dict) for item in items)


def _flat(item: Any) -> dict[str, Any]:
    """Path inside an item -> value, two levels deep; lists as they are."""
    if not isinstance(item, dict):
        return {"": item}
    found: dict[str, Any] = {}
    for name, value in item.items():
        here = join((name,), "").removeprefix(".")
        if isinstance(value, dict):
            for inner, leaf in value.items():
                if not isinstance(leaf, dict):
                    found[join((name, inner), "").removeprefix(".")] = leaf
        else:
            found[here] = value
    return found


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def _common(maps: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Column -> the path it was mostly seen at."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for mapped in maps:
        for column, path in mapped.items():
            votes[column][path] += 1
    return {column: counted.most_common(1)[0][0] for column, counted in votes.items()}


def fields_of(values: Sequence[Any], rows: Sequence[RowSet]) -> tuple[Field, ...]:
    """Plain values of outputs that stand outside of lists and of row sets with a mapped path there."""
    inside = {
        r.path.rstrip() + ("." + p if p and not p.startswith("[") else p)
        for r in rows
        if not r.many
        for p in r.fields.values()
    }
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for value in values:
        for path, leaf in _plain_leaves(value, ()):
            if leaf is not None:
                found[join(path)][type_of_value(leaf)] += 1
    return tuple(
        Field(path, counted.most_common(1)[0][0])  # type: ignore[arg-type]
        for path, counted in found.items()
        if path not in inside
    )


def _plain_leaves(value: Any, path: _Path) -> Iterator[tuple[_Path, Any]]:
    if _is_map(value):
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _plain_leaves(inner, (*path, name))
    elif not isinstance(value, list):
        yield path, value
