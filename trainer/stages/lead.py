"""The first rank of a run: it plays, tells all ranks what to learn, sends the weights, measures and saves.

Invariant: a step is learned from when all its groups have ended; weights are proved before anything is sampled with
them; a checkpoint names only what is on disk. Not covered: the other ranks (`crew.follow`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import anyio

from autoforge.gym.agents.policy import PolicyAgent
from autoforge.gym.commandline.terminal import messages
from autoforge.gym.runs.settings import keep_settings
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.checkpoints import RunState, begun_checkpoint, finished_checkpoint, newest_checkpoint
from autoforge.trainer.crew import Crew
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.metrics.record import StepRecord
from autoforge.trainer.metrics.recorder import Recorder
from autoforge.trainer.rollouts.batches import Batch, Batches
from autoforge.trainer.rollouts.collector import Collector, Group
from autoforge.trainer.rollouts.draws import Draws, first_number
from autoforge.trainer.rollouts.episodes import Episodes, EpisodeSettings
from autoforge.trainer.samplers.sampler import Sampler
from autoforge.trainer.samplers.torch_sampler import TorchSampler
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.stages.clock import now
from autoforge.trainer.stages.figures import step_record
from autoforge.trainer.stages.measure import measured, measurement_values, reward_of
from autoforge.trainer.stages.policy_step import StepSettings
from autoforge.trainer.stages.work import work_of
from autoforge.trainer.stages.world import World, open_world
from autoforge.trainer.sync import Probe, SyncSettings, probe_batch, synchronise
from autoforge.trainer.tokens import TemplateRenderer

__all__ = ["lead", "newest", "renderer_of", "step_settings"]

newest = newest_checkpoint


def step_settings(settings: TrainerSettings) -> StepSettings:
    """How a step is made, on every rank."""
    return StepSettings(settings.erpo, settings.learner.micro_batch_tokens, settings.learner.updates)


def renderer_of(settings: TrainerSettings, learner: Learner) -> TemplateRenderer:
    """How conversations become ids, on every rank. Raises BadInput."""
    return TemplateRenderer.of(learner.tokenizer, settings.model.template, embeddings=learner.vocabulary)


async def lead(settings: TrainerSettings, model: Path, learner: Callable[[], Learner]) -> None:
    """All ERPO steps that are not done. Raises BadInput, AutoForgeError."""
    found = newest(settings.run.folder)
    state = found[1] if found is not None else RunState()
    async with AsyncExitStack() as stack:
        crew = stack.enter_context(_closing(Crew(learner, step_settings(settings), None)))
        renderer = renderer_of(settings, crew.learner)
        crew.chat_template = renderer.chosen.source
        sampler = await stack.enter_async_context(_sampler(settings, model, renderer, state.version))
        world = await stack.enter_async_context(open_world(settings))
        stage = _Stage(settings, crew, sampler, renderer, world, state)
        await stage.run(stack)


def _sampler(settings: TrainerSettings, model: Path, renderer: TemplateRenderer, version: int) -> Sampler:
    """Raises BadInput for an engine that is not there."""
    own = settings.sampler
    if own.engine != "torch":
        words = f"sampler.engine = {own.engine!r} cannot be trained with yet"
        raise BadInput(f"{words}: its client is there, but no run was proved with it; take torch.")
    made = TorchSamplerSettings(
        temperature=own.temperature, sequences=own.sequences, device=settings.run.device,
        dtype="bfloat16" if settings.model.precision == "bf16" else "float32",
        context=settings.rollouts.policy.context,
    )  # fmt: skip
    return TorchSampler.open(model, made, stop_ids=renderer.stop_ids, version=version)
