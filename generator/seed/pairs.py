"""Entities whose rows say how much of one thing another has: the stock of a product at a location, the shares of a
fund that an account holds.

Invariant: no two rows are of the same pair; where tools look such a row up by its pair, the rows cover all pairs, up
to `MOST_PAIRS`, each parent about equally often. Lines of an order are pairs too, but never all of them: a tool that
adds a line needs one that is free. Not covered: pairs that are the primary key (`keys` tells those apart).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

from pydantic import JsonValue

from autoforge.generator.emit.schema import parent_of
from autoforge.generator.ir import Attribute, ColumnType, Entity, Filter, Find, Insert, World, walk_steps
from autoforge.generator.rules.meaning import split_name
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.states import status_column
from autoforge.generator.seed.untouched import untouched_count
from autoforge.generator.vocabulary import word_set

__all__ = ["MOST_PAIRS", "amount_column", "covers_pairs", "pair_columns", "pair_count", "pair_values"]

MOST_PAIRS = 48
"""Rows that an entity of pairs gets at most."""
_AMOUNTS = word_set(
    "quantity qty stock units hand available balance shares count cantidad existencias menge bestand quantite "
    "seats copies"
)
_LINES = word_set("item line position entry detail posten linea ligne")
"""Last words of entities whose rows are lines of a larger one."""
_WORTH = word_set("price cost subtotal amount precio importe preis betrag prix montant")
"""Words of columns that a row which sells something has, and a stock has not."""


def _references(world: World, entity: Entity) -> list[Attribute]:
    """References to different entities, the first to each."""
    found: dict[str, Attribute] = {}
    for attribute in entity.attributes:
        parent = parent_of(world, attribute)
        if parent is not None and parent.name != entity.name and not parent.singleton and not attribute.unique:
            found.setdefault(parent.name, attribute)
    return list(found.values())


def amount_column(entity: Entity) -> Attribute | None:
    """The column that says how much."""
    numeric = [a for a in entity.attributes if a.type in (ColumnType.INTEGER, ColumnType.REAL) and a.references is None]
    return next((a for a in numeric if a.name not in entity.key and _AMOUNTS & set(split_name(a.name))), None)


def pair_columns(world: World, entity: Entity) -> tuple[str, ...]:
    """The foreign keys that tell the rows of such an entity apart; empty where it is none."""
    if entity.singleton or entity.system or status_column(entity) is not None or amount_column(entity) is None:
        return ()
    looked_up = _looked_up(world, entity)
    if looked_up:
        return looked_up
    required = tuple(a.name for a in _references(world, entity) if not a.nullable)
    return required if len(required) > 1 else ()


def _looked_up(world: World, entity: Entity) -> tuple[str, ...]:
    """Foreign keys to different entities by which together a tool finds one row."""
    known = {a.name for a in _references(world, entity)}
    for step in (s for o in world.operations for s in walk_steps(o.steps)):
        if isinstance(step, Find) and step.entity == entity.name:
            columns = tuple(f.column for f in step.where if _plain(f) and f.column in known)
            if len(columns) > 1:
                return columns
    return ()


def _plain(part: Filter) -> bool:
    return part.comparison == "equal" and not part.through


def covers_pairs(world: World, entity: Entity) -> bool:
    """Whether rows are wanted of all pairs."""
    sold = any(_WORTH & set(split_name(a.name)) or a.name == "total" for a in entity.attributes)
    if not pair_columns(world, entity) or set(entity.name.split("_")[-1:]) & _LINES or sold:
        return False
    made = [
        o
        for o in world.operations
        if any(isinstance(s, Insert) and s.entity == entity.name for s in walk_steps(o.steps))
    ]
    needed = any(
        isinstance(s, Find) and s.entity == entity.name and s.missing is not None
        for o in world.operations
        for s in walk_steps(o.steps)
    )
    return needed or not made


def pair_count(world: World, entity: Entity, counts: Mapping[str, int]) -> int | None:
    """How many rows an entity of pairs gets, by the rows of the others; None for other entities."""
    columns = pair_columns(world, entity)
    parents = [p for n in columns if (a := entity.attribute(n)) is not None and (p := parent_of(world, a)) is not None]
    if not parents:
        return None
    most = math.prod(counts[p.name] - untouched_count(counts[p.name]) for p in parents)
    if covers_pairs(world, entity):
        return min(MOST_PAIRS, most) if entity.seed_rows is None else min(entity.seed_rows, most)
    return min(counts[entity.name], max(min(most, 1), most // 2))


def pair_values(draw: Draw, choices: list[list[JsonValue]], count: int) -> list[tuple[JsonValue, ...]]:
    """Different combinations of keys, one per row; the first key in its order, each about equally often. None more
    than there are.
    """
    combinations = list(itertools.islice(itertools.product(*choices), 20_000))
    if count >= len(combinations):
        return combinations
    places = [{repr(v): i for i, v in enumerate(draw.shuffled(values))} for values in choices]

    def turn(values: tuple[JsonValue, ...]) -> tuple[int, ...]:
        first, *rest = (place[repr(v)] for place, v in zip(places, values, strict=True))
        size = len(choices[1]) if len(choices) > 1 else 1
        return ((rest[0] - first) % size if rest else 0, *rest[1:], first)

    chosen = set(sorted(combinations, key=turn)[:count])
    return [values for values in combinations if values in chosen]
