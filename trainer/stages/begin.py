"""What a run begins with: the model, and its cold start.

Invariant: what is done is in a folder of its own, whole, and is not done again; every rank waits for the first. Not
covered: ERPO (`lead`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.commandline.terminal import messages
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.ranks import Ranks
from autoforge.trainer.learner.step import StepReport
from autoforge.trainer.metrics.record import Stage, StepRecord
from autoforge.trainer.metrics.recorder import Recorder
from autoforge.trainer.ranks import alone, refuse_together
from autoforge.trainer.settings.parts import learner_settings
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.stages.clock import now
from autoforge.trainer.stages.cold_start import cold_start
from autoforge.trainer.stages.demonstrations import demonstrations
from autoforge.trainer.stages.world import open_world
from autoforge.trainer.tiny import tiny_model
from autoforge.trainer.tokens import TemplateRenderer
from autoforge.trainer.tokens.forgetting import ForgettingRenderer
from autoforge.trainer.tokens.sequence import Rollout
from autoforge.trainer.tokens.supervised import supervised_rollout

__all__ = ["begun_model", "by_first", "cold_started"]

T = TypeVar("T")
_TINY = "tiny"


def begun_model(settings: TrainerSettings, ranks: Ranks) -> Path:
    """The folder of the model; the tiny one is copied where it is not there. Raises BadInput, on every rank."""
    if settings.model.path != _TINY:
        folder = Path(settings.model.path)
        if not folder.is_dir():
            raise BadInput(f"model.path: {folder} is no folder; download the model, and give its Hugging Face folder.")
        return folder
    folder = settings.run.folder / "model"

    def make() -> None:
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            tiny_model(folder)

    by_first(ranks, make)
    return folder


def by_first(ranks: Ranks, act: Callable[[], T]) -> T | None:
    """What the first rank makes of it, None on the others. Raises BadInput on every rank where it fails there, so that
    none waits for it."""
    value, words = None, ""
    if ranks.rank == 0:
        try:
            value = act()
        except AutoForgeError as error:
            words = str(error)
    refuse_together(str(ranks.gather(words)[0]) or None, alone)
    return value


def cold_started(settings: TrainerSettings, model: Path, ranks: Ranks) -> Path:
    """The folder of the model after its cold start. Raises BadInput, AutoForgeError."""
    folder = settings.run.folder / "cold_start"
    if folder.is_dir():
        return folder
    learner = Learner(learner_settings(settings, model, cold_start=True), ranks)
    renderer = TemplateRenderer.of(learner.tokenizer, settings.model.template, embeddings=learner.vocabulary)
    if settings.rollouts.policy.thoughts == "dropped":
        ForgettingRenderer(renderer)  # what it refuses is refused before the work
    rollouts = _rollouts(settings, renderer, ranks)
    with _Teller(settings, ranks) as tell:
        cold_start(
            learner, rollouts, settings.cold_start, micro_batch_tokens=settings.learner.micro_batch_tokens,
            seed=settings.run.seed, tell=tell.step,
        )  # fmt: skip
    learner.export(folder, chat_template=renderer.chosen.source)
    learner.close()
    return folder


def _rollouts(settings: TrainerSettings, renderer: TemplateRenderer, ranks: Ranks) -> list[Rollout]:
    """Rows of the demonstrations that fit the policy's context, told by the first rank."""

    def rows() -> list[Rollout]:
        context = settings.rollouts.policy.context
        episodes = run_async(partial(_demonstrations, settings))
        made = [rollout for t in episodes if (rollout := _row(t, renderer)) is not None]
        own = [rollout for rollout in made if rollout.context_tokens <= context]
        messages().print(f"cold start on {len(own)} of {len(episodes)} episodes: those that fit {context} tokens")
        return own

    told = ranks.gather(by_first(ranks, rows))[0]
    assert isinstance(told, list)
    if not told:
        raise BadInput("no demonstration fits rollouts.policy.context; raise it, or take shorter tasks.")
    return told


def _row(trajectory: Trajectory, renderer: TemplateRenderer) -> Rollout | None:
    """None where there is nothing to learn from it."""
    try:
        return supervised_rollout(trajectory, renderer)
    except BadInput:
        return None


async def _demonstrations(settings: TrainerSettings) -> list[Trajectory]:
    """They may be longer than the policy's own episodes."""
    async with open_world(settings) as world:
        return await demonstrations(settings.cold_start, world, EpisodeLimits(), settings.run.seed)


class _Teller:
    """Metrics of the cold start, on the first rank. A context manager."""

    def __init__(self, settings: TrainerSettings, ranks: Ranks) -> None:
        self._recorder: Recorder | None = None
        if ranks.rank == 0:
            totals: dict[Stage, int] = {"cold_start": settings.cold_start.steps, "erpo": settings.run.steps}
            console: Console = messages()
            self._recorder = Recorder(
                settings.run.folder, console, totals, tensorboard=settings.run.tensorboard, records=0
            )
        self._before = now()

    def __enter__(self) -> _Teller:
        if self._recorder is not None:
            self._recorder.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self._recorder is not None:
            self._recorder.__exit__(None, None, None)

    def step(self, number: int, report: StepReport) -> None:
        if self._recorder is None:
            return
        before, self._before = self._before, now()
        seconds = self._before - before
        values: dict[str, float | None] = {
            "loss": report.loss, "gradient_norm": report.gradient_norm, "learning_rate": report.learning_rate,
            "trained_tokens": float(report.trained_ids), "updates": 1.0, "seconds": seconds,
        }  # fmt: skip
        self._recorder.record(StepRecord(stage="cold_start", step=number, time=self._before, values=values))
