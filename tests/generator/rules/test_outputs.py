"""What is answered: in the documented shape where there is one, the row's own columns where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generator.rules.conftest import FLAG, INTEGER, NUMBER, TEXT, Open, Schema, listing, maybe, record, tool

USER = record("*", user_id=TEXT, name=TEXT, age=INTEGER)


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [r["user_id"] for r in rows]


@pytest.mark.parametrize("wrapper", ["data", "result", "response", "user", "payload"])
def test_a_row_may_be_wrapped(world: Open, wrapper: str) -> None:
    desk = world([tool("get_user", "Gets a user.", record("*", **{wrapper: USER}), user_id=TEXT)])
    row = desk.rows("users")[0]
    assert desk.answer("get_user", user_id=row["user_id"]) == {
        wrapper: {"user_id": row["user_id"], "name": row["name"], "age": row["age"]}
    }


@pytest.mark.parametrize("wrapper", ["data", "results", "items", "users", "records"])
def test_a_list_may_be_wrapped(world: Open, wrapper: str) -> None:
    desk = world([tool("list_users", "Lists users.", record("*", **{wrapper: listing(USER)}))])
    assert ids(desk.answer("list_users")[wrapper]) == ids(desk.rows("users"))


def test_a_bare_array_is_answered_as_the_result(world: Open) -> None:
    desk = world([tool("list_users", "Lists users.", listing(USER))])
    assert ids(desk.answer("list_users")["result"]) == ids(desk.rows("users"))


def test_a_wrapper_may_hold_another(world: Open) -> None:
    desk = world(
        [tool("list_users", "Lists users.", record("*", data=record("*", users=listing(USER), total=INTEGER)))]
    )
    answer = desk.answer("list_users")
    assert ids(answer["data"]["users"]) == ids(desk.rows("users"))
    assert answer["data"]["total"] == len(desk.rows("users"))


def test_a_list_of_plain_values_is_one_column(world: Open) -> None:
    desk = world(
        [
            tool("list_users", "Lists the names of users.", record("*", names=listing(TEXT))),
            tool("get_user", "Gets a user.", USER, user_id=TEXT),
        ]
    )
    assert desk.answer("list_users")["names"] == [r["name"] for r in desk.rows("users")]


def test_a_confirmation_is_a_constant_and_no_column(world: Open) -> None:
    done = record("*", success=FLAG, message=TEXT)
    desk = world(
        [
            tool("delete_user", "Deletes a user.", done, user_id=TEXT),
            tool("get_user", "Gets a user.", USER, user_id=TEXT),
        ]
    )
    answer = desk.answer("delete_user", user_id=desk.rows("users")[0]["user_id"])
    assert answer["success"] is True
    assert answer["message"]
    assert not desk.columns("users") & {"success", "message"}


def test_a_nested_row_is_the_one_that_is_referred_to(world: Open) -> None:
    post = record("*", post_id=TEXT, title=TEXT, user=USER)
    desk = world(
        [tool("get_post", "Gets a post.", post, post_id=TEXT), tool("get_user", "Gets a user.", USER, user_id=TEXT)]
    )
    row = desk.rows("posts")[0]
    reference = next(a.name for a in desk.entity("posts").attributes if a.references == "user")
    answer = desk.answer("get_post", post_id=row["post_id"])
    assert answer["user"] == desk.answer("get_user", user_id=row[reference])
    other = next(i for i in ids(desk.rows("users")) if i != row[reference])
    desk.put("posts", {"post_id": row["post_id"]}, **{reference: other})
    assert desk.answer("get_post", post_id=row["post_id"])["user"]["user_id"] == other


def test_a_nested_list_holds_the_rows_that_refer_to_the_outer_one(world: Open) -> None:
    comment = record("*", comment_id=TEXT, post_id=TEXT, text=TEXT)
    post = record("*", post_id=TEXT, title=TEXT, comments=listing(comment))
    desk = world(
        [
            tool("get_post", "Gets a post.", post, post_id=TEXT),
            tool("add_comment", "Adds a comment to a post.", comment, post_id=TEXT, text=TEXT),
        ]
    )
    key = desk.rows("posts")[0]["post_id"]
    before = desk.answer("get_post", post_id=key)["comments"]
    made = desk.answer("add_comment", post_id=key, text="new")
    assert desk.answer("get_post", post_id=key)["comments"] == [*before, made]
    assert before and all(c["post_id"] == key for c in before)


def test_a_plain_object_of_the_row_is_kept_whole(world: Open) -> None:
    person = record("*", person_id=TEXT, address=record("*", street=TEXT, zip=TEXT))
    desk = world(
        [
            tool("get_person", "Gets a person.", person, person_id=TEXT),
            tool("create_person", "Creates a person.", person, address=record("*", street=TEXT, zip=TEXT)),
        ]
    )
    made = desk.answer("create_person", address={"street": "Via Po", "zip": "10124"})
    assert made["address"] == {"street": "Via Po", "zip": "10124"}
    assert desk.answer("get_person", person_id=made["person_id"]) == made


def test_a_count_in_the_answer_counts(world: Open) -> None:
    desk = world([tool("list_users", "Lists users.", record("*", users=listing(USER), count=INTEGER))])
    assert desk.answer("list_users")["count"] == len(desk.rows("users"))


def test_an_open_object_of_numbers_counts_by_group(world: Open) -> None:
    desk = world(
        [
            tool(
                "get_ticket_statistics",
                "Returns the number of tickets by status.",
                {"type": "object", "additionalProperties": INTEGER},
            ),
            tool(
                "get_ticket",
                "Gets a ticket.",
                record("*", ticket_id=TEXT, status={"type": "string", "enum": ["open", "closed"]}),
                ticket_id=TEXT,
            ),
        ]
    )
    rows = desk.rows("tickets")
    assert desk.answer("get_ticket_statistics") == {
        s: sum(r["status"] == s for r in rows) for s in {r["status"] for r in rows}
    }


def test_a_required_property_is_never_null(world: Open) -> None:
    desk = world(
        [
            tool("create_user", "Creates a user.", None, name=TEXT, nickname=maybe(TEXT)),
            tool(
                "get_user",
                "Gets a user.",
                record("user_id nickname", user_id=TEXT, nickname=TEXT, name=TEXT),
                user_id=TEXT,
            ),
        ]
    )
    made = desk.answer("create_user", name="Ada")
    assert isinstance(desk.answer("get_user", user_id=made["user_id"])["nickname"], str)


def test_an_optional_property_that_is_unknown_is_left_out_and_a_nullable_one_is_null(world: Open) -> None:
    nullable: Schema = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    desk = world(
        [
            tool("create_user", "Creates a user.", None, name=TEXT, nickname=maybe(TEXT), motto=maybe(TEXT)),
            tool(
                "get_user",
                "Gets a user.",
                record("user_id motto", user_id=TEXT, nickname=TEXT, motto=nullable),
                user_id=TEXT,
            ),
        ]
    )
    made = desk.answer("create_user", name="Ada")
    assert desk.answer("get_user", user_id=made["user_id"]) == {"user_id": made["user_id"], "motto": None}


def test_without_an_output_schema_a_row_shows_its_columns(world: Open) -> None:
    desk = world(
        [
            tool("get_user", "Gets a user.", None, user_id=TEXT),
            tool("create_user", "Creates a user.", None, name=TEXT, age=INTEGER),
        ]
    )
    made = desk.answer("create_user", name="Ada", age=36)
    assert {"name": "Ada", "age": 36}.items() <= made.items()
    assert desk.answer("get_user", user_id=made["user_id"]) == made


def test_columns_that_only_prose_names_are_answered(world: Open) -> None:
    desk = world([tool("get_customer", "Returns the customer's name, email and phone number.", None, customer_id=TEXT)])
    answer = desk.answer("get_customer", customer_id=desk.rows("customers")[0][desk.entity("customers").key[0]])
    assert {"name", "email"} <= set(answer)
    assert any("phone" in name for name in answer)


def test_a_schema_that_refers_to_itself_ends(world: Open) -> None:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Tree", "version": "1"},
        "paths": {
            "/nodes/{node_id}": {
                "get": {
                    "operationId": "getNode",
                    "summary": "Get a node",
                    "parameters": [{"name": "node_id", "in": "path", "required": True, "schema": {"type": "string"}}],
                    "responses": {
                        "200": {
                            "description": "OK",
                            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}},
                        }
                    },
                }
            }
        },
        "components": {
            "schemas": {
                "Node": {
                    "type": "object",
                    "required": ["node_id"],
                    "properties": {
                        "node_id": {"type": "string"},
                        "label": {"type": "string"},
                        "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
                    },
                }
            }
        },
    }
    desk = world(document)
    key = desk.rows("nodes")[0]["node_id"]
    assert desk.answer("getNode", node_id=key)["node_id"] == key


def test_one_attribute_is_answered_with_the_key(world: Open) -> None:
    desk = world(
        [
            tool("get_ticket_status", "Returns the status of a ticket.", None, ticket_id=TEXT),
            tool("close_ticket", "Closes a ticket.", None, ticket_id=TEXT),
        ]
    )
    row = desk.rows("tickets")[0]
    assert desk.answer("get_ticket_status", ticket_id=row["ticket_id"]) == {
        "ticket_id": row["ticket_id"],
        "status": row["status"],
    }


def test_numbers_are_answered_in_the_type_of_the_schema(world: Open) -> None:
    desk = world(
        [
            tool(
                "get_item",
                "Gets an item.",
                record("*", item_id=INTEGER, price=NUMBER, parts=INTEGER, sold=FLAG),
                item_id=INTEGER,
            )
        ]
    )
    row = desk.rows("items")[0]
    answer = desk.answer("get_item", item_id=row["item_id"])
    assert type(answer["parts"]) is int
    assert type(answer["sold"]) is bool
