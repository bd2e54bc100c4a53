"""Coverage is measured of the generator, so tests of the other parts, and the programs that they start, go without it:
it makes them half as slow again, and none of them is there to cover the generator.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
OTHERS = ("bench", "conformance", "examples", "gym", "mcp_envs", "trainer")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in OTHERS:
            item.add_marker("no_cover")


@pytest.fixture(autouse=True)
def programs_without_coverage(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("no_cover"):
        monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
