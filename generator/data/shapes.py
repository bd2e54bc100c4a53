"""What a JSON object or list is: a record with fields, a map from keys that are data, a list of records.

Invariant: every answer is a reading, none loses anything: whichever is taken, the document can be put back. All work
is linear in the values looked at. Not covered: where the values go (`tables`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import JsonValue

from autoforge.generator.rules.words import singular, split_words

__all__ = [
    "data_like",
    "inner_key",
    "is_entries",
    "is_flat",
    "is_map",
    "is_plural",
    "is_record",
    "kind_of",
    "list_of_records",
    "map_of_lists",
]

MOST_FIELDS = 200
"""An object with more distinct properties is a map, or no record at all."""
_FEW = 12
_SPARSE = 0.25
_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "text",
    list: "list",
    dict: "object",
    type(None): "null",
}
_DATA = re.compile(r".*(?:\d|[@/]).*|[A-Z]{2,6}$", re.DOTALL)
_CERTAIN = re.compile(r"\d{3}|\d-\d|@")
"""Never the name of a field, even where every object has the same keys."""
_NUMBERED_FIELD = re.compile(r"[a-z]+(?:[A-Z][a-z]*)*\d{1,2}$")
_CAPITAL = re.compile(r"[A-Z][a-zà-ÿ'-]+(?: [A-Z][\w.'-]*)*$")
_MAP_WORDS = frozenset(("map", "mapping", "lookup", "index", "dict", "dictionary", "by"))

Objects = Sequence[dict[str, Any]]


def kind_of(value: JsonValue) -> str:
    """boolean, number, text, list, object or null."""
    return _KINDS[type(value)]


def data_like(key: str) -> bool:
    """Whether a key reads as a value (`USR001`, `AAPL`, `2024-05-01`, `a@b.c`) and not as the name of a field."""
    return _DATA.match(key) is not None


def is_plural(name: str) -> bool:
    words = split_words(name)
    return bool(words) and singular(words[-1]) != words[-1]


def is_map(name: str, objects: Objects) -> bool:
    """Whether the objects, all at the same place, map keys that are data to members of one kind."""
    counts = Counter(key for o in objects for key in o)
    kinds = {kind_of(v) for o in objects for v in o.values()} - {"null"}
    if not kinds or any("\0" in key for key in counts):
        return False
    fields = sum(_CERTAIN.search(key) is None for key in counts) > 0.2 * len(counts)
    repeated = fields and len(objects) > 2 and sum(counts.values()) > 0.8 * len(counts) * len(objects)
    share = sum(map(data_like, counts)) / len(counts)
    if len(counts) > MOST_FIELDS:
        return len(objects) < 3 or (share >= 0.8 and not repeated)
    if len(kinds) > 1:
        return False
    if kinds == {"object"}:
        return _maps_objects(name, objects, counts, share, repeated)
    if kinds == {"list"}:
        return share >= 0.8 and not repeated
    return not repeated and _maps_scalars(name, counts, len(objects))


def _maps_objects(name: str, objects: Objects, counts: Counter[str], share: float, repeated: bool) -> bool:
    keys = [key for o in objects for key in o]
    members = [v for o in objects for v in o.values()]
    if inner_key(keys, members) is not None or (share >= 0.8 and not repeated):
        return True
    if repeated:
        return False
    records = [v for v in members if v is not None]
    if len(counts) == 1:
        return is_plural(name) and sum(kind_of(v) in ("text", "number", "boolean") for v in records[0].values()) >= 2
    return _similar(records) and (len(counts) > 2 or is_plural(name))


def _similar(records: Objects) -> bool:
    fields = Counter(key for r in records for key in r)
    named = [key for key in fields if not data_like(key) or _NUMBERED_FIELD.match(key)]
    if len(named) < 2 or len(named) < 0.7 * len(fields):
        return False
    return sum(fields[key] for key in named) >= 0.6 * len(named) * len(records)


def _maps_scalars(name: str, counts: Counter[str], objects: int) -> bool:
    words = split_words(name)
    if (objects == 1 and len(counts) > _FEW) or (len(words) > 1 and not _MAP_WORDS.isdisjoint(words)):
        return True
    telling = sum(data_like(key) and not _NUMBERED_FIELD.match(key) for key in counts)
    named = sum(_CAPITAL.match(key) is not None for key in counts)
    return telling >= 0.8 * len(counts) or (is_plural(name) and telling + named >= 0.8 * len(counts))


def inner_key(keys: Sequence[str], members: Sequence[JsonValue]) -> str | None:
    """The property of every member that repeats the key it is stored under, as a text or an integer."""
    first = members[0] if members else None
    if not isinstance(first, dict):
        return None
    for field in sorted(first, key=lambda f: not f.lower().endswith("id")):
        kind = type(first[field])
        if kind in (str, int) and all(
            isinstance(m, dict) and type(m.get(field)) is kind and str(m[field]) == k
            for k, m in zip(keys, members, strict=True)
        ):
            return field
    return None


def is_record(objects: Objects) -> bool:
    """Whether the objects have their properties in common: few in all, or filled in at least a quarter of the rows."""
    counts = Counter(key for o in objects for key in o)
    return bool(counts) and len(counts) <= MOST_FIELDS and _dense(counts, len(objects), _SPARSE)


def is_flat(objects: Objects) -> bool:
    """Whether nested objects are uniform and small enough to be columns of the row that holds them."""
    counts = Counter(key for o in objects for key in o)
    return 0 < len(counts) <= _FEW and sum(counts.values()) >= 0.5 * len(counts) * len(objects)


def _dense(counts: Counter[str], rows: int, share: float) -> bool:
    return len(counts) <= _FEW or sum(counts.values()) >= share * len(counts) * rows


def is_entries(items: Sequence[JsonValue]) -> bool:
    """Whether every item is an object with one key, and the keys are data."""
    if not items or not all(isinstance(i, dict) and len(i) == 1 for i in items):
        return False
    keys = Counter(key for i in items if isinstance(i, dict) for key in i)
    telling = sum(map(data_like, keys)) >= 0.8 * len(keys) or (len(keys) > 2 and len(keys) > 0.8 * len(items))
    return telling and not any("\0" in key for key in keys)


def list_of_records(items: Iterable[JsonValue]) -> bool:
    """Whether a list (or several, chained) holds objects and nothing else but nulls, and they fit a table."""
    members = [i for i in items if i is not None]
    objects: Objects = [i for i in members if isinstance(i, dict)]
    return bool(objects) and len(objects) == len(members) and (is_record(objects) or is_entries(objects))


def map_of_lists(members: Sequence[JsonValue]) -> bool:
    """Whether every member is a list with at least one item, and the items are scalars throughout or records
    throughout."""
    if not all(isinstance(m, list) and m for m in members):
        return False
    items = [i for m in members if isinstance(m, list) for i in m]
    kinds = {kind_of(i) for i in items}
    return (len(kinds) == 1 and kinds <= {"text", "number", "boolean"}) or (
        kinds == {"object"} and list_of_records(items) and not is_entries(items)
    )
