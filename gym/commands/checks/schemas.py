"""Whether a server's tools are described as models and validators need it.

Invariant: nothing is fetched, whatever a schema refers to. Not covered: whether the tools keep to their schemas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator, SchemaError
from jsonschema.validators import validator_for

from autoforge.gym.servers.server import ToolDocument

__all__ = ["schema_faults"]


def schema_faults(tools: Sequence[ToolDocument]) -> Iterator[str]:
    """What is wrong, a sentence each."""
    if not tools:
        yield "the server has no tools"
    names = Counter(str(tool.get("name") or "") for tool in tools)
    for name, count in names.items():
        if not name:
            yield "a tool has no name"
        elif count > 1:
            yield f"{count} tools are named {name!r}"
    for tool in tools:
        yield from _faults(str(tool.get("name")), "inputSchema", tool.get("inputSchema", {}))
        if "outputSchema" in tool:
            yield from _faults(str(tool.get("name")), "outputSchema", tool["outputSchema"])


def _faults(name: str, place: str, schema: Any) -> Iterator[str]:
    if not isinstance(schema, dict):
        yield f"{name}: {place} is no object"
        return
    if place == "inputSchema" and schema.get("type") != "object":
        yield f"{name}: {place} is not of type object"
    try:
        validator_for(schema, Draft202012Validator).check_schema(schema)
    except SchemaError as error:
        where = "/".join(map(str, error.absolute_path))
        yield f"{name}: {place}/{where}: {error.message[:200]}"
    missing = [n for n in _required(schema) if n not in (schema.get("properties") or {})]
    for parameter in missing:
        yield f"{name}: {place} requires {parameter!r}, which it does not describe"


def _required(schema: Mapping[str, Any]) -> list[str]:
    required = schema.get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
