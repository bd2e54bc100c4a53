"""Refusals in everyday words, and near misses that must stay unread."""

from __future__ import annotations

import pytest

from autoforge.generator.rules.prose import clues_of, documented_states

LISTED = frozenset("issued confirmed boarding departed auto gesperrt abgegeben quarantine vents_open".split())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Issued units cannot be discarded.", ("status_not_in", "unit", "status", ("issued",))),
        ("Only units in quarantine can be released.", ("status_in", "unit", "status", ("quarantine",))),
        ("Possible only for confirmed bookings.", ("status_in", "booking", "status", ("confirmed",))),
        ("Refuses when the sailing has departed.", ("status_not_in", "sailing", "status", ("departed",))),
        ("This refuses when the sailing has departed.", ("status_not_in", "sailing", "status", ("departed",))),
        ("Moves a unit to a ward, which must be `open`.", ("status_in", "ward", "status", ("open",))),
        ("It is an error if the sailing has departed.", ("status_not_in", "sailing", "status", ("departed",))),
        ("The zone must be in mode `auto`.", ("status_in", "zone", "mode", ("auto",))),
        ("Abgegebene Rezepturen können nicht mehr storniert werden.",
         ("status_not_in", "rezepturen", "status", ("abgegeben",))),
        ("Ein bereits gesperrter Stoff kann nicht erneut gesperrt werden.",
         ("status_not_in", "stoff", "status", ("gesperrt",))),
        ("The start must lie in the future.", ("future", "", "start", ())),
        ("No borrower may have more than two loans at once.", ("limit", "loan", "borrower", (2,))),
        ("The name may not exist yet.", ("unique", "name", "", ())),
        ("The phone number must not be registered yet.", ("unique", "phone number", "", ())),
        ("Fails if no copy is available.", ("stock", "copy", "stock", ())),
    ],
)  # fmt: skip
def test_everyday_words_are_read(text: str, found: tuple[object, ...]) -> None:
    with documented_states(LISTED):
        assert found in [tuple(clue)[:4] for clue in clues_of(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The unit must be metric.",
        "Possible only in theory.",
        "The courier refuses parcels when it rains.",
        "The courier refuses when the sailing has departed.",
        "The sailing, which must be confirmed, is departed.",
        "No borrower is told twice.",
        "A copy is made if no copy was found before.",
        "If no copy is available, a hold is placed.",
        "Returns an empty list if no rooms are available.",
        "Lower seats cannot be booked.",
        "Newer phones cannot be returned.",
        "Only confirmed bookings are counted.",
        "Confirmed bookings are shown first.",
        "Possible only if supported by the device.",
        "The folder may not exist yet; it is created then.",
        "The user may not exist.",
        "The code must not be used twice.",
        "The number may not be used for marketing.",
        "The address may not be known.",
        "The email should not be used for spam.",
        "The title must not be used in headings.",
        "The username may already be taken.",
    ],
)
def test_near_misses_stay_unread(text: str) -> None:
    with documented_states(LISTED | {"metric", "low", "new"}):
        kinds = ("status_in", "status_not_in", "limit", "stock", "unique")
        assert [c for c in clues_of(text) if c.kind in kinds] == []
