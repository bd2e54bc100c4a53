"""Keys and values of rows in flight: grown in place, and gathered anew when rows come or go.

Invariant: rows end at the same column; before a row's first column everything is padding that no query sees. A step
writes its own column and copies nothing. Not covered: models that keep other things between tokens (linear attention);
windows of attention are masked, their memory is not saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from torch import Tensor
from transformers.cache_utils import DynamicCache, DynamicLayer

from autoforge.trainer.samplers.prefixes import Layers, Prefix

__all__ = ["ROOM", "GrowingLayer", "Part", "assembled", "empty_cache", "gathered", "row_of"]

ROOM: Final = 128
"""Columns that a buffer has to spare when it is made; one copy of the layer in so many steps."""


class GrowingLayer(DynamicLayer):  # type: ignore[no-untyped-call]
    """One layer's keys and values, (rows, heads, columns, size), as views of buffers with room to spare."""

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor) -> None:
        """Take type, device and shape from the first states."""
        columns = key_states.shape[-2]
        self.fill(_buffer(key_states, columns), _buffer(value_states, columns), 0)

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Write new columns; gives all."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start, end = self.columns, self.columns + key_states.shape[-2]
        if end > self._keys.shape[-2]:
            self._grow(end)
        self._keys[:, :, start:end] = key_states
        self._values[:, :, start:end] = value_states
        return self._use(end)

    def fill(self, keys: Tensor, values: Tensor, columns: int) -> None:
        """Hold buffers of which so many columns are in use."""
        self.device, self.dtype = keys.device, keys.dtype
        self._keys, self._values = keys, values
        self._use(columns)
        self.is_initialized = True

    def release(self) -> tuple[Tensor, Tensor]:
        """Let go of keys and values, and give them."""
        keys, values = self._use(self.columns)
        self.keys = self.values = None
        del self._keys, self._values
        self.is_initialized = False
        return keys, values

    def _grow(self, columns: int) -> None:
        keys, values = self._use(self.columns)
        self._keys, self._values = _buffer(keys, columns), _buffer(values, columns)
        self._keys[:, :, : self.columns] = keys
        self._values[:, :, : self.columns] = values

    def _use(self, columns: int) -> tuple[Tensor, Tensor]:
        self.columns = columns
        keys, values = self._keys[:, :, :columns], self._values[:, :, :columns]
        self.keys, self.values = keys, values
        return keys, values


class Part(NamedTuple):
    """Rows to be kept of one cache."""

    cache: DynamicCache
    rows: Sequence[int]
    start: int
    """Columns before it are padding in all these rows."""


def empty_cache() -> DynamicCache:
    """A cache of growing layers."""
    cache = DynamicCache()
    cache.layer_class_to_replicate = GrowingLayer
    return cache


def gathered(parts: Sequence[Part]) -> DynamicCache:
    """All rows of the parts in one cache, padded before their first columns. The parts' caches are used up, layer by
    layer, so that no more than one layer is held twice."""
    result = empty_cache()
    for layers in zip(*(part.cache.layers for part in parts), strict=True):
        result.layers.append(_merged(layers, parts))
    return result


def row_of(cache: DynamicCache, row: int, first: int, end: int) -> Layers:
    """A copy of the columns from `first` to before `end` of one row."""

    layers: list[Any] = cache.layers

    def columns(state: Tensor) -> Tensor:
        return state[row, :, first:end].clone()

    return tuple((columns(one.keys), columns(one.values)) if one.is_initialized else None for one in layers)


def assembled(rows: Sequence[Prefix | None], columns: int) -> DynamicCache:
    """A cache of so many columns, which the rows end at."""
    result = empty_cache()
    example = next((row.layers for row in rows if row), ())
    for number in range(len(example) if columns else 0):
        layer = GrowingLayer()  # type: ignore[no-untyped-call]
        found = [(place, row.columns, row.layers[number]) for place, row in enumerate(rows) if row]
        held = [(place, end, states) for place, end, states in found if states is not None]
        if held:
            keys, values = (state.new_zeros(_shape(state, len(rows), columns)) for state in held[0][2])
            for place, end, (row_keys, row_values) in held:
                keys[place, :, columns - end : columns] = row_keys[:, :end]
                values[place, :, columns - end : columns] = row_values[:, :end]
            layer.fill(keys, values, columns)
        result.layers.append(layer)
    return result


def _shape(state: Tensor, rows: int, columns: int) -> tuple[int, ...]:
    heads, _, size = state.shape
    return rows, heads, columns + ROOM, size


def _merged(layers: Sequence[GrowingLayer], parts: Sequence[Part]) -> GrowingLayer:
    merged = GrowingLayer()  # type: ignore[no-untyped-call]
    if layers[0].is_initialized:  # it is not where a layer uses the keys of another
        columns = max(layer.columns - part.start for layer, part in zip(layers, parts, strict=True))
        keys, values = zip(*(layer.release() for layer in layers), strict=True)
        merged.fill(_joined(keys, parts, columns), _joined(values, parts, columns), columns)
    return merged


def _joined(states: Sequence[Tensor], parts: Sequence[Part], columns: int) -> Tensor:
    first = states[0]
    rows = sum(len(part.rows) for part in parts)
    buffer = first.new_zeros((rows, first.shape[1], columns + ROOM, first.shape[3]))
    at = 0
    for state, part in zip(states, parts, strict=True):
        kept = (state if len(part.rows) == state.shape[0] else state[list(part.rows)])[:, :, part.start :]
        buffer[at : at + len(part.rows), :, columns - kept.shape[2] : columns] = kept
        at += len(part.rows)
    return buffer


def _buffer(like: Tensor, columns: int) -> Tensor:
    return like.new_empty((like.shape[0], like.shape[1], columns + ROOM, like.shape[3]))
