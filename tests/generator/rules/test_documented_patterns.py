"""A documented pattern says how ids read, what a row may hold, and what no tool stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autoforge.generator.rules.patterns import follows, numbered_ids, text_like
from tests.generator.rules.worlds import TEXT, Opened, tool

PLATE = {"type": "string", "pattern": "^[A-Z]{1,3}-[A-Z0-9]{1,6}$"}
KEY = {"type": "string", "pattern": "^tkt_[a-z0-9]{8}$"}
TICKET = {"ticket_id": KEY, "plate": PLATE, "level": TEXT}
TOOLS = [
    tool("create_ticket", "Create a ticket.", TICKET, plate=TEXT, level=TEXT),
    tool("get_ticket", "Get a ticket.", TICKET, ticket_id=KEY),
    tool(
        "update_ticket",
        "Update a ticket.",
        TICKET,
        ticket_id=KEY,
        plate={**TEXT, "optional": True},
        level={**TEXT, "optional": True},
    ),
]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    world = Opened(TOOLS, tmp_path)
    yield world
    world.close()


@pytest.mark.parametrize(
    ("pattern", "template"),
    [
        (r"^usr_[a-z0-9]{8}$", "usr_{:08d}"),
        (r"^W\d{7}$", "W{:07d}"),
        (r"^[0-9a-f]{24}$", "{:024d}"),
        (r"^[A-Z]{3}$", None),
        (r"^(a|aa)+$", None),
        (r"^(?=x)y$", None),
    ],
)
def test_ids_are_numbered_where_the_pattern_has_room_for_it(pattern: str, template: str | None) -> None:
    assert numbered_ids(pattern) == template


@pytest.mark.parametrize(
    "pattern", [r"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", r"^[1-9]\d{4,9}$", r"^\S+$"]
)
def test_every_numbered_id_is_one_that_the_pattern_matches(pattern: str) -> None:
    template = numbered_ids(pattern)
    assert template is not None
    ids = [template.format(number) for number in range(1, 10_000, 7)]
    assert len(set(ids)) == len(ids) and all(follows(pattern, made) for made in ids)


def test_ids_of_the_seed_and_of_new_rows_are_written_as_documented(opened: Opened) -> None:
    stored = [row[0] for row in opened.connection.execute("SELECT ticket_id FROM tickets")]
    made = opened.call("create_ticket", plate="KA-77", level="one")
    assert len(stored) > 3
    assert all(follows(KEY["pattern"], key) for key in (*stored, made["ticket_id"]))
    assert opened.call("get_ticket", ticket_id=made["ticket_id"])["plate"] == "KA-77"


def test_a_text_that_no_result_may_show_is_refused_with_one_that_it_may(opened: Opened) -> None:
    key = opened.connection.execute("SELECT ticket_id FROM tickets").fetchone()[0]
    said = opened.refusal("create_ticket", plate="my car", level="one")
    assert said == f"plate my car is not written as it has to be, such as {text_like(PLATE['pattern'])}."
    assert "my car" in opened.refusal("update_ticket", ticket_id=key, plate="my car")
    assert opened.call("update_ticket", ticket_id=key, level="two")["ticket_id"] == key
    assert opened.call("update_ticket", ticket_id=key, plate="KA-78")["plate"] == "KA-78"
