"""Makes the tiny model: a Qwen3 of about a million parameters with a tokenizer of its own, as a Hugging Face folder.

Invariant: the folder is there whole or not at all; digits are tokens of their own, so that ids can be copied. Not
covered: training.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from autoforge.gym.agents.prompt import system_prompt
from autoforge.gym.trajectory import Trajectory

__all__ = ["make_tiny_model"]

_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_PLAIN = ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>")
_SPLIT = r"\d| ?[A-Za-z_]+|[^A-Za-z0-9_]+"
"""Digits apart; words with the blank before them."""
_VOCABULARY = 1024
_CONTEXT = 4096


def make_tiny_model(folder: Path, episodes: Sequence[Trajectory], *, seed: int) -> None:
    """Make it in a new folder, with a vocabulary for the episodes."""
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    tokenizer = _tokenizer(_texts(episodes))
    tokenizer.save_pretrained(draft)
    torch.manual_seed(seed)
    model = Qwen3ForCausalLM(_config(len(tokenizer), tokenizer))
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.save_pretrained(draft)
    draft.rename(folder)


def _config(vocabulary: int, tokenizer: Any) -> Qwen3Config:
    return Qwen3Config(
        vocab_size=vocabulary, hidden_size=128, intermediate_size=384, num_hidden_layers=4, num_attention_heads=4,
        num_key_value_heads=4, head_dim=32, max_position_embeddings=_CONTEXT, tie_word_embeddings=True,
        bos_token_id=None, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip


def _tokenizer(texts: Iterator[str]) -> Any:
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(_SPLIT), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    size = _VOCABULARY - len(_SPECIAL) - len(_PLAIN)
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens(list(_SPECIAL))
    tokenizer.add_tokens([AddedToken(word, special=False, normalized=False) for word in _PLAIN])
    build: Any = PreTrainedTokenizerFast
    fast = build(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = (resources.files("autoforge.trainer.tiny") / "compact.jinja").read_text(encoding="utf-8")
    return fast


def _texts(episodes: Sequence[Trajectory]) -> Iterator[str]:
    for episode in episodes:
        yield system_prompt(episode.instructions)
        for tool in episode.tools:
            schema: Any = tool.get("inputSchema") or {}
            yield f"\n{tool['name']}({', '.join(schema.get('properties') or {})})"
        for turn in episode.turns:
            yield turn.content
            for call in turn.tool_calls:
                yield f'\n{{"name": "{call.name}", "arguments": {json.dumps(call.arguments, ensure_ascii=False)}}}\n'
