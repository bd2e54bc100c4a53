"""One proposal under examination: its gold as it was executed, and every way to run something against it.

Invariant: gold is executed here, call by call, on the stage; nothing that the draft says of outcomes is used. Not
covered: which runs prove what.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.gate.performing import Performance, perform
from autoforge.generator.tasks.gate.reasons import infeasible, reject
from autoforge.generator.tasks.gate.scoring import Scorer, landing
from autoforge.generator.tasks.interpreter import Execution, Infeasible, execute, resolve
from autoforge.generator.tasks.stage import Run, Stage, Start, state_digest
from autoforge.gym.reward import gold_state, telling
from autoforge.mcp_envs.containment import Call
from autoforge.mcp_envs.errors import BadInput, CheckFailed
from autoforge.mcp_envs.manifest import ColumnKind
from autoforge.mcp_envs.paths import NoSuchPart
from autoforge.mcp_envs.state import State, changes
from autoforge.mcp_envs.task import Answer, Blueprint, Difficulty, Gold, GoldCall, RowChange, Task

__all__ = ["Trial", "answers_of", "prepare", "said", "told"]

_COMPARED = {ColumnKind.KEY, ColumnKind.VALUE}


@dataclass
class Trial:
    """What checks work with."""

    stage: Stage
    fresh: Stage | None
    catalogue: Catalogue
    chance: random.Random
    draft: Draft
    instruction: str
    start: Start
    execution: Execution
    outputs: tuple[Any, ...]
    """Of the gold calls, in their order."""
    state: State
    task: Task
    """The draft as a task, with the gold that came out."""
    scorer: Scorer
    writes: tuple[int, ...] = ()
    """Positions of the gold calls that write; found by `effects`."""
    runs: int = 0
    """Batches of calls made so far."""

    @property
    def gold(self) -> Gold:
        return self.task.gold

    @property
    def write_calls(self) -> list[GoldCall]:
        return [self.gold.calls[i] for i in self.writes]

    @property
    def foretold(self) -> dict[str, GoldCall]:
        return {**{call.node: call for call in self.gold.calls}, **self.execution.refused}

    @property
    def calls(self) -> list[Call]:
        """All that gold makes, refused attempts too, in the order of the blueprint."""
        made = self.foretold
        return [Call(made[n.id].tool, made[n.id].arguments) for n in self.draft.blueprint.nodes if n.id in made]

    def run(self, calls: Sequence[Call | GoldCall], stage: Stage | None = None) -> Run:
        """Make the calls on a copy of the start."""
        self.runs += 1
        if stage is not None:
            return stage.run(stage.start(self.draft.initial, self.draft.setup), calls)
        return self.stage.run(self.start, calls)

    def perform(
        self,
        blueprint: Blueprint | None = None,
        known: Mapping[str, Any] | None = None,
        *,
        order: Sequence[str] | None = None,
        start: Start | None = None,
    ) -> Performance:
        """Carry out the blueprint, or a variant of it, on a copy of the start."""
        self.runs += 1
        blueprint, known = blueprint or self.draft.blueprint, self.draft.known if known is None else known
        foretold = self._foretold(blueprint, known)
        return perform(self.stage, start or self.start, blueprint, known, order=order, foretold=foretold)

    def _foretold(self, blueprint: Blueprint, known: Mapping[str, Any]) -> dict[str, GoldCall]:
        """The calls of gold as they would be with these sources and values, where earlier outputs stay as they are."""
        foretold = self.foretold
        for step in blueprint.steps:
            if step.id in foretold:
                try:
                    made = {n: resolve(s, known, self.execution.values) for n, s in step.arguments.items()}
                except (KeyError, NoSuchPart):
                    continue
                foretold[step.id] = GoldCall(node=step.id, tool=step.tool, arguments=made)
        return foretold

    def scores(self, state: State) -> bool:
        """Whether a final state with the right answers told scores 1."""
        return self.scorer.score(state, told(self.gold.answers)) == 1

    def score_of(self, performance: Performance) -> int:
        """What an agent scores that did this and told what it found."""
        found = None if performance.execution is None else answers_of(self.draft, performance)
        return self.scorer.score(performance.state, told(found or ()))

    def landed(self, state: State) -> bool:
        """Whether a final state differs from gold's in a key or value column, generated ids taken as they are."""
        return bool(self.kinds_landed(state) & _COMPARED)

    def digest(self, state: State) -> str:
        return state_digest(state, self.stage.manifest)

    def kinds_landed(self, state: State) -> set[ColumnKind]:
        return landing(self.state, state, self.stage.manifest)


def told(answers: Sequence[Answer]) -> list[str]:
    """What an agent says that tells these answers."""
    return [text for answer in answers if (text := said(answer)) is not None]


def said(answer: Answer) -> str | None:
    """A sentence that tells the answer; None for a value that nobody could tell."""
    try:
        return telling(answer)
    except BadInput:
        return None


def answers_of(draft: Draft, performance: Performance) -> tuple[Answer, ...] | None:
    """The answers with the values that this execution gives; None where it does not give one."""
    assert performance.execution is not None
    return _answers(draft, performance.execution)


def _answers(draft: Draft, execution: Execution) -> tuple[Answer, ...] | None:
    try:
        return tuple(
            answer.model_copy(update={"value": resolve(answer.source, draft.known, execution.values)})
            for answer in draft.answers
        )
    except (KeyError, NoSuchPart):
        return None


def prepare(
    stage: Stage, draft: Draft, instruction: str, catalogue: Catalogue, fresh: Stage | None, chance: random.Random
) -> Trial:
    """Execute gold. Raises Rejection where it cannot be, CheckFailed where the set-up cannot."""
    start = stage.start(draft.initial, draft.setup)
    session = stage.session(start)
    try:
        execution = execute(draft.blueprint, draft.known, session.call)
        state = session.state()
    except Infeasible as fault:
        raise infeasible(fault) from None
    finally:
        session.close()
    answers = _answers(draft, execution)
    if answers is None:
        raise reject("unreachable value", "an answer is taken from a node that gold does not reach")
    diff = tuple(RowChange(**change._asdict()) for change in changes(start.state, state, stage.manifest))
    gold = Gold(calls=tuple(execution.calls), state=state_digest(state, stage.manifest), diff=diff, answers=answers)
    task = _provisional(stage, draft, instruction, gold)
    outputs = tuple(execution.values[call.node] for call in execution.calls)
    try:
        expected = gold_state(start.state, task, stage.manifest)
    except CheckFailed as fault:
        raise reject("gold fails", f"the diff does not lead from the start to gold: {fault}") from None
    scorer = Scorer(task, start.state, expected, stage.manifest)
    return Trial(stage, fresh, catalogue, chance, draft, instruction, start, execution, outputs, state, task, scorer)


def _provisional(stage: Stage, draft: Draft, instruction: str, gold: Gold) -> Task:
    return Task(
        id="proposal",
        environment=stage.manifest.name,
        instruction=instruction,
        known=draft.known,
        initial=draft.initial,
        setup=draft.setup,
        blueprint=draft.blueprint,
        gold=gold,
        difficulty=Difficulty(calls=len(gold.calls), writes=0, depth=0, reasoning=0),
    )
