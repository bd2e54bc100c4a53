"""Which table lies on which page of an SQLite file, so that what a call changed is found without reading every table.

Invariant: a table none of whose pages differs holds the same rows. Whatever cannot be told (another schema, a page that
no tree here has, a file that is not laid out as SQLite's format says) is told as unknown, never as unchanged. Not
covered: the rows (`mcp_envs/state.py` reads them); overflow pages, which count as nobody's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

__all__ = ["SCHEMA", "changed_pages", "owners_of", "touched"]

SCHEMA = "sqlite_schema"
"""Owner of the pages that hold the schema itself; no table of a state may be called so."""
_HEADER = 100
"""Bytes of the file's header, on the first page before its tree."""
_FIXED = (slice(0, 24), slice(40, 92))
"""Header fields that only another schema or another program changes; the rest counts changes and pages."""
_INDEX_INTERIOR, _TABLE_INTERIOR = 2, 5
_LEAVES = (10, 13)


def owners_of(data: bytes, connection: sqlite3.Connection) -> Mapping[int, str] | None:
    """Page number, from 1, -> table, for the trees of all tables and indexes; None for a file that is not whole.

    `connection` has the same bytes open. Source: SQLite's file format, sections 1.3 and 1.6.
    """
    size = _page_size(data)
    if not size:
        return None
    owners: dict[int, str] = {}
    rooted = "SELECT CAST(tbl_name AS TEXT), CAST(rootpage AS INTEGER) FROM sqlite_master WHERE rootpage > 0"
    for table, root in [(SCHEMA, 1), *connection.execute(rooted)]:
        waiting = [root]
        while waiting:
            page = waiting.pop()
            if page in owners or not 0 < page <= len(data) // size:
                return None
            owners[page] = table
            children = _children(data[(page - 1) * size : page * size], _HEADER if page == 1 else 0)
            if children is None:
                return None
            waiting += children
    return owners


def _page_size(data: bytes) -> int:
    """0 for what is no whole file."""
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    whole = size >= 512 and len(data) % size == 0 and int.from_bytes(data[28:32], "big") * size == len(data)
    return size if whole else 0


def _children(page: bytes, start: int) -> list[int] | None:
    """The pages below one of a tree; None where it is no page of a tree."""
    kind = page[start]
    if kind in _LEAVES:
        return []
    if kind not in (_INDEX_INTERIOR, _TABLE_INTERIOR):
        return None
    cells = int.from_bytes(page[start + 3 : start + 5], "big")
    places = [start + 12 + 2 * cell for cell in range(cells)]
    offsets = [int.from_bytes(page[place : place + 2], "big") for place in places]
    return [int.from_bytes(page[offset : offset + 4], "big") for offset in (start + 8, *offsets)]


def changed_pages(before: bytes, after: bytes) -> Iterator[int] | None:
    """Numbers of the pages of `before` that `after` has otherwise or no longer; None where the header tells another
    file. Pages that only `after` has are reached from a page that differs.
    """
    size = _page_size(before)
    if not size or _page_size(after) != size or any(before[part] != after[part] for part in _FIXED):
        return None
    return _differing(before, after, size)


def _differing(before: bytes, after: bytes, size: int) -> Iterator[int]:
    for page, place in enumerate(range(0, len(before), size), 1):
        start = place + (_HEADER if page == 1 else 0)
        if before[start : place + size] != after[start : place + size]:
            yield page


def touched(before: bytes, after: bytes, owners: Mapping[int, str] | None) -> frozenset[str] | None:
    """The tables whose rows may differ between two files; None where it may be any."""
    pages = changed_pages(before, after)
    if owners is None or pages is None:
        return None
    found = {owners.get(page) for page in pages}
    return None if None in found or SCHEMA in found else frozenset(name for name in found if name is not None)
