"""The reward of a finished episode, with its explanation.

Invariant: exactly 1.0 or 0.0, from the initial state, the final state and the messages alone; 1.0 only when the final
state equals the gold state by the kinds of its columns and every answer was told, under one renaming of the ids that
were generated in the episode. Not covered: running the episode, errors that are not the policy's (they are not scored).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from autoforge.gym.reward.answers import AnswerVerdict, judge
from autoforge.gym.reward.columns import with_same_columns
from autoforge.gym.reward.generated import GeneratedIds
from autoforge.gym.reward.gold import gold_state
from autoforge.gym.reward.reading import Message
from autoforge.mcp_envs.equality import Comparer, Comparison, Renaming
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Answer, Task

__all__ = ["Reward", "score"]


class Reward(NamedTuple):
    """What an episode is worth, and why."""

    value: float
    """1.0 or 0.0."""
    state: bool
    """Whether the final state equals the gold state."""
    answers: tuple[AnswerVerdict, ...]
    explanation: tuple[str, ...]
    """Sentences: what was expected and what was found; empty when the value is 1."""


def score(
    task: Task,
    initial: State,
    final: State,
    manifest: Manifest,
    messages: Sequence[str],
    *,
    gold: State | None = None,
    comparer: Comparer | None = None,
    explain: bool = True,
) -> Reward:
    """Score an episode. `messages` are the agent's to the user, in order; `gold` saves building the gold state again,
    `comparer` (made of `initial` and `manifest`) looking at the initial state again; without `explain` the explanation
    of a state is one sentence.

    Raises CheckFailed where the task's gold diff does not fit `initial`, BadInput for an answer that nobody could tell.
    """
    expected, final = with_same_columns(gold_state(initial, task, manifest) if gold is None else gold, final)
    ids = GeneratedIds(initial, expected, manifest)
    judged = _Judged(task.gold.answers, ids, messages)
    accept = judged.all_told if any(map(ids.matter, task.gold.answers)) else None
    comparer = comparer or Comparer(initial, manifest)
    comparison = comparer.compare(expected, final, accept, explain=explain)
    if not comparison.equal and judged.asked:  # equal, but under no renaming that fits: the answers are at fault
        comparison = comparer.compare(expected, final, explain=explain)
    equal = comparison.equal
    answers = judged.verdicts(comparison.renaming)
    right = equal and all(verdict.told for verdict in answers)
    return Reward(
        1.0 if right else 0.0, equal, answers, () if right else (*_of_state(comparison), *_of_answers(answers))
    )


class _Judged:
    """The verdicts on the answers, computed once for the values that they have under a renaming."""

    def __init__(self, answers: Sequence[Answer], ids: GeneratedIds, messages: Sequence[str]) -> None:
        self._answers = answers
        self._ids = ids
        self._messages = [Message(text) for text in messages]
        self._known: dict[str, tuple[AnswerVerdict, ...]] = {}
        self.asked = False

    def all_told(self, renaming: Renaming) -> bool:
        self.asked = True
        return all(verdict.told for verdict in self.verdicts(renaming))

    def verdicts(self, renaming: Mapping[tuple[str, object], object]) -> tuple[AnswerVerdict, ...]:
        answers = [self._ids.renamed(answer, renaming) for answer in self._answers]
        key = repr([(answer.value, answer.others) for answer in answers])
        if key not in self._known:
            beside = [answers[:n] + answers[n + 1 :] for n in range(len(answers))]
            self._known[key] = tuple(judge(a, self._messages, b) for a, b in zip(answers, beside, strict=True))
        return self._known[key]


def _of_state(comparison: Comparison) -> tuple[str, ...]:
    return tuple(f"state (expected / found): {words}" for words in comparison.differences)


def _of_answers(answers: Sequence[AnswerVerdict]) -> tuple[str, ...]:
    return tuple(
        f"answer: {v.reason}" + (f'; the agent said: "{v.message}"' if v.message else "") for v in answers if not v.told
    )
