"""What all sections of the settings have in common.

Invariant: settings cannot be changed once they are read, and a key that no field has is an error. Not covered: reading
(`layers`), what goes together (`consistency`).
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Section"]


class Section(BaseModel):
    """One table of the TOML."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
