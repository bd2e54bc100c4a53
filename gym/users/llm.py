"""A user that is a chat model.

Invariant: the model sees the agent's messages as the other side of its conversation, and its own tools' results;
reasoning never gets into a message, and a marker ends the conversation only where it stands in the message itself. Not
covered: sending, retries and cost (`gym.llm`), whether the user was right (`judge`).
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Message, ModelClient, Reply, Request, Tool, ToolCall, Usage
from autoforge.gym.servers.server import ToolResult
from autoforge.gym.users.prompt import BEGIN, user_prompt
from autoforge.gym.users.user import Speaker, UserBriefing, UserCall, UserTurn, ending_of, without_markers
from autoforge.mcp_envs.errors import BudgetExceeded, ModelFailure, PromptTooLong

__all__ = ["ModelUser", "ModelUserSettings"]

_AGAIN = "[Your message was {fault}. Write the whole message again.]"
_NOTHING = "(nothing)"
_NO_MORE = "No more calls in this turn: write your message to the assistant."


class ModelUserSettings(BaseModel):
    """How a model is asked to play the user."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = Field(default=0.0, ge=0)
    """None leaves it to the model; several reasoning models accept nothing else."""
    max_tokens: int = Field(default=4096, ge=1)
    """Tokens of one answer, reasoning included."""
    calls: int = Field(default=10, ge=0)
    """Calls in one turn, those that cannot be made included; after one more answer with calls the user has failed."""


class ModelUser:
    """A chat model as the user. Its client stays the caller's to close."""

    def __init__(
        self, client: ModelClient, settings: ModelUserSettings | None = None, *, name: str | None = None
    ) -> None:
        self._client = client
        self._settings = settings or ModelUserSettings()
        self.name = name or str(client.spec)

    def begin(self, briefing: UserBriefing) -> Speaker:
        """The user of one episode; the seed is the number of the trial, which tells its answers apart."""
        return _ModelSpeaker(self._client, self._settings, briefing)


class _ModelSpeaker:
    def __init__(self, client: ModelClient, settings: ModelUserSettings, briefing: UserBriefing) -> None:
        self._client = client
        self._calls = settings.calls
        self._briefing = briefing
        self._history: list[Message] = []
        self._blank = Request(
            system=user_prompt(briefing.task, briefing.tools),
            messages=(Message(role="user"),),
            tools=tuple(Tool.model_validate(dict(tool)) for tool in briefing.tools),
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
        )

    async def speak(self, heard: str | None) -> UserTurn:
        """The next message. Raises EpisodeFailure, and BudgetExceeded where no further call may be paid."""
        self._history.append(Message(role="user", content=BEGIN if heard is None else heard))
        turn = _Turn()
        while True:
            reply = await self._usable(turn)
            self._history.append(reply.as_message())
            if not reply.tool_calls:
                return UserTurn(without_markers(reply.text), ending_of(reply.text), tuple(turn.made), turn.usage)
            await self._act(reply.tool_calls, turn)

    async def _usable(self, turn: _Turn) -> Reply:
        """An answer that is a message or calls; what is neither is asked for once more."""
        reply = await self._reply(self._history, turn)
        fault = _fault(reply)
        if not fault:
            return reply
        said = Message(role="assistant", content=reply.text.strip() or _NOTHING)
        again = Message(role="user", content=_AGAIN.format(fault=fault))
        reply = await self._reply((*self._history, said, again), turn)
        fault = _fault(reply)
        if fault:
            raise EpisodeFailure("user", "user", f"{self._client.spec} as the user gave a message that was {fault}")
        return reply

    async def _reply(self, messages: Sequence[Message], turn: _Turn) -> Reply:
        request = self._blank.model_copy(update={"messages": tuple(messages)})
        try:
            reply = await self._client.complete(request, self._briefing.seed, stage="user")
        except BudgetExceeded:
            raise
        except PromptTooLong as error:
            raise EpisodeFailure("user", "user", str(error)) from None
        except ModelFailure as error:
            raise EpisodeFailure("infrastructure", "user", str(error)) from None
        turn.pays(reply.usage)
        return reply

    async def _act(self, calls: Sequence[ToolCall], turn: _Turn) -> None:
        """Make the calls; the model reads the results. Raises EpisodeFailure where it does not end."""
        if turn.warned:
            words = f"{self._client.spec} as the user made more than {self._calls} calls in one turn"
            raise EpisodeFailure("user", "user", words)
        for call in calls:
            turn.asked += 1
            turn.warned = turn.asked > self._calls
            result = ToolResult(_NO_MORE, is_error=True) if turn.warned else await self._made(call, turn)
            self._history.append(
                Message(role="tool", tool_call_id=call.id, content=result.text, is_error=result.is_error)
            )

    async def _made(self, call: ToolCall, turn: _Turn) -> ToolResult:
        if call.malformed is not None:
            return ToolResult(f"The arguments of {call.name} were no JSON object.", is_error=True)
        if self._briefing.call is None or call.name not in {tool["name"] for tool in self._briefing.tools}:
            return ToolResult(f"Unknown tool: {call.name[:120]}", is_error=True)
        result = await self._briefing.call(call.name, call.arguments)
        turn.made.append(UserCall(call.name, call.arguments, result))
        return result


class _Turn:
    """One turn of the user in the making."""

    def __init__(self) -> None:
        self.made: list[UserCall] = []
        self.asked = 0
        """Calls that the model wanted to make."""
        self.usage: Usage | None = None
        self.warned = False
        """Whether it was told to make no more calls."""

    def pays(self, usage: Usage | None) -> None:
        if usage is not None:
            before = self.usage or Usage()
            self.usage = Usage(
                input_tokens=before.input_tokens + usage.input_tokens,
                output_tokens=before.output_tokens + usage.output_tokens,
            )


def _fault(reply: Reply) -> str:
    """What makes an answer useless; empty where nothing does."""
    if reply.truncated:
        return "cut off"
    if reply.stop_reason == "refusal":
        return "refused"
    return "" if reply.tool_calls or reply.text.strip() else "empty"
