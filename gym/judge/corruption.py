"""What it is to corrupt a dialogue: an operator takes a clean one and gives one with a single error, and where it is.

Invariant: nothing of the label is in the trajectory; an operator that cannot be applied gives None. Not covered: the
operators (`corruptions` lists them).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.gym.judge.dialogues import Dialogue
from autoforge.gym.judge.phrasebook import Phrasebook
from autoforge.mcp_envs.task import Task

__all__ = ["Corrupted", "Operator", "Setting", "any_of", "at", "given_once", "numbered", "only_reads", "whole_word"]


class Setting(NamedTuple):
    """What an operator may use."""

    book: Phrasebook
    chance: random.Random
    others: Sequence[Task]
    """Other tasks of the environment."""


class Corrupted(NamedTuple):
    """A dialogue with one error."""

    dialogue: Dialogue
    kind: str
    turns: frozenset[int]
    """The places at which it may be found."""


class Operator(NamedTuple):
    name: str
    kind: str
    style: str | None
    """How much is told at once, where it matters."""
    apply: Callable[[Dialogue, Setting], Corrupted | None]


def at(dialogue: Dialogue, kind: str, *numbers: int) -> Corrupted:
    places = dialogue.places()
    last = len(dialogue.trajectory().turns) - 1
    return Corrupted(dialogue, kind, frozenset(min(places[n], last) for n in numbers))


def numbered(dialogue: Dialogue, *purposes: str) -> list[int]:
    return [n for n, said in enumerate(dialogue.said) if said.purpose in purposes]


def any_of(found: Sequence[Any], setting: Setting) -> Any:
    return setting.chance.choice(found) if found else None


def whole_word(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w@]){re.escape(text)}(?![\w@])")


def given_once(dialogue: Dialogue, setting: Setting) -> list[tuple[int, str]]:
    """The places at which a value is given that is told nowhere else."""
    found = []
    for number in numbered(dialogue, "give"):
        others = dialogue.said[:number] + dialogue.said[number + 1 :]
        before = {name for said in others if said.role == "user" for name in said.values}
        told = {str(dialogue.task.known[name]) for name in before}
        found += [
            (number, name) for name in dialogue.said[number].values
            if name not in before and str(dialogue.task.known[name]) not in told
        ]  # fmt: skip
    return found


_LOOKS = re.compile(r"(?i)get|list|find|search|show|look|check|buscar|listar|consultar|.*_suchen$")


def only_reads(tool: Mapping[str, Any]) -> bool:
    """Whether a tool only reads."""
    return bool((tool.get("annotations") or {}).get("readOnlyHint")) or _LOOKS.match(str(tool["name"])) is not None
