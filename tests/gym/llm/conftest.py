"""What the tests of the model client share: both providers, a key that must not be seen again, waits that are noted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.llm import Limits, ModelClient
from tests.gym.replay_server import ReplayServer

CANARY = "sk-canary-7f3e9d1c5b8a4e26-do-not-leak"

MODELS = {"anthropic": "anthropic:claude-sonnet-4-5", "openai": "openai:gpt-4.1"}

Connect = Callable[..., ModelClient]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "AUTOFORGE_PRICES", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, CANARY)


@pytest.fixture(params=["anthropic", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def sleeps() -> list[float]:
    """The waits between attempts, in seconds, in order; nobody waits for real."""
    return []


@pytest.fixture
def connect(provider: str, tmp_path: Path, sleeps: list[float]) -> Connect:
    """A client of the provider under test to a server, with a cache and a ledger below `tmp_path`."""

    async def sleep(seconds: float) -> None:
        sleeps.append(seconds)

    def build(server: ReplayServer, **options: Any) -> ModelClient:
        options = {
            "cache_dir": tmp_path / "answers",
            "ledger": tmp_path / "ledger.jsonl",
            "limits": Limits(attempts=3, attempt_timeout=20, deadline=60),
            **options,
        }
        return ModelClient(MODELS[provider], base_url=server.url(provider), sleep=sleep, **options)

    return build


@pytest.fixture
def ledger_lines(tmp_path: Path) -> Callable[[], list[dict[str, Any]]]:
    """The lines of the ledger."""

    def read() -> list[dict[str, Any]]:
        return [json.loads(line) for line in (tmp_path / "ledger.jsonl").read_text(encoding="utf-8").splitlines()]

    return read
