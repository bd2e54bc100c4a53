"""Episodes of the policy: on disk before they count, never played twice, and never a reward by another's fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from autoforge.gym.agents.agent import Briefing, Player
from autoforge.gym.agents.baseline import BaselineAgent
from autoforge.gym.baselines import Oracle
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.runs.judging import Judged
from autoforge.gym.runs.reading import latest
from autoforge.gym.runs.settings import RunSettings, keep_settings
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.trajectory import Judgement, Trajectory
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import ModelFailure
from autoforge.mcp_envs.task import Task
from autoforge.trainer.rollouts.episodes import Episodes, EpisodeSettings, Place
from tests.gym.conftest import ENVIRONMENTS

pytestmark = pytest.mark.anyio


class Agent:
    """The oracle, but for some first attempts that fail or hang."""

    name = "policy"

    def __init__(self, *troubles: Exception | None) -> None:
        self.troubles = list(troubles)
        self.begun: list[int] = []

    def begin(self, briefing: Briefing) -> Player:
        self.begun.append(briefing.seed)
        trouble = self.troubles.pop(0) if self.troubles else None
        if trouble is not None:
            raise trouble
        return BaselineAgent(Oracle()).begin(briefing)


class Hanging(Agent):
    def begin(self, briefing: Briefing) -> Any:
        self.begun.append(briefing.seed)
        return self

    async def act(self, observation: object) -> Any:
        await anyio.sleep_forever()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    keep_settings(tmp_path / "episodes.jsonl", RunSettings(agent="policy", user="scripted"))
    return tmp_path / "episodes.jsonl"


@pytest.fixture
def file(path: Path) -> Iterator[TrajectoryFile]:
    with TrajectoryFile(path) as opened:
        yield opened


@pytest.fixture
async def hotel() -> Any:
    async with FolderServer(find_environment(str(ENVIRONMENTS / "hotel"))) as server:
        yield server


def episodes(server: FolderServer, agent: Any, file: TrajectoryFile, judge: Any = None, **more: Any) -> Episodes:
    places = {"hotel": Place(server, ScriptedUser())}
    return Episodes(places, agent, file, EpisodeSettings(**more), judge)


BROKEN = EpisodeFailure("infrastructure", "server", "gone")


async def test_an_episode_is_on_disk_when_it_is_given(hotel: FolderServer, file: TrajectoryFile, path: Path) -> None:
    played = await episodes(hotel, Agent(), file).play("hotel", hotel.tasks[0], 7)
    assert played is not None and played.reward == 1.0 and list(latest(path)) == [played]


async def test_what_is_finished_is_not_played_again_after_a_kill(
    hotel: FolderServer, file: TrajectoryFile, path: Path
) -> None:
    first = episodes(hotel, Agent(), file)
    kept = [await first.play("hotel", hotel.tasks[0], trial) for trial in (3, 4, 5)]
    agent = Agent()
    again = episodes(hotel, agent, file)
    assert again.remember(4) == 2
    assert [await again.play("hotel", hotel.tasks[0], trial) for trial in (4, 5)] == kept[1:] and agent.begun == []
    await again.play("hotel", hotel.tasks[0], 6)
    assert len(agent.begun) == 1


async def test_a_failure_that_is_not_the_policys_is_played_anew_with_other_dice_and_then_given_up(
    hotel: FolderServer, file: TrajectoryFile
) -> None:
    agent = Agent(BROKEN, BROKEN)
    played = await episodes(hotel, agent, file).play("hotel", hotel.tasks[0], 0)
    assert played is not None and played.reward == 1.0 and len(set(agent.begun)) == 3
    poor = episodes(hotel, Agent(BROKEN, BROKEN), file, attempts=2)
    assert await poor.play("hotel", hotel.tasks[0], 1) is None and poor.given_up == {"infrastructure": 1}


async def test_an_episode_that_takes_too_long_is_given_up(hotel: FolderServer, file: TrajectoryFile) -> None:
    slow = episodes(hotel, Hanging(), file, seconds=0.2, attempts=2)
    assert await slow.play("hotel", hotel.tasks[0], 0) is None and slow.given_up == {"late": 1}


async def test_the_policys_own_failure_is_worth_0_and_stays(hotel: FolderServer, file: TrajectoryFile) -> None:
    own = EpisodeFailure("policy", "limits", "it is full")
    played = await episodes(hotel, Agent(own), file).play("hotel", hotel.tasks[0], 0)
    assert played is not None and played.reward == 0.0


@pytest.mark.parametrize(("rule", "hidden"), [("touching", True), ("failures", False)])
async def test_an_error_of_the_user_masks_by_the_rule(
    hotel: FolderServer, file: TrajectoryFile, rule: Any, hidden: bool
) -> None:
    error = Judgement(kind="altered", turn=0, quote="x", touches="required", effect="spoiled")

    async def judge(trajectory: Trajectory, task: Task) -> Judged:
        return Judged((error,), True)

    played = await episodes(hotel, Agent(), file, judge, mask=rule).play("hotel", hotel.tasks[0], 0)
    assert played is not None and (played.reward, played.masked, played.judgements) == (1.0, hidden, (error,))


async def test_where_the_judge_comes_to_no_verdict_there_is_no_reward(
    hotel: FolderServer, file: TrajectoryFile, path: Path
) -> None:
    async def judge(trajectory: Trajectory, task: Task) -> Judged:
        raise ModelFailure("no answer")

    played = episodes(hotel, Agent(), file, judge, attempts=2)
    assert await played.play("hotel", hotel.tasks[0], 0) is None
    assert played.given_up == {"judge": 1} and list(latest(path)) == []
