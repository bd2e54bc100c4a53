"""Settings reach the parts of a run whole."""

from __future__ import annotations

from pathlib import Path

from autoforge.trainer.settings import load_settings
from autoforge.trainer.settings.parts import learner_settings


def test_the_learner_gets_every_setting_of_its_table_and_those_of_others_that_it_needs() -> None:
    given = ["learner.zero=2", "learner.checkpointing=true", "learner.gradient_clip=0.5", "learner.lora.rank=4",
             "learner.betas=[0.8, 0.9]", "sampler.temperature=0.7", "run.seed=5"]  # fmt: skip
    settings = load_settings("tiny", given).settings
    made = learner_settings(settings, Path("model"))
    assert (made.model, made.device, made.precision, made.seed) == (Path("model"), "cpu", "fp32", 5)
    assert (made.zero_stage, made.gradient_checkpointing, made.offload) == (2, True, False)
    assert (made.learning_rate, made.betas, made.gradient_clip, made.temperature) == (3e-4, (0.8, 0.9), 0.5, 0.7)
    assert made.lora is not None and made.lora.rank == 4


def test_the_cold_start_has_a_learning_rate_of_its_own_and_no_temperature() -> None:
    settings = load_settings("tiny", ["sampler.temperature=0.7"]).settings
    made = learner_settings(settings, Path("model"), cold_start=True)
    assert (made.learning_rate, made.warmup_steps, made.temperature) == (5e-4, 5, 1.0)
