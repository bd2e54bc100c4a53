"""Names of blocks of ids: two sequences that begin with the same blocks have the same first names.

As in vLLM's prefix caching, each block is named by its own ids and all before it, so that the longest beginning that is
known is found in one pass over the ids, however many are known. Invariant: names depend on ids alone. Two beginnings
may share a name by chance, once in about 2^60: whoever needs certainty compares the ids. Not covered: what is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["BLOCK", "block_names"]

BLOCK: Final = 16
"""Ids; a beginning that is shorter has no name."""


def block_names(ids: Sequence[int]) -> list[int]:
    """One for each whole block, from the first on."""
    names, name = [], 0
    for end in range(BLOCK, len(ids) + 1, BLOCK):
        name = hash((name, tuple(ids[end - BLOCK : end])))
        names.append(name)
    return names
