"""What the values of a column look like, from its name in eight languages."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.meaning import MEANINGS, fits, label_of, meaning_of, split_name
from autoforge.generator.rules.meaning_words import NOUNS, WORDS

TEXT, INTEGER, REAL, DATE, DATETIME, JSON = (
    ColumnType(t) for t in ("text", "integer", "real", "date", "datetime", "json")
)


@pytest.mark.parametrize(
    ("name", "type", "expected"),
    [
        ("email", TEXT, "email"),
        ("customerEmail", TEXT, "email"),
        ("phone_number", TEXT, "phone"),
        ("customerName", TEXT, "person_name"),
        ("last-name", TEXT, "last_name"),
        ("createdBy", TEXT, "user_name"),
        ("billing_city", TEXT, "city"),
        ("zip", TEXT, "postcode"),
        ("unitPrice", REAL, "price"),
        ("total_price", REAL, "amount"),
        ("stock", INTEGER, "stock"),
        ("stock", TEXT, "stock_symbol"),
        ("dueDate", DATE, "date_future"),
        ("check_in_date", DATE, "date_future"),
        ("created_at", DATETIME, "datetime_past"),
        ("scheduled_at", DATETIME, "datetime_future"),
        ("paid_at", DATETIME, "datetime_past"),
        ("birthday", DATE, "birth_date"),
        ("lead_time_days", INTEGER, "duration_days"),
        ("reboot_count", INTEGER, "quantity"),
        ("battery_percent", INTEGER, "percentage"),
        ("poster_url", TEXT, "image_url"),
        ("airport_code", TEXT, "airport_code"),
        ("roomNumber", TEXT, "room_number"),
        ("payee_name", TEXT, "company"),
        ("file_name", TEXT, "file_name"),
        ("attendees", JSON, "person_name"),
        ("external_id", TEXT, "id"),
        ("zorp", TEXT, "label"),
        ("zorp", INTEGER, "integer"),
        ("zorp", REAL, "real"),
        ("cancellation_reason", TEXT, "reason"),
        ("fecha_nacimiento", DATE, "birth_date"),
        ("precio_unitario", REAL, "price"),
        ("correo", TEXT, "email"),
        ("teléfono", TEXT, "phone"),
        ("codigo_postal", TEXT, "postcode"),
        ("geburtsdatum", DATE, "birth_date"),
        ("Kundenname", TEXT, "person_name"),
        ("Straße", TEXT, "street"),
        ("lieferadresse", TEXT, "address"),
        ("prix_total", REAL, "amount"),
        ("quantité", INTEGER, "quantity"),
        ("prénom", TEXT, "first_name"),
        ("endereço", TEXT, "address"),
        ("sobrenome", TEXT, "last_name"),
        ("città", TEXT, "city"),
        ("cognome", TEXT, "last_name"),
        ("价格", REAL, "price"),
        ("客户姓名", TEXT, "person_name"),
        ("电子邮件", TEXT, "email"),
        ("電話番号", TEXT, "phone"),
        ("パスワード", TEXT, "password"),
    ],
)
def test_names_are_understood(name: str, type: ColumnType, expected: str) -> None:
    assert meaning_of(name, "", type) == expected


@pytest.mark.parametrize(
    ("entity", "expected"),
    [
        ("customer", "person_name"),
        ("product", "product_name"),
        ("movie", "movie_title"),
        ("hotel", "hotel_name"),
        ("task", "task_title"),
        ("supplier", "company"),
        ("cliente", "person_name"),
        ("libro", "book_title"),
        ("widget", "label"),
    ],
)
def test_a_name_is_read_with_the_thing_that_has_it(entity: str, expected: str) -> None:
    assert meaning_of("name", "", TEXT, entity=entity) == expected
    assert label_of(entity) == expected


def test_a_format_says_more_than_the_name() -> None:
    assert meaning_of("contact", "", TEXT, "email") == "email"
    assert meaning_of("owner", "", TEXT, "uuid") == "uuid"
    assert meaning_of("when", "", TEXT, "date-time") == "datetime_past"
    assert meaning_of("deadline", "", TEXT, "date") == "date_future"


def test_a_description_speaks_where_the_name_does_not() -> None:
    assert meaning_of("contact_1", "The email address of the owner.", TEXT) == "email"
    assert meaning_of("threshold", "Percentage change that triggers.", REAL) == "percentage"
    assert meaning_of("country", "ISO 3166-1 alpha-2", TEXT) == "country_code"


def test_a_state_is_a_province_unless_it_is_a_step_of_a_process() -> None:
    assert meaning_of("state", "", TEXT) == "state"
    assert meaning_of("state", "", TEXT, enum=("open", "closed")) == "status"
    assert meaning_of("state", "Whether it is pending or done.", TEXT) == "status"


def test_a_word_of_two_languages_is_settled_by_the_hint_and_the_type() -> None:
    assert meaning_of("land", "", TEXT, language="de") == "country"
    assert meaning_of("land", "", TEXT, language="en") != "country"
    assert meaning_of("nombre", "", INTEGER, language="fr") == "quantity"
    assert meaning_of("nombre", "", TEXT, language="es") == "label"


def test_an_example_in_a_description_does_not_count() -> None:
    assert meaning_of("value", "Something, e.g. an email address.", TEXT) == "label"


@given(
    st.text(max_size=20),
    st.text(max_size=40),
    st.sampled_from(list(ColumnType)),
    st.sampled_from([None, "email", "date", "time", "odd"]),
)
def test_any_name_has_a_meaning_that_its_type_can_hold(
    name: str, description: str, type: ColumnType, format: str | None
) -> None:
    meaning = meaning_of(name, description, type, format)
    assert meaning in MEANINGS
    assert fits(meaning, type) or (
        format in ("date", "date-time") and meaning.endswith(("past", "future", "birth_date"))
    )


@pytest.mark.parametrize("table", [WORDS, NOUNS])
def test_vocabulary_is_stored_as_names_are_split(table: dict[str, str]) -> None:
    phrases = [phrase for line in table.values() for phrase in line.split("|")]
    assert [p for p in phrases if " ".join(split_name(p)) != p] == []


def test_every_word_leads_to_a_documented_meaning() -> None:
    named: dict[str, Any] = {**WORDS, **NOUNS}
    assert [meaning for meaning in named if meaning not in MEANINGS] == []
