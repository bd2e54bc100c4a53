"""The second stage: the functions, a few tools a request; repair asks by the same way with what was found.

Invariant: the number and size of requests grow linearly with the tools; where a request for several tools has no
usable answer it is asked again in halves, and a tool that still has none is left to the rules. Not covered: when to
repair (`repair`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from autoforge.generator.ir import World
from autoforge.generator.llm_synthesis.answers import FunctionAnswer, FunctionsAnswer, held_to
from autoforge.generator.llm_synthesis.describe import policy_text, tables_text, tool_text
from autoforge.generator.llm_synthesis.desk import Desk, Unanswered, all_of
from autoforge.generator.llm_synthesis.drafts import Draft, drafted
from autoforge.generator.llm_synthesis.words import FUNCTIONS, REPAIR
from autoforge.mcp_envs.errors import BudgetExceeded, ModelFailure

__all__ = ["Complaint", "write_functions"]


class Complaint(NamedTuple):
    """A function and what was found."""

    source: str
    faults: tuple[str, ...]


_NONE: Mapping[str, Complaint] = {}


async def write_functions(
    desk: Desk, world: World, tools: Sequence[str], complaints: Mapping[str, Complaint] = _NONE, round_number: int = 0
) -> dict[str, Draft]:
    """Tool -> draft, for the tables of `world`; tools without a usable answer are left out. Raises BudgetExceeded and
    Unanswered."""
    batches = list(_batches(desk, tools, complaints))
    answers = await all_of([partial(_ask, desk, world, batch, complaints, round_number) for batch in batches])
    drafts: dict[str, Draft] = {}
    for answer in (a for group in answers for a in group):
        drafts[answer.tool] = drafted(world, desk.frames[answer.tool], answer, desk.author)
    for tool in tools:
        desk.say("repair" if complaints else "functions", f"{tool}: {_state(drafts.get(tool))}")
    return drafts


def _state(draft: Draft | None) -> str:
    if draft is None:
        return "no usable answer"
    return f"written, but {draft.faults[0]}" if draft.faults else "written"


def _batches(desk: Desk, tools: Sequence[str], complaints: Mapping[str, Complaint]) -> Iterator[list[str]]:
    """Consecutive tools, as many as fit into one request; where several requests are needed, about as many in each."""
    requests = max(1, math.ceil(len(tools) / desk.caps.tools_per_request))
    most = math.ceil(len(tools) / requests)
    batch: list[str] = []
    size = 0
    for tool in tools:
        own = len(_section(desk, tool, complaints.get(tool)))
        if batch and (len(batch) >= most or size + own > desk.caps.characters_per_request):
            yield batch
            batch, size = [], 0
        batch.append(tool)
        size += own
    if batch:
        yield batch


async def _ask(
    desk: Desk, world: World, batch: Sequence[str], complaints: Mapping[str, Complaint], round_number: int
) -> list[FunctionAnswer]:
    label = f"repair {round_number} of {', '.join(batch)}" if complaints else f"functions of {', '.join(batch)}"
    words = f"{FUNCTIONS}\n\n{REPAIR}" if complaints else FUNCTIONS
    rules = [desk.frames[tool].operation for tool in batch]
    sections = (
        ("Tables", tables_text(world, rules)),
        ("Rules of the domain", policy_text(world)),
        *((f"Tool {tool}", _section(desk, tool, complaints.get(tool))) for tool in batch),
    )

    def faults(answer: FunctionsAnswer) -> Iterator[str]:
        given = [f.tool for f in answer.functions]
        if sorted(given) != sorted(batch):
            yield f"functions must hold each of {', '.join(batch)} once, and no others"

    try:
        answer = await desk.ask(label, words, sections, FunctionsAnswer, held_to(FunctionsAnswer, faults))
    except (BudgetExceeded, Unanswered):
        raise
    except ModelFailure:
        if len(batch) == 1:
            return []
        middle = len(batch) // 2
        halves = [
            partial(_ask, desk, world, half, complaints, round_number) for half in (batch[:middle], batch[middle:])
        ]
        return [a for group in await all_of(halves) for a in group]
    return list(answer.functions)


def _section(desk: Desk, tool: str, complaint: Complaint | None) -> str:
    """All that is shown of one tool."""
    frame = desk.frames[tool]
    parts = [tool_text(desk.tool(tool), frame.operation), f"Signature: `{frame.signature}`"]
    if complaint is None:
        guesses = [f"- the draft assumed: {g}" for g in frame.operation.guesses[:5]]
        parts += [
            "Draft, for the draft's own tables, which may be others than those above:",
            f"```python\n{frame.source}\n```",
            *guesses,
        ]
    else:
        parts += [f"```python\n{complaint.source}```", "Found:", *(f"- {fault}" for fault in complaint.faults)]
    return "\n".join(parts)
