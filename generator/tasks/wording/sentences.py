"""A wish as sentences: its goals in order, branches by a condition, fall-backs, steps on the user's own side.

Invariant: every step that changes something, of the wish, is in its sentences exactly once. Not covered: openings and
answers (`wording`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from autoforge.mcp_envs.task import Reasoning, ToolStep

if TYPE_CHECKING:
    from autoforge.generator.tasks.wording.teller import Teller

__all__ = ["capital", "goals", "sentences"]


class _Branch(NamedTuple):
    """Steps that are done if something holds."""

    node: str
    holds: list[ToolStep]
    fails: list[ToolStep]


def goals(teller: Teller, ids: Sequence[str]) -> list[ToolStep]:
    """The steps of a wish that are asked for, in their order: those that change something or are the user's own."""
    wanted = set(ids)
    return [
        step
        for step in teller.draft.blueprint.steps
        if step.id in wanted
        and (not teller.tool(step).reads_only or step.actor == "user")
        and step.id not in teller.memory.worded
    ]


def sentences(teller: Teller, steps: Sequence[ToolStep], *, first: bool, last: bool) -> list[str]:
    """The sentences of one wish; `first` and `last` of the instruction."""
    guarded = {step.id: step.when.node for step in steps if step.when is not None}
    own = {step.id for step in steps}
    found: list[str] = []
    done: set[str] = set()
    for step in steps:
        if step.id in done or guarded.get(step.id) in own:
            continue
        if step.when is not None:
            mates = [s for s in steps if s.when is not None and s.when.node == step.when.node]
            done |= {s.id for s in mates}
            found += _with_ahead(teller, partial(_branch, teller, step, mates), bool(found) or not first)
        else:
            done.add(step.id)
            alone = not found
            final = last and step is steps[-1] and len(steps) > 1
            make = partial(_plain, teller, step, first=first and alone, last=final)
            found += _with_ahead(teller, make, bool(found) or not first)
        rest = [s for s in steps if guarded.get(s.id) in done and s.id not in done]
        while rest:
            done |= {s.id for s in rest}
            found.extend(_after_attempt(teller, rest))
            rest = [s for s in steps if guarded.get(s.id) in done and s.id not in done]
    return found


def _with_ahead(teller: Teller, make: Callable[[], str], later: bool) -> list[str]:
    """A sentence, and before it those that say its long phrases."""
    teller.ahead = []
    text = make()
    things, teller.ahead = teller.ahead, None
    found = []
    for place, thing in enumerate(things):
        found.append(capital(teller.say("find also" if place else "find next" if later else "find", thing=thing)))
    return [*found, text]


def _plain(teller: Teller, step: ToolStep, *, first: bool, last: bool) -> str:
    if step.actor == "user":
        return capital(teller.say("my side", clause=_own(teller, teller.clause(step))))
    template = "ask" if first else "last" if last else "next"
    return capital(teller.say(template, clause=teller.clause(step)))


def _own(teller: Teller, clause: str) -> str:
    """The documentation of the user's tools speaks to the user."""
    return re.sub(rf"\b{teller.grammar.say('your')}\b", teller.grammar.say("my"), clause)


def _branch(teller: Teller, step: ToolStep, mates: Sequence[ToolStep]) -> str:
    assert step.when is not None
    node = teller.node(step.when.node)
    if not isinstance(node, Reasoning):
        return " ".join(_after_attempt(teller, mates))
    holds = [s for s in mates if s.when is not None and s.when.equals is not False]
    fails = [s for s in mates if s.when is not None and s.when.equals is False]
    text = teller.condition(node, bool(holds))
    if not holds:
        return capital(teller.say("if", condition=text, then=_together(teller, fails))) + "."
    first = teller.say("if", condition=text, then=_together(teller, holds))
    if not fails:
        return capital(first) + "."
    return capital(f"{first}; {teller.say('otherwise', then=_together(teller, fails))}.")


def _after_attempt(teller: Teller, steps: Sequence[ToolStep]) -> list[str]:
    refused = [s for s in steps if s.when is not None and s.when.refused is not False]
    worked = [s for s in steps if s.when is not None and s.when.refused is False]
    found = []
    if refused:
        found.append(capital(teller.say("instead", then=_together(teller, refused))) + ".")
    if worked:
        found.append(capital(teller.say("and if works", then=_together(teller, worked))) + ".")
    return found


def _together(teller: Teller, steps: Sequence[ToolStep]) -> str:
    clauses = []
    for step in steps:
        clause = teller.clause(step)
        clauses.append(teller.say("my side clause", clause=_own(teller, clause)) if step.actor == "user" else clause)
    if len(clauses) == 1:
        return clauses[0]
    return (
        f", {teller.grammar.say('then', clause='')}".join(clauses)
        if len(clauses) > 2
        else (f"{clauses[0]} {teller.grammar.say('and')} {clauses[1]}")
    )


def capital(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]
