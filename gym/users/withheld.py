"""Details that a user keeps back until they are asked for.

Kept back is only what cannot be missed: a last clause `with reason overbooking` whose values are all arguments that one
tool of the agent cannot be called without. The rest of the sentence stays as it is. Invariant: without the tools'
documents, or for any other persona, nothing is kept back. Not covered: when the details are told (`scripted`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from autoforge.gym.servers.server import ToolDocument, side_of
from autoforge.gym.users.known import as_said, user_values
from autoforge.gym.users.words import fold, words_of_name
from autoforge.mcp_envs.task import Task, ToolStep, UserValue

__all__ = ["Wish", "withheld"]

_RESERVED = re.compile(r"only when asked|solo si se los piden|nur auf nachfrage")
_CLAUSE = re.compile(r",? (?:with|con|mit) (?=[^\"“„«]*(?:\"[^\"]*\"[^\"]*)*$)")
_BRANCHES = re.compile(r"\b(?:if|should|otherwise|si|falls|wenn|sonst)\b")
_BETWEEN = re.compile(r", | and | y | und ")


class Wish(NamedTuple):
    text: str
    whole: str
    """With what is kept back."""
    kept_back: frozenset[str] = frozenset()
    """Names of known values."""


def withheld(wish: str, task: Task, tools: Sequence[ToolDocument]) -> Wish:
    """The wish as this user tells it at first."""
    if not tools or not _RESERVED.search(fold(task.persona)) or _BRANCHES.search(fold(wish)):
        return Wish(wish, wish)
    needed = _needed(task, {str(tool["name"]): tool for tool in tools if side_of(tool) == "agent"})
    for match in reversed(list(_CLAUSE.finditer(wish))):
        clause = wish[match.end() :].rstrip()
        names = _all_named(clause.rstrip(".?"), needed, task)
        if names:
            return Wish(wish[: match.start()] + clause[len(clause.rstrip(".?")) :][-1:], wish, names)
    return Wish(wish, wish)


def _all_named(clause: str, needed: Sequence[str], task: Task) -> frozenset[str]:
    """The names of which a clause is a list, with their values; none where anything else is in it."""
    spoken = {f"{' '.join(words_of_name(n))} {_said(n, task)}": n for n in needed}
    items = _BETWEEN.split(clause)
    found = {spoken.get(item) for item in items}
    return frozenset() if None in found else frozenset(name for name in found if name)


def _said(name: str, task: Task) -> str:
    value = task.known[name]
    text = as_said(value, task.instruction, task.language)
    return text.replace("_", " ") if text not in task.instruction else text


def _needed(task: Task, tools: Mapping[str, ToolDocument]) -> list[str]:
    """The names of values that one unconditional step of the agent takes as required arguments, and nothing else."""
    names = [name for name, value in task.known.items() if not isinstance(value, bool | list | dict)]
    uses = {name: list(_uses(task, name)) for name in names}
    once = {name: used[0] for name, used in uses.items() if len(used) == 1 and used[0] is not None}
    alone = [name for name in once if sum(task.known[name] == value for value in task.known.values()) == 1]
    return [name for name in alone if _required(name, once[name], tools)]


def _uses(task: Task, name: str) -> Iterator[ToolStep | None]:
    """The steps that take a value as an argument of their own; None for any other use."""
    for node in task.blueprint.nodes:
        if name in user_values(node.sources):
            plain = isinstance(node, ToolStep) and node.when is None and not node.attempt and node.actor == "agent"
            yield node if plain and isinstance(node, ToolStep) else None


def _required(name: str, step: ToolStep, tools: Mapping[str, ToolDocument]) -> bool:
    schema = (tools.get(step.tool) or {}).get("inputSchema") or {}
    own = [key for key, source in step.arguments.items() if isinstance(source, UserValue) and source.user == name]
    required = set(schema.get("required", ()))
    defaults = {key for key, part in (schema.get("properties") or {}).items() if "default" in part}
    return len(own) == 1 and own[0] in required - defaults
