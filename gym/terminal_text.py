"""Texts for a person at the terminal who plays the agent or the user.

Invariant: what agents, users and tools say cannot command the terminal. Not covered: reading lines and showing texts
(`agents.human`, `users.human`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from autoforge.gym.servers.server import ToolDocument

__all__ = ["printable", "signature"]

_CONTROL = re.compile(r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """The text, each character that a terminal would obey replaced."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def signature(tool: ToolDocument) -> str:
    """`name(required, [optional]): what it does`."""
    schema: Mapping[str, Any] = tool.get("inputSchema") or {}
    required = schema.get("required") or ()
    names = (name if name in required else f"[{name}]" for name in schema.get("properties") or {})
    first = str(tool.get("description") or "").strip().split("\n")[0]
    return f"{tool['name']}({', '.join(names)}): {first}"
