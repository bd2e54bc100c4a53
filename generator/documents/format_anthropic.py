"""Anthropic tools: `{name, description, input_schema}`.

Invariant: an object is one only with `input_schema`. Not covered: its schema (`normalise`), the wrappers around lists
(`detect`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.documents.format import Element, Format, named_tool
from autoforge.generator.documents.raw import RawTool

__all__ = ["ANTHROPIC"]

_NAME = "Anthropic tools"


def _recognises(value: dict[str, Any]) -> bool:
    return "input_schema" in value


def _read(element: Element) -> list[RawTool]:
    return [named_tool(element, _NAME, "input_schema")]


ANTHROPIC = Format(name=_NAME, shape='{"name", "input_schema"}', recognises=_recognises, read=_read)
