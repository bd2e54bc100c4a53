"""Takes out of a draft what the gate found to be said in vain.

Invariant: what comes out asks for the same goals with one value fewer; it is proved anew. Not covered: values that a
call must have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from autoforge.generator.tasks.builder import Setting
from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.cells import plain_rows
from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.finish import node_sources
from autoforge.generator.tasks.interpreter import Infeasible, execute, resolve
from autoforge.mcp_envs.paths import NoSuchPart
from autoforge.mcp_envs.task import Blueprint, Node, Output, Reasoning, Source, ToolStep, UserValue, sources_in

__all__ = ["pruned", "slimmed", "without"]

_NAMED = re.compile(r"whatever '([^']+)' is")


def slimmed(setting: Setting, draft: Draft, rejection: Rejection) -> Draft | None:
    """The draft without the superfluous value that a rejection names; None where it cannot do without."""
    found = _NAMED.search(str(rejection))
    if rejection.reason != "superfluous value" or found is None:
        return None
    less = without(draft, found.group(1), setting.catalogue)
    return None if less is None or _outcome(setting, less) is None else less


def pruned(setting: Setting, draft: Draft) -> Draft:
    """The draft without optional values and conditions that change neither the final state nor an answer.

    Raises Rejection where it cannot be carried out.
    """
    outcome = _outcome(setting, draft)
    if outcome is None:
        raise Rejection("a draft that cannot be carried out")
    for name in list(draft.known):
        less = without(draft, name, setting.catalogue)
        if less is not None and _outcome(setting, less) == outcome:
            draft = less
    return draft


def _outcome(setting: Setting, draft: Draft) -> object:
    """The final state, the answers, and which way the guards went; None where it cannot be carried out."""
    session = setting.stage.session(setting.stage.start(draft.initial, draft.setup))
    try:
        done = execute(draft.blueprint, draft.known, session.call)
        answers = [resolve(answer.source, draft.known, done.values) for answer in draft.answers]
        return plain_rows(session.state()), answers, sorted(done.skipped), sorted(done.refused)
    except (Infeasible, NoSuchPart, KeyError):
        return None
    finally:
        session.close()


def without(draft: Draft, name: str, catalogue: Catalogue) -> Draft | None:
    """The draft without a value of the user where it is optional or a filter; None where nothing is left out. What
    must have the value keeps it.
    """
    nodes: list[Node] = []
    bypassed: dict[str, Source] = {}
    for node in draft.blueprint.nodes:
        node = _bypassing(node, bypassed)
        if isinstance(node, ToolStep):
            node = _without_argument(node, name, catalogue)
        elif node.reason == "filter" and node.over is not None and _reads(node, name):
            bypassed[node.id] = node.over
            continue
        nodes.append(node)
    if nodes == list(draft.blueprint.nodes) or _answers_change(draft, bypassed):
        return None
    return _rebuilt(draft, nodes, name, bypassed)


def _reads(node: Node, name: str) -> bool:
    return any(isinstance(s, UserValue) and s.user == name for s in node_sources(node))


def _without_argument(step: ToolStep, name: str, catalogue: Catalogue) -> ToolStep:
    """The step without optional arguments that are the value."""
    needed = {slot.parameter for slot in catalogue.tools[step.tool].slots if slot.required}
    kept = {a: s for a, s in step.arguments.items() if a in needed or not (isinstance(s, UserValue) and s.user == name)}
    return step.model_copy(update={"arguments": kept})


def _bypassing(node: Node, bypassed: Mapping[str, Source]) -> Node:
    """The node that reads what a bypassed one read."""
    if not isinstance(node, Reasoning) or not isinstance(node.over, Output) or node.over.node not in bypassed:
        return node
    return node.model_copy(update={"over": bypassed[node.over.node]}) if node.over.path == "$" else node


def _answers_change(draft: Draft, bypassed: Mapping[str, Source]) -> bool:
    """Whether an answer comes from what a bypassed node kept."""
    affected = set(bypassed)
    for node in draft.blueprint.nodes:
        if any(isinstance(s, Output) and s.node in affected for s in node_sources(node)):
            affected.add(node.id)
    return bool(bypassed) and any(
        isinstance(s, Output) and s.node in affected for a in draft.answers for s in sources_in(a.source)
    )


def _rebuilt(draft: Draft, nodes: list[Node], name: str, bypassed: Mapping[str, Source]) -> Draft | None:
    kept = {node.id for node in nodes}
    read = {s.node for node in nodes for s in node_sources(node) if isinstance(s, Output)}
    if not read <= kept:
        return None
    edges = [(a, b) for a, b in draft.blueprint.edges if a in kept and b in kept]
    for node in nodes:
        edges += [
            (s.node, node.id) for s in node_sources(node) if isinstance(s, Output) and (s.node, node.id) not in edges
        ]
    return replace(
        draft,
        blueprint=Blueprint(nodes=tuple(nodes), edges=tuple(dict.fromkeys(edges))),
        known={k: v for k, v in draft.known.items() if k != name or any(_reads(node, name) for node in nodes)},
        wishes=tuple(tuple(n for n in wish if n in kept) for wish in draft.wishes),
    )
