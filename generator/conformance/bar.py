"""What an environment must reach to be written and called passing.

Two kinds of bar. What no environment may do at all: crash, hang, leave a trace of a failed call, depend on the process,
let sessions see each other, answer outside its schema, have a tool that nothing makes succeed. One finding of these
fails it, because every task built on it would inherit the fault. And two shares, which measure how much of the
documentation was understood. The targets (at most 2 % dead parameters, at most 15 % weak tools) are figures over a
whole collection of documents; one environment of ten parameters cannot have 2 % of them, so it is failed only from two
dead parameters on, and by its weak tools only where they are so many that hardly a task could be made of the rest.

Invariant: one finding fails, whatever the shares are. Not covered: making the findings (`suite`).
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DEAD_SHARE", "LEAST_DEAD", "LEAST_WEAK", "WEAK_FAILING_SHARE", "WEAK_SHARE", "Shares"]

DEAD_SHARE = 0.02
"""Target for a collection, and bar for one environment: dead parameters among all documented ones of tools that are
not weak.
"""
LEAST_DEAD = 2
"""Dead parameters below this number do not fail one environment, whatever their share."""
WEAK_SHARE = 0.15
"""Target for a collection: weak tools among all."""
WEAK_FAILING_SHARE = 1 / 3
"""Bar for one environment. A weak tool is declared, not hidden: it logs the call and answers in shape. Real
documents hold a few (send, notify, render) that touch no state by their nature; an environment where a third are so
was not understood.
"""
LEAST_WEAK = 2
"""Weak tools below this number do not fail one environment."""


class Shares(NamedTuple):
    """Counts of an environment, or summed over a collection."""

    tools: int = 0
    weak: int = 0
    parameters: int = 0
    """Of tools that are not weak; the parameters of weak tools have nothing to act on and are counted by `weak`."""
    dead: int = 0
    """Of `parameters`."""

    def plus(self, other: Shares) -> Shares:
        return Shares(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def weak_share(self) -> float:
        return self.weak / self.tools if self.tools else 0.0

    @property
    def dead_share(self) -> float:
        return self.dead / self.parameters if self.parameters else 0.0

    @property
    def reach_targets(self) -> bool:
        """Whether a collection reaches the targets."""
        return self.dead_share <= DEAD_SHARE and self.weak_share <= WEAK_SHARE

    def faults(self) -> tuple[str, ...]:
        """Why one environment is below the bar; empty where it is not."""
        found = []
        if self.dead >= LEAST_DEAD and self.dead_share > DEAD_SHARE:
            share = f"{self.dead_share:.1%}; the bar is {DEAD_SHARE:.0%}"
            found.append(f"{self.dead} of {self.parameters} parameters are dead ({share})")
        if self.weak >= LEAST_WEAK and self.weak_share > WEAK_FAILING_SHARE:
            share = f"{self.weak_share:.0%}; the bar is {WEAK_FAILING_SHARE:.0%}"
            found.append(f"{self.weak} of {self.tools} tools are weak ({share})")
        return tuple(found)
