"""Which columns of the state a parameter may speak of, by its name.

Invariant: a guess, used to choose values only: a wrong one costs a call, never a verdict. Not covered: the values
(`arguments`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from autoforge.mcp_envs.manifest import Table, ToolRecord

__all__ = ["ColumnSearch", "Match", "touched_tables", "words"]

_IDENTIFIERS = frozenset({"id", "key", "uuid", "name", "number", "code", "slug", "ref", "identifier"})
_LABELS = (("name",), ("title",), ("username",), ("email",), ("label",), ("login",))
"""Columns by which people name a row."""
_ROLES_BEHIND = frozenset({"origen", "destino", "inicial", "final", "inicio", "nuevo", "nueva", "actual"})
"""What Spanish writes behind the noun: `cuenta_origen` is an account."""
_PRESENT = frozenset({"old", "current", "existing", "present"})
"""What stands before the name of something that is there: `old_name`."""
_Scored: TypeAlias = tuple[tuple[str, str], int]
"""Table and column, and how like they are to what was asked for."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Match(NamedTuple):
    """A column that a parameter may mean."""

    score: int
    table: str
    column: str


@lru_cache(maxsize=8192)
def words(name: str) -> tuple[str, ...]:
    """The words of an identifier in any style, in lower case and singular."""
    return tuple(_singular(word.lower()) for word in _WORD.findall(name))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and len(word) > 2 and not word.endswith(("ss", "us", "is")) else word


def touched_tables(record: ToolRecord, tables: Mapping[str, Table]) -> list[str]:
    """Tables that a tool is about, the nearest first."""
    effects = record.effects
    own = [table.name for table in tables.values() if table.entity == record.entity]
    names = [*own, *effects.updates, *effects.deletes, *effects.creates, *effects.reads]
    return [name for name in dict.fromkeys(names) if name in tables]


class ColumnSearch:
    """Finds columns by the names of parameters. How a name and the columns are alike is found once for all tools, and
    only what depends on the tool for each.
    """

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._tables = tables
        self._places = {name: place for place, name in enumerate(tables)}
        self._alike: dict[tuple[str, ...], dict[str, list[_Scored]]] = {}

    def columns_for(self, name: str, record: ToolRecord) -> list[Match]:
        """Columns that a parameter may mean, the likeliest first."""
        near = touched_tables(record, self._tables)
        asked = _asked(name)
        alike = self._alike_to(asked)
        best: dict[tuple[str, str], int] = {}
        for table in sorted({*near, *alike}, key=self._places.__getitem__):
            bonus = 20 if near and table == near[0] else 10 if table in near else 0
            scored = _scores(asked, self._tables[table], table == near[0], self._tables) if bonus else alike[table]
            for column, score in scored:
                if score + bonus > best.get(column, 0):
                    best[column] = score + bonus
        matches = [Match(score, *column) for column, score in best.items()]
        return sorted(matches, key=lambda match: -match.score)

    def _alike_to(self, asked: tuple[str, ...]) -> dict[str, list[_Scored]]:
        """By table, the columns that are like a name at all, for tools that have nothing to do with the table."""
        known = self._alike.get(asked)
        if known is None:
            each = {n: [s for s in _scores(asked, t, False, self._tables) if s[1] > 0] for n, t in self._tables.items()}
            known = self._alike[asked] = {name: scored for name, scored in each.items() if scored}
        return known


def _asked(name: str) -> tuple[str, ...]:
    """The words of a parameter's name that tell a column."""
    asked = words(re.sub(r"_?\d+$", "", name) or name)
    asked = asked[:-1] if len(asked) > 1 and asked[-1] in _ROLES_BEHIND else asked
    return asked[1:] if len(asked) > 1 and asked[0] in _PRESENT else asked


def _scores(asked: tuple[str, ...], table: Table, own: bool, tables: Mapping[str, Table]) -> Iterator[_Scored]:
    entity = words(table.entity)
    for column in table.columns:
        named = words(column.name)
        score = _likeness(asked, named, entity)
        if column.name in table.key:
            score = max(score, _key_likeness(asked, entity, own))
        if asked == entity and named[-1:] in _LABELS:
            score = max(score, 75)
        yield (table.name, column.name), score
        if column.references in tables:
            parent = tables[str(column.references)]
            points_to = words(parent.entity)
            if asked in (points_to, (*points_to, "id")):
                yield (table.name, column.name), 70
            if score >= 40 and len(parent.key) == 1:
                yield (parent.name, parent.key[0]), score - 5


def _likeness(asked: tuple[str, ...], named: tuple[str, ...], entity: tuple[str, ...]) -> int:
    if not asked or not named:
        return 0
    if asked == named:
        return 80
    if asked == entity + named:
        return 85
    if asked[-len(entity) - len(named) :] == entity + named:
        return 65
    if asked[-len(named) :] == named:
        return 45 if named != ("id",) else 15
    if named[-len(asked) :] == asked:
        return 40
    if set(named) <= set(asked) and named != ("id",):
        return 36
    return 10 * len(set(asked) & set(named))


def _key_likeness(asked: tuple[str, ...], entity: tuple[str, ...], own: bool) -> int:
    """How likely the name means the key of an entity: by its name, by `id` alone, or by a part of its name
    (`source_account` an account).
    """
    if asked == entity or (asked[:-1] == entity and asked[-1] in _IDENTIFIERS):
        return 90
    if own and len(asked) == 1 and asked[0] in _IDENTIFIERS:
        return 90 if asked[0] in ("id", "key", "uuid") else 50
    tail = asked[:-1] if asked and asked[-1] in _IDENTIFIERS else asked
    return 60 if tail and (tail[-len(entity) :] == entity or entity[-len(tail) :] == tail) else 0
