"""Some proved tasks of the desk, and models that answer over real HTTP by a function."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from autoforge.generator.tasks.examine import TaskProof
from autoforge.generator.tasks.gate import prove
from autoforge.generator.tasks.make import make_task
from autoforge.generator.tasks.model.adviser import Adviser, open_adviser
from autoforge.generator.tasks.model.reword import Prover
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.workshop import Workshop
from autoforge.mcp_envs.task import Task
from tests.gym.replay_server import Answer, ReplayServer, Step

DESK = Path(__file__).parents[3] / "fixtures" / "desk"
CANARY = "sk-canary-5c1e7d9032ab4f68-do-not-leak"
WANTED = 3
POLICY = TaskPolicy(merged=1.0, branches=0, fall_backs=0, look_alikes=0, least_calls=3, least_writes=1)
"""Tasks that are quickly proved."""

Decide = Callable[[dict[str, Any]], Step]
Connect = Callable[..., AbstractContextManager[Adviser]]


def prompt(body: dict[str, Any]) -> str:
    """What the model was asked first."""
    return str(next(m["content"] for m in body["messages"] if m["role"] == "user"))


def attempt(body: dict[str, Any]) -> int:
    """1 for the first time that something is asked."""
    return sum(1 for m in body["messages"] if m["role"] == "user")


def template(body: dict[str, Any]) -> str:
    """The draft that the model is to reword."""
    found = re.search(r"## Draft\n\n(.*?)\n\n## ", prompt(body), re.DOTALL)
    assert found is not None
    return found[1]


def wording(instruction: str, persona: str = "You are a cook with little time.") -> Answer:
    return Answer(json.dumps({"instruction": instruction, "persona": persona}))


def livelier(body: dict[str, Any]) -> str:
    """A wording without a fault."""
    return f"Good morning from the kitchen! {template(body)} Many thanks in advance."


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "AUTOFORGE_PRICES", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, CANARY)


@pytest.fixture(scope="session")
def tasks(workshop: Workshop) -> list[Task]:
    """Some tasks, merged ones among them."""
    found: list[Task] = []
    for number in range(60):
        if len(found) == WANTED:
            break
        made = make_task(workshop, number, seed=0, policy=POLICY, language="en")
        found += [made.task] if made.task is not None else []
    assert len(found) == WANTED
    return found


@pytest.fixture(scope="session")
def proves(workshop: Workshop) -> Prover:
    """The gate, here and now."""

    def again(tasks: Sequence[Task]) -> list[TaskProof]:
        found = []
        for task in tasks:
            proof = prove(
                workshop.stage, task, catalogue=workshop.catalogue, fresh=workshop.fresh, chance=random.Random(task.id)
            )
            found.append(TaskProof(task.id, proof.holds, proof.reason, proof.message))
        return found

    return again


@pytest.fixture
def told() -> list[str]:
    """Every line of progress."""
    return []


@pytest.fixture
def connect(tmp_path: Path, told: list[str]) -> Connect:
    """An adviser on a server, with its cache below `tmp_path`."""

    @contextmanager
    def opened(server: ReplayServer, provider: str = "openai", max_cost: float | None = None) -> Iterator[Adviser]:
        with open_adviser(
            f"{provider}:relay",
            "desk",
            told.append,
            base_url=server.url(provider),
            cache=tmp_path / "cache",
            max_cost=max_cost,
        ) as adviser:
            yield adviser

    return opened


@pytest.fixture
def prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One dollar for a million tokens, in and out."""
    path = tmp_path / "prices.json"
    path.write_text('{"relay": [1, 1]}', encoding="utf-8")
    monkeypatch.setenv("AUTOFORGE_PRICES", str(path))


@pytest.fixture
def serve() -> Iterator[Callable[[Decide], ReplayServer]]:
    """Start servers that answer by a function; they end with the test."""
    running: list[ReplayServer] = []

    def start(decide: Decide) -> ReplayServer:
        server = ReplayServer(decide)
        running.append(server.__enter__())
        return server

    yield start
    for server in running:
        server.__exit__(None, None, None)
