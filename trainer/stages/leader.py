"""The steps of a run, on the first rank: play, learn, send, measure, save.

Invariant: a step is learned from when all its groups have ended; weights are proved before anything is sampled with
them; a checkpoint names only what is on disk. Not covered: what is opened for it (`lead`).
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack

import anyio
from anyio.abc import TaskGroup

from autoforge.gym.agents.policy import PolicyAgent
from autoforge.gym.commandline.terminal import messages
from autoforge.gym.runs.settings import keep_settings
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.mcp_envs.errors import AutoForgeError
from autoforge.trainer.algorithm.erpo import contrast_needed
from autoforge.trainer.checkpoints import RunState, begun_checkpoint, finished_checkpoint
from autoforge.trainer.crew import Crew
from autoforge.trainer.metrics.metrics_file import read_records
from autoforge.trainer.metrics.record import Stage, StepRecord
from autoforge.trainer.metrics.recorder import METRICS_FILE, Recorder
from autoforge.trainer.rollouts.batches import Batch, Batches
from autoforge.trainer.rollouts.collector import Collector, Group
from autoforge.trainer.rollouts.control import dealt_anew
from autoforge.trainer.rollouts.draws import Draws, first_number
from autoforge.trainer.rollouts.episodes import Episodes, EpisodeSettings, Place
from autoforge.trainer.samplers.sampler import Sampler
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.stages.clock import now
from autoforge.trainer.stages.figures import Spent, batch_values, environment_values
from autoforge.trainer.stages.measure import measured, measurement_values, reward_of
from autoforge.trainer.stages.sending import Sending
from autoforge.trainer.stages.work import work_of
from autoforge.trainer.stages.world import World
from autoforge.trainer.sync import Probe

__all__ = ["Leader"]


class Leader:
    """What the first rank does."""

    agent: PolicyAgent

    def __init__(
        self, settings: TrainerSettings, crew: Crew, sampler: Sampler, world: World, state: RunState,
        stack: AsyncExitStack,
    ) -> None:  # fmt: skip
        """Files are opened on the stack; `agent` is given afterwards. Raises BadInput for a file that is not the
        run's."""
        self._settings = settings
        self._crew = crew
        self._sampler = sampler
        self._world = world
        self._state = state
        self._stack = stack
        self._folder = settings.run.folder
        self._groups = 0
        self._sending = Sending(settings, crew, sampler)

    async def run(self) -> None:
        """All steps that are not done. Raises AutoForgeError."""
        settings = self._settings
        self._recorder = self._stack.enter_context(self._records())
        episodes = self._episodes("episodes.jsonl", self._world.erring())
        self._measuring = self._episodes("evaluation.jsonl", self._world.places)
        first = first_number(self._state.step) * settings.rollouts.group
        if kept := episodes.remember(first):
            messages().print(f"{kept} finished episodes are taken over from before", soft_wrap=True)
        self._measuring.remember(self._state.step)
        self._say_unmeasured()
        batches = self._batches(episodes)
        trained = self._folder / "trained"
        if self._state.step < settings.run.steps:
            shutil.rmtree(trained, ignore_errors=True)  # of a run of fewer steps
        async with anyio.create_task_group() as tasks:
            await self._steps(batches, episodes, tasks)
        if not trained.exists():
            await self._crew.export(trained)

    def _say_unmeasured(self) -> None:
        own = self._settings.environments
        for name in self._world.training if own.evaluate_tasks else ():
            if name not in self._world.measured:
                words = f"{name} has no tasks of the split {own.evaluate_split}, and is not measured"
                more = f"make more with autoforge-gen tasks {name} -n 64, or set environments.evaluate_split"
                messages().print(f"{words}; {more}", soft_wrap=True)

    async def _steps(self, batches: Batches, episodes: Episodes, tasks: TaskGroup) -> None:
        await self._send()
        if self._state.step == 0:
            await self._measure()
        for step in range(self._state.step, self._settings.run.steps):
            begun, self._groups = now(), 0
            batch = await batches.next(tasks, self._tell)
            await self._learn(batch, episodes, Spent(begun, rollouts=now() - begun))
            await self._rest(step + 1)

    async def _rest(self, done: int) -> None:
        """What follows a step: a measurement, then the checkpoint, which knows of it."""
        last, every = done == self._settings.run.steps, self._settings.environments.evaluate_every
        if last or (every and done % every == 0):
            await self._measure()
        if last or done % self._settings.run.save_every == 0:
            await self._save()

    async def _learn(self, batch: Batch, episodes: Episodes, spent: Spent) -> None:
        begun = now()
        if not any(group.rollouts for group in batch.groups):
            words = f"no episode of step {batch.step + 1} came to anything"
            raise AutoForgeError(f"{words}; the last failure: {episodes.last}; mend it, and go on with --resume.")
        work = work_of(batch.step, self._rewarded(batch), contrast_needed=contrast_needed(self._settings.erpo))
        done = await self._crew.step(work)
        spent, begun = spent._replace(learner=now() - begun), now()
        probe = None
        if not done.skipped:
            self._state = self._state.model_copy(update={"version": self._state.version + 1})
            probe = await self._send()
        spent = spent._replace(sync=now() - begun)
        self._state = self._state.model_copy(update={"step": batch.step + 1})
        values = batch_values(batch, work, done, episodes.given_up, self._state.version - (not done.skipped), spent)
        if probe is not None:
            values["probe_difference"] = probe.difference
        values["cost"] = self._world.models.cost
        figures = environment_values(batch, done)
        self._recorder.record(
            StepRecord(
                stage="erpo", step=self._state.step, time=now(), version=self._state.version, values=values,
                environments=figures.environments, masked=figures.masked, unscored=figures.unscored, note=done.skipped,
            )
        )  # fmt: skip

    def _rewarded(self, batch: Batch) -> Sequence[Group]:
        """As they were played, or with the rewards of the control."""
        if not self._settings.erpo.selection.shuffled:
            return batch.groups
        return dealt_anew(batch.groups, seed=self._settings.run.seed, step=batch.step)

    async def _send(self) -> Probe:
        """The newest weights to the sampler, proved."""
        return await self._sending.send(self._state.version)

    async def _measure(self) -> None:
        if not any(self._world.measured.values()):
            return
        in_flight = self._settings.rollouts.in_flight
        played = await measured(self._measuring.play, self._world.measured, step=self._state.step, in_flight=in_flight)
        self._recorder.record(
            StepRecord(
                stage="evaluation", step=self._state.step, time=now(), version=self._state.version,
                values={"reward": reward_of(played), "episodes": float(len(played))},
                environments=measurement_values(played),
            )
        )  # fmt: skip

    async def _save(self) -> None:
        draft = begun_checkpoint(self._folder, self._state.step)
        await self._crew.save(draft / "learner")
        state = self._state.model_copy(update={"records": self._recorder.count})
        finished_checkpoint(draft, state, self._settings.run.keep)

    def _tell(self, group: Group) -> None:
        self._groups += 1
        self._recorder.working("groups", self._groups, max(self._groups, self._settings.erpo.selection.tasks))

    # What is opened.

    def _records(self) -> Recorder:
        totals: dict[Stage, int] = {"erpo": self._settings.run.steps}
        records = self._state.records if self._state.step else self._cold_start_records()
        return Recorder(self._folder, messages(), totals, tensorboard=self._settings.run.tensorboard, records=records)

    def _cold_start_records(self) -> int:
        """What stands before the first step; what a run that was killed before its first checkpoint recorded goes."""
        file = self._folder / METRICS_FILE
        return sum(record.stage == "cold_start" for record in read_records(file)) if file.exists() else 0

    def _episodes(self, name: str, places: Mapping[str, Place]) -> Episodes:
        settings = self._settings
        path = self._folder / name
        file = self._stack.enter_context(TrajectoryFile(path))
        keep_settings(path, self._world.run_settings)
        how = EpisodeSettings(
            seed=settings.run.seed, seconds=settings.rollouts.seconds, attempts=settings.rollouts.attempts,
            limits=settings.rollouts.limits, progress=bool(settings.erpo.credit.weight), mask=settings.judge.mask,
        )  # fmt: skip
        return Episodes(places, self.agent, file, how, self._world.judge)

    def _batches(self, episodes: Episodes) -> Batches:
        settings, own = self._settings, self._settings.erpo.selection
        draws = Draws(
            self._world.training, count=own.tasks, each=own.tasks_per_environment, seed=settings.run.seed
        )  # fmt: skip
        collector = Collector(
            episodes.play, rollouts=settings.rollouts.group, in_flight=settings.rollouts.in_flight
        )  # fmt: skip
        refills = own.refill_rounds if contrast_needed(settings.erpo) else 0
        return Batches(
            draws, collector, first=self._state.step, last=settings.run.steps, refills=refills,
            ahead=settings.rollouts.max_staleness,
        )  # fmt: skip
