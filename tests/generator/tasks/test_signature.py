"""The digest of a kind of work: the same under other names and orders, another for other work."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.finish import renamed_nodes
from autoforge.generator.tasks.signature import signature, split_of
from autoforge.mcp_envs.task import Blueprint, Node

STEPS: list[dict[str, Any]] = [
    {"id": "n1", "tool": "search", "arguments": {"city": {"user": "city"}}},
    {"id": "n2", "reason": "filter", "over": {"from": "n1", "path": "$.rooms[*]"}, "by": "stars", "compare": "greater",
     "inputs": {"value": {"user": "stars"}}},
    {"id": "n3", "reason": "nth_lowest", "over": {"from": "n2"}, "by": "price", "n": 2},
    {"id": "n4", "reason": "compare", "over": {"from": "n3", "path": "$.price"}, "compare": "less",
     "inputs": {"value": {"user": "limit"}}},
    {"id": "n5", "tool": "book", "arguments": {"room": {"from": "n3", "path": "$.id"}, "breakfast": {"literal": True},
     "guests": {"list": [{"object": {"name": {"user": "name"}}}]}}, "when": {"from": "n4", "is": True}},
    {"id": "n6", "tool": "call_back", "arguments": {"phone": {"user": "phone"}}, "when": {"from": "n4", "is": False}},
]  # fmt: skip


def blueprint(**changes: dict[str, object]) -> Blueprint:
    """The steps, with fields of some of them replaced."""
    return Blueprint.model_validate({"nodes": [{**s, **changes.get(str(s["id"]), {})} for s in STEPS]})


def shuffled(blueprint: Blueprint, chance: random.Random) -> list[Node]:
    """The nodes in another topological order."""
    waiting, order = list(blueprint.nodes), []
    done: set[str] = set()
    while waiting:
        free = [n for n in waiting if all(a in done for a, b in blueprint.edges if b == n.id)]
        order.append(chance.choice(free))
        done.add(order[-1].id)
        waiting.remove(order[-1])
    return order


@given(st.data())
def test_other_ids_and_another_order_of_independent_nodes_are_the_same_work(
    drafts: list[Draft], data: st.DataObject
) -> None:
    draft = drafts[data.draw(st.integers(0, len(drafts) - 1))]
    nodes = shuffled(draft.blueprint, random.Random(data.draw(st.integers(0, 10**6))))
    labels = data.draw(st.lists(st.integers(0, 999), min_size=len(nodes), max_size=len(nodes), unique=True))
    names = {node.id: f"step-{label}" for node, label in zip(nodes, labels, strict=True)}
    renamed = Blueprint(nodes=tuple(renamed_nodes(node, names) for node in nodes))
    assert signature(renamed) == signature(draft.blueprint)


def test_what_the_user_says_does_not_matter_nor_how_it_is_called() -> None:
    assert signature(blueprint(n6={"arguments": {"phone": {"user": "telephone"}}})) == signature(blueprint())


@pytest.mark.parametrize(
    "changes",
    [
        {"n1": {"tool": "find"}},
        {"n1": {"arguments": {"town": {"user": "city"}}}},
        {"n1": {"arguments": {"city": {"literal": "Bonn"}}}},
        {"n1": {"actor": "user"}},
        {"n1": {"attempt": True}},
        {"n2": {"by": "price"}},
        {"n2": {"compare": "less"}},
        {"n2": {"over": {"from": "n1", "path": "$.flats[*]"}}},
        {"n3": {"reason": "nth_highest"}},
        {"n3": {"n": 3}},
        {"n3": {"over": {"from": "n1", "path": "$.rooms[*]"}}},
        {"n4": {"reason": "expression", "compare": None, "expression": "over < value"}},
        {"n5": {"arguments": {"room": {"from": "n3", "path": "$.id"}, "breakfast": {"literal": False}}}},
        {"n5": {"when": {"from": "n4", "is": False}}},
        {"n6": {"when": None}},
    ],
)
def test_other_work_has_another_signature(changes: dict[str, dict[str, object]]) -> None:
    assert signature(blueprint(**changes)) != signature(blueprint())


def test_each_node_counts() -> None:
    prefixes = {signature(Blueprint(nodes=blueprint().nodes[:n])) for n in range(7)}
    assert len(prefixes) == 7
    twice = Blueprint(nodes=(*blueprint().nodes[:1], blueprint().nodes[0].model_copy(update={"id": "n7"})))
    assert signature(twice) != signature(Blueprint(nodes=blueprint().nodes[:1]))


def test_drafts_of_one_signature_are_in_one_split(drafts: list[Draft]) -> None:
    splits: dict[str, set[str]] = {}
    for draft in drafts:
        kind = signature(draft.blueprint)
        splits.setdefault(kind, set()).add(split_of(kind))
    assert all(len(found) == 1 for found in splits.values()) and len(splits) > 5


def test_the_splits_have_their_shares() -> None:
    kinds = (signature(blueprint(n1={"tool": f"tool{n}"})) for n in range(1000))
    counted = Counter(map(split_of, kinds))
    assert 750 < counted["train"] < 850 and 60 < counted["validation"] < 140 and 60 < counted["test"] < 140
