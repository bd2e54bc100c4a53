"""What a check found.

Invariant: a verdict that does not hold has evidence. Not covered: printing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["CHECKS", "Check", "Verdict", "verdict"]

Check: TypeAlias = Literal["schemas", "reset", "replay", "reward", "isolation", "leftovers"]
CHECKS: dict[Check, str] = {
    "schemas": "tools have names of their own and valid JSON Schemas",
    "reset": "the same reset gives the same tools, rules and state",
    "replay": "the same calls give the same results and the same state",
    "reward": "gold is worth 1 and doing nothing 0, each time",
    "isolation": "two sessions at once do not see each other",
    "leftovers": "no process, file descriptor or temporary file is left",
}
_SHOWN = 5


class Verdict(NamedTuple):
    check: Check
    holds: bool | None
    """None: it could not be tried."""
    words: tuple[str, ...] = ()
    """Evidence, or why it could not be tried, or of how much it holds; at most a few."""


def verdict(check: Check, evidence: Iterable[str], *, untried: str = "", notes: Iterable[str] = ()) -> Verdict:
    """It holds where there is no evidence against it; `untried` says why it was not tried, `notes` what was left out
    where it was."""
    found = tuple(dict.fromkeys(evidence))
    if found:
        more = (f"and {len(found) - _SHOWN} more",) if len(found) > _SHOWN else ()
        return Verdict(check, False, (*found[:_SHOWN], *more))
    return Verdict(check, None, (untried,)) if untried else Verdict(check, True, tuple(notes))
