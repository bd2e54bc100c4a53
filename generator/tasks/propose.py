"""One proposal: walks merged over one episode, with twists and questions, bound to a state.

Invariant: a proposal depends on its number, the seed and the policy only, so any process can make it. Not covered: its
wording and its proof.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress

from autoforge.generator.tasks.builder import Builder, Setting
from autoforge.generator.tasks.catalogue import ToolModel
from autoforge.generator.tasks.draft import Draft, Rejection, Wish
from autoforge.generator.tasks.extend import look_alikes
from autoforge.generator.tasks.finish import finished, needed
from autoforge.generator.tasks.graph import Edge
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.questions import question_about, question_in_hand
from autoforge.generator.tasks.stage import Start
from autoforge.generator.tasks.steps import take_step
from autoforge.generator.tasks.twists import branch, fall_back, plain
from autoforge.generator.tasks.walks import Walk
from autoforge.mcp_envs.errors import AutoForgeError
from autoforge.mcp_envs.task import ToolStep

__all__ = ["propose"]

_FAILURES = 8
"""Walks in a row that the state does not allow before no more are tried."""
_DRAWN_AGAIN = 2
"""How often a proposal without a reasoning node is drawn again."""
_SPARE = 9
"""Walks that stand by for those that the state does not allow."""


def propose(setting: Setting, walks: Sequence[Walk], number: int, *, seed: int, policy: TaskPolicy) -> Draft:
    """The proposal of a number; for a share of them drawn again where nothing has to be reasoned. Raises Rejection."""
    if not walks:
        raise Rejection("no walks")
    wants_reasoning = random.Random(f"reasoning {seed} {number}").random() < policy.reasoning
    draft = _proposed(setting, walks, number, 0, seed=seed, policy=policy)
    for again in range(1, _DRAWN_AGAIN + 1):
        if draft.blueprint.reasons or not wants_reasoning:
            break
        with suppress(Rejection):
            draft = _proposed(setting, walks, number, again, seed=seed, policy=policy)
    return draft


def _proposed(
    setting: Setting, walks: Sequence[Walk], number: int, again: int, *, seed: int, policy: TaskPolicy
) -> Draft:
    chance = random.Random(f"proposal {seed} {number}" + (f" {again}" if again else ""))
    count = 1 if chance.random() >= policy.merged else chance.choice((2, 2, 3))
    candidates = _candidates(walks, number, chance, setting, count)
    start, initial = _start(setting, candidates[:count], chance, policy)
    builder = Builder(setting, start, chance)
    try:
        wishes = _woven(builder, candidates, count, policy)
        merged = len(wishes)
        wishes += _asked(builder, wishes, policy)
        provenance = {"seed": seed, "proposal": number}
        return finished(builder, wishes, initial, merged, provenance, policy.easier())
    finally:
        builder.close()


def _woven(builder: Builder, candidates: Sequence[Walk], count: int, policy: TaskPolicy) -> list[Wish]:
    """The first `count` candidates that can be walked one after the other on the same episode. Raises Rejection."""
    wishes: list[Wish] = []
    failure = Rejection("no walks")
    failed = 0
    for walk in candidates:
        before = builder.snapshot()
        try:
            wishes.append(_walked(builder, walk, policy))
            failed = 0
        except Rejection as rejection:
            failure = rejection
            failed += 1
            builder.restore(before)
        finally:
            builder.forget(before)
        if failed > _FAILURES or (len(wishes) >= count and _is_enough(builder, wishes, policy)):
            break
    if not wishes:
        raise failure
    return wishes


def _is_enough(builder: Builder, wishes: Sequence[Wish], policy: TaskPolicy) -> bool:
    """Whether the wishes so far come to as many gold calls and writes as are wanted."""
    kept = needed(builder.nodes, [g for w in wishes for g in w.goals], [w.answer for w in wishes if w.answer])
    calls = [n for n in builder.nodes if isinstance(n, ToolStep) and n.id in kept and n.id in builder.values]
    writes = [n for n in calls if not builder.catalogue.tools[n.tool].reads_only]
    least = policy.least_writes if builder.catalogue.writes else 0
    return len(calls) >= policy.least_calls and len(writes) >= least


def _candidates(walks: Sequence[Walk], number: int, chance: random.Random, setting: Setting, count: int) -> list[Walk]:
    """The walk of this number, then others, those first that touch the same tables and end in a write."""
    first = walks[number % len(walks)]
    tables = _tables(setting, first)
    others = [w for w in chance.sample(walks, min(3 * _SPARE, len(walks))) if w != first]

    def fit(walk: Walk) -> int:
        return 2 * setting.catalogue.tools[walk.goal].reads_only + (not tables & _tables(setting, walk))

    return [first, *sorted(others, key=fit)[: count - 1 + _SPARE]]


def _tables(setting: Setting, walk: Walk) -> set[str]:
    found: set[str] = set()
    for name in walk.tools:
        effects = setting.catalogue.tools[name].record.effects
        found |= {*effects.reads, *effects.creates, *effects.updates, *effects.deletes}
    return found


def _start(
    setting: Setting, walks: Sequence[Walk], chance: random.Random, policy: TaskPolicy
) -> tuple[Start, tuple[str, ...]]:
    """The state a task begins in, with look-alikes where the schema takes them."""
    seed = setting.stage.start()
    if chance.random() < policy.look_alikes:
        shown = {r.table for w in walks for name in w.tools for r in setting.catalogue.tools[name].rows if r.many}
        statements = look_alikes(seed.state, setting.catalogue.manifest, sorted(shown), chance)
        try:
            return (setting.stage.start(statements), statements) if statements else (seed, ())
        except AutoForgeError:
            return setting.stage.start(), ()
    return seed, ()


def _walked(builder: Builder, walk: Walk, policy: TaskPolicy) -> Wish:
    """All steps of a walk, each fed by the one before."""
    before = len(builder.nodes)
    goals: list[str] = []
    feed: tuple[str, Edge] | None = None
    for place, name in enumerate(walk.tools):
        tool = builder.catalogue.tools[name]
        last = place + 1 == len(walk.tools)
        if last and not tool.reads_only:
            goals += _goal(builder, tool, feed, policy)
        else:
            node = take_step(builder, tool, feed)
            goals += [] if tool.reads_only else [node]
            feed = (node, walk.edges[place]) if not last else None
    answer = None
    if builder.catalogue.tools[walk.goal].reads_only:
        answer = question_about(builder, builder.catalogue.tools[walk.goal], node)
    return Wish(tuple(n.id for n in builder.nodes[before:]), tuple(goals), answer)


def _goal(builder: Builder, tool: ToolModel, feed: tuple[str, Edge] | None, policy: TaskPolicy) -> list[str]:
    """The last step, with a twist where chance and the state allow one."""
    drawn = builder.chance.random()
    twist = branch if drawn < policy.branches else fall_back if drawn < policy.branches + policy.fall_backs else None
    if twist is not None:
        before = builder.snapshot()
        try:
            return twist(builder, tool, feed)
        except Rejection:
            builder.restore(before)
        finally:
            builder.forget(before)
    return plain(builder, tool, feed)


def _asked(builder: Builder, wishes: Sequence[Wish], policy: TaskPolicy) -> list[Wish]:
    """A question about what is in hand, for a share of the proposals."""
    if any(w.answer for w in wishes) or builder.chance.random() >= policy.questions:
        return []
    before = len(builder.nodes)
    try:
        answer = question_in_hand(builder)
    except Rejection:
        return []
    return [Wish(tuple(n.id for n in builder.nodes[before:]), (), answer)]
