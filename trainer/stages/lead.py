"""The first rank of a run: it plays, tells all ranks what to learn, sends the weights, measures and saves.

Invariant: a step is learned from when all its groups have ended; weights are proved before anything is sampled with
them; a checkpoint names only what is on disk. Not covered: the other ranks (`crew.follow`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from transformers import AutoConfig

from autoforge.gym.agents.policy import PolicyAgent
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.checkpoints import RunState, newest_checkpoint
from autoforge.trainer.crew import Crew
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.samplers.open import open_sampler
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.stages.decides import keep_what_decides
from autoforge.trainer.stages.leader import Leader
from autoforge.trainer.stages.policy_step import StepSettings
from autoforge.trainer.stages.world import open_world
from autoforge.trainer.tokens import TemplateRenderer
from autoforge.trainer.tokens.forgetting import ForgettingRenderer

__all__ = ["lead", "newest", "renderer_of", "step_settings"]

newest = newest_checkpoint


def step_settings(settings: TrainerSettings) -> StepSettings:
    """How a step is made, on every rank."""
    return StepSettings(settings.erpo, settings.learner.micro_batch_tokens, settings.learner.updates)


def renderer_of(settings: TrainerSettings, learner: Learner) -> TemplateRenderer:
    """How conversations become ids, on every rank. Raises BadInput."""
    more = _stops(learner.settings.model)
    made = TemplateRenderer.of(
        learner.tokenizer, settings.model.template, embeddings=learner.vocabulary, more_stops=more
    )
    context = settings.rollouts.policy.context
    most = AutoConfig.from_pretrained(learner.settings.model).max_position_embeddings
    if context > most:
        raise BadInput(f"rollouts.policy.context is {context}, and the model has {most} positions; lower it.")
    return made


def _stops(model: Path) -> tuple[int, ...]:
    """Where the model itself says that it stops."""
    path = model / "generation_config.json"
    found = json.loads(path.read_text(encoding="utf-8")).get("eos_token_id") if path.is_file() else None
    return tuple(found) if isinstance(found, list) else () if found is None else (found,)


async def lead(settings: TrainerSettings, model: Path, learner: Callable[[], Learner]) -> None:
    """All ERPO steps that are not done. Raises BadInput, AutoForgeError."""
    found = newest(settings.run.folder)
    state = found[1] if found is not None else RunState()
    async with AsyncExitStack() as stack:
        crew = Crew(learner, step_settings(settings))
        stack.callback(crew.close)
        renderer = renderer_of(settings, crew.learner)
        crew.chat_template = renderer.chosen.source
        world = await stack.enter_async_context(open_world(settings))
        keep_what_decides(settings, world.training)
        sampler = open_sampler(settings, model, stop_ids=renderer.stop_ids, version=state.version)
        await stack.enter_async_context(sampler)
        leader = Leader(settings, crew, sampler, world, state, stack)
        seen = ForgettingRenderer(renderer) if settings.rollouts.policy.thoughts == "dropped" else renderer
        leader.agent = PolicyAgent(seen, sampler, settings.rollouts.policy)
        await leader.run()
