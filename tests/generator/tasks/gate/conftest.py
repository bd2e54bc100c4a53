"""Stages of the desk, whole and with faults planted in it, and the gate over them."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.gate import Admitted, admit
from autoforge.generator.tasks.probing import probe
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.environment import find_environment
from tests.generator.tasks.gate.proposals import Proposal

DESK = Path(__file__).parents[3] / "fixtures" / "desk"


class Desk(NamedTuple):
    """One environment on two processes."""

    stage: Stage
    fresh: Stage
    catalogue: Catalogue

    def admit(self, proposal: Proposal, seed: int = 0, **rest: Any) -> Admitted:
        chance = random.Random(seed)
        given = {"catalogue": self.catalogue, "fresh": self.fresh, "chance": chance, **rest}
        return admit(self.stage, proposal.draft, proposal.instruction, **given)


def _desk(folder: Path, stack: ExitStack) -> Desk:
    found = find_environment(str(folder))
    stage = stack.enter_context(Stage(found))
    return Desk(stage, stack.enter_context(Stage(found, hash_seed=7)), probe(stage))


@pytest.fixture(scope="session")
def desk() -> Iterator[Desk]:
    with ExitStack() as stack:
        yield _desk(DESK, stack)


@pytest.fixture
def variant(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Makes a desk in which texts of its files are replaced; each must be there."""
    with ExitStack() as stack:

        def make(*changes: tuple[str, str, str]) -> Desk:
            folder = tmp_path / "desk"
            shutil.copytree(DESK, folder)
            for file, old, new in changes:
                text = (folder / file).read_text(encoding="utf-8")
                assert old in text, f"{old!r} is not in {file} of the desk"
                (folder / file).write_text(text.replace(old, new), encoding="utf-8")
            return _desk(folder, stack)

        yield make
