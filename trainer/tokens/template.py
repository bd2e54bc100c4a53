"""A chat template over a tokenizer: messages in, text and ids out.

Invariant: ids come from the text that the template wrote and from nothing else; a template that cannot write a
conversation says so in one sentence. Not covered: what a template does to a conversation that grows (`probe`), which
template is taken (`training`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from jinja2 import TemplateError

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.conversation import ChatMessage
from autoforge.trainer.tokens.tokenizer import ChatTokenizer

__all__ = ["ChatTemplate", "stock_text"]

_FAULTS: Final = (TemplateError, AttributeError, KeyError, IndexError, TypeError, ValueError)
"""What templates raise: their own refusals, and what Python makes of a message that they did not expect."""

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class ChatTemplate:
    """A template's text, the tokenizer that it writes for, and the variables it is given."""

    def __init__(self, tokenizer: ChatTokenizer, text: str, variables: Mapping[str, Any] = _NOTHING) -> None:
        self.tokenizer = tokenizer
        self.source = text
        self.variables = variables

    def text(
        self, messages: Sequence[ChatMessage], tools: Sequence[ChatMessage] = (), *, open_turn: bool = False
    ) -> str:
        """The conversation as text; with `open_turn`, up to where the assistant's next turn begins. Raises BadInput."""
        try:
            text = self.tokenizer.apply_chat_template(
                list(messages), tools=list(tools) or None, chat_template=self.source, add_generation_prompt=open_turn,
                tokenize=False, **self.variables,
            )  # fmt: skip
        except _FAULTS as error:
            roles = ", ".join(str(message["role"]) for message in messages)
            words = f"the chat template refuses messages of {roles}{' with tools' if tools else ''} ({error})"
            raise BadInput(f"{words}; use a model whose template takes them, or give another template.") from None
        return str(text)

    def ids(self, text: str) -> tuple[int, ...]:
        """The ids of text that the template wrote."""
        return tuple(self.tokenizer.encode(text, add_special_tokens=False))

    def words(self, ids: Sequence[int]) -> str:
        """Ids as text, special tokens included."""
        text = self.tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
        return str(text)


def stock_text(tokenizer: ChatTokenizer) -> str:
    """The template that came with a tokenizer: the one for tools where there are several. Raises BadInput."""
    try:
        return tokenizer.get_chat_template(None, tools=[])
    except ValueError:
        words = "the tokenizer has no chat template"
        raise BadInput(f"{words}; use an instruction-tuned model, or name a training template.") from None
