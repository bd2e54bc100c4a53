"""A model at work for the tasks of one environment: before they are made, and after.

Invariant: what the model says is on disk before it is used, and nothing of it reaches a task unproved. Not covered:
making tasks (`campaign`), writing them (`publish`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.examine import prove_tasks
from autoforge.generator.tasks.graph import Graph
from autoforge.generator.tasks.model.advice import Advice
from autoforge.generator.tasks.model.adviser import Adviser
from autoforge.generator.tasks.model.edges import judge_edges
from autoforge.generator.tasks.model.field_proposals import derived_fields
from autoforge.generator.tasks.model.opinions import with_opinions
from autoforge.generator.tasks.model.reword import Reworded, reword_tasks
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.wording.documentation import documentation_language
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.task import Task

__all__ = ["Assistant"]

Progress = Callable[[str, int, int], None]


@dataclass
class Assistant:
    """A model at work for the tasks of one environment."""

    adviser: Adviser
    folder: EnvironmentFolder
    opinions: bool = False
    reworded: Reworded | None = None

    def advise(self, stage: Stage, catalogue: Catalogue, graph: Graph, language: str = "auto") -> Advice:
        """Judge the edges, propose derived fields. Raises Unanswered."""
        language = documentation_language(catalogue) if language == "auto" else language
        judged = judge_edges(graph, catalogue, stage, self.adviser)
        return Advice(judged, derived_fields(catalogue, self.adviser, language=language))

    def finished(
        self, tasks: Sequence[Task], *, have: Sequence[Task], jobs: int, progress: Progress
    ) -> tuple[Task, ...]:
        """The tasks in the model's words where those hold, with its opinions where wanted. Raises Unanswered."""
        progress("word tasks", 0, len(tasks))
        prove = partial(prove_tasks, self.folder, jobs=jobs, progress=progress)
        with Stage(self.folder) as stage:
            done = reword_tasks(stage, tasks, self.adviser, prove, policy=self.folder.text("policy.md"), have=have)
        self.reworded = done
        self.adviser.tell(_fates(done))
        if done.fates["no money"]:
            self.adviser.note(f"wording: the cost limit left {done.fates['no money']} tasks with their templates")
        return tuple(with_opinions(done.tasks, self.adviser) if self.opinions else done.tasks)

    def record(self) -> dict[str, JsonValue]:
        """For the manifest: model, prompt digests, tokens, cost, and what became of the wordings."""
        fates: dict[str, JsonValue] = dict(sorted(self.reworded.fates.items())) if self.reworded is not None else {}
        return {**self.adviser.record(), "wordings": fates}


def _fates(done: Reworded) -> str:
    by_model = done.fates["reworded"] + done.fates["repaired"]
    kept = ", ".join(
        f"{count} {fate}" for fate, count in sorted(done.fates.items()) if fate not in ("reworded", "repaired")
    )
    words = f"wording: {by_model} of {len(done.tasks)} tasks in the model's words"
    words += f" ({done.fates['repaired']} after repair)" if done.fates["repaired"] else ""
    return words + (f"; templates kept: {kept}" if kept else "")
