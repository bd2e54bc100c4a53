"""JSON Schema of any dialect, with references, in one normal form: inlined draft 2020-12 that every host understands.

In normal form a node has either `type` with the keywords of that type or `anyOf`; there are no references, no `allOf`
or `oneOf`, no empty and no boolean schemas. `finish` then closes the objects. Invariants: the document that was given
is never changed, and normalising a normal form changes nothing. Not covered: keywords that few hosts support (`not`,
`if`, `dependentSchemas`, …) are dropped with a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from autoforge.generator.documents.containers import Containers, Recursion
from autoforge.generator.documents.defaults import mend_default
from autoforge.generator.documents.keywords import (
    annotations_of,
    any_value,
    bounds_of,
    enumeration_of,
    types_of,
)
from autoforge.generator.documents.limits import mend_limits
from autoforge.generator.documents.merge import Budget, Schema, TooLarge, both, either, structure
from autoforge.generator.documents.raw import Notes, Place
from autoforge.generator.documents.references import Target, resolve
from autoforge.generator.documents.type_names import read_type
from autoforge.generator.documents.values import fits
from autoforge.generator.pointer import unescape_token

__all__ = ["Detail", "Normaliser"]

MAXIMUM_NODES = 10_000
"""Schema nodes of one tool after its references are written out: already more than a megabyte of JSON."""

MAXIMUM_NESTING = 40
"""Levels of schemas within schemas."""

_ALTERNATIVES = ("anyOf", "oneOf")
_PROSE = """
    $schema $id id $comment $defs definitions $anchor xml externalDocs discriminator nullable x-nullable example
    examples title description default deprecated readOnly writeOnly optional collectionFormat allowEmptyValue
"""
_STRUCTURE = """
    type enum const required properties patternProperties additionalProperties items prefixItems additionalItems
    minLength maxLength pattern format contentEncoding contentMediaType minimum maximum exclusiveMinimum
    exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties $ref allOf anyOf oneOf
"""
_NARROWING = frozenset(_STRUCTURE.split())
_KNOWN = frozenset((_PROSE + _STRUCTURE).split())
"""Keywords that are read, or that say nothing about values; all others are dropped with a note."""


class Detail(NamedTuple):
    """How far references are followed. Each next step gives less, for documents that would grow too large."""

    recursions: int
    """How often a definition may stand within itself."""
    definitions: int | None
    """How many definitions may stand within each other before objects are left open."""


class _Inlined(NamedTuple):
    schema: Schema
    references: frozenset[str]


class Normaliser:
    """Normalises the schemas of one document; definitions are normalised once.

    Raises `BadInput` for what is no schema, `Recursion` for endless definitions and `TooLarge` beyond the limits above.
    """

    def __init__(self, document: Any, notes: Notes, detail: Detail = Detail(1, None)) -> None:  # noqa: B008
        self._document = document
        self._notes = notes
        self._detail = detail
        self._cache: dict[tuple[str, str, int], _Inlined] = {}
        self._active: list[str] = []
        self._seen: list[set[str]] = []
        self._nesting = 0
        self._containers = Containers(self.schema, self._active, notes)
        self.budget = Budget(MAXIMUM_NODES)

    def start(self) -> None:
        """Begin the next schema: with a whole budget, and nothing left over from one that was given up."""
        self.budget = Budget(MAXIMUM_NODES)

    def schema(self, node: Any, place: Place) -> Schema:
        """The normal form of the schema `node`, which stands at `place`."""
        self.budget.spend()
        if self._nesting >= MAXIMUM_NESTING:
            raise TooLarge
        self._nesting += 1
        try:
            return self._dispatch(self._as_object(node, place), place)
        finally:
            self._nesting -= 1

    def _as_object(self, node: Any, place: Place) -> dict[str, Any]:
        if node is True or node is None:
            return {}
        if isinstance(node, str) and (read := read_type(node)) is not None:
            self._notes.add(place, f"the bare type {node!r} is read as a schema")
            return {"type": list(read.types), **read.keywords}
        if not isinstance(node, dict):
            place.refuse('is no JSON Schema; write an object such as {"type": "string"}')
        return node

    def _dispatch(self, node: dict[str, Any], place: Place) -> Schema:
        self._note_dropped(node, place)
        if "$ref" in node:
            return self._reference(node, place)
        if isinstance(node.get("allOf"), list) and node["allOf"]:
            return self._all_of(node, place)
        for keyword in _ALTERNATIVES:
            if isinstance(node.get(keyword), list) and node[keyword]:
                return self._alternatives(keyword, node, place)
        return self._plain(node, place)

    def _note_dropped(self, node: dict[str, Any], place: Place) -> None:
        for keyword in node:
            if keyword not in _KNOWN and not keyword.startswith("x-"):
                if keyword == "propertyNames" and node[keyword] == {"type": "string"}:
                    continue
                self._notes.add(place, f"the keyword {keyword!r} is not supported by every host and was dropped")

    # References

    def _reference(self, node: dict[str, Any], place: Place) -> Schema:
        target = resolve(node["$ref"], self._document, place)
        inlined = self._inline(target, place)
        rest = {keyword: value for keyword, value in node.items() if keyword not in ("$ref", "$defs", "definitions")}
        return self._refined(inlined, rest, place)

    def _refined(self, schema: Schema, rest: dict[str, Any], place: Place) -> Schema:
        """`schema` with what stands beside its reference: prose replaces prose, keywords narrow it."""
        annotations = annotations_of(rest)
        nullable = rest.get("nullable") is True or rest.get("x-nullable") is True
        if _narrowing(rest):
            schema = self._both(schema, self._dispatch(_narrowing(rest), place), place)
        if nullable:
            schema = {**_only_annotations(schema), **either([structure(schema), {"type": "null"}])}
        return mend_default({**schema, **annotations}, place, self._notes)

    def _inline(self, target: Target, place: Place) -> Schema:
        key = target.place.pointer
        if self._active.count(key) > self._detail.recursions:
            raise Recursion(key, place)
        limit = self._detail.definitions
        if limit is not None and len(self._active) >= limit and _has_structure(target.value):
            self._notes.add(
                place,
                f"objects below {limit} definitions within each other are left open, since the schema is very large",
            )
            return _opened(target.value)
        cached = self._cache.get(self._cache_key(target))
        if cached is not None and cached.references.isdisjoint(self._active):
            self._remember(cached.references)
            return cached.schema
        return self._expand(target, key)

    def _expand(self, target: Target, key: str) -> Schema:
        outer = frozenset(self._active)
        with self._following(key) as seen:
            schema = self.schema(target.value, target.place)
        references = frozenset(seen)
        self._remember(references)
        if schema.get("type") == "object" or "anyOf" in schema:
            own = target.value.get("title") if isinstance(target.value, dict) else None
            title = own if isinstance(own, str) and own.strip() else _last_token(key)
            schema = {**schema, "title": title.strip()} if title.strip() else schema
        if references.isdisjoint(outer):
            self._cache[self._cache_key(target)] = _Inlined(schema, references)
        return schema

    def _cache_key(self, target: Target) -> tuple[str, str, int]:
        """With a limit on definitions within each other, what a definition gives depends on how deep it stands."""
        depth = len(self._active) if self._detail.definitions is not None else 0
        return target.place.root, target.place.pointer, depth

    @contextmanager
    def _following(self, key: str) -> Iterator[set[str]]:
        self._active.append(key)
        self._seen.append({key})
        try:
            yield self._seen[-1]
        finally:
            self._active.pop()
            self._seen.pop()

    def _remember(self, references: frozenset[str]) -> None:
        if self._seen:
            self._seen[-1] |= references

    # Compositions

    def _all_of(self, node: dict[str, Any], place: Place) -> Schema:
        rest = {keyword: value for keyword, value in node.items() if keyword != "allOf"}
        parts = [self.schema(part, place / "allOf" / index) for index, part in enumerate(node["allOf"])]
        merged = parts[0]
        for part in parts[1:]:
            merged = self._both(merged, part, place)
        return self._refined(merged, rest, place)

    def _both(self, first: Schema, second: Schema, place: Place) -> Schema:
        merged = both(first, second, self.budget)
        if merged is None:
            self._notes.add(place, "the schemas that must hold together contradict each other; the first is kept")
            return first
        return merged

    def _alternatives(self, keyword: str, node: dict[str, Any], place: Place) -> Schema:
        base = {key: value for key, value in node.items() if key not in (keyword, "discriminator")}
        if keyword == "oneOf":
            self._notes.add(place, "oneOf is read as anyOf")
        branches = []
        for index, branch in enumerate(node[keyword]):
            schema = self.schema(branch, place / keyword / index)
            branches.append(self._discriminated(schema, branch, node.get("discriminator"), place))
        if _narrowing(base):
            branches = self._narrowed(branches, _narrowing(base), place)
        if base.get("nullable") is True:
            branches.append({"type": "null"})
        return mend_default({**either(branches), **annotations_of(base)}, place, self._notes)

    def _narrowed(self, branches: list[Schema], base: dict[str, Any], place: Place) -> list[Schema]:
        """Each branch together with the keywords beside the alternatives.

        Branches that contradict them are left out.
        """
        narrow = structure(self._dispatch(base, place))
        possible = [merged for branch in branches if (merged := both(branch, narrow, self.budget)) is not None]
        if len(possible) < len(branches):
            self._notes.add(place, "alternatives that contradict the keywords beside them were dropped")
        return possible or [narrow]

    def _discriminated(self, schema: Schema, branch: Any, discriminator: Any, place: Place) -> Schema:
        """`schema` with the value of the discriminator that stands for it, as an enum of one."""
        reference = branch.get("$ref") if isinstance(branch, dict) else None
        name = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
        if not isinstance(name, str) or not isinstance(reference, str) or schema.get("type") != "object":
            return schema
        mapping = discriminator.get("mapping")
        pairs = mapping.items() if isinstance(mapping, dict) else ()
        last = _last_token(reference)
        values = [value for value, target in pairs if target in (reference, last)] or [last]
        properties = schema.get("properties", {})
        own = properties.get(name, {})
        if "enum" in own or own.get("type", "string") != "string":
            return schema
        self._notes.add(place, f"the discriminator {name!r} is enforced as an enum in each alternative")
        required = list(dict.fromkeys([*schema.get("required", []), name]))
        return {
            **schema,
            "properties": {**properties, name: {**own, "type": "string", "enum": values}},
            "required": required,
        }

    # Plain nodes

    def _plain(self, node: dict[str, Any], place: Place) -> Schema:
        types, node = types_of(node, place, self._notes)
        annotations = annotations_of(node)
        values = enumeration_of(node, types, place, self._notes)
        if not types:
            return mend_default({**any_value(), **annotations}, place, self._notes)
        branches = []
        for kind in types:
            chosen = [value for value in values if _belongs(value, kind, types)] if values is not None else None
            if chosen != [] or kind == "null":
                branches.append(self._typed(kind, node, chosen, place))
        return mend_default({**either(branches), **annotations}, place, self._notes)

    def _typed(self, kind: str, node: dict[str, Any], values: list[Any] | None, place: Place) -> Schema:
        schema: Schema = {"type": kind, **bounds_of(kind, node, place, self._notes)}
        if values and kind != "null":
            schema["enum"] = values
        if kind == "array":
            schema.update(self._containers.items(node, place))
        elif kind == "object":
            schema.update(self._containers.members(node, place))
        return mend_limits(schema, place, self._notes)


def _narrowing(node: dict[str, Any]) -> dict[str, Any]:
    """The keywords of `node` that say what is allowed."""
    return {key: value for key, value in node.items() if key in _NARROWING}


def _only_annotations(schema: Schema) -> Schema:
    kept = structure(schema)
    return {keyword: value for keyword, value in schema.items() if keyword not in kept}


def _belongs(value: Any, kind: str, types: tuple[str, ...]) -> bool:
    return fits(value, kind) and kind == next(other for other in types if fits(value, other))


def _last_token(pointer: str) -> str:
    return unescape_token(pointer.rsplit("/", 1)[-1])


def _has_structure(node: Any) -> bool:
    return isinstance(node, dict) and any(
        keyword in node
        for keyword in ("$ref", "properties", "allOf", "anyOf", "oneOf", "items", "additionalProperties")
    )


def _opened(node: dict[str, Any]) -> Schema:
    kind = node.get("type")
    if kind == "array":
        return {"type": "array", "items": any_value()}
    if kind == "object" or "properties" in node or "allOf" in node:
        return {"type": "object"}
    return any_value()
