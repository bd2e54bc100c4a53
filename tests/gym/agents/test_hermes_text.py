"""The Hermes format: what is written is read again, slips are understood, and nothing that is read raises."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from autoforge.gym.agents.hermes_text import parse_turn, read_turn, render_results, render_tools, render_turn
from autoforge.gym.agents.loose_json import mended
from autoforge.gym.llm import Message, ReasoningBlock, ToolCall
from autoforge.gym.turns import Action

GOOD = '{"name": "find", "arguments": {"city": "Bern"}}'
FOUND = ToolCall(id="call_0", name="find", arguments={"city": "Bern"})

plain_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
tagged = st.text() | st.sampled_from(["</tool_call>", "<tool_call>", "<think>", "</think>", "'", '"', "\\", "```"])
arguments = st.dictionaries(tagged, plain_json | tagged, max_size=4)
names = st.text(min_size=1).map(str.strip).filter(bool)


def is_plain(text: str) -> bool:
    return not any(tag in text for tag in ("think>", "tool_call>", "```"))


@st.composite
def calls(draw: st.DrawFn, number: int) -> ToolCall:
    return ToolCall(id=f"call_{number}", name=draw(names), arguments=draw(arguments))


@st.composite
def actions(draw: st.DrawFn) -> Action:
    """All that the format can say: ids by place, no text that is itself a tag, a fence or a call."""
    text = draw((st.text() | st.text("<>/`'\" {}[]tool_calthink")).map(str.strip).filter(is_plain))
    thought = draw(st.none() | st.text().filter(is_plain))
    made = [draw(calls(number)) for number in range(draw(st.integers(0, 3)))]
    inline = ReasoningBlock(provider="openai", data={"inline": f"<think>{thought}</think>\n\n"})
    return Action(text=text, calls=tuple(made), reasoning=() if thought is None else (inline,))


@given(actions())
def test_a_turn_that_is_written_is_read_again(action: Action) -> None:
    assert parse_turn(render_turn(action)) == action


pieces = st.lists(
    st.text(max_size=6)
    | st.sampled_from([
        "<tool_call>", "</tool_call>", "<think>", "</think>", "```json\n", "\n```\n", "\n", GOOD, '{"name": "x"',
        "}", "]",
        "{'name': 'a', 'parameters': {'b': True,},}", '{"name": "x", "arguments": "{\\"a\\": 1}"}', "[", "{", ",", ":",
        '"', "'", "\\", '{"arguments": {}}', f"[{GOOD}, {GOOD}]", "[1]", "null", "name", "\\'", '{"function": {}}',
        f"[[{GOOD}]]", '{"name": " ", "arguments": 3}', "1e999", "NaN", "\ud800", '"\\ud800"',
    ]),
    max_size=12,
).map("".join)  # fmt: skip


@given(pieces | st.text())
@settings(max_examples=600, deadline=None)
@example('<tool_call>{"name": "x", "arguments": {"q": "</tool_call>"}}</tool_call>')
@example("<tool_call>{'a': 1} {oops</tool_call>")
@example("a<tool_</tool_call>call>b")
@example("<tool_call>" * 50)
@example("x<think>a</think>y</think>z")
def test_any_text_is_a_turn_and_reading_it_again_changes_nothing(text: str) -> None:
    action = parse_turn(text)
    assert parse_turn(render_turn(action)) == action
    assert "<think>" not in action.text and "</think>" not in action.text
    assert action.model_dump_json()


@pytest.mark.parametrize(
    "written",
    [
        f"<tool_call>\n{GOOD}\n</tool_call>",
        f"<tool_call>{GOOD}</tool_call>",
        f"<tool_call>\n{GOOD}",
        f"<tool_call>\n```json\n{GOOD}\n```\n</tool_call>",
        f"```\n<tool_call>\n{GOOD}\n</tool_call>\n```",
        f"<tool_call>\n{GOOD}}}\n</tool_call>",
        "<tool_call>{'name': 'find', 'arguments': {'city': 'Bern'}}</tool_call>",
        '<tool_call>{"name": "find", "arguments": {"city": "Bern",},}</tool_call>',
        '<tool_call>{"name": "find", "parameters": {"city": "Bern"}}</tool_call>',
        '<tool_call>{"name": "find", "arguments": "{\\"city\\": \\"Bern\\"}"}</tool_call>',
        '<tool_call>{"name": "find", "arguments": "{\'city\': \'Bern\'}"}</tool_call>',
        '<tool_call>{"type": "function", "function": {"name": "find", "arguments": {"city": "Bern"}}}</tool_call>',
        f"<tool_call>[{GOOD}]</tool_call>",
        GOOD,
        f"```json\n{GOOD}\n```",
        f"{GOOD}\n</tool_call>",
    ],
)
def test_a_slip_does_not_lose_a_call(written: str) -> None:
    assert parse_turn(written) == Action(calls=(FOUND,))


@pytest.mark.parametrize("rest", ["", ', "arguments": null', ', "arguments": ""', ', "id": "7", "parameters": {}'])
def test_a_call_without_arguments_has_an_empty_object(rest: str) -> None:
    action = parse_turn(f'<tool_call>{{"name": "find"{rest}}}</tool_call></think>')
    assert action == Action(calls=(ToolCall(id="call_0", name="find"),))


@pytest.mark.parametrize(
    ("loose", "value"),
    [
        ("{'note': \"don't\"}", "don't"),
        ("{'note': 'say \"no\"'}", 'say "no"'),
        (r"""{"note": "it\'s"}""", "it's"),
        ('{"note": "two\nlines",}', "two\nlines"),
        ('{"note": "True, or None,]"}', "True, or None,]"),
        ("{'note': None}", None),
        ("{'note': [True, False,]}", [True, False]),
        (r"{'note': 'a\\b\u00e9\n'}", "a\\b\u00e9\n"),
    ],
)
def test_loose_values_are_the_values_that_were_meant(loose: str, value: Any) -> None:
    assert json.loads(mended(loose)) == {"note": value}


@given(plain_json)
def test_what_is_strict_is_not_mended(value: Any) -> None:
    written = json.dumps(value, ensure_ascii=False)
    assert mended(written) == written


def test_several_calls_and_the_text_beside_them_are_told_apart() -> None:
    other = '{"name": "book", "arguments": {}}'
    written = f"I look.\n<tool_call>\n{GOOD}\n{other}\n</tool_call>\nAnd then:\n<tool_call>\n{other}\n</tool_call>"
    action = parse_turn(written)
    assert [call.name for call in action.calls] == ["find", "book", "book"]
    assert [call.id for call in action.calls] == ["call_0", "call_1", "call_2"]
    assert action.text == "I look.\nAnd then:"


def test_text_after_a_call_whose_end_is_missing_is_text() -> None:
    action = parse_turn(f"<tool_call>{GOOD}\nI wait for the result.\n<tool_call>{GOOD}")
    assert len(action.calls) == 2 and action.text == "I wait for the result."


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ('{"name": "find", "arguments": {"city": "Be', "find"),
        ('{"name": "find", "arguments": {"city": }}', "find"),
        ('{"name": "find", "arguments": [1]}', "find"),
        ('{"name": "find", "arguments": "Bern"}', "find"),
        ('{"name": "find", "city": "Bern"}', "find"),
        ("{'name': 'find', 'arguments': {'city': '\\x42ern'}}", "find"),
        ('{"arguments": {"city": "Bern"}}', "unknown"),
        ('{"name": 3, "arguments": {}}', "unknown"),
        ("find(city='Bern')", "unknown"),
        ("", "unknown"),
        ("[1, 2]", "unknown"),
        ('{"name": "find", "arguments": {"n": NaN}}', "find"),
        ('{"name": "find", "arguments": {"n": 1e999}}', "find"),
        ('{"name": "find", "arguments": {"n": ' + "[" * 200 + "]" * 200 + "}}", "find"),
        ('{"name": "find", "arguments": {"n": ' + "[" * 9000, "find"),
        ("{'name': 'a', 'arguments': {}} {'name': 'b', 'argum", "a"),
    ],
)
def test_what_cannot_be_read_is_one_malformed_call_and_no_guess(written: str, name: str) -> None:
    [call] = parse_turn(f"<tool_call>\n{written}\n</tool_call>").calls
    assert (call.name, call.arguments, call.malformed) == (name, {}, written)


@pytest.mark.parametrize(
    ("written", "thought", "text"),
    [
        ("<think>\nhm\n</think>\n\nHello.", "<think>\nhm\n</think>\n\n", "Hello."),
        ("hm\n</think>\n\nHello.", "hm\n</think>\n\n", "Hello."),
        ("<think>cut off", "<think>cut off</think>", ""),
        ("Hello. <think>I wonder.</think> Bye.", "<think>I wonder.</think> ", "Hello.\nBye."),
        (f"<think><tool_call>{GOOD}</tool_call></think>No call.",
         f"<think><tool_call>{GOOD}</tool_call></think>", "No call."),
        ("", "", ""),
    ],
)  # fmt: skip
def test_a_thought_is_never_text(written: str, thought: str, text: str) -> None:
    action = parse_turn(written)
    assert (action.text, action.calls) == (text, ())
    assert "".join(block.text for block in action.reasoning) == thought


def test_what_was_said_is_kept_as_it_was_written() -> None:
    turn = read_turn(f"<think>a</think>\nI look:<tool_call>{GOOD}}}</tool_call><think>b</think>")
    assert turn.thought == "<think>a</think>\n<think>b</think>"
    assert turn.said == f"I look:<tool_call>{GOOD}}}</tool_call>"


@pytest.mark.parametrize("text", ['{"name": "Ada", "age": 3}', f"As JSON: {GOOD}", f"{GOOD} and more", "{oops"])
def test_json_that_is_told_to_the_user_is_no_call(text: str) -> None:
    assert parse_turn(text) == Action(text=text)


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>" * 10_000,
        '<tool_call>{"' * 10_000,
        "<tool_call>" + '"\\"' * 50_000 + "\\",
        "<tool_call>" + "'\\'" * 50_000,
        "```" + " " * 100_000 + "x```",
        "<tool_call>{" + "," * 100_000,
        "<think>" * 20_000,
        "</think>" * 15_000,
        "<tool_call>" + "[" * 100_000,
    ],
)
def test_no_text_of_the_length_of_a_turn_takes_long(text: str) -> None:
    begun = time.process_time()
    parse_turn(text)
    assert time.process_time() - begun < 3


def test_tools_and_results_are_written_in_their_tags() -> None:
    tool = {"name": "find", "description": "Finds é", "inputSchema": {"type": "object", "properties": {"city": {}}}}
    text = render_tools([tool, {"name": "bare"}])
    first, second = text.split("<tools>\n")[1].split("\n</tools>")[0].split("\n")
    assert json.loads(first)["function"]["parameters"] == tool["inputSchema"] and "é" in first
    assert json.loads(second)["function"] == {"name": "bare", "description": "", "parameters": {"type": "object"}}
    results = [Message(role="tool", tool_call_id=f"c{n}", content=str(n)) for n in range(2)]
    assert render_results(results) == (
        "<tool_response>\n0\n</tool_response>\n<tool_response>\n1\n</tool_response>"
    )  # fmt: skip


def test_reasoning_of_other_forms_is_written_as_a_thought() -> None:
    block = ReasoningBlock(provider="openai", data={"reasoning_content": "hm"})
    assert render_turn(Action(text="Hello.", reasoning=(block,))) == "<think>\nhm\n</think>\n\nHello."
