"""A small inn, described by hand: the catalogue and the blueprints that the tests of the wording speak about."""

from __future__ import annotations

from typing import Any

from autoforge.generator.tasks.catalogue import Catalogue, ColumnName, Field, RowSet, Slot, ToolModel
from autoforge.generator.tasks.draft import Draft
from autoforge.mcp_envs.manifest import Column, ColumnKind, Effects, Manifest, Provenance, Table, ToolRecord
from autoforge.mcp_envs.task import Answer, Blueprint, Literally, Node, Output, Reasoning, Source, ToolStep, UserValue

KEY, VALUE = ColumnKind.KEY, ColumnKind.VALUE
ROOM = {"room_id": "text", "nightly_rate": "number", "floor": "number", "room_type": "text", "has_balcony": "boolean",
        "active": "boolean"}  # fmt: skip
GUEST = {"guest_id": "text", "email": "text", "points": "number"}
BOOKING = {"booking_id": "text", "guest_id": "text", "room_id": "text", "check_in_date": "date",
"total_price": "number",
           "status": "text"}  # fmt: skip
NOTE = {"note_id": "text", "guest_id": "text", "note": "text"}


def table(name: str, entity: str, columns: dict[str, str], **references: str) -> Table:
    kinds = {"number": "real", "date": "text", "boolean": "boolean", "text": "text"}
    made = tuple(
        Column(name=c, type=kinds[t], kind=KEY if i == 0 else VALUE, references=references.get(c))
        for i, (c, t) in enumerate(columns.items())
    )
    return Table(name=name, entity=entity, key=(next(iter(columns)),), columns=made)


TABLES = (
    table("rooms", "room", ROOM),
    table("guests", "guest", GUEST),
    table("bookings", "booking", BOOKING, guest_id="guests", room_id="rooms"),
    table("notes", "note", NOTE, guest_id="guests"),
)


def slot(name: str, role: Any, column: str = "", type: str = "string", **schema: Any) -> Slot:
    where = ColumnName(*column.split(".")) if column else None
    return Slot((name,), {"type": type, **schema}, False, role, where)


def rows(path: str, name: str, columns: dict[str, str]) -> RowSet:
    return RowSet(path, name, {c: c for c in columns}, columns)


def tool(
    name: str,
    slots: tuple[Slot, ...] = (),
    shown: tuple[RowSet, ...] = (),
    fields: tuple[Field, ...] = (),
    *,
    title: str = "",
    about: str = "",
    kind: str = "update",
    effects: Effects | None = None,
    side: Any = "agent",
) -> ToolModel:
    record = ToolRecord(name=name, function=name, kind=kind, side=side, effects=effects or Effects())
    return ToolModel(name, record, {"title": title, "description": about}, slots, shown, fields)


WRITES = Effects(updates={"bookings": ("status",)})
MAKES = Effects(creates=("bookings",))
TOOLS = (
    tool("list_rooms", (slot("room_type", "filter", "rooms.room_type", enum=["double_room", "suite"]), slot("max_rate",
    "filter", type="number"),
                        slot("has_balcony", "filter", type="boolean"), slot("sort_by", "control")),
         (rows("$.rooms[*]", "rooms", ROOM),), about="List the rooms of the inn.", kind="list"),
    tool("search_availability", (slot("check_in_date", "filter", format="date"),
                                 slot("check_out_date", "filter", format="date")),
         (rows("$.rooms[*]", "rooms", ROOM),), title="Search for free rooms", kind="search"),
    tool("find_guests", (slot("email", "filter", "guests.email"),), (rows("$.guests[*]", "guests", GUEST),),
         about="Find guests.", kind="search"),
    tool("get_guest", (slot("email", "reference", "guests.email"),), (rows("$", "guests", GUEST),), kind="get"),
    tool("list_bookings", (slot("guest_id", "reference", "guests.guest_id"), slot("status", "filter"),
                           slot("arrival_from", "filter", format="date")),
         (rows("$.bookings[*]", "bookings", BOOKING),), about="List bookings.", kind="list"),
    tool("get_booking", (slot("booking_id", "reference", "bookings.booking_id"),), (rows("$", "bookings", BOOKING),),
         kind="get"),
    tool("quote_stay", (slot("room_id", "reference", "rooms.room_id"), slot("nights", "value", type="integer")), (),
         (Field("$.total", "number"),), title="Quote the price of a stay", kind="compute"),
    tool("book_room", (slot("room_id", "reference", "rooms.room_id"), slot("guest_id", "reference", "guests.guest_id"),
                       slot("check_in_date", "value", format="date"), slot("check_out_date", "value", format="date"),
                       slot("guest_count", "value", type="integer"), slot("note", "value"),
                       slot("breakfast", "value", type="boolean", description="Whether breakfast is included.")),
         (rows("$", "bookings", BOOKING),), title="Book a room", kind="create", effects=MAKES),
    tool("cancel_booking", (slot("booking_id", "reference", "bookings.booking_id"),
                            slot("reason", "value", enum=["guest_request", "no_show"])),
         (rows("$", "bookings", BOOKING),), about="Cancel a booking. Only pending ones.", effects=WRITES),
    tool("update_booking", (slot("booking_id", "reference", "bookings.booking_id"), slot("note", "value"),
                            slot("guest_count", "value", type="integer")),
         (rows("$", "bookings", BOOKING),), effects=WRITES),
    tool("set_rate", (slot("room_id", "reference", "rooms.room_id"), slot("rate", "value", type="number")),
         (rows("$", "rooms", ROOM),), effects=Effects(updates={"rooms": ("nightly_rate",)})),
    tool("list_notes", (), (rows("$.notes[*]", "notes", NOTE),), about="List the notes.", kind="list"),
    tool("log_in", (slot("guest_id", "reference", "guests.guest_id"),), about="Log in a guest.", kind="session",
         effects=Effects(updates={"guests": ("points",)})),
    tool("toggle_lamp", title="Toggle the lamp", about="Turn the lamp of your room on or off.", side="user",
         effects=Effects(updates={"rooms": ("active",)})),
)  # fmt: skip


def catalogue(tools: tuple[ToolModel, ...] = TOOLS) -> Catalogue:
    provenance = Provenance(generator="test", docs_digest="")
    manifest = Manifest(name="inn", tables=TABLES, tools=tuple(t.record for t in tools), provenance=provenance)
    return Catalogue(manifest, {t.name: t for t in tools})


# Blueprints.


def u(name: str) -> UserValue:
    return UserValue(user=name)


def out(node: str, path: str = "$") -> Output:
    return Output(node=node, path=path)


def lit(value: Any) -> Literally:
    return Literally(literal=value)


def step(id: str, name: str, /, **given: Any) -> ToolStep:
    extra = {k: given.pop(k) for k in ("when", "attempt", "actor") if k in given}
    arguments: dict[str, Source] = given
    return ToolStep(id=id, tool=name, arguments=arguments, **extra)


def reason(id: str, operator: str, over: Source | None = None, **given: Any) -> Reasoning:
    return Reasoning(id=id, reason=operator, over=over, **given)


def draft(*nodes: Node, answers: tuple[Answer, ...] = (), wishes: Any = None, **known: Any) -> Draft:
    blueprint = Blueprint(nodes=nodes)
    return Draft(blueprint, known, answers, wishes=wishes or (tuple(n.id for n in nodes),))


def asked(name: str, source: Output, type: Any = "number") -> Answer:
    return Answer(name=name, type=type, value=0, source=source)
