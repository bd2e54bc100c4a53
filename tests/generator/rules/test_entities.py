"""Which things there are: nouns, ids, kinds of one thing, lists of rows, and the thing that each tool is about."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import OperationKind
from tests.generator.rules.conftest import DATE, INTEGER, NUMBER, TEXT, Open, listing, maybe, record, tool


def test_a_noun_with_tools_becomes_a_table_with_its_plural_name(world: Open) -> None:
    desk = world(
        [
            tool("get_category", "Get a category.", category_id=TEXT),
            tool("create_category", "Create a category.", name=TEXT),
        ]
    )
    assert desk.tables == {"categories"}
    assert desk.columns("categories") >= {"name"}


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("get_order", "order_id"),
        ("getOrder", "orderId"),
        ("GetOrder", "OrderID"),
        ("get-order", "order-id"),
        ("order.get", "id"),
        ("shop_order_get", "order_id"),
    ],
)
def test_the_convention_of_names_does_not_matter(world: Open, name: str, parameter: str) -> None:
    desk = world(
        [
            tool(name, "Retrieve one order.", record("*", status=TEXT, total=NUMBER), **{parameter: TEXT}),
            tool(name.replace("et", "ist").replace("gist", "list").replace("Gist", "List") + "s", "Lists all orders."),
        ]
    )
    assert "orders" in desk.tables
    key = desk.rows("orders")[0][desk.entity("orders").key[0]]
    assert desk.call(name, **{parameter: key})["status"] == desk.rows("orders")[0]["status"]


def test_ids_in_parameters_are_references_to_their_own_tables(world: Open) -> None:
    desk = world(
        [
            tool("create_invoice", "Create an invoice.", customer_id=TEXT, amount=NUMBER),
            tool("get_customer", "Get a customer.", customer_id=TEXT),
        ]
    )
    reference = desk.entity("invoices").attribute("customer_id")
    assert reference is not None
    assert reference.references == "customer"
    assert desk.tables == {"invoices", "customers"}


@pytest.mark.parametrize("parameter", ["sender_id", "assignee_id", "owner_id"])
def test_an_id_of_a_persons_role_means_the_person(world: Open, parameter: str) -> None:
    desk = world(
        [
            tool("create_ticket", "Create a ticket.", title=TEXT, **{parameter: TEXT}),
            tool("get_ticket", "Get a ticket.", ticket_id=TEXT),
            tool("get_user", "Get a user.", user_id=TEXT),
        ]
    )
    reference = desk.entity("tickets").attribute(parameter)
    assert reference is not None
    assert reference.references == "user"
    assert "no user" in desk.refusal("create_ticket", title="x", **{parameter: "nobody"}).lower()


def test_two_roles_of_one_thing_are_two_columns_of_one_table(world: Open) -> None:
    desk = world(
        [
            tool("create_shipment", "Create a shipment.", from_warehouse_id=TEXT, to_warehouse_id=TEXT),
            tool("get_warehouse", "Get a warehouse.", warehouse_id=TEXT),
            tool("get_shipment", "Get a shipment.", shipment_id=TEXT),
        ]
    )
    assert desk.tables == {"shipments", "warehouses"}
    references = [a.name for a in desk.entity("shipments").attributes if a.references == "warehouse"]
    assert sorted(references) == ["from_warehouse_id", "to_warehouse_id"]


CHANNELS = [
    tool("create_text_channel", "Creates a text channel.", name=TEXT, topic=maybe(TEXT)),
    tool("create_voice_channel", "Creates a voice channel.", name=TEXT),
    tool("list_voice_channels", "Lists the voice channels."),
    tool("delete_channel", "Deletes a channel.", channel_id=TEXT),
]


def test_kinds_of_one_thing_share_its_table_and_are_told_apart(world: Open) -> None:
    desk = world(CHANNELS)
    assert desk.tables == {"channels"}
    desk.answer("create_text_channel", name="notes")
    desk.answer("create_voice_channel", name="lounge")
    kinds = {r["name"]: r["channel_type"] for r in desk.rows("channels")}
    assert kinds["notes"] == "text"
    assert kinds["lounge"] == "voice"


def test_a_list_of_one_kind_holds_that_kind_only(world: Open) -> None:
    desk = world(CHANNELS)
    desk.answer("create_text_channel", name="notes")
    desk.answer("create_voice_channel", name="lounge")
    names = str(desk.answer("list_voice_channels"))
    assert "lounge" in names
    assert "notes" not in names


ITEM = record("product_id quantity", product_id=TEXT, quantity=INTEGER)
ORDERS = [
    tool("create_order", "Creates an order.", customer_id=TEXT, items=listing(ITEM)),
    tool(
        "get_order", "Gets an order.", record("*", order_id=TEXT, customer_id=TEXT, items=listing(ITEM)), order_id=TEXT
    ),
    tool("get_product", "Gets a product.", product_id=TEXT),
    tool("get_customer", "Gets a customer.", customer_id=TEXT),
]


def test_a_list_of_objects_that_name_another_thing_is_a_table_of_rows(world: Open) -> None:
    desk = world(ORDERS)
    assert "order_items" in desk.tables
    references = {a.references for a in desk.entity("order_items").attributes}
    assert references >= {"order", "product"}


def test_rows_given_in_a_list_come_back_in_the_same_list(world: Open) -> None:
    desk = world(ORDERS)
    products = [r[desk.entity("products").key[0]] for r in desk.rows("products")]
    customer = desk.rows("customers")[0][desk.entity("customers").key[0]]
    items = [{"product_id": products[0], "quantity": 2}, {"product_id": products[1], "quantity": 5}]
    made = desk.answer("create_order", customer_id=customer, items=items)
    order_id = made.get("order_id", made.get("id"))
    assert desk.answer("get_order", order_id=order_id)["items"] == items


def test_an_unknown_thing_in_the_list_refuses_the_whole(world: Open) -> None:
    desk = world(ORDERS)
    product = desk.rows("products")[0][desk.entity("products").key[0]]
    customer = desk.rows("customers")[0][desk.entity("customers").key[0]]
    items = [{"product_id": product, "quantity": 1}, {"product_id": "no-such-product", "quantity": 1}]
    assert "product" in desk.refusal("create_order", customer_id=customer, items=items).lower()


def test_the_same_thing_twice_in_the_list_is_refused(world: Open) -> None:
    desk = world(ORDERS)
    product = desk.rows("products")[0][desk.entity("products").key[0]]
    customer = desk.rows("customers")[0][desk.entity("customers").key[0]]
    assert "already" in desk.refusal(
        "create_order", customer_id=customer, items=[{"product_id": product, "quantity": 1}] * 2
    )


def test_things_of_which_there_is_one_and_that_speak_of_the_same_are_one_row(world: Open) -> None:
    phone = record(
        "*", airplane_mode=maybe({"type": "boolean"}), mobile_data={"type": "boolean"}, battery_level=INTEGER
    )
    desk = world(
        [
            tool("get_phone_status", "Returns the state of the phone.", phone),
            tool("toggle_airplane_mode", "Toggles airplane mode.", record("*", airplane_mode={"type": "boolean"})),
            tool("set_mobile_data", "Turns mobile data on or off.", enabled={"type": "boolean"}),
        ]
    )
    assert len(desk.tables) == 1
    before = desk.answer("get_phone_status")
    desk.answer("toggle_airplane_mode")
    desk.answer("set_mobile_data", enabled=not before["mobile_data"])
    after = desk.answer("get_phone_status")
    assert after["airplane_mode"] is not before["airplane_mode"]
    assert after["mobile_data"] is not before["mobile_data"]
    assert after["battery_level"] == before["battery_level"]


LINES = [
    tool("get_line", "Gets a line.", record("*", line_id=TEXT, plan_id=TEXT, status=TEXT), line_id=TEXT),
    tool("list_plans", "Lists the plans.", record(plans=listing(record("*", plan_id=TEXT, name=TEXT, price=NUMBER)))),
    tool(
        "change_plan",
        "Changes the plan of a line.",
        record("*", line_id=TEXT, plan_id=TEXT),
        line_id=TEXT,
        plan_id=TEXT,
    ),
]


def test_a_tool_changes_the_row_whose_id_comes_first_not_the_one_it_is_named_after(world: Open) -> None:
    desk = world(LINES)
    line = desk.rows("lines")[0]
    other = next(p["plan_id"] for p in desk.rows("plans") if p["plan_id"] != line["plan_id"])
    plans = desk.rows("plans")
    assert desk.answer("change_plan", line_id=line["line_id"], plan_id=other) == {
        "line_id": line["line_id"],
        "plan_id": other,
    }
    assert desk.rows("lines")[0]["plan_id"] == other
    assert desk.rows("plans") == plans


def test_a_verb_with_ids_of_what_is_there_makes_the_thing_that_the_verb_means(world: Open) -> None:
    desk = world(
        [
            tool("get_book", "Gets a book.", book_id=TEXT),
            tool("get_member", "Gets a member.", member_id=TEXT),
            tool("reserve_book", "Reserves a book for a member.", book_id=TEXT, member_id=TEXT),
            tool("list_reservations", "Lists the reservations of a member.", member_id=TEXT),
        ]
    )
    book = desk.rows("books")[0][desk.entity("books").key[0]]
    member = desk.rows("members")[0][desk.entity("members").key[0]]
    books, before = len(desk.rows("books")), len(desk.rows("reservations"))
    desk.answer("reserve_book", book_id=book, member_id=member)
    assert len(desk.rows("books")) == books
    assert len(desk.rows("reservations")) == before + 1
    made = desk.rows("reservations")[-1]
    assert (made["book_id"], made["member_id"]) == (book, member)


PLAYLISTS = [
    tool("create_playlist", "Creates a playlist.", name=TEXT),
    tool("get_playlist", "Gets a playlist.", playlist_id=TEXT),
    tool("get_song", "Gets a song.", song_id=TEXT),
    tool("add_song_to_playlist", "Adds a song to a playlist.", playlist_id=TEXT, song_id=TEXT),
    tool("remove_song_from_playlist", "Removes a song from a playlist.", playlist_id=TEXT, song_id=TEXT),
]


def test_putting_one_thing_into_another_makes_a_link_that_can_be_taken_away(world: Open) -> None:
    desk = world(PLAYLISTS)
    link = next(t for t in desk.tables if t not in ("playlists", "songs"))
    playlist = desk.answer("create_playlist", name="Road")
    pair = {
        "playlist_id": playlist.get("playlist_id", playlist.get("id")),
        "song_id": desk.rows("songs")[0][desk.entity("songs").key[0]],
    }
    before = len(desk.rows(link))
    desk.answer("add_song_to_playlist", **pair)
    assert len(desk.rows(link)) == before + 1
    assert "already" in desk.refusal("add_song_to_playlist", **pair)
    desk.answer("remove_song_from_playlist", **pair)
    assert len(desk.rows(link)) == before
    assert desk.refusal("remove_song_from_playlist", **pair)
    assert len(desk.rows("songs")) > 0


def test_an_unknown_side_of_a_link_is_refused(world: Open) -> None:
    desk = world(PLAYLISTS)
    song = desk.rows("songs")[0][desk.entity("songs").key[0]]
    assert "playlist" in desk.refusal("add_song_to_playlist", playlist_id="none", song_id=song).lower()


def _openapi(path: str, title: str) -> dict[str, Any]:
    answer = {
        "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{title}"}}},
        }
    }
    many = {
        "200": {
            "description": "OK",
            "content": {
                "application/json": {"schema": {"type": "array", "items": {"$ref": f"#/components/schemas/{title}"}}}
            },
        }
    }
    identifier = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    body = {"required": True, "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{title}"}}}}
    return {
        "openapi": "3.0.0",
        "info": {"title": "Shop", "version": "1"},
        "paths": {
            path: {
                "get": {"operationId": "listThem", "summary": "List them", "responses": many},
                "post": {"operationId": "createOne", "summary": "Create one", "requestBody": body, "responses": answer},
            },
            path + "/{id}": {
                "get": {"operationId": "getOne", "summary": "Get one", "parameters": [identifier], "responses": answer},
                "delete": {
                    "operationId": "deleteOne",
                    "summary": "Delete one",
                    "parameters": [identifier],
                    "responses": {"204": {"description": "gone"}},
                },
            },
        },
        "components": {
            "schemas": {
                title: {
                    "type": "object",
                    "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "size": {"type": "integer"}},
                    "required": ["name"],
                }
            }
        },
    }


def test_the_schemas_of_an_api_name_its_things(world: Open) -> None:
    desk = world(_openapi("/widgets", "Widget"))
    assert desk.tables == {"widgets"}
    made = desk.answer("createOne", name="bolt", size=4)
    assert made["name"] == "bolt"
    assert desk.answer("getOne", id=made["id"]) == made
    desk.answer("deleteOne", id=made["id"])
    assert "widget" in desk.refusal("getOne", id=made["id"]).lower()


def test_parents_in_a_path_are_things_of_their_own_to_which_the_row_belongs(world: Open) -> None:
    item = {"type": "object", "properties": {"id": {"type": "string"}, "text": {"type": "string"}}}
    parameters = [
        {"name": n, "in": "path", "required": True, "schema": {"type": "string"}} for n in ("board_id", "card_id")
    ]
    content = {"200": {"description": "OK", "content": {"application/json": {"schema": item}}}}
    desk = world(
        {
            "openapi": "3.0.0",
            "info": {"title": "Boards", "version": "1"},
            "paths": {
                "/boards/{board_id}": {
                    "get": {"summary": "Get a board", "parameters": parameters[:1], "responses": content}
                },
                "/boards/{board_id}/cards/{card_id}": {
                    "get": {"summary": "Get a card", "parameters": parameters, "responses": content}
                },
            },
        }
    )
    assert desk.tables == {"boards", "cards"}
    name = next(o.tool for o in desk.world.operations if "card" in o.tool)
    card = desk.rows("cards")[0]
    board = next(a.name for a in desk.entity("cards").attributes if a.references == "board")
    key = desk.entity("cards").key[0]
    assert desk.answer(name, board_id=card[board], card_id=card[key])["text"] == card["text"]
    foreign = next(r for r in desk.rows("boards") if r[desk.entity("boards").key[0]] != card[board])
    assert desk.refusal(name, board_id=foreign[desk.entity("boards").key[0]], card_id=card[key])


def test_a_things_attribute_has_no_table_of_its_own(world: Open) -> None:
    desk = world(
        [
            tool("get_ticket_status", "Returns the status of a ticket.", ticket_id=TEXT),
            tool("update_ticket_priority", "Changes the priority.", ticket_id=TEXT, priority=TEXT),
            tool("create_ticket", "Creates a ticket.", title=TEXT),
        ]
    )
    assert desk.tables == {"tickets"}


def test_a_services_own_name_in_front_of_every_tool_is_no_thing(world: Open) -> None:
    desk = world(
        [
            tool("acme_get_user", "Get a user.", user_id=TEXT),
            tool("acme_list_users", "List users."),
            tool("acme_create_note", "Create a note.", text=TEXT),
            tool("acme_list_notes", "List notes."),
        ]
    )
    assert desk.tables == {"users", "notes"}


def test_ids_made_by_tools_look_like_those_in_the_examples(world: Open) -> None:
    desk = world(
        [
            tool("create_claim", "Creates a claim.", text=TEXT),
            tool(
                "get_claim",
                "Gets a claim.",
                claim_id={"type": "string", "description": "Id of the claim, e.g. CLM-0042"},
            ),
        ]
    )
    made = desk.answer("create_claim", text="hail")
    identifier = made.get("claim_id", made.get("id"))
    assert identifier.startswith("CLM-")
    assert len(identifier) == len("CLM-0042")
    assert identifier not in [r[desk.entity("claims").key[0]] for r in desk.rows("claims")[:-1]]


def test_integer_ids_stay_integers(world: Open) -> None:
    desk = world(
        [tool("create_task", "Creates a task.", title=TEXT), tool("get_task", "Gets a task.", task_id=INTEGER)]
    )
    made = desk.answer("create_task", title="x")
    identifier = made.get("task_id", made.get("id"))
    assert isinstance(identifier, int)
    assert desk.answer("get_task", task_id=identifier)["title"] == "x"


def test_every_tool_becomes_one_operation_in_the_order_of_the_documentation(world: Open) -> None:
    desk = world(PLAYLISTS + LINES)
    assert [o.tool for o in desk.world.operations] == [t["name"] for t in PLAYLISTS + LINES]


def test_the_clock_is_no_thing(world: Open) -> None:
    desk = world(
        [tool("get_current_time", "Returns the current time."), tool("list_events", "Lists events.", date=maybe(DATE))]
    )
    assert desk.tables == {"events"}
    assert desk.operation("get_current_time").kind is OperationKind.GET
    assert desk.world.clock[:10] in str(desk.answer("get_current_time"))


def test_a_word_that_says_little_is_a_noun_where_it_has_ids(world: Open) -> None:
    exhibit = record("*", object_id=TEXT, title=TEXT, year=INTEGER)
    found = record("*", objects=listing(exhibit))
    desk = world(
        [
            tool("search_objects", "Search the collection.", found, year_from=maybe(INTEGER)),
            tool("get_object", "Gets an object.", exhibit, object_id=TEXT),
        ]
    )
    assert desk.tables == {"objects"}
    desk.put("objects", {}, year=1900)
    assert desk.answer("search_objects", year_from=1901)["objects"] == []
    assert desk.answer("search_objects", year_from=1900)["objects"]


def test_a_column_that_only_prose_names_has_the_type_of_what_bounds_it(world: Open) -> None:
    desk = world(
        [
            tool("get_hive", "Returns the hive's name and strength.", hive_id=TEXT),
            tool("list_hives", "Lists hives.", min_strength=maybe(INTEGER)),
        ]
    )
    desk.put("hives", {}, strength=9)
    assert len(desk.answer("list_hives", min_strength=10)["hives"]) == 0
    assert len(desk.answer("list_hives", min_strength=9)["hives"]) == len(desk.rows("hives"))
