"""Steps that are taken on the desk: arguments are found, and what they need comes with them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from autoforge.generator.tasks.builder import Builder, Setting
from autoforge.generator.tasks.cells import plain_rows
from autoforge.generator.tasks.derived import derived_options
from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.interpreter import execute, resolve
from autoforge.generator.tasks.steps import arguments_of, find_arguments, take_step
from autoforge.generator.tasks.supply import from_hand, from_user
from autoforge.mcp_envs.task import Blueprint, Output, ToolStep


@contextmanager
def begun(setting: Setting, seed: int = 0, *initial: str) -> Iterator[Builder]:
    builder = Builder(setting, setting.stage.start(initial), random.Random(seed))
    try:
        yield builder
    finally:
        builder.close()


def taken(builder: Builder, tool: str) -> str:
    """The step's node; what is looked up by chance may not be fit for it, so a few tries are made."""
    for _ in range(8):
        before = builder.snapshot()
        try:
            return take_step(builder, builder.catalogue.tools[tool])
        except Rejection:
            builder.restore(before)
        finally:
            builder.forget(before)
    raise AssertionError(f"{tool} could not be taken")


@pytest.mark.parametrize("tool", ["get_ticket", "assign_ticket", "add_note", "resolve_ticket"])
def test_an_id_that_nobody_knows_is_looked_up_first(setting: Setting, tool: str) -> None:
    for seed in (0, 1, 2):
        with begun(setting, seed) as builder:
            last = taken(builder, tool)
            step = next(n for n in builder.nodes if n.id == last)
            assert isinstance(step, ToolStep) and step.tool == tool
            source = step.arguments["ticket_id"]
            assert isinstance(source, Output) and source.node != last
            reads = [n.tool for n in builder.nodes if isinstance(n, ToolStep)][:-1]
            assert reads and all(setting.catalogue.tools[name].reads_only for name in reads)
            assert not [v for v in builder.known.values() if type(v) is int]


@pytest.mark.parametrize("tool", ["open_ticket", "assign_ticket", "add_note", "resolve_ticket"])
def test_a_write_changes_something_and_the_blueprint_does_the_same_again(setting: Setting, tool: str) -> None:
    with begun(setting, 7) as builder:
        before = plain_rows(builder.session.state())
        taken(builder, tool)
        assert plain_rows(builder.session.state()) != before
        session = setting.stage.session(builder.start)
        done = execute(Blueprint(nodes=tuple(builder.nodes)), builder.known, session.call)
        assert done.values == builder.values and session.state() == builder.session.state()
        session.close()


def test_arguments_are_found_without_taking_the_step(setting: Setting) -> None:
    tool = setting.catalogue.tools["open_ticket"]
    with begun(setting) as builder:
        before = builder.session.state()
        taking = find_arguments(builder, tool)
        assert builder.session.state() == before and not any(isinstance(n, ToolStep) for n in builder.nodes)
        arguments = arguments_of(taking.filled)
        assert setting.tools["open_ticket"].accepts(arguments)
        assert taking.value["subject"] == arguments["subject"]
        assert plain_rows(taking.state) != plain_rows(before)


def test_a_fed_step_takes_a_row_of_the_step_that_feeds_it(setting: Setting) -> None:
    edge = next(
        e
        for e in setting.graph.edges
        if (e.producer, e.consumer, e.slot.name) == ("list_agents", "assign_ticket", "agent_id")
    )
    with begun(setting, 3) as builder:
        first = take_step(builder, setting.catalogue.tools["list_agents"])
        last = take_step(builder, setting.catalogue.tools["assign_ticket"], (first, edge))
        step = next(n for n in builder.nodes if n.id == last)
        assert isinstance(step, ToolStep)
        agent = resolve(step.arguments["agent_id"], builder.known, builder.values)
        assert agent in [a["id"] for a in builder.values[first]["agents"]]


def test_where_there_is_no_row_the_step_is_rejected(setting: Setting) -> None:
    with begun(setting, 0, "DELETE FROM notes", "DELETE FROM tickets") as builder, pytest.raises(Rejection):
        take_step(builder, setting.catalogue.tools["get_ticket"])


def test_rows_in_hand_are_offered_with_the_values_of_their_sources(setting: Setting) -> None:
    tool = setting.catalogue.tools["assign_ticket"]
    slot = tool.slot(("ticket_id",))
    assert slot is not None and slot.column is not None
    with begun(setting, 5) as builder:
        take_step(builder, setting.catalogue.tools["get_ticket"])
        offered = list(from_hand(builder, slot.column))
        assert offered
        for option in offered:
            assert resolve(option.make(), builder.known, builder.values) == option.value


def test_a_generated_id_is_the_users_to_give_only_where_it_must_be(setting: Setting) -> None:
    tool = setting.catalogue.tools["assign_ticket"]
    slot = tool.slot(("ticket_id",))
    assert slot is not None
    with begun(setting) as builder:
        assert from_user(builder, tool, slot) == []
        offered = from_user(builder, tool, slot, opaque=True)
        assert offered and {o.value for o in offered} <= set(range(1, 9))


def test_what_is_worked_out_from_rows_in_hand_is_what_the_source_gives(setting: Setting) -> None:
    """The desk has no slot for a date; one for the due date stands in for it."""
    slot = setting.catalogue.tools["search_tickets"].slot(("from",))
    assert slot is not None
    with begun(setting, 2) as builder:
        take_step(builder, setting.catalogue.tools["get_ticket"])
        offered = derived_options(builder, slot)
        assert derived_options(builder, slot._replace(schema={"enum": ["a"]})) == []
        for option in offered:
            assert resolve(option.make(), builder.known, builder.values) == option.value
        assert offered and len({o.value for o in offered}) >= 1
