"""Many episodes: so many at a time, each kept when it is finished, and none lost or scored by another's fault."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import anyio
import pytest

from autoforge.gym.agents.agent import Briefing, Player
from autoforge.gym.agents.baseline import BaselineAgent
from autoforge.gym.baselines import Oracle
from autoforge.gym.failures import Blame, EpisodeFailure
from autoforge.gym.runs.judging import Judged
from autoforge.gym.runs.outcome import Outcome
from autoforge.gym.runs.plan import Part
from autoforge.gym.runs.run import Cast, RunOptions, run_episodes, wanted_ids
from autoforge.gym.runs.settings import RunSettings, keep_settings
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.trajectory import Judgement, Trajectory
from autoforge.gym.turns import Action, Observation
from autoforge.gym.users import UserBriefing, UserTurn
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import AutoForgeError, BadInput, BudgetExceeded, ContainmentError, ModelFailure
from autoforge.mcp_envs.task import Task
from tests.gym.conftest import ENVIRONMENTS, Plain, PlainSpeaker
from tests.gym.runs.test_trajectory_file import room

pytestmark = pytest.mark.anyio
ORACLE = BaselineAgent(Oracle())


class Patient(Plain):
    """It says nothing until the agent says something, as often as it does."""

    name = "patient"

    def begin(self, briefing: UserBriefing) -> PlainSpeaker:
        return PlainSpeaker(briefing, [UserTurn("Go on.")] * (len(briefing.task.gold.answers) - 1))


class Failing:
    """An agent whose episodes of some tasks fail, so many times."""

    def __init__(self, times: dict[str, int], error: Exception) -> None:
        self.times = Counter(times)
        self.error = error
        self.begun: list[tuple[str, int]] = []
        self.name = "failing"

    def begin(self, briefing: Briefing) -> Player:
        assert briefing.task is not None
        self.begun.append((briefing.task.id, briefing.seed))
        if self.times[briefing.task.id] > 0:
            self.times[briefing.task.id] -= 1
            raise self.error
        return ORACLE.begin(briefing)


def hotel_server() -> FolderServer:
    return FolderServer(find_environment(str(ENVIRONMENTS / "hotel")))


@pytest.fixture
def parts() -> list[Part]:
    server = hotel_server()
    return [Part(server, tuple(server.tasks[:4]))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    keep_settings(tmp_path / "run.jsonl", RunSettings(agent="a", user="u"))
    return tmp_path / "run.jsonl"


async def played(parts: Sequence[Part], cast: Cast, path: Path, **options: Any) -> list[Outcome]:
    """What was played now, in the order in which it was told."""
    told: list[Outcome] = []
    with TrajectoryFile(path) as file, anyio.fail_after(60):
        await run_episodes(parts, cast, file, RunOptions(**options), told.append)
    return told


def ids(parts: Sequence[Part], cast: Cast, trials: int = 1) -> list[str]:
    return sorted(wanted_ids(parts, cast, trials))


async def test_every_trial_of_every_task_is_played_once_and_a_second_run_plays_none(
    parts: list[Part], path: Path
) -> None:
    cast = Cast(ORACLE, Patient())
    told = await played(parts, cast, path, trials=3)
    assert sorted(o.id for o in told) == ids(parts, cast, 3) and {o.reward for o in told} == {1.0}
    again = [Part(hotel_server(), parts[0].tasks)]
    assert await played(again, cast, path, trials=3) == []
    assert len(await played(again, cast, path, trials=4)) == 4


class Counting(FolderServer):
    """It counts its open sessions."""

    open_now = most = 0

    async def open(self, task: Task | None, episode: str) -> Any:
        session = await super().open(task, episode)
        self.open_now += 1
        self.most = max(self.most, self.open_now)
        close = session.close

        async def closed() -> None:
            self.open_now -= not session._closed
            await close()

        session.close = closed  # type: ignore[method-assign]
        return session


async def test_no_more_run_at_a_time_than_are_allowed(path: Path) -> None:
    server = Counting(find_environment(str(ENVIRONMENTS / "hotel")))
    await played([Part(server, tuple(server.tasks[:4]))], Cast(ORACLE, Patient()), path, trials=5, concurrency=3)
    assert server.open_now == 0 and server.most == 3


async def test_what_fails_by_the_infrastructure_is_played_anew_and_only_the_last_time_is_kept(
    parts: list[Part], path: Path
) -> None:
    first, second = parts[0].tasks[0].id, parts[0].tasks[1].id
    agent = Failing({first: 2, second: 3}, EpisodeFailure("infrastructure", "server", "gone"))
    told = await played(parts, Cast(agent, Patient()), path, retries=2)
    assert Counter(agent.times)[second] == 0 and len(told) == 4
    assert {o.task: o.reward for o in told} == {t.id: None if t.id == second else 1.0 for t in parts[0].tasks}
    assert {o.unscored for o in told} == {None, "infrastructure"}
    assert {seed for task, seed in agent.begun} == {0}


@pytest.mark.parametrize("blame", ["user", "environment", "infrastructure"])
async def test_a_resumed_run_plays_again_what_failed_by_no_fault_of_the_policy(
    parts: list[Part], path: Path, blame: Blame
) -> None:
    task = parts[0].tasks[2].id
    agent = Failing({task: 1}, EpisodeFailure(blame, "somewhere", "it broke"))
    cast = Cast(agent, Patient())
    told = await played(parts, cast, path, retries=0)
    assert [o.task for o in told if o.reward is None] == [task]
    again = await played([Part(hotel_server(), parts[0].tasks)], cast, path, retries=0)
    assert [(o.task, o.reward) for o in again] == [(task, 1.0)]
    dice = [seed for begun, seed in agent.begun if begun == task]
    assert (dice[0] == dice[1]) == (blame == "infrastructure")  # the same dice would break the same way again
    with TrajectoryFile(path) as file:
        assert sorted(file.outcomes) == ids(parts, cast) and all(o.reward == 1.0 for o in file.outcomes.values())


async def test_what_the_policy_failed_stays(parts: list[Part], path: Path) -> None:
    agent = Failing({parts[0].tasks[0].id: 9}, EpisodeFailure("policy", "agent", "too long"))
    told = await played(parts, Cast(agent, Patient()), path)
    assert sorted((o.reward, o.blame) for o in told)[0] == (0.0, "policy") and len(agent.begun) == 4
    assert await played([Part(hotel_server(), parts[0].tasks)], Cast(agent, Patient()), path) == []


async def test_at_the_cost_limit_the_run_ends_and_what_is_finished_is_kept(parts: list[Part], path: Path) -> None:
    agent = Failing({parts[0].tasks[2].id: 1}, BudgetExceeded("raise --max-cost to go on"))
    cast = Cast(agent, Patient())
    with pytest.raises(BudgetExceeded):
        await played(parts, cast, path, concurrency=1)
    with TrajectoryFile(path) as file:
        assert [o.task for o in file.outcomes.values()] == [task.id for task in parts[0].tasks[:2]]
    assert len(await played([Part(hotel_server(), parts[0].tasks)], cast, path)) == 2


class Torn:
    """An agent whose episode of one task breaks because the cost limit, met in another, ends the run."""

    name = "torn"

    def __init__(self, task: str) -> None:
        self._task = task
        self._waits = anyio.Event()

    def begin(self, briefing: Briefing) -> Player:
        assert briefing.task is not None
        return TornPlayer(self._waits, briefing.task.id == self._task)


class TornPlayer:
    def __init__(self, waits: anyio.Event, here: bool) -> None:
        self._waits = waits
        self._here = here

    async def act(self, observation: Observation) -> Action:
        if not self._here:
            await self._waits.wait()
            raise BudgetExceeded("raise --max-cost to go on")
        self._waits.set()
        try:
            await anyio.sleep_forever()
        finally:
            raise EpisodeFailure("infrastructure", "server", "it was closed under the episode")


async def test_what_breaks_because_the_run_ends_leaves_no_line(parts: list[Part], path: Path) -> None:
    with pytest.raises(BudgetExceeded):
        await played([Part(hotel_server(), parts[0].tasks[:2])], Cast(Torn(parts[0].tasks[0].id), Patient()), path)
    with TrajectoryFile(path) as file:
        assert file.outcomes == {}


async def test_an_agent_that_cannot_keep_its_settings_ends_the_run(parts: list[Part], path: Path) -> None:
    with pytest.raises(BadInput, match="cannot"):
        await played(parts, Cast(Failing({parts[0].tasks[0].id: 1}, BadInput("it cannot")), Patient()), path)


async def test_a_file_that_cannot_be_written_further_ends_the_run(parts: list[Part], path: Path) -> None:
    cast = Cast(ORACLE, Patient())
    state_size = 400_000  # the states of episodes fit, many trajectories do not
    with room(state_size), pytest.raises(AutoForgeError, match="make room"):
        await played(parts, cast, path, trials=8)
    with TrajectoryFile(path) as file:
        kept = set(file.outcomes)
    assert 0 < len(kept) < 32 and path.stat().st_size <= state_size
    told = await played([Part(hotel_server(), parts[0].tasks)], cast, path, trials=8)
    assert sorted(kept | {o.id for o in told}) == ids(parts, cast, 8) and not kept & {o.id for o in told}


class TornServer(FolderServer):
    """It breaks at its start, because the run ends meanwhile."""

    async def __aenter__(self) -> Any:
        try:
            await anyio.sleep_forever()
        finally:
            raise ContainmentError("the pipe was closed")


async def test_a_server_that_breaks_because_the_run_ends_leaves_no_line(parts: list[Part], path: Path) -> None:
    torn = TornServer(find_environment(str(ENVIRONMENTS / "telecom")))
    poor = Cast(Failing({parts[0].tasks[0].id: 1}, BudgetExceeded("raise --max-cost to go on")), Patient())
    with pytest.raises(BudgetExceeded):
        await played([Part(hotel_server(), parts[0].tasks[:1]), Part(torn, tuple(torn.tasks[:3]))], poor, path)
    with TrajectoryFile(path) as file:
        assert file.outcomes == {}


class Unstartable(FolderServer):
    async def __aenter__(self) -> Any:
        raise ContainmentError("there is no python")


async def test_a_server_that_does_not_start_fails_its_own_episodes_only(parts: list[Part], path: Path) -> None:
    broken = Unstartable(find_environment(str(ENVIRONMENTS / "telecom")))
    both = [Part(broken, tuple(broken.tasks[:2])), *parts]
    told = await played(both, Cast(ORACLE, Patient()), path)
    assert [(o.environment, o.unscored) for o in told[:2]] == [("telecom", "infrastructure")] * 2
    assert {(o.environment, o.reward) for o in told[2:]} == {("hotel", 1.0)}


async def test_a_server_is_started_when_the_last_episode_of_the_one_before_begins(path: Path) -> None:
    events: list[str] = []

    class Telling(FolderServer):
        async def __aenter__(self) -> Any:
            events.append(f"{self.name} starts")
            return await super().__aenter__()

        async def __aexit__(
            self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
        ) -> None:
            await super().__aexit__(kind, error, trace)
            events.append(f"{self.name} ends")

    names = ("hotel", "telecom", "biblioteca")
    servers = [Telling(find_environment(str(ENVIRONMENTS / name))) for name in names]
    parts = [Part(server, tuple(server.tasks[:2])) for server in servers]
    with TrajectoryFile(path) as file, anyio.fail_after(60):
        options = RunOptions(concurrency=1)
        cast = Cast(ORACLE, Patient())
        await run_episodes(parts, cast, file, options, lambda outcome: events.append(f"{outcome.environment} played"))
    assert [event for event in events if event.endswith("starts")] == [f"{name} starts" for name in names]
    assert events.index("biblioteca starts") > events.index("hotel played") + 1
    assert {f"{name} ends" for name in names} < set(events)


async def test_a_verdict_of_the_judge_is_kept_and_masks(parts: list[Part], path: Path) -> None:
    spoiled = parts[0].tasks[1].id
    word = Judgement(kind="invented", turn=0, quote="Hello", touches="required")

    async def judge(trajectory: Trajectory, task: Task) -> Judged:
        return Judged((word,), True) if task.id == spoiled else Judged((), False)

    told = await played(parts, Cast(ORACLE, Patient(), judge), path)
    assert {o.task: (o.masked, o.reward) for o in told} == {t.id: (t.id == spoiled, 1.0) for t in parts[0].tasks}
    lines = [Trajectory.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {t.task: t.judgements for t in lines} == {t.id: (word,) * (t.id == spoiled) for t in parts[0].tasks}


@pytest.mark.parametrize("error", [EpisodeFailure("judge", "judge", "no verdict"), ModelFailure("no answer")])
async def test_where_the_judge_fails_the_episode_is_unscored_and_tried_again_later(
    parts: list[Part], path: Path, error: Exception
) -> None:
    async def judge(trajectory: Trajectory, task: Task) -> Judged:
        raise error

    told = await played(parts, Cast(ORACLE, Patient(), judge), path)
    assert {(o.reward, o.unscored) for o in told} == {(None, "judge")}
    assert len(await played([Part(hotel_server(), parts[0].tasks)], Cast(ORACLE, Patient()), path)) == 4


async def test_a_cancelled_run_closes_every_session_and_keeps_what_is_finished(path: Path) -> None:
    server = Counting(find_environment(str(ENVIRONMENTS / "hotel")))
    parts = [Part(server, tuple(server.tasks[:4]))]
    with anyio.CancelScope() as scope:

        def stop_at_third(outcome: Outcome) -> None:
            if len(file.outcomes) == 3:
                scope.cancel()

        with TrajectoryFile(path) as file:
            await run_episodes(parts, Cast(ORACLE, Patient()), file, RunOptions(trials=4), stop_at_third)
    assert scope.cancelled_caught and server.most > 1 and server.open_now == 0 and server._tools is None
    with TrajectoryFile(path) as file:
        assert 3 <= len(file.outcomes) < 16


async def test_the_progress_signal_is_kept_where_it_was_asked_for(parts: list[Part], path: Path) -> None:
    await played([parts[0]._replace(tasks=parts[0].tasks[:1])], Cast(ORACLE, Patient()), path, progress=True)
    line = Trajectory.model_validate_json(path.read_text(encoding="utf-8"))
    assert [turn.progress for turn in line.turns if turn.progress is not None][-1] == 1.0


async def test_the_user_of_a_part_takes_the_place_of_the_runs_own(parts: list[Part], path: Path) -> None:
    class Own(Patient):
        begun = 0

        def begin(self, briefing: UserBriefing) -> PlainSpeaker:
            self.begun += 1
            return super().begin(briefing)

    own = Own()
    await played([parts[0]._replace(user=own)], Cast(ORACLE, Patient()), path)
    assert own.begun == 4


def children() -> list[int]:
    """The numbers of this process's children."""
    tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
    return [int(number) for task in tasks for number in (task / "children").read_text(encoding="utf-8").split()]


async def test_workers_that_are_killed_cost_no_episode_and_no_reward(path: Path) -> None:
    before, killed = set(children()), Counter[int]()
    server = hotel_server()
    cast = Cast(ORACLE, Patient())

    def kill(outcome: Outcome) -> None:
        if len(file.outcomes) % 4 == 0:
            for number in set(children()) - before:
                killed[number] += 1
                os.kill(number, signal.SIGKILL)

    with TrajectoryFile(path) as file, anyio.fail_after(60):
        parts = [Part(server, tuple(server.tasks))]
        await run_episodes(parts, cast, file, RunOptions(concurrency=6, trials=2), kill)
    assert len(killed) > 2 and len(file.outcomes) == 2 * len(server.tasks)
    assert {outcome.reward for outcome in file.outcomes.values()} == {1.0}


class Dead(FolderServer):
    """No session can be had of it."""

    async def open(self, task: Task | None, episode: str) -> Any:
        raise EpisodeFailure("infrastructure", "server", "connection refused")


async def test_a_server_that_gives_no_session_ends_the_run_after_so_many(parts: list[Part], path: Path) -> None:
    dead = Dead(find_environment(str(ENVIRONMENTS / "hotel")))
    with pytest.raises(AutoForgeError, match="20 episodes of hotel in a row could not begin: connection refused"):
        await played([Part(dead, parts[0].tasks)], Cast(ORACLE, Patient()), path, trials=50, retries=0, concurrency=2)
    with TrajectoryFile(path) as file:
        assert 18 <= len(file.outcomes) < 25
    cast = Cast(ORACLE, Patient())
    assert len(await played([Part(hotel_server(), parts[0].tasks)], cast, path, trials=6)) == 24
