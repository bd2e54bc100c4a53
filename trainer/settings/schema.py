"""All settings of a run: the tables of `autoforge-train CONFIG.toml`.

Invariant: two runs with equal settings are the same experiment. Not covered: where values come from (`layers`), which
go together (`consistency`).
"""

from __future__ import annotations

from autoforge.trainer.algorithm.erpo_settings import ErpoSettings
from autoforge.trainer.settings.learning import ColdStartSettings, LearnerSettings
from autoforge.trainer.settings.model import ModelSettings
from autoforge.trainer.settings.running import AssumptionsSettings, RunSettings
from autoforge.trainer.settings.sampling import RolloutsSettings, SamplerSettings, SyncSettings
from autoforge.trainer.settings.section import Section
from autoforge.trainer.settings.world import EnvironmentsSettings, JudgeSettings, UserSettings

__all__ = ["TrainerSettings"]


class TrainerSettings(Section):
    """One field for each table."""

    run: RunSettings = RunSettings()
    """How long, where, and what is kept."""
    model: ModelSettings
    """The policy."""
    environments: EnvironmentsSettings
    """What is trained on and what is measured on."""
    user: UserSettings = UserSettings()
    """The simulated user."""
    judge: JudgeSettings = JudgeSettings()
    """Who looks for errors of the user."""
    sampler: SamplerSettings = SamplerSettings()
    """What samples from the policy."""
    rollouts: RolloutsSettings = RolloutsSettings()
    """The episodes of a step."""
    erpo: ErpoSettings = ErpoSettings()
    """The algorithm; `erpo.method` begins with the settings of a baseline by its name."""
    learner: LearnerSettings = LearnerSettings()
    """What trains."""
    sync: SyncSettings = SyncSettings()
    """How weights get to the sampler."""
    cold_start: ColdStartSettings = ColdStartSettings()
    """Supervised training before ERPO."""
    assumptions: AssumptionsSettings = AssumptionsSettings()
    """What --dry-run takes for granted."""
