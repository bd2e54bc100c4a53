"""A state as it was: the bytes of its file, its rows, and how another file of the same structure differs from it.

Invariant: what differs is what comparing all rows of both would find; only the tables that can differ are read, so the
cost grows with what a call changed, not with how many tables there are. Not covered: which differences matter.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import cached_property

from autoforge.generator.conformance.pages import owners_of, touched
from autoforge.mcp_envs.state import Contents, State, state_of_bytes, wary

__all__ = ["Snapshot"]


class Snapshot:
    """One state."""

    def __init__(self, data: bytes, memory: sqlite3.Connection) -> None:
        """`data` is the file; `memory` a connection in memory, given for re-use."""
        self.data = data
        self._memory = memory

    @cached_property
    def state(self) -> State:
        """All its tables. Raises BadInput for what is no state file."""
        return state_of_bytes(self.data, self._memory)

    @cached_property
    def _owners(self) -> Mapping[int, str] | None:
        self._memory.deserialize(self.data)
        try:
            with wary(self._memory):
                return owners_of(self.data, self._memory)
        except sqlite3.Error:
            return None

    def differing(self, data: bytes) -> dict[str, Contents | None]:
        """The tables of another file that differ from these, by name in order; None for one that is gone. Raises
        BadInput for what is no state file.
        """
        names = touched(self.data, data, self._owners)
        known = None if names is None else sorted(names & self.state.keys())
        after = {} if known == [] else state_of_bytes(data, self._memory, known)
        found = {name: contents for name, contents in after.items() if contents != self.state.get(name)}
        gone = [name for name in self.state if name not in after] if known is None else []
        return {**found, **dict.fromkeys(gone)}
