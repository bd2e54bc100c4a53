"""The part of a task that is the user's own."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.gym.servers.server import ToolResult
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import UserTurn
from autoforge.mcp_envs.task import Blueprint, GoldCall, Literally, Output, Task, ToolStep
from tests.gym.users.conftest import Phone, documents, talk, task_of

pytestmark = pytest.mark.anyio

PHONE = documents("telecom", "user")
SAVER = "telecom-0-00003"
"""Toggle the data saver; turn mobile data off; then one wish for the agent."""


async def spoken(task: Task, phone: Phone, *said: str) -> list[UserTurn]:
    return await talk(task, *said, tools=PHONE, call=phone.call)


@pytest.mark.parametrize(
    "said",
    [
        "Please toggle the data saver now.",
        "Please use toggle_data_saver on your side now.",
        "Could you turn the data saver on?",
        "Now switch on the data saver of your phone.",
        "You can now go ahead.",
        "Please do your part now.",
        "Please do that yourself now.",
    ],
)
async def test_a_step_is_done_when_the_agent_asks_for_it(said: str) -> None:
    phone = Phone()
    _, turn = await spoken(task_of(SAVER), phone, said)
    assert phone.calls == [("toggle_data_saver", {})]
    assert [(call.tool, call.result.text) for call in turn.calls] == [("toggle_data_saver", '{"ok":true}')]
    assert "toggle data saver" in turn.text and "ok: yes" in turn.text


@pytest.mark.parametrize(
    "said",
    [
        "Please do not toggle the data saver yet.",
        "I will tell you when to toggle the data saver.",
        "I see that the data saver is off.",
        "Is the data saver on?",
        "Thank you, I understand.",
        "Let me look at your lines first.",
        "What is the payment method?",
    ],
)
async def test_nothing_is_done_that_the_agent_did_not_ask_for(said: str) -> None:
    phone = Phone()
    await spoken(task_of(SAVER), phone, said)
    assert phone.calls == []


async def test_a_step_is_done_once() -> None:
    phone = Phone()
    turns = await spoken(task_of(SAVER), phone, "Please toggle the data saver.", "Please toggle the data saver.")
    assert phone.calls == [("toggle_data_saver", {})]
    assert "already" in turns[-1].text


async def test_a_step_that_was_refused_can_be_done_again() -> None:
    phone = Phone(toggle_data_saver=ToolResult("The battery is empty.", is_error=True))
    turns = await spoken(task_of(SAVER), phone, "Please toggle the data saver.", "Please toggle the data saver.")
    assert len(phone.calls) == 2
    assert "The battery is empty." in turns[-1].text and "did not work" in turns[-1].text


async def test_several_steps_are_done_in_the_order_of_the_task() -> None:
    phone = Phone()
    await spoken(task_of(SAVER), phone, "Please turn mobile data off and toggle the data saver.")
    assert phone.calls == [("toggle_data_saver", {}), ("set_mobile_data", {"enabled": False})]


async def test_known_values_are_the_arguments() -> None:
    phone = Phone()
    await spoken(task_of("telecom-0-00004"), phone, "Please set the network mode of your phone now.")
    assert phone.calls == [("set_network_mode", {"network_mode": "5g_preferred"})]


async def test_a_tool_that_only_looks_may_be_used_and_no_other() -> None:
    phone = Phone(check_signal=ToolResult('{"signal":"fair"}'))
    turns = await spoken(task_of(SAVER), phone, "Please check the signal of your phone.", "Now reboot the phone.")
    assert phone.calls == [("check_signal", {})]
    assert "signal: fair" in turns[1].text
    assert "rather not" in turns[2].text


async def test_told_that_it_will_be_told_the_user_goes_on() -> None:
    """Waiting for each other would be the end of it."""
    turns = await spoken(task_of(SAVER), Phone(), "Understood. I will let you know when.")
    assert "mobile data" in turns[1].text


async def test_before_the_end_the_user_asks_once_whether_to_do_its_part() -> None:
    turns = await spoken(task_of(SAVER), Phone(), "Done.", "Done.", "Done.", "Done.")
    assert "toggle data saver, set mobile data" in turns[3].text
    assert [turn.ending for turn in turns] == [None] * 4 + ["stop"]
    phone = Phone()
    await spoken(task_of(SAVER), phone, "Done.", "Done.", "Done.", "Yes, please do both now.")
    assert phone.calls == [("toggle_data_saver", {}), ("set_mobile_data", {"enabled": False})]


@pytest.mark.parametrize("said", ["Understood. I will let you know when.", "Great, thank you."])
async def test_with_everything_said_the_user_waits_for_more_than_thanks(said: str) -> None:
    phone = Phone()
    said_first = "Please toggle the data saver." if "Great" in said else said
    user = ScriptedUser(reveal="all")
    turns = await talk(task_of(SAVER), said_first, said, user=user, tools=PHONE, call=phone.call)
    assert [turn.ending for turn in turns] == [None] * 3


async def test_after_its_step_the_user_goes_on_with_its_wishes() -> None:
    turns = await spoken(task_of(SAVER), Phone(), "Please toggle the data saver.", "Thank you.")
    assert "I can turn mobile data off myself" in turns[2].text


def activation(**arguments: Any) -> Task:
    """A task in which the user enters a code that the agent must tell."""
    step = ToolStep(id="n2", actor="user", tool="enter_code", arguments=arguments)
    base = task_of(SAVER)
    call = GoldCall(node="n2", actor="user", tool="enter_code", arguments={"code": "ACT-4711", "slot": 2})
    changes = {
        "instruction": "I can enter the activation code myself, on my side, when you tell me to.",
        "blueprint": Blueprint(nodes=(ToolStep(id="n1", tool="list_lines"), step)),
        "gold": base.gold.model_copy(update={"calls": (call,)}),
    }
    return base.model_copy(update=changes)


CODE = [{"name": "enter_code", "description": "Enters a code.", "inputSchema": {"type": "object"}}]
FOUND = Output(node="n1", path="$.code")


@pytest.mark.parametrize(
    ("said", "called"),
    [
        (["Please enter the code ACT-4711."], ["ACT-4711"]),
        (["Your code is ACT-4711.", "Please enter the code now."], ["ACT-4711"]),
        (["Your code is ACT-4711.", "Yes, please."], ["ACT-4711"]),
        (["Please enter the code ACT-9999."], ["ACT-9999"]),
        (["Please enter the code."], []),
        (["Please enter the code.", "Enter the code ACT-4711 please."], ["ACT-4711"]),
        (["Please enter the code ACT-1 or ACT-2."], []),
    ],
)
async def test_what_comes_out_of_the_agents_steps_the_agent_must_tell(said: list[str], called: list[str]) -> None:
    phone, task = Phone(), activation(code=FOUND, slot=Literally(literal=2))
    turns = await talk(task, *said, tools=CODE, call=phone.call)
    assert phone.calls == [("enter_code", {"code": code, "slot": 2}) for code in called]
    assert called or "code" in turns[-1].text


async def test_a_result_is_told_in_words_and_shortly() -> None:
    long = ToolResult('{"lines":[' + ",".join(f'{{"line_id":"L{n}","status":"active"}}' for n in range(90)) + "]}")
    phone = Phone(toggle_data_saver=long)
    _, turn = await spoken(task_of(SAVER), phone, "Please toggle the data saver.")
    assert "line id: L0; status: active; line id: L1" in turn.text
    assert len(turn.text) < 600 and "{" not in turn.text
