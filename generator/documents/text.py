"""Cleaning of prose: nothing is lost but layout.

Invariant: every word stays, in its order. Not covered: what prose means (`rules.prose`).
"""

from __future__ import annotations

import inspect
import re
from typing import Any

__all__ = ["clean"]

# Control characters other than tab and line feed have no place in a description.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def clean(text: Any) -> str:
    """Dedented text with line feeds, without trailing spaces.

    A list of texts is joined by line feeds, anything else gives ''.
    """
    if isinstance(text, list) and text and all(isinstance(part, str) for part in text):
        text = "\n".join(text)
    if not isinstance(text, str):
        return ""
    lines = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "\n".join(line.rstrip() for line in inspect.cleandoc(lines).split("\n")).strip()
