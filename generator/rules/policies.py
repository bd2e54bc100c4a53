"""Domain rules in prose: which tools each sentence speaks of.

Invariant: a sentence that no tool could take is reported, never dropped in silence. Not covered: reading sentences
(`prose`).
"""

from __future__ import annotations

from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.prose import Clue, policy_clues
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.words import snake

__all__ = ["apply_policy"]


def apply_policy(
    cast: Cast, readings: list[Reading], clues: dict[str, list[Clue]], policy: str
) -> tuple[list[str], list[str]]:
    """Attach the clues of a policy to the tools they speak of; the sentences that no tool could take are reported."""
    found, unread = policy_clues(policy) if policy else ([], [])
    used: list[str] = []
    for clue in found:
        takers = [r for r in readings if _concerned(cast, r, clue)]
        for reading in takers:
            clues[reading.tool.name].append(clue)
        (used if takers else unread).append(clue.message)
    lines = [line.strip() for line in policy.splitlines() if line.strip()]
    return lines, unread


def _concerned(cast: Cast, reading: Reading, clue: Clue) -> bool:
    verb = reading.verb
    named = any(v in (verb.word, verb.state) or v[:5] == verb.word[:5] for v in clue.verbs)
    entity = cast.of_tool[reading.tool.name]
    subject = cast.find(tuple(snake(clue.subject).split("_"))) if clue.subject else None
    return named and (subject is None or subject == entity or not clue.subject)
