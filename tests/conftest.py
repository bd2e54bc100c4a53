"""Coverage is measured of the generator by its own tests; those of other parts, and the programs that they start, go
without it, since it makes them half as slow again.

Not covered: fixtures, and what those of modules and sessions start, which are measured.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
OTHERS = ("bench", "conformance", "examples", "gym", "mcp_envs", "trainer")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.path.is_relative_to(TESTS / part) for part in OTHERS):
            item.add_marker("no_cover")


@pytest.fixture(autouse=True)
def programs_without_coverage(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("no_cover"):
        monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
