"""Settings as the TOML that gives them again.

Invariant: reading what is written gives equal settings. Not covered: comments, the order in which a person wrote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

__all__ = ["literal", "toml_text"]


def toml_text(settings: BaseModel) -> str:
    """All values, defaults included; those that are None are left out."""
    blocks = _blocks(settings.model_dump(mode="json", exclude_none=True))
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _blocks(table: Mapping[str, Any], key: str = "") -> Iterator[list[str]]:
    own = [f"{_name(name)} = {literal(value)}" for name, value in table.items() if not isinstance(value, Mapping)]
    inner = {name: value for name, value in table.items() if isinstance(value, Mapping)}
    if own or (key and not inner):
        yield [*([f"[{key}]"] if key else []), *own]
    for name, value in inner.items():
        yield from _blocks(value, f"{key}.{_name(name)}" if key else _name(name))


def literal(value: Any) -> str:
    """A value in TOML: text, number, truth, list of these, or a table in a line."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_name(name)} = {literal(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for the delete character, which JSON lets stand.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def _name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else literal(name)
