"""Scores final states and messages against one task, many times, and says where two states differ.

Invariant: `gym.reward` alone scores; nothing here is easier or harder than an episode. Not covered: what is a mutant.
"""

from __future__ import annotations

from collections.abc import Sequence

from autoforge.gym.reward import score
from autoforge.mcp_envs.equality import Comparer
from autoforge.mcp_envs.manifest import ColumnKind, Manifest
from autoforge.mcp_envs.runtime import CLOCK_TABLE
from autoforge.mcp_envs.state import MACHINERY, State, changes
from autoforge.mcp_envs.task import Task

__all__ = ["Scorer", "landing"]

_UNSEEN = MACHINERY - {CLOCK_TABLE}
"""Tables that no comparison reads."""


class Scorer:
    """One task's final states, all from the same initial one."""

    def __init__(self, task: Task, initial: State, gold: State, manifest: Manifest) -> None:
        """`gold`: the initial state with the task's diff applied."""
        self._task = task
        self._initial, self._gold, self._manifest = initial, gold, manifest
        self._comparer = Comparer(initial, manifest)
        self._known: dict[tuple[object, ...], int] = {}

    def score(self, final: State, messages: Sequence[str]) -> int:
        """1 or 0 for an episode that ended so, with what the agent told the user."""
        rows = tuple((name, contents.rows) for name, contents in final.items() if name not in _UNSEEN)
        key = (rows, tuple(messages))
        if key not in self._known:
            self._known[key] = self._scored(final, messages)
        return self._known[key]

    def _scored(self, final: State, messages: Sequence[str]) -> int:
        reward = score(
            self._task,
            self._initial,
            final,
            self._manifest,
            messages,
            gold=self._gold,
            comparer=self._comparer,
            explain=False,
        )
        return int(reward.value)


def landing(one: State, two: State, manifest: Manifest) -> set[ColumnKind]:
    """The kinds of the columns in which two states differ, generated ids taken as they are; `key` for rows that only
    one has.
    """
    kinds = {(t.name, c.name): c.kind for t in manifest.tables for c in t.columns}
    found: set[ColumnKind] = set()
    for change in changes(one, two, manifest):
        if change.before is None or change.after is None:
            found.add(ColumnKind.KEY)
        else:
            found |= {kinds.get((change.table, name), ColumnKind.VALUE) for name in change.after}
    return found
