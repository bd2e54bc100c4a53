"""The cold start: what others played, as the policy would have sampled it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.gym.agents.hermes_text import render_turn
from autoforge.gym.agents.prompt import system_prompt
from autoforge.gym.llm import ReasoningBlock, ToolCall
from autoforge.gym.trajectory import Trajectory, Turn
from autoforge.gym.turns import Action
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens import rollout_of, supervised_rollout
from autoforge.trainer.tokens.sequence import TokenRow
from tests.trainer.tokens.dialogues import RENDERED, TOOLS, Exchange, actions, renderer_of, said, trajectory_of

LOOK = ToolCall(id="call_1_0", name="look_up", arguments={"key": "a"})
BROKEN = ToolCall(id="call_1_0", name="look_up", malformed='{"name": "look_up", ')


def played(*actions: Action) -> Trajectory:
    """Each turn and its answer."""
    turns = [Turn(role="user", content="Hello.")]
    for action in actions:
        turns.append(
            Turn(
                role="assistant", content=action.text, tool_calls=action.calls, reasoning=action.reasoning,
                truncated=action.truncated,
            )
        )  # fmt: skip
        turns += [Turn(role="tool", tool_call_id=call.id, content="Found.") for call in action.calls]
        turns += [] if action.calls else [Turn(role="user", content="Go on.")]
    return Trajectory(
        id="e/t/oracle/u/0", environment="e", task="t", agent="oracle", user="u", tools=tuple(TOOLS),
        turns=tuple(turns), end="stop",
    )  # fmt: skip


def learnt(row: TokenRow) -> list[int]:
    return [number for number, on in zip(row.ids, row.trainable, strict=True) if on]


@pytest.mark.parametrize(("family", "tools"), RENDERED)
@given(st.data())
@settings(deadline=None, max_examples=25)
def test_turns_are_learnt_from_to_the_token_that_ends_them(family: str, tools: str, data: st.DataObject) -> None:
    renderer = renderer_of(family, tools)
    turns = data.draw(st.lists(actions(calls=1), min_size=1, max_size=3))
    rollout = supervised_rollout(played(*turns), renderer)
    row = rollout.rows[0]
    assert learnt(row) == [number for turn in turns for number in renderer.written(turn).ids]
    assert all(row.ids[span.end - 1] in renderer.stop_ids for span in row.turns)
    assert all(map(math.isnan, row.logprobs)) and row.versions == () and rollout.oldest_version is None


def test_a_row_opens_as_the_gym_opens_an_episode() -> None:
    renderer = renderer_of("qwen3")
    row = supervised_rollout(played(Action(text="Yes.")), renderer).rows[0]
    opening = renderer.opening(system_prompt(""), TOOLS, said("Hello."))
    assert row.ids[: row.turns[0].start] == opening


def test_what_was_sampled_in_the_format_is_learnt_with_the_same_ids() -> None:
    renderer = renderer_of("qwen3")
    thought = (ReasoningBlock(provider="openai", data={"reasoning": "I look."}),)
    action = Action(calls=(LOOK,), reasoning=thought)
    text = f"<think>\nI look.\n</think>\n\n{render_turn(action.model_copy(update={'reasoning': ()}))}"
    sampled = rollout_of(trajectory_of(renderer, said("Hello."), [Exchange(text, True, ())])).rows[0]
    written = supervised_rollout(played(action), renderer).rows[0]
    assert learnt(written) == learnt(sampled)


def test_faulty_turns_stay_in_the_row_and_are_not_learnt_from() -> None:
    renderer = renderer_of("qwen3")
    good, cut = Action(text="Yes."), Action(text="I was cu", truncated=True)
    row = supervised_rollout(played(Action(calls=(BROKEN,)), cut, good), renderer).rows[0]
    assert learnt(row) == list(renderer.written(good).ids)
    text = renderer.chosen.template.words(row.ids)
    assert '{"name": "look_up", \n</tool_call>' in text and "I was cu<|im_end|>" in text


def test_an_episode_without_a_turn_to_learn_from_is_bad_input() -> None:
    with pytest.raises(BadInput, match="no turn to learn from; leave it out"):
        supervised_rollout(played(Action(calls=(BROKEN,))), renderer_of("qwen3"))


def test_a_policy_that_does_not_think_learns_no_thoughts() -> None:
    renderer = renderer_of("qwen3")
    silent = type(renderer)(renderer.chosen._replace(facts=renderer.chosen.facts._replace(closes_thought=True)))
    thought = (ReasoningBlock(provider="openai", data={"reasoning": "Hm."}),)
    assert silent.written(Action(text="Yes.", reasoning=thought)) == renderer.written(Action(text="Yes."))
