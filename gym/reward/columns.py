"""Two states with the same columns, though one was read before all of them had been seen.

Invariant: a state is changed by columns that hold nothing, and by nothing else. Not covered: tables that one of them
lacks.
"""

from __future__ import annotations

from autoforge.mcp_envs.state import Contents, State

__all__ = ["with_same_columns"]


def with_same_columns(first: State, second: State) -> tuple[State, State]:
    """The two, where a table has the columns of the first and then those that only the second has."""
    odd = [name for name in first.keys() & second.keys() if first[name].columns != second[name].columns]
    if not odd:
        return first, second
    columns = {name: tuple(dict.fromkeys((*first[name].columns, *second[name].columns))) for name in odd}
    return (
        {**first, **{name: _widened(first[name], columns[name]) for name in odd}},
        {**second, **{name: _widened(second[name], columns[name]) for name in odd}},
    )


def _widened(contents: Contents, columns: tuple[str, ...]) -> Contents:
    rows = (dict(zip(contents.columns, row, strict=True)) for row in contents.rows)
    return Contents(columns, tuple(tuple(row.get(name) for name in columns) for row in rows))
