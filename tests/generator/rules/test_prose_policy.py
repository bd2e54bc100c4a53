"""Policies: rules with the verbs they apply to, and what only a reader can follow."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.rules.prose import policy_clues

RULES = [
    (
        "An order can be cancelled only while it is pending.",
        ("status_in", "order", "status", ("pending",)),
        ("cancel",),
    ),
    (
        "A standing order can be changed or cancelled only while it is active.",
        ("status_in", "standing order", "status", ("active",)),
        ("change", "cancel"),
    ),
    ("Discontinued products cannot be ordered.", ("status_not_in", "product", "status", ("discontinued",)), ("order",)),
    ("A frozen or blocked card cannot pay.", ("status_not_in", "card", "status", ("frozen", "blocked")), ("pay",)),
    (
        "Stock can be transferred only to locations that are open.",
        ("status_in", "location", "status", ("open",)),
        ("transfer",),
    ),
    ("A supplier that still has products cannot be deleted.", ("forbids", "product", "supplier", ()), ("delete",)),
    (
        "An order can be confirmed only if its location has enough stock of every item.",
        ("stock", "location", "stock", ()),
        ("confirm",),
    ),
    ("A customer can have at most 5 pending orders.", ("limit", "order", "customer", (5, "pending")), ()),
    ("The balance of an account must never fall below 0.", ("range", "account", "balance", (0, None)), ()),
    (
        "No se puede prestar un ejemplar extraviado.",
        ("status_not_in", "ejemplar", "status", ("extraviado",)),
        ("prestar",),
    ),
    (
        "Eine Bestellung kann nur storniert werden, wenn sie offen ist.",
        ("status_in", "bestellung", "status", ("offen",)),
        ("stornieren",),
    ),
]


@pytest.mark.parametrize(("sentence", "row", "verbs"), RULES)
def test_a_rule_becomes_a_clue_with_its_verbs(sentence: str, row: tuple[Any, ...], verbs: tuple[str, ...]) -> None:
    clues, rest = policy_clues(f"# Policy\n\n- {sentence}\n")
    assert [(clue[:4], clue.verbs) for clue in clues] == [(row, verbs)]
    assert rest == []


REST = [
    "Log the customer in with the PIN before you do anything else.",
    "Never tell a customer the balance of somebody else's account.",
    "Transfers above 5000 need the customer's explicit confirmation.",
    "The transfers of one day must not exceed the daily limit of the account.",
    "A card that was frozen because it was stolen must not be unfrozen.",
    "Once an order is confirmed, its items can no longer be changed.",
    "Discounts above 10 percent are only for orders with a subtotal of at least 500.",
    "Be brief and polite.",
]


@pytest.mark.parametrize("sentence", REST)
def test_a_rule_for_readers_is_handed_back_as_it_stands(sentence: str) -> None:
    assert policy_clues(f"- {sentence}") == ([], [sentence])


def test_every_sentence_is_a_rule_or_handed_back_and_headings_are_neither() -> None:
    text = "# Bank\n\nBe kind.\n\n## Cards\n\n- Only active cards can be frozen.\n- Never repeat a PIN.\n"
    clues, rest = policy_clues(text)
    assert [c.message for c in clues] == ["Only active cards can be frozen."]
    assert rest == ["Be kind.", "Never repeat a PIN."]


def test_ownership_of_several_things_is_one_clue_each() -> None:
    clues, _ = policy_clues("A customer can see and change only their own accounts and cards.")
    assert [(c.kind, c.subject, c.verbs) for c in clues] == [
        ("owner", "account", ("see", "change")),
        ("owner", "card", ("see", "change")),
    ]
