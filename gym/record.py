"""The trajectory of one episode in the making, whoever plays it.

Invariant: every turn is kept in the order in which it came, with its time; what changed in the state stands with the
last message of its step. Not covered: playing (`episode`, `serving`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.gym.environment import Environment, Stepped
from autoforge.gym.failures import Failure
from autoforge.gym.llm import Message
from autoforge.gym.reward import Reward, row_change
from autoforge.gym.trajectory import AnswerMark, End, Trajectory, Turn, UserToolCall
from autoforge.gym.turns import Action, Observation
from autoforge.gym.users.user import UserCall
from autoforge.mcp_envs.task import Task

__all__ = ["Clock", "EpisodeRecord", "Play", "trajectory_id"]

Clock = Callable[[], float]


class Play(NamedTuple):
    """Which episode to play."""

    task: Task
    trial: int = 0
    seed: int = 0
    """Other dice for every trial."""
    again: int = 0
    """Other dice for an episode that failed before by the fault of somebody who throws them."""

    @property
    def dice(self) -> int:
        return self.seed * 1_000_003 + self.again * 10_007 + self.trial


def trajectory_id(environment: str, task: str, agent: str, user: str, trial: int) -> str:
    return f"{environment}/{task}/{agent}/{user}/{trial}"


class EpisodeRecord:
    """The trajectory in the making."""

    def __init__(self, environment: Environment, agent: str, play: Play, clock: Clock) -> None:
        names = environment.server.name, play.task.id, agent, environment.user.name
        self._fixed: dict[str, Any] = {
            "id": trajectory_id(*names, play.trial),
            "environment": names[0],
            "task": names[1],
            "agent": names[2],
            "user": names[3],
            "trial": play.trial,
        }
        self._clock = clock
        self._started = self._last = clock()
        self._turns: list[Turn] = []

    def begins(self, observation: Observation, info: dict[str, Any]) -> None:
        """What `reset` gave."""
        self._fixed |= {"tools": tuple(dict(t) for t in info["tools"]), "instructions": info["instructions"]}
        self._sees(observation, info)

    def acts(self, action: Action) -> None:
        """A turn of the agent, before it is taken."""
        self._turns.append(
            Turn(
                role="assistant", content=action.text, tool_calls=action.calls, reasoning=action.reasoning,
                truncated=action.truncated, tokens=action.tokens, usage=action.usage, seconds=self._elapsed(),
            )
        )  # fmt: skip

    def sees(self, stepped: Stepped) -> None:
        """What the turn led to."""
        self._sees(stepped.observation, stepped.info)

    def ends(self, stepped: Stepped) -> Trajectory:
        """The trajectory, after the last step was seen."""
        end: End = "truncated" if stepped.truncated else stepped.info["ending"]
        reward: Reward | None = stepped.info.get("reward")
        if reward is None:
            value = stepped.reward if stepped.truncated else None
            return self._made(end=end, why=stepped.info.get("truncation", ""), reward=value)
        marks = tuple(AnswerMark(name=v.name, told=v.told, reason=v.reason) for v in reward.answers)
        return self._made(
            end=end, reward=reward.value, state_reached=reward.state, answers=marks, explanation=reward.explanation
        )

    def failed(self, failure: Failure) -> Trajectory:
        """The trajectory of an episode that cannot go on: only what is the policy's own scores."""
        return self._made(end="failed", failure=failure, reward=0.0 if failure.blame == "policy" else None)

    def _made(self, **given: Any) -> Trajectory:
        seconds = round(self._clock() - self._started, 6)
        return Trajectory(**self._fixed, turns=tuple(self._turns), seconds=seconds, **given)

    def _sees(self, messages: Observation, info: Mapping[str, Any]) -> None:
        """New turns; what changed stands with the last of them."""
        calls: Sequence[UserCall] = info.get("user_calls", ())
        diff, usage = info.get("diff", ()), info.get("user_usage")
        seconds = self._elapsed()
        if not messages and (calls or diff or usage):
            messages = (Message(role="user"),)
        for place, message in enumerate(messages):
            last = place == len(messages) - 1
            self._turns.append(
                Turn(
                    role=message.role, content=message.content, tool_call_id=message.tool_call_id,
                    is_error=message.is_error, user_calls=_user_calls(calls) if message.role == "user" else (),
                    diff=tuple(map(row_change, diff)) if last else (), progress=info.get("progress") if last else None,
                    usage=usage if message.role == "user" else None, seconds=seconds if place == 0 else 0.0,
                )
            )  # fmt: skip

    def _elapsed(self) -> float:
        now = self._clock()
        seconds, self._last = now - self._last, now
        return round(seconds, 6)


def _user_calls(calls: Sequence[UserCall]) -> tuple[UserToolCall, ...]:
    return tuple(
        UserToolCall(tool=c.tool, arguments=dict(c.arguments), result=c.result.text, is_error=c.result.is_error)
        for c in calls
    )
