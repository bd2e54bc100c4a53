"""Keys and values of rows that are finished, for the rows that go on where they ended: an episode's next turn.

Found by the names of their blocks (`blocks`). Invariant: what is given was made from exactly the ids asked for; the
latest use goes last when room is short. Not covered: when weights change, the owner clears all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from autoforge.trainer.samplers.blocks import block_names

__all__ = ["Layers", "Prefix", "Prefixes"]

Layers = tuple[tuple[Tensor, Tensor] | None, ...]
"""Keys and values of a row, each (heads, columns, size); None for a layer that uses those of another."""


class _Kept(NamedTuple):
    ids: tuple[int, ...]
    layers: Layers


class Prefix(NamedTuple):
    """What is known of the beginning of a prompt."""

    columns: int
    layers: Layers
    """Of at least so many columns."""


class Prefixes:
    """Finished rows, the least recently used one first."""

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}
        self._by_block: dict[int, dict[int, None]] = {}
        self._count = 0
        self.columns = 0
        """Held in all."""

    def keep(self, ids: Sequence[int], layers: Layers) -> None:
        """A row whose ids are `ids`; one that it goes on from needs no place of its own any more."""
        ids = tuple(ids)
        names = block_names(ids)
        if not names:
            return
        if (place := self._longest(names)) is not None and ids[: len(self._kept[place].ids)] == self._kept[place].ids:
            self._drop(place)
        self._count += 1
        self._kept[self._count] = _Kept(ids, layers)
        for name in names:
            self._by_block.setdefault(name, {})[self._count] = None
        self.columns += len(ids)

    def find(self, ids: Sequence[int]) -> Prefix | None:
        """The longest beginning of `ids` that is known, at most all but the last id: whose logits are wanted."""
        ids = tuple(ids)
        place = self._longest(block_names(ids))
        if place is None:
            return None
        kept = self._kept[place] = self._kept.pop(place)
        columns = min(_shared(ids, kept.ids), len(ids) - 1)
        return Prefix(columns, kept.layers) if columns > 0 else None

    def shrink(self, columns: int) -> None:
        """Hold no more than so many columns."""
        while self._kept and self.columns > columns:
            self._drop(next(iter(self._kept)))

    def clear(self) -> None:
        """Forget everything."""
        self.shrink(0)

    def _longest(self, names: Sequence[int]) -> int | None:
        places = next((self._by_block[name] for name in reversed(names) if name in self._by_block), None)
        return next(reversed(places)) if places else None

    def _drop(self, place: int) -> None:
        ids, _ = self._kept.pop(place)
        self.columns -= len(ids)
        for name in block_names(ids):
            places = self._by_block[name]
            del places[place]
            if not places:
                del self._by_block[name]


def _shared(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many ids are the same from the beginning on."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
