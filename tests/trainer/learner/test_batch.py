from __future__ import annotations

from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from autoforge.trainer.learner.batch import fault_of, moved
from tests.trainer.learner.tiny import VOCABULARY, Rows, rows

GOOD = rows()


def _first_trainable() -> Tensor:
    trainable = GOOD.trainable.clone()
    trainable[0, 0] = True
    return trainable


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (GOOD._replace(ids=GOOD.ids.int()), "the ids are torch.int32"),
        (GOOD._replace(ids=GOOD.ids[0]), "give int64"),
        (GOOD._replace(ids=GOOD.ids[:, :1]), "length ≥ 2"),
        (GOOD._replace(trainable=GOOD.trainable.long()), "trainable as bool"),
        (GOOD._replace(attention=GOOD.attention[:, 1:]), "do not go with ids"),
        (GOOD._replace(ids=GOOD.ids + VOCABULARY), "the model's own tokenizer"),
        (GOOD._replace(ids=GOOD.ids - 100), "the model's own tokenizer"),
        (GOOD._replace(trainable=_first_trainable()), "nothing predicts these"),
        (GOOD._replace(trainable=~GOOD.attention.bool()), "nothing predicts these"),
    ],
)
def test_a_bad_batch_is_told_what_is_wrong(bad: Rows, words: str) -> None:
    fault = fault_of(bad, VOCABULARY)
    assert fault is not None and words in fault


def test_a_good_batch_has_no_fault() -> None:
    assert fault_of(GOOD, VOCABULARY) is None


def test_tensors_are_moved_however_deep_they_lie_and_the_rest_stays() -> None:
    class Inner(NamedTuple):
        tensor: Tensor
        name: str

    class Outer(NamedTuple):
        inner: Inner
        nothing: None

    there = moved(Outer(Inner(torch.ones(2), "a"), None), torch.device("meta"))
    assert there.inner.tensor.device.type == "meta"
    assert (there.inner.name, there.nothing) == ("a", None)
