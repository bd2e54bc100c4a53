"""What every part of the representation is: frozen, and without fields that are not declared.

Invariant: equal parts are interchangeable. Not covered: the parts themselves.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Node"]


class Node(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
