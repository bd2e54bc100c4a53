"""The version, once: the distribution, `--version` and every manifest name this one.

Invariant: it is written nowhere else. Not covered: the versions of formats.
"""

from __future__ import annotations

__all__ = ["GENERATOR", "VERSION"]

VERSION = "0.1.0"
GENERATOR = f"autoforge-rl {VERSION}"
"""How a manifest names what compiled it. A constant, so that an installed copy and a checkout write the same bytes."""
