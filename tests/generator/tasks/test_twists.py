"""Branches and fall-backs on the desk: one side is done, the other would have ended differently."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from autoforge.generator.tasks.builder import Builder, Setting
from autoforge.generator.tasks.cells import plain_rows
from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.interpreter import Execution, execute
from autoforge.generator.tasks.stage import Start
from autoforge.generator.tasks.twists import branch, fall_back
from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Blueprint, Node, ToolStep

TOOLS = ("assign_ticket", "add_note", "resolve_ticket")


class Twisted(NamedTuple):
    """A twist as it was built."""

    start: Start
    nodes: list[Node]
    known: dict[str, Any]
    ends: list[ToolStep]
    """The two steps, the earlier first."""
    final: State


def twisted(setting: Setting, twist: Callable[..., list[str]]) -> list[Twisted]:
    found = []
    for seed in range(5):
        for name in TOOLS:
            builder = Builder(setting, setting.stage.start(), random.Random(seed))
            try:
                ends = twist(builder, setting.catalogue.tools[name], None)
                steps = [n for n in builder.nodes if isinstance(n, ToolStep) and n.id in ends]
                found.append(Twisted(builder.start, builder.nodes, builder.known, steps, builder.session.state()))
            except Rejection:
                continue
            finally:
                builder.close()
    assert len(found) >= 5
    return found


@pytest.fixture(scope="module")
def branches(setting: Setting) -> list[Twisted]:
    return twisted(setting, branch)


@pytest.fixture(scope="module")
def fall_backs(setting: Setting) -> list[Twisted]:
    return twisted(setting, fall_back)


def carried_out(
    setting: Setting, made: Twisted, nodes: list[Node] | None = None
) -> tuple[Execution, State, list[tuple[CallResult, bool]]]:
    """What came of it, the final state, and each call's result with whether the state changed."""
    session = setting.stage.session(made.start)
    calls: list[tuple[CallResult, bool]] = []

    def call(tool: str, arguments: Mapping[str, Any]) -> CallResult:
        before = session.state()
        result = session.call(tool, arguments)
        calls.append((result, session.state() != before))
        return result

    try:
        return execute(Blueprint(nodes=tuple(nodes or made.nodes)), made.known, call), session.state(), calls
    finally:
        session.close()


def test_exactly_one_side_of_a_branch_is_done(setting: Setting, branches: list[Twisted]) -> None:
    for made in branches:
        one, two = made.ends
        assert one.when is not None and two.when is not None
        assert one.when.node == two.when.node and {one.when.equals, two.when.equals} == {True, False}
        done, final, _ = carried_out(setting, made)
        assert len({one.id, two.id} & done.skipped) == 1 == len(done.skipped)
        assert final == made.final


def test_the_sides_of_a_branch_end_differently(setting: Setting, branches: list[Twisted]) -> None:
    for made in branches:
        swapped = [
            n.model_copy(update={"when": n.when.model_copy(update={"equals": not n.when.equals})}) if n.when else n
            for n in made.nodes
        ]
        done, other, _ = carried_out(setting, made, swapped)
        assert len(done.skipped) == 1 and plain_rows(other) != plain_rows(made.final)


def test_what_a_branch_is_decided_by_is_not_what_the_user_knows(branches: list[Twisted]) -> None:
    for made in branches:
        condition = next(n for n in made.nodes if n.id == made.ends[0].when.node)  # type: ignore[union-attr]
        assert not isinstance(condition, ToolStep) and condition.reason == "compare" and condition.over is not None


def test_what_decides_is_looked_up_where_nothing_is_in_hand(setting: Setting) -> None:
    looked_up = 0
    for seed in range(12):
        builder = Builder(setting, setting.stage.start(), random.Random(seed))
        try:
            ends = branch(builder, setting.catalogue.tools["open_ticket"], None)
        except Rejection:
            continue
        finally:
            builder.close()
        first = builder.nodes[0]
        assert isinstance(first, ToolStep) and setting.catalogue.tools[first.tool].reads_only
        assert {n.id for n in builder.nodes if n.when is not None} == set(ends)
        looked_up += 1
    assert looked_up >= 3


def test_of_a_first_wish_and_its_fall_back_one_is_done(setting: Setting, fall_backs: list[Twisted]) -> None:
    refused = 0
    for made in fall_backs:
        attempt, second = made.ends
        assert attempt.attempt and second.when is not None
        assert second.when.node == attempt.id and second.when.refused
        done, final, calls = carried_out(setting, made)
        assert final == made.final
        refused += attempt.id in done.refused
        assert (attempt.id in done.refused) == (second.id not in done.skipped)
        assert [changed for result, changed in calls if not result.ok] == [False] * len(done.refused)
    assert refused >= 2


def test_the_fall_back_alone_would_have_ended_differently_from_a_wish_that_is_granted(
    setting: Setting, fall_backs: list[Twisted]
) -> None:
    for made in fall_backs:
        done, final, _ = carried_out(setting, made)
        if made.ends[0].id not in done.refused:
            alone = [n.model_copy(update={"when": None}) for n in made.nodes if n.id != made.ends[0].id]
            assert plain_rows(carried_out(setting, made, alone)[1]) != plain_rows(final)


def test_a_tool_that_is_never_refused_has_no_fall_back(setting: Setting) -> None:
    builder = Builder(setting, setting.stage.start(), random.Random(0))
    try:
        with pytest.raises(Rejection, match="open_ticket"):
            fall_back(builder, setting.catalogue.tools["open_ticket"], None)
    finally:
        builder.close()
