"""What is said to `server.py`, on servers in memory whose walls are taken down, and how the real one is started."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from mcp import Client

from autoforge.generator.conformance.conversation import Conversation, Refusable
from autoforge.generator.conformance.findings import Fault
from autoforge.generator.conformance.laboratory import Step
from autoforge.generator.conformance.server import server_parameters, speak
from autoforge.generator.emit import server_protocol

from .conftest import DESK

NOTE = Step("add_note", {"ticket_id": 1, "text": "seen"})


def faults(conversation: Conversation) -> list[Fault]:
    async def converse() -> list[Fault]:
        with anyio.fail_after(20):
            async with Client(server_protocol.build(DESK)) as client:
                return await speak(client, conversation)

    return anyio.run(converse)


def test_a_sound_server_has_no_faults() -> None:
    wrong = Refusable("ticket_id is no integer", Step("get_ticket", {"ticket_id": "one"}))
    assert faults(Conversation((wrong,), Step("get_ticket", {"ticket_id": 1}), NOTE)) == []


def test_a_server_that_takes_what_it_must_refuse_is_told_by_tool() -> None:
    (fault,) = faults(Conversation((Refusable("an unknown parameter", Step("list_agents", {})),), None, None))
    assert fault.tool == "list_agents" and fault.sentence.startswith("an unknown parameter: it does not come back")


def test_episodes_that_share_a_state_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_protocol, "episode_of", lambda context: "default")
    (fault,) = faults(Conversation((), None, NOTE))
    assert fault.tool == "add_note" and "a write in one episode is seen in another" in fault.sentence


def test_an_episode_that_forgets_is_found() -> None:
    (fault,) = faults(Conversation((), None, Step("get_ticket", {"ticket_id": 1})))
    assert "does not keep what it wrote" in fault.sentence


def test_the_server_inherits_no_secret_and_finds_no_module_beside_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-000000000000000000000000")
    monkeypatch.setenv("HOME", "sk-000000000000000000000000")
    parameters = server_parameters(tmp_path)
    assert "sk-" not in str(parameters.env) and "PATH" in (parameters.env or {})
    assert "-P" in parameters.args
