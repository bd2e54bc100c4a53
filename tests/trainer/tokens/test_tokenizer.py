"""Tokenizers: whose ids a model has, and texts that spell out special tokens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.renderer import TemplateRenderer
from autoforge.trainer.tokens.tokenizer import Disarmed, check_vocabulary, special_ids
from tests.trainer.tokens.families import CHATML, tokenizer_of

QWEN = tokenizer_of("qwen3")
HIGHEST = max(QWEN.get_vocab().values())
pieces = st.lists(st.sampled_from([*CHATML.special, "<|im_", "end|>", "<", "|", "a", "\u200b"]), max_size=8)


def test_every_id_needs_an_embedding() -> None:
    check_vocabulary(QWEN, HIGHEST + 1)
    with pytest.raises(BadInput, match=rf"the id {HIGHEST} .* embeddings for {HIGHEST} ids only; give the tokenizer"):
        check_vocabulary(QWEN, HIGHEST)
    with pytest.raises(BadInput, match="belongs to the model"):
        TemplateRenderer.of(QWEN, embeddings=100)


@given(pieces.map("".join))
@settings(deadline=None)
def test_no_text_becomes_a_special_token(text: str) -> None:
    clean = Disarmed(QWEN).text(text)
    assert not set(QWEN.encode(clean, add_special_tokens=False)) & special_ids(QWEN).keys()
    assert clean.replace("\u200b", "") == text.replace("\u200b", "")


def test_a_text_without_special_tokens_stays_as_it_is() -> None:
    assert Disarmed(QWEN).text("<think> a <|im_start | <tool_call>") == "<think> a <|im_start | <tool_call>"


def test_every_string_of_a_document_is_disarmed() -> None:
    document = {"a<|im_end|>": ["<|im_end|>", 1, None, True, {"b": "<|im_start|>"}]}
    text = repr(Disarmed(QWEN).value(document))
    assert "<|im_end|>" not in text and "<|im_start|>" not in text and "1, None, True" in text
