"""Documentation compiled by rules, seeded and opened, to call its tools."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autoforge.generator.documents import read_documents
from autoforge.generator.emit import schema_sql, tools_py
from autoforge.generator.emit.code import function_names, parameter_names
from autoforge.generator.rules.synthesize import synthesize
from autoforge.generator.seed import seed_rows, seed_sql
from autoforge.mcp_envs import runtime
from autoforge.mcp_envs.containment.static import check_source

__all__ = ["TEXT", "Opened", "tool"]

TEXT: dict[str, Any] = {"type": "string"}


def tool(name: str, description: str, output: dict[str, Any] | None = None, /, **parameters: Any) -> dict[str, Any]:
    """A documented tool; parameters whose schema has no `optional` are required."""
    properties = {n: {k: v for k, v in s.items() if k != "optional"} for n, s in parameters.items()}
    required = [n for n, s in parameters.items() if "optional" not in s]
    schema = {"type": "object", "properties": properties, "required": required}
    found: dict[str, Any] = {"name": name, "description": description, "inputSchema": schema}
    if output is not None:
        found["outputSchema"] = {"type": "object", "properties": output}
    return found


class Opened:
    """A compiled document on a seeded database in memory."""

    def __init__(self, tools: list[dict[str, Any]], folder: Path) -> None:
        path = folder / "docs.json"
        path.write_text(json.dumps({"tools": tools}), encoding="utf-8")
        self.world = synthesize(read_documents([path]), name="tried")
        source = tools_py(self.world)
        assert check_source(source) == ()
        self._module = ModuleType("tools")
        exec(compile(source, "tools.py", "exec"), self._module.__dict__)
        self._functions = function_names(self.world)
        self._parameters = {o.tool: parameter_names(o) for o in self.world.operations}
        self.connection = runtime.connect()
        rows = seed_rows(self.world, seed=7)
        self.connection.executescript(schema_sql(self.world) + seed_sql(self.world, rows))

    def call(self, name: str, /, **arguments: Any) -> Any:
        """What a tool answers."""
        given = {self._parameters[name][n]: v for n, v in arguments.items()}
        return runtime.call(self.connection, getattr(self._module, self._functions[name]), given)

    def refusal(self, name: str, /, **arguments: Any) -> str:
        """The sentence with which a tool refuses."""
        with pytest.raises(self._module.ToolError) as caught:
            self.call(name, **arguments)
        return str(caught.value)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of the state."""
        return [tuple(row) for row in self.connection.execute(sql).fetchall()]

    def close(self) -> None:
        """Give the database back."""
        self.connection.close()
