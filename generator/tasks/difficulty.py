"""How hard a task is, measured on its blueprint and its gold calls.

Invariant: a figure is counted, never guessed; the level is a function of the figures. Not covered: how hard a model
finds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.mcp_envs.task import Blueprint, Difficulty, GoldCall

__all__ = ["LEVELS", "measure"]

LEVELS = ("easy", "medium", "hard")
_EASY = 9
_HARD = 17


def measure(blueprint: Blueprint, calls: Sequence[GoldCall], catalogue: Catalogue, walks: int) -> Difficulty:
    """The difficulty of a task. The level is by calls + 2 writes + 2 reasoning nodes + 3 branches: easy below 9, hard
    from 17.
    """
    writes = sum(not catalogue.tools[call.tool].reads_only for call in calls)
    reasoning = len(blueprint.reasons)
    branches = len({node.when.node for node in blueprint.nodes if node.when is not None})
    weight = len(calls) + 2 * writes + 2 * reasoning + 3 * branches
    level: Literal["easy", "medium", "hard"] = "easy" if weight < _EASY else "hard" if weight >= _HARD else "medium"
    return Difficulty(
        calls=len(calls), writes=writes, depth=_depth(blueprint), reasoning=reasoning, branches=branches, walks=walks,
        level=level,
    )  # fmt: skip


def _depth(blueprint: Blueprint) -> int:
    """Nodes on the longest path."""
    parents: Mapping[str, list[str]] = {n.id: [a for a, b in blueprint.edges if b == n.id] for n in blueprint.nodes}
    depth: dict[str, int] = {}
    for node in blueprint.nodes:
        depth[node.id] = 1 + max((depth.get(p, 0) for p in parents[node.id]), default=0)
    return max(depth.values(), default=0)
