"""Thoughts that are forgotten when the user speaks: the ablation of kept thinking."""

from __future__ import annotations

from typing import Any

import pytest
from transformers import AutoTokenizer

from autoforge.trainer.tiny import tiny_model
from autoforge.trainer.tokens.forgetting import ForgettingRenderer
from autoforge.trainer.tokens.renderer import TemplateRenderer
from tests.trainer.tokens.dialogues import SYSTEM, TOOLS, results, said


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> TemplateRenderer:
    folder = tmp_path_factory.mktemp("tiny") / "model"
    tiny_model(folder)
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    return TemplateRenderer.of(tokenizer)


def ids_of(renderer: TemplateRenderer, text: str) -> tuple[int, ...]:
    return renderer.chosen.template.ids(text)


CALL = '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call><|im_end|>'
THOUGHT = "<think>\nso far nothing\n</think>\n\n"


def test_a_user_s_turn_forgets_thoughts_and_nothing_else(renderer: TemplateRenderer) -> None:
    opening = renderer.opening(SYSTEM, TOOLS, said("Hello."))
    with_thought = (*opening, *ids_of(renderer, THOUGHT + "Hi.<|im_end|>"))
    without = (*opening, *ids_of(renderer, "Hi.<|im_end|>"))
    forgetting = ForgettingRenderer(renderer)
    assert forgetting.extended(with_thought, said("Go on.")) == renderer.extended(without, said("Go on."))
    assert forgetting.extended(without, said("Go on.")) == renderer.extended(without, said("Go on."))


def test_within_a_chain_of_calls_thoughts_stay(renderer: TemplateRenderer) -> None:
    ids = (*renderer.opening(SYSTEM, TOOLS, said("Hello.")), *ids_of(renderer, THOUGHT + CALL))
    assert ForgettingRenderer(renderer).extended(ids, results("Seen.")) == renderer.extended(ids, results("Seen."))


def test_a_thought_without_an_end_stays(renderer: TemplateRenderer) -> None:
    ids = (*renderer.opening(SYSTEM, TOOLS, said("Hello.")), *ids_of(renderer, "<think>\nwell<|im_end|>"))
    assert ForgettingRenderer(renderer).extended(ids, said("Go on.")) == renderer.extended(ids, said("Go on."))
