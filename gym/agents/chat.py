"""An agent that is a chat model of a provider, with native tool calls.

Invariant: the history is what the model said and saw, in order; its reasoning goes back as it came (`keep`), that of
earlier turns of the user left out (`drop`), or not at all (`none`), and a provider that cannot carry it back is refused
where that was asked for. Only what the model itself does wrong is the policy's failure. Not covered: sending, retries,
cost (`llm`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.agents.agent import Briefing, Player
from autoforge.gym.agents.prompt import system_prompt
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Message, ModelClient, Reply, Request, Tool
from autoforge.gym.turns import Action, Observation
from autoforge.mcp_envs.errors import BadInput, BudgetExceeded, ModelFailure, PromptTooLong

__all__ = ["ChatAgent", "ChatForm", "ChatSettings", "Reasoning", "Said", "shown"]

Reasoning: TypeAlias = Literal["keep", "drop", "none"]


class ChatSettings(BaseModel):
    """How a chat model is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reasoning: Reasoning | None = None
    """What of its earlier reasoning the model sees: all, that since the user's last message, none. None means all
    where the provider can carry it, else none."""
    effort: Literal["low", "medium", "high"] | None = None
    """How hard it thinks; None leaves it to the model."""
    temperature: float | None = Field(default=None, ge=0)
    """None leaves it to the model."""
    max_tokens: int = Field(default=8192, ge=1)
    """Tokens of one turn, reasoning included."""
    refusals: int = Field(default=2, ge=1)
    """Refused turns in a row that end the episode, as the model's own failure."""


class Said(NamedTuple):
    """A reply of the model, twice."""

    action: Action
    message: Message
    """As the history keeps it."""


class ChatForm(Protocol):
    """How tools, calls and results are written."""

    def system(self, briefing: Briefing) -> str: ...

    def tools(self, briefing: Briefing) -> tuple[Tool, ...]:
        """The tools that are given to the provider."""
        ...

    def sent(self, history: Sequence[Message]) -> tuple[Message, ...]:
        """The history as it is sent."""
        ...

    def said(self, reply: Reply, turn: int) -> Said:
        """The reply as the agent's turn of that number."""
        ...


class NativeForm:
    """Tool calls as the provider has them."""

    def system(self, briefing: Briefing) -> str:
        return system_prompt(briefing.instructions)

    def tools(self, briefing: Briefing) -> tuple[Tool, ...]:
        return tuple(Tool.model_validate(dict(tool)) for tool in briefing.tools)

    def sent(self, history: Sequence[Message]) -> tuple[Message, ...]:
        return tuple(history)

    def said(self, reply: Reply, turn: int) -> Said:
        action = Action.of(reply)
        # Calls that were cut off are not made, so that no result will stand beside them.
        return Said(action, Message(role="assistant", content=reply.text) if reply.truncated else action.as_message())


class ChatAgent:
    """A chat model. Its client stays the caller's to close."""

    def __init__(
        self,
        client: ModelClient,
        settings: ChatSettings | None = None,
        *,
        form: ChatForm | None = None,
        name: str | None = None,
    ) -> None:
        """Raises BadInput where the provider cannot do what is asked."""
        self._client = client
        self._settings = settings or ChatSettings()
        self._reasoning = _reasoning(client, self._settings)
        self._form = form or NativeForm()
        self.name = name or str(client.spec)

    def begin(self, briefing: Briefing) -> Player:
        """The model in one episode; the number of the trial tells its answers apart."""
        settings, form = self._settings, self._form
        request = Request(
            system=form.system(briefing),
            messages=(Message(role="user"),),
            tools=form.tools(briefing),
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            effort=settings.effort,
        )
        return _ChatPlayer(self._client, form, request, self._reasoning, settings.refusals, briefing.seed)


class _ChatPlayer:
    def __init__(
        self, client: ModelClient, form: ChatForm, blank: Request, reasoning: Reasoning, refusals: int, trial: int
    ) -> None:
        self._client = client
        self._form = form
        self._blank = blank
        self._reasoning: Reasoning = reasoning
        self._refusals = refusals
        self._trial = trial
        self._history: list[Message] = []
        self._turns = self._refused = 0

    async def act(self, observation: Observation) -> Action:
        """The next turn. Raises EpisodeFailure, and BudgetExceeded where no further call may be paid."""
        self._history += observation
        reply = self._not_refused(await self._reply())
        self._turns += 1
        action, message = self._form.said(reply, self._turns)
        self._history.append(message)
        return action

    async def _reply(self) -> Reply:
        messages = self._form.sent(shown(self._history, self._reasoning))
        request = self._blank.model_copy(update={"messages": messages})
        try:
            return await self._client.complete(request, self._trial, stage="agent")
        except BudgetExceeded:
            raise
        except PromptTooLong as error:
            # What does not fit at the first turn is not of the model's making.
            blame: Literal["policy", "infrastructure"] = "policy" if self._turns else "infrastructure"
            raise EpisodeFailure(blame, "agent", str(error)) from None
        except ModelFailure as error:
            raise EpisodeFailure("infrastructure", "agent", str(error)) from None

    def _not_refused(self, reply: Reply) -> Reply:
        """The reply; one that is refused once is passed on without its calls."""
        if reply.stop_reason != "refusal":
            self._refused = 0
            return reply
        self._refused += 1
        if self._refused >= self._refusals:
            words = f"{self._client.spec} refused {self._refused} turns in a row: {reply.text[:200]!r}"
            raise EpisodeFailure("policy", "agent", words)
        return reply.model_copy(update={"tool_calls": ()})


def shown(history: Sequence[Message], reasoning: Reasoning) -> tuple[Message, ...]:
    """The history with the reasoning that the model is to see again."""
    if reasoning == "keep":
        return tuple(history)
    spoke = [place for place, message in enumerate(history) if message.role == "user"]
    first = spoke[-1] if reasoning == "drop" and spoke else len(history)
    return tuple(
        message.model_copy(update={"reasoning": ()}) if place < first and message.reasoning else message
        for place, message in enumerate(history)
    )


def _reasoning(client: ModelClient, settings: ChatSettings) -> Reasoning:
    wanted = settings.reasoning
    if wanted is None:
        return "keep" if client.carries_reasoning else "none"
    if wanted != "none" and not client.carries_reasoning:
        words = f"OpenAI's own API shows no reasoning of {client.spec}, so there is none to {wanted}"
        raise BadInput(f"{words}; give reasoning none, or the address of a server that shows it.")
    if wanted == "none" and client.spec.provider == "anthropic" and settings.effort is not None:
        words = f"{client.spec} wants its reasoning back with the results of its calls while it is told to think"
        raise BadInput(f"{words}; give reasoning keep or drop, or no effort.")
    return wanted
