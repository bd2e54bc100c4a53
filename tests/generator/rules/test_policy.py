"""Rules in prose that come beside the documentation: what can be checked is refused, what cannot is told."""

from __future__ import annotations

from typing import Any

from tests.generator.rules.conftest import TEXT, Open, one_of, record, tool

ORDER = record("*", order_id=TEXT, status=one_of("pending", "shipped", "delivered", "cancelled"))
TOOLS: list[dict[str, Any]] = [
    tool("get_order", "Gets an order.", ORDER, order_id=TEXT),
    tool("cancel_order", "Cancels an order.", ORDER, order_id=TEXT),
    tool("return_order", "Returns an order.", record("*", order_id=TEXT), order_id=TEXT),
]
POLICY = """# Rules of the shop

- Only pending orders can be cancelled.
- Be polite to every customer.
"""


def test_a_sentence_becomes_a_refusal_of_the_tool_that_it_speaks_of(world: Open) -> None:
    desk = world(TOOLS, policy=POLICY)
    key = desk.rows("orders")[0]["order_id"]
    desk.put("orders", {"order_id": key}, status="shipped")
    assert "pending" in desk.refusal("cancel_order", order_id=key).lower() or "shipped" in desk.refusal(
        "cancel_order", order_id=key
    )
    desk.put("orders", {"order_id": key}, status="pending")
    assert desk.answer("cancel_order", order_id=key)["status"] == "cancelled"


def test_without_the_policy_the_same_call_is_made(world: Open) -> None:
    desk = world(TOOLS)
    key = desk.rows("orders")[0]["order_id"]
    desk.put("orders", {"order_id": key}, status="shipped")
    assert desk.answer("cancel_order", order_id=key)["status"] == "cancelled"


def test_a_sentence_concerns_no_other_tool(world: Open) -> None:
    desk = world(TOOLS, policy=POLICY)
    assert desk.reasons("get_order") == []
    assert desk.operation("get_order").steps == world(TOOLS).operation("get_order").steps


def test_the_policy_is_kept_line_by_line(world: Open) -> None:
    kept = world(TOOLS, policy=POLICY).world.policy
    assert "- Only pending orders can be cancelled." in kept
    assert "- Be polite to every customer." in kept


def test_what_could_not_be_turned_into_code_is_listed(world: Open) -> None:
    notes = " ".join(world(TOOLS, policy=POLICY).world.notes)
    assert "polite" in notes
    assert "Only pending orders" not in notes


def test_a_rule_about_something_that_is_not_there_is_listed(world: Open) -> None:
    notes = " ".join(world(TOOLS, policy="Only approved submarines can be launched.").world.notes)
    assert "submarines" in notes


def test_without_a_policy_nothing_is_listed(world: Open) -> None:
    desk = world(TOOLS)
    assert desk.world.policy == ()
    assert desk.world.notes == ()
