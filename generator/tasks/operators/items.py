"""Items of a list and their fields.

Invariant: a field that is missing is the same as null, as tools leave out what is null; a field that no item has is a
fault. Not covered: what to do about null (each operator says).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from autoforge.generator.tasks.operators.operator import OperatorFault
from autoforge.mcp_envs.paths import NoSuchPart, extract, parse

__all__ = ["Valued", "field_of", "items_of", "valued", "values_of"]


class Valued(NamedTuple):
    """An item and the value it is looked at by."""

    item: Any
    value: Any


def items_of(over: Any) -> list[Any]:
    """Raises OperatorFault for what is no list."""
    if not isinstance(over, list):
        raise OperatorFault(f"{over!r:.60} is not a list")
    return over


def field_of(item: Any, by: str | None) -> Any:
    """The value at a path inside an item, or the item itself without one; None where it is missing or null.

    Raises OperatorFault for text that is no path.
    """
    if by is None:
        return item
    try:
        return extract(item, by)
    except NoSuchPart:
        return None
    except ValueError as error:
        raise OperatorFault(str(error)) from None


def valued(over: Any, by: str | None) -> list[Valued]:
    """The items whose field is not null. Raises OperatorFault where there are items but none has it."""
    items = items_of(over)
    found = [Valued(item, value) for item in items if (value := field_of(item, by)) is not None]
    if items and not found:
        raise OperatorFault(f"no item has a value at {by or 'its place'}")
    return found


def values_of(over: Any, by: str | None) -> list[Any]:
    """The fields that are not null, those of lists inside the items (`lines[*].price`) one by one.

    Raises OperatorFault as `valued`.
    """
    values = [value for _, value in valued(over, by)]
    if by is None or None not in parse(by):
        return values
    return [inner for value in values for inner in value if inner is not None]
