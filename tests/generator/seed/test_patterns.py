"""Values for documented patterns."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.pattern_texts import TextMaker
from autoforge.generator.seed.values import matching
from autoforge.mcp_envs.arguments.patterns import finder


@pytest.mark.parametrize("pattern", ["^[a-z]{1000}$", "([", "^(a|b)\\1$", "^(?=.*[A-Z]).{8,}$"])
def test_a_pattern_that_no_text_can_be_made_for_leaves_the_values_and_is_no_fault(pattern: str) -> None:
    assert len(matching(Draw(0, "cars"), pattern, ["one", "two"])) == 2


def test_a_value_that_does_not_match_is_replaced_by_one_that_does() -> None:
    kept, made = matching(Draw(0, "cars"), "^[A-Z]{3}$", ["ABC", "no"])
    assert kept == "ABC" and made != "no" and isinstance(made, str) and made.isupper() and len(made) == 3


@pytest.mark.parametrize("pattern", [r"^[^@\s]+@x$", r"^[*+]{3}$", r"^(a|b)+c?$", r"^\d{1,4}\d{6,15}$", r"^\w{3,}$"])
def test_a_made_text_matches_its_pattern(pattern: str) -> None:
    maker = TextMaker(random.Random(0), pattern)
    texts = [text for _ in range(20) if (text := maker.text()) is not None]
    assert len(set(texts)) > 1 and all(map(finder(pattern), texts))


@pytest.mark.parametrize(
    "pattern",
    ["^" + "(" * 40 + "a" + "+)" * 40 + "$", r"^((a{90}){90}){90}$", r"^([\x00-\U0010ffff]{180}){1}$"],
    ids=["nested", "counted", "wide"],
)
def test_making_a_text_ends_soon_however_the_pattern_repeats(pattern: str) -> None:
    assert len(matching(Draw(0, "cars"), pattern, ["one", "two"])) == 2


def test_the_texts_do_not_depend_on_how_a_process_hashes() -> None:
    program = (
        "import random; from autoforge.generator.seed.pattern_texts import TextMaker; "
        "print([TextMaker(random.Random(n), '^[^a-m]{9}$').text() for n in range(5)])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout != b""
