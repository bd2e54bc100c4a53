"""The reasons for which the gate refuses a task: fixed phrases, so that they can be counted.

Invariant: every `Rejection` of this package has one of these reasons. Not covered: the reasons of drafting.
"""

from __future__ import annotations

from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.interpreter import Infeasible

__all__ = ["REASONS", "infeasible", "reject"]

REASONS = (
    "malformed blueprint",  # an edge is missing or runs backwards, a call is of the wrong side
    "unrealisable argument",  # an argument comes from nowhere that the agent can see
    "unfaithful instruction",  # a value is missing from the wording, or a derived one is in it
    "derived value known",  # the user knows what the agent should find out
    "gold refused",
    "gold fails",
    "unreachable value",  # a path leads nowhere
    "underivable",  # a reasoning node cannot work on what it got
    "two solutions",  # a choice is ambiguous
    "nothing to do",  # gold neither changes the state nor answers
    "already satisfied",  # doing nothing scores
    "not reproducible",  # the same calls again, here or in a fresh process, give something else
    "refusal leaves traces",
    "reading matters",  # reads dropped, repeated or added change the outcome
    "write without effect",  # a write dropped still scores
    "value does not matter",  # a write's argument perturbed still scores
    "target does not matter",  # a look-alike row in place of the target still scores
    "extra write unnoticed",
    "branch does not matter",  # the branch not taken still scores
    "choice does not matter",  # a near miss in place of a derived value still scores
    "order matters",  # another topological order gives something else
    "ids matter",  # other generated ids give something else
    "superfluous value",  # a value that the user gives changes nothing
    "untyped answer",
    "wrong answer",  # the expected value is not what gold shows
    "answer not told apart",  # a wrong or contradicting answer scores
    "echo passes",  # gold calls followed by all outputs score
)
"""All of them, from cheap checks to dear ones."""

_INFEASIBLE = {
    "ambiguous": "two solutions",
    "refused": "gold refused",
    "missing value": "unreachable value",
    "derivation": "underivable",
}


def reject(reason: str, message: str) -> Rejection:
    """The rejection to raise."""
    assert reason in REASONS, reason
    return Rejection(reason, message)


def infeasible(fault: Infeasible) -> Rejection:
    """Why gold could not be carried out."""
    return reject(_INFEASIBLE.get(fault.reason, "gold fails"), str(fault))
