"""One id by one uniform number."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autoforge.trainer.samplers.sampling import draw

logits = st.lists(st.floats(-30, 30, width=32), min_size=2, max_size=12)
temperatures = st.floats(0.0625, 5, width=32)
uniforms = st.floats(0, 1, exclude_max=True)


def one(row: list[float], temperature: float, uniform: float) -> tuple[int, float]:
    drawn = draw(torch.tensor([row]), torch.tensor([temperature]), torch.tensor([uniform], dtype=torch.float64))
    return int(drawn.ids[0]), float(drawn.logprobs[0])


@given(logits, temperatures, uniforms)
def test_the_logprob_is_that_of_the_id_after_temperature(row: list[float], temperature: float, uniform: float) -> None:
    id, logprob = one(row, temperature, uniform)
    expected = torch.log_softmax(torch.tensor(row) / temperature, dim=-1)[id]
    assert logprob == pytest.approx(float(expected), abs=1e-5)


@given(logits, temperatures, uniforms)
def test_the_number_lies_within_the_share_of_the_id(row: list[float], temperature: float, uniform: float) -> None:
    id, _ = one(row, temperature, uniform)
    shares = torch.softmax((torch.tensor(row) / temperature).double(), dim=-1)
    before = float(shares[:id].sum())
    assert before - 1e-6 <= uniform <= before + float(shares[id]) + 1e-6


@given(
    st.lists(st.tuples(st.lists(st.floats(-5, 5, width=32), min_size=4, max_size=4), uniforms), min_size=1, max_size=5)
)
def test_a_row_gets_what_it_gets_alone(rows: list[tuple[list[float], float]]) -> None:
    numbers = torch.tensor([uniform for _, uniform in rows], dtype=torch.float64)
    together = draw(torch.tensor([row for row, _ in rows]), torch.ones(len(rows)), numbers)
    assert together.ids.tolist() == [one(row, 1.0, uniform)[0] for row, uniform in rows]


@given(st.integers(0, 3), st.integers(0, 3), uniforms)
def test_an_id_without_probability_is_never_sampled(first: int, last: int, uniform: float) -> None:
    row = [-math.inf] * first + [0.5, 0.1] + [-math.inf] * last
    assert first <= one(row, 1.0, uniform)[0] < first + 2


def test_the_largest_number_gives_the_last_possible_id() -> None:
    assert one([0.0, 0.0, -math.inf, -math.inf], 1.0, math.nextafter(1.0, 0.0))[0] == 1


def test_the_number_0_gives_the_first_possible_id() -> None:
    assert one([-math.inf, 0.0, 0.0], 1.0, 0.0)[0] == 1


@given(logits, uniforms)
def test_temperature_0_gives_the_most_probable_id_with_its_probability_at_1(row: list[float], uniform: float) -> None:
    id, logprob = one(row, 0.0, uniform)
    assert row[id] == max(row)
    assert logprob == pytest.approx(float(torch.log_softmax(torch.tensor(row), dim=-1)[id]), abs=1e-6)


def test_shares_of_many_draws_are_the_probabilities() -> None:
    shares = torch.tensor([0.5, 0.3, 0.15, 0.05])
    number = 20_000
    uniform = (torch.arange(number, dtype=torch.float64) + 0.5) / number
    drawn = draw(shares.log().expand(number, 4), torch.ones(number), uniform)
    assert torch.bincount(drawn.ids, minlength=4) / number == pytest.approx(shares, abs=2e-4)


def test_logits_in_bfloat16_give_float32_probabilities() -> None:
    drawn = draw(torch.randn(3, 5, dtype=torch.bfloat16), torch.ones(3), torch.zeros(3, dtype=torch.float64))
    assert drawn.logprobs.dtype == torch.float32
