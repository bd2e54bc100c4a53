"""Every error that AutoForge raises on purpose, in one small tree.

    AutoForgeError
    ├── BadInput            what the caller gave cannot be used            exit code 2
    ├── CheckFailed         it ran, and what was asked does not hold       exit code 1
    ├── ContainmentError    generated code tried what it may not, or did not end in time
    └── ModelFailure        a language model did not give a usable answer
        ├── BudgetExceeded  the next call could pass the cost limit
        └── PromptTooLong   the request does not fit the model's context

A message is one sentence: what is wrong, where, and what to do. Anything else that is raised is a bug of ours. What a
tool refuses to an agent is not here: that is the `ToolError` of each environment's own `tools.py`.
"""

from __future__ import annotations

__all__ = [
    "AutoForgeError", "BadInput", "BudgetExceeded", "CheckFailed", "ContainmentError", "ModelFailure",
    "PromptTooLong",
]  # fmt: skip


class AutoForgeError(Exception):
    """Base of all errors raised on purpose."""

    exit_code = 1


class BadInput(AutoForgeError):
    """What the caller gave cannot be used; nothing was written."""

    exit_code = 2


class CheckFailed(AutoForgeError):
    """What was asked was done, and it does not hold."""


class ContainmentError(AutoForgeError):
    """Generated code tried what it may not, or did not end within its deadline."""


class ModelFailure(AutoForgeError):
    """A language model did not give a usable answer within the allowed attempts."""


class BudgetExceeded(ModelFailure):
    """The next call to a model could pass the cost limit."""


class PromptTooLong(ModelFailure):
    """A request does not fit the context of its model."""
