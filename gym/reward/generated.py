"""Answers that hold an id which gold generated: the same id has another name in an episode that made rows in another
order.

Invariant: a value is renamed only where it is such an id: a text or a part of one that equals it, or a whole number
that stands under a name of an id. Not covered: finding the renaming (`mcp_envs.equality`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from autoforge.gym.reward.text import plain, words
from autoforge.mcp_envs.manifest import ColumnKind, Manifest
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Answer, Output

__all__ = ["GeneratedIds"]

_ID_WORDS = frozenset("id ids number no code reference ref key identifier uuid".split())
_LAST_NAME = re.compile(r"\.([A-Za-z_]\w*)(?:\[[^\]]*\])*$|\['((?:[^'\\]|\\.)*)'\](?:\[[^\]]*\])*$")
_LEAST_LENGTH = 3
_MARK = "\0"


class GeneratedIds:
    """The ids that are in the gold state and were not in the initial one."""

    def __init__(self, initial: State, gold: State, manifest: Manifest) -> None:
        self._domains: dict[Any, list[tuple[str, str]]] = {}
        for table in manifest.tables:
            for column in table.columns:
                if column.kind is ColumnKind.SURROGATE and initial.get(table.name) is not gold.get(table.name):
                    domain = table.name if table.key == (column.name,) else f"{table.name}.{column.name}"
                    for value in _column(gold, table.name, column.name) - _column(initial, table.name, column.name):
                        self._domains.setdefault(value, []).append((domain, column.name))
        texts = [v for v in self._domains if isinstance(v, str) and len(v) >= _LEAST_LENGTH]
        longest = sorted(texts, key=len, reverse=True)
        self._texts = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)") if texts else None

    def matter(self, answer: Answer) -> bool:
        """Whether a renaming can change the answer at all."""
        marked = {(domain, value): _MARK for value, found in self._domains.items() for domain, _ in found}
        return bool(marked) and self.renamed(answer, marked) != answer

    def renamed(self, answer: Answer, renaming: Mapping[tuple[str, object], object]) -> Answer:
        """The answer as this episode has it."""
        if not self._domains or not renaming:
            return answer
        name = self._name(answer)

        def change(value: JsonValue) -> JsonValue:
            if isinstance(value, list):
                return [change(item) for item in value]
            return self._one(value, name, renaming)

        value, others = change(answer.value), tuple(change(other) for other in answer.others)
        return answer.model_copy(update={"value": value, "others": others})

    def _one(self, value: JsonValue, name: str, renaming: Mapping[tuple[str, object], object]) -> JsonValue:
        if isinstance(value, str):
            whole = self._target(value, renaming)
            if whole is not None or self._texts is None:
                return whole if whole is not None else value
            return self._texts.sub(lambda m: str(self._target(m[0], renaming) or m[0]), value)
        if type(value) is int and value in self._domains and self._is_id(value, name):
            target = self._target(value, renaming)
            return value if target is None else target
        return value

    def _target(self, value: Any, renaming: Mapping[tuple[str, object], object]) -> Any:
        domains = (domain for domain, _ in self._domains.get(value, ()))
        return next((renaming[(d, value)] for d in domains if (d, value) in renaming), None)

    def _is_id(self, value: int, name: str) -> bool:
        """Whether a number that equals a generated id is that id, by the name under which an output shows it."""
        parts = {word.text for word in words(plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)))}
        columns = {plain(column) for _, column in self._domains.get(value, ())}
        return bool(parts & _ID_WORDS or plain(name) in columns)

    @staticmethod
    def _name(answer: Answer) -> str:
        """The property of an output where gold gets it; the answer's own name where that does not tell."""
        path = answer.source.path if isinstance(answer.source, Output) else ""
        match = _LAST_NAME.search(path)
        return (match[1] or match[2]) if match else answer.name


def _column(state: State, table: str, column: str) -> set[Any]:
    contents = state.get(table)
    if contents is None or column not in contents.columns:
        return set()
    place = contents.columns.index(column)
    return {row[place] for row in contents.rows}
