"""What is said to `server.py`, on servers in memory whose walls are taken down, and how the real one is started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from autoforge.generator.conformance.conversation import Answered, Conversation, Refusable
from autoforge.generator.conformance.findings import Fault
from autoforge.generator.conformance.laboratory import Step
from autoforge.generator.conformance.server import server_parameters, speak
from autoforge.generator.emit import server_protocol
from autoforge.mcp_envs.containment import SyncWorker

from .conftest import DESK

READ = Step("get_ticket", {"ticket_id": 1})
NOTE = Step("add_note", {"ticket_id": 1, "text": "seen"})


def faults(conversation: Conversation) -> list[Fault]:
    async def converse() -> list[Fault]:
        with anyio.fail_after(20):
            async with Client(server_protocol.build(DESK)) as client:
                return await speak(client, conversation)

    return anyio.run(converse)


def answer_of(step: Step) -> dict[str, Any]:
    with SyncWorker(DESK) as worker:
        worker.open("e")
        value = worker.call("e", step.tool, step.arguments).value
    assert isinstance(value, dict) and value["id"] == 1
    return value


def test_a_sound_server_has_no_faults() -> None:
    wrong = Refusable("ticket_id is no integer", Step("get_ticket", {"ticket_id": "one"}))
    assert faults(Conversation((wrong,), (Answered(READ, answer_of(READ)),), NOTE)) == []


def test_a_server_that_takes_what_it_must_refuse_is_told_by_tool() -> None:
    (fault,) = faults(Conversation((Refusable("an unknown parameter", Step("list_agents", {})),), (), None))
    assert fault.tool == "list_agents" and fault.sentence.startswith("an unknown parameter: it does not come back")


def test_an_answer_that_is_another_one_than_in_the_worker_is_found() -> None:
    (fault,) = faults(Conversation((), (Answered(READ, {**answer_of(READ), "id": 2}),), None))
    assert fault.tool == "get_ticket" and "the answer is another one than in the worker" in fault.sentence


def test_episodes_that_share_a_state_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_protocol, "episode_of", lambda context: "default")
    (fault,) = faults(Conversation((), (), NOTE))
    assert fault.tool == "add_note" and "a write in one episode is seen in another" in fault.sentence


def test_an_episode_that_forgets_is_found() -> None:
    (fault,) = faults(Conversation((), (), READ))
    assert "does not keep what it wrote" in fault.sentence


def test_the_server_inherits_no_secret_and_finds_no_module_beside_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-000000000000000000000000")
    monkeypatch.setenv("HOME", "sk-000000000000000000000000")
    parameters = server_parameters(tmp_path)
    assert "sk-" not in str(parameters.env) and "PATH" in (parameters.env or {})
    assert "-P" in parameters.args
