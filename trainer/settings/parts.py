"""Settings as the parts of a run take them, where their own classes hold values of several tables.

Invariant: a part's settings are made here and nowhere else, so that no table goes unheeded. Not covered: parts that
take a table as it is (`erpo`, `model.template`, `rollouts.policy`, `rollouts.limits`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from autoforge.trainer.settings.schema import TrainerSettings

if TYPE_CHECKING:
    from autoforge.trainer.learner.settings import LearnerSettings

__all__ = ["learner_settings"]


def learner_settings(settings: TrainerSettings, model: Path, *, cold_start: bool = False) -> LearnerSettings:
    """Of the model in a folder, for one of the two stages."""
    from autoforge.trainer.learner.settings import LearnerSettings, LoraSettings

    own, start = settings.learner, settings.cold_start
    lora = None if own.lora is None else LoraSettings(**own.lora.model_dump())
    return LearnerSettings(
        model=model, device=settings.run.device, precision=settings.model.precision,
        zero_stage=own.zero, offload=own.offload, gradient_checkpointing=own.checkpointing,
        head_tokens=own.head_tokens, temperature=1.0 if cold_start else settings.sampler.temperature,
        learning_rate=start.learning_rate if cold_start else own.learning_rate,
        warmup_steps=start.warmup if cold_start else own.warmup, weight_decay=own.weight_decay, betas=own.betas,
        gradient_clip=own.gradient_clip, lora=lora, seed=settings.run.seed,
    )  # fmt: skip
