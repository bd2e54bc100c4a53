"""The check of a call's arguments against the documented input schema, as every `server.py` makes it.

Invariant: whoever calls a tool, a server that somebody started or the gym, the same arguments are refused with the
same sentence; the modules here are parts of the text of `server.py`. Not covered: what a tool itself refuses.
"""

from __future__ import annotations

from autoforge.mcp_envs.arguments.arguments import Arguments
from autoforge.mcp_envs.arguments.values import BadArguments

__all__ = ["Arguments", "BadArguments"]
