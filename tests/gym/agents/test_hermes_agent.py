"""A model that writes its calls as text, through whole episodes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autoforge.gym.agents.chat import ChatSettings, Reasoning
from autoforge.gym.agents.hermes import HermesAgent
from autoforge.gym.llm import Limits, ModelClient
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.task import Task
from tests.gym.agents.conftest import desk_server, play
from tests.gym.replay_server import Answer, ReplayServer

pytestmark = pytest.mark.anyio

RESOLVE = '{"name": "resolve_ticket", "arguments": {"ticket_id": 9, "resolution": "done"}}'
LOOK = '{"name": "list_agents", "arguments": {}}'


async def played(model: ReplayServer, task: Task, settings: ChatSettings | None = None) -> Trajectory:
    client = ModelClient("openai:qwen3", base_url=model.openai_url, limits=Limits(attempts=1))
    async with desk_server() as server, client:
        return await play(server, HermesAgent(client, settings), task)


def turns(model: ReplayServer, number: int) -> list[tuple[str, Any]]:
    return [(turn["role"], turn["content"]) for turn in model.requests[number].body["messages"]]


async def test_a_malformed_call_is_mended_and_the_task_is_solved(task: Task) -> None:
    broken = '<tool_call>\n{"name": "resolve_ticket", "arguments": {"ticket_id": \n</tool_call>'
    steps = [Answer(broken), Answer(f"<tool_call>\n{RESOLVE}\n</tool_call>"), Answer("That is done.")]
    with ReplayServer(steps) as model:
        trajectory = await played(model, task)
    assert trajectory.reward == 1.0 and trajectory.agent == "hermes+openai:qwen3"
    results = [turn for turn in trajectory.turns if turn.role == "tool"]
    assert [result.is_error for result in results] == [True, False]
    assert "no JSON object" in results[0].content
    assert turns(model, 1)[2] == ("assistant", broken)
    assert turns(model, 1)[3] == ("user", f"<tool_response>\n{results[0].content}\n</tool_response>")


async def test_tools_stand_in_the_prompt_and_results_in_one_message(task: Task) -> None:
    two = f"Both:\n<tool_call>\n{LOOK}\n</tool_call>\n<tool_call>\n{RESOLVE}\n</tool_call>"
    with ReplayServer([Answer(two), Answer("That is done.")]) as model:
        trajectory = await played(model, task)
    assert trajectory.reward == 1.0
    body = model.requests[0].body
    assert "tools" not in body and body["messages"][0]["role"] == "system"
    listed = body["messages"][0]["content"].split("<tools>\n")[1].split("\n</tools>")[0].split("\n")
    assert [json.loads(line)["function"]["name"] for line in listed] == [tool["name"] for tool in trajectory.tools]
    assert [role for role, _ in turns(model, 1)] == ["system", "user", "assistant", "user"]
    assert turns(model, 1)[3][1].count("<tool_response>") == 2
    ids = [call.id for turn in trajectory.turns for call in turn.tool_calls]
    assert ids == ["call_1_0", "call_1_1"]
    assert [turn.tool_call_id for turn in trajectory.turns if turn.role == "tool"] == ids
    assert [turn.content for turn in trajectory.turns if turn.tool_calls] == ["Both:"]


@pytest.mark.parametrize(
    ("reasoning", "kept"), [("keep", ["thought-1", "thought-2", "thought-3"]), ("drop", ["thought-3"]), ("none", [])]
)  # fmt: skip
async def test_thoughts_are_kept_or_dropped_by_turns_of_the_user_and_never_told(
    reasoning: Reasoning, kept: list[str], task: Task
) -> None:
    steps = [
        Answer(f"<think>\nthought-1\n</think>\n\n<tool_call>\n{LOOK}\n</tool_call>"),
        Answer("thought-2, and no opening tag\n</think>\n\nShall I?"),
        Answer(f"<tool_call>\n{RESOLVE}\n</tool_call>", thinking=[{"reasoning_content": "thought-3"}]),
        Answer("<think>four</think>That is done. <think>five</think>"),
    ]
    with ReplayServer(steps) as model:
        trajectory = await played(model, task, ChatSettings(reasoning=reasoning))
    assert trajectory.reward == 1.0
    told = [turn.content for turn in trajectory.turns if turn.role == "assistant" and not turn.tool_calls]
    assert told == ["Shall I?", "That is done."]
    sent = json.dumps(model.requests[3].body)
    assert [word for word in ("thought-1", "thought-2", "thought-3") if word in sent] == kept
    if reasoning == "keep":
        assert turns(model, 3)[2] == ("assistant", steps[0].content)
        assert turns(model, 3)[4] == ("assistant", steps[1].content)
    texts = ["".join(block.text for block in turn.reasoning) for turn in trajectory.turns if turn.reasoning]
    assert texts[0].strip() == "<think>\nthought-1\n</think>"
    assert texts[2] == "thought-3" and "five" in texts[3]
