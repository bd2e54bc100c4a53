"""Training of policies in environments: ERPO and its baselines, learner, sampler, commands.

Imports `autoforge.gym` and `autoforge.mcp_envs`, never the generator. Nothing here imports torch by itself; the modules
that need it do, and no other part of AutoForge imports those. Names are imported from the module that defines them.
"""

from __future__ import annotations

__all__: list[str] = []
