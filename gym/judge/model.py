"""A judge by a model: it looks at a dialogue, at the task and at what the rules found, and says what is wrong.

The model may refute a finding of the rules and add its own; of its own each must quote the turn word for word, or it
is dropped. Invariant: a model that gives no usable verdict makes the episode unscorable, never clean. Not covered:
how good a model is (`calibration` measures any judge).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.judge.rules import KINDS, judge_trajectory
from autoforge.gym.llm import Message, ModelClient, Request
from autoforge.gym.trajectory import Judgement, Trajectory, Turn, heard_turns
from autoforge.mcp_envs.errors import BudgetExceeded, ModelFailure
from autoforge.mcp_envs.task import Task

__all__ = ["ModelJudge"]

_RESULT: Final = 300
"""Characters of a tool's result that are shown."""
_SYSTEM: Final = """\
You check a simulated user who talks to an assistant. The user was given an instruction and values that it knows; it may
say nothing else, must give what it is asked for, and ends the conversation when everything was asked and done. You
judge the user only, never the assistant. The kinds of errors:

- invented: the user gives a value that is neither in the instruction nor known to it nor told by the assistant or by
  its own tools. Paraphrases, other spellings of dates and numbers, and lengths between known dates are no inventions.
- withheld: the assistant asks for a known value by name, and the user does not give it or says not to know it.
- altered: a known value, a constraint or a wish of the instruction is told otherwise or left out for good: another
  date, amount or name, "at most" for "at least", the highest for the lowest.
- early_stop: the user ends before everything was asked, or while the assistant asks or is about to act and the work is
  not done.
- late_stop: everything is done and said, and the user repeats its wishes or its thanks for several turns.
- out_of_scope: the user asks for something that is no part of the task.
- wrong_tool: the user calls its own tool with other arguments than the task says, or one that the task does not ask
  for.

For each error give the number of the turn, the words of that turn that show it, copied character by character, and
what it touches: `required` (a value that the assistant needs), `compared` (what the assistant changes), `answer` (a
value that the assistant has to tell), `stop` (the end), or `nothing`. `effect` is `helped` where the user said what
the assistant had to find out itself, `spoiled` where it made the task harder or impossible, else `none`. Most
dialogues have no error: report only what you can show. Rules have looked at the dialogue before you; list in
`refuted` the numbers of their findings that are wrong, and do not repeat the others."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class FoundByModel(_Frozen):
    """One error."""

    kind: Literal["invented", "withheld", "altered", "early_stop", "late_stop", "out_of_scope", "wrong_tool"]
    turn: int
    quote: str = Field(min_length=1)
    touches: Literal["required", "compared", "answer", "stop", "nothing"]
    effect: Literal["spoiled", "helped", "none"]
    explanation: str = ""


class Verdict(_Frozen):
    """What a model says of a dialogue."""

    findings: tuple[FoundByModel, ...] = ()
    refuted: tuple[int, ...] = ()
    """Numbers of the rules' findings that are wrong, from 1."""


class ModelJudge:
    """A judge by one model."""

    def __init__(self, client: ModelClient, *, max_tokens: int = 4096) -> None:
        """`max_tokens` for one answer, reasoning included."""
        self._client = client
        self._max_tokens = max_tokens

    async def judge(
        self, trajectory: Trajectory, task: Task, tools: Sequence[Mapping[str, Any]] | None = None, *, trial: int = 0
    ) -> tuple[Judgement, ...]:
        """The rules' findings that the model leaves standing, and its own. Raises EpisodeFailure where the model gives
        no usable verdict, BudgetExceeded at the cost limit."""
        hints = await anyio.to_thread.run_sync(judge_trajectory, trajectory, task, tools)
        shown = Message(role="user", content=_asked(trajectory, task, hints))
        request = Request(system=_SYSTEM, messages=(shown,), temperature=0, max_tokens=self._max_tokens)
        try:
            verdict = await self._client.structured(request, Verdict, trial, stage="judge")
        except BudgetExceeded:
            raise
        except ModelFailure as error:
            raise EpisodeFailure("judge", "judge", str(error)) from None
        return _joined(trajectory, hints, verdict)


def _joined(trajectory: Trajectory, hints: Sequence[Judgement], verdict: Verdict) -> tuple[Judgement, ...]:
    kept = [hint for number, hint in enumerate(hints, 1) if number not in verdict.refuted]
    places = {(hint.kind, hint.turn) for hint in kept}
    for found in verdict.findings:
        if (found.kind, found.turn) not in places and _is_shown(trajectory, found):
            places.add((found.kind, found.turn))
            kept.append(_judgement(found))
    return tuple(sorted(kept, key=lambda j: (j.turn, KINDS.index(j.kind))))


def _is_shown(trajectory: Trajectory, found: FoundByModel) -> bool:
    """Whether the words stand in the turn, which is the user's, or the last one where a stop is meant."""
    turn = dict(heard_turns(trajectory.turns)).get(found.turn)
    quote = _spaced(found.quote)
    if turn is None or not quote:
        return False
    last = found.kind == "early_stop" and found.turn == len(trajectory.turns) - 1
    if turn.role != "user" and not last:
        return False
    calls = " ".join(_call(c.tool, c.arguments) for c in turn.user_calls)
    return quote in _spaced(turn.content) or quote in _spaced(calls)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _judgement(found: FoundByModel) -> Judgement:
    effect = "none" if found.touches == "nothing" else found.effect
    return Judgement(
        kind=found.kind, turn=found.turn, quote=found.quote, touches=found.touches, effect=effect, by="model",
        explanation=found.explanation,
    )  # fmt: skip


# What the model is shown.


def _asked(trajectory: Trajectory, task: Task, hints: Sequence[Judgement]) -> str:
    steps = [_call(c.tool, c.arguments) for c in task.gold.calls if c.actor == "user"]
    answers = [f"{answer.name}: {json.dumps(answer.value, ensure_ascii=False)}" for answer in task.gold.answers]
    why = f" ({trajectory.why})" if trajectory.why else ""
    parts = [
        f"# The user's instruction\n{task.instruction}",
        f"# What it knows\n{json.dumps(task.known, ensure_ascii=False)}",
        _listed("# What it has to do with its own tools", steps),
        _listed("# What the assistant has to tell it", answers),
        _listed(
            "# The dialogue",
            [line for place, turn in heard_turns(trajectory.turns) for line in _lines(place, turn)],
        ),
        f"# How it ended\n{trajectory.end}{why}",
        _listed("# What the rules found", [_hint(n, hint) for n, hint in enumerate(hints, 1)]),
    ]
    return "\n\n".join(part for part in parts if part)


def _listed(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *lines]) if lines else ""


def _lines(place: int, turn: Turn) -> Iterator[str]:
    for made in turn.user_calls:
        yield f"[{place}] user calls {_call(made.tool, made.arguments)} → {made.result[:_RESULT]}"
    for call in turn.tool_calls:
        yield f"[{place}] assistant calls {_call(call.name, call.arguments)}"
    if turn.role == "tool":
        yield f"[{place}] result: {turn.content[:_RESULT]}"
    elif turn.content and not turn.tool_calls:
        yield f"[{place}] {turn.role}: {turn.content}"


def _call(tool: str, arguments: Mapping[str, Any]) -> str:
    return f"{tool}({json.dumps(dict(arguments), ensure_ascii=False)})"


def _hint(number: int, hint: Judgement) -> str:
    return f"{number}. {hint.kind} in turn {hint.turn}: {hint.quote!r} ({hint.explanation})"
