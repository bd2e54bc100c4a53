"""Whether the answers are told apart: typed, computed from their sources, and not told by saying everything.

Invariant: each wrong telling is scored on the gold state, so that nothing but the words can make it fail. Not covered:
how words are read (`gym.reward`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from autoforge.generator.tasks.gate.alternatives import neighbours
from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.trial import Trial, said, told
from autoforge.mcp_envs.task import Answer

__all__ = ["check_answers", "check_typed"]

_OTHERS = 3
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?")


def check_typed(trial: Trial) -> None:
    """Raise Rejection for an answer that is not of its type or not what gold shows."""
    for drafted, found in zip(trial.draft.answers, trial.gold.answers, strict=True):
        if not _is_of_type(found.value, found.type) or said(found) is None:
            raise reject("untyped answer", f"{found.name}: {found.value!r} is no {found.type}")
        if drafted.value != found.value or isinstance(drafted.value, bool) != isinstance(found.value, bool):
            raise reject("wrong answer", f"{found.name}: gold shows {found.value!r}, not {drafted.value!r}")
        if any(other == found.value for other in found.others):
            raise reject("wrong answer", f"{found.name}: {found.value!r} is among the wrong ones")


def _is_of_type(value: Any, type: str) -> bool:
    if type == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if type == "date":
        return isinstance(value, str) and _ISO_DATE.fullmatch(value) is not None
    if type == "text":
        return isinstance(value, str) and bool(value.strip()) and not re.fullmatch(r"\s*[-+]?\d+(\.\d+)?\s*", value)
    if type == "boolean":
        return isinstance(value, bool)
    return isinstance(value, list) and bool(value)


def check_answers(trial: Trial) -> int:
    """The number of wrong tellings on the gold state, each of which scores 0. Raises Rejection where one scores."""
    killed = 0
    for words, messages in _wrong(trial):
        if trial.scorer.score(trial.state, messages):
            reason = "echo passes" if words == "echo" else "answer not told apart"
            raise reject(reason, f"on the gold state, {words} scores: {messages[-1][:120]!r}")
        killed += 1
    return killed


def _wrong(trial: Trial) -> Iterator[tuple[str, list[str]]]:
    """Ways of telling that must fail, with what each is."""
    answers = trial.gold.answers
    if not answers:
        return
    right = told(answers)
    yield "saying nothing", []
    yield "echo", _echo(trial)
    for place, answer in enumerate(answers):
        rest = [*right[:place], *right[place + 1 :]]
        yield f"not telling {answer.name}", rest
        for value, wrong in _told_instead(answer, answer.others[:_OTHERS]):
            yield f"telling {value!r} as {answer.name}", [*rest, wrong]
            yield f"telling {value!r} after {answer.name}", [*right, wrong]
            yield f"telling {value!r} beside {answer.name}", [*rest, f"{right[place]} {wrong}"]
        for value, wrong in _told_instead(answer, _near(answer)):
            yield f"telling {value!r} as {answer.name}", [*rest, wrong]
            if answer.type in ("number", "date"):
                both = f"The {answer.name} is {answer.value} or {value}."
                yield f"telling {value!r} beside {answer.name}", [*rest, both]


def _told_instead(answer: Answer, values: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    """Wrong values with what tells them; what is of another type or nobody can tell is left out."""
    for value in values:
        wrong = said(answer.model_copy(update={"value": value, "others": ()}))
        if wrong is not None:
            yield value, wrong


def _near(answer: Answer) -> list[Any]:
    """Wrong values that hold or nearly are the right one; texts of which no other is known contradict nothing."""
    around = () if answer.type == "text" else neighbours(answer.value)
    made = [value for value in (*_containing(answer.value), *around) if value != answer.value]
    return [value for value in made if _is_of_type(value, answer.type)][:_OTHERS]


def _containing(value: Any) -> Iterator[Any]:
    """Values in whose text the text of this one is, as part of a word: 100 for 10."""
    if isinstance(value, int) and not isinstance(value, bool) and value:
        yield value * 10
    elif isinstance(value, str) and not _ISO_DATE.fullmatch(value):
        yield from [value + "s"] * value[-1:].isalnum() + ["x" + value] * value[:1].isalnum()


def _echo(trial: Trial) -> list[str]:
    return ["\n".join(json.dumps(output, ensure_ascii=False) for output in trial.outputs)]
