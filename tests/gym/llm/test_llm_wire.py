"""How turns, tools and reasoning are written for each provider, and that reasoning goes back as it came."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from autoforge.gym.llm import Message, Reply, Request, Tool, ToolCall
from autoforge.gym.llm.anthropic_wire import AnthropicWire
from autoforge.gym.llm.openai_wire import OpenAIWire
from autoforge.gym.llm.wire import ToolNames
from tests.gym.llm.conftest import Connect
from tests.gym.replay_server import Answer, ReplayServer

pytestmark = pytest.mark.anyio

HELLO = Message(role="user", content="hello")


def follow_up(reply: Reply) -> Request:
    results = (
        Message(role="tool", tool_call_id=call.id, content="", is_error=number > 0)
        for number, call in enumerate(reply.tool_calls)
    )
    return Request(messages=(HELLO, reply.as_message(), *results, Message(role="user", content="go on")))


def anthropic_reply(content: list[dict[str, Any]]) -> Reply:
    body = {"type": "message", "model": "m", "content": content, "stop_reason": "tool_use"}
    return AnthropicWire().reply(body, Request(messages=(HELLO,)))


def openai_reply(message: dict[str, Any]) -> Reply:
    body = {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": "stop"}]}
    return OpenAIWire().reply(body, Request(messages=(HELLO,)))


async def test_signed_reasoning_survives_cache_and_replay_byte_for_byte(connect: Connect, provider: str) -> None:
    thinking: list[dict[str, Any]]
    if provider == "anthropic":
        thinking = [
            {"type": "thinking", "thinking": "hm\u00e9", "signature": "EqQB+/=="},
            {"type": "redacted_thinking", "data": "opaque"},
        ]
    else:
        thinking = [{"reasoning_details": [{"type": "reasoning.encrypted", "data": "opaque", "format": None}]}]
    answer = Answer("I look.", [{"name": "look", "arguments": {"x": [1]}, "id": "c1"}], thinking)
    request = Request(messages=(HELLO,), tools=(Tool(name="look"),))
    with ReplayServer([answer, Answer("done")]) as server:
        async with connect(server) as client:
            await client.complete(request)
        async with connect(server) as client:
            reply = await client.complete(request)
            await client.complete(follow_up(reply))
    assert reply.text == "I look."
    replayed = server.requests[1].body["messages"][1]
    if provider == "anthropic":
        assert replayed["content"] == [
            *thinking,
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "c1", "name": "look", "input": {"x": [1]}},
        ]
    else:
        assert replayed["reasoning_details"] == thinking[0]["reasoning_details"]


@pytest.mark.parametrize(
    "kinds",
    [
        ["thinking", "text", "tool_use"],
        ["thinking", "tool_use", "tool_use"],
        ["thinking", "text", "thinking", "tool_use", "tool_use"],
        ["text", "thinking", "tool_use"],
        ["redacted_thinking", "thinking", "text"],
        ["thinking", "tool_use", "thinking", "tool_use"],
        ["text"],
    ],
)
def test_interleaved_reasoning_goes_back_in_its_places(kinds: list[str]) -> None:
    made: dict[str, Any] = {
        "thinking": lambda n: {"type": "thinking", "thinking": f"t{n}", "signature": f"s{n}"},
        "redacted_thinking": lambda n: {"type": "redacted_thinking", "data": f"d{n}"},
        "text": lambda n: {"type": "text", "text": f"x{n}"},
        "tool_use": lambda n: {"type": "tool_use", "id": f"c{n}", "name": "look", "input": {}},
    }
    content = [made[kind](number) for number, kind in enumerate(kinds)]
    turns = AnthropicWire().body("m", follow_up(anthropic_reply(content)))["messages"]
    assert turns[1] == {"role": "assistant", "content": content}


def test_reasoning_of_one_provider_is_not_sent_to_the_other() -> None:
    signed = anthropic_reply([{"type": "thinking", "thinking": "t", "signature": "s"}, {"type": "text", "text": "x"}])
    assert OpenAIWire().body("m", follow_up(signed))["messages"][1] == {"role": "assistant", "content": "x"}
    open_ = openai_reply({"content": "x", "reasoning_content": "t"})
    turns = AnthropicWire().body("m", follow_up(open_))["messages"]
    assert turns[1]["content"] == [{"type": "text", "text": "x"}]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_of_an_open_model_is_kept_apart_and_goes_back_in_its_field(field: str) -> None:
    reply = openai_reply({"content": "said", field: "thought"})
    assert (reply.text, reply.reasoning[0].text) == ("said", "thought")
    turn = OpenAIWire().body("m", follow_up(reply))["messages"][1]
    assert turn == {"role": "assistant", "content": "said", field: "thought"}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<think>\n###STOP###\n</think>\n\nsaid", "said"),
        ("<think>cut off ###STOP###", ""),
        ("said <think>quoted</think>", "said <think>quoted</think>"),
        ("opened by the prompt <b> ###STOP###\n</think>\n\nsaid", "said"),
        ('<tool_call>{"x": "</think>"}</tool_call>', '<tool_call>{"x": "</think>"}</tool_call>'),
        ("said <b>loudly</b>", "said <b>loudly</b>"),
    ],
)
def test_a_thought_in_the_text_is_not_what_the_model_says(content: str, text: str) -> None:
    reply = openai_reply({"content": content})
    assert reply.text == text
    assert OpenAIWire().body("m", follow_up(reply))["messages"][1]["content"] == content


def test_results_of_tools_and_the_next_words_are_one_turn_for_anthropic() -> None:
    calls = [{"type": "tool_use", "id": f"c{number}", "name": "look", "input": {}} for number in range(2)]
    turns = AnthropicWire().body("m", follow_up(anthropic_reply(calls)))["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert turns[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "c0", "content": "(no text)"},
        {"type": "tool_result", "tool_use_id": "c1", "content": "(no text)", "is_error": True},
        {"type": "text", "text": "go on"},
    ]


def test_no_turn_is_blank_for_either_provider() -> None:
    request = Request(messages=(Message(role="user"), Message(role="assistant"), Message(role="user", content="x")))
    for wire in (AnthropicWire(), OpenAIWire()):
        texts = [turn["content"] for turn in wire.body("m", request)["messages"]]
        assert all("(no text)" in str(text) for text in texts[:2])


@pytest.mark.parametrize("written", ['{"a": 1', "[1]", '"text"', "{'a': 1}", '{"a": NaN}'])
def test_arguments_that_are_no_object_are_the_models_error_and_do_not_break_the_replay(written: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": written}}
    reply = openai_reply({"content": None, "tool_calls": [call]})
    assert reply.tool_calls == (ToolCall(id="c", name="look", arguments={}, malformed=written),)
    turn = OpenAIWire().body("m", follow_up(reply))["messages"][1]
    assert turn["tool_calls"][0]["function"]["arguments"] == "{}"


@pytest.mark.parametrize("written", [None, "", "{}", {}])
def test_a_call_without_arguments_has_an_empty_object(written: Any) -> None:
    call = {"type": "function", "function": {"name": "look", "arguments": written}}
    reply = openai_reply({"tool_calls": [call, call]})
    assert [(call.id, call.arguments, call.malformed) for call in reply.tool_calls] == [
        ("call_0", {}, None),
        ("call_1", {}, None),
    ]


def test_text_in_parts_and_refusals_are_read() -> None:
    assert openai_reply({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}).text == "ab"
    refused = openai_reply({"content": None, "refusal": "I will not."})
    assert (refused.text, refused.stop_reason) == ("I will not.", "refusal")


def test_every_setting_is_sent_where_the_provider_has_it() -> None:
    request = Request(messages=(HELLO,), system="s", temperature=0.5, max_tokens=9, seed=3, stop=("x",))
    anthropic = AnthropicWire().body("m", request)
    assert {name: anthropic[name] for name in ("system", "temperature", "max_tokens", "stop_sequences")} == {
        "system": "s",
        "temperature": 0.5,
        "max_tokens": 9,
        "stop_sequences": ["x"],
    }
    openai = OpenAIWire(limit_field="max_completion_tokens").body("m", request)
    assert openai == {
        "model": "m",
        "max_completion_tokens": 9,
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "hello"}],
        "temperature": 0.5,
        "seed": 3,
        "stop": ["x"],
    }
    bare = Request(messages=(HELLO,))
    assert set(OpenAIWire().body("m", bare)) == {"model", "max_tokens", "messages"}
    assert set(AnthropicWire().body("m", bare)) == {"model", "max_tokens", "messages"}


def test_how_hard_to_think_is_sent_in_each_providers_words_and_names_no_answer_where_it_is_not_said() -> None:
    request = Request(messages=(HELLO,), effort="low")
    assert OpenAIWire().body("m", request)["reasoning_effort"] == "low"
    body = AnthropicWire().body("m", request)
    assert (body["thinking"], body["output_config"]) == ({"type": "adaptive"}, {"effort": "low"})
    assert request.model_dump()["effort"] == "low"
    assert "effort" not in Request(messages=(HELLO,)).model_dump()


def test_a_request_takes_a_model_class_or_a_schema() -> None:
    class Plan(BaseModel):
        city: str

    one = Request(messages=(HELLO,), response_schema=Plan)  # type: ignore[arg-type]
    assert one == Request(messages=(HELLO,), response_schema=Plan.model_json_schema())


@pytest.mark.parametrize(
    "wrong",
    [
        {"role": "tool", "content": "x"},
        {"role": "user", "tool_call_id": "c"},
        {"role": "user", "tool_calls": [{"id": "c", "name": "x"}]},
        {"role": "system", "content": "x"},
    ],
)
def test_a_message_that_belongs_to_no_role_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Message.model_validate(wrong)


@given(st.lists(st.text(max_size=80), max_size=12))
def test_tool_names_are_accepted_distinct_and_come_back(names: list[str]) -> None:
    known = ToolNames(names)
    sent = [known.wire(name) for name in names]
    assert all(0 < len(name) <= 64 and name.replace("_", "a").replace("-", "a").isalnum() for name in sent)
    assert all(name.isascii() for name in sent)
    assert [known.own(name) for name in sent] == names
