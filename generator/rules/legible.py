"""What of a tool's prose is read: all that a person would, and no runs of spaces, endless words or dumps of data.

Invariant: ordinary prose comes back as it is, and the time that the rules need for any text is bounded; whoever calls
the tool sees the documentation as it was written. Not covered: what prose means (`prose`).
"""

from __future__ import annotations

import re
from typing import Any

from autoforge.generator.documents import ToolDocument

__all__ = ["legible_text", "legible_tool"]

MOST_OF_TOOL = 20_000
"""Characters of a tool's description that are read as prose."""
MOST_OF_VALUE = 4_000
"""Characters of the description of a parameter, or of what an answer holds."""
_GAP = re.compile(r"(?<=\S)[^\S\n]{9,}")
_INDENT = re.compile(r"^[^\S\n]{41,}", re.MULTILINE)
_EMPTY = re.compile(r"\n(?:[^\S\n]*\n){3,}")
_WORD = re.compile(r"([!-~\u00a1-\u024f]{200})[!-~\u00a1-\u024f]+")
"""Of an alphabet that sets words apart by spaces."""


def legible_text(text: str, most: int = MOST_OF_TOOL) -> str:
    """The text without what no reader needs."""
    text = _EMPTY.sub("\n\n\n", _INDENT.sub(" " * 40, _GAP.sub(" " * 8, text)))
    return _WORD.sub(r"\1", text)[:most]


def legible_tool(tool: ToolDocument, description: str) -> ToolDocument:
    """The tool with this description, and with descriptions of values that can be read."""
    return tool.model_copy(
        update={
            "description": legible_text(description),
            "input_schema": _legible(tool.input_schema),
            "output_schema": _legible(tool.output_schema),
        }
    )


def _legible(schema: Any) -> Any:
    """A schema with its descriptions made legible; the values in it stay."""
    if not isinstance(schema, dict):
        return [_legible(s) for s in schema] if isinstance(schema, list) else schema
    return {keyword: _part(keyword, value) for keyword, value in schema.items()}


def _part(keyword: str, value: Any) -> Any:
    if keyword == "description" and isinstance(value, str):
        return legible_text(value, MOST_OF_VALUE)
    if keyword in _NAMED and isinstance(value, dict):
        return {name: _legible(schema) for name, schema in value.items()}
    return value if keyword in _VALUES else _legible(value)


_NAMED = ("properties", "patternProperties", "$defs", "definitions")
_VALUES = ("default", "enum", "const", "examples", "required")
