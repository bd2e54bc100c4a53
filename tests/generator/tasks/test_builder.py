"""A blueprint in the making: what it holds, what it finds again, and how it comes back to where it was."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from autoforge.generator.tasks.builder import Builder, Option, Setting, inside, source_at
from autoforge.generator.tasks.catalogue import ColumnName
from autoforge.generator.tasks.cells import plain_rows
from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.hand import holding, origin, relatives, seen
from autoforge.generator.tasks.interpreter import execute
from autoforge.generator.tasks.selectors import Link, Selection
from autoforge.mcp_envs.task import Blueprint, Guard, ListOf, Literally, ObjectOf, Output, UserValue

Begin = Callable[..., Builder]


@pytest.fixture
def begin(setting: Setting) -> Iterator[Begin]:
    """Begins a blueprint on the desk, with statements on top of its seed."""
    with ExitStack() as stack:

        def make(*initial: str, seed: int = 0) -> Builder:
            builder = Builder(setting, setting.stage.start(initial), random.Random(seed))
            stack.callback(builder.close)
            return builder

        yield make


def said(builder: Builder, name: str, value: Any) -> Option:
    return Option(value, lambda: builder.tell(name, value))


def called(builder: Builder, tool: str, **arguments: Any) -> str:
    filled = {(name,): said(builder, name, value) for name, value in arguments.items()}
    return builder.call(builder.catalogue.tools[tool], filled)  # type: ignore[arg-type]


def test_a_value_keeps_its_name_and_another_gets_a_number(begin: Begin) -> None:
    builder = begin()
    names = [builder.tell("ticketId", value).user for value in (1, 2, 1, True, "1")]
    assert names == ["ticket_id", "ticket_id_2", "ticket_id", "ticket_id_3", "ticket_id_4"]
    assert list(builder.known.values()) == [1, 2, True, "1"]


def test_the_same_derivation_is_one_node(begin: Begin) -> None:
    builder = begin()
    node = called(builder, "list_agents", team="technical")
    over = Output(node=node, path="$.agents[*]")
    count = builder.reason(reason="count", over=over)
    assert builder.reason(reason="count", over=over) == count and builder.values[count] == 3
    assert builder.reason(reason="count", over=Output(node=node, path="$.agents")) != count


def test_a_choice_that_is_not_unique_is_rejected(begin: Begin) -> None:
    builder = begin()
    node = called(builder, "list_agents")
    way = Selection((Link("only_where", "team", "equal", value="billing"),), 0, 1.0)
    with pytest.raises(Rejection) as rejection:
        builder.choose(Output(node=node, path="$.agents[*]"), way, "agent")
    assert rejection.value.reason == "a choice that is not unique"


def test_a_chain_of_operators_gives_the_item_and_its_values_are_known(begin: Begin) -> None:
    builder = begin()
    node = called(builder, "search_tickets")
    way = Selection((Link("filter", "status", "equal", value="open"), Link("argmin", "opened_at")), 0, 1.0)
    last = builder.choose(Output(node=node, path="$.tickets[*]"), way, "ticket")
    assert builder.values[last]["id"] == 7 and "open" in builder.known.values()
    assert builder.choose(Output(node=node, path="$.tickets[*]"), way, "ticket") == last


def test_a_read_is_made_once_until_something_is_written(begin: Begin) -> None:
    builder = begin()
    first = called(builder, "get_ticket", ticket_id=2)
    assert called(builder, "get_ticket", ticket_id=2) == first
    called(builder, "add_note", ticket_id=2, text="called back")
    again = called(builder, "get_ticket", ticket_id=2)
    assert again != first
    assert len(builder.values[again]["notes"]) == 1 and builder.values[first]["notes"] == []


def test_a_refused_call_is_a_rejection_and_adds_nothing(begin: Begin) -> None:
    builder = begin()
    state = builder.session.state()
    with pytest.raises(Rejection, match="no ticket 99"):
        called(builder, "get_ticket", ticket_id=99)
    assert builder.nodes == [] and builder.session.state() == state


def test_a_trial_leaves_the_episode_as_it_is(begin: Begin) -> None:
    builder = begin()
    before = builder.session.state()
    result, after = builder.trial("add_note", {"ticket_id": 1, "text": "tried"})
    assert result.ok and after is not None and plain_rows(after) != plain_rows(before)
    assert builder.session.state() == before
    refused, none = builder.trial("add_note", {"ticket_id": "one"})
    assert refused.kind == "refused" and none is None


def test_coming_back_to_a_snapshot_undoes_all_that_came_after(begin: Begin) -> None:
    builder = begin()
    called(builder, "get_ticket", ticket_id=1)
    state, nodes, known, things = (
        builder.session.state(),
        list(builder.nodes),
        dict(builder.known),
        list(builder.things),
    )
    outer = builder.snapshot()
    called(builder, "add_note", ticket_id=1, text="outer")
    inner = builder.snapshot()
    called(builder, "add_note", ticket_id=1, text="inner")
    builder.restore(inner)
    builder.forget(inner)
    assert [row["text"] for row in builder.session.state()["notes"].records()][-1] == "outer"
    builder.restore(outer)
    builder.forget(outer)
    assert builder.session.state() == state and builder.depth == 0
    assert (builder.nodes, builder.known, builder.things) == (nodes, known, things)


def test_writes_that_hide_an_earlier_one_add_nothing(begin: Begin) -> None:
    builder = begin()
    called(builder, "assign_ticket", ticket_id=2, agent_id=1)

    def adds(tool: str, **arguments: Any) -> bool:
        _, after = builder.trial(tool, arguments)
        assert after is not None
        return builder.adds_something(after)

    assert not adds("assign_ticket", ticket_id=2, agent_id=1)  # the same again
    assert adds("assign_ticket", ticket_id=6, agent_id=1)
    assert adds("resolve_ticket", ticket_id=2, resolution="done")
    assert not adds("get_ticket", ticket_id=2)


def test_a_step_under_a_guard_that_does_not_hold_is_kept_and_not_made(begin: Begin) -> None:
    builder = begin()
    node = called(builder, "list_agents")
    count = builder.reason(reason="count", over=Output(node=node, path="$.agents[*]"))
    test = builder.reason(
        reason="compare", over=Output(node=count), compare="less", inputs={"value": builder.tell("most", 3)}
    )
    before = builder.session.state()
    filled = {("ticket_id",): said(builder, "ticket", 1), ("text",): said(builder, "text", "few")}
    later = builder.later(builder.catalogue.tools["add_note"], filled, Guard(node=test, equals=True))  # type: ignore[arg-type]
    assert builder.session.state() == before and later not in builder.values
    done = execute(Blueprint(nodes=tuple(builder.nodes)), builder.known, builder.session.call)
    assert done.skipped == {later}


def test_what_a_step_only_repeats_is_taken_from_where_it_came(begin: Begin) -> None:
    builder = begin()
    opened = called(builder, "open_ticket", customer_email="a@mail.example", subject="New")
    ticket = builder.things[-1]
    assert origin(builder, ticket, "id") == Output(node=opened, path="$.id")
    tool = builder.catalogue.tools["assign_ticket"]
    options = {
        ("ticket_id",): Option(ticket.value("id"), lambda: ticket.source("id"), 1.0, ticket),
        ("agent_id",): said(builder, "agent", 1),
    }
    builder.call(tool, options)  # type: ignore[arg-type]
    assigned = builder.things[-1]
    assert assigned.node != opened and origin(builder, assigned, "id") == Output(node=opened, path="$.id")
    assert origin(builder, assigned, "status") == Output(node=assigned.node, path="$.status")


def test_rows_that_a_row_leads_to_are_known_by_their_keys(begin: Begin) -> None:
    builder = begin()
    found = relatives(builder, ColumnName("notes", "id"), 3)
    assert found == {ColumnName("tickets", "id"): 4, ColumnName("agents", "id"): 2}
    assert relatives(builder, ColumnName("tickets", "id"), 999) == {} == relatives(builder, None, 1)


def test_rows_in_hand_are_found_by_what_they_hold(begin: Begin) -> None:
    builder = begin()
    called(builder, "get_ticket", ticket_id=1)
    held = [(thing.table, field, thing.value(field)) for thing, field in holding(builder, ColumnName("agents", "id"))]
    assert held == [("tickets", "agent_id", 1)]
    assert seen(builder, "tickets", "subject") == ["Charged twice in February"]


@pytest.mark.parametrize(
    ("path", "field", "whole"),
    [("$", "", "$"), ("$", "id", "$.id"), ("$.a[0]", "['b c']", "$.a[0]['b c']"), ("$.a", "b.c", "$.a.b.c")],
)
def test_the_path_of_a_field(path: str, field: str, whole: str) -> None:
    assert inside(path, field) == whole


def test_the_source_in_a_slot() -> None:
    leaf = UserValue(user="x")
    arguments = {"a": ListOf(items=(ObjectOf(fields={"b": leaf}), Literally(literal=1)))}
    assert source_at(arguments, ("a", 0, "b")) == leaf
    assert source_at(arguments, ("a", 0, "c")) is source_at(arguments, ("a", 5)) is source_at(arguments, ("z",)) is None
