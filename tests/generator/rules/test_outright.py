"""What the documentation says outright is what the tool does, whatever the verb in its name suggests."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import Constant, Update, walk_steps
from tests.generator.rules.conftest import FLAG, INTEGER, TEXT, Desk, Open, Schema, one_of, record, tool
from tests.generator.rules.no_acts import LEFT

PARCEL = record("parcel_id", parcel_id=INTEGER, code=TEXT, status=one_of("stored", "held", "returned", "sent"))
ORDER = record(
    "order_id",
    order_id=INTEGER,
    customer=TEXT,
    status=one_of("pending", "paid", "shipped", "cancelled"),
    priority=one_of("low", "normal", "high"),
    is_gift=FLAG,
)
MEMBER = record(
    "*",
    member_id=INTEGER,
    name=TEXT,
    standing=one_of("good", "warned", "expelled"),
    tier=one_of("basic", "silver", "gold"),
    active=FLAG,
    level=INTEGER,
)
LAMP = record("*", lamp_id=INTEGER, room=TEXT, is_on=FLAG, locked=FLAG, mode=one_of("day", "night", "party"))
HEATER = record("*", heater_id=INTEGER, room=TEXT, power=one_of("on", "off"))
PEDIDO = record(
    "*",
    pedido_id=INTEGER,
    cliente=TEXT,
    estado=one_of("recibido", "retenido", "enviado"),
    prioridad=one_of("baja", "alta"),
)
BESTELLUNG = record("*", bestellung_id=INTEGER, kunde=TEXT, status=one_of("offen", "versandt", "gesperrt", "bezahlt"))
COMMANDE = record("*", commande_id=INTEGER, client=TEXT, statut=one_of("ouverte", "retenue", "expédiée"))

SAID: list[tuple[Schema, str, str, str, Any]] = [
    (PARCEL, "hold_parcel", "Hold a parcel: its status becomes held.", "status", "held"),
    (PARCEL, "return_parcel", "Set the status of a parcel to returned.", "status", "returned"),
    (PARCEL, "stow_parcel", "Set the status of a parcel to stored.", "status", "stored"),
    (PARCEL, "send_parcel", "Send a parcel: its status becomes sent.", "status", "sent"),
    (PARCEL, "book_parcel", "Sets the status of the parcel to `held`.", "status", "held"),
    (PARCEL, "order_parcel", "Marks the parcel as sent.", "status", "sent"),
    (PARCEL, "check_parcel", "Changes the status of a parcel to held.", "status", "held"),
    (PARCEL, "list_parcel", "Moves a parcel's status to stored.", "status", "stored"),
    (PARCEL, "pass_parcel", "The parcel is then sent.", "status", "sent"),
    (PARCEL, "drop_parcel", "Puts the parcel into status returned.", "status", "returned"),
    (PARCEL, "lift_parcel", "Lift a parcel. Its status is set to stored.", "status", "stored"),
    (PARCEL, "open_parcel", "The status of the parcel becomes returned.", "status", "returned"),
    (PARCEL, "close_parcel", "Close a parcel; the parcel's status changes to sent.", "status", "sent"),
    (MEMBER, "expel_member", "Expel a member: the standing becomes expelled.", "standing", "expelled"),
    (MEMBER, "pass_member", "Set a member's tier to gold.", "tier", "gold"),
    (MEMBER, "drop_member", "Changes its tier to basic.", "tier", "basic"),
    (MEMBER, "check_member", "Sets the level of a member to 3.", "level", 3),
    (MEMBER, "return_member", "Sets active to true.", "active", True),
    (MEMBER, "book_member", "Sets `active` to `false`.", "active", False),
    (LAMP, "light_lamp", "Turns the lamp on.", "is_on", True),
    (LAMP, "douse_lamp", "Turns off the lamp.", "is_on", False),
    (LAMP, "send_lamp", "Puts the lamp into mode night.", "mode", "night"),
    (LAMP, "dance_lamp", "Puts a lamp in party mode.", "mode", "party"),
    (HEATER, "drop_heater", "Turns the power of a heater off.", "power", "off"),
    (PEDIDO, "retener_pedido", "Retiene un pedido: su estado pasa a ser retenido.", "estado", "retenido"),
    (PEDIDO, "enviar_pedido", "Cambia el estado del pedido a enviado.", "estado", "enviado"),
    (PEDIDO, "mostrar_pedido", "Pone el estado del pedido en recibido.", "estado", "recibido"),
    (PEDIDO, "apartar_pedido", "Marca el pedido como retenido.", "estado", "retenido"),
    (PEDIDO, "subir_pedido", "Su prioridad pasa a alta.", "prioridad", "alta"),
    (BESTELLUNG, "bestellung_senden", "Setzt den Status der Bestellung auf versandt.", "status", "versandt"),
    (BESTELLUNG, "bestellung_zeigen", "Markiert die Bestellung als bezahlt.", "status", "bezahlt"),
    (BESTELLUNG, "bestellung_lesen", "Die Bestellung ist danach gesperrt.", "status", "gesperrt"),
    (BESTELLUNG, "bestellung_buchen", "Ihr Status wird auf bezahlt gesetzt.", "status", "bezahlt"),
    (COMMANDE, "expedier_commande", "Expédie une commande : son statut devient expédiée.", "statut", "expédiée"),
]


def named(shape: Schema, name: str, prose: str) -> list[dict[str, Any]]:
    """A tool about one row, and one that reads it."""
    key = next(iter(shape["properties"]))
    return [
        tool(f"get_{key[:-3]}", f"Gets a {key[:-3]}.", shape, **{key: INTEGER}),
        tool(name, prose, shape, **{key: INTEGER}),
    ]


@pytest.mark.parametrize(("shape", "name", "prose", "column", "value"), SAID, ids=[s[1] for s in SAID])
def test_the_value_that_is_said_is_written(
    world: Open, shape: Schema, name: str, prose: str, column: str, value: Any
) -> None:
    desk = world(named(shape, name, prose))
    key = next(iter(shape["properties"]))
    table = next(iter(desk.tables))
    (row, *others) = desk.rows(table)
    unlike = not value if isinstance(value, bool) else 7
    if choices := shape["properties"][column].get("enum"):
        unlike = next(c for c in choices if c != value)
    desk.put(table, {key: row[key]}, **{column: unlike})
    assert desk.answer(name, **{key: row[key]})[column] == value
    assert desk.rows(table)[0] == {**row, column: value}
    assert desk.rows(table)[1:] == others


REFUSED: list[tuple[Schema, str, str, dict[str, Any], dict[str, Any]]] = [
    (PARCEL, "hold_parcel", "Its status becomes held. Fails if it is held already.",
     {"status": "held"}, {"status": "sent"}),
    (PARCEL, "order_parcel", "Marks the parcel as sent. Not for returned parcels.",
     {"status": "returned"}, {"status": "held"}),
    (PARCEL, "open_parcel", "Its status becomes stored. Only held ones can be opened.",
     {"status": "sent"}, {"status": "held"}),
    (PARCEL, "pass_parcel", "Marks a parcel as sent. Held parcels are refused.",
     {"status": "held"}, {"status": "stored"}),
    (MEMBER, "expel_member", "Its standing becomes expelled. Fails if the member is expelled already.",
     {"standing": "expelled"}, {"standing": "good"}),
    (MEMBER, "lift_member", "Sets the tier of a member to gold. Fails if the tier is gold already.",
     {"tier": "gold"}, {"tier": "basic"}),
    (LAMP, "guard_lamp", "Sets locked to true. Fails if it is locked already.", {"locked": True}, {"locked": False}),
    (HEATER, "drop_heater", "Turns a heater off. Fails if it is off already.", {"power": "off"}, {"power": "on"}),
    (PEDIDO, "enviar_pedido", "Cambia el estado del pedido a enviado. Solo para pedidos recibidos.",
     {"estado": "retenido"}, {"estado": "recibido"}),
    (BESTELLUNG, "bestellung_halten", "Setzt ihren Status auf gesperrt. Schlägt fehl, wenn sie bereits gesperrt ist.",
     {"status": "gesperrt"}, {"status": "offen"}),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "name", "prose", "wrong", "right"), REFUSED, ids=[r[1] for r in REFUSED])
def test_the_states_that_are_said_are_refused(
    world: Open, shape: Schema, name: str, prose: str, wrong: dict[str, Any], right: dict[str, Any]
) -> None:
    desk = world(named(shape, name, prose))
    key, table = next(iter(shape["properties"])), next(iter(desk.tables))
    row = desk.rows(table)[0][key]
    desk.put(table, {key: row}, **wrong)
    assert desk.refusal(name, **{key: row})
    desk.put(table, {key: row}, **right)
    assert not isinstance(desk.call(name, **{key: row}), str)


def test_nothing_is_refused_that_is_not_said(world: Open) -> None:
    desk = world(named(PARCEL, "return_parcel", "Set the status of a parcel to returned."))
    row = desk.rows("parcels")[0]["parcel_id"]
    assert [desk.answer("return_parcel", parcel_id=row)["status"] for _ in range(2)] == ["returned", "returned"]


def test_two_settings_in_one_sentence_are_both_written(world: Open) -> None:
    desk = world(named(MEMBER, "order_member", "Sets standing to warned and the tier to basic."))
    key = desk.rows("members")[0]["member_id"]
    desk.put("members", {"member_id": key}, standing="good", tier="gold")
    answer = desk.answer("order_member", member_id=key)
    assert (answer["standing"], answer["tier"]) == ("warned", "basic")


def test_a_route_with_an_unknown_word_does_what_its_prose_says(world: Open) -> None:
    shipment = record("*", shipment_id=TEXT, carrier=TEXT, status=one_of("planned", "loaded", "diverted"))
    body = {"200": {"description": "ok", "content": {"application/json": {"schema": shipment}}}}
    key = [{"name": "shipment_id", "in": "path", "required": True, "schema": TEXT}]
    prose = "Set the status of a shipment to diverted."
    paths = {
        "/shipments/{shipment_id}": {"get": {"summary": "Get a shipment", "parameters": key, "responses": body}},
        "/shipments/{shipment_id}/divert": {"post": {"description": prose, "parameters": key, "responses": body}},
    }
    desk = world({"openapi": "3.0.0", "info": {"title": "Shipping", "version": "1"}, "paths": paths})
    row = desk.rows("shipments")[0]["shipment_id"]
    desk.put("shipments", {"shipment_id": row}, status="planned")
    name = next(o.tool for o in desk.world.operations if "divert" in o.tool)
    assert desk.answer(name, shipment_id=row)["status"] == "diverted"


ABOUT = {"parcel": PARCEL, "order": ORDER, "pedido": PEDIDO, "bestellung": BESTELLUNG, "commande": COMMANDE}


def shape_for(name: str) -> Schema:
    return next(shape for noun, shape in ABOUT.items() if noun in name)


def written(desk: Desk, name: str) -> list[tuple[str, Any]]:
    """The constants that a tool writes."""
    steps = walk_steps(tuple(desk.operation(name).steps))
    pairs = [pair for step in steps if isinstance(step, Update) for pair in step.values]
    return sorted((column, value.value) for column, value in pairs if isinstance(value, Constant))


@pytest.mark.parametrize(("name", "prose"), [(name, prose) for name, all_of in LEFT.items() for prose in all_of])
def test_what_is_no_act_of_the_tool_leaves_it_as_its_verb_has_it(world: Open, name: str, prose: str) -> None:
    assert written(world(named(shape_for(name), name, prose)), name) == []


@pytest.mark.parametrize(
    "besides",
    [
        "Nothing is charged; pay_order marks the order as paid.",
        "To pay, set the status to paid.",
        "In case it is a gift, sets the status to paid.",
        "Doesn't mark the order as paid.",
        "The clerk sets its status to paid.",
        "\n\nExample:\n    >>> cancel_order(1)\n    Status becomes paid.",
        "\n\nReturns:\n    dict: The order. The status becomes paid.",
    ],
)
def test_another_state_is_not_taken_for_the_verbs_own(world: Open, besides: str) -> None:
    desk = world(named(ORDER, "cancel_order", f"Cancels an order. {besides}"))
    assert written(desk, "cancel_order") == [("status", "cancelled")]


@pytest.mark.parametrize(
    "prose",
    [
        "Changes the status of a parcel from held to sent.",
        "Cambia el estado de held a sent.",
        "Sets its status to sent from held.",
        "Packs the parcel, stamps it and sets its status to sent.",
        "Hold a parcel by setting its status to sent, notifying the sender.",
        "Sets the status to sent and emails the sender.",
        "Sets the status to sent; use get_parcel to see it.",
        "Use this tool to set the status of a parcel to sent.",
        "Allows you to set the status of a parcel to sent.",
        "Stow a parcel. This tool does the following:\n- sets its status to sent",
        "This tool also sets the status to sent until it returns.",
        "stow_parcel sets the status to sent.",
        "Args:\n    parcel_id: The parcel.\n\nSets its status to sent.",
    ],
)
def test_what_else_a_sentence_says_does_not_hide_the_value(world: Open, prose: str) -> None:
    assert written(world(named(PARCEL, "stow_parcel", prose)), "stow_parcel") == [("status", "sent")]


@pytest.mark.parametrize("rule", ["Discounts for paid orders only.", "The carrier does not work on cancelled orders."])
def test_a_rule_about_something_else_refuses_nothing(world: Open, rule: str) -> None:
    desk = world(named(ORDER, "bump_order", f"Sets the priority to high. {rule}"))
    key = {"order_id": desk.rows("orders")[0]["order_id"]}
    for status in ("pending", "cancelled"):
        desk.put("orders", key, status=status, priority="low")
        assert desk.answer("bump_order", **key)["priority"] == "high"


@pytest.mark.parametrize("rule", ["For paid orders only.", "This does not work on pending orders."])
def test_a_rule_about_the_tool_refuses(world: Open, rule: str) -> None:
    desk = world(named(ORDER, "bump_order", f"Sets the priority to high. {rule}"))
    key = {"order_id": desk.rows("orders")[0]["order_id"]}
    desk.put("orders", key, status="pending")
    assert desk.refusal("bump_order", **key)


def test_a_tool_that_creates_goes_on_creating(world: Open) -> None:
    desk = world(
        [
            tool("get_parcel", "Gets a parcel.", PARCEL, parcel_id=INTEGER),
            tool("create_parcel", "Creates a parcel; its status becomes stored.", PARCEL, code=TEXT),
        ]
    )
    assert desk.answer("create_parcel", code="A1")["status"] == "stored"


def test_a_tool_that_says_it_sets_a_column_and_cannot_is_weak(world: Open) -> None:
    lamp = record("*", lamp_id=INTEGER, area=TEXT, power=one_of("on", "off"))
    desk = world(
        [
            tool("get_lamp", "Gets a lamp.", lamp, lamp_id=INTEGER),
            tool("douse_lamps", "Turns the lamps off.", None, area=TEXT),
        ]
    )
    assert desk.weak() == ["douse_lamps"]
    assert "power" in desk.operation("douse_lamps").guesses[-1]
