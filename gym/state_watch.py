"""What the state of an episode was at first, is now and should become, and what that is worth.

Invariant: the states are those that the session shows, read when something may have changed them; where it shows none,
nothing is scored. A task whose gold fits no state is the environment's failure. Not covered: who changes the state
(`environment`), how states are compared (`reward`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from autoforge.gym.deadline import deadline
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.progress import Progress
from autoforge.gym.reward import Reward, gold_state, score
from autoforge.gym.servers.server import Session
from autoforge.mcp_envs.errors import BadInput, CheckFailed
from autoforge.mcp_envs.state import Change, State, changes
from autoforge.mcp_envs.task import Task

__all__ = ["StateWatch"]


class StateWatch:
    """Of one episode."""

    def __init__(self, session: Session, task: Task, seconds: float) -> None:
        """`seconds` are for one look at the state."""
        self._session = session
        self._task = task
        self._seconds = seconds
        self._initial: State | None = None
        self._latest: State | None = None
        self._gold: State | None = None
        self._progress: Progress | None = None

    async def begin(self, *, with_progress: bool) -> None:
        """Look for the first time, before anybody acts. Raises EpisodeFailure."""
        self._initial = self._latest = await self._look()
        manifest = self._session.manifest
        if self._initial is None or manifest is None:
            return
        try:
            self._gold = gold_state(self._initial, self._task, manifest)
        except CheckFailed as error:
            raise EpisodeFailure("environment", "state", str(error)) from None
        self._progress = Progress(self._initial, self._gold, manifest) if with_progress else None

    async def changed(self) -> tuple[Change, ...]:
        """What is not as it was when this was asked before. Raises EpisodeFailure."""
        before, self._latest = self._latest, await self._look()
        manifest = self._session.manifest
        if before is None or self._latest is None or manifest is None or before is self._latest:
            return ()
        return tuple(changes(before, self._latest, manifest))

    @property
    def progress(self) -> float | None:
        """The share of the gold changes that are reached; None where nobody asked for it or the state is not shown."""
        if self._progress is None or self._latest is None:
            return None
        return self._progress.share(self._latest)

    def scored(self, told: Sequence[str]) -> Reward | None:
        """What the state, as of the last look, and the messages to the user are worth; None where the state is not
        shown. Raises EpisodeFailure."""
        manifest = self._session.manifest
        if self._initial is None or self._latest is None or self._gold is None or manifest is None:
            return None
        try:
            reward = score(self._task, self._initial, self._latest, manifest, told, gold=self._gold)
        except (BadInput, CheckFailed) as error:
            raise EpisodeFailure("environment", "state", str(error)) from None
        if not math.isfinite(reward.value):
            raise EpisodeFailure("environment", "state", f"the reward is {reward.value}")
        return reward

    async def _look(self) -> State | None:
        with deadline(self._seconds, "state", "the state could not be read"):
            return await self._session.state()
