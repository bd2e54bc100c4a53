"""One episode as one line of JSON: what was said, thought, called and changed, and what it was worth.

Invariant: a trajectory holds all that scoring it again, judging its user, showing it and training on it need, beside
the environment's own files; the same trajectory is the same line. Not covered: running it (`episode`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from autoforge.gym.failures import Failure
from autoforge.gym.llm import ReasoningBlock, ToolCall, Usage
from autoforge.gym.turns import SampledTokens
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import RowChange

__all__ = [
    "FORMAT", "AnswerMark", "End", "Judgement", "Trajectory", "Turn", "UserToolCall", "heard_turns",
    "read_trajectories",
]  # fmt: skip

FORMAT = 1
End = Literal["stop", "transfer", "out_of_scope", "truncated", "failed"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class UserToolCall(_Model):
    """A call of the user's own tools."""

    tool: str
    arguments: dict[str, JsonValue] = {}
    result: str = ""
    is_error: bool = False


class Turn(_Model):
    """One message, in the order in which they came."""

    role: Literal["user", "assistant", "tool"]
    content: str = ""
    reasoning: tuple[ReasoningBlock, ...] = ()
    truncated: bool = False
    """Whether a length limit cut it off: then it reached neither user nor tools, and the next turn says so."""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    is_error: bool = False
    user_calls: tuple[UserToolCall, ...] = ()
    """What the user did with its own tools before it spoke."""
    diff: tuple[RowChange, ...] = ()
    """What changed in the state since the turn before."""
    progress: float | None = None
    """Share of the gold changes that are reached after this turn."""
    tokens: SampledTokens | None = None
    usage: Usage | None = None
    seconds: float = 0.0
    """Until it was there."""

    @property
    def spoiled(self) -> bool:
        """Whether it is a turn of the agent that was cut off or empty: it reached nobody, and what follows it are the
        environment's words, not the user's."""
        return self.role == "assistant" and (self.truncated or not (self.tool_calls or self.content.strip()))


class AnswerMark(_Model):
    """Whether one expected answer was told."""

    name: str
    told: bool
    reason: str = ""


class Judgement(_Model):
    """One error of the user, with the evidence."""

    kind: str
    turn: int
    """Place in `turns`."""
    quote: str
    """The words that show it."""
    touches: Literal["required", "compared", "answer", "stop", "nothing"] = "nothing"
    """What it reaches: a value that the user must give, a compared row, an answer, the end."""
    effect: Literal["spoiled", "helped", "none"] = "none"
    by: str = "rules"
    explanation: str = ""


class Trajectory(_Model):
    """One episode."""

    format: int = FORMAT
    id: str
    """`environment/task/agent/user/trial`."""
    environment: str
    task: str
    agent: str
    user: str
    trial: int = 0
    tools: tuple[dict[str, JsonValue], ...] = ()
    """What the agent was offered."""
    instructions: str = ""
    turns: tuple[Turn, ...] = ()
    end: End
    why: str = ""
    """Of a truncation."""
    reward: float | None = None
    """None where the episode cannot be scored."""
    state_reached: bool | None = None
    answers: tuple[AnswerMark, ...] = ()
    explanation: tuple[str, ...] = ()
    """Why the reward is not 1."""
    failure: Failure | None = None
    judgements: tuple[Judgement, ...] | None = None
    """None: not judged."""
    masked: bool = False
    """Whether an error of the user touched what counts, so that the episode says nothing of the agent."""
    seconds: float = 0.0
    cost: float = 0.0
    """US dollars, agent and user."""

    def line(self) -> str:
        """The line, with its end."""
        text = json.dumps(self.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False, allow_nan=False)
        return text + "\n"


def heard_turns(turns: Iterable[Turn]) -> Iterator[tuple[int, Turn]]:
    """The turns that reached somebody, each with its place: without spoiled ones and the remarks that answer them."""
    spoiled = False
    for place, turn in enumerate(turns):
        remark, spoiled = spoiled and turn.role == "user", turn.spoiled
        if not (remark or spoiled):
            yield place, turn


def read_trajectories(path: Path, *, torn_end: bool = False) -> Iterator[Trajectory]:
    """The trajectories of a file. With `torn_end`, a last line without its end, left by a kill, is passed over. Raises
    BadInput with the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read ({error}); give a file that autoforge-gym run wrote.") from None
    lines = text.split("\n")
    whole = lines[:-1] if torn_end else lines
    yield from _parsed(path, whole)


def _parsed(path: Path, lines: Iterable[str]) -> Iterator[Trajectory]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield Trajectory.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = "/".join(map(str, first["loc"]))
            words = f"{path}, line {number}, /{where}: {first['msg']}"
            raise BadInput(f"{words}; give a file that autoforge-gym run wrote.") from None
