"""A desk at which a small documentation becomes a running world: compiled by the rules, seeded, on SQLite in memory.

Only the public entry is used: what is documented goes in, and tools are called as an agent calls them. Whatever a tool
answers is JSON, and where the documentation has an output schema, the answer is held against it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest

from autoforge.generator.data import DataSample, read_data, restore
from autoforge.generator.documents import Documentation
from autoforge.generator.documents.read import Document, documentation_of
from autoforge.generator.emit import schema_sql, tools_py
from autoforge.generator.emit.code import function_names, parameter_names
from autoforge.generator.ir import Effects, Entity, Operation, Refuse, World, effects_of, walk_steps
from autoforge.generator.rules.synthesize import synthesize
from autoforge.generator.seed import seed_rows, seed_sql
from autoforge.mcp_envs import runtime
from autoforge.mcp_envs.containment.static import check_source

ROWS = 6
"""Seed rows of an entity."""

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
DATE: Schema = {"type": "string", "format": "date"}


def one_of(*values: str) -> Schema:
    """A text with these values."""
    return {"type": "string", "enum": list(values)}


def listing(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def record(required: str = "", **properties: Schema) -> Schema:
    """An object; `required` names properties, separated by spaces, or is `*` for all of them."""
    names = list(properties) if required == "*" else required.split()
    return {"type": "object", "properties": properties, **({"required": names} if names else {})}


def tool(name: str, description: str = "", output: Schema | None = None, /, **parameters: Schema) -> dict[str, Any]:
    """A documented tool; a parameter is required unless its schema says `"optional": True` or has a default."""
    needed = [n for n, s in parameters.items() if not s.get("optional") and "default" not in s]
    clean = {n: {k: v for k, v in s.items() if k != "optional"} for n, s in parameters.items()}
    document = {"name": name, "description": description, "inputSchema": {"type": "object", "properties": clean}}
    if needed:
        document["inputSchema"]["required"] = needed  # type: ignore[index]
    return {**document, "outputSchema": output} if output is not None else document


def maybe(schema: Schema, **more: Any) -> Schema:
    """An optional parameter."""
    return {**schema, **more, "optional": True}


def about(schema: Schema, description: str) -> Schema:
    """A parameter with a description."""
    return {**schema, "description": description}


def read(document: Any, source: str = "docs.json") -> Documentation:
    """Documentation of a parsed document in any known format."""
    return documentation_of([Document(source, document)])


class Desk:
    """One compiled world, seeded and open."""

    def __init__(self, document: Any, *, policy: str = "", data: DataSample | None = None, rows: int = ROWS) -> None:
        self.documentation = read(document)
        self.world: World = synthesize(self.documentation, name="desk", policy=policy, data=data)
        self.source = tools_py(self.world)
        self.schema = schema_sql(self.world)
        names = {e.table: e.name for e in self.world.entities}
        given = {names[e.table]: data.rows[e.name] for e in data.entities} if data is not None else {}
        self.seed = seed_sql(self.world, seed_rows(self.world, seed=0, rows=rows, given=given))
        self.connection = runtime.connect()
        try:
            self.connection.executescript(self.schema)
            self.connection.executescript(self.seed)
            assert self.connection.execute("PRAGMA foreign_key_check").fetchall() == []
            assert check_source(self.source) == (), check_source(self.source)
            self._module = ModuleType("tools")
            exec(compile(self.source, "tools.py", "exec"), self._module.__dict__)
        except BaseException:
            self.connection.close()
            raise
        self._functions = function_names(self.world)

    # --- calls ---------------------------------------------------------------------------------------------------

    def answer(self, name: str, /, **arguments: Any) -> Any:
        """What a tool answers; raises the module's ToolError for a refusal."""
        operation = self.operation(name)
        given = {parameter_names(operation)[n]: v for n, v in arguments.items()}
        made = runtime.call(self.connection, getattr(self._module, self._functions[operation.tool]), given)
        result = json.loads(json.dumps(made, allow_nan=False))
        if operation.output_schema is not None:
            jsonschema.validate(result, operation.output_schema)
        return result

    def call(self, name: str, /, **arguments: Any) -> Any:
        """What a tool answers, or the sentence with which it refuses."""
        try:
            return self.answer(name, **arguments)
        except self._module.ToolError as refusal:
            return str(refusal)

    def refusal(self, name: str, /, **arguments: Any) -> str:
        """The sentence with which a tool refuses, which leaves the state as it was."""
        before = list(self.connection.iterdump())
        with pytest.raises(self._module.ToolError) as caught:
            self.answer(name, **arguments)
        assert list(self.connection.iterdump()) == before
        return str(caught.value)

    # --- state ---------------------------------------------------------------------------------------------------

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table as Python values."""
        cursor = self.connection.execute(f'SELECT * FROM "{table}"')
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def run(self, sql: str, *values: Any) -> None:
        """Change the state by hand; JSON and truth values as SQLite stores them."""
        self.connection.execute(sql, values)

    def put(self, table: str, where: Mapping[str, Any], **values: Any) -> None:
        """Set columns of the rows that match."""
        assignments = ", ".join(f'"{c}" = ?' for c in values)
        condition = " AND ".join(f'"{c}" IS ?' for c in where) or "1"
        changed = self.connection.execute(
            f'UPDATE "{table}" SET {assignments} WHERE {condition}', [*values.values(), *where.values()]
        )
        assert changed.rowcount >= 1

    def log(self) -> list[dict[str, Any]]:
        """The calls that weak tools recorded."""
        return self.rows(runtime.LOG_TABLE)

    # --- structure -----------------------------------------------------------------------------------------------

    @property
    def tables(self) -> set[str]:
        """Tables of the domain."""
        return {e.table for e in self.world.entities if not e.system}

    def entity(self, table: str) -> Entity:
        """The entity of a table."""
        return next(e for e in self.world.entities if e.table == table)

    def columns(self, table: str) -> set[str]:
        """Names of the columns of a table."""
        return {a.name for a in self.entity(table).attributes}

    def operation(self, name: str) -> Operation:
        """The operation of a tool."""
        return next(o for o in self.world.operations if o.tool == name)

    def effects(self, name: str) -> Effects:
        """What a tool does to tables."""
        return effects_of(self.operation(name))

    def reasons(self, name: str) -> list[str]:
        """Reasons of a tool's refusals that prose asked for."""
        return [s.reason for s in walk_steps(self.operation(name).steps) if isinstance(s, Refuse) and s.evidence]

    def weak(self) -> list[str]:
        """Tools whose meaning was not found."""
        return [o.tool for o in self.world.operations if o.weak]

    def close(self) -> None:
        """Give the database back."""
        self.connection.close()


Open = Callable[..., Desk]


@pytest.fixture
def world() -> Iterator[Open]:
    """Compile documentation: `world([tool(…), …])`; everything is closed after the test."""
    opened: list[Desk] = []

    def start(document: Any, **settings: Any) -> Desk:
        opened.append(Desk(document, **settings))
        return opened[-1]

    yield start
    for desk in opened:
        desk.close()


class WithData:
    """A desk whose initial state is the user's own data, and the way back to the files."""

    def __init__(self, document: Any, folder: Path, files: Mapping[str, Any], policy: str = "") -> None:
        for name, content in files.items():
            (folder / name).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        tools = read(document).tools
        hints = {n for t in tools for n in t.input_schema["properties"]}
        self.sample = read_data([folder / name for name in files], hints)
        self.desk = Desk(document, policy=policy, data=self.sample)

    def restored(self) -> Any:
        """The files, put together again from the database."""
        return restore(self.sample, self.desk.connection)


@pytest.fixture
def with_data(tmp_path: Path) -> Iterator[Callable[..., WithData]]:
    """Compile documentation beside data: `with_data([tool(…)], {"shop.json": {…}})`."""
    opened: list[WithData] = []

    def start(document: Any, files: Mapping[str, Any], **settings: Any) -> WithData:
        opened.append(WithData(document, tmp_path, files, **settings))
        return opened[-1]

    yield start
    for one in opened:
        one.desk.close()
