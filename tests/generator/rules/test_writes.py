"""Making and changing one row: what is given is stored, what is referred to exists, what is unique stays so."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import OperationKind
from tests.generator.rules.conftest import (
    DATE,
    FLAG,
    INTEGER,
    NUMBER,
    TEXT,
    Desk,
    Open,
    Schema,
    about,
    listing,
    maybe,
    one_of,
    record,
    tool,
)

TASK = record(
    "*",
    task_id=TEXT,
    title=TEXT,
    priority=one_of("low", "high"),
    status=one_of("open", "in_progress", "done"),
    project_id=TEXT,
)
TASKS = [
    tool(
        "create_task",
        "Creates a task.",
        TASK,
        title=TEXT,
        project_id=TEXT,
        priority={**one_of("low", "high"), "default": "low"},
    ),
    tool("get_task", "Gets a task.", TASK, task_id=TEXT),
    tool(
        "update_task", "Updates a task.", TASK, task_id=TEXT, title=maybe(TEXT), priority=maybe(one_of("low", "high"))
    ),
    tool("delete_task", "Deletes a task.", None, task_id=TEXT),
    tool("get_project", "Gets a project.", record("*", project_id=TEXT, name=TEXT), project_id=TEXT),
]


def project(desk: Desk, n: int = 0) -> str:
    return str(desk.rows("projects")[n]["project_id"])


def test_a_new_row_holds_what_was_given_and_is_answered(world: Open) -> None:
    desk = world(TASKS)
    made = desk.answer("create_task", title="Paint", project_id=project(desk), priority="high")
    assert (made["title"], made["priority"], made["project_id"]) == ("Paint", "high", project(desk))
    assert desk.answer("get_task", task_id=made["task_id"]) == made


def test_a_default_of_the_documentation_stands_in(world: Open) -> None:
    desk = world(TASKS)
    assert desk.answer("create_task", title="Paint", project_id=project(desk))["priority"] == "low"


def test_a_new_row_begins_in_the_first_state(world: Open) -> None:
    desk = world(TASKS)
    assert desk.answer("create_task", title="Paint", project_id=project(desk))["status"] == "open"


def test_ids_of_new_rows_are_fresh_and_of_the_same_form(world: Open) -> None:
    desk = world(TASKS)
    old = {r["task_id"] for r in desk.rows("tasks")}
    made = [desk.answer("create_task", title=str(i), project_id=project(desk))["task_id"] for i in range(3)]
    assert len(set(made) | old) == len(old) + 3
    assert {i.rsplit("-", 1)[0] for i in made} == {i.rsplit("-", 1)[0] for i in old}


def test_a_new_row_that_refers_to_nothing_is_refused(world: Open) -> None:
    desk = world(TASKS)
    assert "PRJ-none" in desk.refusal("create_task", title="Paint", project_id="PRJ-none")


def test_an_optional_reference_is_checked_only_when_given(world: Open) -> None:
    desk = world(
        [
            tool("create_note", "Creates a note.", None, text=TEXT, folder_id=maybe(TEXT)),
            tool("get_folder", "Gets a folder.", None, folder_id=TEXT),
        ]
    )
    desk.answer("create_note", text="x")
    assert desk.rows("notes")[-1]["folder_id"] is None
    assert "folder" in desk.refusal("create_note", text="x", folder_id="none").lower()


def test_a_list_of_references_is_checked_one_by_one(world: Open) -> None:
    desk = world(
        [
            tool("create_event", "Creates an event.", None, title=TEXT, attendee_ids=listing(TEXT)),
            tool("get_user", "Gets a user.", None, user_id=TEXT),
            tool("get_event", "Gets an event.", None, event_id=TEXT),
        ]
    )
    key = desk.rows("users")[0][desk.entity("users").key[0]]
    assert "nobody" in desk.refusal("create_event", title="x", attendee_ids=[key, "nobody"])
    desk.answer("create_event", title="x", attendee_ids=[key])
    assert [key] in desk.rows("events")[-1].values()


@pytest.mark.parametrize(
    "description",
    [
        "Registers a user. The email must be unique.",
        "Registers a user. Fails if the email is already in use.",
        "Registers a user. Email addresses must be unique.",
    ],
)
def test_a_value_that_must_be_unique_is_refused_the_second_time(world: Open, description: str) -> None:
    desk = world(
        [
            tool("register_user", description, None, email=TEXT, name=TEXT),
            tool("get_user", "Gets a user.", None, user_id=TEXT),
        ]
    )
    desk.answer("register_user", email="ada@example.org", name="Ada")
    assert "already" in desk.refusal("register_user", email="ada@example.org", name="Other")
    desk.answer("register_user", email="eve@example.org", name="Ada")


def test_a_key_that_the_caller_chooses_may_not_be_taken(world: Open) -> None:
    desk = world(
        [
            tool("create_channel", "Creates a channel.", None, name=TEXT),
            tool("get_channel", "Gets a channel by name.", None, name=TEXT),
        ]
    )
    desk.answer("create_channel", name="general-2")
    assert "already" in desk.refusal("create_channel", name="general-2")


def test_the_time_of_a_new_row_is_the_states_clock(world: Open) -> None:
    desk = world(
        [
            tool(
                "create_note",
                "Creates a note.",
                record("*", note_id=TEXT, text=TEXT, created_at={"type": "string", "format": "date-time"}),
                text=TEXT,
            )
        ]
    )
    assert desk.answer("create_note", text="x")["created_at"] == desk.world.clock


def test_a_total_is_the_price_of_what_is_referred_to_times_the_quantity(world: Open) -> None:
    desk = world(
        [
            tool("get_product", "Gets a product.", record("*", product_id=TEXT, price=NUMBER), product_id=TEXT),
            tool(
                "create_order",
                "Creates an order.",
                record("*", order_id=TEXT, product_id=TEXT, quantity=INTEGER, total=NUMBER),
                product_id=TEXT,
                quantity=INTEGER,
            ),
        ]
    )
    row = desk.rows("products")[0]
    desk.put("products", {"product_id": row["product_id"]}, price=2.5)
    assert desk.answer("create_order", product_id=row["product_id"], quantity=3)["total"] == 7.5


def test_a_parameter_object_is_only_an_envelope_of_the_row(world: Open) -> None:
    desk = world(
        [
            tool("create_contact", "Creates a contact.", None, contact=record("name", name=TEXT, city=TEXT)),
            tool("get_contact", "Gets a contact.", None, contact_id=TEXT),
        ]
    )
    desk.answer("create_contact", contact={"name": "Ada", "city": "Turin"})
    made = desk.rows("contacts")[-1]
    assert (made["name"], made["city"]) == ("Ada", "Turin")


@pytest.mark.parametrize(
    ("shown", "given", "value", "answer"),
    [
        (listing(TEXT), about(TEXT, "Comma-separated"), "red, blue", ["red", "blue"]),
        (listing(INTEGER), about(TEXT, "Comma-separated"), "1, 2", [1, 2]),
        (TEXT, listing(TEXT), ["red", "blue"], "red, blue"),
        (listing(TEXT), listing(INTEGER), [1, 2], ["1", "2"]),
    ],
)
def test_several_values_are_shown_in_the_documented_form(
    world: Open, shown: Schema, given: Schema, value: Any, answer: Any
) -> None:
    article = record("*", article_id=TEXT, marks=shown)
    desk = world(
        [
            tool("create_article", "Creates an article.", article, marks=given),
            tool("update_article", "Updates an article.", article, article_id=TEXT, marks=maybe(given)),
            tool("get_article", "Gets an article.", article, article_id=TEXT),
        ]
    )
    made = desk.answer("create_article", marks=value)
    assert made["marks"] == answer
    other = desk.rows("articles")[0]["article_id"]
    assert desk.answer("update_article", article_id=other, marks=value)["marks"] == answer
    assert desk.answer("get_article", article_id=made["article_id"]) == made


def test_only_what_is_given_is_changed(world: Open) -> None:
    desk = world(TASKS)
    before = desk.rows("tasks")
    key = before[1]["task_id"]
    desk.answer("update_task", task_id=key, title="New")
    after = desk.rows("tasks")
    assert after[1] == {**before[1], "title": "New"}
    assert after[0] == before[0] and after[2:] == before[2:]


def test_an_update_of_nothing_is_refused(world: Open) -> None:
    desk = world(TASKS)
    assert "othing" in desk.refusal("update_task", task_id=desk.rows("tasks")[0]["task_id"])


def test_an_update_of_an_unknown_row_is_refused(world: Open) -> None:
    assert "T-404" in world(TASKS).refusal("update_task", task_id="T-404", title="x")


def test_a_new_value_may_not_be_another_rows_unique_value_but_may_be_its_own(world: Open) -> None:
    desk = world(
        [
            tool("create_user", "Creates a user. The email must be unique.", None, email=TEXT),
            tool("update_user", "Updates a user.", None, user_id=TEXT, email=TEXT),
        ]
    )
    first, second = desk.rows("users")[:2]
    key = desk.entity("users").key[0]
    assert desk.refusal("update_user", user_id=first[key], email=second["email"])
    desk.answer("update_user", user_id=first[key], email=first["email"])
    desk.answer("update_user", user_id=first[key], email="fresh@example.org")
    assert desk.rows("users")[0]["email"] == "fresh@example.org"


def test_changes_may_come_in_an_object(world: Open) -> None:
    desk = world(
        [
            tool(
                "update_contact", "Updates a contact.", None, contact_id=TEXT, updates=record("", name=TEXT, city=TEXT)
            ),
            tool("create_contact", "Creates a contact.", None, name=TEXT, city=TEXT),
        ]
    )
    before = desk.rows("contacts")[0]
    desk.answer("update_contact", contact_id=before[desk.entity("contacts").key[0]], updates={"city": "Turin"})
    assert desk.rows("contacts")[0] == {**before, "city": "Turin"}


def test_the_old_value_must_be_the_current_one(world: Open) -> None:
    desk = world(
        [
            tool(
                "change_password",
                "Changes the password of a user.",
                None,
                user_id=TEXT,
                old_password=TEXT,
                new_password=TEXT,
            ),
            tool("get_user", "Gets a user.", None, user_id=TEXT),
        ]
    )
    row = desk.rows("users")[0]
    key = row[desk.entity("users").key[0]]
    assert desk.refusal("change_password", user_id=key, old_password="wrong", new_password="n")
    desk.answer("change_password", user_id=key, old_password=row["password"], new_password="new one")
    assert desk.rows("users")[0]["password"] == "new one"


def test_setting_one_attribute_of_a_thing_sets_that_column(world: Open) -> None:
    desk = world(
        [
            tool(
                "set_thermostat_temperature",
                "Sets the target temperature.",
                None,
                thermostat_id=TEXT,
                temperature=NUMBER,
            ),
            tool(
                "get_thermostat",
                "Gets a thermostat.",
                record("*", thermostat_id=TEXT, temperature=NUMBER),
                thermostat_id=TEXT,
            ),
        ]
    )
    key = desk.rows("thermostats")[0]["thermostat_id"]
    desk.answer("set_thermostat_temperature", thermostat_id=key, temperature=19.5)
    assert desk.answer("get_thermostat", thermostat_id=key)["temperature"] == 19.5


def test_every_parameter_of_a_writing_tool_ends_in_the_state(world: Open) -> None:
    given: dict[str, Any] = {
        "title": "Trip",
        "starts_on": "2031-01-01",
        "seats": 3,
        "rate": 1.5,
        "is_public": True,
        "labels": ["a"],
        "notes": "n",
        "organizer_email": "x@example.org",
    }
    desk = world(
        [
            tool(
                "create_outing",
                "Creates an outing.",
                None,
                title=TEXT,
                starts_on=DATE,
                seats=INTEGER,
                rate=NUMBER,
                is_public=FLAG,
                labels=listing(TEXT),
                notes=about(TEXT, "Anything else"),
                organizer_email=TEXT,
            )
        ]
    )
    desk.answer("create_outing", **given)
    stored = list(desk.rows("outings")[-1].values())
    assert all(v in stored for v in given.values())
    assert desk.operation("create_outing").kind is OperationKind.CREATE
