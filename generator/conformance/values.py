"""Values that fit a parameter's schema, from the schema alone.

Invariant: the same schema and clock give the same values; the plain ones come first, the extreme ones last. Not
covered: whether the state knows them (`arguments`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from autoforge.generator.conformance.columns import words
from autoforge.generator.conformance.drawing import matching
from autoforge.generator.conformance.subject import JsonSchema, Tool
from autoforge.generator.documents.values import type_of

__all__ = ["EARLY", "LATE", "fitted", "kinds", "plausible", "samples"]

_DEEPEST = 5
EARLY = frozenset({"from", "since", "after", "start", "min", "minimum", "begin", "lower", "least"})
LATE = frozenset(
    {
        "end",
        "to",
        "until",
        "due",
        "return",
        "checkout",
        "before",
        "arrival",
        "finish",
        "expiry",
        "max",
        "maximum",
        "stop",
        "deadline",
        "upper",
        "most",
    }
)
_BRANCHES = ("anyOf", "oneOf")


def kinds(schema: JsonSchema) -> tuple[str, ...]:
    """The JSON types that a schema names or implies."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return (kind,)
    if isinstance(kind, list):
        return tuple(kind)
    listed = [type_of(value) for value in _listed(schema)]
    return tuple(dict.fromkeys(listed)) or ("object",) * ("properties" in schema) or ("array",) * ("items" in schema)


def _listed(schema: JsonSchema) -> list[Any]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum") or ())


def plausible(tool: Tool, schema: JsonSchema, name: str, now: str, depth: int = 0) -> list[Any]:
    """Values in order of plausibility; those of a `pattern` or `format` first where there is one."""
    schema = tool.resolved(schema)
    listed = _listed(schema)
    if listed:
        return listed
    if depth > _DEEPEST:
        return [None]
    shown = [
        v for v in (*(schema.get("examples") or ()), schema.get("example"), schema.get("default")) if v is not None
    ]
    found: list[Any] = list(shown)
    for kind in kinds(schema):
        found += _of_kind(tool, schema, kind, name, now, depth)
    for key in _BRANCHES:
        for branch in schema.get(key) or ():
            merged = {**{k: v for k, v in schema.items() if k not in _BRANCHES}, **tool.resolved(branch)}
            found += plausible(tool, merged, name, now, depth + 1)
    if "allOf" in schema:
        merged = {k: v for part in schema["allOf"] for k, v in tool.resolved(part).items()}
        found += plausible(tool, {**{k: v for k, v in schema.items() if k != "allOf"}, **merged}, name, now, depth + 1)
    return _unique(found) or [f"sample {name}", 1, True, {}, []]


def _of_kind(tool: Tool, schema: JsonSchema, kind: str, name: str, now: str, depth: int) -> list[Any]:
    if kind == "array":
        return _lists(tool, schema, name, now, depth)
    if kind == "object":
        return _objects(tool, schema, now, depth)
    makers: dict[str, Callable[[], list[Any]]] = {
        "string": lambda: _texts(schema, name, now),
        "integer": lambda: _numbers(schema, integral=True),
        "number": lambda: _numbers(schema, integral=False),
        "boolean": lambda: [True, False],
    }
    return makers[kind]() if kind in makers else [None]


def _numbers(schema: JsonSchema, *, integral: bool) -> list[Any]:
    low: Any = schema.get("minimum")
    high: Any = schema.get("maximum")
    step: Any = schema.get("multipleOf")
    low = schema["exclusiveMinimum"] + (1 if integral else 0.5) if _is_number(schema.get("exclusiveMinimum")) else low
    high = schema["exclusiveMaximum"] - (1 if integral else 0.5) if _is_number(schema.get("exclusiveMaximum")) else high
    plain: list[Any] = [1, 2, 3, 5, 10, 100, 0, -1, 1000, 1_000_000]
    plain = plain if integral else [1, 2.5, 10, 100, 0.5, 0, -1, 99.99, 1000, 1_000_000]
    ends = [end for end in (low, high) if _is_number(end)]
    if _is_number(low) and _is_number(high):
        middle = low + (high - low) / 2
        plain.insert(0, int(middle) if integral else middle)
    if _is_number(step) and step:
        plain = [step * n for n in (1, 2, 3, 10, 0)] + plain
    inside = [v for v in plain if (not _is_number(low) or v >= low) and (not _is_number(high) or v <= high)]
    return _unique([*inside, *(int(v) if integral else v for v in ends)])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _texts(schema: JsonSchema, name: str, now: str) -> list[Any]:
    if isinstance(schema.get("pattern"), str):
        return [_sized(text, schema) for text in matching(schema["pattern"])] or ["a"]
    asked = words(name)
    form = str(schema.get("format") or "")
    plain = f"Sample {' '.join(asked) or 'text'}"
    values = _formatted(form or _form_told(schema, asked), asked, now) or [
        plain,
        f"Another {' '.join(asked) or 'text'}",
        "zzz nothing like it",
        "a",
        "1",
        "2",
    ]
    return [_sized(value, schema) for value in values]


def _form_told(schema: JsonSchema, asked: tuple[str, ...]) -> str:
    """The form of a text that its name or description tells where no `format` does."""
    told = str(schema.get("description") or "")
    if re.search(r"\bYYYY-MM-DD\b(?!.{0,3}(?:HH|hh))", told) or {*asked[:1], *asked[-1:]} & {"fecha", "datum"}:
        return "date"
    if re.search(r"\bcurrenc(?:y|ies)\b|\bmonedas?\b|\bdivisas?\b", f"{' '.join(asked)} {told}", re.IGNORECASE):
        return "currency"
    return ""


def _formatted(form: str, asked: tuple[str, ...], now: str) -> list[Any]:
    day = date.fromisoformat(now[:10])
    late = 7 if LATE & set(asked) else 0
    days = [day + timedelta(days=n + late) for n in (1, 3, 30, 0, -30)] + [date(1990, 1, 1), date(2090, 1, 1)]
    if form == "date" or (not form and asked and asked[-1] in ("date", "day", "birthday", "dob")):
        return [d.isoformat() for d in days]
    if form in ("date-time", "datetime") or (not form and {"datetime", "timestamp"} & set(asked)):
        return [f"{d.isoformat()}T10:00:00{'Z' if form == 'date-time' else ''}" for d in days]
    if form == "time" or (not form and asked and asked[-1] == "time"):
        return ["10:00", "15:30", "00:00", "23:59", "10:00:00"]
    if form == "email" or (not form and {"email", "mail"} & set(asked)):
        return ["new.person@mail.example", "other.person@mail.example"]
    if form in ("uri", "url", "iri") or (not form and asked and asked[-1] in ("url", "uri", "link")):
        return ["https://www.example.org/page", "https://www.example.org/other"]
    if form == "currency":
        return ["USD", "EUR", "GBP", "JPY"]
    if form == "uuid":
        return ["123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174999"]
    return []


def _sized(text: str, schema: JsonSchema) -> str:
    shortest: Any = schema.get("minLength")
    longest: Any = schema.get("maxLength")
    text = text.ljust(int(shortest), "x") if _is_number(shortest) else text
    return text[: int(longest)] if _is_number(longest) else text


def _lists(tool: Tool, schema: JsonSchema, name: str, now: str, depth: int) -> list[Any]:
    items = plausible(tool, schema.get("items") or {}, name, now, depth + 1)
    least = int(schema.get("minItems") or 1)
    distinct = [items[i % len(items)] for i in range(max(least, 1))]
    return [distinct, items[: max(least, 2)], items[1 : 1 + max(least, 1)], []]


def _objects(tool: Tool, schema: JsonSchema, now: str, depth: int) -> list[Any]:
    properties: Mapping[str, Any] = schema.get("properties") or {}
    required = set(schema.get("required") or ())
    choices = {name: plausible(tool, inner, name, now, depth + 1) for name, inner in properties.items()}
    whole = {name: values[0] for name, values in choices.items()}
    least = {name: values[0] for name, values in choices.items() if name in required}
    other = {name: values[1 % len(values)] for name, values in choices.items()}
    extra = schema.get("additionalProperties")
    if not properties and extra is not False:
        inner = (
            plausible(tool, extra, "value", now, depth + 1) if isinstance(extra, Mapping) and extra else ["one", "two"]
        )
        return [{"first": inner[0]}, {"first": inner[-1], "second": inner[0]}, {}]
    return [whole, least, other]


def samples(tool: Tool, schema: JsonSchema, name: str, now: str) -> list[Any]:
    """`plausible`, without repeats and short."""
    return _unique(plausible(tool, schema, name, now))[:16]


def fitted(value: Any, schema: JsonSchema, resolve: Callable[[Any], JsonSchema]) -> list[Any]:
    """A stored value as a parameter of this schema would take it; several ways where several are thinkable."""
    wanted = kinds(schema)
    for key in _BRANCHES:
        wanted += tuple(kind for branch in schema.get(key) or () for kind in kinds(resolve(branch)))
    found: list[Any] = []
    if value is None:
        return []
    if "boolean" in wanted and value in (0, 1):
        found.append(bool(value))
    whole = _loaded(value) if isinstance(value, str) and value[:1] in ("[", "{") else []
    if "array" in wanted or "object" in wanted:
        found += whole
    elif whole and isinstance(whole[0], list):
        return [v for item in whole[0][:8] for v in fitted(item, schema, resolve)]
    if "array" in wanted:
        items = resolve(schema.get("items") or {})
        found += [[inner] for inner in fitted(value, items, resolve)] if kinds(items) != ("array",) else []
    if "integer" in wanted or "number" in wanted:
        found += _as_number(value, integral="number" not in wanted)
    if "string" in wanted or not wanted:
        found += _as_text(value, str(schema.get("format") or ""))
    return found


def _loaded(text: str) -> list[Any]:
    try:
        return [json.loads(text)]
    except ValueError:
        return []


def _as_number(value: Any, *, integral: bool) -> list[Any]:
    if isinstance(value, str):
        if not value.lstrip("-").isdigit() or len(value) > 15:
            return []
        value = int(value)
    if isinstance(value, float) and integral:
        return [int(value)] if value.is_integer() else []
    return [value] if _is_number(value) else []


def _as_text(value: Any, form: str) -> list[Any]:
    text = value if isinstance(value, str) else json.dumps(value) if isinstance(value, int | float) else None
    if text is None:
        return []
    if form == "date" and len(text) > 10:
        return [text[:10]]
    if form in ("date-time", "datetime"):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return [text]
        return [moment.isoformat(timespec="seconds") + ("Z" if moment.tzinfo is None else ""), text]
    return [text]


def _unique(values: list[Any]) -> list[Any]:
    seen: dict[str, Any] = {}
    for value in values:
        seen.setdefault(json.dumps(value, sort_keys=True, default=str), value)
    return list(seen.values())
