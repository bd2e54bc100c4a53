"""From bytes to one JSON value: sizes, encodings, JSON, JSON lines.

Invariant: what comes out is plain JSON (string keys, finite numbers, at most `MAXIMUM_DEPTH` deep, no key twice);
everything else is refused with its place. YAML is in `load_yaml`. Not covered: what the value describes (`detect`).
"""

from __future__ import annotations

import codecs
import json
import math
from typing import Any, NamedTuple

from autoforge.generator.documents.load_yaml import parse_yaml
from autoforge.generator.documents.raw import one_line
from autoforge.generator.pointer import escape_token
from autoforge.mcp_envs.errors import BadInput

__all__ = ["MAXIMUM_BYTES", "MAXIMUM_DEPTH", "decode", "parse"]

MAXIMUM_BYTES = 100_000_000
"""Largest document in bytes; real API documentation stays below 20 MB."""

MAXIMUM_DEPTH = 200
"""Deepest nesting; deeper is no documentation, and would not fit Python's stack later."""


class _Repeated(dict[str, Any]):
    """An object in which `key` stood twice."""

    key: str = ""


class _Step(NamedTuple):
    value: Any
    parent: _Step | None
    token: object
    depth: int

    def pointer(self) -> str:
        tokens: list[str] = []
        step: _Step | None = self
        while step is not None and step.parent is not None:
            tokens.append(escape_token(step.token))
            step = step.parent
        return "".join(f"/{token}" for token in reversed(tokens))


def decode(data: bytes, source: str) -> str:
    """UTF-8 with or without byte order mark, or UTF-16 with one.

    Anything else raises `BadInput` with the byte offset.
    """
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise BadInput(f"{source}: is UTF-32 (byte offset 0); save it as UTF-8.")
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        name = "UTF-16" if wide else "UTF-8"
        offset = error.start + (3 if not wide and data.startswith(codecs.BOM_UTF8) else 0)
        raise BadInput(f"{source}: is not valid {name} at byte offset {offset}; save it as UTF-8.") from error


def parse(text: str, source: str, suffix: str = "") -> Any:
    """The JSON value of `text`.

    `suffix` is the file's ending in lower case; without a telling one the content decides.
    """
    if not text.strip():
        raise BadInput(f"{source}: is empty; give a file with tool documentation.")
    value = _parse_by_kind(text, source, suffix)
    _check(value, source)
    return value


def _parse_by_kind(text: str, source: str, suffix: str) -> Any:
    looks_like_json = text.lstrip()[:1] in "{["
    if suffix in (".json", ".jsonl", ".ndjson") or (looks_like_json and suffix not in (".yaml", ".yml")):
        return _json_or_lines(text, source)
    if looks_like_json:
        try:
            return _json(text)
        except (ValueError, RecursionError):
            return parse_yaml(text, source, MAXIMUM_DEPTH)
    return parse_yaml(text, source, MAXIMUM_DEPTH)


def _json_or_lines(text: str, source: str) -> Any:
    try:
        return _json(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return _lines(text, source)
        raise BadInput(
            f"{source}: is not JSON at line {error.lineno}, column {error.colno}: {_why(error)}; correct it there."
        ) from error
    except RecursionError as error:
        raise BadInput(f"{source}: is nested too deeply to be read; give at most {MAXIMUM_DEPTH} levels.") from error
    except ValueError as error:
        raise BadInput(f"{source}: holds a number with too many digits; write it as a string.") from error


def _lines(text: str, source: str) -> list[Any]:
    """JSON lines: one value on each line; blank lines do not count."""
    values = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values.append(_json(line))
        except json.JSONDecodeError as error:
            raise BadInput(
                f"{source}: is neither JSON nor JSON lines at line {number}, column {error.colno}: {_why(error)}; "
                "correct it there."
            ) from error
        except (ValueError, RecursionError) as error:
            raise BadInput(
                f"{source}: line {number} is nested too deeply or holds too long a number; simplify it."
            ) from error
    return values


def _why(error: json.JSONDecodeError) -> str:
    return error.msg[:1].lower() + error.msg[1:]


def _json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    seen: set[str] = set()
    repeated = _Repeated(result)
    repeated.key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return repeated


def _check(value: Any, source: str) -> None:
    """Refuse what JSON in the strict sense does not have; iterative, so that depth is counted and not suffered."""
    steps = [_Step(value, None, "", 1)]
    while steps:
        step = steps.pop()
        problem = _problem(step)
        if problem:
            raise BadInput(one_line(f"{source}#{step.pointer()}: {problem}."))
        if isinstance(step.value, dict):
            steps.extend(_Step(child, step, key, step.depth + 1) for key, child in step.value.items())
        elif isinstance(step.value, list):
            steps.extend(_Step(child, step, index, step.depth + 1) for index, child in enumerate(step.value))


def _problem(step: _Step) -> str:
    value = step.value
    if step.depth > MAXIMUM_DEPTH:
        return f"is nested more than {MAXIMUM_DEPTH} levels deep; flatten it"
    if isinstance(value, _Repeated):
        return f"holds the key {json.dumps(value.key)} twice; keep one of the two"
    if isinstance(value, float) and not math.isfinite(value):
        return "is NaN or infinite, which JSON does not have; write a number or null"
    texts = value if isinstance(value, dict) else (value,) if isinstance(value, str) else ()
    if any(_has_surrogate(text) for text in texts):
        return "holds half of a Unicode surrogate pair; write the whole character"
    return ""


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)
