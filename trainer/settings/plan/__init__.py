"""The plan that `autoforge-train --dry-run` prints: work of a step, memory of each device, seconds.

Invariant: nothing is loaded but settings, a config.json and tasks. Not covered: what a machine really has.
"""

from __future__ import annotations

from autoforge.trainer.settings.plan.plan import Plan, plan_of

__all__ = ["Plan", "plan_of"]
