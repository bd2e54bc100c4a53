"""BFCL function documents: `{name, description, parameters: {type: dict, …}, response: {…}}`.

The preamble that every tool of a BFCL class repeats ("This tool belongs to the …") stays part of the description.

Invariant: an object is one only with `response` or the type `dict`. Not covered: its schema (`normalise`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.documents.format import Element, Format, named_tool
from autoforge.generator.documents.raw import RawTool

__all__ = ["BFCL"]

_NAME = "BFCL"


def _recognises(value: dict[str, Any]) -> bool:
    parameters = value.get("parameters")
    if not isinstance(parameters, dict) or not ("name" in value or "description" in value):
        return False
    return parameters.get("type") in ("dict", "Dict") or isinstance(value.get("response"), dict)


def _read(element: Element) -> list[RawTool]:
    group = element.value.get("class_name")
    return [named_tool(element, _NAME, "parameters", group if isinstance(group, str) else None)]


BFCL = Format(
    name=_NAME, shape='{"name", "parameters": {"type": "dict"}, "response"}', recognises=_recognises, read=_read
)
