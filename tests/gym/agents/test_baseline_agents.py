"""What the baselines do in a conversation, and that they get there what they get without one."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from autoforge.gym.agents.agent import Briefing
from autoforge.gym.agents.baseline import BaselineAgent, baseline_agents
from autoforge.gym.baselines import Asked, Episodes, Oracle, Playing, play_all
from autoforge.gym.llm import Message
from autoforge.gym.reward import told
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.turns import Action
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import User
from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import GoldCall, Task
from tests.gym.agents.conftest import DONE, ENVIRONMENTS, PlainUser, SlowUser, desk_server, folder, play
from tests.gym.reward.desk_tasks import answer

pytestmark = pytest.mark.anyio

HELLO = (Message(role="user", content="hello"),)


def said(trajectory: Trajectory) -> list[str]:
    return [turn.content for turn in trajectory.turns if turn.role == "assistant" and not turn.tool_calls]


def shared(server: FolderServer) -> tuple[Task, list[GoldCall]]:
    """The task with the most steps of the user's, and these steps."""
    steps = {task.id: [call for call in task.gold.calls if call.actor == "user"] for task in server.tasks}
    task = max(server.tasks, key=lambda task: len(steps[task.id]))
    return task, steps[task.id]


def with_gold(task: Task, **changes: Any) -> Task:
    return task.model_copy(update={"gold": task.gold.model_copy(update=changes)})


@pytest.mark.parametrize("name", ["hotel", "telecom", "biblioteca"])
async def test_the_oracle_solves_every_task_in_an_episode_and_the_no_op_none(name: str) -> None:
    agents = baseline_agents()
    async with folder(name) as server:
        assert len(server.tasks) >= 12
        users: list[User] = [PlainUser(), ScriptedUser()]
        for task, user in product(server.tasks, users):
            oracle = await play(server, agents["oracle"], task, user)
            assert (oracle.end, oracle.reward) == ("stop", 1.0), oracle.explanation
            idle = await play(server, agents["no-op"], task, user)
            assert (idle.end, idle.reward) == ("stop", 0.0)


async def test_a_conversation_changes_nothing_of_what_baselines_get() -> None:
    with Episodes(find_environment(str(ENVIRONMENTS / "hotel"))) as episodes:
        async with folder("hotel") as server:
            alone = {(one.task, one.baseline): one.reward for one in play_all(server.tasks[:4], episodes)}
            for task in server.tasks[:4]:
                for name, agent in baseline_agents().items():
                    trajectory = await play(server, agent, task)
                    assert trajectory.reward == alone[task.id, name].value
                    assert trajectory.state_reached == alone[task.id, name].state
                    marks = [(mark.name, mark.told) for mark in trajectory.answers]
                    assert marks == [(v.name, v.told) for v in alone[task.id, name].answers]


async def test_a_turn_is_one_call_or_one_message() -> None:
    async with folder("hotel") as server:
        task = server.tasks[0]
        trajectory = await play(server, BaselineAgent(Oracle()), task)
    made = [turn.tool_calls for turn in trajectory.turns if turn.tool_calls]
    assert [[(call.name, call.arguments) for call in calls] for calls in made] == [
        [(gold.tool, gold.arguments)] for gold in task.gold.calls
    ]
    assert len({calls[0].id for calls in made}) == len(made)


@pytest.mark.parametrize("wishes", [3, 6])
async def test_a_user_who_says_one_wish_after_the_other_is_answered_to_the_end(wishes: int) -> None:
    async with folder("hotel") as server:
        for task in server.tasks:
            trajectory = await play(server, BaselineAgent(Oracle()), task, SlowUser(wishes))
            assert trajectory.reward == 1.0, trajectory.explanation
            answers, later = said(trajectory)[: len(task.gold.answers)], said(trajectory)[len(task.gold.answers) :]
            assert len(answers) == len(task.gold.answers) and set(later) == {DONE}


async def test_the_user_is_asked_for_its_own_steps() -> None:
    async with folder("telecom") as server:
        task, steps = shared(server)
        trajectory = await play(server, BaselineAgent(Oracle()), task)
    asked = [text for text in said(trajectory) if text.startswith("Please use ")]
    assert [text.split()[2] for text in asked] == [step.tool for step in steps]
    assert all(text.endswith(" now.") and " on your side " in text for text in asked)
    assert [call.tool for turn in trajectory.turns for call in turn.user_calls] == [step.tool for step in steps]
    assert trajectory.reward == 1.0


async def test_what_the_user_is_asked_for_is_in_words(task: Task) -> None:
    steps = [
        GoldCall(node="n1", actor="user", tool="set_mode", arguments={"network_mode": "5g", "on": True}),
        GoldCall(node="n2", actor="user", tool="reboot_phone"),
    ]
    player = BaselineAgent(Oracle()).begin(Briefing((), task=with_gold(task, calls=tuple(steps))))
    assert [(await player.act(HELLO)).text for _ in range(2)] == [
        "Please use set_mode on your side with network mode 5g, on true now.",
        "Please use reboot_phone on your side now.",
    ]


async def test_a_user_who_does_not_do_its_steps_keeps_the_oracle_from_winning() -> None:
    async with folder("telecom") as server:
        trajectory = await play(server, BaselineAgent(Oracle()), shared(server)[0], SlowUser(5))
    assert (trajectory.end, trajectory.reward) == ("stop", 0.0)


async def test_a_gold_call_that_is_refused_is_the_environments_failure(task: Task) -> None:
    wrong = GoldCall(node="n1", tool="get_ticket", arguments={"ticket_id": 999})
    async with desk_server() as server:
        trajectory = await play(server, BaselineAgent(Oracle()), with_gold(task, calls=(wrong,)))
    assert trajectory.failure is not None
    assert (trajectory.failure.blame, trajectory.failure.where) == ("environment", "server")
    assert "its gold call of get_ticket was refused" in trajectory.failure.message
    assert (trajectory.end, trajectory.reward) == ("failed", None)


async def test_a_baseline_needs_its_task() -> None:
    with pytest.raises(BadInput, match="the agent oracle plays known tasks only"):
        BaselineAgent(Oracle()).begin(Briefing(()))


async def test_another_trial_of_the_random_caller_throws_other_dice() -> None:
    agent = baseline_agents()["random"]
    async with folder("hotel") as server:
        task = server.tasks[0]
        played = [await play(server, agent, task, trial=trial) for trial in (0, 0, 1, 2)]
    made = [[(c.name, c.arguments) for turn in one.turns for c in turn.tool_calls] for one in played]
    assert made[0] == made[1]
    assert made[0] != made[2] or made[0] != made[3]


class Noting:
    """A baseline that notes what its calls give."""

    name = "noting"

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.seen: list[CallResult] = []

    def play(self, task: Task, tools: Any) -> Playing:
        for _ in range(self.calls):
            self.seen.append((yield Asked("look", {})))
        return ["Seen."]


@pytest.mark.parametrize(
    ("output", "text", "value"),
    [
        (None, '{"result":[1,2]}', [1, 2]),
        (None, '{"result":{"a":1}}', {"result": {"a": 1}}),
        (None, '{"result":1,"more":2}', {"result": 1, "more": 2}),
        ({"type": "object"}, '{"result":3}', {"result": 3}),
        ({"type": "array"}, '{"result":[3]}', [3]),
        ({"anyOf": []}, '{"result":{"a":1}}', {"a": 1}),
        (None, "no JSON", "no JSON"),
        (None, "", ""),
    ],
)
async def test_values_come_out_of_the_wrapping_of_the_server(output: Any, text: str, value: Any, task: Task) -> None:
    tool = {"name": "look", **({"outputSchema": output} if output is not None else {})}
    baseline = Noting(1)
    player = BaselineAgent(baseline).begin(Briefing([tool], task=task))
    await player.act(HELLO)
    action = await player.act((Message(role="tool", tool_call_id="call_1", content=text),))
    assert action == Action(text="Seen.")
    assert baseline.seen == [CallResult("ok", value)]


async def test_a_refused_call_has_no_value(task: Task) -> None:
    baseline = Noting(1)
    player = BaselineAgent(baseline).begin(Briefing([], task=task))
    await player.act(HELLO)
    await player.act((Message(role="tool", tool_call_id="call_1", content="there is none", is_error=True),))
    assert baseline.seen == [CallResult("refused", message="there is none")]


async def test_the_words_at_the_end_do_not_take_an_answer_back(task: Task) -> None:
    status = answer("text", "open", "done", name="status of the task")
    async with desk_server() as server:
        trajectory = await play(server, BaselineAgent(Oracle()), with_gold(task, answers=(status,)), SlowUser(4))
    assert not told(status, [said(trajectory)[0], DONE])
    assert trajectory.reward == 1.0
    assert trajectory.answers[0].told and len(said(trajectory)) == 4


async def test_a_user_who_waits_for_other_words_is_answered_for_ever_and_asked_nothing() -> None:
    async with folder("hotel") as server:
        trajectory = await play(server, baseline_agents()["no-op"], server.tasks[0], PlainUser("no such words"))
    assert trajectory.end == "truncated" and set(said(trajectory)[1:]) == {DONE}
