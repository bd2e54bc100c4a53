"""The figures at the head of the page, and what does not hold.

Invariant: counts of the proof come from the manifest's conformance where it is there; without it the page says that
nothing was proved, and counts only what exists. Not covered: markup.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from autoforge.generator.report.tool_view import ToolView
from autoforge.generator.report.wording import share
from autoforge.mcp_envs.manifest import Manifest

__all__ = ["Finding", "Overview", "Tile", "overview"]


class Tile(NamedTuple):
    value: str
    label: str
    note: str
    tone: str = ""
    """`good`, `bad`, `warn` or nothing."""
    query: str = ""
    """What the tile filters the tools by."""


class Finding(NamedTuple):
    """A sentence about a tool."""

    tool: str
    anchor: str
    sentence: str


@dataclass(frozen=True)
class Overview:
    status: str
    """`passed`, `failed` or `unproved`."""
    headline: str
    tiles: tuple[Tile, ...]
    kinds: tuple[tuple[str, int], ...]
    """How many tools there are of each kind, most first."""
    failures: tuple[str, ...]
    """Of the environment as a whole."""
    findings: tuple[Finding, ...]
    """Failures of single tools."""
    dead: tuple[Finding, ...]
    """Parameters that matter nowhere."""


def overview(manifest: Manifest, tools: tuple[ToolView, ...]) -> Overview:
    conformance = manifest.conformance
    judged = [(tool, tool.record.verdict) for tool in tools if tool.record.verdict is not None]
    findings = tuple(_finding(tool, s) for tool, verdict in judged for s in verdict.failures)
    dead = tuple(_finding(tool, s) for tool, verdict in judged for s in verdict.dead_parameters)
    status = "unproved" if conformance is None else "passed" if conformance.passed else "failed"
    return Overview(
        status=status,
        headline=_headline(manifest, len(findings)),
        tiles=(*_sizes(manifest, tools), *_proof(manifest, tools, len(dead))),
        kinds=tuple(Counter(t.record.kind for t in tools).most_common()),
        failures=conformance.failures if conformance else (),
        findings=findings,
        dead=dead,
    )


def _finding(tool: ToolView, sentence: str) -> Finding:
    return Finding(tool.record.name, tool.anchor, sentence)


def _headline(manifest: Manifest, findings: int) -> str:
    conformance = manifest.conformance
    if conformance is None:
        return "No conformance check has run on these files."
    if conformance.passed:
        return f"Every check holds, over {_count(conformance.calls, 'call')}."
    broken = findings + len(conformance.failures)
    return f"{_count(broken, 'finding')} over {_count(conformance.calls, 'call')}; this environment is below the bar."


def _sizes(manifest: Manifest, tools: tuple[ToolView, ...]) -> tuple[Tile, ...]:
    users = sum(t.record.side == "user" for t in tools)
    weak = sum(t.record.weak for t in tools)
    singletons = sum(table.singleton for table in manifest.tables)
    columns = sum(len(table.columns) for table in manifest.tables)
    return (
        Tile(str(len(tools)), _noun(len(tools), "tool"), f"{users} of the user" if users else "all of the agent"),
        Tile(
            str(weak),
            _noun(weak, "weak tool"),
            f"{share(weak, len(tools))} of all",
            "warn" if weak else "",
            "is:weak" if weak else "",
        ),
        Tile(
            str(len(manifest.tables)),
            _noun(len(manifest.tables), "table"),
            f"{columns} columns" + (f", {singletons} with one row" if singletons else ""),
        ),
    )


def _proof(manifest: Manifest, tools: tuple[ToolView, ...], dead: int) -> tuple[Tile, ...]:
    parameters = sum(len(t.parameters) for t in tools)
    required = sum(p.required for t in tools for p in t.parameters)
    conformance = manifest.conformance
    if conformance is None:
        return (Tile(str(parameters), "parameters", f"{required} required"), Tile("?", "not proved", "no verdicts"))
    passed = sum(t.status == "passed" for t in tools)
    failed = sum(t.status == "failed" for t in tools)
    unproved = len(tools) - passed - failed
    return (
        Tile(str(conformance.parameters), "parameters", f"{required} required"),
        Tile(
            str(dead),
            _noun(dead, "dead parameter"),
            f"{share(dead, conformance.parameters)} of all",
            "warn" if dead else "",
            "is:dead" if dead else "",
        ),
        Tile(
            str(passed),
            _noun(passed, "tool") + " passed",
            f"{unproved} not called" if unproved else f"of {len(tools)}",
            "good" if passed else "",
        ),
        Tile(
            str(failed),
            _noun(failed, "tool") + " failed",
            f"of {len(tools)}",
            "bad" if failed else "",
            "is:failed" if failed else "",
        ),
        Tile(f"{conformance.calls:,}".replace(",", "\u202f"), "calls", "made to prove it"),
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {_noun(number, noun)}"


def _noun(number: int, noun: str) -> str:
    return noun if number == 1 else noun + "s"
