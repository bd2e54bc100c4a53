"""What is needed of a Hugging Face tokenizer, and what a text may not smuggle into a prompt.

Invariant: text that somebody wrote (a user, a tool, the documentation) never becomes a special token, so that no tool
result ends a turn or opens another; only the template writes those. Not covered: how tokenizers are loaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from autoforge.mcp_envs.errors import BadInput

__all__ = ["ChatTokenizer", "Disarmed", "check_vocabulary", "special_ids"]

_JOINT = "\u200b"
"""Stands after the first letter of what would be a special token: unseen by people, and no token of that name."""


class ChatTokenizer(Protocol):
    """A tokenizer of the transformers library, as far as it is used."""

    @property
    def added_tokens_decoder(self) -> Mapping[int, Any]:
        """Tokens that are split off before anything else, by id; each has `content` and `special`."""
        ...

    @property
    def eos_token_id(self) -> int | None: ...

    def get_vocab(self) -> dict[str, int]: ...

    def get_chat_template(self, chat_template: str | None = None, tools: list[Any] | None = None) -> str:
        """The template of the tokenizer. Raises ValueError where there is none."""
        ...

    def apply_chat_template(self, conversation: Any, **settings: Any) -> Any: ...

    def encode(self, text: str, *, add_special_tokens: bool = True) -> list[int]: ...

    def decode(self, token_ids: Any, skip_special_tokens: bool = False, **settings: Any) -> Any: ...


def check_vocabulary(tokenizer: ChatTokenizer, embeddings: int) -> None:
    """Whether every id of the tokenizer has a row among the model's `embeddings`. Raises BadInput."""
    text, highest = max(tokenizer.get_vocab().items(), key=lambda item: item[1])
    if highest >= embeddings:
        words = f"the tokenizer has the id {highest} ({text!r}), and the model has embeddings for {embeddings} ids only"
        raise BadInput(f"{words}; give the tokenizer that belongs to the model, or resize the model's embeddings.")


def special_ids(tokenizer: ChatTokenizer) -> dict[int, str]:
    """The special tokens, by id."""
    return {number: token.content for number, token in tokenizer.added_tokens_decoder.items() if token.special}


class Disarmed:
    """Takes their meaning from the special tokens that a text spells out."""

    def __init__(self, tokenizer: ChatTokenizer) -> None:
        # A special token of one letter cannot be taken apart.
        tokens = sorted((text for text in special_ids(tokenizer).values() if len(text) > 1), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, tokens))) if tokens else None
        self._cached = lru_cache(maxsize=256)(self._replaced)

    def text(self, text: str) -> str:
        """The text, with a character of no width inside each special token."""
        return self._cached(text)

    def value(self, value: Any) -> Any:
        """The same for every string of a JSON value."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(item) for key, item in value.items()}
        if isinstance(value, Sequence):
            return [self.value(item) for item in value]
        return value

    def _replaced(self, text: str) -> str:
        if self._pattern is None:
            return text
        # Taking one token apart can join the next (`<s<s>`), hence until nothing is found.
        while (clean := self._pattern.sub(_split, text)) != text:
            text = clean
        return text


def _split(found: re.Match[str]) -> str:
    return found[0][0] + _JOINT + found[0][1:]
