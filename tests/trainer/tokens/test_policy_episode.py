"""An episode with a real environment: the policy agent drives the renderer, and its rows are what was sampled."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from autoforge.gym.agents.policy import PolicyAgent, PolicySettings, Renderer, Sampled
from autoforge.mcp_envs.task import Task
from autoforge.trainer.tokens import TemplateRenderer, rollout_of
from tests.gym.agents.conftest import desk_server, episodes, play, task, tasks
from tests.trainer.tokens.dialogues import renderer_of

__all__ = ["episodes", "task", "tasks"]

pytestmark = pytest.mark.anyio
LOOK = '<tool_call>\n{"name": "list_agents", "arguments": {}}\n</tool_call>'
RESOLVE = '{"name": "resolve_ticket", "arguments": {"ticket_id": 9, "resolution": "done"}}'
SCRIPT = (
    (f"<think>\nOne.\n</think>\n\n{LOOK}\n{LOOK}", True),
    ("<think>\nTwo.\n</think>\n\nShall I?", True),
    (f"<tool_call>\n{RESOLVE[:30]}", False),
    (f"<think>\nFour.\n</think>\n\n<tool_call>\n{RESOLVE}\n</tool_call>", True),
    ("<think>\nFive.\n</think>\n\nThat is done.", True),
)


class Script:
    """A sampler that gives what was written beforehand."""

    def __init__(self, renderer: TemplateRenderer) -> None:
        self._renderer = renderer
        self._place = 0
        self.given: list[int] = []

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        text, stopped = SCRIPT[self._place]
        self._place += 1
        if self._renderer.chosen.facts.opens_thought:
            text = text.removeprefix("<think>\n") if text.startswith("<think>") else f"</think>{text}"
        ids = (*self._renderer.chosen.template.ids(text), *(self._renderer.stop_ids[:1] if stopped else ()))
        self.given += ids
        return Sampled(ids, (-0.5,) * len(ids), "stop" if stopped else "length", (self._place,) * len(ids))


@pytest.mark.parametrize(
    ("family", "tools"),
    [("qwen3", "template"), ("qwen3_thinking", "template"), ("qwen2_5", "template"), ("phi3_5", "hermes")],
)
async def test_an_episode_that_is_played_is_one_row_of_what_was_sampled(family: str, tools: str, task: Task) -> None:
    renderer: Renderer = renderer_of(family, tools)
    assert isinstance(renderer, TemplateRenderer)
    sampler = Script(renderer)
    async with desk_server() as server:
        trajectory = await play(server, PolicyAgent(renderer, sampler, PolicySettings(max_tokens=500)), task)
    assert trajectory.failure is None and trajectory.reward == 1.0
    rollout = rollout_of(trajectory)
    row = rollout.rows[0]
    assert (rollout.forks, rollout.terminated, rollout.truncated) == (0, True, False)
    assert [number for number, on in zip(row.ids, row.trainable, strict=True) if on] == sampler.given
    assert [span.version for span in row.versions] == [1, 2, 3, 4, 5] and rollout.staleness(6) == 5
    text = renderer.chosen.template.words(row.ids)
    assert [word in text for word in ("One.", "Two.", "Four.", "Five.")] == [True] * 4
    assert text.count("<tool_response>") == 3
    spoken = [turn.content for turn in trajectory.turns if turn.role == "assistant" and not turn.tool_calls]
    assert spoken[-1] == "That is done." and not any("<think>" in words for words in spoken)
