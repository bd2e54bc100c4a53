"""What the suite found so far, by tool.

Invariant: at most `MOST_PER_CHECK` sentences are kept for one tool and check, the first ones and before them the
plainest; every call is counted. Not covered: what is bad enough (`bar`).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

__all__ = ["Check", "Fault", "Findings", "shown"]

Check = Literal[
    "crash", "deadline", "atomicity", "output", "positive", "negative", "effects", "determinism", "isolation", "server"
]

MOST_PER_CHECK = 3
_MOST_OUTPUTS = 60
"""Outputs of one tool that are held against its schema."""
_SHOWN = 160
"""Characters of arguments in a sentence."""


class Fault(NamedTuple):
    """What does not hold of a server."""

    tool: str | None
    sentence: str


class Findings:
    """A growing record; the laboratory and the checks write to it."""

    def __init__(self) -> None:
        self.calls: dict[str, Counter[str]] = defaultdict(Counter)
        """Tool -> how its calls ended."""
        self.dead: dict[str, list[str]] = defaultdict(list)
        """Tool -> parameters that matter nowhere."""
        self.notes: list[str] = []
        """Failures that belong to no tool."""
        self.remarks: list[str] = []
        """What was not looked at, and why; no failures."""
        self._sentences: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._hanging: set[str] = set()
        self._outputs: dict[str, set[int]] = defaultdict(set)

    def count(self, tool: str, kind: str) -> None:
        self.calls[tool][kind] += 1

    def add(self, tool: str, check: Check, sentence: str) -> None:
        """A check that does not hold."""
        known = self._sentences[tool][check]
        if len(known) < MOST_PER_CHECK and sentence not in known:
            known.append(sentence)

    def lead(self, tool: str, check: Check, sentence: str) -> None:
        """A check that does not hold, in its plainest form: it stands first."""
        self._sentences[tool][check] = [sentence, *self._sentences[tool][check]][:MOST_PER_CHECK]

    def hang(self, tool: str, sentence: str) -> None:
        """A call that did not end: the tool is not called again, or the suite would wait for each."""
        self._hanging.add(tool)
        self.add(tool, "deadline", sentence)

    def hangs(self, tool: str) -> bool:
        return tool in self._hanging

    def is_new_output(self, tool: str, text: str) -> bool:
        """Whether an output is worth holding against the schema: not seen before, and not one too many."""
        seen = self._outputs[tool]
        if len(seen) >= _MOST_OUTPUTS or hash(text) in seen:
            return False
        seen.add(hash(text))
        return True

    def of(self, tool: str) -> tuple[str, ...]:
        """The sentences about a tool, each led by its check."""
        return tuple(
            f"{check}: {sentence}" for check, sentences in self._sentences[tool].items() for sentence in sentences
        )

    def checks(self, tool: str) -> frozenset[str]:
        """The checks that do not hold for a tool."""
        return frozenset(check for check, sentences in self._sentences[tool].items() if sentences)


def shown(arguments: Mapping[str, Any]) -> str:
    """Arguments in a sentence: JSON, cut where it is long."""
    text = json.dumps(arguments, ensure_ascii=True)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
