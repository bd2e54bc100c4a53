"""Structured answers: what is read, what is asked again, what is given up."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from autoforge.gym.llm import Message, Request
from autoforge.gym.llm.json_text import documents_in, load_json, load_json_at
from autoforge.mcp_envs.errors import ModelFailure
from tests.gym.llm.conftest import Connect
from tests.gym.replay_server import Answer, ReplayServer

pytestmark = pytest.mark.anyio

ASK = Request(system="You plan trips.", messages=(Message(role="user", content="plan"),))


class Plan(BaseModel):
    city: str
    nights: int = Field(ge=1)


class Lenient(BaseModel):
    note: str = ""


GOOD = '{"city": "Oslo", "nights": 2}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n {GOOD} \n",
        f"Here you are:\n```json\n{GOOD}\n```\nEnjoy!",
        f"~~~\n{GOOD}\n~~~",
        f"For example ```json\n{{}}\n``` no:\n```json\n{GOOD}\n```",
        f"The answer is {GOOD}, I think.",
        f"Replace {{city}} in [this]: {GOOD}",
        f'A draft {{"city": "Rome", "nights": 1}} and then {GOOD}',
        f"{GOOD} which has no field {{x}}",
    ],
)
async def test_an_answer_is_found_in_what_models_write_around_it(connect: Connect, text: str) -> None:
    with ReplayServer([Answer(text)]) as server:
        async with connect(server) as client:
            assert await client.structured(ASK, Plan) == Plan(city="Oslo", nights=2)
    assert len(server.requests) == 1


async def test_a_thought_before_the_answer_is_no_part_of_it(connect: Connect) -> None:
    with ReplayServer([Answer(f'<think>{{"city": "Bergen", "nights": 9}}</think>\n{GOOD}')]) as server:
        async with connect(server) as client:
            assert (await client.structured(ASK, Plan)).city == "Oslo"


async def test_the_schema_is_in_the_prompt(connect: Connect, provider: str) -> None:
    with ReplayServer([Answer(GOOD)]) as server:
        async with connect(server) as client:
            await client.structured(ASK, Plan)
    body = server.requests[0].body
    system = body["system"] if provider == "anthropic" else body["messages"][0]["content"]
    assert system.startswith("You plan trips.")
    assert json.dumps(Plan.model_json_schema()) in system


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ('{"city": "Oslo", "nights": 0}', "nights: Input should be greater than or equal to 1"),
        ('{"nights": 1}', "city: Field required"),
        ('{"city": "Oslo", "nights": 2', "no complete JSON document"),
        ("I would rather not.", "there is none|Expecting value"),
        ("", "The answer was empty"),
        ('{"city": "Oslo", "nights": NaN}', "NaN is not a JSON value"),
    ],
)
async def test_a_wrong_answer_is_asked_again_with_what_was_wrong(connect: Connect, bad: str, said: str) -> None:
    with ReplayServer([Answer(bad), Answer(GOOD)]) as server:
        async with connect(server) as client:
            assert (await client.structured(ASK, Plan)).nights == 2
            assert (await client.structured(ASK, Plan)).nights == 2, "and the whole exchange is remembered"
    assert len(server.requests) == 2
    assistant, user = server.requests[1].body["messages"][-2:]
    assert (assistant["role"], user["role"]) == ("assistant", "user")
    assert (bad or "(no text)") in str(assistant["content"]).replace("\\'", "'")
    assert any(part in str(user["content"]) for part in said.split("|"))
    assert "attempt 2 of 3" in str(user["content"])


async def test_a_truncated_answer_is_never_read_even_if_a_part_would_fit(connect: Connect) -> None:
    cut = Answer('{"items": [{"note": "one"}, {"no', truncated=True, usage=(10, 64))
    with ReplayServer([cut]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure, match=r"cut off after 64 tokens by the length limit \(max_tokens\)"):
                await client.structured(ASK, Lenient, attempts=2, stage="seed")
    assert len(server.requests) == 2


async def test_the_inside_of_a_broken_document_does_not_pass_for_the_whole(connect: Connect) -> None:
    with ReplayServer([Answer('{"items": [{"note": "one"}, {"note": "two"}'), Answer('{"note": "whole"}')]) as server:
        async with connect(server) as client:
            assert (await client.structured(ASK, Lenient)).note == "whole"


async def test_after_the_last_attempt_the_failure_quotes_the_last_answer(connect: Connect) -> None:
    with ReplayServer([Answer("first"), Answer("second"), Answer("third and last")]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure, match=r"seed: .* no usable Plan in 3 attempts.*'third and last'"):
                await client.structured(ASK, Plan, stage="seed")
    assert len(server.requests) == 3
    turns = [len(request.body["messages"]) for request in server.requests]
    assert turns[1] == turns[2] == turns[0] + 2, "asking again does not grow with every attempt"


async def test_a_call_instead_of_an_answer_is_said(connect: Connect) -> None:
    with ReplayServer([Answer(tool_calls=[{"name": "look", "arguments": {}}]), Answer(GOOD)]) as server:
        async with connect(server) as client:
            await client.structured(ASK, Plan)
    assert "empty but for calls of look" in str(server.requests[1].body["messages"][-1]["content"])


async def test_trials_of_a_structured_request_are_independent(connect: Connect) -> None:
    other = '{"city": "Rome", "nights": 1}'
    with ReplayServer([Answer(GOOD), Answer(other)]) as server:
        async with connect(server) as client:
            cities = [(await client.structured(ASK, Plan, trial)).city for trial in (0, 1, 0)]
    assert cities == ["Oslo", "Rome", "Oslo"]


async def test_a_server_can_be_asked_to_hold_answers_to_the_schema(connect: Connect, provider: str) -> None:
    with ReplayServer([Answer(GOOD)]) as server:
        async with connect(server, native_schema=True) as client:
            await client.structured(ASK, Plan)
        async with connect(server) as client:
            await client.structured(ASK, Plan)
    first, second = (request.body.get("response_format") for request in server.requests)
    assert second is None
    if provider == "openai":
        assert first is not None
        assert first["json_schema"]["schema"] == Plan.model_json_schema()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
documents = st.dictionaries(st.text(), json_values, max_size=4) | st.lists(json_values, max_size=4)
prose = st.text(st.characters(blacklist_characters="{[`~", blacklist_categories=["Cs"])).map(
    lambda text: f"say: {text}\n"
)


@given(documents, prose, prose)
def test_a_document_is_found_whole_in_any_prose(value: object, before: str, after: str) -> None:
    text = json.dumps(value)
    assert documents_in(before + text + after).values == [value]
    assert documents_in(f"{before}\n```json\n{text}\n```\n{after}").values == [value]


@given(documents, st.data())
def test_no_part_of_a_cut_document_is_ever_offered(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    assert documents_in(cut).values == []


@pytest.mark.parametrize(
    "text",
    [
        '{"{}: 1',
        '["[1]',
        """{'a': {"note": "x"}}""",
        '{city: 1, b: {"note": "x"}}',
        '{ // a\n "b": {"note": "x"}}',
        "[[1], [2]",
    ],
)
def test_no_part_of_a_miswritten_document_is_offered(text: str) -> None:
    assert documents_in(text).values == []
    assert documents_in(f"Sure!\n{text}\nDone.").fault


@given(st.text(st.characters()))
def test_what_is_loaded_can_be_written(text: str) -> None:
    json.dumps(load_json(json.dumps([text])), ensure_ascii=False, allow_nan=False).encode("utf-8")


def test_a_lone_surrogate_is_replaced() -> None:
    assert load_json('"a\\ud800b"') == "a?b"


def test_what_pydantic_could_not_write_and_read_again_is_nested_too_deep() -> None:
    assert load_json("[" * 100 + "]" * 100)
    with pytest.raises(ValueError, match="nested too deep"):
        load_json('{"a": ' * 101 + "1" + "}" * 101)


def test_a_value_is_read_at_its_place_and_no_further() -> None:
    assert load_json_at('x{"a": [1]} y', 1) == ({"a": [1]}, 11)
    for text in ("x", "x ", "x{", "x{}"[:2] + "1"):
        with pytest.raises(ValueError):
            load_json_at(text, 1)


@pytest.mark.parametrize("text", ["1e999", "-Infinity", "[NaN]", "[" * 200_000, "{'a': 1}", "1 2"])
def test_what_json_cannot_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        load_json(text)
