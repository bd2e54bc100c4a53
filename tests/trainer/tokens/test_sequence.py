"""Rows: what was sampled is trained on, once; what was not is not; a rewritten past begins a new row."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.gym.failures import Failure
from autoforge.gym.llm import Message, ReasoningBlock
from autoforge.gym.trajectory import End, Trajectory, Turn
from autoforge.gym.turns import Action, Observation, SampledTokens
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.sequence import NOT_SAMPLED, Rollout, rollout_of
from autoforge.trainer.tokens.template import ChatTemplate
from tests.trainer.tokens.dialogues import (
    RENDERED,
    SYSTEM,
    TOOLS,
    Exchange,
    dialogues,
    renderer_of,
    said,
    sampled,
    trajectory_of,
    user_messages,
)
from tests.trainer.tokens.families import family_text, tokenizer_of

QWEN = renderer_of("qwen3")
STOP = QWEN.stop_ids[0]
families = pytest.mark.parametrize(("family", "tools"), RENDERED)
quick = settings(deadline=None, max_examples=30)


def trained(rollout: Rollout) -> list[int]:
    return [number for row in rollout.rows for number, on in zip(row.ids, row.trainable, strict=True) if on]


def plain(
    *turns: tuple[tuple[int, ...], tuple[int, ...]], end: End = "stop", failure: Failure | None = None
) -> Trajectory:
    """A trajectory of prompts and sampled ids."""
    made = tuple(
        Turn(role="assistant", tokens=SampledTokens(prompt_ids=prompt, ids=ids, logprobs=(-1.0,) * len(ids)))
        for prompt, ids in turns
    )
    return Trajectory(
        id="e/t/a/u/0", environment="e", task="t", agent="a", user="u", turns=made, end=end, failure=failure
    )


@families
@given(user_messages, dialogues)
@quick
def test_exactly_the_sampled_ids_are_trainable_and_have_a_logprob(
    family: str, tools: str, first: Observation, exchanges: list[Exchange]
) -> None:
    renderer = renderer_of(family, tools)
    rollout = rollout_of(trajectory_of(renderer, first, exchanges))
    assert rollout.forks == 0
    row = rollout.rows[0]
    assert trained(rollout) == [number for exchange in exchanges for number in sampled(renderer, exchange)]
    assert all(math.isnan(logprob) != on for logprob, on in zip(row.logprobs, row.trainable, strict=True))
    assert not row.trainable[0] and len(row.ids) == len(row.trainable) == len(row.logprobs)


@families
@given(user_messages, dialogues)
@quick
def test_the_end_of_a_turn_is_trained_on_where_it_was_sampled_and_what_follows_it_never(
    family: str, tools: str, first: Observation, exchanges: list[Exchange]
) -> None:
    renderer = renderer_of(family, tools)
    row = rollout_of(trajectory_of(renderer, first, exchanges)).rows[0]
    for span, exchange in zip(row.turns, exchanges, strict=True):
        assert span.truncated == (not exchange.stopped)
        assert (row.ids[span.end - 1] in renderer.stop_ids) == exchange.stopped or exchange.text.endswith("<|im_end|>")
        assert all(row.trainable[span.start : span.end])
        if span.end < len(row.ids):
            assert not row.trainable[span.end]
            forced = row.ids[span.end] in renderer.stop_ids
            assert forced == (row.ids[span.end - 1] not in renderer.stop_ids)


@given(dialogues)
@quick
def test_every_sampled_id_knows_its_version_and_the_oldest_one_makes_the_staleness(exchanges: list[Exchange]) -> None:
    rollout = rollout_of(trajectory_of(QWEN, said("Hello."), exchanges))
    row, versions = rollout.rows[0], [exchange.version for exchange in exchanges]
    for span, exchange in zip(row.turns, exchanges, strict=True):
        assert {row.version_at(place) for place in range(span.start, span.end)} == {exchange.version}
    assert all(row.version_at(place) == NOT_SAMPLED for place, on in enumerate(row.trainable) if not on)
    assert sum(span.end - span.start for span in row.versions) == row.policy_tokens
    assert rollout.staleness(7) == 7 - min(versions)


def test_weights_that_change_within_a_turn_make_two_spans() -> None:
    turn = Turn(
        role="assistant",
        tokens=SampledTokens(prompt_ids=(1, 2), ids=(3, 4, 5), logprobs=(-1.0,) * 3, versions=(4, 4, 5)),
    )
    rollout = rollout_of(plain().model_copy(update={"turns": (turn,)}))
    assert rollout.rows[0].versions == ((4, 2, 4), (5, 4, 5))
    assert (rollout.oldest_version, rollout.staleness(6)) == (4, 2)
    with pytest.raises(BadInput, match="by version 5 of the weights, the trainer has 4; resume"):
        rollout.staleness(4)


def test_turns_that_do_not_say_have_the_version_that_is_given() -> None:
    assert rollout_of(plain(((1,), (2,))), version=9).oldest_version == 9


def test_a_rewritten_past_begins_a_new_row_and_nothing_is_trained_on_twice() -> None:
    rollout = rollout_of(plain(((1, 2), (3, 4)), ((1, 2, 3, 4, 5), (6,)), ((1, 2, 9), (7,)), ((1, 2, 9, 7, 8), (8, 8))))
    assert rollout.forks == 1
    assert [row.ids for row in rollout.rows] == [(1, 2, 3, 4, 5, 6), (1, 2, 9, 7, 8, 8, 8)]
    assert trained(rollout) == [3, 4, 6, 7, 8, 8]
    assert [[span.turn for span in row.turns] for row in rollout.rows] == [[0, 1], [2, 3]]
    assert (rollout.policy_tokens, rollout.context_tokens) == (6, 7)


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.lists(st.integers(0, 2), min_size=1)))
)
@quick
def test_whatever_prompts_come_each_turn_is_trained_on_once_and_behind_its_own_prompt(
    turns: list[tuple[list[int], list[int]]],
) -> None:
    rollout = rollout_of(plain(*((tuple(prompt), tuple(ids)) for prompt, ids in turns)))
    assert trained(rollout) == [number for _, ids in turns for number in ids]
    assert rollout.forks == max(0, len(rollout.rows) - 1)
    behind = [row.ids[: span.start] for row in rollout.rows for span in row.turns]
    assert behind == [tuple(prompt) for prompt, _ in turns]


def rendered_anew(template: ChatTemplate, wishes: int) -> Trajectory:
    """A dialogue whose prompts are messages rendered from the start each time, as a chat server does."""
    conversation, turns = QWEN.chosen.conversation, []
    messages = [*conversation.system(SYSTEM, TOOLS), *conversation.observed(said("Hello."))]
    for wish in range(wishes):
        thought = (ReasoningBlock(provider="openai", data={"reasoning": f"Wish {wish}."}),)
        action = Action(text=f"Done {wish}.", reasoning=thought)
        prompt = template.ids(template.text(messages, conversation.tools(TOOLS), open_turn=True))
        turns.append((prompt, QWEN.written(action).ids))
        messages += [conversation.acted(action, "field"), *conversation.observed(said(f"Next {wish}."))]
    return plain(*turns)


def test_rendering_anew_forks_with_the_stock_template_and_never_with_the_training_one() -> None:
    stock = ChatTemplate(tokenizer_of("qwen3"), family_text("qwen3"))
    forked, whole = rollout_of(rendered_anew(stock, 4)), rollout_of(rendered_anew(QWEN.chosen.template, 4))
    assert (forked.forks, whole.forks) == (3, 0)
    assert trained(forked) == trained(whole)


def test_lengths_count_what_the_policy_sampled_and_the_context_counts_all() -> None:
    short, long = (
        rollout_of(trajectory_of(QWEN, said("Hello."), [Exchange("Yes.", True, said(text)), Exchange("No.", True, ())]))
        for text in ("a", "a long answer of the user " * 9)
    )
    assert short.policy_tokens == long.policy_tokens == short.rows[0].policy_tokens
    assert long.context_tokens == len(long.rows[0].ids) > short.context_tokens + 20


@pytest.mark.parametrize(
    ("end", "failure", "expected"),
    [
        ("stop", None, (True, False)),
        ("transfer", None, (True, False)),
        ("truncated", None, (False, True)),
        ("failed", Failure(blame="policy", where="limits", message="too long"), (False, True)),
        ("failed", Failure(blame="infrastructure", where="server", message="gone"), (False, False)),
    ],
)
def test_a_limit_is_no_end_of_its_own(end: End, failure: Failure | None, expected: tuple[bool, bool]) -> None:
    rollout = rollout_of(plain(((1,), (2,)), end=end, failure=failure))
    assert (rollout.terminated, rollout.truncated) == expected


def test_a_turn_that_was_cut_off_does_not_end_the_episode() -> None:
    exchanges = [Exchange("<think>\nI", False, said("Go on.")), Exchange("Done.", True, ())]
    rollout = rollout_of(trajectory_of(QWEN, said("Hello."), exchanges))
    assert (rollout.terminated, rollout.truncated) == (True, False)
    assert [span.truncated for span in rollout.rows[0].turns] == [True, False]
    assert rollout.rows[0].ids[rollout.rows[0].turns[0].end] == STOP


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (None, "turn 1 of e/t/a/u/0 has no token ids; train on episodes that a policy"),
        (SampledTokens(prompt_ids=(), ids=(1,), logprobs=(-1.0,)), "an empty prompt"),
        (SampledTokens(prompt_ids=(1,), ids=(1,), logprobs=()), "1 ids and 0 logprobs"),
        (SampledTokens(prompt_ids=(1,), ids=(1,), logprobs=(math.nan,)), "no finite number"),
        (SampledTokens(prompt_ids=(1,), ids=(1,), logprobs=(-1.0,), versions=(1, 2)), "1 ids and 2 versions"),
    ],
)
def test_tokens_without_what_they_owe_are_bad_input(tokens: SampledTokens | None, words: str) -> None:
    turns = (Turn(role="user", content="Hello."), Turn(role="assistant", tokens=tokens))
    with pytest.raises(BadInput, match=words):
        rollout_of(plain().model_copy(update={"turns": turns}))


def test_an_episode_without_a_turn_has_no_rows() -> None:
    rollout = rollout_of(plain(end="failed"))
    assert (rollout.rows, rollout.forks, rollout.oldest_version, rollout.staleness(3)) == ((), 0, None, 0)
    assert (rollout.policy_tokens, rollout.context_tokens) == (0, 0)


def test_messages_of_tools_are_told_from_turns() -> None:
    message = Message(role="tool", tool_call_id="call_1_0", content="<|im_end|>")
    exchanges = [Exchange("Hm.", True, (message,)), Exchange("Done.", True, ())]
    row = rollout_of(trajectory_of(QWEN, said("Hello."), exchanges)).rows[0]
    assert [span.turn for span in row.turns] == [1, 3]
