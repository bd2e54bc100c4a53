"""Changing rows: create, update, states, flags, delete, many at once, lists inside a row, moves."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import OperationKind
from tests.generator.rules.conftest import DATE, FLAG, INTEGER, NUMBER, TEXT, Desk, Open, Schema, about, listing, maybe, one_of, record, tool

TASK = record("*", task_id=TEXT, title=TEXT, priority=one_of("low", "high"), status=one_of("open", "in_progress", "done"), project_id=TEXT)
TASKS = [
    tool("create_task", "Creates a task.", TASK, title=TEXT, project_id=TEXT, priority={**one_of("low", "high"), "default": "low"}),
    tool("get_task", "Gets a task.", TASK, task_id=TEXT),
    tool("update_task", "Updates a task.", TASK, task_id=TEXT, title=maybe(TEXT), priority=maybe(one_of("low", "high"))),
    tool("delete_task", "Deletes a task.", None, task_id=TEXT),
    tool("get_project", "Gets a project.", record("*", project_id=TEXT, name=TEXT), project_id=TEXT),
]


def project(desk: Desk, n: int = 0) -> str:
    return str(desk.rows("projects")[n]["project_id"])


# --- create ------------------------------------------------------------------------------------------------------


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
    desk = world([tool("create_note", "Creates a note.", None, text=TEXT, folder_id=maybe(TEXT)), tool("get_folder", "Gets a folder.", None, folder_id=TEXT)])
    desk.answer("create_note", text="x")
    assert desk.rows("notes")[-1]["folder_id"] is None
    assert "folder" in desk.refusal("create_note", text="x", folder_id="none").lower()


def test_a_list_of_references_is_checked_one_by_one(world: Open) -> None:
    desk = world([
        tool("create_event", "Creates an event.", None, title=TEXT, attendee_ids=listing(TEXT)),
        tool("get_user", "Gets a user.", None, user_id=TEXT),
        tool("get_event", "Gets an event.", None, event_id=TEXT),
    ])  # fmt: skip
    key = desk.rows("users")[0][desk.entity("users").key[0]]
    assert "nobody" in desk.refusal("create_event", title="x", attendee_ids=[key, "nobody"])
    desk.answer("create_event", title="x", attendee_ids=[key])
    assert [key] in desk.rows("events")[-1].values()


@pytest.mark.parametrize(
    "description",
    ["Registers a user. The email must be unique.", "Registers a user. Fails if the email is already in use.",
     "Registers a user. Email addresses must be unique."],
)  # fmt: skip
def test_a_value_that_must_be_unique_is_refused_the_second_time(world: Open, description: str) -> None:
    desk = world([tool("register_user", description, None, email=TEXT, name=TEXT), tool("get_user", "Gets a user.", None, user_id=TEXT)])
    desk.answer("register_user", email="ada@example.org", name="Ada")
    assert "already" in desk.refusal("register_user", email="ada@example.org", name="Other")
    desk.answer("register_user", email="eve@example.org", name="Ada")


def test_a_key_that_the_caller_chooses_may_not_be_taken(world: Open) -> None:
    desk = world([tool("create_channel", "Creates a channel.", None, name=TEXT), tool("get_channel", "Gets a channel by name.", None, name=TEXT)])
    desk.answer("create_channel", name="general-2")
    assert "already" in desk.refusal("create_channel", name="general-2")


def test_the_time_of_a_new_row_is_the_states_clock(world: Open) -> None:
    desk = world([tool("create_note", "Creates a note.", record("*", note_id=TEXT, text=TEXT, created_at={"type": "string", "format": "date-time"}), text=TEXT)])
    assert desk.answer("create_note", text="x")["created_at"] == desk.world.clock


def test_a_total_is_the_price_of_what_is_referred_to_times_the_quantity(world: Open) -> None:
    desk = world([
        tool("get_product", "Gets a product.", record("*", product_id=TEXT, price=NUMBER), product_id=TEXT),
        tool("create_order", "Creates an order.", record("*", order_id=TEXT, product_id=TEXT, quantity=INTEGER, total=NUMBER), product_id=TEXT, quantity=INTEGER),
    ])  # fmt: skip
    row = desk.rows("products")[0]
    desk.set("products", {"product_id": row["product_id"]}, price=2.5)
    assert desk.answer("create_order", product_id=row["product_id"], quantity=3)["total"] == 7.5


def test_a_parameter_object_is_only_an_envelope_of_the_row(world: Open) -> None:
    desk = world([
        tool("create_contact", "Creates a contact.", None, contact=record("name", name=TEXT, city=TEXT)),
        tool("get_contact", "Gets a contact.", None, contact_id=TEXT),
    ])  # fmt: skip
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
def test_several_values_are_shown_in_the_documented_form(world: Open, shown: Schema, given: Schema, value: Any, answer: Any) -> None:
    article = record("*", article_id=TEXT, marks=shown)
    desk = world([
        tool("create_article", "Creates an article.", article, marks=given),
        tool("update_article", "Updates an article.", article, article_id=TEXT, marks=maybe(given)),
        tool("get_article", "Gets an article.", article, article_id=TEXT),
    ])  # fmt: skip
    made = desk.answer("create_article", marks=value)
    assert made["marks"] == answer
    other = desk.rows("articles")[0]["article_id"]
    assert desk.answer("update_article", article_id=other, marks=value)["marks"] == answer
    assert desk.answer("get_article", article_id=made["article_id"]) == made


# --- update ------------------------------------------------------------------------------------------------------


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
    desk = world([
        tool("create_user", "Creates a user. The email must be unique.", None, email=TEXT),
        tool("update_user", "Updates a user.", None, user_id=TEXT, email=TEXT),
    ])  # fmt: skip
    first, second = desk.rows("users")[:2]
    key = desk.entity("users").key[0]
    assert desk.refusal("update_user", user_id=first[key], email=second["email"])
    desk.answer("update_user", user_id=first[key], email=first["email"])
    desk.answer("update_user", user_id=first[key], email="fresh@example.org")
    assert desk.rows("users")[0]["email"] == "fresh@example.org"


def test_changes_may_come_in_an_object(world: Open) -> None:
    desk = world([
        tool("update_contact", "Updates a contact.", None, contact_id=TEXT, updates=record("", name=TEXT, city=TEXT)),
        tool("create_contact", "Creates a contact.", None, name=TEXT, city=TEXT),
    ])  # fmt: skip
    before = desk.rows("contacts")[0]
    desk.answer("update_contact", contact_id=before[desk.entity("contacts").key[0]], updates={"city": "Turin"})
    assert desk.rows("contacts")[0] == {**before, "city": "Turin"}


def test_the_old_value_must_be_the_current_one(world: Open) -> None:
    desk = world([
        tool("change_password", "Changes the password of a user.", None, user_id=TEXT, old_password=TEXT, new_password=TEXT),
        tool("get_user", "Gets a user.", None, user_id=TEXT),
    ])  # fmt: skip
    row = desk.rows("users")[0]
    key = row[desk.entity("users").key[0]]
    assert desk.refusal("change_password", user_id=key, old_password="wrong", new_password="n")
    desk.answer("change_password", user_id=key, old_password=row["password"], new_password="new one")
    assert desk.rows("users")[0]["password"] == "new one"


def test_setting_one_attribute_of_a_thing_sets_that_column(world: Open) -> None:
    desk = world([
        tool("set_thermostat_temperature", "Sets the target temperature.", None, thermostat_id=TEXT, temperature=NUMBER),
        tool("get_thermostat", "Gets a thermostat.", record("*", thermostat_id=TEXT, temperature=NUMBER), thermostat_id=TEXT),
    ])  # fmt: skip
    key = desk.rows("thermostats")[0]["thermostat_id"]
    desk.answer("set_thermostat_temperature", thermostat_id=key, temperature=19.5)
    assert desk.answer("get_thermostat", thermostat_id=key)["temperature"] == 19.5


# --- states and flags ----------------------------------------------------------------------------------------------

ORDER = record("*", order_id=TEXT, status=one_of("pending", "shipped", "delivered", "cancelled"))
ORDERS = [
    tool("get_order", "Gets an order.", ORDER, order_id=TEXT),
    tool("ship_order", "Ships an order. Only pending orders can be shipped.", ORDER, order_id=TEXT),
    tool("deliver_order", "Delivers an order that has been shipped. The order must be shipped.", ORDER, order_id=TEXT),
    tool("cancel_order", "Cancels an order. Delivered orders cannot be cancelled.", ORDER, order_id=TEXT),
]


def test_a_verb_moves_the_status_along_the_documented_way(world: Open) -> None:
    desk = world(ORDERS)
    key = desk.rows("orders")[0]["order_id"]
    desk.set("orders", {"order_id": key}, status="pending")
    assert desk.answer("ship_order", order_id=key)["status"] == "shipped"
    assert desk.answer("deliver_order", order_id=key)["status"] == "delivered"


@pytest.mark.parametrize(
    ("name", "legal"),
    [("ship_order", {"pending"}), ("deliver_order", {"shipped"}), ("cancel_order", {"pending", "shipped"})],
)
def test_every_other_state_refuses(world: Open, name: str, legal: set[str]) -> None:
    desk = world(ORDERS)
    key = desk.rows("orders")[0]["order_id"]
    for status in ("pending", "shipped", "delivered", "cancelled"):
        desk.set("orders", {"order_id": key}, status=status)
        refused = isinstance(desk.call(name, order_id=key), str)
        assert refused is (status not in legal), status


def test_states_that_no_document_lists_come_from_the_verbs(world: Open) -> None:
    desk = world([
        tool("create_ticket", "Creates a ticket.", None, title=TEXT),
        tool("close_ticket", "Closes a ticket.", None, ticket_id=TEXT),
        tool("reopen_ticket", "Reopens a closed ticket.", None, ticket_id=TEXT),
    ])  # fmt: skip
    desk.answer("create_ticket", title="x")
    key = desk.rows("tickets")[-1][desk.entity("tickets").key[0]]
    assert desk.rows("tickets")[-1]["status"] == "open"
    desk.answer("close_ticket", ticket_id=key)
    assert desk.rows("tickets")[-1]["status"] == "closed"
    assert "closed" in desk.refusal("close_ticket", ticket_id=key)
    desk.answer("reopen_ticket", ticket_id=key)
    assert desk.rows("tickets")[-1]["status"] == "open"


def test_a_state_is_written_in_the_spelling_of_the_documentation(world: Open) -> None:
    order = record("*", order_id=TEXT, status=one_of("PENDING", "CANCELED"))
    desk = world([tool("get_order", "Gets an order.", order, order_id=TEXT), tool("cancel_order", "Cancels an order.", order, order_id=TEXT)])
    key = desk.rows("orders")[0]["order_id"]
    desk.set("orders", {"order_id": key}, status="PENDING")
    assert desk.answer("cancel_order", order_id=key)["status"] == "CANCELED"


def test_a_status_may_be_set_by_its_name(world: Open) -> None:
    desk = world([*TASKS, tool("set_task_status", "Sets the status of a task.", TASK, task_id=TEXT, status=one_of("open", "in_progress", "done"))])
    key = desk.rows("tasks")[0]["task_id"]
    for status in ("done", "open", "in_progress"):
        assert desk.answer("set_task_status", task_id=key, status=status)["status"] == status


def test_a_toggle_turns_the_flag_over(world: Open) -> None:
    lamp = record("*", lamp_id=TEXT, on=FLAG)
    desk = world([tool("get_lamp", "Gets a lamp.", lamp, lamp_id=TEXT), tool("toggle_lamp", "Toggles a lamp on or off.", lamp, lamp_id=TEXT)])
    key = desk.rows("lamps")[0]["lamp_id"]
    first = desk.answer("get_lamp", lamp_id=key)["on"]
    assert desk.answer("toggle_lamp", lamp_id=key)["on"] is not first
    assert desk.answer("toggle_lamp", lamp_id=key)["on"] is first


@pytest.mark.parametrize(("yes", "no"), [("enable", "disable"), ("pin", "unpin"), ("lock", "unlock"), ("archive", "unarchive"), ("mute", "unmute"), ("star", "unstar")])
def test_a_verb_and_its_opposite_set_and_clear_a_flag(world: Open, yes: str, no: str) -> None:
    desk = world([
        tool(f"{yes}_rule", f"{yes.capitalize()}s a rule.", None, rule_id=TEXT),
        tool(f"{no}_rule", f"{no.capitalize()}s a rule.", None, rule_id=TEXT),
        tool("create_rule", "Creates a rule.", None, name=TEXT),
    ])  # fmt: skip
    desk.answer("create_rule", name="x")
    key = desk.rows("rules")[-1][desk.entity("rules").key[0]]
    first, second = (no, yes) if yes == "enable" and desk.rows("rules")[-1].get("enabled") else (yes, no)
    before = desk.rows("rules")[-1]
    desk.answer(f"{first}_rule", rule_id=key)
    assert desk.rows("rules")[-1] != before
    assert desk.refusal(f"{first}_rule", rule_id=key)
    desk.answer(f"{second}_rule", rule_id=key)
    assert desk.rows("rules")[-1] == before


def test_a_thing_is_marked_done_and_undone(world: Open) -> None:
    item = record("*", todo_id=TEXT, text=TEXT, done=FLAG)
    desk = world([
        tool("add_todo", "Adds a todo.", item, text=TEXT),
        tool("mark_todo_done", "Marks a todo as done.", item, todo_id=TEXT),
        tool("mark_todo_undone", "Marks a todo as not done.", item, todo_id=TEXT),
    ])  # fmt: skip
    made = desk.answer("add_todo", text="x")
    assert made["done"] is False
    assert desk.answer("mark_todo_done", todo_id=made["todo_id"])["done"] is True
    assert "already" in desk.refusal("mark_todo_done", todo_id=made["todo_id"])
    assert desk.answer("mark_todo_undone", todo_id=made["todo_id"])["done"] is False


# --- delete ------------------------------------------------------------------------------------------------------


def test_a_deleted_row_is_gone_and_cannot_be_deleted_again(world: Open) -> None:
    desk = world(TASKS)
    key = desk.rows("tasks")[0]["task_id"]
    others = desk.rows("tasks")[1:]
    desk.answer("delete_task", task_id=key)
    assert desk.rows("tasks") == others
    assert key in desk.refusal("delete_task", task_id=key)
    assert key in desk.refusal("get_task", task_id=key)


def test_the_reason_of_a_deletion_outlives_the_row(world: Open) -> None:
    desk = world([
        tool("delete_account", "Deletes an account.", None, account_id=TEXT, reason=TEXT),
        tool("get_account", "Gets an account.", None, account_id=TEXT),
    ])  # fmt: skip
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
    desk = world([tool("list_notifications", "Lists notifications.", None), tool("clear_notifications", "Deletes all notifications.", None)])
    assert desk.rows("notifications")
    desk.answer("clear_notifications")
    assert desk.rows("notifications") == []


def test_rows_that_hang_on_a_deleted_row_go_with_it_or_hold_it(world: Open) -> None:
    desk = world([*TASKS, tool("delete_project", "Deletes a project.", None, project_id=TEXT)])
    desk.answer("delete_project", project_id=project(desk))
    assert desk.connection.execute("PRAGMA foreign_key_check").fetchall() == []


# --- many at once ------------------------------------------------------------------------------------------------

CONTACT = record("name", name=TEXT, city=TEXT)
BATCH = [
    tool("create_contacts", "Creates several contacts.", None, contacts=listing(CONTACT)),
    tool("update_contacts", "Updates several contacts.", None, contacts=listing(record("contact_id", contact_id=TEXT, city=TEXT))),
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
    desk.refusal("update_contacts", contacts=[{"contact_id": keys[0], "city": "Turin"}, {"contact_id": "none", "city": "Rome"}])
    desk.answer("update_contacts", contacts=[{"contact_id": keys[0], "city": "Turin"}, {"contact_id": keys[2], "city": "Rome"}])
    assert [r["city"] for r in desk.rows("contacts")] == ["Turin", rows[1]["city"], "Rome", *(r["city"] for r in rows[3:])]


def test_rows_described_by_example_are_deleted(world: Open) -> None:
    relation = record("source target", source=TEXT, target=TEXT)
    desk = world([
        tool("create_relations", "Creates relations.", None, relations=listing(relation)),
        tool("delete_relations", "Deletes relations.", None, relations=listing(relation)),
        tool("list_relations", "Lists the relations.", None),
    ])  # fmt: skip
    pair = {"source": "north", "target": "south"}
    before = len(desk.rows("relations"))
    desk.answer("create_relations", relations=[pair])
    assert len(desk.rows("relations")) == before + 1
    desk.answer("delete_relations", relations=[pair])
    assert len(desk.rows("relations")) == before
    assert desk.refusal("delete_relations", relations=[pair])


def test_many_rows_get_one_state(world: Open) -> None:
    message = record("*", message_id=TEXT, read=FLAG)
    desk = world([
        tool("mark_messages_read", "Marks messages as read.", None, message_ids=listing(TEXT)),
        tool("get_message", "Gets a message.", message, message_id=TEXT),
    ])  # fmt: skip
    desk.run("UPDATE messages SET read = 0")
    keys = [r["message_id"] for r in desk.rows("messages")]
    desk.answer("mark_messages_read", message_ids=keys[1:3])
    assert [r["read"] for r in desk.rows("messages")] == [False, True, True, *[False] * (len(keys) - 3)]


# --- lists inside a row ------------------------------------------------------------------------------------------

TAGS = [
    tool("get_article", "Gets an article.", record("*", article_id=TEXT, title=TEXT, tags=listing(TEXT)), article_id=TEXT),
    tool("add_tag", "Adds a tag to an article.", None, article_id=TEXT, tag=TEXT),
    tool("remove_tag", "Removes a tag from an article.", None, article_id=TEXT, tag=TEXT),
]


def test_a_value_is_added_to_a_list_once_and_taken_out_once(world: Open) -> None:
    desk = world(TAGS)
    key = desk.rows("articles")[0]["article_id"]
    desk.set("articles", {"article_id": key}, tags='["old"]')
    desk.answer("add_tag", article_id=key, tag="new")
    assert desk.answer("get_article", article_id=key)["tags"] == ["old", "new"]
    assert "already" in desk.refusal("add_tag", article_id=key, tag="new")
    desk.answer("remove_tag", article_id=key, tag="old")
    assert desk.answer("get_article", article_id=key)["tags"] == ["new"]
    assert "not in" in desk.refusal("remove_tag", article_id=key, tag="old")


def test_several_members_are_added_and_taken_out_together(world: Open) -> None:
    desk = world([
        tool("add_attendees", "Adds attendees to an event.", None, event_id=TEXT, attendee_ids=listing(TEXT)),
        tool("remove_attendees", "Removes attendees from an event.", None, event_id=TEXT, attendee_ids=listing(TEXT)),
        tool("create_event", "Creates an event.", None, title=TEXT, attendee_ids=listing(TEXT)),
        tool("get_user", "Gets a user.", None, user_id=TEXT),
        tool("get_event", "Gets an event.", None, event_id=TEXT),
    ])  # fmt: skip
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
    desk = world([
        tool("move_card", "Moves a card to another column.", record("*", card_id=TEXT, column_id=TEXT), card_id=TEXT, column_id=TEXT),
        tool("get_card", "Gets a card.", record("*", card_id=TEXT, column_id=TEXT, title=TEXT), card_id=TEXT),
        tool("get_column", "Gets a column.", record("*", column_id=TEXT, name=TEXT), column_id=TEXT),
    ])  # fmt: skip
    card = desk.rows("cards")[0]
    other = next(c["column_id"] for c in desk.rows("columns") if c["column_id"] != card["column_id"])
    assert desk.answer("move_card", card_id=card["card_id"], column_id=other) == {"card_id": card["card_id"], "column_id": other}
    assert "column" in desk.refusal("move_card", card_id=card["card_id"], column_id="none").lower()


def test_assigning_sets_who_it_is_for(world: Open) -> None:
    desk = world([
        tool("assign_ticket", "Assigns a ticket to a user.", None, ticket_id=TEXT, user_id=TEXT),
        tool("get_ticket", "Gets a ticket.", None, ticket_id=TEXT),
        tool("get_user", "Gets a user.", None, user_id=TEXT),
    ])  # fmt: skip
    assert desk.tables == {"tickets", "users"}
    ticket, user = desk.rows("tickets")[0], desk.rows("users")[-1]
    key, person = ticket[desk.entity("tickets").key[0]], user[desk.entity("users").key[0]]
    desk.answer("assign_ticket", ticket_id=key, user_id=person)
    assert person in desk.rows("tickets")[0].values()
    assert "user" in desk.refusal("assign_ticket", ticket_id=key, user_id="nobody").lower()


# --- every parameter matters -----------------------------------------------------------------------------------------


def test_every_parameter_of_a_writing_tool_ends_in_the_state(world: Open) -> None:
    given: dict[str, Any] = {
        "title": "Trip", "starts_on": "2031-01-01", "seats": 3, "rate": 1.5, "is_public": True, "labels": ["a"], "notes": "n",
        "organizer_email": "x@example.org",
    }  # fmt: skip
    desk = world([tool("create_outing", "Creates an outing.", None, title=TEXT, starts_on=DATE, seats=INTEGER, rate=NUMBER, is_public=FLAG,
                       labels=listing(TEXT), notes=about(TEXT, "Anything else"), organizer_email=TEXT)])  # fmt: skip
    desk.answer("create_outing", **given)
    stored = list(desk.rows("outings")[-1].values())
    assert all(v in stored for v in given.values())
    assert desk.operation("create_outing").kind is OperationKind.CREATE
