"""A step without a pass of its own for the old policy is the same step."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.trainer.learner.tiny import save_model
from tests.trainer.stages.passes import LEVELS, STEPS

SECONDS = 300


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("passes")
    save_model(folder / "model", tied=True)
    command = [sys.executable, "-W", "ignore", "-m", "tests.trainer.stages.passes", str(folder / "model")]
    environment = {**os.environ, "DS_ACCELERATOR": "cpu", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, str(folder / "out.json")], env=environment, capture_output=True, text=True, timeout=SECONDS,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((folder / "out.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rows", [1, 2])
def test_figures_and_weights_are_the_same_with_and_without_a_pass_for_the_old_policy(
    seen: Any, level: str, rows: int
) -> None:
    without, apart = seen[f"{level}/{rows}/False"], seen[f"{level}/{rows}/True"]
    for one, other in zip(without["values"], apart["values"], strict=True):
        assert one == pytest.approx(other, rel=1e-5, abs=1e-7)
    assert without["values"][0]["mismatch"] > 0.1
    assert without["weights"] == pytest.approx(apart["weights"], rel=1e-5, abs=1e-5)


def test_the_pass_is_made_only_where_micro_batches_may_part_what_it_is_wanted_whole_for(seen: Any) -> None:
    passes = {name: case["passes"] for name, case in seen.items()}
    assert {name for name, number in passes.items() if number} == {
        *(name for name in passes if name.endswith("/True")), "geometric/2/False"
    }  # fmt: skip
    assert set(passes.values()) == {0, STEPS}
