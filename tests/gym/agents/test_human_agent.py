"""A person plays the agent: lines in, lines out."""

from __future__ import annotations

import pytest

from autoforge.gym.agents.agent import Briefing
from autoforge.gym.agents.human import HumanAgent
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Message
from autoforge.gym.turns import Action
from autoforge.mcp_envs.task import Task
from tests.gym.agents.conftest import desk_server, play

pytestmark = pytest.mark.anyio

HELLO = (Message(role="user", content="hello"),)
TOOL = {
    "name": "find",
    "description": "Finds a city.\nMore.",
    "inputSchema": {"type": "object", "properties": {"city": {}, "state": {}}, "required": ["city"]},
}


class Terminal:
    """Lines that are typed, and lines that were shown."""

    def __init__(self, *typed: str | BaseException) -> None:
        self.typed = list(typed)
        self.shown: list[str] = []
        self.prompts: list[str] = []

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.typed:
            raise EOFError
        line = self.typed.pop(0)
        if isinstance(line, BaseException):
            raise line
        return line

    def agent(self) -> HumanAgent:
        return HumanAgent(self.read, self.shown.append)


async def test_a_person_solves_a_task(task: Task) -> None:
    terminal = Terminal(
        "/tools",
        "/call list_agents",
        '/call resolve_ticket {"ticket_id": 9, "resolution": "done"}',
        "That is done.",
    )
    async with desk_server() as server:
        trajectory = await play(server, terminal.agent(), task)
    assert trajectory.reward == 1.0
    assert f"user> {task.instruction}" in terminal.shown
    assert any(line.startswith('result> {"') for line in terminal.shown)
    assert sum(line.startswith("resolve_ticket(ticket_id, resolution)") for line in terminal.shown) == 2
    assert set(terminal.prompts) == {"agent> "}


async def test_a_slip_costs_no_turn() -> None:
    terminal = Terminal(
        "", "  ", "/help", "/call nothing {}", "/call find {oops", "/call find [1]", "/call find  {}", "Hello there "
    )
    player = terminal.agent().begin(Briefing([TOOL], "Be kind."))
    action = await player.act(HELLO)
    assert [(call.id, call.name, call.arguments) for call in action.calls] == [("call_1", "find", {})]
    assert terminal.shown[:4] == [
        "Be kind.",
        "find(city, [state]): Finds a city.",
        "Write to the user, or: /call NAME {json}, /tools, /quit.",
        "user> hello",
    ]
    said = "\n".join(terminal.shown[4:])
    assert "There is no tool 'nothing'" in said and "The arguments are no JSON" in said
    assert said.count('Write them as an object: /call find {"name": "value"}') == 2
    assert await player.act((Message(role="tool", tool_call_id="call_1", content="no", is_error=True),)) == Action(
        text="Hello there"
    )
    assert terminal.shown[-1] == "error> no"


@pytest.mark.parametrize("line", ["/quit", EOFError(), KeyboardInterrupt()])
async def test_a_person_who_leaves_is_not_scored(line: str | BaseException, task: Task) -> None:
    async with desk_server() as server:
        trajectory = await play(server, Terminal("Hello.", line).agent(), task)
    assert trajectory.failure is not None and trajectory.reward is None
    assert (trajectory.failure.blame, trajectory.failure.where) == ("infrastructure", "agent")


async def test_what_others_say_does_not_command_the_terminal() -> None:
    terminal = Terminal("ok")
    text = "\x1b[2Ja\r\x07b\x9bc\u2028d\ne\tf \u00e9"
    await terminal.agent().begin(Briefing(())).act((Message(role="user", content=text),))
    assert terminal.shown[-1] == "user> \ufffd[2Ja\ufffd\ufffdb\ufffdc\ufffdd\ne\tf \u00e9"


async def test_leaving_says_so() -> None:
    with pytest.raises(EpisodeFailure, match="left the episode"):
        await Terminal().agent().begin(Briefing(())).act(HELLO)
