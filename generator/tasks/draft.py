"""A task before it is worded and proved.

Invariant: a draft was carried out once, on the very start it names. Not covered: whether it is a good task (`gate`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autoforge.mcp_envs.task import Answer, Blueprint, GoldCall

__all__ = ["Draft", "Rejection", "Wish"]


@dataclass(frozen=True)
class Draft:
    """A blueprint bound to a state: everything of a task but its wording and its proof."""

    blueprint: Blueprint
    known: dict[str, Any]
    answers: tuple[Answer, ...] = ()
    initial: tuple[str, ...] = ()
    setup: tuple[GoldCall, ...] = ()
    walks: int = 1
    """Walks that were merged into it."""
    wishes: tuple[tuple[str, ...], ...] = ()
    """Ids of the nodes of each thing the user wants, in the order in which it is said; each ends in its goal."""
    provenance: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Wish:
    """What one walk came to: the nodes it added, and the goals among them."""

    nodes: tuple[str, ...]
    goals: tuple[str, ...]
    answer: Answer | None = None


class Rejection(Exception):
    """A proposal or a task is not admitted. `reason` is a fixed phrase that is counted; the message says the case."""

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason
