"""The policy in training: what is sampled stands in every later prompt, and broken samplers are not scored."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.gym.agents.agent import Briefing
from autoforge.gym.agents.policy import PolicyAgent, PolicySettings, Renderer, Sampled
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Message
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.turns import Observation, SampledTokens
from autoforge.mcp_envs.errors import ModelFailure
from autoforge.mcp_envs.task import Task
from tests.gym.agents.bytes_renderer import END, MINE, BytesRenderer, text_of
from tests.gym.agents.conftest import desk_server, play

pytestmark = pytest.mark.anyio

BYTES = BytesRenderer()
HELLO = (Message(role="user", content="hello"),)
RESOLVE = '{"name": "resolve_ticket", "arguments": {"ticket_id": 9, "resolution": "done"}}'
LOOK = '{"name": "list_agents", "arguments": {}}'


def sampled(text: str, *, stop: bool = True, version: int = 3) -> Sampled:
    ids = (*text.encode(), *((END,) if stop else ()))
    return Sampled(ids, (-0.5,) * len(ids), "stop" if stop else "length", (version,) * len(ids))


class Script:
    """A sampler that gives what was written beforehand, and notes what it was asked."""

    def __init__(self, *turns: Sampled) -> None:
        self.turns = list(turns)
        self.prompts: list[tuple[int, ...]] = []
        self.limits: list[int] = []
        self.seeds: list[int] = []

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        self.prompts.append(tuple(prompt_ids))
        self.limits.append(max_tokens)
        self.seeds.append(seed)
        return self.turns[min(len(self.prompts), len(self.turns)) - 1]


async def played(
    script: Script, task: Task, settings: PolicySettings | None = None, *, trial: int = 0, renderer: Renderer = BYTES
) -> Trajectory:
    async with desk_server() as server:
        return await play(server, PolicyAgent(renderer, script, settings), task, trial=trial)


def tokens(trajectory: Trajectory) -> list[SampledTokens]:
    return [turn.tokens for turn in trajectory.turns if turn.tokens is not None]


SOLVED = (
    sampled(f"<think>\none\n</think>\n\n<tool_call>\n{LOOK}\n</tool_call>\n<tool_call>\n{LOOK}\n</tool_call>"),
    sampled("<think>\ntwo\n</think>\n\nShall I?"),
    sampled(f"<think>\nthree\n</think>\n\n<tool_call>{RESOLVE}}}</tool_call><tool_call>{LOOK}"),
    sampled("<think>\nfour\n</think>\n\nThat is done."),
)


async def test_a_policy_solves_a_task_and_every_prompt_begins_with_all_before_it(task: Task) -> None:
    script = Script(*SOLVED)
    trajectory = await played(script, task)
    assert trajectory.reward == 1.0
    rows = tokens(trajectory)
    assert [row.ids for row in rows] == [turn.ids for turn in SOLVED]
    assert [row.prompt_ids for row in rows] == script.prompts
    for before, after in pairwise(rows):
        sent = before.prompt_ids + before.ids
        assert after.prompt_ids[: len(sent)] == sent and after.prompt_ids[-len(MINE) :] == MINE
    assert all(row.versions == (3,) * len(row.ids) and row.logprobs == (-0.5,) * len(row.ids) for row in rows)
    assert [turn.usage.output_tokens for turn in trajectory.turns if turn.usage] == [len(t.ids) for t in SOLVED]


async def test_thoughts_of_every_earlier_turn_stay_in_the_prompt(task: Task) -> None:
    script = Script(*SOLVED)
    await played(script, task)
    last = text_of(script.prompts[-1])
    assert [word in last for word in ("one", "two", "three")] == [True] * 3
    assert last.count("<tool_response>") == 4
    assert last.count("<start>user\n<tool_response>") == 2


async def test_a_user_and_a_tool_never_see_a_thought(task: Task) -> None:
    trajectory = await played(Script(*SOLVED), task)
    spoken = [turn.content for turn in trajectory.turns if turn.role == "assistant" and not turn.tool_calls]
    assert spoken == ["Shall I?", "That is done."]
    ids = [call.id for turn in trajectory.turns for call in turn.tool_calls]
    assert len(set(ids)) == len(ids) == 4


async def test_a_malformed_call_is_mended_and_stays_as_it_was_sampled(task: Task) -> None:
    broken = sampled('<tool_call>\n{"name": "resolve_ticket", "arguments": {\n</tool_call>')
    script = Script(broken, sampled(f"<tool_call>\n{RESOLVE}\n</tool_call>"), sampled("That is done."))
    trajectory = await played(script, task)
    assert trajectory.reward == 1.0
    assert [turn.is_error for turn in trajectory.turns if turn.role == "tool"] == [True, False]
    assert script.prompts[1][: len(script.prompts[0]) + len(broken.ids)] == script.prompts[0] + broken.ids


async def test_a_turn_that_is_cut_off_is_closed_in_the_prompt_but_not_in_what_was_sampled(task: Task) -> None:
    cut = sampled(f"<tool_call>\n{RESOLVE[:30]}", stop=False)
    script = Script(cut, sampled(f"<tool_call>\n{RESOLVE}\n</tool_call>"), sampled("That is done."))
    trajectory = await played(script, task)
    assert trajectory.reward == 1.0 and END not in tokens(trajectory)[0].ids
    assert script.prompts[1][len(script.prompts[0] + cut.ids)] == END
    assert "cut off by its length limit" in text_of(script.prompts[1])


async def test_each_turn_and_each_trial_has_its_own_dice(task: Task) -> None:
    seeds = []
    for trial in (0, 1):
        script = Script(*SOLVED)
        await played(script, task, trial=trial)
        seeds += script.seeds
    assert len(set(seeds)) == len(seeds) == 8


async def test_tasks_of_one_trial_do_not_share_their_luck(task: Task) -> None:
    """Else a measurement, in which every task has the same trial, is one throw of the dice."""
    seeds = []
    for words in (task.instruction, f"Please: {task.instruction}"):
        script = Script(*SOLVED)
        await played(script, task.model_copy(update={"instruction": words}))
        seeds += script.seeds[:1]
    assert seeds[0] != seeds[1]


async def test_a_conversation_that_outgrows_its_budget_is_the_policys_own(task: Task) -> None:
    first = Script(sampled("Hello."))
    await played(first, task)
    context = len(first.prompts[0]) + 20
    script = Script(sampled("Hello."))
    trajectory = await played(script, task, PolicySettings(context=context, max_tokens=300))
    assert script.limits == [20]
    assert trajectory.failure is not None
    assert (trajectory.failure.blame, trajectory.failure.where, trajectory.reward) == ("policy", "limits", 0.0)
    assert f"of {context} tokens" in trajectory.failure.message


async def test_a_first_prompt_that_does_not_fit_is_not_the_policys_doing(task: Task) -> None:
    trajectory = await played(Script(sampled("Hello.")), task, PolicySettings(context=100))
    assert trajectory.failure is not None
    assert (trajectory.failure.blame, trajectory.failure.where, trajectory.reward) == ("infrastructure", "limits", None)


async def test_a_turn_is_no_longer_than_its_own_limit(task: Task) -> None:
    script = Script(sampled("That is done."))
    await played(script, task, PolicySettings(max_tokens=7))
    assert script.limits == [7]


@pytest.mark.parametrize(
    "broken",
    [
        Sampled((), (), "stop"),
        Sampled((65,) * 5000, (-0.1,) * 5000, "length"),
        Sampled((65, END), (-0.1,), "stop"),
        Sampled((65, END), (-0.1, math.nan), "stop"),
        Sampled((65, END), (-0.1, -math.inf), "stop"),
        Sampled((65, END), (-0.1, -0.2), "stop", (1,)),
    ],
)
async def test_ids_without_what_they_owe_are_no_turn(broken: Sampled, task: Task) -> None:
    trajectory = await played(Script(broken), task)
    assert trajectory.failure is not None
    assert (trajectory.failure.blame, trajectory.failure.where, trajectory.reward) == ("infrastructure", "agent", None)


class Forgetful(BytesRenderer):
    """As stock templates that leave thoughts of earlier turns out."""

    def extended(self, ids: Sequence[int], observation: Observation) -> tuple[int, ...]:
        kept = text_of(ids).replace("<think>\none\n</think>\n\n", "")
        return super().extended(tuple(kept.encode()), observation)


class Short(BytesRenderer):
    def extended(self, ids: Sequence[int], observation: Observation) -> tuple[int, ...]:
        return tuple(ids[:-1])


@pytest.mark.parametrize("renderer", [Forgetful(), Short()])
async def test_a_prompt_that_departs_from_what_was_sampled_ends_the_episode_unscored(
    renderer: BytesRenderer, task: Task
) -> None:
    trajectory = await played(Script(*SOLVED), task, renderer=renderer)
    assert trajectory.failure is not None
    assert (trajectory.failure.blame, trajectory.failure.where, trajectory.reward) == ("infrastructure", "agent", None)
    assert "the prompt of turn 2 departs from what was sent and sampled at id" in trajectory.failure.message


class Faulty:
    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        self.act()
        await anyio.sleep_forever()
        raise AssertionError


def no_answer() -> None:
    raise ModelFailure("the engine is gone")


@pytest.mark.parametrize(
    ("act", "words"), [(no_answer, "the engine is gone"), (lambda: None, r"no turn was sampled within 0\.01 s")]
)
async def test_a_sampler_that_fails_or_hangs_is_infrastructure(act: Callable[[], object], words: str) -> None:
    agent = PolicyAgent(BytesRenderer(), Faulty(act), PolicySettings(sample_seconds=0.01))
    with pytest.raises(EpisodeFailure, match=words) as caught:
        await agent.begin(Briefing(())).act(HELLO)
    assert caught.value.failure.blame == "infrastructure"


observations = st.lists(st.text(max_size=8), min_size=1, max_size=3).flatmap(
    lambda texts: st.booleans().map(
        lambda tools: tuple(
            Message(role="tool", tool_call_id=str(n), content=text) if tools else Message(role="user", content=text)
            for n, text in enumerate(texts)
        )
    )
)


@given(st.lists(st.tuples(observations, st.text(max_size=12), st.booleans()), min_size=1, max_size=5))
@settings(deadline=None, max_examples=50)
def test_prompts_only_ever_grow(turns: list[tuple[Observation, str, bool]]) -> None:
    script = Script(*(sampled(text or "x", stop=stop) for _, text, stop in turns))

    async def through() -> None:
        player = PolicyAgent(BytesRenderer(), script).begin(Briefing(()))
        for observation, _, _ in turns:
            await player.act(observation)

    anyio.run(through)
    for place, (before, after) in enumerate(pairwise(script.prompts)):
        sent = before + script.turns[place].ids
        assert after[: len(sent)] == sent
