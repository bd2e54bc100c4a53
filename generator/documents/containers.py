"""What stands within arrays and objects: items, properties, required names and additional properties.

Invariant: a definition that contains itself is left out only at an optional property, and only where that property is
part of the circle. Not covered: the keywords of the node itself (`keywords`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from autoforge.generator.documents.keywords import any_value, is_any
from autoforge.generator.documents.merge import Schema, either
from autoforge.generator.documents.raw import Notes, Place

__all__ = ["Containers", "Recursion"]

MOST_PROPERTIES = 1_000
"""Of one object; a table of SQLite has at most 2,000 columns."""
_MEANT_AS_REQUIRED = (True, "true", "True", "yes")


class Recursion(Exception):
    """A definition contains itself where no optional property could be left out; caught in this package."""

    def __init__(self, reference: str, place: Place) -> None:
        super().__init__(reference)
        self.reference = reference
        self.place = place


class Containers:
    """Reads the subschemas of one node.

    `schema` normalises each, `active` names the definitions that are being written out.
    """

    def __init__(self, schema: Callable[[Any, Place], Schema], active: Sequence[str], notes: Notes) -> None:
        self._schema = schema
        self._active = active
        self._notes = notes

    def items(self, node: dict[str, Any], place: Place) -> Schema:
        items = node.get("items")
        listed = (
            node.get("prefixItems")
            if isinstance(node.get("prefixItems"), list)
            else items
            if isinstance(items, list)
            else None
        )
        if listed:
            return self._tuple(listed, node, place)
        if items in (None, False) or items == []:
            self._notes.add(place, "the array has no items; they are read as any value")
            return {"items": any_value(), **({"maxItems": 0} if items is False else {})}
        return {"items": self._schema(items, place / "items")}

    def _tuple(self, listed: list[Any], node: dict[str, Any], place: Place) -> Schema:
        prefixed = isinstance(node.get("prefixItems"), list)
        keyword, extra = ("prefixItems", node.get("items")) if prefixed else ("items", node.get("additionalItems"))
        branches = [self._schema(item, place / keyword / index) for index, item in enumerate(listed)]
        if isinstance(extra, dict):
            branches.append(self._schema(extra, place / ("items" if prefixed else "additionalItems")))
        self._notes.add(place, "the tuple is read as a list whose items are of any of its types")
        closed = {"maxItems": min(len(listed), _limit(node.get("maxItems"), len(listed)))} if extra is False else {}
        return {"items": either(branches), **closed}

    def members(self, node: dict[str, Any], place: Place) -> Schema:
        properties, required = self._properties(node, place)
        members: Schema = {}
        if properties:
            members["properties"] = properties
        if required:
            members["required"] = required
        extra = self._extra(node, place)
        if extra is False or (extra and (properties or not is_any(extra))):
            members["additionalProperties"] = extra
        return members

    def _properties(self, node: dict[str, Any], place: Place) -> tuple[dict[str, Schema], list[str]]:
        documented = node.get("properties") or {}
        if not isinstance(documented, dict):
            (place / "properties").refuse('is no object; write {"name": {"type": …}, …}')
        if len(documented) > MOST_PROPERTIES:
            (place / "properties").refuse(
                f"holds {len(documented):,} properties; at most {MOST_PROPERTIES:,} can be columns of a table: "
                "leave some out, or describe them as one object with additionalProperties"
            )
        required = self._required(node, place)
        properties: dict[str, Schema] = {}
        for name, child in documented.items():
            here = place / "properties" / name
            if child is False:
                self._notes.add(here, "the property is never allowed and was dropped")
                continue
            if isinstance(child, dict) and isinstance(child.get("required"), bool | str):
                if child["required"] in _MEANT_AS_REQUIRED and name not in required:
                    required.append(name)
                self._notes.add(here, "'required' inside the property is read as 'required' of its object")
                child = {key: value for key, value in child.items() if key != "required"}
            schema = self._property(child, here, name in required)
            if schema is not None:
                properties[name] = schema
        return properties, required

    def _property(self, child: Any, place: Place, required: bool) -> Schema | None:
        try:
            return self._schema(child, place)
        except Recursion as recursion:
            if required or recursion.reference not in self._active:
                raise
            self._notes.add(
                place, "the definition contains itself; this optional property was left out where it repeats"
            )
            return None

    def _required(self, node: dict[str, Any], place: Place) -> list[str]:
        documented = node.get("required")
        if documented is None or isinstance(documented, bool):
            return []
        names = documented if isinstance(documented, list) else [documented]
        usable = [name for name in names if isinstance(name, str)]
        if usable != documented:
            self._notes.add(place, "'required' is no list of names; what names it has are kept")
        return list(dict.fromkeys(usable))

    def _extra(self, node: dict[str, Any], place: Place) -> Schema | Literal[False] | None:
        """`additionalProperties`, where pattern properties count as additional.

        None where the documentation is silent.
        """
        extra = node.get("additionalProperties")
        patterns = node.get("patternProperties")
        if isinstance(patterns, dict) and patterns:
            self._notes.add(place, "pattern properties are read as additional properties")
            branches = [self._schema(child, place / "patternProperties" / name) for name, child in patterns.items()]
            return either(branches)
        if extra is None:
            return None
        if extra is False:
            return False
        if extra is True or extra == {}:
            return any_value()
        return self._schema(extra, place / "additionalProperties")


def _limit(value: Any, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default
