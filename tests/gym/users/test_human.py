"""A person as the user: lines in, lines out."""

from __future__ import annotations

import threading

import anyio
import pytest

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.server import ToolResult
from autoforge.gym.users.human import HumanUser
from autoforge.gym.users.user import Numbered, UserBriefing, UserTurn
from tests.gym.users.conftest import Phone, documents, talk, task_of

pytestmark = pytest.mark.anyio

SAVER = task_of("telecom-0-00003")


class Terminal:
    """Lines that are typed, and texts that were shown."""

    def __init__(self, *typed: str) -> None:
        self._typed = list(typed)
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        if not self._typed:
            raise EOFError
        return self._typed.pop(0)

    @property
    def user(self) -> HumanUser:
        return HumanUser(read=self.read, write=self.shown.append)


async def test_what_is_typed_is_said_and_what_the_agent_says_is_shown() -> None:
    terminal = Terminal("Hello", "  ", "By cash.", "/stop")
    turns = await talk(SAVER, "How?", "Done.", user=terminal.user)
    assert turns == [UserTurn("Hello"), UserTurn("By cash."), UserTurn("", "stop")]
    assert "agent> How?" in terminal.shown and "agent> Done." in terminal.shown


async def test_the_person_is_shown_what_the_user_knows() -> None:
    terminal = Terminal("Hello")
    await talk(SAVER, user=terminal.user, tools=documents("telecom", "user"), call=Phone().call)
    shown = "\n".join(terminal.shown)
    assert SAVER.instruction in shown and SAVER.persona in shown
    assert 'payment_method: "direct_debit"' in shown and "enabled: false" in shown
    assert "set_mobile_data(enabled): Turn mobile data" in shown and "/tool NAME" in shown


@pytest.mark.parametrize(
    ("typed", "turn"),
    [
        ("/stop", UserTurn("", "stop")),
        ("/stop Thank you.", UserTurn("Thank you.", "stop")),
        ("/transfer", UserTurn("", "transfer")),
        ("/out-of-scope", UserTurn("", "out_of_scope")),
        ("That is all. ###STOP###", UserTurn("That is all.", "stop")),
    ],
)
async def test_the_person_ends_the_conversation(typed: str, turn: UserTurn) -> None:
    assert await talk(SAVER, user=Terminal(typed).user) == [turn]


async def test_the_person_uses_their_own_tools() -> None:
    phone = Phone(toggle_data_saver=ToolResult('{"data_saver":true}'))
    terminal = Terminal("/tool toggle_data_saver", '/tool set_mobile_data {"enabled": false}', "Both are done.")
    tools = documents("telecom", "user")
    (turn,) = await talk(SAVER, user=terminal.user, tools=tools, call=phone.call)
    assert phone.calls == [("toggle_data_saver", {}), ("set_mobile_data", {"enabled": False})]
    assert turn.text == "Both are done." and [call.tool for call in turn.calls] == [name for name, _ in phone.calls]
    assert 'result> {"data_saver":true}' in terminal.shown


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("/tool pay_bill", "There is no tool 'pay_bill' on your side"),
        ("/tool toggle_data_saver {", "no JSON"),
        ("/tool toggle_data_saver [1]", "as an object"),
        ("/help", "/out-of-scope"),
        ("/dance", "/out-of-scope"),
    ],
)
async def test_a_command_that_cannot_be_done_says_why(typed: str, words: str) -> None:
    phone, terminal = Phone(), Terminal(typed, "Hello")
    turns = await talk(SAVER, user=terminal.user, tools=documents("telecom", "user"), call=phone.call)
    assert turns == [UserTurn("Hello")] and phone.calls == []
    assert words in terminal.shown[-1]


async def test_what_an_agent_says_cannot_command_the_terminal() -> None:
    terminal = Terminal("Hello", "Bye")
    await talk(SAVER, "red \x1b[31m\x07", user=terminal.user)
    assert not any("\x1b" in text or "\x07" in text for text in terminal.shown)


async def test_a_person_who_leaves_fails_the_episode_as_the_user() -> None:
    with pytest.raises(EpisodeFailure) as caught:
        await talk(SAVER, user=Terminal().user)
    assert caught.value.failure.blame == "user"


async def test_a_person_who_does_not_answer_is_left_at_the_deadline() -> None:
    released = threading.Event()

    def read(prompt: str) -> str:
        released.wait(30)
        return "too late"

    speaker = HumanUser(read=read, write=lambda text: None).begin(UserBriefing(SAVER))
    with pytest.raises(EpisodeFailure, match="did not answer"), anyio.fail_after(5):
        await Numbered(speaker, deadline=0.02).turn(0, None)
    released.set()
