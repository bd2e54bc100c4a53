"""Turns that go on where a finished one ended are read from there, and nothing that they get changes."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from transformers import PreTrainedModel

from autoforge.trainer.samplers import generation as generation_module
from autoforge.trainer.samplers.blocks import BLOCK
from autoforge.trainer.samplers.cache import row_of
from autoforge.trainer.samplers.causal_model import CausalModel
from autoforge.trainer.samplers.generation import Generation
from autoforge.trainer.samplers.prefixes import Layers, Prefixes
from autoforge.trainer.samplers.row import Row
from tests.trainer.samplers.conftest import expected_logprobs, prompt_of, sampler_of, tiny_model
from tests.trainer.samplers.test_generation import PARITY, finished, others

MANY = 100_000


def counted(model: PreTrainedModel) -> tuple[CausalModel, list[int]]:
    """The model, and how many ids each pass over prompts reads."""
    causal, read = CausalModel(model), []
    following = causal.following

    def counting(ids: Tensor, *rest: Any) -> Tensor:
        if ids.shape[1] > 1:
            read.append(ids.numel())
        return following(ids, *rest)

    causal.following = counting  # type: ignore[assignment, method-assign]
    return causal, read


def row(prompt: Sequence[int], seed: int = 0, limit: int = 12) -> Row:
    return Row(prompt, limit=limit, temperature=1.0, seed=seed)


def turns(generation: Generation, rows: list[Row], observations: Sequence[int]) -> list[Row]:
    """Rows to their ends, and then a turn more after each of so many new ids."""
    finished(generation, rows)
    for number, length in enumerate(observations, start=1):
        rows = [row([*old.ids, *prompt_of(length, number)], place) for place, old in enumerate(rows)]
        finished(generation, rows)
    return rows


def assert_parity(model: PreTrainedModel, found: Row) -> None:
    expected = expected_logprobs(model, found.ids)[len(found.prompt) - 1 :]
    assert found.sampled().logprobs == pytest.approx(expected, abs=PARITY)


def test_the_next_turn_reads_what_is_new_only(model: PreTrainedModel) -> None:
    causal, read = counted(model)
    turns(Generation(causal, frozenset(), MANY), [row(prompt_of(100))], [9, 9])
    assert read == [100, 10, 10], "the last id of a turn has not been read"


def test_rollouts_of_one_task_read_its_opening_once(model: PreTrainedModel) -> None:
    causal, read = counted(model)
    rows = [row(prompt_of(50), seed) for seed in range(8)]
    finished(Generation(causal, frozenset(), MANY), rows)
    assert read == [50]
    assert len({one.ids for one in rows}) > 1, "each has dice of its own"
    for one in rows:
        assert_parity(model, one)


@pytest.mark.parametrize("model", others(), ids=lambda model: type(model).__name__)
def test_turns_are_those_that_are_sampled_from_scratch(model: PreTrainedModel) -> None:
    def opened() -> list[Row]:
        return [row(prompt_of(length, length), length, limit=5 + length % 3) for length in (17, 17, 40, 3, 22)]

    causal = CausalModel(model.train(False))
    kept = turns(Generation(causal, frozenset(), MANY), opened(), [6, 20, 2])
    anew = turns(Generation(causal, frozenset()), opened(), [6, 20, 2])
    assert [one.ids for one in kept] == [one.ids for one in anew]
    for one in kept:
        assert_parity(model, one)


def test_a_turn_that_leaves_the_last_one_shares_what_is_the_same(model: PreTrainedModel) -> None:
    causal, read = counted(model)
    generation = Generation(causal, frozenset(), MANY)
    finished(generation, [row(prompt_of(100))])
    other = row([*prompt_of(90), *prompt_of(20, 5)])
    finished(generation, [other])
    assert read == [100, 20]
    assert_parity(model, other)


def test_rows_in_flight_go_before_what_is_kept(model: PreTrainedModel) -> None:
    causal, read = counted(model)
    generation = Generation(causal, frozenset(), keep=370)
    first = row(prompt_of(100))
    finished(generation, [first])
    finished(generation, [row(prompt_of(150, 3))])
    finished(generation, [row([*first.ids, 5, 6])])
    assert read == [100, 150, 114], "there was no room for both"


def test_rows_that_end_with_their_first_id_are_kept_too(model: PreTrainedModel) -> None:
    causal, read = counted(model)
    generation = Generation(causal, frozenset(), MANY)
    first = row(prompt_of(60), limit=1)
    finished(generation, [first, row(prompt_of(30, 2))])
    finished(generation, [row([*first.ids, 5])])
    assert read[-1] == 2


def test_no_more_columns_are_alive_than_were_allowed(model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Buffers of rows in flight and copies of finished ones, at each pass of the model."""
    generation, allowed, alive = Generation(CausalModel(model), frozenset(), keep=1600), 1600, []
    copies: weakref.WeakSet[Tensor] = weakref.WeakSet()
    make = row_of

    def counting(cache: Any, *place: int) -> Layers:
        made = make(cache, *place)
        assert made[0] is not None
        copies.add(made[0][0])
        kept = sum(keys.shape[1] for keys in copies)
        alive.append(kept + cache.layers[0]._keys.shape[2] * cache.layers[0]._keys.shape[0])
        return made

    monkeypatch.setattr(generation_module, "row_of", counting)
    rows = [row(prompt_of(80, number), number, limit=3 + 2 * number) for number in range(6)]
    turns(generation, rows, [5, 30])
    assert len(alive) > 6 and max(alive) <= allowed


def test_forgetting_all_leaves_nothing_of_old_weights(model: PreTrainedModel) -> None:
    causal, read = counted(model)
    generation = Generation(causal, frozenset(), MANY)
    first = row(prompt_of(60))
    finished(generation, [first])
    generation.clear()
    finished(generation, [row([*first.ids, 5])])
    assert read == [60, 73]


@pytest.mark.anyio
async def test_a_turn_after_a_load_is_that_of_the_new_weights(model: PreTrainedModel) -> None:
    other = tiny_model(seed=9)
    async with sampler_of(model) as sampler:
        first = await sampler.sample(prompt_of(60), max_tokens=8, seed=0)
        await sampler.load({name: tensor.clone() for name, tensor in other.state_dict().items()}, 1)
        ids = [*prompt_of(60), *first.ids, 5]
        again = await sampler.sample(ids, max_tokens=8, seed=0)
    assert again.logprobs == pytest.approx(expected_logprobs(other, [*ids, *again.ids])[len(ids) - 1 :], abs=PARITY)


def layers_of(ids: Sequence[int]) -> Layers:
    """Keys that say which ids they were made from."""
    states = torch.tensor(ids, dtype=torch.float32)[None, :, None]
    return ((states, states), None)


Rows = st.lists(st.lists(st.integers(0, 1), max_size=4 * BLOCK), max_size=8)


@settings(max_examples=200, deadline=None)
@given(Rows, st.lists(st.integers(0, 1), min_size=1, max_size=4 * BLOCK), st.integers(0, 10 * BLOCK))
def test_what_is_found_is_a_beginning_and_as_long_as_any_by_whole_blocks(
    rows: list[list[int]], ids: list[int], room: int
) -> None:
    prefixes = Prefixes()
    for kept in rows:
        prefixes.keep(kept, layers_of(kept))
    found = prefixes.find(ids)
    shared = max((same(ids, kept) for kept in rows), default=0)
    assert (found.columns if found else 0) >= min(shared // BLOCK * BLOCK, len(ids) - 1)
    if found:
        assert found.layers[0] is not None
        assert found.layers[0][0][0, : found.columns, 0].tolist() == ids[: found.columns]
    prefixes.shrink(room)
    assert prefixes.columns <= room
    left = [kept.ids for kept in prefixes._kept.values()]
    found, shared = prefixes.find(ids), max((same(ids, kept) for kept in left), default=0)
    assert (found.columns if found else 0) >= min(shared // BLOCK * BLOCK, len(ids) - 1)
    prefixes.clear()
    assert (prefixes.columns, prefixes.find(ids)) == (0, None)


def same(one: Sequence[int], other: Sequence[int]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
