"""MCP servers as episodes need them: our own environments in contained processes, commands, addresses.

Invariant: every process and connection has one owner and is gone when its server is closed. Not covered: users, agents.
"""

from __future__ import annotations

from autoforge.gym.servers.server import Session, ToolDocument, ToolResult, ToolServer, side_of

__all__ = ["Session", "ToolDocument", "ToolResult", "ToolServer", "side_of"]
