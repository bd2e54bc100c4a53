"""The environment under test, as its files tell it.

Invariant: read from the folder alone, and never run here. A call's arguments are judged by the check that ships in
`server.py`. Not covered: the state (`laboratory`).
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import ValidationError

from autoforge.generator.conformance.columns import ColumnSearch, Match
from autoforge.generator.pointer import unescape_token
from autoforge.mcp_envs.arguments.arguments import Arguments, patient_validator
from autoforge.mcp_envs.arguments.quick import quick_object
from autoforge.mcp_envs.arguments.values import BadArguments
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest, Table, ToolRecord

__all__ = ["Parameter", "Subject", "Tool"]

JsonSchema = Mapping[str, Any]
_LONGEST_LITERAL = 30
_MOST_LITERALS = 60


@dataclass(frozen=True)
class Parameter:
    """One documented parameter."""

    name: str
    schema: JsonSchema
    """With its `$ref`, if it is one, resolved at the top."""
    required: bool


class Tool:
    """One documented tool."""

    def __init__(self, document: Mapping[str, Any], record: ToolRecord, literals: tuple[Any, ...]) -> None:
        self.name = record.name
        self.record = record
        self.description: str = document.get("description") or ""
        self.input_schema: dict[str, Any] = dict(document.get("inputSchema") or {"type": "object"})
        self.output_schema: dict[str, Any] | None = document.get("outputSchema")
        self.literals = literals
        """Constants in the source of its function: values that it may treat in a way of their own."""
        self._arguments = Arguments(self.input_schema, {})
        self._single: dict[str, Arguments] = {}

    def __repr__(self) -> str:
        return f"Tool({self.name!r})"

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        required = set(self.input_schema.get("required") or ())
        properties = self.input_schema.get("properties") or {}
        return tuple(Parameter(name, self.resolved(schema), name in required) for name, schema in properties.items())

    @property
    def reads_only(self) -> bool:
        """Whether its derived effects change no table."""
        effects = self.record.effects
        return not (effects.creates or effects.updates or effects.deletes) and self.record.kind != "weak"

    def resolved(self, schema: Any) -> JsonSchema:
        """A schema with the `$ref` at its top followed; an empty one for what is not an object."""
        for _ in range(20):
            if not isinstance(schema, Mapping):
                return {}
            reference = schema.get("$ref")
            if not isinstance(reference, str) or not reference.startswith("#"):
                return schema
            target: Any = self.input_schema
            for step in reference.lstrip("#").split("/")[1:]:
                target = target.get(unescape_token(step)) if isinstance(target, Mapping) else None
            schema = (
                {**target, **{k: v for k, v in schema.items() if k != "$ref"}} if isinstance(target, Mapping) else {}
            )
        return {}

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the server hands them on. Raises BadArguments."""
        return self._arguments.keywords(dict(arguments))

    def accepts(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the server would make this call."""
        try:
            self.checked(arguments)
        except BadArguments:
            return False
        return True

    def accepts_value(self, name: str, value: Any) -> bool:
        """Whether the server would take this value for this parameter, the others left aside."""
        known = self._single.get(name)
        if known is None:
            shared: dict[str, Any] = {
                key: self.input_schema[key] for key in ("$defs", "definitions") if key in self.input_schema
            }
            schema: dict[str, Any] = {
                "type": "object",
                "properties": {name: self.input_schema["properties"][name]},
                **shared,
            }
            known = self._single.setdefault(name, Arguments(schema, {}))
        try:
            known.keywords({name: value})
        except BadArguments:
            return False
        return True

    @cached_property
    def input_validator(self) -> Draft202012Validator:
        """JSON Schema's own opinion of arguments, to hold the server's check against."""
        return patient_validator(self.input_schema)

    def output_fault(self, value: Any) -> str | None:
        """Why an output is not of its schema; None where it is, or where there is none."""
        if self.output_schema is None or (self._quick_output is not None and self._quick_output(value)):
            return None
        error = next(iter(sorted(self._output_validator.iter_errors(value), key=lambda e: len(e.absolute_path))), None)
        if error is None:
            return None
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path) or "the output"
        return f"{where.lstrip('.')}: {error.message[:200]}"

    @cached_property
    def _quick_output(self) -> Any:
        return quick_object(self.output_schema or {})

    @cached_property
    def _output_validator(self) -> Draft202012Validator:
        return patient_validator(self.output_schema or {})


@dataclass(frozen=True)
class Subject:
    """An environment folder, read."""

    folder: Path
    manifest: Manifest
    tools: tuple[Tool, ...]
    tables: Mapping[str, Table]
    _matches: dict[tuple[str, str], list[Match]] = field(repr=False)

    @cached_property
    def _search(self) -> ColumnSearch:
        return ColumnSearch(self.tables)

    def columns(self, tool: Tool, name: str) -> list[Match]:
        """Columns that a parameter may mean, the likeliest first."""
        known = self._matches.get((tool.name, name))
        if known is None:
            known = self._matches[tool.name, name] = self._search.columns_for(name, tool.record)
        return known

    @cached_property
    def children(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Table -> the tables whose rows point to it, each with the first column that does."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for table in self.tables.values():
            for column in table.columns:
                if column.references is not None:
                    found[column.references].setdefault(table.name, column.name)
        return {parent: tuple(links.items()) for parent, links in found.items()}

    @cached_property
    def singletons(self) -> tuple[str, ...]:
        """Tables of one row: the session, the settings."""
        return tuple(table.name for table in self.tables.values() if table.singleton)

    @classmethod
    def read(cls, folder: Path) -> Subject:
        """Raises BadInput for a folder that is no environment."""
        manifest = _manifest(folder / "environment.json")
        documents = _documents(folder / "docs.json")
        records = {record.name: record for record in manifest.tools}
        missing = sorted(documents.keys() ^ records.keys())
        if missing:
            raise BadInput(
                f"{folder}: docs.json and environment.json do not name the same tools: {', '.join(missing[:5])}"
            )
        literals = _literals(_text(folder / "tools.py"))
        tools = tuple(
            Tool(document, records[name], literals.get(records[name].function, ()))
            for name, document in documents.items()
        )
        return cls(folder, manifest, tools, {table.name: table for table in manifest.tables}, {})


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from None


def _manifest(path: Path) -> Manifest:
    try:
        return Manifest.model_validate_json(_text(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(f"{path} is not a manifest of this version: {where}: {first['msg']}") from None


def _documents(path: Path) -> dict[str, dict[str, Any]]:
    try:
        documents = json.loads(_text(path))
    except ValueError as error:
        raise BadInput(f"{path} is not JSON ({error}); compile the environment again.") from None
    for place, document in enumerate(documents if isinstance(documents, list) else [None]):
        fault = _fault(document)
        if fault:
            raise BadInput(f"{path}: entry {place} {fault}; compile the environment again.")
    return {document["name"]: document for document in documents}


def _fault(document: Any) -> str | None:
    """What keeps an entry from being an MCP tool whose schema can be used without looking elsewhere."""
    if not isinstance(document, dict) or not isinstance(document.get("name"), str):
        return "is no tool with a name"
    schemas = [document.get("inputSchema", {}), document.get("outputSchema") or {}]
    if not all(isinstance(schema, dict) for schema in schemas):
        return "has a schema that is no object"
    text = json.dumps(schemas)
    return "refers to another document" if re.search(r'"\$(?:ref|dynamicRef)": "(?!#)', text) else None


def _literals(source: str) -> dict[str, tuple[Any, ...]]:
    """Function -> the constants in its text and in that of what it names. The text is parsed, never run."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    named: dict[str, ast.AST] = {
        t.id: n for n in module.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)
    }
    named |= {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    own = {name: _constants(node) for name, node in named.items()}
    used = {
        name: {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in named and n.id != name}
        for name, node in named.items()
    }
    return {
        name: tuple(dict.fromkeys([*own[name], *(c for other in sorted(used[name]) for c in own[other])]))
        for name in named
    }


def _constants(node: ast.AST) -> list[Any]:
    """Texts that could be values rather than sentences or SQL, then numbers."""
    sentences = {id(part) for n in ast.walk(node) if isinstance(n, ast.JoinedStr) for part in n.values}
    values = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and id(n) not in sentences]
    texts = [
        v
        for v in values
        if isinstance(v, str) and 0 < len(v) <= _LONGEST_LITERAL and len(v.split()) <= 3 and " = ?" not in v
    ]
    return [*texts, *(v for v in values if type(v) in (int, float))][:_MOST_LITERALS]
