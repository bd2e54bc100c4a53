"""Names of types as documentation writes them, read as JSON Schema types.

`read_type("List[str]")` gives the types and the keywords that come with them. Unknown names give None: the caller
decides.

Invariant: the same name gives the same type, whatever its case. Not covered: whole schemas (`normalise`).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

__all__ = ["STANDARD_TYPES", "TypeName", "read_type"]

STANDARD_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")

_WORDS = {
    "string": "string str text char character varchar enum password binary file bytes byte base64 html xml markdown",
    "integer": "integer int long short bigint smallint int8 int16 uint uint32 uint64 count timestamp_ms",
    "number": "number float double decimal numeric real float32 float64 num currency",
    "boolean": "boolean bool flag",
    "array": "array list tuple set sequence iterable collection vector frozenset",
    "object": "object dict dictionary map mapping hash hashmap struct record json class model",
    "null": "null none nil nonetype void undefined",
    "any": "any mixed unknown anything variant all",
}
_TYPE_OF = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_FORMATS = {
    "string": "date=date datetime=date-time date-time=date-time timestamp=date-time time=time email=email uuid=uuid "
    "uri=uri url=uri",
    "integer": "int32=int32 int64=int64",
}
_FORMAT_OF = {
    word: (kind, name) for kind, pairs in _FORMATS.items() for word, name in (pair.split("=") for pair in pairs.split())
}
_OPTIONAL = re.compile(r"(?:optional|nullable)[\[<](.*)[\]>]", re.IGNORECASE | re.DOTALL)
_UNION = re.compile(r"union[\[<](.*)[\]>]", re.IGNORECASE | re.DOTALL)
_GENERIC = re.compile(r"([A-Za-z]+)\s*[\[<](.*)[\]>]|([A-Za-z]+)\s+of\s+(\S.*)", re.DOTALL)
_REMARK = re.compile(r"([^()]+?)\s*\([^()]*\)", re.DOTALL)
_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
_LONGEST = 200


class TypeName(NamedTuple):
    """`types` is empty where any value is meant; `keywords` is raw JSON Schema."""

    types: tuple[str, ...]
    keywords: dict[str, Any]


def read_type(name: str) -> TypeName | None:
    """The JSON Schema types that `name` stands for, or None where it is no known type."""
    text = name.strip()
    if text in STANDARD_TYPES:
        return TypeName((text,), {})
    return _read(text) if len(text) <= _LONGEST else None


def _read(text: str, depth: int = 0) -> TypeName | None:
    word = text.strip().lower()
    if word in _FORMAT_OF:
        kind, format_name = _FORMAT_OF[word]
        return TypeName((kind,), {"format": format_name})
    if word in _TYPE_OF:
        kind = _TYPE_OF[word]
        return TypeName(() if kind == "any" else (kind,), {})
    return _composed(text.strip(), depth) if depth < 5 else None


def _composed(text: str, depth: int) -> TypeName | None:
    if remark := _REMARK.fullmatch(text):
        return _read(remark[1], depth + 1)
    if text.endswith("?") or (optional := _OPTIONAL.fullmatch(text)):
        inner = _read(text[:-1] if text.endswith("?") else optional[1], depth + 1)  # type: ignore[index]
        return inner and TypeName((*inner.types, "null") if inner.types else (), inner.keywords)
    union = _UNION.fullmatch(text)
    parts = _split(union[1], ",") if union else _split(_OR.sub("|", text), "|")
    if len(parts) > 1:
        return _union([_read(part, depth + 1) for part in parts])
    if text.endswith("[]"):
        return _array(text[:-2], depth)
    generic = _GENERIC.fullmatch(text)
    if generic:
        return _generic(generic[1] or generic[3], generic[2] or generic[4] or "", depth)
    return None


def _union(parts: list[TypeName | None]) -> TypeName | None:
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if not all(part.types for part in known):
        return TypeName((), {})
    merged: dict[str, Any] = {}
    for part in known:
        merged.update(part.keywords)
    return TypeName(tuple(dict.fromkeys(kind for part in known for kind in part.types)), merged)


def _generic(head: str, inside: str, depth: int) -> TypeName | None:
    kind = _TYPE_OF.get(head.lower())
    if kind == "object":
        return TypeName(("object",), {})
    if kind == "array":
        return _array(_split(inside, ",")[0], depth)
    return None


def _array(item: str, depth: int) -> TypeName:
    item = (
        item.strip().removesuffix("s")
        if item.strip().lower() in ("strings", "integers", "numbers", "objects")
        else item
    )
    inner = _read(item, depth + 1)
    if inner is None or not inner.types:
        return TypeName(("array",), {})
    return TypeName(("array",), {"items": {"type": list(inner.types), **inner.keywords}})


def _split(text: str, separator: str) -> list[str]:
    """Split at separators outside brackets."""
    parts, level, start = [], 0, 0
    for position, character in enumerate(text):
        level += (character in "[<(") - (character in "]>)")
        if character == separator and level == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]
