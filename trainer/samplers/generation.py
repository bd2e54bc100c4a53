"""Rows in flight over one model: prompts come in and finished rows go out between short stretches of decoding.

A prompt that goes on where a finished row ended, as the next turn of an episode does, is read from there; the same
prompt of several rows, as in the rollouts of a group, is read once.

Invariant: what a row gets does not depend, up to rounding, on the rows beside it, on when it came in, on being taken
out and begun again, or on what is kept. The cache is copied when rows come or many have gone, never at a step. Not
covered: who waits for rows, how many there may be (`torch_sampler`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import torch
from torch import Tensor
from transformers.cache_utils import DynamicCache

from autoforge.trainer.samplers.cache import ROOM, Part, assembled, gathered, row_of
from autoforge.trainer.samplers.causal_model import CausalModel
from autoforge.trainer.samplers.prefixes import Prefix, Prefixes
from autoforge.trainer.samplers.row import Row
from autoforge.trainer.samplers.sampling import Drawn, draw

__all__ = ["STRETCH", "Generation"]

STRETCH: Final = 8
"""Steps between two looks at who waits."""

FEW: Final = 0.75
"""The share of rows that are live below which the others are taken out of the cache."""


class _Batch(NamedTuple):
    rows: list[Row]
    """Those that are no longer live included, until the cache is gathered anew."""
    starts: list[int]
    """The first column of each that is no padding."""
    cache: DynamicCache
    """All ids but the last one of each row."""
    last: Tensor
    """int64, (rows, 1): ids that the model has not seen."""


class _New(NamedTuple):
    """A row that comes in."""

    row: Row
    known: Prefix | None

    @property
    def unseen(self) -> int:
        """How many ids have to be read."""
        return self.row.columns - (self.known.columns if self.known else 0)

    def first(self, columns: int) -> Prefix | None:
        """No more of what is known than so many columns."""
        return self.known._replace(columns=columns) if self.known and columns > 0 else None


class Generation:
    """The rows in flight. Not for two threads at a time."""

    def __init__(self, model: CausalModel, stop_ids: frozenset[int], keep: int = 0) -> None:
        """Finished rows are kept as far as those in flight, with the room that their buffers have, leave some of `keep`
        columns."""
        self._model = model
        self._stop_ids = stop_ids
        self._keep_columns = keep
        self._prefixes = Prefixes()
        self._batch: _Batch | None = None
        # Each look at ids on a GPU waits for it; on a CPU it costs nothing and saves the steps of finished rows.
        self._steps = 1 if model.device.type == "cpu" else STRETCH

    @property
    def rows(self) -> list[Row]:
        """Those that are live, in the order in which they came."""
        return [row for row in self._batch.rows if row.live] if self._batch else []

    def clear(self) -> None:
        """Forget all rows, keys and values; a row goes on when it comes in again."""
        self._batch = None
        self._prefixes.clear()

    def drop(self, rows: Sequence[Row]) -> None:
        """Let rows go that are not finished; they may come in again."""
        if self._batch and rows:
            self._batch = _settled([self._batch], without=frozenset(rows))

    @torch.inference_mode()
    def advance(self, new: Sequence[Row], version: int) -> list[Row]:
        """Take rows in and sample a stretch of ids for all; gives the rows that are finished, which are let go."""
        before = [*self.rows, *new]
        batches = self._taken_in(new, version)
        at_once = [row for batch in batches for row in batch.rows if not row.live]
        if self._batch:
            batches.insert(0, self._batch)
        self._batch = _settled(batches)
        for _ in range(0, STRETCH, self._steps):
            if not self.rows:
                break
            self._step(version)
        finished = [row for row in before if row.stop_reason is not None]
        if self._batch:
            self._remember(self._batch, [row for row in finished if row not in at_once])
            self._batch = _settled([self._batch])
        return finished

    def _taken_in(self, new: Sequence[Row], version: int) -> list[_Batch]:
        groups = _groups(new, [self._prefixes.find(row.ids) for row in new])
        rows = [*self.rows, *new]
        self._prefixes.shrink(self._keep_columns - len(rows) * max((row.columns + ROOM for row in rows), default=0))
        batches = []
        while groups:  # what is known of a group is let go with it
            batches.append(self._begun(groups.pop(0), version))
        return batches

    def _begun(self, group: Sequence[_New], version: int) -> _Batch:
        """Rows after their first new id."""
        rows = [new.row for new in group]
        prompts = dict(zip((row.ids for row in rows), group, strict=True))
        columns, unseen = max(map(len, prompts)), max(new.unseen for new in prompts.values())
        # All read the same number of ids at a time: a row that has fewer unseen ones reads some again.
        known = [new.first(len(ids) - unseen) for ids, new in prompts.items()]
        padded = [[0] * (unseen - len(ids)) + list(ids[-unseen:]) for ids in prompts]
        cache = assembled(known, columns - unseen)
        starts = {ids: columns - len(ids) for ids in prompts}
        logits = self._model.following(self._tensor(padded), self._tensor(list(starts.values())), cache)
        if len(prompts) < len(rows):
            numbers = {ids: number for number, ids in enumerate(prompts)}
            places = [numbers[row.ids] for row in rows]
            cache, logits = gathered([Part(cache, places, 0)]), logits[places]
        temperatures, uniforms = self._numbers(rows, 1)
        drawn = draw(logits, temperatures, uniforms[:, 0])
        batch = _Batch(rows, [starts[row.ids] for row in rows], cache, drawn.ids.unsqueeze(-1))
        self._keep(rows, [drawn], version)
        self._remember(batch, [row for row in rows if not row.live])
        return batch

    def _remember(self, batch: _Batch, finished: Sequence[Row]) -> None:
        """Keep what was made of rows of the batch, whose last id the model has not seen, while there is room."""
        places = {row: place for place, row in enumerate(batch.rows)}
        room = self._keep_columns - sum(_size(one) for one in {id(b): b for b in (self._batch, batch) if b}.values())
        for row in finished:
            start, ids = batch.starts[places[row]], row.ids[:-1]
            if len(ids) <= room:
                self._prefixes.shrink(room - len(ids))
                self._prefixes.keep(ids, row_of(batch.cache, places[row], start, start + len(ids)))

    def _step(self, version: int) -> None:
        """One look's worth of ids for all rows."""
        assert self._batch is not None
        rows, starts, cache, last = self._batch
        first = self._tensor(starts)
        temperatures, uniforms = self._numbers(rows, self._steps)
        found: list[Drawn] = []
        for number in range(self._steps):
            logits = self._model.following(last, first, cache)
            found.append(draw(logits, temperatures, uniforms[:, number]))
            last = found[-1].ids.unsqueeze(-1)
        self._batch = self._batch._replace(last=last)
        self._keep(rows, found, version)

    def _numbers(self, rows: Sequence[Row], steps: int) -> tuple[Tensor, Tensor]:
        """The temperatures (rows,) and the uniform numbers (rows, steps)."""
        temperatures = torch.tensor([row.temperature for row in rows], device=self._model.device)
        uniforms = [row.uniforms(steps) if row.live else [0.0] * steps for row in rows]
        return temperatures, torch.tensor(uniforms, dtype=torch.float64, device=self._model.device)

    def _keep(self, rows: Sequence[Row], found: Sequence[Drawn], version: int) -> None:
        ids = torch.stack([drawn.ids for drawn in found], dim=1).tolist()
        logprobs = torch.stack([drawn.logprobs for drawn in found], dim=1).tolist()
        for row, row_ids, row_logprobs in zip(rows, ids, logprobs, strict=True):
            row.add(row_ids, row_logprobs, version, self._stop_ids)

    def _tensor(self, numbers: Sequence[object]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.int64, device=self._model.device)


def _groups(rows: Sequence[Row], known: Sequence[Prefix | None]) -> list[list[_New]]:
    """Rows with about as many unseen ids together, so that none reads more than twice its own."""
    groups: list[list[_New]] = []
    for new in sorted(map(_New, rows, known), key=lambda new: new.unseen):
        if groups and new.unseen <= 2 * groups[-1][0].unseen:
            groups[-1].append(new)
        else:
            groups.append([new])
    return groups


def _size(batch: _Batch) -> int:
    """Columns of its buffers."""
    return len(batch.rows) * (batch.cache.get_seq_length() + ROOM)


def _settled(batches: Sequence[_Batch], without: frozenset[Row] = frozenset()) -> _Batch | None:
    """The live rows of all batches in one; a single batch stays as it is while most of its rows are live."""
    live = [[n for n, row in enumerate(batch.rows) if row.live and row not in without] for batch in batches]
    if len(batches) == 1 and not without and len(live[0]) >= FEW * len(batches[0].rows):
        return batches[0]
    kept = [(batch, places) for batch, places in zip(batches, live, strict=True) if places]
    if not kept:
        return None
    parts = [Part(batch.cache, places, min(batch.starts[p] for p in places)) for batch, places in kept]
    rows = [batch.rows[place] for batch, places in kept for place in places]
    columns = max(row.columns for row in rows) - 1
    last = torch.cat([batch.last[places] for batch, places in kept])
    return _Batch(rows, [columns - row.columns + 1 for row in rows], gathered(parts), last)
