"""What is drawn depends on the strategy and the seed, not on what the process drew before."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.generator.conformance.drawing import drawn, hypothesis_at_home

VALUES = "st.one_of(st.integers(), st.text(max_size=20), st.floats(allow_nan=False))"
PROGRAM = f"""
from hypothesis import strategies as st
from autoforge.generator.conformance.drawing import drawn, hypothesis_at_home

with hypothesis_at_home():
    print(drawn({VALUES}, 300, 3))
"""


def test_what_the_process_drew_before_changes_nothing() -> None:
    values: st.SearchStrategy[object] = st.one_of(st.integers(), st.text(max_size=20), st.floats(allow_nan=False))

    @settings(max_examples=300, database=None, deadline=None)
    @given(values)
    def draw(value: object) -> None:
        """With the constants of this process's own modules."""

    draw()
    with hypothesis_at_home():
        here = drawn(values, 300, 3)
    fresh = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8", check=True)
    assert fresh.stdout == f"{here}\n"
