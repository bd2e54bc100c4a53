"""Tokenizers of real families: their chat templates and special tokens over a small vocabulary trained here."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from autoforge.trainer.tokens.tokenizer import ChatTokenizer

__all__ = ["HERE", "STOCK", "Family", "family_text", "tokenizer_of", "with_template"]

HERE = Path(__file__).parent / "templates"
QWEN_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Qwen's tokenizers split text; it joins a line's end with what stands before it."""

CORPUS = """\
You are an agent of a service. You talk with one user and have the service's tools. In each turn either call tools or
write one message to the user. <tool_call>
{"name": "resolve_ticket", "arguments": {"ticket_id": 9, "resolution": "done"}}
</tool_call>
<tool_response>
{"id": "a1", "title": "Printer is broken", "assigned": null, "count": 12}
</tool_response>
<think>
The user wants to see the tickets that are open. I look them up first, and then ask.
</think>

# Tools

You may call one or more functions to assist with the user query. {"type": "function", "function": {"name": "list",
"description": "", "parameters": {"type": "object", "properties": {}}}} assistant user system tool
Das ist erledigt. ¿Qué más necesita? 完了しました。 Привет!
"""


class Family(NamedTuple):
    """What is a family's own."""

    special: tuple[str, ...]
    """The first is the padding."""
    plain: tuple[str, ...] = ()
    """Added tokens that are not special."""
    end: str = ""


CHATML = Family(
    ("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
    ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"),
    "<|im_end|>",
)
STOCK: dict[str, Family] = {
    "qwen2_5": CHATML,
    "qwen3": CHATML,
    "qwen3_thinking": CHATML,
    "qwen3_instruct_2507": CHATML,
    "headers": Family(("<|end_of_text|>", "<|start|>", "<|header|>", "<|end|>"), (), "<|end|>"),
    "phi3_5": Family(("<|endoftext|>", "<|system|>", "<|user|>", "<|assistant|>", "<|end|>"), (), "<|end|>"),
    "deepseek_r1_distill": Family(
        ("<｜end▁of▁sentence｜>", "<｜begin▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"),
        (), "<｜end▁of▁sentence｜>",
    ),
    "glm4moe": Family(
        ("<|endoftext|>", "[gMASK]", "<sop>", "<|system|>", "<|user|>", "<|assistant|>", "<|observation|>"),
        CHATML.plain, "<|endoftext|>",
    ),
    "gptoss": Family(
        ("<|endoftext|>", "<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|return|>", "<|call|>"),
        (), "<|return|>",
    ),
}  # fmt: skip


def family_text(name: str) -> str:
    """The stock template of a family."""
    if name == "qwen3_thinking":
        # The Thinking models' template opens the thought itself, and is Qwen3's otherwise.
        text = (HERE / "qwen3.jinja").read_text(encoding="utf-8")
        before, prompt, _ = text.rpartition("{{- '<|im_start|>assistant\\n' }}")
        assert prompt
        return before + "{{- '<|im_start|>assistant\\n<think>\\n' }}\n{%- endif %}"
    return (HERE / f"{name}.jinja").read_text(encoding="utf-8")


@cache
def tokenizer_of(name: str) -> ChatTokenizer:
    """A tokenizer with a family's template and special tokens."""
    return with_template(family_text(name), STOCK[name])


def with_template(text: str | None, family: Family = CHATML) -> ChatTokenizer:
    """A tokenizer with a template, or with none."""
    pad, bos = family.special[:2]
    build: Any = PreTrainedTokenizerFast
    fast = build(tokenizer_object=_trained(family), eos_token=family.end, pad_token=pad, bos_token=bos)
    fast.chat_template = text
    return cast(ChatTokenizer, fast)


def _trained(family: Family) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(QWEN_SPLIT), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS.splitlines(keepends=True), trainer)
    tokenizer.add_special_tokens(list(family.special))
    tokenizer.add_tokens([AddedToken(word, special=False, normalized=False) for word in family.plain])
    return tokenizer
