"""Finds a bijection between the generated ids of two states under which their rows are the same.

The rows are a labelled graph whose vertices are ids: colour refinement tells apart what rows tell apart, and what is
left is tried. Invariant: a renaming that is returned has been applied to every row and the rows compared. Not covered:
what a row or a cell is (`equality`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

__all__ = ["Id", "Part", "Renaming", "Undecided", "applied", "rough_renaming", "search"]

MOST_TRIALS = 2000
"""Refinements before a comparison is given up: more than any two states of an episode have needed by far."""


class Id(NamedTuple):
    """A generated id; ids of one domain may be renamed among themselves."""

    domain: str
    value: Any


class Part(NamedTuple):
    """A row: hashable cells, in which an `Id` may stand at any depth of tuples and frozensets."""

    table: str
    cells: tuple[Any, ...]


Renaming: TypeAlias = Mapping[tuple[str, Any], Any]
_Colours: TypeAlias = dict[Id, int]


class Undecided(Exception):
    """So many rows look alike that the search was given up."""


def search(first: list[Part], second: list[Part], accept: Callable[[Renaming], bool]) -> Renaming | None:
    """A renaming of the ids of `first` that makes its rows those of `second` and that `accept` takes; None when there
    is none.

    Raises Undecided after `MOST_TRIALS`.
    """
    graphs = _Graph(first), _Graph(second)
    if graphs[0].fixed != graphs[1].fixed:
        return None
    goal = Counter(second)
    for renaming in _candidates(*graphs, dict.fromkeys(graphs[0].ids, 0), dict.fromkeys(graphs[1].ids, 0), _Budget()):
        if Counter(Part(part.table, applied(part.cells, renaming)) for part in first) == goal and accept(renaming):
            return renaming
    return None


def rough_renaming(first: list[Part], second: list[Part]) -> Renaming:
    """A renaming that pairs ids which look most alike, for telling differences between states that are not equal."""
    one, two = _Graph(first), _Graph(second)
    colours, others = dict.fromkeys(one.ids, 0), dict.fromkeys(two.ids, 0)
    views: list[tuple[Mapping[Id, Hashable], Mapping[Id, Hashable]]] = [
        ({i: one.own(i) for i in one.ids}, {i: two.own(i) for i in two.ids})
    ]
    for _ in range(2):
        colours, others = _step(one, two, colours, others)
        views.insert(0, (colours, others))
    views.append(({i: i.domain for i in one.ids}, {i: i.domain for i in two.ids}))
    pairs: dict[tuple[str, Any], Any] = {}
    left = dict.fromkeys(two.ids)
    for mine, theirs in views:
        alike: dict[Hashable, dict[Id, None]] = {}
        for o in left:
            alike.setdefault(theirs[o], {})[o] = None
        for i in [i for i in one.ids if tuple(i) not in pairs]:
            group = alike.get(mine[i])
            if group:
                match = i if i in group else next(iter(group))
                pairs[tuple(i)] = match.value
                del group[match], left[match]
    return pairs


def applied(cells: Any, renaming: Renaming) -> Any:
    """Cells with every id renamed; an id that the renaming does not know stays."""
    return _replaced(cells, lambda i: Id(i.domain, renaming.get((i.domain, i.value), i.value)))


def _replaced(cell: Any, change: Callable[[Id], Any]) -> Any:
    if isinstance(cell, Id):
        return change(cell)
    if isinstance(cell, tuple):
        return tuple(_replaced(inner, change) for inner in cell)
    return frozenset(_replaced(inner, change) for inner in cell) if isinstance(cell, frozenset) else cell


def _ids(cell: Any) -> Iterator[Id]:
    if isinstance(cell, Id):
        yield cell
    elif isinstance(cell, tuple | frozenset):
        for inner in cell:
            yield from _ids(inner)


class _Graph:
    """The rows that hold ids, by id, and those that hold none, counted."""

    def __init__(self, parts: list[Part]) -> None:
        self.rows: dict[Id, list[Part]] = {}
        self.fixed: Counter[Part] = Counter()
        for part in parts:
            held = dict.fromkeys(_ids(part.cells))
            self.fixed[part] += not held
            for i in held:
                self.rows.setdefault(i, []).append(part)
        self.ids = list(self.rows)

    def signature(self, i: Id, colours: _Colours) -> Hashable:
        """All that rows say of an id, with other ids by their colours."""
        told = Counter(
            (row.table, _replaced(row.cells, lambda o: ("self",) if o == i else ("id", o.domain, colours[o])))
            for row in self.rows[i]
        )
        return i.domain, colours[i], frozenset(told.items())

    def own(self, i: Id) -> Hashable:
        """What the rows of the id's own table say, whatever other ids they hold."""
        told = Counter(
            (row.table, _replaced(row.cells, lambda o: (o == i, o.domain)))
            for row in self.rows[i]
            if row.table == i.domain
        )
        return i.domain, frozenset(told.items())


class _Budget:
    left = MOST_TRIALS

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Undecided(
                f"the states have so many rows alike that {MOST_TRIALS} renamings of generated ids did not decide"
            )


def _step(one: _Graph, two: _Graph, colours: _Colours, others: _Colours) -> tuple[_Colours, _Colours]:
    table: dict[Hashable, int] = {}

    def colour(graph: _Graph, known: _Colours) -> _Colours:
        return {i: table.setdefault(graph.signature(i, known), len(table)) for i in graph.ids}

    return colour(one, colours), colour(two, others)


def _refined(one: _Graph, two: _Graph, colours: _Colours, others: _Colours) -> tuple[_Colours, _Colours]:
    count = len({*colours.values(), *others.values()})
    while True:
        colours, others = _step(one, two, colours, others)
        now = len({*colours.values(), *others.values()})
        if now == count:
            return colours, others
        count = now


def _candidates(one: _Graph, two: _Graph, colours: _Colours, others: _Colours, budget: _Budget) -> Iterator[Renaming]:
    """Renamings that refinement does not rule out, without repeats."""
    budget.spend()
    colours, others = _refined(one, two, colours, others)
    if Counter(colours.values()) != Counter(others.values()):
        return
    classes: dict[int, tuple[list[Id], list[Id]]] = {}
    for side, painted in enumerate((colours, others)):
        for i, colour in painted.items():
            classes.setdefault(colour, ([], []))[side].append(i)
    open_classes = [pair for pair in classes.values() if len(pair[0]) > 1]
    if not open_classes:
        yield {(pair[0][0].domain, pair[0][0].value): pair[1][0].value for pair in classes.values()}
        return
    chosen, options = min(open_classes, key=lambda pair: len(pair[0]))
    mark = max(classes) + 1
    for option in options:
        yield from _candidates(one, two, {**colours, chosen[0]: mark}, {**others, option: mark}, budget)
