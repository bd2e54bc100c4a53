"""Contents that are not said but worked out: an amount from a total, a date from another.

Invariant: a derived value is of the same kind as what the slot takes. Not covered: whether the tool takes it (`steps`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autoforge.generator.conformance.columns import words
from autoforge.generator.conformance.values import kinds
from autoforge.generator.tasks.builder import Builder, Option, Thing
from autoforge.generator.tasks.catalogue import Slot
from autoforge.generator.tasks.interpreter import resolve
from autoforge.generator.tasks.operators import OperatorFault, derive
from autoforge.generator.tasks.row_sets import type_of_value
from autoforge.mcp_envs.paths import NoSuchPart
from autoforge.mcp_envs.task import Literally, Output, Reasoning, Source

__all__ = ["MONEY", "derived_options"]

MONEY = frozenset(
    "price amount total balance cost fee rate budget charge paid payment salary spend revenue sum subtotal budgeted "
    "activity value precio importe saldo monto costo coste betrag preis".split()
)
_QUANTITY = frozenset("quantity count number volume stock units size seats cantidad menge anzahl capacity".split())
_PERCENTS = (10, 15, 20, 25, 50)
_DAYS = (1, 2, 3, 5, 7, 10, 14)
_MOST_THINGS = 6


def derived_options(builder: Builder, slot: Slot) -> list[Option]:
    """Options worked out from rows in hand; none where nothing of the kind is in hand."""
    if slot.schema.get("enum"):
        return []
    wanted = set(kinds(slot.schema))
    stored = [v for v in builder.setting.fresh.stored(slot.column) if isinstance(v, str)]
    dated = slot.schema.get("format") in ("date", "date-time") or any(type_of_value(v) == "date" for v in stored)
    if {"number", "integer"} & wanted:
        return list(_numbers(builder, slot, whole="number" not in wanted))
    return list(_dates(builder, slot, stored)) if dated else []


def _fields(builder: Builder, kind: str) -> Iterator[tuple[Thing, str, Any]]:
    for thing in builder.things[-_MOST_THINGS:]:
        ids = builder.ids_of(thing.rows)
        for path, type in thing.rows.types.items():
            if type != kind or path in ids:
                continue
            try:
                value = thing.value(path)
            except NoSuchPart:
                continue
            if value is not None and type_of_value(value) == kind:
                yield thing, path, value


def _numbers(builder: Builder, slot: Slot, *, whole: bool) -> Iterator[Option]:
    for thing, path, value in _fields(builder, "number"):
        if not _alike(slot, path) or value <= 0:
            continue
        yield Option(value, lambda t=thing, p=path: t.source(p), 1.0, thing)  # type: ignore[misc]
        if words(path.rpartition(".")[2])[-1:] and not whole:
            percent = builder.chance.choice(_PERCENTS)
            made = _try(builder, "percent_of", thing.source(path), percent, "percent")
            if made is not None:
                yield made
        step = builder.chance.choice((1, 2, 3, 5) if whole else (5, 10, 20, 25, 50))
        reason = "add" if value <= step or builder.chance.random() < 0.5 else "subtract"
        made = _try(builder, reason, thing.source(path), step, "difference")
        if made is not None:
            yield made


def _dates(builder: Builder, slot: Slot, stored: list[str]) -> Iterator[Option]:
    long = slot.schema.get("format") == "date-time" or (bool(stored) and len(stored[0]) > 10)
    for thing, path, value in _fields(builder, "date"):
        if (len(value) > 10) != long:
            continue
        made = _try(builder, "add_days", thing.source(path), builder.chance.choice(_DAYS), "days")
        if made is not None:
            yield made


def _try(builder: Builder, reason: str, over: Output, operand: Any, name: str) -> Option | None:
    """An option whose value is what the operator gives; the node is added only when it is taken."""
    if over.node not in builder.values:
        return None
    try:
        base = resolve(over, builder.known, builder.values)
        node = Reasoning(id="trial", reason=reason, over=over, inputs={"value": Literally(literal=operand)})
        value = derive(node, base, {"value": operand})
    except (OperatorFault, NoSuchPart, KeyError):
        return None

    def make() -> Source:
        return Output(node=builder.reason(reason=reason, over=over, inputs={"value": builder.tell(name, operand)}))

    return Option(value, make, 1.5)


def _alike(slot: Slot, path: str) -> bool:
    """Whether a field measures what the slot does."""
    asked, told = set(words(slot.name)), set(words(path.rpartition(".")[2]))
    return bool(asked & told) or bool(asked & MONEY and told & MONEY) or bool(asked & _QUANTITY and told & _QUANTITY)
