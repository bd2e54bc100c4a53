"""How well a judge finds errors that are known to be there, and how often it finds some where there are none.

Half of the dialogues are clean, the others have one error each by an operator of `corruptions`. The environments are in
two halves, and each half has phrases of its own: rules may be tuned on `development`; what `held_out` gives is what
they are worth. Invariant: a judge sees a trajectory, a task and tools, never a label. Not covered: where tasks come
from.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from autoforge.gym.judge.corruption import Corrupted, Operator, Setting
from autoforge.gym.judge.corruptions import OPERATORS
from autoforge.gym.judge.dialogues import Dialogue, make_dialogue
from autoforge.gym.judge.phrasebook import Half, phrasebook
from autoforge.gym.trajectory import Judgement, Trajectory
from autoforge.mcp_envs.task import GoldCall, Task

__all__ = ["Case", "Judge", "Measured", "Source", "Tally", "cases", "measured"]

Judge: TypeAlias = Callable[[Trajectory, Task, Sequence[Mapping[str, Any]]], Sequence[Judgement]]
_TRIES = 12
"""Dialogues that are made before an operator counts as one that an environment gives no place for."""
_STEPS = 0.2
"""Share of tasks in which a call of the agent is made one of the user."""


class Source(NamedTuple):
    """The tasks of one environment."""

    name: str
    tasks: Sequence[Task]
    tools: Sequence[Mapping[str, Any]]
    """Documents of both sides."""


class Case(NamedTuple):
    """A dialogue, and what is wrong with it."""

    trajectory: Trajectory
    task: Task
    tools: Sequence[Mapping[str, Any]]
    operator: str
    """Empty for a clean one."""
    kind: str
    turns: frozenset[int]


class Tally(NamedTuple):
    """Of one kind."""

    found: int = 0
    missed: int = 0
    wrong: int = 0
    """Errors of this kind that were found where there is none."""

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missed) if self.found + self.missed else 1.0

    def plus(self, other: Tally) -> Tally:
        return Tally(*(a + b for a, b in zip(self, other, strict=True)))


class Measured(NamedTuple):
    """What a judge made of some cases."""

    kinds: Mapping[str, Tally]
    operators: Mapping[str, Tally]
    dialogues: int
    clean: int
    flagged: int
    """Clean dialogues in which something was found."""

    @property
    def total(self) -> Tally:
        whole = Tally()
        for tally in self.kinds.values():
            whole = whole.plus(tally)
        return whole

    @property
    def flagged_share(self) -> float:
        return self.flagged / max(1, self.clean)


def cases(sources: Iterable[Source], half: Half, per_source: int, seed: str = "0") -> Iterator[Case]:
    """For each environment so many dialogues, every other one with an error, operators in turns."""
    for source in sources:
        chance = random.Random(f"{seed} {half} {source.name}")
        order = [*OPERATORS]
        chance.shuffle(order)
        yield from _of_source(source, half, per_source, order, chance)


def _of_source(
    source: Source, half: Half, count: int, order: Sequence[Operator], chance: random.Random
) -> Iterator[Case]:
    turn = 0
    for number in range(count):
        if number % 2 == 0:
            dialogue = _clean(source, half, chance, None, steps=chance.random() < _STEPS)
            yield _case(dialogue, "", "", frozenset())
            continue
        for _ in order:
            operator = order[turn % len(order)]
            turn += 1
            made = _with_error(source, half, operator, chance)
            if made is not None:
                yield _case(made.dialogue, operator.name, made.kind, made.turns)
                break


def _case(dialogue: Dialogue, operator: str, kind: str, turns: frozenset[int]) -> Case:
    return Case(dialogue.trajectory(), dialogue.task, dialogue.tools, operator, kind, turns)


def _with_error(source: Source, half: Half, operator: Operator, chance: random.Random) -> Corrupted | None:
    for _ in range(_TRIES):
        dialogue = _clean(source, half, chance, operator.style, steps=operator.kind == "wrong_tool")
        others = [task for task in source.tasks if task.id != dialogue.task.id]
        made = operator.apply(dialogue, Setting(phrasebook(dialogue.language, half), chance, others))
        if made is not None:
            return made
    return None


def _clean(source: Source, half: Half, chance: random.Random, style: str | None, *, steps: bool) -> Dialogue:
    task, tools = chance.choice(source.tasks), source.tools
    if steps:
        task, tools = _with_step_of_user(task, tools, chance)
    book = phrasebook(task.language, half)
    return make_dialogue(task, tools, book, str(chance.random()), style=style)


def _with_step_of_user(
    task: Task, tools: Sequence[Mapping[str, Any]], chance: random.Random
) -> tuple[Task, Sequence[Mapping[str, Any]]]:
    """The task with one of its calls made by the user, where its arguments are all known to it."""
    known = {str(value) for value in task.known.values()}
    calls = task.gold.calls
    fit = [n for n, c in enumerate(calls) if c.arguments and all(str(v) in known for v in c.arguments.values())]
    if any(c.actor == "user" for c in calls) or not fit:
        return task, tools
    number = chance.choice(fit)
    moved: list[GoldCall] = list(calls)
    moved[number] = calls[number].model_copy(update={"actor": "user"})
    gold = task.gold.model_copy(update={"calls": tuple(moved)})
    spare = [t["name"] for t in tools if t["name"] not in {c.tool for c in calls}]
    mine = {calls[number].tool, *chance.sample(spare, min(3, len(spare)))}
    documents = [{**t, "_meta": {"autoforge/side": "user"}} if t["name"] in mine else t for t in tools]
    return task.model_copy(update={"gold": gold}), documents


def measured(found: Iterable[Case], judge: Judge) -> Measured:
    """Run a judge over cases."""
    right: dict[str, Tally] = {}
    operators: dict[str, Tally] = {}
    dialogues = clean = flagged = 0
    for case in found:
        findings = judge(case.trajectory, case.task, case.tools)
        dialogues += 1
        clean += not case.kind
        flagged += not case.kind and bool(findings)
        hit = any(f.kind == case.kind and f.turn in case.turns for f in findings)
        wrong = Counter(f.kind for f in findings if not (f.kind == case.kind and f.turn in case.turns))
        if case.kind:
            tally = Tally(found=int(hit), missed=int(not hit))
            right[case.kind] = right.get(case.kind, Tally()).plus(tally)
            operators[case.operator] = operators.get(case.operator, Tally()).plus(
                tally._replace(wrong=sum(wrong.values()))
            )
        for kind, number in wrong.items():
            right[kind] = right.get(kind, Tally()).plus(Tally(wrong=number))
    return Measured(right, operators, dialogues, clean, flagged)
