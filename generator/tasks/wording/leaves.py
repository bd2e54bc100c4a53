"""The arguments of a step as single things to say: each with its slot, in the order of the documentation.

Invariant: every source of the step is in exactly one leaf. Not covered: what is said of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from autoforge.generator.rules.words import split_words
from autoforge.generator.tasks.catalogue import ColumnName, Role, Slot, ToolModel
from autoforge.generator.tasks.wording.names import english_name, is_identifier, noun_words
from autoforge.mcp_envs.task import ListOf, Literally, ObjectOf, Source, ToolStep

__all__ = ["Leaf", "leaves_of"]


_VAGUE = frozenset({"name", "ID", "title", "type", "value", "description", "text", "key"})
_CARRIERS = frozenset({"path", "name", "text", "url", "content", "title", "body", "symbol"})
"""Last words of values that stand for what they are of: an image by its path."""


class Leaf(NamedTuple):
    """One value of a call."""

    path: tuple[str | int, ...]
    source: Source
    slot: Slot | None
    group: int = 0
    """Which of several objects in a list it belongs to, from 0."""
    of: int = 1
    """How many objects that list has."""

    @property
    def key(self) -> str:
        """The parameter or property."""
        return str(next((p for p in reversed(self.path) if isinstance(p, str)), self.path[0]))

    @property
    def words(self) -> str:
        """The name; with that of the object it is in where it says little alone: category name."""
        own = english_name(self.key)
        parents = [part for part in self.path[:-1] if isinstance(part, str)]
        if own in _VAGUE and parents:
            return f"{noun_words(parents[-1])} {own}".strip()
        return own

    @property
    def role(self) -> Role:
        if self.slot is not None:
            return self.slot.role
        return "reference" if is_identifier(self.key) else "value"

    @property
    def column(self) -> ColumnName | None:
        return self.slot.column if self.slot is not None else None

    @property
    def type(self) -> str:
        """`date`, `boolean` and so on, by the schema and the name."""
        schema = self.slot.schema if self.slot is not None else {}
        if schema.get("format") in ("date", "date-time") or set(split_words(self.key)) & {"date", "datetime", "fecha"}:
            return "date"
        found = schema.get("type") or next(
            (s.get("type") for s in schema.get("anyOf", ()) if s.get("type") != "null"), ""
        )
        return str(found[0] if isinstance(found, list) and found else found or "")

    @property
    def description(self) -> str:
        return str(self.slot.schema.get("description") or "") if self.slot is not None else ""

    @property
    def nouns(self) -> tuple[str, ...]:
        """What it can be called in the documentation, the most particular first."""
        entity = noun_words(self.column.table) if self.column is not None and self.role == "reference" else ""
        own = noun_words(self.key) if self.role == "reference" else self.words
        names = [own, entity, own.split()[-1] if own else "", entity.split()[-1] if entity else ""]
        if self.role != "reference":
            words = own.split()
            names = [own, *([" ".join(words[:-1])] if len(words) > 1 and words[-1] in _CARRIERS else [])]
        return tuple(dict.fromkeys(sorted((n for n in names if n), key=lambda n: -len(n.split()))))


def leaves_of(step: ToolStep, tool: ToolModel) -> tuple[Leaf, ...]:
    """Every value of the step's arguments; objects and lists of objects are opened."""
    return tuple(leaf for name, source in step.arguments.items() for leaf in _open((name,), source, tool))


def _open(path: tuple[str | int, ...], source: Source, tool: ToolModel, group: int = 0, of: int = 1) -> Iterator[Leaf]:
    if isinstance(source, ObjectOf):
        for name, inner in source.fields.items():
            yield from _open((*path, name), inner, tool, group, of)
    elif isinstance(source, ListOf) and any(isinstance(item, ObjectOf) for item in source.items):
        for place, item in enumerate(source.items):
            yield from _open((*path, place), item, tool, place, len(source.items))
    elif isinstance(source, ListOf) and len(source.items) == 1 and not isinstance(source.items[0], Literally):
        yield Leaf(path, source.items[0], _slot(tool, (*path, 0)) or _slot(tool, path), group, of)
    else:
        yield Leaf(path, source, _slot(tool, path), group, of)


def _slot(tool: ToolModel, path: tuple[str | int, ...]) -> Slot | None:
    general = tuple(0 if isinstance(part, int) else part for part in path)
    return tool.slot(path) or tool.slot(general)
