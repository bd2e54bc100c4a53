"""What a format reader is, and what most of them share.

Adding a format: one file with a `Format`, one line in `detect.FORMATS`.

Invariant: a reader takes out what is documented and adds nothing. Not covered: schemas in normal form (`normalise`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from autoforge.generator.documents.raw import Notes, Place, RawTool, Response

__all__ = ["Element", "Format", "named_tool", "objects_in", "response_in"]

_OUTPUT_KEYS = ("outputSchema", "output_schema", "response", "responses", "returns", "return", "output")


@dataclass(frozen=True, slots=True)
class Element:
    """One object of a document that a format may recognise."""

    value: dict[str, Any]
    place: Place
    document: Any
    notes: Notes


@dataclass(frozen=True, slots=True)
class Format:
    """`recognises` looks at one object only and never raises.

    `read` gives its tools and raises `BadInput` for broken ones.
    """

    name: str
    shape: str
    """How such an object looks, for the message about unknown shapes."""
    recognises: Callable[[dict[str, Any]], bool]
    read: Callable[[Element], Iterable[RawTool]]


def named_tool(element: Element, format_name: str, parameters_key: str, group: str | None = None) -> RawTool:
    """The tool of an object with `name`, `description` and a schema of parameters under `parameters_key`."""
    value = element.value
    return RawTool(
        name=value.get("name"),
        place=element.place,
        format=format_name,
        title=value.get("title"),
        description=value.get("description"),
        parameters=value.get(parameters_key),
        parameters_place=element.place / parameters_key,
        response=response_in(value, element.place),
        annotations=value.get("annotations"),
        meta=value.get("_meta"),
        group=group,
        examples=_examples(value),
    )


def response_in(value: dict[str, Any], place: Place) -> Response | None:
    """The schema of the result, under any of its usual names."""
    for key in _OUTPUT_KEYS:
        schema = value.get(key)
        if isinstance(schema, dict) and schema:
            return Response(schema=schema, place=(place / key).as_root())
    return None


def _examples(value: dict[str, Any]) -> tuple[Any, ...]:
    listed = value.get("input_examples") or value.get("examples")
    return tuple(example for example in listed if isinstance(example, dict)) if isinstance(listed, list) else ()


def objects_in(values: Any, place: Place) -> Iterable[tuple[dict[str, Any], Place]]:
    """The objects of a list; anything else raises `BadInput`."""
    if not isinstance(values, list):
        place.refuse("is no list; write […]")
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            (place / index).refuse("is no object; describe one tool in each entry")
        yield value, place / index
