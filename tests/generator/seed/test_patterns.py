"""Values for documented patterns."""

from __future__ import annotations

import pytest

from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.values import matching


@pytest.mark.parametrize("pattern", ["^[a-z]{1000}$", "([", "^(a|b)\\1$", "^(?=.*[A-Z]).{8,}$"])
def test_a_pattern_that_no_text_can_be_made_for_leaves_the_values_and_is_no_fault(pattern: str) -> None:
    assert len(matching(Draw(0, "cars"), pattern, ["one", "two"])) == 2


def test_a_value_that_does_not_match_is_replaced_by_one_that_does() -> None:
    kept, made = matching(Draw(0, "cars"), "^[A-Z]{3}$", ["ABC", "no"])
    assert kept == "ABC" and made != "no" and isinstance(made, str) and made.isupper() and len(made) == 3
