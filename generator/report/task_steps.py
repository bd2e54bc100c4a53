"""The nodes of a task as a reader tells them apart: what kind each is, what fills it, what became of it.

Invariant: the picture on the page and the list in the terminal are made of the same steps. Not covered: places
(`task_picture`), markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from autoforge.generator.report.task_words import guard_words, leaves, operation_words, short, source_words
from autoforge.mcp_envs.manifest import Manifest, ToolRecord
from autoforge.mcp_envs.task import Answer, Node, Output, Reasoning, Source, Task, ToolStep, UserValue, sources_in

__all__ = ["Fate", "Input", "Kind", "Step", "answer_name", "known_name", "steps", "writing_tools"]

Kind: TypeAlias = Literal["known", "read", "write", "user", "reason", "answer"]
"""`known`: a value of the user's; `user`: a call that the user makes; `answer`: what the user must be told."""
Fate: TypeAlias = Literal["done", "refused", "skipped"]


class Input(NamedTuple):
    """One place of a step, and where its value comes from."""

    name: str
    words: str
    """`rooms[*].id` of an output, the name of a known value, or the literal itself."""
    full: str
    """The same with the node, at full length."""
    origin: str | None = None
    """Id of the step that gives it; None for a literal."""
    flow: Literal["data", "guard"] = "data"


class Step(NamedTuple):
    """One node of the picture."""

    id: str
    kind: Kind
    title: str
    detail: str
    """What it does beyond its title: the operator's field, the known value."""
    inputs: tuple[Input, ...]
    fate: Fate = "done"
    attempt: bool = False


def known_name(name: str) -> str:
    """Id of the step for a known value."""
    return f"user:{name}"


def answer_name(place: int) -> str:
    """Id of the step for an answer, by its place in the gold."""
    return f"answer:{place}"


def writing_tools(manifest: Manifest) -> frozenset[str]:
    """The tools that change the state, or that have an effect no column shows (weak ones)."""
    return frozenset(tool.name for tool in manifest.tools if _writes(tool))


def _writes(tool: ToolRecord) -> bool:
    effects = tool.effects
    return bool(effects.creates or effects.updates or effects.deletes) or tool.kind == "weak"


def steps(task: Task, writing: frozenset[str], outputs: Mapping[str, Any]) -> tuple[Step, ...]:
    """Known values that something reads, then the nodes in the order of the blueprint, then the answers."""
    fates: dict[str, Fate] = {}
    executed = {call.node for call in task.gold.calls}
    for node in task.blueprint.nodes:
        fates[node.id] = _fate(node, fates, executed, outputs)
    used = dict.fromkeys(
        leaf.user for source in _sources(task) for leaf in sources_in(source) if isinstance(leaf, UserValue)
    )
    return (
        *(Step(known_name(name), "known", name, short(task.known.get(name), 60), ()) for name in used),
        *(_step(node, fates[node.id], writing) for node in task.blueprint.nodes),
        *(_told(place, answer) for place, answer in enumerate(task.gold.answers)),
    )


def _sources(task: Task) -> Iterator[Source]:
    for node in task.blueprint.nodes:
        yield from _given(node).values()
    yield from (answer.source for answer in task.gold.answers)


def _given(node: Node) -> dict[str, Source]:
    if isinstance(node, ToolStep):
        return dict(node.arguments)
    return {**({} if node.over is None else {"over": node.over}), **node.inputs}


def _fate(node: Node, fates: Mapping[str, Fate], executed: set[str], outputs: Mapping[str, Any]) -> Fate:
    """From the gold's calls, which name every call that was accepted; of the rest, attempts were refused."""
    read = {leaf.node for source in _given(node).values() for leaf in sources_in(source) if isinstance(leaf, Output)}
    if any(fates.get(name) != "done" for name in read) or not _guard_holds(node, fates, outputs):
        return "skipped"
    if isinstance(node, Reasoning) or node.id in executed:
        return "done"
    return "refused" if node.attempt else "skipped"


def _guard_holds(node: Node, fates: Mapping[str, Fate], outputs: Mapping[str, Any]) -> bool:
    guard = node.when
    if guard is None:
        return True
    if fates.get(guard.node) == "skipped":
        return False
    if guard.refused is not None:
        return (fates.get(guard.node) == "refused") == guard.refused
    return guard.node not in outputs or bool(outputs[guard.node]) == guard.equals


def _step(node: Node, fate: Fate, writing: frozenset[str]) -> Step:
    inputs = [_input(leaf.name, leaf.source) for name, source in _given(node).items() for leaf in leaves(name, source)]
    if node.when is not None:
        words = guard_words(node.when)
        inputs.insert(0, Input("", words, words, node.when.node, "guard"))
    if isinstance(node, Reasoning):
        return Step(node.id, "reason", node.reason.replace("_", " "), operation_words(node), tuple(inputs), fate)
    kind: Kind = "user" if node.actor == "user" else "write" if node.tool in writing else "read"
    return Step(node.id, kind, node.tool, "", tuple(inputs), fate, node.attempt)


def _input(name: str, source: Source) -> Input:
    full = source_words(source, 400)
    if isinstance(source, UserValue):
        return Input(name, source.user, full, known_name(source.user))
    if isinstance(source, Output):
        return Input(name, source.path.removeprefix("$").removeprefix(".") or "value", full, source.node)
    return Input(name, source_words(source, 40), full)


def _told(place: int, answer: Answer) -> Step:
    inputs = tuple(_input(leaf.name, leaf.source) for leaf in leaves("", answer.source))
    return Step(answer_name(place), "answer", answer.name, short(answer.value, 60), inputs)
