"""A tool named by the verb of a documented state brings it about, from the state in which its text finds the row."""

from __future__ import annotations

import pytest

from tests.generator.rules.conftest import DATE, FLAG, INTEGER, TEXT, Open, about, one_of, record, tool

ZONE = record("*", zone_id=TEXT, name=TEXT, vents_open=FLAG, mode=one_of("auto", "manual"))


@pytest.mark.parametrize(
    ("noun", "name", "prose", "states", "reached"),
    [
        ("hearing", "vacate_hearing", "Vacates a hearing.", "set vacated held", "vacated"),
        ("unit", "discard_unit", "Discards a unit.", "kept discarded", "discarded"),
        ("hive", "declare_dead", "Declares a hive dead.", "alive dead", "dead"),
        ("rezeptur", "rezeptur_freigeben", "Gibt eine Rezeptur frei.", "offen freigegeben", "freigegeben"),
        ("rezeptur", "rezeptur_herstellen", "Stellt eine Rezeptur her.", "offen hergestellt", "hergestellt"),
        ("lote", "liberar_lote", "Libera un lote.", "retenido liberado", "liberado"),
        ("loan", "return_loan", "Takes a loan back.", "lent returned", "returned"),
    ],
)
def test_the_verb_of_a_documented_state_brings_it_about(
    world: Open, noun: str, name: str, prose: str, states: str, reached: str
) -> None:
    shape = record("*", **{f"{noun}_id": TEXT, "label": TEXT, "status": one_of(*states.split())})
    desk = world(
        [tool(f"get_{noun}", "", shape, **{f"{noun}_id": TEXT}), tool(name, prose, shape, **{f"{noun}_id": TEXT})]
    )
    (table,) = desk.tables
    row = desk.rows(table)[0][f"{noun}_id"]
    desk.put(table, {f"{noun}_id": row}, status=states.split()[0])
    assert desk.answer(name, **{f"{noun}_id": row})["status"] == reached


@pytest.mark.parametrize(
    ("name", "prose", "states"),
    [
        ("return_item", "Return the item's details.", "lent returned"),
        ("return_item", "Return a single item.", "lent returned"),
        ("return_item", "Item by id.", "lent returned"),
        ("open_item", "Opens an item.", "open closed"),
        ("review_item", "Displays an item.", "filed reviewed"),
        ("review_item", "Get the reviewed item.", "filed reviewed"),
        ("plan_item", "Gets a plan of an item.", "planned done"),
        ("dead_item", "Get a dead item.", "alive dead"),
        ("lost_item", "Details of a lost item.", "lost found"),
        ("vacate_item_preview", "Preview.", "set vacated"),
        ("vacate_item_room", "Vacates the room of an item.", "set vacated"),
        ("vacate_item", "Requests that a clerk vacate the item.", "set vacated"),
        ("vacate_item", "Returns why an item was vacated.", "set vacated"),
        ("vacate_item", "Whether an item can be vacated.", "set vacated"),
        ("lote_item", "Muestra un item liberado.", "retenido liberado"),
        ("declare_dead", "Lists why an item may be declared dead.", "alive dead"),
    ],
)
def test_a_name_that_tells_no_act_leaves_the_state(world: Open, name: str, prose: str, states: str) -> None:
    shape = record("*", item_id=TEXT, label=TEXT, status=one_of(*states.split()))
    desk = world([tool("get_item", "", shape, item_id=TEXT), tool(name, prose, shape, item_id=TEXT)])
    before = desk.rows("items")
    for row in before:
        desk.call(name, item_id=row["item_id"])
    assert [r["status"] for r in desk.rows("items")][: len(before)] == [r["status"] for r in before]


@pytest.mark.parametrize(
    ("name", "column", "value", "again"),
    [
        ("extend_item", "end_date", "2027-01-01", "2027-02-02"),
        ("edit_item", "label", "a", "b"),
        ("rate_item", "score", 3, 4),
        ("assign_item", "agent_id", "A1", "A2"),
    ],
)
def test_a_tool_that_is_given_what_it_changes_can_be_called_twice(
    world: Open, name: str, column: str, value: object, again: object
) -> None:
    verb = name.partition("_")[0]
    states = one_of("new", {"extend": "extended", "edit": "edited", "rate": "rated", "assign": "assigned"}[verb])
    kinds = {"end_date": DATE, "label": TEXT, "score": INTEGER, "agent_id": TEXT}
    shape = record("*", item_id=TEXT, status=states, **kinds)
    agent = tool("get_agent", "", record("*", agent_id=TEXT, name=TEXT), agent_id=TEXT)
    prose = f"{verb.capitalize()}s an item."
    desk = world(
        [
            tool("get_item", "", shape, item_id=TEXT),
            agent,
            tool(name, prose, shape, item_id=TEXT, **{column: kinds[column]}),
        ]
    )
    row, agents = desk.rows("items")[0]["item_id"], [a["agent_id"] for a in desk.rows("agents")]
    for number, given in enumerate((value, again)):
        wanted = agents[number] if column == "agent_id" else given
        assert desk.answer(name, item_id=row, **{column: wanted})[column] == wanted


def test_what_else_the_description_sets_is_set_too(world: Open) -> None:
    hive = record("*", hive_id=TEXT, state=one_of("alive", "dead"), strength=INTEGER)
    prose = "Declare a hive dead. Its strength drops to 0."
    desk = world([tool("get_hive", "", hive, hive_id=TEXT), tool("declare_dead", prose, hive_id=TEXT)])
    row = desk.rows("hives")[0]["hive_id"]
    desk.put("hives", {"hive_id": row}, state="alive", strength=7)
    desk.answer("declare_dead", hive_id=row)
    assert {(r["state"], r["strength"]) for r in desk.rows("hives") if r["hive_id"] == row} == {("dead", 0)}


@pytest.mark.parametrize(
    ("name", "prose", "open_after"),
    [
        ("open_vents", "Opens the vents of a zone.", True),
        ("open_vents", "Shows whether the vents of a zone are open.", False),
    ],
)
def test_a_flag_of_a_part_is_set_by_the_tool_of_its_name(world: Open, name: str, prose: str, open_after: bool) -> None:
    desk = world([tool("get_zone", "", ZONE, zone_id=TEXT), tool(name, prose, ZONE, zone_id=TEXT)])
    row = desk.rows("zones")[0]["zone_id"]
    desk.put("zones", {"zone_id": row}, vents_open=0)
    assert desk.answer(name, zone_id=row)["vents_open"] is open_after


def test_what_returns_information_goes_on_reading(world: Open) -> None:
    shape = record("*", loan_id=TEXT, status=one_of("lent", "returned"))
    desk = world([tool("return_loan", "Returns the loan with its status.", shape, loan_id=TEXT)])
    row = desk.rows("loans")[0]["loan_id"]
    before = desk.rows("loans")
    assert desk.answer("return_loan", loan_id=row)["loan_id"] == row
    assert desk.rows("loans") == before


@pytest.mark.parametrize(
    ("name", "prose", "wrong", "right"),
    [
        ("accept_filing", "Accept a pending filing.", "rejected", "pending"),
        ("accept_filing", "Accepts the pending filing of a party.", "rejected", "pending"),
        ("accept_filing", "Acepta un filing pending.", "rejected", "pending"),
        ("accept_filing", "Accept a filing. Only pending ones can be accepted.", "rejected", "pending"),
        ("accept_filing", "Accept a filing. Possible only for pending filings.", "rejected", "pending"),
    ],
)
def test_the_state_of_the_object_is_asked_for(world: Open, name: str, prose: str, wrong: str, right: str) -> None:
    shape = record("*", filing_id=TEXT, status=one_of("pending", "accepted", "rejected"))
    desk = world([tool("get_filing", "", shape, filing_id=TEXT), tool(name, prose, shape, filing_id=TEXT)])
    row = desk.rows("filings")[0]["filing_id"]
    desk.put("filings", {"filing_id": row}, status=wrong)
    assert desk.refusal(name, filing_id=row)
    desk.put("filings", {"filing_id": row}, status=right)
    assert desk.answer(name, filing_id=row)["status"] == "accepted"


@pytest.mark.parametrize(
    "prose",
    [
        "Cancels a confirmed booking, or a pending one.",
        "Cancels a confirmed booking even if it is paid.",
        "Cancels a confirmed booking. Works for bookings in any other status too.",
        "Cancels a confirmed booking regardless of payment.",
        "Cancels a confirmed booking fee.",
        "Cancels a confirmed booking. Has no effect on pending ones.",
        "Cancels a non-confirmed booking.",
        "Cancels the current booking.",
        "Cancels a new booking.",
        "Cancels an online booking.",
        "Cancels a booking.\n\nExample:\n    Cancels a confirmed booking.",
        "Cancels a confirmed booking?",
    ],
)
def test_no_state_is_asked_for_where_the_first_sentence_names_none(world: Open, prose: str) -> None:
    states = one_of("new", "current", "pending", "confirmed", "cancelled")
    shape = record("*", booking_id=TEXT, status=states, channel=one_of("online", "desk"))
    desk = world(
        [tool("get_booking", "", shape, booking_id=TEXT), tool("cancel_booking", prose, shape, booking_id=TEXT)]
    )
    row = desk.rows("bookings")[0]["booking_id"]
    for state in ("new", "current", "pending", "confirmed"):
        desk.put("bookings", {"booking_id": row}, status=state, channel="desk")
        assert desk.answer("cancel_booking", booking_id=row)["status"] == "cancelled"


@pytest.mark.parametrize("name", ["update_booking", "edit_booking"])
def test_a_plain_update_asks_for_no_state(world: Open, name: str) -> None:
    shape = record("*", booking_id=TEXT, status=one_of("open", "closed"), label=TEXT)
    prose = f"{name.partition('_')[0].capitalize()} an open booking."
    desk = world(
        [tool("get_booking", "", shape, booking_id=TEXT), tool(name, prose, shape, booking_id=TEXT, label=TEXT)]
    )
    row = desk.rows("bookings")[0]["booking_id"]
    desk.put("bookings", {"booking_id": row}, status="closed")
    assert desk.answer(name, booking_id=row, label="x")["label"] == "x"


def test_a_switch_that_is_told_what_to_switch_to_toggles_nothing_else(world: Open) -> None:
    mode = one_of("auto", "manual")
    desk = world([tool("switch_mode", "Switches a zone between modes.", ZONE, zone_id=TEXT, mode=mode)])
    row = desk.rows("zones")[0]
    desk.put("zones", {"zone_id": row["zone_id"]}, mode="manual", vents_open=0)
    answer = desk.answer("switch_mode", zone_id=row["zone_id"], mode="auto")
    assert (answer["mode"], answer["vents_open"]) == ("auto", False)


def test_a_new_date_is_held_against_the_stored_one(world: Open) -> None:
    shape = record("*", loan_id=TEXT, end_date=DATE)
    prose = "Extends a loan. The new date must be later than the current end date."
    new = about(DATE, "The new end date")
    desk = world(
        [tool("get_loan", "", shape, loan_id=TEXT), tool("extend_loan", prose, shape, loan_id=TEXT, new_end_date=new)]
    )
    row = desk.rows("loans")[0]["loan_id"]
    desk.put("loans", {"loan_id": row}, end_date="2026-05-05")
    assert desk.refusal("extend_loan", loan_id=row, new_end_date="2026-05-05")
    assert desk.answer("extend_loan", loan_id=row, new_end_date="2026-05-06")["end_date"] == "2026-05-06"
