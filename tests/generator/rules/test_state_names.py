"""A tool named by the verb of a documented state brings it about, from the state in which its text finds the row."""

from __future__ import annotations

import pytest

from tests.generator.rules.conftest import DATE, FLAG, TEXT, Open, about, one_of, record, tool

ZONE = record("*", zone_id=TEXT, name=TEXT, vents_open=FLAG, mode=one_of("auto", "manual"))


@pytest.mark.parametrize(
    ("name", "prose", "states", "reached"),
    [
        ("vacate_hearing", "Vacates a hearing.", "set vacated held", "vacated"),
        ("discard_unit", "Discards a unit.", "kept discarded", "discarded"),
        ("declare_dead", "Declares a hive dead.", "alive dead", "dead"),
        ("rezeptur_freigeben", "Gibt eine Rezeptur frei.", "offen freigegeben", "freigegeben"),
        ("rezeptur_herstellen", "Stellt eine Rezeptur her.", "offen hergestellt", "hergestellt"),
        ("liberar_lote", "Libera un lote.", "retenido liberado", "liberado"),
        ("return_loan", "Takes a loan back.", "lent returned", "returned"),
    ],
)
def test_the_verb_of_a_documented_state_brings_it_about(
    world: Open, name: str, prose: str, states: str, reached: str
) -> None:
    noun = {"declare_dead": "hive"}.get(name, next(w for w in name.split("_") if w in prose.lower().split(" ")[-1]
            or w in prose.lower().rstrip(".").split()))  # fmt: skip
    shape = record("*", **{f"{noun}_id": TEXT, "label": TEXT, "status": one_of(*states.split())})
    desk = world(
        [tool(f"get_{noun}", "", shape, **{f"{noun}_id": TEXT}), tool(name, prose, shape, **{f"{noun}_id": TEXT})]
    )
    (table,) = desk.tables
    row = desk.rows(table)[0][f"{noun}_id"]
    desk.put(table, {f"{noun}_id": row}, status=states.split()[0])
    assert desk.answer(name, **{f"{noun}_id": row})["status"] == reached


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
