"""The parts of a blueprint in words: sources, guards, what a reasoning node does, values cut to a length.

Invariant: every function is pure; a value that is cut says how much of it is missing. Not covered: escaping, which
those who print do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from autoforge.generator.report.wording import clean, truncated
from autoforge.mcp_envs.task import Guard, ListOf, Literally, ObjectOf, Output, Reasoning, Source, UserValue

__all__ = ["Leaf", "compact", "fitted", "guard_words", "leaves", "operation_words", "short", "source_words"]

_FEWER = ((12, 200), (5, 120), (3, 80), (2, 40), (1, 24))
"""Items of a list and letters of a text that are kept, from the first try to the last."""
_COMPARISONS = {
    "equal": "=", "not_equal": "≠", "less": "<", "less_equal": "≤", "greater": ">", "greater_equal": "≥",
    "contains": "contains", "in": "in",
}  # fmt: skip


class Leaf(NamedTuple):
    """One place of an argument or operand, and what fills it."""

    name: str
    source: Source


def compact(value: Any) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False, default=str)


def short(value: Any, width: int) -> str:
    """JSON on one line in at most `width` columns: long lists and texts are cut first, and say what is missing."""
    text = clean(compact(value))
    for items, letters in _FEWER:
        if len(text) <= width:
            break
        text = clean(compact(_cut(value, items, letters)))
    return fitted(text, width)


def fitted(text: str, width: int) -> str:
    """`truncated`, which counts columns letter by letter, for many texts that mostly fit."""
    return text if len(text) <= width and text.isascii() else truncated(text, width)


def _cut(value: Any, items: int, letters: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= letters else value[: letters - 1] + "…"
    if isinstance(value, dict):
        return {name: _cut(inner, items, letters) for name, inner in value.items()}
    if isinstance(value, list):
        rest = len(value) - items
        kept = [_cut(inner, items, letters) for inner in value[:items]]
        return [*kept, f"… {rest} more"] if rest > 0 else kept
    return value


def leaves(name: str, source: Source) -> Iterator[Leaf]:
    """The leaves of a source: `guests[0].name` for what is inside lists and objects. An empty one is a leaf itself."""
    if isinstance(source, ListOf) and source.items:
        for place, item in enumerate(source.items):
            yield from leaves(f"{name}[{place}]", item)
    elif isinstance(source, ObjectOf) and source.fields:
        for field, inner in source.fields.items():
            yield from leaves(f"{name}.{field}", inner)
    else:
        yield Leaf(name, source)


def source_words(source: Source, width: int = 60) -> str:
    """Where a value comes from: `user: email`, `n1 $.rooms[*]`, `"cancelled"`."""
    match source:
        case UserValue():
            words = f"user: {source.user}"
        case Output():
            words = f"{source.node} {source.path}"
        case Literally():
            return short(source.literal, width)
        case ListOf():
            words = f"[{', '.join(source_words(item, width) for item in source.items)}]"
        case ObjectOf():
            inner = (f"{name}: {source_words(part, width)}" for name, part in source.fields.items())
            words = f"{{{', '.join(inner)}}}"
    return truncated(words, width)


def guard_words(guard: Guard) -> str:
    """`if n4 is true`, `if n3 was refused`."""
    if guard.refused is not None:
        return f"if {guard.node} was {'refused' if guard.refused else 'accepted'}"
    return f"if {guard.node} is {'true' if guard.equals else 'false'}"


def operation_words(node: Reasoning) -> str:
    """What the operator works by: `by price`, `≤`, `the 2nd`; empty where nothing says more than its name."""
    parts = []
    if node.by is not None:
        parts.append(f"by {node.by}")
    if node.compare is not None:
        parts.append(_COMPARISONS[node.compare])
    if node.n is not None:
        parts.append(f"n = {node.n}")
    if node.expression is not None:
        parts.append(node.expression)
    return ", ".join(parts)
