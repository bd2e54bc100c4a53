"""Reference tokens of JSON pointers (RFC 6901).

Invariant: `unescape_token` undoes `escape_token`. Not covered: following a pointer.
"""

from __future__ import annotations

__all__ = ["escape_token", "unescape_token"]


def escape_token(token: object) -> str:
    """One reference token, as it stands in a pointer."""
    return str(token).replace("~", "~0").replace("/", "~1")


def unescape_token(token: str) -> str:
    """The name that a reference token means."""
    return token.replace("~1", "/").replace("~0", "~")
