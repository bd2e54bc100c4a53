"""Proposals on the desk: each can be carried out anywhere, and its blueprint says all that it needs and no more."""

from __future__ import annotations

import pytest

from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.finish import node_sources
from autoforge.generator.tasks.interpreter import execute, resolve
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.propose import propose
from autoforge.generator.tasks.row_sets import type_of_value
from autoforge.generator.tasks.workshop import Workshop
from autoforge.mcp_envs.task import Node, Output, ToolStep, UserValue
from tests.generator.tasks.conftest import VARIED, proposals


def parents(node: Node) -> set[str]:
    read = {s.node for s in node_sources(node) if isinstance(s, Output)}
    return read | ({node.when.node} if node.when else set())


def test_a_draft_can_be_carried_out_in_another_process(drafts: list[Draft], workshop: Workshop) -> None:
    for draft in drafts:
        session = workshop.fresh.session(workshop.fresh.start(draft.initial, draft.setup))
        done = execute(draft.blueprint, draft.known, session.call)
        assert VARIED.least_calls <= len(done.calls) <= VARIED.most_calls
        for answer in draft.answers:
            assert resolve(answer.source, draft.known, done.values) == answer.value
        session.close()


def test_every_known_value_is_used_and_none_is_missing(drafts: list[Draft]) -> None:
    for draft in drafts:
        used = {s.user for n in draft.blueprint.nodes for s in node_sources(n) if isinstance(s, UserValue)}
        assert used == set(draft.known)


def test_edges_are_topological_and_hold_every_dependency(drafts: list[Draft]) -> None:
    for draft in drafts:
        place = {node.id: i for i, node in enumerate(draft.blueprint.nodes)}
        edges = set(draft.blueprint.edges)
        assert len(edges) == len(draft.blueprint.edges)
        assert all(place[a] < place[b] for a, b in edges)
        assert all((parent, n.id) in edges for n in draft.blueprint.nodes for parent in parents(n))


def test_steps_of_which_one_writes_what_the_other_uses_are_in_order(drafts: list[Draft], workshop: Workshop) -> None:
    ordered = 0
    for draft in drafts:
        steps = draft.blueprint.steps
        effects = {s.id: workshop.catalogue.tools[s.tool].record.effects for s in steps}
        writes = {i: {*e.creates, *e.updates, *e.deletes} for i, e in effects.items()}
        for i, later in enumerate(steps):
            for earlier in steps[:i]:
                one, two = writes[earlier.id], writes[later.id]
                if one & (two | set(effects[later.id].reads)) or two & (one | set(effects[earlier.id].reads)):
                    assert (earlier.id, later.id) in draft.blueprint.edges
                    ordered += 1
    assert ordered > 20


def test_nothing_is_superfluous(drafts: list[Draft], workshop: Workshop) -> None:
    """Each node writes, is read by another, decides one, or is what is told."""
    for draft in drafts:
        read = {parent for n in draft.blueprint.nodes for parent in parents(n)}
        told = {s.node for a in draft.answers for s in [a.source] if isinstance(s, Output)}
        for node in draft.blueprint.nodes:
            writes = isinstance(node, ToolStep) and not workshop.catalogue.tools[node.tool].reads_only
            assert writes or node.id in read | told, (node, draft.provenance)


def test_wishes_name_nodes_of_the_blueprint(drafts: list[Draft]) -> None:
    for draft in drafts:
        listed = [name for wish in draft.wishes for name in wish]
        assert set(listed) <= {n.id for n in draft.blueprint.nodes}
        assert len(draft.wishes) >= draft.walks


def test_an_answer_is_typed_and_can_be_mistaken(drafts: list[Draft]) -> None:
    answers = [a for draft in drafts for a in draft.answers]
    assert len(answers) >= 3
    for answer in answers:
        assert type_of_value(answer.value) == answer.type
        assert answer.others and answer.value not in answer.others
        assert len(set(map(repr, answer.others))) == len(answer.others)


def test_a_proposal_depends_on_its_number_and_seed_only(drafts: list[Draft], workshop: Workshop) -> None:
    for draft in reversed(drafts[:4]):
        number = draft.provenance["proposal"]
        again = propose(workshop.setting, workshop.knowledge.walks, number, seed=3, policy=VARIED)
        assert again == draft
        try:
            other = propose(workshop.setting, workshop.knowledge.walks, number, seed=4, policy=VARIED)
        except Rejection:
            continue
        assert other.known != draft.known or other.blueprint != draft.blueprint


PLAIN = TaskPolicy(
    merged=0, branches=0, fall_backs=0, reasoning=0, questions=0, look_alikes=0, least_calls=1, least_writes=0
)


def test_shares_of_nothing_give_nothing_of_the_kind(workshop: Workshop) -> None:
    found = proposals(workshop, range(8), PLAIN)
    assert len(found) >= 4
    assert all(d.walks == 1 and d.initial == () for d in found)
    assert all(n.when is None for d in found for n in d.blueprint.nodes)


def test_shares_of_one_give_it_where_the_state_allows(workshop: Workshop) -> None:
    full = PLAIN.model_copy(update={"merged": 1, "look_alikes": 1, "questions": 1, "fall_backs": 1})
    found = proposals(workshop, range(8), full)
    assert len(found) >= 4
    assert sum(bool(d.initial) for d in found) >= len(found) / 2
    assert sum(d.walks > 1 for d in found) >= len(found) / 2
    assert sum(bool(d.answers) for d in found) >= len(found) / 2
    assert any(n.when is not None and n.when.refused for d in found for n in d.blueprint.nodes)


def test_what_is_drawn_again_for_reasoning_has_more_of_it(workshop: Workshop) -> None:
    eager = PLAIN.model_copy(update={"reasoning": 1})
    numbers = range(24)
    once, again = proposals(workshop, numbers, PLAIN), proposals(workshop, numbers, eager)
    kept = {d.provenance["proposal"]: d for d in once if d.blueprint.reasons}
    assert {d.provenance["proposal"] for d in again} == {d.provenance["proposal"] for d in once}
    assert all(d == kept[d.provenance["proposal"]] for d in again if d.provenance["proposal"] in kept)
    assert sum(bool(d.blueprint.reasons) for d in again) > len(kept)


def test_sizes_are_kept_to(workshop: Workshop) -> None:
    small = PLAIN.model_copy(update={"least_calls": 2, "most_calls": 3, "least_writes": 1})
    for draft in proposals(workshop, range(10), small):
        assert 2 <= len(draft.blueprint.steps) <= 3
    one = [walk for walk in workshop.knowledge.walks if walk.tools == ("open_ticket",)]
    for sizes, reason in (({"least_calls": 30}, "too short"), ({"least_writes": 20}, "too few writes")):
        with pytest.raises(Rejection) as rejection:
            propose(workshop.setting, one, 0, seed=0, policy=PLAIN.model_copy(update=sizes))
        assert rejection.value.reason == reason


def test_without_walks_there_is_no_proposal(workshop: Workshop) -> None:
    with pytest.raises(Rejection, match="no walks"):
        propose(workshop.setting, (), 0, seed=0, policy=PLAIN)
