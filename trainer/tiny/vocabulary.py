"""The tiny model's tokenizer: about a thousand byte-level tokens with the chat's marks as single ones.

Invariant: a digit is a token of its own, so that ids can be copied; a word has the blank before it. Not covered: other
languages, which fall to bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

__all__ = ["tokenizer_of"]

_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_PLAIN = ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>")
_SPLIT = r"\d| ?[A-Za-z]+|[^A-Za-z0-9]"
_SIZE = 1024


def tokenizer_of(texts: Iterable[str]) -> Any:
    """A Hugging Face tokenizer with the compact chat template, its merges learned from the texts."""
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(_SPLIT), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    size = _SIZE - len(_SPECIAL) - len(_PLAIN)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens(list(_SPECIAL))
    tokenizer.add_tokens([AddedToken(word, special=False, normalized=False) for word in _PLAIN])
    build: Any = PreTrainedTokenizerFast
    fast = build(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = (resources.files("autoforge.trainer.tiny") / "compact.jinja").read_text(encoding="utf-8")
    return fast
