"""CSV text → a draft: one table, named after the file, whose first line names the columns.

Invariant: every cell is kept as written; an empty cell is NULL. Not covered: a table without a header, quoting as it
was.
"""

from __future__ import annotations

import csv
import io
from itertools import islice, pairwise

from autoforge.generator.data.drafts import CellPlan, Column, Draft, GroupPlan, RowsPlan
from autoforge.mcp_envs.errors import BadInput

__all__ = ["read_csv"]

_DELIMITERS = ",;\t|"
_LOOKED_AT = 100
"""Rows in which the delimiter is looked for."""


def read_csv(text: str, file: str, stem: str) -> RowsPlan:
    """The plan of the one table. Raises BadInput with the line for rows of the wrong length and for bad headers."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        rows.extend((reader.line_num, row) for row in reader if row)
    except csv.Error as error:
        raise BadInput(
            f"{file}, line {reader.line_num}: this is not CSV ({error}); correct the quoting there."
        ) from None
    if not rows:
        raise BadInput(f"{file} holds no table: its first line must name the columns.")
    header = _header(rows.pop(0)[1], file)
    for line, row in rows:
        if len(row) != len(header):
            raise BadInput(
                f"{file}, line {line}: {len(row)} cells, but the header names {len(header)} columns; "
                "quote cells that hold the delimiter."
            )
    if not rows:
        raise BadInput(f"{file} holds a header and no row: add a row, or leave the file out.")
    draft = Draft(stem, file, "list", len(rows), positions=list(range(1, len(rows) + 1)))
    for i, name in enumerate(header):
        draft.columns.append(Column((name,), [row[i] or None for _, row in rows], written=True))
    return RowsPlan(draft, GroupPlan([(c.path[0], CellPlan(c)) for c in draft.columns]))


def _header(names: list[str], file: str) -> list[str]:
    if all(n.strip().replace(".", "", 1).lstrip("-").isdigit() for n in names):
        raise BadInput(
            f"{file}, line 1: the first line must name the columns, and it holds numbers only; add a header."
        )
    repeated = next((b for a, b in pairwise(sorted(names)) if a == b), None)
    if repeated is not None:
        raise BadInput(f"{file}, line 1: the column {repeated!r} occurs twice; rename one of them.")
    return names


def _delimiter(text: str) -> str:
    """The one that cuts the first rows into equally many cells; csv.Sniffer is misled by commas in prose."""
    first = text.partition("\n")[0]
    held = [d for d in _DELIMITERS if d in first]
    return max(held, key=lambda d: _suits(text, d), default=",")


def _suits(text: str, delimiter: str) -> tuple[bool, bool, int]:
    """Whether rows are equally long, whether no cell begins with a space (as in prose), and how many columns."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [row for row in islice(reader, _LOOKED_AT) if row]
    except csv.Error:
        return (False, False, 0)
    spaced = any(cell.startswith(" ") for row in rows for cell in row)
    return (len({len(row) for row in rows}) == 1, not spaced, len(rows[0]))
