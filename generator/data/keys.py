"""The key of each table, and the columns made up for it: position in a list, number of a row, key of the owner.

Invariant: a key is unique and never NULL, an order sorts the rows of one list as they stood in the data, and a table
that has children has one key column. Not covered: references between tables of the data (`links`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from autoforge.generator.data.drafts import Column, Draft
from autoforge.generator.data.naming import free_name, noun_of, owner_name
from autoforge.generator.data.shapes import data_like
from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.words import column_name
from autoforge.generator.vocabulary import word_list, word_set

__all__ = ["add_key_columns", "choose_keys"]

_KEYABLE = frozenset((ColumnType.INTEGER, ColumnType.TEXT, ColumnType.DATE, ColumnType.DATETIME))
_OWN_NAMES = word_list("id {0}_id uuid guid key {0}_key {0}_code {0}_symbol {0}_number {0}_no")
_FIRST_NAMES = word_set("code symbol sku slug number username user_name email isbn iban iata handle")
"""They identify a row where they stand first; elsewhere they often name another thing."""


def choose_keys(drafts: Sequence[Draft]) -> None:
    """Choose among the columns of the data; where none serves, `key` stays empty for `add_key_columns`."""
    nouns = {noun_of(d) for d in drafts}
    for draft in drafts:
        if not draft.key and draft.kind != "single" and (found := _natural_key(draft, nouns)) is not None:
            draft.key = (found,)


def _natural_key(draft: Draft, nouns: set[str]) -> Column | None:
    own = draft.own_key
    if own is not None and own.role == "data" and _serves(own):
        return own
    by_value = _value_key(draft)
    if by_value is not None:
        return by_value
    if own is not None and _serves(own) and (draft.parent is None or (_by_id(own) and len(set(draft.owners)) > 1)):
        return own
    noun = noun_of(draft)
    columns = {column_name(c.path[0]): c for c in reversed(draft.columns) if len(c.path) == 1 and c.role == "data"}
    named = [columns[n] for n in (name.format(noun) for name in _OWN_NAMES) if n in columns]
    if columns and draft.columns[0].role == "data":
        first = next(reversed(columns))
        stem, _, suffix = first.rpartition("_")
        if (suffix == "id" and stem not in nouns) or (first in _FIRST_NAMES and draft.size > 1):
            named.append(columns[first])
    return next((c for c in named if _serves(c)), None)


def _value_key(draft: Draft) -> Column | None:
    """Of a map or list of scalars: the members, where they are ids and the keys of the map are not."""
    values = [c for c in draft.columns if c.role == "value"]
    if (
        len(values) != 1
        or draft.many
        or draft.parent is not None
        or not _serves(values[0])
        or values[0].type is not ColumnType.TEXT
    ):
        return None
    telling = all(data_like(str(v)) for v in values[0].values())
    if draft.kind == "list":
        return None if any(len(str(v)) > 40 or " " in str(v) for v in values[0].values()) else values[0]
    return (
        values[0]
        if telling and draft.own_key is not None and not any(data_like(str(k)) for k in draft.own_key.values())
        else None
    )


def _by_id(column: Column) -> bool:
    return column.type is ColumnType.TEXT and all(data_like(str(v)) for v in column.values())


def _serves(column: Column) -> bool:
    """Whether every row has a value, and no two the same."""
    if column.type not in _KEYABLE or column.forms or column.codec in ("json_text", "integer_text"):
        return False
    cells = column.cells
    return bool(cells) and None not in cells and len(set(map(str, cells))) == len(cells)


def add_key_columns(drafts: Iterable[Draft]) -> None:
    """Make up what keys and orders still need; parents must come before their children, and all data columns be
    named."""
    drafts = list(drafts)
    parents = {id(d.parent) for d in drafts if d.parent is not None}
    for draft in drafts:
        if draft.parent is not None:
            draft.owner = _owner_column(draft)
        if draft.kind == "single":
            draft.key = (_made_up(draft, "number", "id", [1]),)
        elif not draft.key:
            _make_key(draft, id(draft) in parents)
        if draft.positions is not None and not draft.order:
            draft.order = _order(draft)


def _owner_column(draft: Draft) -> Column:
    assert draft.parent is not None
    (key,) = draft.parent.key
    column = Column((), [key.cells[row] for row in draft.owners], role="owner", type=key.type)
    column.target = draft.parent
    column.name = free_name(owner_name(draft, key), {c.name.casefold() for c in draft.columns}.__contains__)
    draft.columns.insert(0, column)
    return column


def _made_up(draft: Draft, role: str, name: str, cells: list[JsonValue]) -> Column:
    taken = {c.name.casefold() for c in draft.columns}
    wanted = [name, f"row_{name}" if role == "number" else f"list_{name}"]
    column = Column((), cells, role="number" if role == "number" else "position", type=ColumnType.INTEGER)
    column.name = free_name(wanted, taken.__contains__)
    draft.columns.insert(0, column)
    return column


def _make_key(draft: Draft, has_children: bool) -> None:
    if draft.parent is None and draft.own_key is None:
        made = _made_up(draft, "position", "position", list(range(1, draft.size + 1)))
        draft.key = draft.order = (made,)
    elif has_children:
        made = _made_up(draft, "number", "id", list(range(1, draft.size + 1)))
        draft.key = (made,)
        draft.order = (made,) if draft.positions is not None else ()
    else:
        parts = [draft.owner] if draft.owner is not None else []
        if draft.own_key is not None and (draft.kind == "map"):
            parts.append(draft.own_key)
        if (other := _tells_apart(draft)) is not None:
            parts.append(other)
        elif draft.positions is not None:
            draft.order = (_made_up(draft, "position", "position", list(draft.positions)),)
            parts.extend(draft.order)
        draft.key = tuple(parts)


def _tells_apart(draft: Draft) -> Column | None:
    """The reference that tells rows of one owner apart, where the data shows it: the location of a product's stock."""
    if draft.own_key is not None or len(set(draft.owners)) < 2 or len(set(draft.owners)) == draft.size:
        return None
    references = (
        c
        for c in draft.columns
        if c.target is not None and c.role == "data" and len(c.path) == 1 and None not in c.cells
    )
    return next((c for c in references if len(set(zip(draft.owners, c.cells, strict=True))) == draft.size), None)


def _order(draft: Draft) -> tuple[Column, ...]:
    """The key where it rises within every list, else a position."""
    if not draft.key[-1].generated and draft.key[-1] is not draft.owner and _rises(draft):
        return draft.key[-1:]
    assert draft.positions is not None
    return (_made_up(draft, "position", "position", list(draft.positions)),)


def _rises(draft: Draft) -> bool:
    assert draft.positions is not None
    cells = draft.key[-1].cells
    pairs = zip(cells, cells[1:], draft.positions[1:], strict=False)
    return all(place == 1 or before < after for before, after, place in pairs)  # type: ignore[operator]
