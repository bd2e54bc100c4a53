"""Difficulty is counted on the blueprint and on what gold calls."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.difficulty import measure
from autoforge.mcp_envs.task import Blueprint, GoldCall

NODES: list[dict[str, Any]] = [
    {"id": "n1", "tool": "search_tickets"},
    {"id": "n2", "reason": "argmin", "over": {"from": "n1", "path": "$.tickets[*]"}, "by": "due_on"},
    {"id": "n3", "tool": "assign_ticket", "attempt": True},
    {"id": "n4", "tool": "assign_ticket", "when": {"from": "n3", "refused": True}},
    {"id": "n5", "reason": "compare", "over": {"from": "n2"}, "compare": "less", "inputs": {"value": {"user": "x"}}},
    {"id": "n6", "tool": "add_note", "when": {"from": "n5", "is": True}},
    {"id": "n7", "tool": "resolve_ticket", "when": {"from": "n5", "is": False}},
    {"id": "n8", "tool": "list_agents"},
]
EDGES = [("n1", "n2"), ("n2", "n3"), ("n3", "n4"), ("n2", "n5"), ("n5", "n6"), ("n5", "n7"), ("n4", "n6")]
BLUEPRINT = Blueprint.model_validate({"nodes": NODES, "edges": EDGES})


def calls(*tools: str) -> list[GoldCall]:
    return [GoldCall(node="n", tool=tool) for tool in tools]


def test_calls_writes_depth_reasoning_and_branches_are_counted(catalogue: Catalogue) -> None:
    """What was refused or skipped is no gold call; two sides of one condition are one branch."""
    found = measure(BLUEPRINT, calls("search_tickets", "assign_ticket", "add_note", "list_agents"), catalogue, 3)
    assert (found.calls, found.writes, found.depth, found.reasoning, found.branches, found.walks) == (4, 2, 5, 2, 2, 3)


def test_the_longest_path_counts_not_the_number_of_nodes(catalogue: Catalogue) -> None:
    flat = Blueprint.model_validate({"nodes": [{"id": f"n{i}", "tool": "list_agents"} for i in range(5)]})
    assert measure(flat, calls("list_agents"), catalogue, 1).depth == 1
    chain = flat.model_copy(update={"edges": tuple((f"n{i}", f"n{i + 1}") for i in range(4))})
    assert measure(chain, calls("list_agents"), catalogue, 1).depth == 5
    assert measure(Blueprint(nodes=()), [], catalogue, 1).depth == 0


@pytest.mark.parametrize(
    ("reads", "writes", "level"),
    [
        (0, 0, "easy"),
        (8, 0, "easy"),
        (9, 0, "medium"),
        (2, 2, "easy"),
        (0, 3, "medium"),
        (16, 0, "medium"),
        (17, 0, "hard"),
        (0, 6, "hard"),
    ],
)
def test_the_level_follows_from_the_figures(catalogue: Catalogue, reads: int, writes: int, level: str) -> None:
    made = calls(*["list_agents"] * reads, *["add_note"] * writes)
    assert measure(Blueprint(nodes=()), made, catalogue, 1).level == level


def test_reasoning_and_branches_make_it_harder(catalogue: Catalogue) -> None:
    assert (
        measure(BLUEPRINT, calls("search_tickets", "assign_ticket", "add_note", "list_agents"), catalogue, 1).level
        == "hard"
    )
    assert measure(Blueprint(nodes=BLUEPRINT.nodes[:2]), calls("list_agents"), catalogue, 1).level == "easy"
