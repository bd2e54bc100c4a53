"""`$ref`: what it points to.

Local references only (RFC 6901 pointers and `#`); remote ones are refused, since documentation is read without a
network.

Invariant: a circle is refused, never followed for ever. Not covered: what the target means.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import unquote

from autoforge.generator.documents.raw import Place
from autoforge.generator.pointer import unescape_token

__all__ = ["Target", "look_up", "resolve"]

_MISSING = object()


class Target(NamedTuple):
    """What a reference points to, and where that stands."""

    value: Any
    place: Place


def resolve(reference: Any, document: Any, place: Place) -> Target:
    """The target of a `$ref` found at `place` in `document`. Raises `BadInput` where there is none."""
    if not isinstance(reference, str):
        place.refuse("has a $ref that is no string; write it as '#/…'")
    if not reference.startswith("#"):
        place.refuse(
            f"refers to {reference!r} outside this document; put the definition into it and refer to it as '#/…'"
        )
    pointer = unquote(reference[1:])
    if pointer and not pointer.startswith("/"):
        place.refuse(f"refers to {reference!r} by an anchor; refer to it by its path, as '#/…'")
    # A tool's own definitions come first, those of the whole document second.
    for root in dict.fromkeys((place.root, "")):
        value = look_up(document, root + pointer)
        if value is not _MISSING:
            return Target(value, Place(place.source, root + pointer, place.root))
    return place.refuse(
        f"refers to {reference!r}, which is not in this document; add the definition or correct the reference"
    )


def look_up(document: Any, pointer: str) -> Any:
    """The value at a JSON pointer, or a marker that is equal to nothing else."""
    value = document
    for token in pointer.split("/")[1:]:
        token = unescape_token(token)
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif (
            isinstance(value, list)
            and token.isascii()
            and token.isdigit()
            and len(token) < 10
            and int(token) < len(value)
        ):
            value = value[int(token)]
        else:
            return _MISSING
    return value
