"""Texts that no person wrote cost the rules no more than prose does, and ordinary prose is read as it stands."""

from __future__ import annotations

import time

import pytest

from autoforge.generator.documents.read import Document, documentation_of
from autoforge.generator.rules.legible import legible_text
from autoforge.generator.rules.synthesize import synthesize
from tests.generator.rules.conftest import FLAG, INTEGER, TEXT, Open, about, listing, maybe, record, tool

LOAN = record("*", loan_id=TEXT, amount=INTEGER)
PLAIN = "Lists loans.\n\n    Args:\n        a: A thing,  twice."
PROSE = "Lends a book to a member until the given day, unless it is reserved by another member. "
TIMES = 10.0
"""What prose of the same length takes, measured beside it."""


def took(piece: str) -> float:
    """Processor time, in seconds, of reading 20,000 characters of repetition."""
    text = f"Sets the {piece * (20_000 // len(piece))}!"
    given = {"amount": maybe(about(INTEGER, text)), "is_late": maybe(about(FLAG, text))}
    document = [tool("create_loan", text, LOAN, title=TEXT, **given), tool("list_loans", text, None, **given)]
    documentation = documentation_of([Document("docs.json", document)])
    before = time.process_time()
    synthesize(documentation, name="desk")
    return time.process_time() - before


@pytest.fixture(scope="module")
def prose_took() -> float:
    took(PROSE)  # what is compiled once is compiled
    return took(PROSE)


@pytest.mark.parametrize(
    "piece",
    [" ", "a", "1", "1,", "a ", "set the ", "*. ", "A title.\n", "_", "\n", "(", "the loan's ", "default is "],
)
def test_repetition_costs_no_more_than_prose(piece: str, prose_took: float) -> None:
    assert took(piece) < TIMES * prose_took


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "Lists loans.\n\n    Args:\n        a: A thing,  twice.",
            "Lists loans.\n\n    Args:\n        a: A thing,  twice.",
        ),
        ("貸出" * 300, "貸出" * 300),
        ("a" + " " * 500 + "b", "a" + " " * 8 + "b"),
        ("x" * 900 + " b", "x" * 200 + " b"),
        ("a\n\n\n\n\n\n\nb", "a\n\n\nb"),
    ],
)
def test_only_what_no_reader_needs_is_left_out(text: str, read: str) -> None:
    assert legible_text(text) == read


def test_whoever_calls_the_tool_sees_all_of_it(world: Open) -> None:
    long = "x" * 900
    desk = world(
        [tool("list_loans", f"Lists loans. {long}", record("*", loans=listing(LOAN)), tag=maybe(about(TEXT, long)))]
    )
    (told,) = desk.documentation.to_mcp()
    assert long in told["description"]
    assert told["inputSchema"]["properties"]["tag"]["description"] == long


@pytest.mark.parametrize("prose", ["At least {}.", "At most {} tags.", "Up to {} items.", "Defaults to {}."])
def test_a_number_of_endless_digits_is_none(world: Open, prose: str) -> None:
    text = prose.format("9" * 5000)
    desk = world([tool("create_loan", f"Creates a loan. {text}", LOAN, title=TEXT, amount=maybe(about(INTEGER, text)))])
    assert desk.answer("create_loan", title="A", amount=3)["amount"] == 3
