"""Chats for training hold what the policy saw and said, in a form that chat templates read."""

from __future__ import annotations

import json
from typing import Any

from autoforge.gym.llm import ReasoningBlock, ToolCall
from autoforge.gym.runs.chats import chat_of
from autoforge.gym.trajectory import Turn, UserToolCall
from tests.gym.runs.outcomes import trajectory

TOOL = {
    "name": "book",
    "description": "Book a room.",
    "inputSchema": {"type": "object", "properties": {"room": {"type": "string"}}},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": False},
}
THOUGHT = ReasoningBlock(provider="test", data={"thinking": "Which room?"})
HIDDEN = ReasoningBlock(provider="test", data={"encrypted": "xyz"}, index=1)
BOOK = ToolCall(id="c1", name="book", arguments={"room": "7ü"})
TURNS = (
    Turn(role="user", content="Book 7.", user_calls=(UserToolCall(tool="look", result="a secret"),)),
    Turn(role="assistant", reasoning=(THOUGHT, HIDDEN), tool_calls=(BOOK,)),
    Turn(role="tool", content='{"ok":true}', tool_call_id="c1"),
    Turn(role="assistant", content="Booked."),
    Turn(role="user", content="Thanks."),
)


def chat(*turns: Turn, thinking: bool = True, **more: Any) -> dict[str, Any]:
    made = chat_of(trajectory(turns=turns, tools=(TOOL,), **more), thinking=thinking)
    assert made is not None
    return made


def test_a_chat_is_messages_and_tools_as_openai_has_them() -> None:
    made = chat(*TURNS, instructions="Be brief.")
    assert made["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Book 7."},
        {
            "role": "assistant",
            "content": "",
            "reasoning_content": "Which room?",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "book", "arguments": '{"room": "7ü"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '{"ok":true}'},
        {"role": "assistant", "content": "Booked."},
    ]
    function = {"name": "book", "description": "Book a room.", "parameters": TOOL["inputSchema"]}
    assert made["tools"] == [{"type": "function", "function": function}]
    assert json.loads(json.dumps(made)) == made and made["reward"] == 1.0
    assert "a secret" not in json.dumps(made)


def test_thinking_may_be_left_out() -> None:
    assert "reasoning_content" not in json.dumps(chat(*TURNS, thinking=False))


def test_turns_that_were_cut_off_or_empty_are_left_out_with_the_remark_on_them() -> None:
    spoiled = (
        Turn(role="assistant", content="I will bo", truncated=True),
        Turn(role="user", content="Your turn was cut off by its length limit. Make a shorter one."),
        Turn(role="assistant", content=" "),
        Turn(role="user", content="Your turn was empty. Write a message to the user, or call a tool."),
    )
    assert chat(TURNS[0], *spoiled, *TURNS[1:])["messages"] == chat(*TURNS)["messages"]


def test_a_malformed_call_stays_as_it_was_written() -> None:
    turn = Turn(role="assistant", tool_calls=(ToolCall(id="c1", name="book", malformed='{"room": '),))
    made = chat(TURNS[0], turn, TURNS[2], TURNS[3])
    assert made["messages"][1]["tool_calls"][0]["function"]["arguments"] == '{"room": '


def test_where_the_policy_said_nothing_there_is_no_chat() -> None:
    assert chat_of(trajectory(turns=TURNS[:1])) is None
    assert chat_of(trajectory(turns=(TURNS[0], Turn(role="assistant", content="I", truncated=True)))) is None
