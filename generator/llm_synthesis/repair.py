"""The last stage: functions with findings are asked for again, with the findings.

Invariant: at most `Caps.rounds` rounds and `Caps.tokens` tokens; a function that comes back as it was before is not
asked for again; what is returned is the best version that was proved, never a later, worse one. Not covered: tables
and rows.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import NamedTuple

from autoforge.generator.llm_synthesis.desk import Desk
from autoforge.generator.llm_synthesis.functions import Complaint, write_functions
from autoforge.generator.llm_synthesis.versions import Version, assemble, proved
from autoforge.mcp_envs.errors import BudgetExceeded

__all__ = ["Repaired", "repaired"]


class Repaired(NamedTuple):
    version: Version
    notes: tuple[str, ...]
    """Why it ended, where it did not end well."""


def repaired(desk: Desk, version: Version) -> Repaired:
    """The best of the given version and those that repairing it gives. Raises Unanswered."""
    best = current = version
    seen: dict[str, set[str]] = defaultdict(set)
    for tool, draft in version.drafts.items():
        seen[tool].add(_mark(draft.source))
    stuck: set[str] = set()
    notes: list[str] = []
    for round_number in range(1, desk.caps.rounds + 1):
        broken = [tool for tool in desk.frames if tool not in stuck and current.faults(tool)]
        if not broken:
            break
        if desk.client.tokens > _allowance(desk):
            notes.append(f"Repair ended after {desk.client.tokens} tokens, with findings on {', '.join(broken)}.")
            break
        try:
            current = _round(desk, current, broken, round_number, seen, stuck)
        except BudgetExceeded as error:
            notes.append(f"Repair ended with findings on {', '.join(broken)}: the cost limit was reached.")
            desk.say("repair", str(error))
            break
        desk.say("repair", f"round {round_number}: {_summary(current)}")
        best = min(best, current, key=lambda v: v.score)
    return Repaired(best, tuple(notes))


def _round(
    desk: Desk, current: Version, broken: list[str], number: int, seen: dict[str, set[str]], stuck: set[str]
) -> Version:
    """Ask once more for the broken functions, and prove what comes."""
    complaints = {
        t: Complaint(current.drafts[t].source if t in current.drafts else "", current.faults(t)) for t in broken
    }
    for tool in broken:
        desk.say("repair", f"{tool}: {current.faults(tool)[0]}")
    answers = desk.wait(
        write_functions, desk, current.world.model_copy(update={"operations": ()}), broken, complaints, number
    )
    fresh = {tool: draft for tool, draft in answers.items() if _mark(draft.source) not in seen[tool]}
    stuck.update(set(broken) - fresh.keys())
    for tool, draft in fresh.items():
        seen[tool].add(_mark(draft.source))
    if not fresh:
        return current
    drafts = {**current.drafts, **fresh}
    return proved(desk, assemble(desk, current.world, drafts), current.rows, drafts)


def _allowance(desk: Desk) -> int:
    return desk.caps.tokens + desk.caps.tokens_per_tool * len(desk.frames)


def _mark(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8")).hexdigest()


def _summary(version: Version) -> str:
    score = version.score
    return f"{score.failing} failing, {score.dead} parameters without effect, {score.weak} weak"
