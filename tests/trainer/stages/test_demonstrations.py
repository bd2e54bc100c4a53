"""Teachers of the cold start, in a real environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoforge.gym.environment import EpisodeLimits
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.settings.load import load_settings
from autoforge.trainer.stages.demonstrations import demonstrations
from autoforge.trainer.stages.world import open_world
from autoforge.trainer.tokens.conversation import thought_of
from tests.gym.conftest import ENVIRONMENTS

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def taught(folder: Path, *given: str):  # type: ignore[no-untyped-def]
    desk = f'environments.train=["{ENVIRONMENTS / "desk"}"]'
    assignments = [desk, "environments.unseen=[]", f'run.folder="{folder}"', "environments.tasks=24", *given]
    settings = load_settings("tiny", assignments).settings
    async with open_world(settings) as world:
        return await demonstrations(settings.cold_start, world, EpisodeLimits(), settings.run.seed)


async def test_gold_is_right_and_hasty_is_wrong_in_about_half(tmp_path: Path) -> None:
    gold = await taught(tmp_path, 'cold_start.source="gold"')
    hasty = await taught(tmp_path)
    assert len(gold) == len(hasty) == 24 and {t.reward for t in gold} == {1.0}
    assert 6 <= sum(t.reward == 0.0 for t in hasty) <= 18


async def test_a_teacher_hears_every_wish_before_it_acts(tmp_path: Path) -> None:
    """It knows its task: with wishes still to come it would teach to act on what nobody said."""
    for trajectory in await taught(tmp_path, 'cold_start.source="gold"'):
        roles = [turn.role for turn in trajectory.turns]
        first_message = next(n for n, turn in enumerate(trajectory.turns) if turn.role == "assistant" and turn.content)
        assert roles[0] == "user" and "user" not in roles[1:first_message]


async def test_a_thinking_teacher_notes_what_it_called(tmp_path: Path) -> None:
    for trajectory in await taught(tmp_path, "cold_start.thoughts=true"):
        called: list[str] = []
        for turn in (turn for turn in trajectory.turns if turn.role == "assistant"):
            assert thought_of(turn.reasoning) == (f"so far {', '.join(called)}" if called else "nothing so far")
            called += [call.name for call in turn.tool_calls]


async def test_hasty_needs_a_reward_of_0_to_leave_anything_but_gold(tmp_path: Path) -> None:
    assert {t.reward for t in await taught(tmp_path, "cold_start.reward=1.0")} == {1.0}


async def test_files_without_a_good_episode_are_refused(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("", encoding="utf-8")
    given = ['cold_start.source="trajectories"', f'cold_start.files=["{tmp_path / "none.jsonl"}"]']
    with pytest.raises(BadInput, match="none of 0 episodes"):
        await taught(tmp_path, *given)
