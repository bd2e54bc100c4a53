"""What the suite says of an environment, as data and as a table.

Invariant: the same environment and seed give the same report, but for `seconds`. Not covered: writing it into the
manifest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rich.table import Table as RichTable
from rich.text import Text

from autoforge.generator.conformance.bar import Shares
from autoforge.mcp_envs.manifest import Conformance, ToolVerdict

__all__ = ["Report", "ToolReport", "render_table"]


class ToolReport(NamedTuple):
    """One tool's line."""

    name: str
    kind: str
    weak: bool
    verdict: ToolVerdict


@dataclass(frozen=True)
class Report:
    """The verdict on one environment."""

    name: str
    tools: tuple[ToolReport, ...]
    failures: tuple[str, ...]
    """What belongs to no single tool."""
    remarks: tuple[str, ...] = ()
    """What was not looked at, and why. No reason not to pass."""
    enforcement: str = ""
    """How the code was contained, in a sentence."""
    seconds: float = 0.0

    @property
    def shares(self) -> Shares:
        strong = [tool for tool in self.tools if not tool.weak]
        return Shares(
            tools=len(self.tools),
            weak=len(self.tools) - len(strong),
            parameters=sum(tool.verdict.parameters for tool in strong),
            dead=sum(len(tool.verdict.dead_parameters) for tool in strong),
        )

    @property
    def passed(self) -> bool:
        return not self.evidence

    @property
    def evidence(self) -> tuple[str, ...]:
        """Every reason why it does not pass, one sentence each."""
        failed = [f"{tool.name}: {failure}" for tool in self.tools for failure in tool.verdict.failures]
        return (*self.failures, *failed, *self.shares.faults())

    @property
    def calls(self) -> int:
        return sum(tool.verdict.calls for tool in self.tools)

    @property
    def verdicts(self) -> dict[str, ToolVerdict]:
        return {tool.name: tool.verdict for tool in self.tools}

    @property
    def dead(self) -> tuple[str, ...]:
        """`tool.parameter` of every parameter that matters nowhere, those of weak tools included."""
        return tuple(f"{tool.name}.{name}" for tool in self.tools for name in tool.verdict.dead_parameters)

    def as_conformance(self) -> Conformance:
        """The summary for the manifest. Its counts are of all tools and parameters, those of weak tools included."""
        return Conformance(
            passed=self.passed,
            tools=len(self.tools),
            weak=self.shares.weak,
            parameters=sum(tool.verdict.parameters for tool in self.tools),
            dead_parameters=len(self.dead),
            calls=self.calls,
            failures=(*self.failures, *self.shares.faults()),
        )


def render_table(report: Report) -> RichTable:
    """One line for each tool, for a terminal."""
    table = RichTable(
        title=f"Conformance of {report.name}", caption=_caption(report), title_justify="left", caption_justify="left"
    )
    for heading in ("tool", "kind"):
        table.add_column(heading, overflow="fold")
    for heading in ("calls", "ok", "refused", "parameters"):
        table.add_column(heading, justify="right")
    table.add_column("dead", overflow="fold")
    table.add_column("verdict", overflow="fold")
    for tool in report.tools:
        verdict = tool.verdict
        words = Text("passed", "green") if verdict.passed else Text("\n".join(verdict.failures), "red")
        numbers = (verdict.calls, verdict.succeeded, verdict.refused, verdict.parameters)
        dead = Text(", ".join(verdict.dead_parameters), "dim" if tool.weak else "yellow")
        table.add_row(Text(tool.name), "weak" if tool.weak else tool.kind, *map(str, numbers), dead, words)
    return table


def _caption(report: Report) -> Text:
    shares = report.shares
    verdict = "passed" if report.passed else "does not pass"
    weak = f"weak {shares.weak} of {shares.tools} ({shares.weak_share:.0%})"
    dead = f"dead {shares.dead} of {shares.parameters} ({shares.dead_share:.1%})"
    head = f"{verdict}: {shares.tools} tools, {report.calls} calls in {report.seconds:.1f} s; {weak}, {dead}"
    lines = [head, *report.failures, *shares.faults(), *report.remarks]
    return Text("\n".join(lines), "green" if report.passed else "red")
