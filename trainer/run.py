"""`autoforge-train`: a model, its cold start, its ERPO steps, and what they leave in the run's folder.

    FOLDER/model/        the model that was begun with, where the project makes it (`tiny`)
    FOLDER/cold_start/   the model after the cold start
    FOLDER/episodes.jsonl, evaluation.jsonl    every finished episode, for `autoforge-gym view`
    FOLDER/checkpoints/  see `checkpoints`
    FOLDER/trained/      the model at the end, a Hugging Face folder
    FOLDER/metrics.jsonl, report.html          see `metrics`

Invariant: a stage that has left its folder is not done again; a folder with a run in it is gone on with only where that
is asked for. Not covered: the stages (`stages`), settings (`settings`).
"""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.commandline.terminal import messages
from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.crew import follow
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.ranks import Ranks, join, leave
from autoforge.trainer.settings.parts import learner_settings
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.stages.begin import begun_model, by_first, cold_started
from autoforge.trainer.stages.lead import lead, newest, renderer_of, step_settings

__all__ = ["run_training"]


def run_training(settings: TrainerSettings, *, resume: bool) -> None:
    """Run it to its end; every rank calls it. Raises BadInput for what cannot be used, AutoForgeError for what breaks;
    what is finished is kept."""
    folder = settings.run.folder
    _check_settings(settings)
    ranks = join(learner_settings(settings, Path(settings.model.path)))
    _check(folder, resume, ranks)
    _check_ranks(settings, ranks)
    model = begun_model(settings, ranks)
    if settings.cold_start.source != "none":
        model = cold_started(settings, model, ranks)
    if settings.run.steps:
        _policy(settings, model, ranks)
    elif newest(folder) is None:  # else there is a model of steps that were made before
        by_first(ranks, partial(_keep, model, folder / "trained"))
    if ranks.rank == 0:
        _say_next(folder)
    leave()  # after a failure the other ranks may never come, and the program ends anyhow


def _keep(model: Path, trained: Path) -> None:
    """The model after a cold start alone. Raises AutoForgeError."""
    draft = trained.with_name(".trained.new")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        shutil.copytree(model, draft)
        shutil.rmtree(trained, ignore_errors=True)  # of a run with other steps of its cold start
        draft.rename(trained)
    except OSError as error:
        words = f"{trained} cannot be written: {error}"
        raise AutoForgeError(f"{words}; make room, and go on with --resume.") from error


def _say_next(folder: Path) -> None:
    curves, episodes = folder / "report.html", folder / "episodes.jsonl"
    view = f", autoforge-gym view {episodes}" if episodes.exists() else ""
    messages().print(f"Next: open {curves}{view}; the model is {folder / 'trained'}", soft_wrap=True, highlight=False)


def _check_settings(settings: TrainerSettings) -> None:
    """Raises BadInput for what cannot be run yet."""
    sampler = settings.sampler
    if sampler.engine != "vllm" or not settings.run.steps:
        return
    wanted = {"sampler.placement = 'apart'": sampler.placement == "apart",
              f"sampler.tensor_parallel = {sampler.tensor_parallel}": sampler.tensor_parallel > 1,
              f"learner.ranks = {settings.learner.ranks}": settings.learner.ranks > 1}  # fmt: skip
    for words, is_so in wanted.items():
        if is_so:
            start = "start servers of vLLM and take --set sampler.engine=vllm-server --set 'sampler.urls=[…]'"
            raise BadInput(f"{words}: the engine 'vllm' lives on the device of a single rank, beside it; {start}.")


def _check_ranks(settings: TrainerSettings, ranks: Ranks) -> None:
    """Raises BadInput, on every rank, where the launcher started another number of processes."""
    if ranks.world != settings.learner.ranks:
        words = f"learner.ranks is {settings.learner.ranks}, and {ranks.world} processes were started"
        start = f"torchrun --nproc-per-node {settings.learner.ranks} -m autoforge.trainer.cli …"
        raise BadInput(f"{words}; start it with {start}, or set learner.ranks={ranks.world}.")


def _check(folder: Path, resume: bool, ranks: Ranks) -> None:
    """Raises BadInput, on every rank."""
    there = folder.is_dir() and any(folder.iterdir())
    words = ""
    if there and not resume:
        words = f"{folder} holds a run; go on with --resume, or give another folder with --set run.folder=…"
    if resume and not there:
        words = f"{folder} holds no run to go on with; leave out --resume."
    told = ranks.gather(words)
    first = next((str(one) for one in told if one), "")
    if first:
        raise BadInput(first)


def _policy(settings: TrainerSettings, model: Path, ranks: Ranks) -> None:
    own = learner_settings(settings, model)

    def opened() -> Learner:
        learner = Learner(own, ranks)
        found = newest(settings.run.folder)
        if found is not None:
            learner.load(found[0] / "learner")
        return learner

    if ranks.rank == 0:
        run_async(partial(lead, settings, model, opened))
        return
    learner = opened()
    follow(learner, step_settings(settings), renderer_of(settings, learner).chosen.source)
