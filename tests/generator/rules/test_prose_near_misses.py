"""Sentences that sound like rules and ask for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.rules.prose import clues_of


def rows(text: str, **schema_texts: str) -> list[tuple[str, str, str, tuple[Any, ...]]]:
    return [clue[:4] for clue in clues_of(text, schema_texts=schema_texts)]


NOTHING = [
    "Use this tool when the user wants to cancel pending orders.",
    "Can be used to list open orders.",
    "If provided, only open orders are returned.",
    "Optional: the status must be set if you filter.",
    "For example, a pending order can be cancelled.",
    "List products, e.g. only active ones can be sold.",
    "See https://example.com/only-pending-orders-can-be-cancelled for details.",
    "```\nOnly pending orders can be cancelled.\n```",
    "Lists the pending orders of a customer.",
    "Cancels an order based on the provided order ID.",
    "Only `budgeted` amount can be updated.",
    "Only admin users can delete users.",
    "Only transfer if the user explicitly asks for a human agent.",
    "Deleted accounts will only be included in delta requests.",
    "Scheduled transactions cannot be created on this endpoint.",
    "The input must be a valid Gmail query.",
    "The input must be the start and end datetimes for the search query.",
    "The file must be in CSV format.",
    "The name must be provided.",
    "The name must not be empty.",
    "The user must be an admin.",
    "The type must be 'a' or 'b'.",
    "Items must be separated by commas.",
    "Note that showHidden must also be True to show tasks completed elsewhere.",
    "Each transaction must have either an `id` or `import_id` specified.",
    "The page must have a title.",
    "Either the order is pending or the customer must be verified.",
    "If the order is international, the address must be verified.",
    "An order can be cancelled only if it is pending or the customer is verified.",
    "Fails if the order is pending and the customer is verified.",
    "Deletes an item. Deleted items cannot be restored.",
    "Cancels an order. Cancelled orders cannot be shipped.",
    "Fails if the student is already enrolled.",
    "Once an order is confirmed, its items can no longer be changed.",
    "The unique identifier for the order.",
    "The room must be available for the dates.",
    "Get the login status of the current user.",
    "Log a user in with the given user ID.",
    "True if the current user is logged in, False otherwise.",
    "OAuth 2.0 token.",
    "The transfers of a day must not exceed the daily_limit of the account.",
    "The password must be at least 8 characters long.",
    "Returns up to ten resource links.",
    "Returns up to 10 records.",
    "Supports files up to 5 MB.",
    "Marks a checklist item as not done.",
    "Adds an emoji reaction to a message.",
    "You can't message users who have blocked you.",
    "Fails if the email is malformed.",
    "Unlocks the door if the PIN is correct.",
    "The driver must be at least 21 years old.",
    "Drivers who are on a trip cannot be suspended.",
    "It is not allowed to book a room for more than 30 nights.",
    "Each user may vote only once.",
    "Fails if a file with the new name already exists in the folder.",
    "Moves a task to a new position.",
    "Completing a task of kind `cleaning` sets a room in status `cleaning` back to `available`.",
    "The user does not need to be logged in.",
    "At least one deviceId or one groupId must be passed.",
    "取消订单。只有待处理的订单才能取消。",
    "Buscar pedidos abiertos de un cliente.",
    "Sucht offene Bestellungen eines Kunden.",
    "",
]


@pytest.mark.parametrize("text", NOTHING)
def test_a_near_miss_says_nothing(text: str) -> None:
    assert rows(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Only orders in this status.",
        "Whether the task is completed.",
        "The status to filter by.",
        "Only bills of at least 5 euros.",
        "ID of the order to be cancelled.",
        "Number of units.",
        "At most 140 characters.",
        "If specified, must be after the start.",
    ],
)
def test_a_filter_or_plain_parameter_asks_for_nothing(text: str) -> None:
    assert rows("", parameter=text) == []
