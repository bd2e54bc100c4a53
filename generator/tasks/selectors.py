"""Ways to point out one item of a list: chains of operators whose last gives exactly that item.

Invariant: each selection was evaluated on the very list, and its value is unique there. Not covered: whether a tool
takes the item (`builder`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from autoforge.generator.tasks.operators.values import fold
from autoforge.generator.tasks.row_sets import type_of_value
from autoforge.mcp_envs.paths import part

__all__ = ["Link", "Selection", "selections"]

_LONGEST = 60
"""Characters of a text that a user would quote to name something."""
Compare = Literal["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "contains", "in"]


class Link(NamedTuple):
    """One operator of a chain: works on the list, or on what the one before gave."""

    reason: str
    by: str | None = None
    compare: Compare | None = None
    n: int | None = None
    value: Any = None
    """What a filter compares with; the user says it."""


class Selection(NamedTuple):
    """A chain, and the place of the item that it gives."""

    chain: tuple[Link, ...]
    place: int
    weight: float


def selections(
    items: Sequence[Any], types: Mapping[str, str], chance: random.Random, *, ids: frozenset[str] = frozenset()
) -> list[Selection]:
    """Every way that is tried, in an order drawn by `chance`. `ids` are paths of generated ids, which nobody sorts by
    or quotes.
    """
    found = list(_all(items, {p: t for p, t in types.items() if p not in ids}, chance))
    chance.shuffle(found)
    return found


def _all(items: Sequence[Any], types: Mapping[str, str], chance: random.Random) -> Iterator[Selection]:
    if len(items) == 1:
        yield Selection((Link("only"),), 0, 0.5)
        return
    everything = list(range(len(items)))
    yield from _extremes(items, everything, types, (), 3.0)
    yield from _named(items, everything, types, ())
    for prefix, kept in _filters(items, types, chance):
        if len(kept) == 1:
            yield Selection((prefix._replace(reason="only_where"),), kept[0], 1.5)
        else:
            whole = {
                (w.chain[-1].reason, w.chain[-1].by): w.place
                for w in _extremes(items, everything, types, (), 1.0, len(items))
            }
            for way in _extremes(items, kept, types, (prefix,), 4.0):
                if whole.get((way.chain[-1].reason, way.chain[-1].by)) != way.place:  # else the filter says nothing
                    yield way


def _extremes(
    items: Sequence[Any],
    kept: Sequence[int],
    types: Mapping[str, str],
    before: tuple[Link, ...],
    weight: float,
    gaps: int = 1,
) -> Iterator[Selection]:
    """`gaps`: items that may be without the value."""
    for by, kind in types.items():
        if kind not in ("number", "date"):
            continue
        values = [(v, i) for i in kept if (v := part(items[i], by)) is not None and type_of_value(v) == kind]
        counted = Counter(v for v, _ in values)
        if len(counted) < 2 or len(values) < len(kept) - gaps:
            continue
        ordered = sorted(values, key=lambda pair: pair[0])
        for reason, place in (("argmin", 0), ("argmax", -1)):
            value, i = ordered[place]
            if counted[value] == 1:
                yield Selection((*before, Link(reason, by)), i, weight)
        for reason, ranked in (("nth_lowest", ordered), ("nth_highest", ordered[::-1])):
            if len(ranked) > 2 and all(counted[v] == 1 for v, _ in ranked[:2]):
                yield Selection((*before, Link(reason, by, n=2)), ranked[1][1], weight * 0.6)


def _named(
    items: Sequence[Any], kept: Sequence[int], types: Mapping[str, str], before: tuple[Link, ...]
) -> Iterator[Selection]:
    """The item whose text the user quotes."""
    for by, kind in types.items():
        if kind != "text":
            continue
        values = [part(items[i], by) for i in kept]
        counted = Counter(fold(v) for v in values if isinstance(v, str))
        for i, value in zip(kept, values, strict=True):
            if isinstance(value, str) and counted[fold(value)] == 1 and _is_quotable(value):
                yield Selection((*before, Link("only_where", by, "equal", value=value)), i, 1.0 / len(kept))


def _filters(items: Sequence[Any], types: Mapping[str, str], chance: random.Random) -> Iterator[tuple[Link, list[int]]]:
    """Conditions that some items meet and some do not."""
    for by, kind in types.items():
        values = [part(item, by) for item in items]
        told = [v for v in values if v is not None]
        if kind in ("text", "boolean"):
            alike = Counter(fold(v) for v in {v for v in told if isinstance(v, str)}) if kind == "text" else {}
            for value, count in Counter(v for v in told if isinstance(v, str | bool)).items():
                if 2 <= count < len(items) and (
                    isinstance(value, bool) or (_is_quotable(value) and alike.get(fold(value), 0) < 2)
                ):
                    kept = [i for i, v in enumerate(values) if v == value and type(v) is type(value)]
                    yield Link("filter", by, "equal", value=value), kept
        elif kind == "number" and all(type_of_value(v) == "number" for v in told) and len(set(told)) > 3:
            for compare, bound in _bounds(sorted(told), chance):
                kept = [
                    i for i, v in enumerate(values) if v is not None and (v < bound if compare == "less" else v > bound)
                ]
                if 2 <= len(kept) < len(items):
                    yield Link("filter", by, compare, value=bound), kept


def _bounds(ordered: Sequence[float], chance: random.Random) -> list[tuple[Compare, float]]:
    """Below and above what, between two of the middle values: a round number, of whole ones a whole one."""
    place = chance.randrange(1, len(ordered) - 1)
    low, high = ordered[place], ordered[place + 1]
    bound = _round_bound(low, high)
    if bound is None and all(float(v).is_integer() for v in ordered):
        return [("less", int(high)), ("greater", int(low))]
    between = round((low + high) / 2, 2) if bound is None else bound
    return [("less", between), ("greater", between)]


def _round_bound(low: float, high: float) -> float | None:
    for step in (1000, 500, 100, 50, 10, 5, 1):
        bound = (low // step + 1) * step
        if low < bound < high:
            return int(bound) if float(bound).is_integer() else bound
    return None


def _is_quotable(text: str) -> bool:
    return (
        0 < len(text.strip()) <= _LONGEST
        and "\n" not in text
        and not text.startswith(("http://", "https://", "{", "["))
    )
