"""Rows that go, many rows at once, lists inside a row, rows that move."""

from __future__ import annotations

from tests.generator.rules.conftest import (
    FLAG,
    TEXT,
    Desk,
    Open,
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


def test_a_deleted_row_is_gone_and_cannot_be_deleted_again(world: Open) -> None:
    desk = world(TASKS)
    key = desk.rows("tasks")[0]["task_id"]
    others = desk.rows("tasks")[1:]
    desk.answer("delete_task", task_id=key)
    assert desk.rows("tasks") == others
    assert key in desk.refusal("delete_task", task_id=key)
    assert key in desk.refusal("get_task", task_id=key)


def test_the_reason_of_a_deletion_outlives_the_row(world: Open) -> None:
    desk = world(
        [
            tool("delete_account", "Deletes an account.", None, account_id=TEXT, reason=TEXT),
            tool("get_account", "Gets an account.", None, account_id=TEXT),
        ]
    )
    key = desk.rows("accounts")[0][desk.entity("accounts").key[0]]
    desk.answer("delete_account", account_id=key, reason="moved away")
    kept = desk.rows("audit_entries")[-1]
    assert (kept["action"], kept["target"], kept["details"]) == ("delete_account", key, {"reason": "moved away"})


def test_several_rows_are_deleted_together_or_not_at_all(world: Open) -> None:
    desk = world([*TASKS, tool("delete_tasks", "Deletes several tasks.", None, task_ids=listing(TEXT))])
    keys = [r["task_id"] for r in desk.rows("tasks")]
    assert "T-404" in desk.refusal("delete_tasks", task_ids=[keys[0], "T-404"])
    desk.answer("delete_tasks", task_ids=keys[:2])
    assert [r["task_id"] for r in desk.rows("tasks")] == keys[2:]


def test_clearing_empties_the_table(world: Open) -> None:
    desk = world(
        [
            tool("list_notifications", "Lists notifications.", None),
            tool("clear_notifications", "Deletes all notifications.", None),
        ]
    )
    assert desk.rows("notifications")
    desk.answer("clear_notifications")
    assert desk.rows("notifications") == []


def test_rows_that_hang_on_a_deleted_row_go_with_it_or_hold_it(world: Open) -> None:
    desk = world([*TASKS, tool("delete_project", "Deletes a project.", None, project_id=TEXT)])
    desk.answer("delete_project", project_id=project(desk))
    assert desk.connection.execute("PRAGMA foreign_key_check").fetchall() == []


CONTACT = record("name", name=TEXT, city=TEXT)
BATCH = [
    tool("create_contacts", "Creates several contacts.", None, contacts=listing(CONTACT)),
    tool(
        "update_contacts",
        "Updates several contacts.",
        None,
        contacts=listing(record("contact_id", contact_id=TEXT, city=TEXT)),
    ),
    tool("list_contacts", "Lists contacts.", None),
    tool("get_contact", "Gets a contact.", None, contact_id=TEXT),
]


def test_several_rows_are_made_from_a_list(world: Open) -> None:
    desk = world(BATCH)
    before = len(desk.rows("contacts"))
    desk.answer("create_contacts", contacts=[{"name": "Ada", "city": "Turin"}, {"name": "Bob"}])
    assert [(r["name"], r["city"]) for r in desk.rows("contacts")[before:]] == [("Ada", "Turin"), ("Bob", None)]


def test_several_rows_are_changed_from_a_list_or_none(world: Open) -> None:
    desk = world(BATCH)
    rows = desk.rows("contacts")
    keys = [r[desk.entity("contacts").key[0]] for r in rows]
    desk.refusal(
        "update_contacts", contacts=[{"contact_id": keys[0], "city": "Turin"}, {"contact_id": "none", "city": "Rome"}]
    )
    desk.answer(
        "update_contacts", contacts=[{"contact_id": keys[0], "city": "Turin"}, {"contact_id": keys[2], "city": "Rome"}]
    )
    assert [r["city"] for r in desk.rows("contacts")] == [
        "Turin",
        rows[1]["city"],
        "Rome",
        *(r["city"] for r in rows[3:]),
    ]


def test_rows_described_by_example_are_deleted(world: Open) -> None:
    relation = record("source target", source=TEXT, target=TEXT)
    desk = world(
        [
            tool("create_relations", "Creates relations.", None, relations=listing(relation)),
            tool("delete_relations", "Deletes relations.", None, relations=listing(relation)),
            tool("list_relations", "Lists the relations.", None),
        ]
    )
    pair = {"source": "north", "target": "south"}
    before = len(desk.rows("relations"))
    desk.answer("create_relations", relations=[pair])
    assert len(desk.rows("relations")) == before + 1
    desk.answer("delete_relations", relations=[pair])
    assert len(desk.rows("relations")) == before
    assert desk.refusal("delete_relations", relations=[pair])


def test_many_rows_get_one_state(world: Open) -> None:
    message = record("*", message_id=TEXT, read=FLAG)
    desk = world(
        [
            tool("mark_messages_read", "Marks messages as read.", None, message_ids=listing(TEXT)),
            tool("get_message", "Gets a message.", message, message_id=TEXT),
        ]
    )
    desk.run("UPDATE messages SET read = 0")
    keys = [r["message_id"] for r in desk.rows("messages")]
    desk.answer("mark_messages_read", message_ids=keys[1:3])
    assert [r["read"] for r in desk.rows("messages")] == [False, True, True, *[False] * (len(keys) - 3)]


TAGS = [
    tool(
        "get_article", "Gets an article.", record("*", article_id=TEXT, title=TEXT, tags=listing(TEXT)), article_id=TEXT
    ),
    tool("add_tag", "Adds a tag to an article.", None, article_id=TEXT, tag=TEXT),
    tool("remove_tag", "Removes a tag from an article.", None, article_id=TEXT, tag=TEXT),
]


def test_a_value_is_added_to_a_list_once_and_taken_out_once(world: Open) -> None:
    desk = world(TAGS)
    key = desk.rows("articles")[0]["article_id"]
    desk.put("articles", {"article_id": key}, tags='["old"]')
    desk.answer("add_tag", article_id=key, tag="new")
    assert desk.answer("get_article", article_id=key)["tags"] == ["old", "new"]
    assert "already" in desk.refusal("add_tag", article_id=key, tag="new")
    desk.answer("remove_tag", article_id=key, tag="old")
    assert desk.answer("get_article", article_id=key)["tags"] == ["new"]
    assert "not in" in desk.refusal("remove_tag", article_id=key, tag="old")


def test_several_members_are_added_and_taken_out_together(world: Open) -> None:
    desk = world(
        [
            tool("add_attendees", "Adds attendees to an event.", None, event_id=TEXT, attendee_ids=listing(TEXT)),
            tool(
                "remove_attendees", "Removes attendees from an event.", None, event_id=TEXT, attendee_ids=listing(TEXT)
            ),
            tool("create_event", "Creates an event.", None, title=TEXT, attendee_ids=listing(TEXT)),
            tool("get_user", "Gets a user.", None, user_id=TEXT),
            tool("get_event", "Gets an event.", None, event_id=TEXT),
        ]
    )
    people = [r[desk.entity("users").key[0]] for r in desk.rows("users")]
    desk.answer("create_event", title="x", attendee_ids=people[:2])
    event = desk.rows("events")[-1][desk.entity("events").key[0]]
    assert "nobody" in desk.refusal("add_attendees", event_id=event, attendee_ids=["nobody"])
    desk.answer("add_attendees", event_id=event, attendee_ids=people[1:4])
    assert people[:4] in desk.rows("events")[-1].values()
    desk.answer("remove_attendees", event_id=event, attendee_ids=[people[0], people[2]])
    assert [people[1], people[3]] in desk.rows("events")[-1].values()
    desk.refusal("remove_attendees", event_id=event, attendee_ids=[people[0]])


def test_a_row_is_moved_into_another_holder(world: Open) -> None:
    desk = world(
        [
            tool(
                "move_card",
                "Moves a card to another column.",
                record("*", card_id=TEXT, column_id=TEXT),
                card_id=TEXT,
                column_id=TEXT,
            ),
            tool("get_card", "Gets a card.", record("*", card_id=TEXT, column_id=TEXT, title=TEXT), card_id=TEXT),
            tool("get_column", "Gets a column.", record("*", column_id=TEXT, name=TEXT), column_id=TEXT),
        ]
    )
    card = desk.rows("cards")[0]
    other = next(c["column_id"] for c in desk.rows("columns") if c["column_id"] != card["column_id"])
    assert desk.answer("move_card", card_id=card["card_id"], column_id=other) == {
        "card_id": card["card_id"],
        "column_id": other,
    }
    assert "column" in desk.refusal("move_card", card_id=card["card_id"], column_id="none").lower()


def test_assigning_sets_who_it_is_for(world: Open) -> None:
    desk = world(
        [
            tool("assign_ticket", "Assigns a ticket to a user.", None, ticket_id=TEXT, user_id=TEXT),
            tool("get_ticket", "Gets a ticket.", None, ticket_id=TEXT),
            tool("get_user", "Gets a user.", None, user_id=TEXT),
        ]
    )
    assert desk.tables == {"tickets", "users"}
    ticket, user = desk.rows("tickets")[0], desk.rows("users")[-1]
    key, person = ticket[desk.entity("tickets").key[0]], user[desk.entity("users").key[0]]
    desk.answer("assign_ticket", ticket_id=key, user_id=person)
    assert person in desk.rows("tickets")[0].values()
    assert "user" in desk.refusal("assign_ticket", ticket_id=key, user_id="nobody").lower()
