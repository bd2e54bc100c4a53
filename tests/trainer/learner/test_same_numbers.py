"""One step is one step: with one rank or two, at every stage of ZeRO, however rows are spread over micro-batches."""

from __future__ import annotations

from typing import Any

import pytest
from torch import Tensor

from tests.trainer.learner.launched import Launched
from tests.trainer.learner.scenes import LAYOUTS
from tests.trainer.learner.tiny import Step, plain_step, rows

NEAR = 1e-5


def _differences(seen: dict[str, Any], plain: Step) -> dict[str, float]:
    assert seen["sums"].keys() == plain.sums.keys()
    return {
        "loss": abs(seen["loss"] - plain.loss),
        "norm": abs(seen["gradient_norm"] - plain.norm) / plain.norm,
        "sums": max(abs(seen["sums"][name] / value - 1) for name, value in plain.sums.items()),
        "weights": _furthest(seen["weights"], plain.weights),
    }


def _furthest(seen: dict[str, Tensor], plain: dict[str, Tensor]) -> float:
    assert seen.keys() == plain.keys()
    return max(float((seen[name] - tensor).abs().max()) for name, tensor in plain.items())


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("tied", ["tied", "untied"])
def test_a_step_is_that_of_plain_torch_in_every_arrangement(launched: Launched, ranks: int, tied: str) -> None:
    seen = {name: case for name, case in launched.seen("numbers", ranks).items() if name.startswith(f"{tied},")}
    plain = plain_step(launched.folder(ranks) / tied, rows())
    assert len(seen) == (8 if tied == "tied" else 3 * len(LAYOUTS[ranks]) + 4)
    for name, case in seen.items():
        if "clipped" not in name:
            far = _differences(case, plain) | {"gradients": _furthest(case["gradients"], plain.gradients)}
            assert max(far.values()) < NEAR, (name, far)


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_step_is_at_the_temperature_of_the_settings(launched: Launched, ranks: int) -> None:
    plain = plain_step(launched.folder(ranks) / "untied", rows(), temperature=1.5)
    far = _differences(launched.seen("numbers", ranks)["hot"], plain)
    assert max(far.values()) < NEAR, far


@pytest.mark.parametrize("ranks", [1, 2])
def test_clipping_is_by_the_norm_of_the_whole_gradient_at_every_stage(launched: Launched, ranks: int) -> None:
    plain = plain_step(launched.folder(ranks) / "tied", rows(), clip=0.5)
    assert plain.norm > 0.5
    for stage in (0, 1, 2, 3):
        far = _differences(launched.seen("numbers", ranks)[f"tied, stage {stage}, clipped"], plain)
        assert max(far.values()) < NEAR, (stage, far)


def test_every_rank_reports_the_same(launched: Launched) -> None:
    one, other = launched.seen("numbers", 2), launched.seen("numbers", 2, rank=1)
    for name, case in one.items():
        assert {key: case[key] for key in ("loss", "gradient_norm", "sums", "trained_ids", "passes")} == {
            key: other[name][key] for key in ("loss", "gradient_norm", "sums", "trained_ids", "passes")
        }, name
        assert _furthest(case["weights"], other[name]["weights"]) == 0, name


def test_ranks_run_as_many_passes_as_the_one_with_most_micro_batches(launched: Launched) -> None:
    seen = launched.seen("numbers", 2)
    assert seen["untied, stage 3, uneven"]["passes"] == 3
    assert seen["untied, stage 3, all on one rank"]["passes"] == 3


def test_bf16_has_the_same_loss_and_norm_but_for_rounding_at_every_stage(launched: Launched) -> None:
    plain = plain_step(launched.folder(2) / "tied", rows())
    for name, case in launched.seen("half", 2).items():
        assert case["loss"] == pytest.approx(plain.loss, rel=0.02), name
        assert case["gradient_norm"] == pytest.approx(plain.norm, rel=0.02), name
