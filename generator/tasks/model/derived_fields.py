"""Fields that no tool shows but that follow from one row that it shows: price per night, share of the budget spent.

Invariant: each that is used passed the check of expressions, and on all rows that were seen it gave a number, not
always the same and not just another field's. Not covered: who proposes them (`field_proposals`), questions about them
(`derived_questions`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.generator.tasks.model.formulas import ROW, fields_read
from autoforge.generator.tasks.operators import OperatorFault, derive
from autoforge.generator.tasks.operators.grammar import check_expression
from autoforge.mcp_envs.task import Reasoning

__all__ = ["DerivedField", "row_value", "wrong_with"]

_LEAST_ITEMS = 2
_NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")
_WORDS = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+){0,5}")


class DerivedField(NamedTuple):
    """One figure that follows from a row."""

    name: str
    words: str
    """What people call it."""
    table: str
    expression: str
    """Over `over`, the row as an output shows it."""


def wrong_with(field: DerivedField, items: Sequence[Mapping[str, Any]]) -> str:
    """Why a field is not used; empty where nothing is wrong. `items` are rows, as dicts, that were seen."""
    if not _NAME.fullmatch(field.name) or not _WORDS.fullmatch(field.words):
        return "its name is not snake_case, or its words are not just words"
    refused = check_expression(field.expression, {ROW})
    if refused is not None:
        return refused
    if not fields_read(field.expression):
        return "it reads no field of the row by its name"
    if len(items) < _LEAST_ITEMS:
        return "too few rows were seen to try it on"
    try:
        values = [row_value(field, item) for item in items]
    except OperatorFault as fault:
        return f"on a row that was seen: {fault}"
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return "it does not give a number for every row"
    if len(set(values)) < 2:
        return "it gives the same for every row"
    repeated = next((n for n in items[0] if [item.get(n) for item in items] == values), None)
    return f"it only repeats {repeated}" if repeated is not None else ""


def row_value(field: DerivedField, item: Any) -> Any:
    """The value for one row. Raises OperatorFault."""
    return derive(Reasoning(id="field", reason="expression", expression=field.expression), item, {})
