"""Columns that only sentences name: `Returns the customer's name, email and phone number`.

Invariant: a guessed column gives way to a documented one. Not covered: rules in prose (`preconditions`, `effects`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    ColumnType,
)
from autoforge.generator.rules.cast import Cast, id_stem
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.prose import Clue, response_fields
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.role_columns import match_column
from autoforge.generator.rules.roles import READING_VERBS
from autoforge.generator.rules.shapes import Shape, shape_of
from autoforge.generator.rules.words import column_name, singular, snake, split_words

__all__ = ["fields_from_prose", "type_counters"]


def fields_from_prose(cast: Cast, readings: list[Reading]) -> None:
    """`Returns the customer's name, email and phone number`: columns where there is no output schema to say so."""
    for reading in readings:
        entity = cast.of_tool[reading.tool.name]
        if (
            entity is None
            or reading.tool.output_schema
            or reading.verb.kind not in READING_VERBS
            or entity == "session"
        ):
            continue
        draft = cast.entities[entity]
        for field in response_fields(reading.tool.description):
            words = split_words(field)
            column = column_name(
                "_".join(
                    words[1:] if words[0] == entity and len(words) > 1 and words[-1] not in ("id", "name") else words
                )
            )
            if _is_no_column(cast, entity, column):
                continue
            name = match_column(draft, _held_as(draft, column))
            fresh = name not in draft.attributes
            made = draft.column(name, _shape_by_name(column), field, f"{reading.tool.name}: prose")
            made.guessed = fresh or made.guessed


def _held_as(draft: EntityDraft, column: str) -> str:
    """What a sample of the state calls it: `quantity` for the quantity on hand, where the sample has no other name."""
    plain = re.sub(r"^(?:current|available)_|_(?:on_hand|in_stock|left)$", "", column)
    held = draft.attributes.get(plain)
    return plain if column not in draft.attributes and held is not None and held.given else column


def _is_no_column(cast: Cast, entity: str, column: str) -> bool:
    """Lists of rows, other entities and ids of many are relations, not columns of this row."""
    if id_stem(column) is not None:
        return cast.by_parameter(column) == entity or split_words(column)[-1] == "ids"
    words = split_words(column)
    known = cast.entities.get(entity)
    if (entity, column) in cast.children or (known is not None and f"{column}_name" in known.attributes):
        return True
    other = cast.find((*words[:-1], singular(words[-1]))) if words else None
    return other is not None and other != entity


def _shape_by_name(name: str) -> Shape:
    """A guess at the type of a column that only prose names."""
    last = split_words(name)[-1] if split_words(name) else ""
    if {"date", "fecha", "datum", "deadline", "vencimiento"} & set(split_words(name)):
        return shape_of({"type": "string", "format": "date"})
    if last in ("importe", "precio", "saldo", "monto", "preis", "betrag", "prix", "montant", "tarifa"):
        return shape_of({"type": "number", "minimum": 0})
    if last in ("quantity", "count", "number_of", "stock", "duration", "age", "seats", "points"):
        return shape_of({"type": "integer", "minimum": 0})
    if last in (
        "price",
        "amount",
        "total",
        "balance",
        "cost",
        "rating",
        "score",
        "fee",
        "rate",
        "weight",
        "temperature",
    ):
        return shape_of({"type": "number", "minimum": 0})
    if last in ("date", "deadline", "birthday"):
        return shape_of({"type": "string", "format": "date"})
    if last in ("time", "timestamp", "at") and name != "time":
        return shape_of({"type": "string", "format": "date-time"})
    return shape_of({"type": "string"})


def type_counters(cast: Cast, clues: dict[str, list[Clue]]) -> None:
    """A column that only prose names and that goes up or down is a number."""
    for tool, found in clues.items():
        for clue in found:
            if clue.kind != "side_effect" or clue.values[:1] not in (("increase",), ("decrease",)):
                continue
            entity = (cast.find(tuple(snake(clue.subject).split("_"))) if clue.subject else None) or cast.of_tool[tool]
            draft = cast.entities.get(entity or "")
            for attribute in draft.attributes.values() if draft is not None else ():
                if attribute.guessed and (
                    attribute.name == snake(clue.field) or attribute.name.startswith(snake(clue.field)[:6])
                ):
                    attribute.type, attribute.minimum, attribute.nullable, attribute.default = (
                        ColumnType.INTEGER,
                        0,
                        False,
                        0,
                    )
