"""Episodes of language model agents and simulated users in tool environments, and the one client that calls models.

Imports `autoforge.mcp_envs`; imported by the generator and the trainer; imports neither. Names are imported from the
module that defines them.
"""

from __future__ import annotations

__all__: list[str] = []
