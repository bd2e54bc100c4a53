from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.wording import Wording, word
from tests.generator.tasks.wording.inn import catalogue

Say = Callable[..., Wording]


@pytest.fixture(scope="session")
def say() -> Say:
    """Word a draft about the inn."""
    inn = catalogue()

    def worded(draft: Draft, language: str = "en", seed: int = 0) -> Wording:
        return word(draft, inn, language=language, chance=random.Random(seed))

    return worded
