"""Which template is trained with, and that it begins conversations as the model has learnt them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.conversation import ToolStyle
from autoforge.trainer.tokens.renderer import TemplateRenderer
from autoforge.trainer.tokens.template import ChatTemplate
from autoforge.trainer.tokens.training import TemplateSettings, choose_template, shipped_templates
from tests.trainer.tokens.dialogues import SYSTEM, TOOLS, renderer_of, results, said
from tests.trainer.tokens.families import family_text, tokenizer_of, with_template


@pytest.mark.parametrize(
    ("family", "tools", "name"),
    [
        ("qwen2_5", "template", "stock"),
        ("qwen3_instruct_2507", "template", "stock"),
        ("headers", "template", "stock"),
        ("phi3_5", "hermes", "stock"),
        ("qwen3", "template", "chatml_hermes"),
        ("qwen3", "hermes", "chatml_hermes"),
        ("qwen3_thinking", "template", "chatml_hermes_thinking"),
    ],
)
def test_the_stock_template_is_kept_where_it_keeps_thoughts(family: str, tools: ToolStyle, name: str) -> None:
    chosen = choose_template(tokenizer_of(family), TemplateSettings(tools=tools))
    assert chosen.name == name
    assert chosen.facts.thoughts != "dropped" and chosen.facts.grows and chosen.facts.glue_agrees
    assert chosen.source == (family_text(family) if name == "stock" else shipped_templates()[name])


tool_documents = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["a", "b_c"]), "description": st.text(max_size=8)},
        optional={"inputSchema": st.just({"type": "object", "properties": {"é": {"type": "string"}}})},
    ),
    max_size=2,
)


CHOSEN = {
    (family, thinks): choose_template(
        tokenizer_of(family), TemplateSettings(variables={} if thinks else {"enable_thinking": False})
    )
    for family in ("qwen3", "qwen3_thinking")
    for thinks in (True, False)
}


@pytest.mark.parametrize("family", ["qwen3", "qwen3_thinking"])
@pytest.mark.parametrize("variables", [{}, {"enable_thinking": False}])
@given(st.text(max_size=12), tool_documents, st.lists(st.text(max_size=12), min_size=1, max_size=2))
@settings(deadline=None, max_examples=40)
def test_a_training_template_opens_conversations_with_the_ids_of_the_stock_one(
    family: str, variables: dict[str, bool], system: str, tools: list[dict[str, object]], texts: list[str]
) -> None:
    tokenizer = tokenizer_of(family)
    chosen = CHOSEN[family, not variables]
    assert chosen.name != "stock"
    stock = ChatTemplate(tokenizer, family_text(family), variables)
    messages = chosen.conversation.system(system, tools)
    messages += [message for text in texts for message in chosen.conversation.observed(said(text))]
    documents = chosen.conversation.tools(tools)
    opened = [one.ids(one.text(messages, documents, open_turn=True)) for one in (chosen.template, stock)]
    assert opened[0] == opened[1]


@pytest.mark.parametrize("family", ["qwen3", "qwen3_thinking"])
def test_a_training_template_writes_between_turns_what_the_stock_one_writes(family: str) -> None:
    chosen, stock = renderer_of(family).chosen, ChatTemplate(tokenizer_of(family), family_text(family))
    turn = {"role": "assistant", "content": "Zq.", "reasoning_content": "T."}
    for new in (said("Yes."), results("One.", "Two.")):
        messages = [*chosen.conversation.observed(said("Hello.")), turn, *chosen.conversation.observed(new)]
        after = [one.text(messages, open_turn=True).partition("Zq.")[2] for one in (chosen.template, stock)]
        assert after[0] == after[1] and "<|im_start|>user" in after[0]


def test_without_thinking_every_turn_holds_the_empty_thought_that_the_prompt_opens_with() -> None:
    chosen = choose_template(tokenizer_of("qwen3"), TemplateSettings(variables={"enable_thinking": False}))
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    opened = chosen.template.text(messages[:1], open_turn=True)
    assert opened.endswith("<think>\n\n</think>\n\n") and chosen.template.text(messages).startswith(opened)


def test_a_template_is_named_or_given_as_a_file(tmp_path: Path) -> None:
    tokenizer = tokenizer_of("headers")
    path = tmp_path / "mine.jinja"
    path.write_text(family_text("headers"), encoding="utf-8")
    assert choose_template(tokenizer, TemplateSettings(template=str(path))).name == str(path)
    base = with_template(None)
    assert choose_template(base, TemplateSettings(template="chatml_hermes")).facts.thoughts == "field"


@pytest.mark.parametrize(
    ("family", "chosen", "words"),
    [
        ("qwen3", {"template": "nowhere"}, "no training template is called 'nowhere'.*chatml_hermes"),
        ("glm4moe", {}, "drops thoughts of earlier turns, and no training template begins like it; name one (chatml"),
        ("gptoss", {"tools": "hermes"}, "ends a turn with another token once something follows"),
        ("phi3_5", {}, 'shows no tools; set tools = "hermes"'),
    ],
)
def test_what_cannot_be_trained_with_is_refused_in_one_sentence(
    family: str, chosen: dict[str, str], words: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(words).replace(r"\.\*", ".*")):
        choose_template(tokenizer_of(family), TemplateSettings.model_validate(chosen))


def test_a_file_that_forgets_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stock.jinja"
    path.write_text(family_text("qwen3"), encoding="utf-8")
    with pytest.raises(BadInput, match="drops thoughts of earlier turns; name one that keeps the past as it was"):
        choose_template(tokenizer_of("qwen3"), TemplateSettings(template=str(path)))


def test_a_format_of_calls_that_is_not_read_is_refused(tmp_path: Path) -> None:
    text = family_text("headers").replace("""'{"name": "' + call.name + '", "parameters": '""", "call.name + ': '")
    path = tmp_path / "calls.jinja"
    path.write_text(text.replace(" + '}' }}", " }}"), encoding="utf-8")
    settings = TemplateSettings(template=str(path))
    with pytest.raises(BadInput, match='format that is not read; set tools = "hermes"'):
        choose_template(tokenizer_of("headers"), settings)
    renderer = TemplateRenderer.of(tokenizer_of("headers"), settings.model_copy(update={"tools": "hermes"}))
    assert renderer.chosen.facts.calls_read
    assert "<tools>" in renderer.chosen.template.words(renderer.opening(SYSTEM, TOOLS, said("Hello.")))


def test_the_template_for_tools_is_taken_where_a_tokenizer_has_several() -> None:
    tokenizer = with_template({"default": "{{ messages }}", "tool_use": family_text("qwen2_5")})  # type: ignore[arg-type]
    assert choose_template(tokenizer).source == family_text("qwen2_5")
