"""The renderer of the policy in training: prompts as ids that only ever grow.

Invariant: a prompt begins with all that was sent and sampled before it, exactly; what the template writes between turns
is tokenized alone and begins with the token that ends a turn, which is written where it was not sampled; sampled ids
are read from a copy. Not covered: which ids are trained on (`sequence`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from autoforge.gym.agents.hermes_text import parse_turn
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Message
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.turns import Action, Observation
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.tokens.conversation import ThoughtPlace
from autoforge.trainer.tokens.glue import GlueWriter
from autoforge.trainer.tokens.tokenizer import ChatTokenizer, check_vocabulary
from autoforge.trainer.tokens.training import TemplateSettings, TrainingTemplate, choose_template

__all__ = ["TemplateRenderer", "WrittenTurn"]

_GREETING: Final = Message(role="user", content="Hello.")


class WrittenTurn(NamedTuple):
    """A turn of the assistant that nobody sampled, as the template writes it."""

    ids: tuple[int, ...]
    """From where the turn begins, the token that ends it included."""
    well_formed: bool
    """Whether all its calls were JSON objects; a turn that is not is no example."""


class TemplateRenderer:
    """A chat template over ids. Episodes share it."""

    def __init__(self, chosen: TrainingTemplate, more_stops: Sequence[int] = ()) -> None:
        """`more_stops` are ids at which the model stops beside its template's, as generation configs list them."""
        self.chosen = chosen
        self._template = chosen.template
        self._conversation = chosen.conversation
        self._glue = GlueWriter(chosen.template, chosen.conversation)
        written = [chosen.template.ids(stop)[0] for stop in chosen.facts.stops]
        own = chosen.template.tokenizer.eos_token_id
        self.stop_ids = tuple(dict.fromkeys((*written, *(() if own is None else (own,)), *more_stops)))
        """Where a sampler is to stop: what ends a turn in the template first, then the tokenizer's and the model's."""

    @classmethod
    def of(
        cls,
        tokenizer: ChatTokenizer,
        settings: TemplateSettings | None = None,
        *,
        embeddings: int | None = None,
        more_stops: Sequence[int] = (),
    ) -> TemplateRenderer:
        """The renderer of a tokenizer, for a model with that many embeddings. Raises BadInput."""
        if embeddings is not None:
            check_vocabulary(tokenizer, embeddings)
        return cls(choose_template(tokenizer, settings), more_stops)

    def opening(self, system: str, tools: Sequence[ToolDocument], observation: Observation) -> tuple[int, ...]:
        """All ids before the first turn, the beginning of that turn included. Raises EpisodeFailure."""
        conversation = self._conversation
        messages = [*conversation.system(system, tools), *conversation.observed(observation)]
        try:
            return self._template.ids(self._template.text(messages, conversation.tools(tools), open_turn=True))
        except BadInput as error:
            raise EpisodeFailure("infrastructure", "agent", str(error)) from None

    def extended(self, ids: Sequence[int], observation: Observation) -> tuple[int, ...]:
        """All ids before the next turn. A turn that was cut off, or stopped at a token that is not the template's, is
        ended by the template's, which nobody sampled. Raises EpisodeFailure."""
        try:
            glue = self._template.ids(self._glue.between(observation))
        except BadInput as error:
            raise EpisodeFailure("infrastructure", "agent", str(error)) from None
        return (*ids, *(glue[1:] if ids[-1:] and ids[-1] == glue[0] else glue))

    def turn(self, ids: Sequence[int]) -> Action:
        """The turn that sampled ids are; what ends it is no part of it."""
        end = len(ids)
        while end and ids[end - 1] in self.stop_ids:
            end -= 1
        text = self._template.words(ids[:end])
        return parse_turn(f"<think>\n{text}" if self.chosen.facts.opens_thought else text)

    def written(self, action: Action) -> WrittenTurn:
        """A turn that was given as a message, as ids to learn from; without its thought where the policy does not
        think. Raises BadInput where the template does not write it behind the beginning of a turn."""
        if self.chosen.facts.closes_thought:
            action = action.model_copy(update={"reasoning": ()})
        place: ThoughtPlace = "inline" if self.chosen.facts.thoughts == "inline" else "field"
        before = [*self._conversation.system("Help.", ()), *self._conversation.observed((_GREETING,))]
        opened = self._template.text(before, open_turn=True)
        after = _answer(action)
        whole = [*before, self._conversation.acted(action, place), *self._conversation.observed(after)]
        text = self._template.text(whole, open_turn=True)
        glue = self._glue.between(after)
        if not text.startswith(opened) or not text.endswith(glue):
            words = f"the chat template ({self.chosen.name}) does not write a turn where it lets one begin"
            raise BadInput(f"{words}; leave out such turns, or name another training template.")
        turn = text[len(opened) : len(text) - len(glue)]
        well_formed = all(call.malformed is None for call in action.calls)
        return WrittenTurn((*self._template.ids(turn), *self._template.ids(glue)[:1]), well_formed)


def _answer(action: Action) -> Observation:
    """Something that may stand behind a turn."""
    if not action.calls:
        return (_GREETING,)
    return tuple(Message(role="tool", tool_call_id=call.id, content="Done.") for call in action.calls)
