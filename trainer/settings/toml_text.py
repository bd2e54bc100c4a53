"""Settings as the TOML that gives them again.

Invariant: reading what is written gives settings that are equal in all that was not left out. Not covered: comments,
the order in which a person wrote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

__all__ = ["literal", "toml_text"]


def toml_text(settings: BaseModel, without: Collection[str] = ()) -> str:
    """All values, defaults included; those that are None are left out, and the dotted keys of `without`."""
    blocks = _blocks(settings.model_dump(mode="json", exclude_none=True), without)
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _blocks(table: Mapping[str, Any], without: Collection[str], key: str = "") -> Iterator[list[str]]:
    kept = {name: value for name, value in table.items() if (f"{key}.{name}" if key else name) not in without}
    own = [f"{_name(name)} = {literal(value)}" for name, value in kept.items() if not isinstance(value, Mapping)]
    if own:
        yield [*([f"[{key}]"] if key else []), *own]
    for name, value in kept.items():
        if isinstance(value, Mapping):
            yield from _blocks(value, without, f"{key}.{_name(name)}" if key else _name(name))


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
