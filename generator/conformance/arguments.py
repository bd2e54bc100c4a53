"""Arguments for calls that should succeed, drawn from the state.

Invariant: the same state and seed give the same proposals, and the server takes each of them. Not covered: whether the
tool does (`probe`).
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

from autoforge.generator.conformance.columns import touched_tables, words
from autoforge.generator.conformance.subject import JsonSchema, Parameter, Subject, Tool
from autoforge.generator.conformance.values import EARLY, LATE, fitted, kinds, samples
from autoforge.mcp_envs.runtime import CLOCK_TABLE
from autoforge.mcp_envs.state import State, Value

__all__ = ["Proposer"]

_MOST_CANDIDATES = 40
_MOST_ROWS = 8
"""Rows of a table that are tried as what a call is about."""
_MOST_TABLES = 3
_SEARCHING = frozenset(
    {"query", "q", "search", "term", "text", "keyword", "pattern", "filter", "content", "needle", "phrase"}
)
_FOLDERS = frozenset({"directory", "folder", "dir"})
_NEAR = 35
"""Least score of a column whose values are taken along with the rest of its row."""

Record = Mapping[str, Value]


def _folder_of(record: Record) -> str | None:
    """The folder that a row's path lies in, where the row has a path."""
    path = next((v for v in record.values() if isinstance(v, str) and v.startswith("/") and v.count("/") > 1), None)
    return path.rpartition("/")[0] if path is not None else None


class Proposer:
    """Proposals on one state."""

    def __init__(self, subject: Subject, state: State, seed: int) -> None:
        self._subject = subject
        self._tables = subject.tables
        self._records = {name: contents.records() for name, contents in state.items()}
        self._seed = seed
        clock = self._records.get(CLOCK_TABLE) or [{"now": "2026-01-01T00:00:00"}]
        self._now = str(clock[0]["now"])
        self._known: dict[tuple[str, str], list[Any]] = {}

    def values(self, tool: Tool, parameter: Parameter) -> list[Any]:
        """Values for a parameter that the server takes: of the state, of the schema, of the code, and extreme ones."""
        known = self._known.get((tool.name, parameter.name))
        if known is None:
            found = self._candidates(tool, parameter)
            known = [value for value in found if tool.accepts_value(parameter.name, value)][:_MOST_CANDIDATES]
            self._known[tool.name, parameter.name] = known
        return known

    def _candidates(self, tool: Tool, parameter: Parameter) -> list[Any]:
        schema, name = parameter.schema, parameter.name
        shown = [v for v in (*(schema.get("enum") or ()), *(schema.get("examples") or ())) if v is not None]
        stored = self._stored(tool, schema, name, 24)
        fresh = samples(tool, schema, name, self._now)
        literal = (
            [v for value in tool.literals for v in fitted(value, schema, tool.resolved)] if _is_scalar(schema) else []
        )
        composed = [] if _is_scalar(schema) else self._composed(tool, schema, name)
        fragments = [word for text in stored if isinstance(text, str) for word in text.split() if len(word) > 3][:4]
        matches = self._subject.columns(tool, name)
        near = bool(matches) and matches[0].score >= _NEAR
        first, second = (stored, literal) if near else (literal, stored)
        found = [
            *shown,
            *composed[:6],
            *first[:8],
            *fresh[:3],
            *second[:8],
            *fragments,
            *fresh[3:],
            *first[8:],
            *composed[6:],
            *second[8:],
        ]
        return list({json.dumps(v, sort_keys=True): v for v in found}.values())

    def _stored(self, tool: Tool, schema: JsonSchema, name: str, most: int) -> list[Any]:
        """Stored values of the columns that the name may mean; where none does, of the keys and texts of the tool's
        tables.
        """
        places = [(m.table, m.column) for m in self._subject.columns(tool, name) if m.score >= 10][:5]
        if not places:
            near = [self._tables[t] for t in touched_tables(tool.record, self._tables)][:_MOST_TABLES]
            places = [(t.name, key) for t in near for key in t.key]
            places += [(t.name, c.name) for t in near[:2] for c in t.columns if c.type == "TEXT"]
        found: list[Any] = []
        for table, column in places:
            values = dict.fromkeys(record[column] for record in self._records.get(table, ()) if column in record)
            fits = [v for value in list(values)[:most] for v in fitted(value, schema, tool.resolved)]
            found += [v for v in fits if v not in found][: max(4, most // len(places))]
        return found[:most]

    def _composed(self, tool: Tool, schema: JsonSchema, name: str) -> list[Any]:
        """Lists and objects whose parts come from the state."""
        found: list[Any] = []
        if "array" in kinds(schema):
            items = tool.resolved(schema.get("items") or {})
            inner = self._inner(tool, items, name)
            found += [[value] for value in inner[:4]] + ([inner[:2], inner[:3]] if len(inner) > 1 else [])
        if "object" in kinds(schema):
            found += [self._object(tool, schema, n) for n in range(4)]
        return found

    def _inner(self, tool: Tool, schema: JsonSchema, name: str) -> list[Any]:
        if "object" in kinds(schema):
            return [self._object(tool, schema, n) for n in range(4)]
        enum = [v for v in schema.get("enum") or () if v is not None]
        return enum or [*self._stored(tool, schema, name, 6), *samples(tool, schema, name, self._now)[:2]]

    def _object(self, tool: Tool, schema: JsonSchema, n: int, depth: int = 0) -> dict[str, Any]:
        made: dict[str, Any] = {}
        required = set(schema.get("required") or ())
        for name, raw in (schema.get("properties") or {}).items():
            inner = tool.resolved(raw)
            if n % 2 and name not in required:
                continue
            if "object" in kinds(inner) and depth < 3:
                made[name] = self._object(tool, inner, n, depth + 1)
            else:
                choices = (
                    self._inner(tool, inner, name)
                    if "array" not in kinds(inner)
                    else samples(tool, inner, name, self._now)
                )
                made[name] = choices[(n // 2) % len(choices)] if choices else None
        return made

    def proposals(self, tool: Tool) -> Iterator[dict[str, Any]]:
        """Whole calls, the likeliest to succeed first, without repeats, without end of ideas but with an end."""
        seen: set[str] = set()
        for proposal in self._ideas(tool):
            text = json.dumps(proposal, sort_keys=True)
            if text not in seen and tool.accepts(proposal):
                seen.add(text)
                yield proposal

    def _ideas(self, tool: Tool) -> Iterator[dict[str, Any]]:
        chance = random.Random(f"{self._seed} {tool.name}")
        tables = touched_tables(tool.record, self._tables)[:_MOST_TABLES] or list(self._tables)[:_MOST_TABLES]
        rows = [(table, record) for table in tables for record in self._varied(table)]
        fresh = {p.name: self._fresh(tool, p) for p in tool.parameters}
        if tool.record.effects.creates:
            yield from self._with_rows(tool, rows[:2], fresh, new=True)
        if tool.reads_only:
            yield from self._broad(tool, fresh)
            yield self._wide(tool, self._required(tool, fresh))
            yield from (self._wide(tool, told) for told in self._with_rows(tool, rows[:4], fresh, new=False))
        yield from self._with_rows(tool, rows, fresh, new=False)
        yield from self._with_rows(tool, rows[:4], fresh, new=True)
        yield self._required(tool, fresh)
        yield fresh
        for needed in [p for p in tool.parameters if p.required]:
            for value in self.values(tool, needed)[:12]:
                yield {**self._required(tool, fresh), needed.name: value}
        for optional in [p for p in tool.parameters if not p.required]:
            for value in [fresh[optional.name], *self.values(tool, optional)[:4]]:
                yield {**self._required(tool, fresh), optional.name: value}
        for _ in range(60):
            yield self._random(tool, chance)

    def _with_rows(
        self, tool: Tool, rows: list[tuple[str, Record]], fresh: dict[str, Any], *, new: bool
    ) -> Iterator[dict[str, Any]]:
        searching = [p for p in tool.parameters if set(words(p.name)) & _SEARCHING and "string" in kinds(p.schema)]
        for table, record in rows:
            told = self._coherent(tool, table, record, new)
            for parameter, text in itertools.product(searching, self._texts_of(table, record)[:4]):
                yield {**self._required(tool, {**fresh, **told}), parameter.name: text}
            yield self._required(tool, {**fresh, **told})
            yield {**fresh, **told}
            yield {**self._required(tool, {**fresh, **told}), **told}
            otherwise = self._coherent(tool, table, record, new, second=True)
            if otherwise != told:
                yield self._required(tool, {**fresh, **told, **otherwise})

    def _broad(self, tool: Tool, fresh: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Searches for a common letter, which find many rows."""
        for parameter in tool.parameters:
            if set(words(parameter.name)) & _SEARCHING and "string" in kinds(parameter.schema):
                for letter in ("e", "a"):
                    yield {**self._required(tool, fresh), parameter.name: letter}

    def _texts_of(self, table: str, record: Record) -> list[str]:
        """The texts of a row, which a search might find it by."""
        names = [
            c.name for c in self._tables[table].columns if c.type == "TEXT" and c.name not in self._tables[table].key
        ]
        return [text for name in names if isinstance(text := record.get(name), str) and text]

    def _wide(self, tool: Tool, told: Mapping[str, Any]) -> dict[str, Any]:
        """With the ends of ranges as far apart as they go."""
        wide = dict(told)
        for parameter in tool.parameters:
            asked = set(words(parameter.name))
            values = [
                v for v in self.values(tool, parameter) if isinstance(v, int | float | str) and not isinstance(v, bool)
            ]
            if (
                parameter.name in told
                and values
                and asked & (EARLY | LATE)
                and len({isinstance(v, str) for v in values}) == 1
            ):
                dated = [v for v in values if not isinstance(v, str) or v[:4].isdigit()] or values
                wide[parameter.name] = min(dated) if asked & EARLY else max(dated)
        return wide

    def _coherent(self, tool: Tool, table: str, record: Record, new: bool, *, second: bool = False) -> dict[str, Any]:
        """What a row, and the rows around it, say of the parameters: with `new`, only where it points; with
        `second`, by the second likeliest column.
        """
        found: dict[str, Any] = {}
        family = self._family(table, record)
        for parameter in tool.parameters:
            passed_over = not second
            folder = _folder_of(record) if set(words(parameter.name)) & _FOLDERS else None
            if folder is not None and tool.accepts_value(parameter.name, folder):
                found[parameter.name] = folder
                continue
            for match in self._subject.columns(tool, parameter.name):
                row = family.get(match.table)
                if match.score < _NEAR or row is None:
                    continue
                column = next(c for c in self._tables[match.table].columns if c.name == match.column)
                if new and match.table == table and column.references is None:
                    continue
                fits = [
                    v
                    for v in fitted(row.get(match.column), parameter.schema, tool.resolved)
                    if tool.accepts_value(parameter.name, v)
                ]
                if fits:
                    found[parameter.name] = fits[0]
                    if passed_over:
                        break
                    passed_over = True
        return found

    def _family(self, table: str, record: Record) -> dict[str, Record]:
        """A row, the rows its foreign keys lead to, and a row that points to it, by table."""
        family = {table: record}
        frontier = [(table, record)]
        while frontier:
            name, row = frontier.pop()
            for column in self._tables[name].columns:
                parent = self._tables.get(column.references or "")
                if parent is None or parent.name in family or len(parent.key) != 1 or row.get(column.name) is None:
                    continue
                match = next(
                    (r for r in self._records.get(parent.name, ()) if r.get(parent.key[0]) == row[column.name]), None
                )
                if match is not None:
                    family[parent.name] = match
                    frontier.append((parent.name, match))
        key = self._tables[table].key
        for child, link in self._subject.children.get(table, ()) if len(key) == 1 else ():
            if child not in family:
                own = record.get(key[0])
                match = next((r for r in self._records.get(child, ()) if r.get(link) == own), None)
                if match is not None:
                    family[child] = match
        for single in self._subject.singletons:
            if single not in family and self._records.get(single):
                family[single] = self._records[single][0]
        return family

    def _varied(self, table: str) -> list[Record]:
        """Rows of a table that differ in what has few values (status, type), then the first ones."""
        records: list[Record] = list(self._records.get(table, ()))
        few = [
            c.name
            for c in self._tables[table].columns
            if c.enum or c.type in ("BOOLEAN", "JSON") or c.references is not None
        ]
        seen: set[tuple[str, Any]] = set()
        novel: list[Record] = []
        for record in records[:200]:
            traits = {(name, record.get(name) if name in few else None) for name in few}
            if not traits <= seen:
                seen |= traits
                novel.append(record)
        return [*novel, *(r for r in records if r not in novel)][:_MOST_ROWS]

    def _fresh(self, tool: Tool, parameter: Parameter) -> Any:
        """A value for a row that is not there yet; a stored one where the parameter points somewhere."""
        matches = self._subject.columns(tool, parameter.name)
        own = touched_tables(tool.record, self._tables)[:1]
        points = bool(matches) and matches[0].score >= 60 and self._is_link(matches[0].table, matches[0].column, own)
        values = self.values(tool, parameter)
        made = [
            v
            for v in samples(tool, parameter.schema, parameter.name, self._now)
            if tool.accepts_value(parameter.name, v)
        ]
        choices = values if points or tool.reads_only or not _is_scalar(parameter.schema) or not made else made
        return choices[0] if choices else None

    def _is_link(self, table: str, column: str, own: list[str]) -> bool:
        found = next(c for c in self._tables[table].columns if c.name == column)
        return found.references is not None or (column in self._tables[table].key and [table] != own)

    def _required(self, tool: Tool, values: Mapping[str, Any]) -> dict[str, Any]:
        return {p.name: values[p.name] for p in tool.parameters if p.required and p.name in values}

    def _random(self, tool: Tool, chance: random.Random) -> dict[str, Any]:
        proposal = {}
        for parameter in tool.parameters:
            values = self.values(tool, parameter)
            if values and (parameter.required or chance.random() < 0.5):
                proposal[parameter.name] = chance.choice(values[: chance.choice((3, 10, 40))])
        return proposal


def _is_scalar(schema: JsonSchema) -> bool:
    return not {"array", "object"} & set(kinds(schema))
