"""YAML as JSON: the YAML 1.2 core schema, built from parser events without recursion.

Why not `yaml.safe_load`: YAML 1.1 reads dates as dates, `no` as false and `010` as eight, takes keys of any type and
the last of two equal ones, and expands aliases without bound. Here keys are the text that was written, dates stay
strings, and aliases are counted.

Invariant: what comes out could have been JSON. Not covered: what it means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from autoforge.mcp_envs.errors import BadInput

__all__ = ["parse_yaml"]

MAXIMUM_EXPANDED = 2_000_000
"""Values in a document after its aliases are expanded; a real document has less than a tenth of that."""

_NULL = re.compile(r"null|Null|NULL|~|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_LONGEST_NUMBER = 400
_TAG = "tag:yaml.org,2002:"
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class _Container:
    """A mapping or sequence that is being read."""

    value: Any
    anchor: str | None
    size: int = 1
    key: str | None = None
    merges: list[dict[str, Any]] = field(default_factory=list)


class _Builder:
    def __init__(self, source: str, maximum_depth: int) -> None:
        self._source = source
        self._maximum_depth = maximum_depth
        self._stack: list[_Container] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self.documents: list[Any] = []

    def feed(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._open(event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._close(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._anchors = {}

    def _open(self, event: Any) -> None:
        mapping = isinstance(event, yaml.MappingStartEvent)
        if event.tag not in (None, "!", _TAG + ("map" if mapping else "seq")):
            self._refuse(event, f"has the tag {event.tag!r}, which JSON does not have; remove it")
        if self._expects_key():
            self._refuse(event, "uses a list or mapping as a key; use a string")
        if len(self._stack) >= self._maximum_depth:
            self._refuse(event, f"is nested more than {self._maximum_depth} levels deep; flatten it")
        self._stack.append(_Container({} if mapping else [], event.anchor))

    def _close(self, event: Any) -> None:
        container = self._stack.pop()
        for merged in container.merges:
            for key, value in merged.items():
                container.value.setdefault(key, value)
        if container.anchor:
            self._anchors[container.anchor] = (container.value, container.size)
        self._add(container.value, container.size, event)

    def _alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            self._refuse(event, f"uses the alias *{event.anchor} before its anchor is complete; write the value out")
        value, size = self._anchors[event.anchor]
        if self._expects_key() and not isinstance(value, str):
            self._refuse(event, "uses an alias that is no string as a key; use a string")
        self._add(value, size, event)

    def _scalar(self, event: Any) -> None:
        if self._expects_key():
            value: Any = event.value
        else:
            value = self._resolve(event)
        if event.anchor:
            self._anchors[event.anchor] = (value, 1)
        self._add(value, 1, event)

    def _expects_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1].value, dict) and self._stack[-1].key is None

    def _add(self, value: Any, size: int, event: Any) -> None:
        if not self._stack:
            self.documents.append(value)
            return
        container = self._stack[-1]
        container.size += size
        if container.size > MAXIMUM_EXPANDED:
            self._refuse(event, f"expands to more than {MAXIMUM_EXPANDED} values through its aliases; write less")
        if isinstance(container.value, list):
            container.value.append(value)
        elif container.key is None:
            container.key = value
        else:
            self._pair(container, value, event)

    def _pair(self, container: _Container, value: Any, event: Any) -> None:
        key, container.key = container.key, None
        assert key is not None
        if key == "<<" and isinstance(value, dict | list):
            merged = value if isinstance(value, list) else [value]
            if not all(isinstance(part, dict) for part in merged):
                self._refuse(event, "merges (<<) something that is no mapping; merge mappings only")
            container.merges.extend(merged)
        elif key in container.value:
            self._refuse(event, f"holds the key {json.dumps(key)} twice; keep one of the two")
        else:
            container.value[key] = value

    def _resolve(self, event: Any) -> Any:
        text = event.value
        tag = event.tag.removeprefix(_TAG) if event.tag else None
        if tag in ("str", "binary", "timestamp") or (tag in (None, "!") and not event.implicit[0]):
            return text
        if tag not in (None, "!", "null", "bool", "int", "float"):
            self._refuse(event, f"has the tag {event.tag!r}, which JSON does not have; remove it")
        if _NOT_FINITE.fullmatch(text):
            self._refuse(event, "is NaN or infinite, which JSON does not have; write a number or null")
        return _plain_scalar(text)

    def _refuse(self, event: Any, problem: str) -> None:
        mark = event.start_mark
        raise BadInput(f"{self._source}: line {mark.line + 1}, column {mark.column + 1} {problem}.")


def _plain_scalar(text: str) -> Any:
    if _NULL.fullmatch(text):
        return None
    if _TRUE.fullmatch(text):
        return True
    if _FALSE.fullmatch(text):
        return False
    if len(text) > _LONGEST_NUMBER:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    return float(text) if _FLOAT.fullmatch(text) else text


def parse_yaml(text: str, source: str, maximum_depth: int) -> Any:
    """The JSON value of a YAML text.

    Several documents of one stream become a list. Raises `BadInput` with line and column.
    """
    builder = _Builder(source, maximum_depth)
    try:
        for event in _events(text):
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        raise BadInput(_marked(error, source)) from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        position = getattr(error, "position", None) or getattr(error, "start", 0)
        line = text.count("\n", 0, position) + 1
        raise BadInput(
            f"{source}: is not YAML near line {line}: it holds a character that YAML does not allow; remove it."
        ) from error
    if not builder.documents:
        raise BadInput(f"{source}: is empty; give a file with tool documentation.")
    return builder.documents[0] if len(builder.documents) == 1 else builder.documents


def _events(text: str) -> Iterator[Any]:
    events: Iterator[Any] = yaml.parse(text, Loader=_Loader)
    return events


def _marked(error: yaml.MarkedYAMLError, source: str) -> str:
    mark = error.problem_mark or error.context_mark
    place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    return f"{source}: is not YAML{place}: {error.problem or error.context}; correct it there."
