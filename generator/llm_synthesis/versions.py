"""A version of an environment: tables, functions and rows together, proved and scored.

Invariant: two versions are compared by what the conformance suite finds, never by what a model says; model code runs
in the suite's contained processes only. Not covered: making better ones (`repair`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autoforge.generator.compile import prove, unproved_files
from autoforge.generator.conformance import Report
from autoforge.generator.ir import Operation, World
from autoforge.generator.llm_synthesis.desk import Desk
from autoforge.generator.llm_synthesis.drafts import Draft, fits, unwritten
from autoforge.generator.llm_synthesis.keys import keys_hidden
from autoforge.generator.llm_synthesis.seed import Rows
from autoforge.mcp_envs.errors import BadInput

__all__ = ["Score", "Version", "assemble", "proved"]


class Score(NamedTuple):
    """Smaller is better, from left to right."""

    failing: int
    """Tools that fail or were never called, and failures of no single tool."""
    dead: int
    """Parameters without effect."""
    weak: int
    sentences: int
    """Findings in all."""

    def below(self, other: Score) -> bool:
        """Whether it is worse than another in anything that counts."""
        return any(mine > theirs for mine, theirs in zip(self[:3], other[:3], strict=True))


NOTHING = Score(10**6, 10**6, 10**6, 10**6)
"""The score of what cannot even be written down."""


@dataclass(frozen=True)
class Version:
    world: World
    rows: Rows = field(default_factory=dict)
    drafts: Mapping[str, Draft] = field(default_factory=dict)
    """What the model wrote, used or not."""
    score: Score = NOTHING
    findings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Tool -> what the suite found, in sentences for the model."""
    general: tuple[str, ...] = ()
    """What belongs to no tool."""

    def kept_from_rules(self) -> tuple[str, ...]:
        """Tools whose function is not the model's."""
        return tuple(o.tool for o in self.world.operations if o.code is None)

    def faults(self, tool: str) -> tuple[str, ...]:
        """What has to be repaired in the model's function of a tool."""
        draft = self.drafts.get(tool)
        if draft is None:
            return ("no function was written",)
        return draft.faults or self.findings.get(tool, ())


def assemble(desk: Desk, tables: World, drafts: Mapping[str, Draft], from_rules: frozenset[str] = frozenset()) -> World:
    """The world with the best function at hand for each tool: the model's, the rules' where they fit the tables, or a
    placeholder."""
    return tables.model_copy(
        update={
            "operations": tuple(
                _choose(desk, tables, name, drafts.get(name), name in from_rules) for name in desk.frames
            )
        }
    )


def _choose(desk: Desk, tables: World, tool: str, draft: Draft | None, from_rules: bool) -> Operation:
    if draft is not None and draft.operation is not None and not from_rules:
        return draft.operation
    ruled = desk.frames[tool].operation
    return ruled if fits(tables, ruled) else unwritten(desk.frames[tool])


def proved(desk: Desk, world: World, rows: Rows, drafts: Mapping[str, Draft]) -> Version:
    """Run the conformance suite on a version."""
    version = Version(world, rows, drafts)
    settings = replace(desk.settings, rows=rows)
    try:
        files = unproved_files(world, desk.documentation, settings)
    except BadInput as error:
        return replace(version, general=(str(error),))
    with keys_hidden():
        report = prove(files, settings.seed, _silent)
    return replace(version, score=_score(report), findings=_findings(report), general=report.failures)


def _silent(*_: object) -> None:
    pass


def _score(report: Report) -> Score:
    failing = sum(1 for t in report.tools if t.verdict.failures or not t.verdict.calls) + len(report.failures)
    sentences = sum(len(t.verdict.failures) for t in report.tools) + len(report.failures)
    return Score(failing, len(report.dead), report.shares.weak, sentences)


def _findings(report: Report) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for tool in report.tools:
        dead = tuple(f"No effect: the parameter {name!r}" for name in tool.verdict.dead_parameters)
        if tool.verdict.failures or dead:
            found[tool.name] = (*tool.verdict.failures, *dead)
    return found
