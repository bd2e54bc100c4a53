"""Repeating an argument is no sign that it matters."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.conformance.echo import differ

SCALARS = st.text(max_size=8) | st.integers(-5, 5) | st.booleans()
OUTPUTS = st.recursive(
    SCALARS | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        ({"status": "open"}, {"status": "closed"}, ["open", "closed"]),
        ({"said": "Set to open."}, {"said": "Set to closed."}, ["open", "closed"]),
        ({"said": "OPEN!"}, {"said": "Closed!"}, ["open", "closed"]),
        ({"limit": 5, "ok": True}, {"limit": 7, "ok": True}, [5, 7]),
        ({"limit": 5.0}, {"limit": 7}, [5, 7]),
        ({"text": "only 5 left"}, {"text": "only 7 left"}, [5, 7]),
        ({"given": {"a": ["x", 1]}}, {"given": {"a": ["y", 2]}}, [{"a": ["x", 1]}, {"a": ["y", 2]}]),
        ({"flag": True}, {"flag": False}, [True, False]),
        ({"on": "2026-01-01T00:00:00"}, {"on": "2027-02-02T00:00:00"}, ["2026-01-01", "2027-02-02"]),
    ],
)
def test_a_repeated_argument_is_no_difference(first: Any, second: Any, values: list[Any]) -> None:
    assert not differ(first, second, values)


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        ({"rows": [1, 2]}, {"rows": [1]}, ["a", "b"]),
        ({"sum": 12}, {"sum": 13}, [2, 3]),
        ({"said": "15 found"}, {"said": "16 found"}, [5, 6]),
        ({"rows": ["open", "new"]}, {"rows": ["open", "old"]}, ["open", "closed"]),
        ({"rows": []}, {"rows": ["closed"]}, ["open", "closed"]),
        ({"count": 1, "on": True}, {"count": 0, "on": False}, [True, False]),
    ],
)
def test_anything_else_is_a_difference(first: Any, second: Any, values: list[Any]) -> None:
    assert differ(first, second, values)


def test_what_stands_where_an_absent_argument_would_is_no_difference() -> None:
    assert not differ({"limit": 10, "rows": [1]}, {"limit": 7, "rows": [1]}, [7], absent=True)
    assert not differ({"rows": [1]}, {"rows": [1], "note": "hello"}, ["hello"], absent=True)
    assert not differ({"note": None}, {"note": {"text": "hello"}}, [{"text": "hello"}], absent=True)
    assert differ({"limit": 10, "rows": [1]}, {"limit": 7, "rows": [1, 2]}, [7], absent=True)


@given(OUTPUTS, OUTPUTS, st.lists(SCALARS, max_size=2), st.booleans())
def test_it_is_symmetric_and_the_same_output_never_differs(
    first: Any, second: Any, values: list[Any], absent: bool
) -> None:
    assert not differ(first, first, values, absent=absent)
    assert differ(first, second, values, absent=absent) == differ(second, first, values, absent=absent)
