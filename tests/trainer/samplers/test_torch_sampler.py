"""The embedded sampler as episodes see it: they ask at the same time, are cancelled, and get other weights."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
import torch
from anyio.lowlevel import checkpoint
from torch import Tensor
from transformers import PreTrainedModel

from autoforge.gym.agents.policy import Sampled, TokenSampler
from autoforge.mcp_envs.errors import BadInput, ModelFailure, PromptTooLong
from autoforge.trainer.samplers.sampler import Sampler
from tests.trainer.samplers.asking import LONG, Asked, until
from tests.trainer.samplers.conftest import (
    CONTEXT,
    STOP,
    VOCABULARY,
    expected_logprobs,
    prompt_of,
    sampler_of,
)

pytestmark = pytest.mark.anyio


async def all_of(sampler: TokenSampler, prompts: list[list[int]], max_tokens: int = 30) -> list[Sampled]:
    asked = [Asked() for _ in prompts]
    async with anyio.create_task_group() as group:
        for seed, (one, prompt) in enumerate(zip(asked, prompts, strict=True)):
            group.start_soon(one.run, sampler, prompt, max_tokens, seed)
    found = [one.sampled for one in asked if one.sampled]
    assert len(found) == len(prompts)
    return found


def test_it_is_a_sampler(model: PreTrainedModel) -> None:
    sampler: Sampler = sampler_of(model)
    assert sampler.version == 0


async def test_many_ask_at_the_same_time_and_get_what_each_gets_alone(model: PreTrainedModel) -> None:
    prompts = [prompt_of(3 + 5 * number, number) for number in range(20)]
    async with sampler_of(model, stop_ids=[STOP], sequences=6) as sampler:
        together = await all_of(sampler, prompts)
        for seed in (0, 7, 19):
            alone = await sampler.sample(prompts[seed], max_tokens=30, seed=seed)
            assert alone.ids == together[seed].ids


async def test_requests_that_wait_begin_together(model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    async with sampler_of(model) as sampler:
        taken: list[int] = []
        advance = sampler._generation.advance

        def counting(new: Any, version: int) -> Any:
            taken.append(len(new))
            return advance(new, version)

        monkeypatch.setattr(sampler._generation, "advance", counting)
        await all_of(sampler, [prompt_of(5, number) for number in range(12)], max_tokens=4)
    assert taken[0] == 12


async def test_other_seeds_give_other_turns(model: PreTrainedModel) -> None:
    async with sampler_of(model) as sampler:
        found = {(await sampler.sample(prompt_of(5), max_tokens=20, seed=seed)).ids for seed in range(5)}
    assert len(found) == 5


async def test_a_turn_ends_with_the_stop_id(model: PreTrainedModel) -> None:
    async with sampler_of(model) as sampler:
        free = await sampler.sample(prompt_of(5), max_tokens=30, seed=0)
    stop = free.ids[12]
    first = free.ids.index(stop)
    async with sampler_of(model, stop_ids=[STOP, stop]) as sampler:
        stopped = await sampler.sample(prompt_of(5), max_tokens=30, seed=0)
    assert (stopped.ids, stopped.stop_reason) == (free.ids[: first + 1], "stop")
    assert len(stopped.logprobs) == len(stopped.versions) == len(stopped.ids)


@pytest.mark.parametrize("limit", [1, 2, 8, 9, 30])
async def test_a_turn_without_a_stop_id_ends_at_max_tokens(model: PreTrainedModel, limit: int) -> None:
    async with sampler_of(model) as sampler:
        sampled = await sampler.sample(prompt_of(5), max_tokens=limit, seed=3)
    assert (len(sampled.ids), sampled.stop_reason) == (limit, "length")


async def test_a_stop_id_as_the_last_allowed_id_is_a_stop(model: PreTrainedModel) -> None:
    async with sampler_of(model) as sampler:
        first = (await sampler.sample(prompt_of(5), max_tokens=1, seed=3)).ids[0]
    async with sampler_of(model, stop_ids=[first]) as sampler:
        assert (await sampler.sample(prompt_of(5), max_tokens=1, seed=3)).stop_reason == "stop"


async def test_a_turn_ends_where_the_context_is_full(model: PreTrainedModel) -> None:
    async with sampler_of(model, context=20) as sampler:
        sampled = await sampler.sample(prompt_of(15), max_tokens=30, seed=0)
        assert (len(sampled.ids), sampled.stop_reason) == (5, "length")
        with pytest.raises(PromptTooLong, match="has 20 ids, and the context of the model is 20"):
            await sampler.sample(prompt_of(20), max_tokens=30, seed=0)


async def test_the_context_of_the_model_can_be_filled(model: PreTrainedModel) -> None:
    async with sampler_of(model) as sampler:
        sampled = await sampler.sample(prompt_of(CONTEXT - 3), max_tokens=30, seed=0)
    ids = [*prompt_of(CONTEXT - 3), *sampled.ids]
    assert len(ids) == CONTEXT
    assert sampled.logprobs == pytest.approx(expected_logprobs(model, ids)[-3:], abs=1e-4)


async def test_another_temperature_is_used_in_the_same_batch(model: PreTrainedModel) -> None:
    asked = [Asked() for _ in range(3)]
    async with sampler_of(model) as sampler, anyio.create_task_group() as group:
        for one, temperature in zip(asked, (1.0, 0.5, 0.0), strict=True):
            group.start_soon(one.run, sampler.at(temperature), prompt_of(9), 20, 1)
    for one, temperature in zip(asked, (1.0, 0.5, 1.0), strict=True):
        assert one.sampled is not None
        ids = [*prompt_of(9), *one.sampled.ids]
        assert one.sampled.logprobs == pytest.approx(expected_logprobs(model, ids, temperature)[8:], abs=1e-4)
    assert len({one.sampled.ids for one in asked if one.sampled}) == 3


@pytest.mark.parametrize("tokens", [1, 200, 700, 3000])
async def test_a_small_budget_makes_requests_wait_and_changes_nothing(model: PreTrainedModel, tokens: int) -> None:
    prompts = [prompt_of(4 + 9 * number, number) for number in range(7)]
    async with sampler_of(model) as sampler:
        expected = [sampled.ids for sampled in await all_of(sampler, prompts, max_tokens=150)]
    async with sampler_of(model, tokens=tokens) as sampler:
        assert [sampled.ids for sampled in await all_of(sampler, prompts, max_tokens=150)] == expected


async def test_a_cancelled_request_is_removed_from_the_queue(model: PreTrainedModel) -> None:
    first, second, third = Asked(), Asked(), Asked()
    async with sampler_of(model, sequences=1) as sampler, anyio.create_task_group() as group, sampler.paused():
        for seed, one in enumerate((first, second, third)):
            group.start_soon(one.run, sampler, prompt_of(5), 10, seed)
        await until(lambda: sampler.pending == 3)
        second.scope.cancel()
        await until(lambda: sampler.pending == 2)
    assert first.sampled and third.sampled and second.sampled is None


async def test_a_request_that_is_cancelled_in_flight_is_let_go(model: PreTrainedModel) -> None:
    gone, staying = Asked(), Asked()
    async with sampler_of(model) as sampler, anyio.create_task_group() as group:
        group.start_soon(gone.run, sampler, prompt_of(5), CONTEXT, 0)
        group.start_soon(staying.run, sampler, prompt_of(7), LONG, 1)
        await until(lambda: len(sampler._generation.rows) == 2)
        gone.scope.cancel()
        await until(lambda: len(sampler._generation.rows) == 1)
    assert gone.sampled is None and staying.sampled is not None
    ids = [*prompt_of(7), *staying.sampled.ids]
    assert staying.sampled.logprobs == pytest.approx(expected_logprobs(model, ids)[6:], abs=1e-4)


async def test_nothing_is_sampled_in_a_pause_and_rows_go_on_afterwards(model: PreTrainedModel) -> None:
    one = Asked()
    async with sampler_of(model) as sampler:
        expected = await sampler.sample(prompt_of(5), max_tokens=LONG, seed=0)
        async with anyio.create_task_group() as group:
            group.start_soon(one.run, sampler, prompt_of(5), LONG, 0)
            await until(lambda: bool(sampler._generation.rows))
            async with sampler.paused():
                (row,) = sampler._generation.rows
                before = row.columns
                assert len(await sampler.logprobs(prompt_of(50))) == 49
                for _ in range(50):
                    await checkpoint()
                assert row.columns == before
    assert one.sampled == expected


async def test_an_error_of_the_model_fails_its_requests_and_not_the_next_ones(
    model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    async with sampler_of(model) as sampler:
        broken, forward = [True], sampler._causal._forward

        def failing(*arguments: Any, **named: Any) -> Tensor:
            if broken[0]:
                raise RuntimeError("the fuse blew")
            return forward(*arguments, **named)

        monkeypatch.setattr(sampler._causal, "_forward", failing)
        asked = [Asked(), Asked()]
        async with anyio.create_task_group() as group:
            for seed, one in enumerate(asked):
                group.start_soon(one.run, sampler, prompt_of(5), 9, seed)
        for one in asked:
            assert str(one.error) == "the model failed with 2 rows in flight: RuntimeError: the fuse blew"
        with pytest.raises(ModelFailure, match="the fuse blew"):
            await sampler.logprobs(prompt_of(5))
        broken[0] = False
        assert len((await sampler.sample(prompt_of(5), max_tokens=9, seed=0)).ids) == 9


async def test_out_of_memory_says_what_to_lower(model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any, **named: Any) -> Tensor:
        raise torch.OutOfMemoryError("CUDA out of memory")

    async with sampler_of(model) as sampler:
        monkeypatch.setattr(sampler._causal, "_forward", full)
        with pytest.raises(ModelFailure, match="out of memory with 1 rows in flight; lower `tokens`"):
            await sampler.sample(prompt_of(5), max_tokens=9, seed=0)


async def test_closing_ends_what_waits_and_what_is_in_flight(model: PreTrainedModel) -> None:
    asked = [Asked(), Asked()]
    async with anyio.create_task_group() as group, sampler_of(model, sequences=1) as sampler:
        for seed, one in enumerate(asked):
            group.start_soon(one.run, sampler, prompt_of(5), CONTEXT, seed)
        await until(lambda: bool(sampler._generation.rows))
    for one in asked:
        assert str(one.error) == "the sampler was closed"
    with pytest.raises(ModelFailure, match="the sampler was closed"):
        await sampler.sample(prompt_of(5), max_tokens=3, seed=0)


async def test_an_error_in_its_block_comes_out_as_it_is(model: PreTrainedModel) -> None:
    with pytest.raises(BadInput, match=r"^mine$"):
        async with sampler_of(model):
            raise BadInput("mine")


async def test_its_block_can_be_cancelled(model: PreTrainedModel) -> None:
    with anyio.move_on_after(0) as scope:
        async with sampler_of(model) as sampler:
            await sampler.sample(prompt_of(5), max_tokens=CONTEXT, seed=0)
    assert scope.cancelled_caught


async def test_a_sampler_that_was_not_entered_says_so(model: PreTrainedModel) -> None:
    with pytest.raises(ModelFailure, match="not open; use it inside `async with`"):
        await sampler_of(model).sample(prompt_of(5), max_tokens=3, seed=0)


@pytest.mark.parametrize(
    ("prompt", "max_tokens", "words"),
    [
        ([], 5, "the prompt has no ids"),
        ([3, VOCABULARY], 5, "the id 300 at place 1, and the model has 300 ids"),
        ([-1], 5, "the id -1 at place 0"),
        ([3], 0, "max_tokens is 0; give 1 or more"),
    ],
)
async def test_what_cannot_be_sampled_is_refused(
    model: PreTrainedModel, prompt: list[int], max_tokens: int, words: str
) -> None:  # fmt: skip
    async with sampler_of(model) as sampler:
        with pytest.raises(BadInput, match=words):
            await sampler.sample(prompt, max_tokens=max_tokens, seed=0)


async def test_bad_settings_are_refused(model: PreTrainedModel) -> None:
    with pytest.raises(BadInput, match=r"the temperature is 0\.001; give 0"):
        sampler_of(model, temperature=0.001)
    with pytest.raises(BadInput, match="the id 300"):
        sampler_of(model, stop_ids=[VOCABULARY])
    async with sampler_of(model) as sampler:
        with pytest.raises(BadInput, match="the temperature is -1"):
            sampler.at(-1.0)
        with pytest.raises(BadInput, match="give at least two"):
            await sampler.logprobs([3])
