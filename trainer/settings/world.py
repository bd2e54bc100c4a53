"""Settings of what the policy meets: environments, simulated user, judge.

Invariant: environments that are trained on and those that are kept unseen are told apart here and nowhere else. Not
covered: how an environment is found (`mcp_envs.environment`), who users and judges are (`gym.commands.cast`).
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from autoforge.gym.judge.masking import Rule
from autoforge.trainer.settings.section import Section

__all__ = ["EnvironmentsSettings", "JudgeSettings", "UserSettings"]


class EnvironmentsSettings(Section):
    """Which environments and tasks are trained on, and on which the policy is measured."""

    train: tuple[str, ...] = Field(min_length=1)
    """Folders of environments, or their names under ./mcp_envs or $AUTOFORGE_ENVS; their tasks of the split `train`."""
    unseen: tuple[str, ...] = ()
    """Environments that are never trained on, only measured."""
    tasks: int | None = Field(default=None, ge=1)
    """The first so many tasks of each environment; left out: all."""
    evaluate_every: int = Field(default=0, ge=0)
    """Steps between measurements on tasks that are not trained on; 0: only before the first step and after the last."""
    evaluate_split: Literal["validation", "test"] = "validation"
    """Whose tasks these are."""
    evaluate_tasks: int = Field(default=50, ge=0)
    """How many of each environment, one episode each; 0: no measurement."""


class UserSettings(Section):
    """The simulated user."""

    model: str = "scripted"
    """`scripted`, or PROVIDER:MODEL (`anthropic:` or `openai:`; vLLM and Ollama are `openai:` with a base URL)."""
    base_url: str | None = None
    """Address of the user's server, for a model of `openai:`."""
    errors: float = Field(default=0.0, ge=0, le=1)
    """Share of training episodes in which the scripted user errs on purpose (a wrong value, leaving too early), to see
    what masking is worth; measurements have none."""
    max_cost: float | None = Field(default=None, gt=0)
    """Most US dollars that models of user and judge may cost in the whole run; left out: no limit."""


class JudgeSettings(Section):
    """Who looks for errors of the user, and which episodes these mask (MEU)."""

    model: str = "rules"
    """`rules`, `none`, or PROVIDER:MODEL, which looks at what the rules found."""
    base_url: str | None = None
    """Address of the judge's server, for a model of `openai:`."""
    mask: Rule = "touching"
    """`touching`: every episode in which an error touched what counts; `failures`: of these, only the lost ones (the
    paper's rule, which bends the mean)."""
