"""A tool as a format reader found it, before its schemas are mended; and the places and notes that every step needs.

Invariant: a `Place` always points into the document that the user gave, so that an error or a note can be looked up
there. Not covered: mending (`normalise`, `build`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from autoforge.generator.documents.model import HttpOperation
from autoforge.generator.pointer import escape_token
from autoforge.mcp_envs.errors import BadInput

__all__ = ["Argument", "Body", "Notes", "Place", "RawTool", "Response", "one_line"]


def one_line(text: str) -> str:
    """`text` with its control characters written out: a message stays one line whatever a key or file is called."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a source, and the pointer that `#` means there."""

    source: str
    pointer: str = ""
    root: str = ""
    """JSON pointer of the schema that local references start from; the document itself is tried after it."""

    def __truediv__(self, token: object) -> Place:
        return replace(self, pointer=f"{self.pointer}/{escape_token(token)}")

    def as_root(self) -> Place:
        """The same place, where local references start from here."""
        return replace(self, root=self.pointer)

    def __str__(self) -> str:
        return one_line(f"{self.source}#{self.pointer}")

    def refuse(self, problem: str) -> NoReturn:
        """Raise `BadInput` for this place; `problem` says what is wrong and what to do, without a full stop."""
        raise BadInput(f"{self}: {problem}.")


class Notes:
    """What was inferred or mended: one sentence per kind and source, however often it happened."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], dict[str, None]] = {}

    def add(self, place: Place, message: str) -> None:
        """Remember that `message` holds at `place`; `message` is a clause without a full stop."""
        self._found.setdefault((place.source, message), {})[place.pointer] = None

    def sentences(self) -> tuple[str, ...]:
        return tuple(self._sentence(source, message, list(found)) for (source, message), found in self._found.items())

    @staticmethod
    def _sentence(source: str, message: str, pointers: Sequence[str]) -> str:
        more = len(pointers) - 1
        also = f" (and at {more} more place{'s' if more > 1 else ''})" if more else ""
        return one_line(f"{source}#{pointers[0]}: {message}{also}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One parameter that is documented on its own, not as part of a schema."""

    name: str
    schema: Any
    place: Place
    required: bool = False
    location: str = ""
    """`path`, `query`, `header`, `cookie` or `form`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A request body, whose properties become arguments where it is an object."""

    name: str
    schema: Any
    place: Place
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The schema of a successful result."""

    schema: Any
    place: Place
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTool:
    """One tool as documented.

    `parameters` is a JSON Schema of any dialect; `arguments` and `body` are used in its place by HTTP formats.
    """

    name: Any
    place: Place
    format: str
    title: Any = None
    description: Any = None
    parameters: Any = None
    parameters_place: Place | None = None
    arguments: tuple[Argument, ...] | None = None
    body: Body | None = None
    response: Response | None = None
    annotations: Any = None
    meta: Any = None
    http: HttpOperation | None = None
    group: str | None = None
    examples: tuple[Any, ...] = field(default=())
