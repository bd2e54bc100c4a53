"""What is found out about chat templates, and those that cannot be trained with."""

from __future__ import annotations

import pytest

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.conversation import Conversation, ToolStyle
from autoforge.trainer.tokens.probe import TemplateFacts, probed
from autoforge.trainer.tokens.template import ChatTemplate, stock_text
from autoforge.trainer.tokens.tokenizer import Disarmed
from tests.trainer.tokens.families import family_text, tokenizer_of, with_template


def facts(family: str, tools: ToolStyle = "template", *, text: str | None = None) -> TemplateFacts:
    tokenizer = tokenizer_of(family)
    template = ChatTemplate(tokenizer, text or family_text(family))
    return probed(template, Conversation(Disarmed(tokenizer), tools))


def test_qwen3_drops_thoughts_and_writes_earlier_turns_anew() -> None:
    found = facts("qwen3")
    assert (found.thoughts, found.grows) == ("dropped", False)
    assert (found.stops, found.after_stop, found.generation_prompt) == (
        ("<|im_end|>",),
        "\n",
        "<|im_start|>assistant\n",
    )
    assert (found.tools_shown, found.results, found.several_calls, found.opens_thought) == (
        "system",
        "joint",
        True,
        False,
    )


@pytest.mark.parametrize("family", ["qwen2_5", "qwen3_instruct_2507"])
def test_a_template_that_knows_no_thoughts_keeps_those_in_the_content(family: str) -> None:
    found = facts(family)
    assert (found.thoughts, found.grows, found.glue_agrees, found.calls_read) == ("inline", True, True, True)


def test_a_template_that_opens_the_thought_is_found_out() -> None:
    found = facts("qwen3_thinking")
    assert found.opens_thought and found.generation_prompt == "<|im_start|>assistant\n<think>\n"


def test_tools_in_the_users_message_and_results_one_by_one_are_found_out() -> None:
    found = facts("headers")
    assert (found.tools_shown, found.results, found.several_calls, found.after_stop) == ("user", "single", False, "")
    assert (found.thoughts, found.grows, found.stop_stays) == ("inline", True, True)


@pytest.mark.parametrize("family", ["deepseek_r1_distill", "glm4moe"])
def test_other_families_drop_thoughts_too(family: str) -> None:
    assert facts(family, "hermes").thoughts == "dropped"


def test_a_last_turn_that_ends_otherwise_is_found_out() -> None:
    assert not facts("gptoss", "hermes").stop_stays


def test_tools_in_the_last_message_of_the_user_make_a_conversation_that_does_not_grow() -> None:
    text = family_text("headers").replace(
        "{%- if tools and message.role == 'user' and not ns.shown %}",
        "{%- if tools and message.role == 'user' and loop.index0 == "
        "(messages | map(attribute='role') | list | length - 1 - (messages | map(attribute='role') | list | reverse | "
        "list).index('user')) %}",
    )
    found = facts("headers", text=text)
    assert found.tools_shown == "user" and not found.grows


def test_results_that_name_their_call_disagree_with_glue_that_knows_none() -> None:
    text = family_text("headers").replace(
        "'<|start|>tool<|header|>\\n\\n'",
        "'<|start|>' + (messages | selectattr('tool_calls') | first).tool_calls[0].function.name + '<|header|>\\n\\n'",
    )
    assert not facts("headers", text=text).glue_agrees


def test_calls_in_another_format_are_found_out() -> None:
    text = family_text("headers").replace("""'{"name": "' + call.name + '", "parameters": '""", "call.name + ': '")
    assert not facts("headers", text=text.replace(" + '}' }}", " }}")).calls_read


REFUSED = {
    "{{ raise_exception('no system') }}": "refuses messages of system, user .*no system.*; use a model whose",
    "{% if tools %}{{ raise_exception('no tools') }}{% endif %}{{ messages }}": "with tools .*no tools",
    "{% if tools %}{{ tools[0].nothing.name }}{% endif %}{{ messages }}": "with tools",
    "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}": "leaves out the system message",
    "{% for m in messages if m.role != 'user' %}{{ m.content }}{% endfor %}": "leaves out the message of the user",
    "{% for m in messages %}{{ m.content }}{% endfor %}": 'shows no tools; set tools = "hermes"',
    "{{ tools }}{% for m in messages %}{{ m.content }}<|im_end|>\n{% endfor %}": "the arguments of its calls",
    "{{ tools }}{% for m in messages %}{{ m.content }}{{ m.tool_calls or '' }}\n{% endfor %}": "no special token",
    "{{ tools }}{% for m in messages if m.role != 'tool' %}{{ m.content }}{{ m.tool_calls or '' }}<|im_end|>\n"
    "{% endfor %}": "leaves out the results of tools",
    "{% nonsense %}": "refuses messages",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_template_that_leaves_out_or_refuses_is_said_so_in_one_sentence(text: str) -> None:
    with pytest.raises(BadInput, match=REFUSED[text]):
        facts("qwen3", text=text)


def test_a_tokenizer_without_a_template_is_bad_input() -> None:
    with pytest.raises(BadInput, match="has no chat template; use an instruction-tuned model"):
        stock_text(with_template(None))
