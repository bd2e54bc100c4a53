"""JSON values from a JSON Schema, as a column of a row holds them: lists of items, records, tags.

Invariant: a value is valid by its schema as far as these words go: type, enum, const, format, limits of numbers,
texts, lists and objects, required, additionalProperties, anyOf, oneOf, allOf, local `$ref`. Properties that name the
key of an entity hold existing keys, and their neighbours repeat that row's columns. Not covered: pattern beyond what
the meaning gives, not, if/then, dependencies.
"""

from __future__ import annotations

import re
from typing import Any

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.pointer import unescape_token
from autoforge.generator.rules.meaning import meaning_of, split_name
from autoforge.generator.seed.column import Column
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.meanings import values_of_meaning
from autoforge.generator.seed.numbers import bounded
from autoforge.generator.seed.setting import Facts, Row, Setting

__all__ = ["list_of_values"]

DEEPEST = 5
"""Levels of nesting that are filled with optional parts."""
POOL = 30
"""Values that are drawn for a property before they are used again."""
Schema = dict[str, Any]


def list_of_values(setting: Setting, entity: Entity, attribute: Attribute, facts: Facts, count: int) -> list[JsonValue]:
    """One value per row for a JSON column."""
    writer = _Writer(setting, entity, facts, attribute, setting.draw(entity.name, attribute.name, "@json"))
    schema: Schema = dict(attribute.item_schema or {"type": "array", "items": {"type": "string"}})
    values = [writer.value(schema, attribute.name, i, 0) for i in range(count)]
    return values if attribute.nullable else [[] if value is None else value for value in values]


class _Writer:
    """Writes the values of one column, row by row."""

    def __init__(self, setting: Setting, entity: Entity, facts: Facts, attribute: Attribute, draw: Draw) -> None:
        self._setting, self._entity, self._facts, self._draw = setting, entity, facts, draw
        self._root: Schema = dict(attribute.item_schema or {})
        self._description = attribute.description
        self._pools: dict[tuple[str, str, str], list[JsonValue]] = {}
        self._taken = 0

    def value(self, schema: Schema, name: str, row: int, depth: int, owner: str = "") -> JsonValue:
        """A value for a property of that name of an `owner`, the noun of the record around it."""
        schema = self._resolved(schema, depth)
        if "const" in schema:
            return schema["const"]  # type: ignore[no-any-return]
        if schema.get("enum"):
            choices = [v for v in schema["enum"] if v is not None] or schema["enum"]
            return self._draw.one(choices)  # type: ignore[no-any-return]
        kind = _type_of(schema)
        if kind == "object":
            return self._record(schema, name, row, depth)
        if kind == "array":
            return self._list(schema, name, row, depth, owner)
        return None if kind == "null" else self._scalar(schema, name, kind, owner)

    def _resolved(self, schema: Schema, depth: int) -> Schema:
        for _ in range(20):
            if "$ref" in schema:
                schema = {
                    **_pointed(self._root, str(schema["$ref"])),
                    **{k: v for k, v in schema.items() if k != "$ref"},
                }
            elif schema.get("allOf"):
                schema = _merged(
                    [
                        {k: v for k, v in schema.items() if k != "allOf"},
                        *(self._resolved(dict(s), depth) for s in schema["allOf"]),
                    ]
                )
            elif schema.get("anyOf") or schema.get("oneOf"):
                word = "anyOf" if schema.get("anyOf") else "oneOf"
                options = [s for s in schema[word] if isinstance(s, dict) and s.get("type") != "null"] or [
                    {"type": "null"}
                ]
                flat = [s for s in options if _type_of(s) not in ("object", "array") and "$ref" not in s]
                chosen = self._draw.one(flat) if flat and depth >= DEEPEST else self._draw.one(options)
                schema = _merged([{k: v for k, v in schema.items() if k != word}, dict(chosen)])
            else:
                break
        return schema

    def _record(self, schema: Schema, name: str, row: int, depth: int) -> JsonValue:
        properties: Schema = schema.get("properties") or {}
        required = schema.get("required") or []
        names = [n for n in properties if n in required or (depth < DEEPEST and self._draw.chance(0.9))]
        noun = "_".join(split_name(_one_of(name)))
        record = {
            n: self.value(dict(properties[n]), n, row, depth + 1, noun)
            for n in names
            if isinstance(properties[n], dict)
        }
        self._repeat_parents(record)
        for missing in required:
            if missing not in record:
                record[missing] = self.value(_extra(schema), missing, row, depth + 1)
        self._pad(record, schema, name, row, depth)
        return record

    def _pad(self, record: Row, schema: Schema, name: str, row: int, depth: int) -> None:
        """Free keys, where the schema allows them and names none, or asks for more."""
        extra = schema.get("additionalProperties", True)
        least = int(schema.get("minProperties", 0))
        wanted = max(least, 2 if isinstance(extra, dict) and extra and depth < DEEPEST and not record else 0)
        if extra is False:
            return
        for key in ("color", "size", "material", "origin", "weight", *(f"field_{i}" for i in range(1, 30))):
            if len(record) >= min(wanted, int(schema.get("maxProperties", 99))):
                return
            record.setdefault(key, self.value(_extra(schema), key, row, depth + 1))

    def _list(self, schema: Schema, name: str, row: int, depth: int, owner: str) -> JsonValue:
        prefix = [
            self.value(dict(s), name, row, depth + 1) for s in schema.get("prefixItems", ()) if isinstance(s, dict)
        ]
        items = schema.get("items", {"type": "string"})
        if items is False:
            return prefix
        least, most = int(schema.get("minItems", 0)), int(schema.get("maxItems", 99))
        wanted = min(most, max(least, self._draw.integer(1, 3) if depth < DEEPEST else least))
        found: list[JsonValue] = list(prefix)
        for _ in range(wanted * 8):
            if len(found) >= wanted:
                break
            item = self.value(
                dict(items) if isinstance(items, dict) else {"type": "string"}, name, row, depth + 1, owner
            )
            if item not in found or (len(found) < least and not schema.get("uniqueItems")):
                found.append(item)
        return _in_order(found)

    def _scalar(self, schema: Schema, name: str, kind: str, owner: str) -> JsonValue:
        parent = self._parent(name)
        if parent is not None:
            keys = self._setting.keys(parent)
            if keys and isinstance(keys[0], str) == (kind == "string"):
                return self._draw.one(keys)
        if schema.get("examples") and self._draw.chance(0.3) and kind == "string":
            return self._draw.one(
                [e for e in schema["examples"] if isinstance(e, str)] or [self._drawn(schema, name, kind, owner)]
            )
        return self._limited(schema, self._drawn(schema, name, kind, owner), kind)

    def _drawn(self, schema: Schema, name: str, kind: str, owner: str) -> JsonValue:
        """A value by meaning, from a pool of that name."""
        type = _COLUMN_TYPES.get(kind, ColumnType.TEXT)
        format = schema.get("format") if isinstance(schema.get("format"), str) else None
        pool = self._pools.setdefault((owner, name, kind), [])
        if not pool:
            description = str(schema.get("description", "" if owner else self._description))
            entity = self._entity.model_copy(update={"name": owner, "label": None}) if owner else self._entity
            hints = {"language": self._setting.language, "entity": entity.name}
            names = [
                n
                for n in (name, _one_of(name))
                if meaning_of(n, description, type, format, **hints) not in ("label", "integer", "real")
            ]
            meaning = meaning_of((names or [_one_of(name)])[0], description, type, format, **hints)
            typed = {"date": ColumnType.DATE, "date-time": ColumnType.DATETIME, "time": ColumnType.TIME}.get(
                format or "", type
            )
            attribute = Attribute(name=_one_of(name), type=typed, description=description, meaning=meaning)
            facts = Facts(self._setting, entity, [None] * POOL)
            pool += values_of_meaning(Column(self._setting, entity, attribute, meaning, facts, self._draw, POOL))
        return pool[self._next(len(pool))]

    def _next(self, size: int) -> int:
        self._taken += 1
        return self._taken % size

    def _limited(self, schema: Schema, value: JsonValue, kind: str) -> JsonValue:
        if kind in ("integer", "number"):
            return _number(self._draw, schema, value, kind)
        if kind == "boolean":
            return bool(value) if isinstance(value, bool) else self._draw.chance(0.5)
        text = str(value)
        if schema.get("format") == "date-time":
            text += "Z"
        elif schema.get("format") == "time":
            text += ":00Z"
        least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
        text = text if len(text) >= least else text + "x" * (least - len(text))
        return text if most is None else text[: int(most)]

    def _parent(self, name: str) -> Entity | None:
        """The entity whose key a property of this name holds."""
        words = split_name(name)
        if len(words) < 2 or words[-1] not in ("id", "ids", "key", "code", "number", "symbol"):
            return None
        noun = "_".join(words[:-1])
        for entity in self._setting.world.entities:
            if entity.name == noun and len(entity.key) == 1 and self._setting.rows.get(noun) and not entity.singleton:
                return entity
        return None

    def _repeat_parents(self, record: Row) -> None:
        """Columns of the row that a key in the record points to, under the same name or after the noun: price,
        product_name.
        """
        for name, value in list(record.items()):
            parent = self._parent(name)
            if parent is None or isinstance(value, list):
                continue
            row = next((r for r in self._setting.rows[parent.name] if r[parent.key[0]] == value), {})
            for column, known in row.items():
                for other in (column, f"{parent.name}_{column}", f"unit_{column}"):
                    if other in record and other != name and known is not None and type(record[other]) is type(known):
                        record[other] = known


_COLUMN_TYPES = {"integer": ColumnType.INTEGER, "number": ColumnType.REAL, "boolean": ColumnType.BOOLEAN}


def _in_order(items: list[JsonValue]) -> list[JsonValue]:
    """Records with a moment, by the moment."""

    def moment(item: JsonValue) -> str:
        values = item.values() if isinstance(item, dict) else ()
        return next((v for v in values if isinstance(v, str) and re.match(r"\d{4}-\d\d-\d\dT", v)), "")

    return sorted(items, key=moment)


def _one_of(name: str) -> str:
    """The name of one item of a list: `attendees` -> `attendee`."""
    return name[:-1] if name.endswith("s") and not name.endswith("ss") and len(name) > 3 else name


def _type_of(schema: Schema) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), "null")
    if isinstance(kind, str):
        return kind
    return "object" if "properties" in schema or "required" in schema else "array" if "items" in schema else "string"


def _pointed(root: Schema, pointer: str) -> Schema:
    """What a local reference points to; an unknown one allows a text."""
    found: Any = root
    for part in re.sub(r"^#/?", "", pointer).split("/"):
        found = found.get(unescape_token(part)) if isinstance(found, dict) and part else found
    return dict(found) if isinstance(found, dict) and pointer.startswith("#") else {"type": "string"}


def _merged(schemas: list[Schema]) -> Schema:
    merged: Schema = {}
    for schema in schemas:
        for word, value in schema.items():
            if word == "properties":
                merged[word] = {**merged.get(word, {}), **value}
            elif word == "required":
                merged[word] = [*merged.get(word, []), *value]
            else:
                merged[word] = value
    return merged


def _extra(schema: Schema) -> Schema:
    extra = schema.get("additionalProperties")
    return dict(extra) if isinstance(extra, dict) and extra else {"type": "string"}


def _number(draw: Draw, schema: Schema, value: JsonValue, kind: str) -> float:
    low, high = schema.get("minimum"), schema.get("maximum")
    step = 1 if kind == "integer" else 0.01
    for word, sign in (("exclusiveMinimum", 1), ("exclusiveMaximum", -1)):
        edge = schema.get(word)
        if isinstance(edge, int | float) and not isinstance(edge, bool):
            inside = (int(edge) if kind == "integer" else edge) + sign * step
            low, high = (inside, high) if sign > 0 else (low, inside)
    type = ColumnType.INTEGER if kind == "integer" else ColumnType.REAL
    limits = Attribute(name="number", type=type, minimum=low, maximum=high)
    number = bounded(draw, limits, value if isinstance(value, int | float) else 1)
    multiple = schema.get("multipleOf")
    if isinstance(multiple, int | float) and multiple > 0:
        times = number // multiple
        times = times + 1 if low is not None and times * multiple < low else times
        number = times * multiple
        number = int(number) if float(number).is_integer() else number
    return number
