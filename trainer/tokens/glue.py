"""What a template writes between two turns of the assistant: the end of one, what is new, the beginning of the next.

A stand-in for the turn before is rendered with the new messages behind it, and what follows the stand-in is taken.

Invariant: the glue begins with the token that ends a turn, so that it tokenizes alone as it does in its place; several
results are rendered together, as one block where the template makes one of them. Not covered: whether the template
writes the same in every conversation (`probe`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from autoforge.gym.llm import Message, ToolCall
from autoforge.gym.turns import Action, Observation
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.conversation import ChatMessage, Conversation
from autoforge.trainer.tokens.template import ChatTemplate
from autoforge.trainer.tokens.tokenizer import special_ids

__all__ = ["GlueWriter"]

_MARK: Final = "zq7standin7qz"
"""No text of anybody's: found where the template left it."""
_USER: Final = Message(role="user", content="Hello.")


class GlueWriter:
    """Writes the text between turns."""

    def __init__(self, template: ChatTemplate, conversation: Conversation) -> None:
        """Raises BadInput where no special token ends a turn."""
        self._template = template
        self._conversation = conversation
        tokens = sorted(special_ids(template.tokenizer).values(), key=len, reverse=True)
        self._special = re.compile("|".join(map(re.escape, tokens)) or r"(?!)")
        self.stop = self._stop()
        """The token that ends a turn of text that the user answers."""

    def between(self, observation: Observation, *, open_turn: bool = True) -> str:
        """From the end of the turn before up to where the next begins. Raises BadInput where the template refuses."""
        after_calls = bool(observation) and observation[0].role == "tool"
        base = self._base(observation[0].tool_call_id if after_calls else None)
        messages = [*base, *self._conversation.observed(observation)]
        return self._from_stop(self._after_mark(messages, open_turn), after_calls)

    def closing(self) -> str:
        """What follows a turn that nothing follows."""
        return self._after_mark(self._base(None), False)

    def closing_stop(self) -> str:
        """The first special token of that; empty where there is none."""
        found = self._special.search(self.closing())
        return found[0] if found else ""

    def _base(self, call: str | None) -> list[ChatMessage]:
        action = Action(text=_MARK)
        if call is not None:
            action = Action(calls=(ToolCall(id=call, name="look", arguments={"key": _MARK}),))
        acted = self._conversation.acted(action, "inline")
        return [*self._conversation.system("Help.", ()), *self._conversation.observed((_USER,)), acted]

    def _after_mark(self, messages: Sequence[ChatMessage], open_turn: bool) -> str:
        text = self._template.text(messages, open_turn=open_turn)
        _, mark, rest = text.partition(_MARK)
        if not mark:
            words = "the chat template leaves out what the assistant said, or the arguments of its calls"
            raise BadInput(f'{words}; name a training template that keeps them, or set tools = "hermes".')
        return rest

    def _from_stop(self, rest: str, after_calls: bool) -> str:
        """What follows a turn; behind a call the template first ends the call."""
        if after_calls and (place := rest.find(self.stop)) >= 0:
            return rest[place:]
        found = self._special.search(rest)
        if found is None:
            words = "the chat template ends an assistant turn with no special token of the tokenizer"
            raise BadInput(f"{words}; turns could not be told apart, so name a training template that does.")
        return rest[found.start() :]

    def _stop(self) -> str:
        messages = [*self._base(None), *self._conversation.observed((_USER,))]
        found = self._special.match(self._from_stop(self._after_mark(messages, True), False))
        return found[0] if found else ""
