"""Values in prose: ranges, closed lists, formats, defaults and the fields of results."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.rules.prose import (
    MISSING,
    default_in_prose,
    enum_in_prose,
    format_in_prose,
    range_in_prose,
    response_fields,
)

_ABOVE_ZERO = math.nextafter(0.0, math.inf)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Priority of the ticket, from 1 to 5. Defaults to 1. 5 is the highest priority.", (1, 5)),
        ("A number between 0 and 100.", (0, 100)),
        ("Percentage (0-100)", (0, 100)),
        ("Rating in [1, 5]", (1, 5)),
        ("At least 1.", (1, None)),
        ("Number of nights, minimum 2", (2, None)),
        ("Maximum 50", (None, 50)),
        ("The default is 20 (max allowed: 100).", (None, 100)),
        ("Up to 10", (None, 10)),
        ("At most 3", (None, 3)),
        (">= 0", (0, None)),
        ("Must be >= 1 and <= 99.5", (1, 99.5)),
        ("18 or older, i.e. 18 or more", (18, None)),
        ("Must be positive.", (_ABOVE_ZERO, None)),
        ("A positive integer", (_ABOVE_ZERO, None)),
        ("Amount in EUR, greater than 0.", (_ABOVE_ZERO, None)),
        ("Less than 10", (None, math.nextafter(10.0, -math.inf))),
        ("Non-negative count", (0, None)),
        ("Cannot be negative.", (0, None)),
        ("Cannot be less than 5.", (5, None)),
        ("Must not exceed 1,000 units", (None, 1000)),
        ("Page number, starting at 1.", (1, None)),
        ("The index of the item (0-based)", (0, None)),
        ("Temperature from -20 to 40", (-20, 40)),
        ("Entre 1 y 30 noches", (1, 30)),
        ("De 1 a 5", (1, 5)),
        ("Como máximo 3, al menos 1", (1, 3)),
        ("Mayor que 0", (_ABOVE_ZERO, None)),
        ("Zwischen 1 und 10", (1, 10)),
        ("Mindestens 1, höchstens 5", (1, 5)),
        ("Entre 0 et 20", (0, 20)),
        ("Au moins 1, au plus 4", (1, 4)),
        ("No máximo 7", (None, 7)),
        ("Almeno 2", (2, None)),
    ],
)
def test_a_range_is_read(text: str, expected: tuple[float | None, float | None]) -> None:
    assert range_in_prose(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Number of units.",
        "At most 140 characters.",
        "Files up to 5 MB",
        "Delivery takes between 3 and 5 business days",
        "Standard shipping takes from 3 to 5 days",
        "Date like 2016-12-01",
        "Only transactions of at least this amount.",
        "Highest price in USD.",
        "Amount, e.g. between 1 and 5",
        "ISO 3166-1 alpha-2",
        "Opens from 9:00 to 17:00",
        "Units to add (positive) or to take away (negative).",
        "At least one of them must be given",
        "Version 2.0.1 or later",
        "",
    ],
)
def test_a_near_miss_is_no_range(text: str) -> None:
    assert range_in_prose(text) == (None, None)


@given(st.integers(-1000, 1000), st.integers(1, 1000))
def test_both_bounds_of_any_range_are_read(low: int, width: int) -> None:
    assert range_in_prose(f"A value between {low} and {low + width}.") == (low, low + width)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pending, confirmed, cancelled", ("pending", "confirmed", "cancelled")),
        ("One of: a, b or c", ("a", "b", "c")),
        ("Type of trip, one of round_trip, one_way", ("round_trip", "one_way")),
        ("Either 'x' or 'y'", ("x", "y")),
        ('Status of the task. This is either "needsAction" or "completed".', ("needsAction", "completed")),
        ("Priority (low, medium, high)", ("low", "medium", "high")),
        ("Type of the order (Buy/Sell).", ("Buy", "Sell")),
        ("Sort direction: asc|desc", ("asc", "desc")),
        ("Must be economy, business, or first.", ("economy", "business", "first")),
        ("Sort order: 'asc' for ascending or 'desc' for descending. Possible values: 'asc', 'desc'", ("asc", "desc")),
        ('Current status of the order. [Enum]: ["Open", "Pending", "Completed"]', ("Open", "Pending", "Completed")),
        ("Service Name: correo_argentino, oca, andreani", ("correo_argentino", "oca", "andreani")),
        ("Valid values are small, medium and large.", ("small", "medium", "large")),
        ("Uno de: nuevo, usado o reparado", ("nuevo", "usado", "reparado")),
        ("Valores posibles: alta, media, baja", ("alta", "media", "baja")),
        ("Mögliche Werte: klein, mittel, groß", ("klein", "mittel", "groß")),
        ("Valeurs possibles : petit, moyen, grand", ("petit", "moyen", "grand")),
        ("Valores possíveis: aberto, fechado", ("aberto", "fechado")),
        ("Uno tra: basso, medio, alto", ("basso", "medio", "alto")),
        ("`low`, `medium` or `high`", ("low", "medium", "high")),
    ],
)
def test_a_closed_list_is_read_in_order(text: str, expected: tuple[str, ...]) -> None:
    assert enum_in_prose(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Edits an existing category (name and position).",
        "Estimated completion time (ISO timestamp or duration)",
        "The sector (e.g., 'Technology', 'Health', 'Energy').",
        "Tags such as red, green or blue",
        "Any description, including genre, title words, attributes, etc.",
        'Default folders are "inbox", "drafts", but users can search custom folders as well.',
        "The city and state",
        "Name, email and phone number of the customer",
        "Fields: id, name, email",
        "Comma-separated list of ids",
        "Must be a valid email address",
        "Must be unique, short and lower case letters only",
        "Sets the 'date' (string, e.g., YYYY-MM-DD)",
        "True or false",
        "Date and time",
        "Use and/or",
        "",
    ],
)
def test_an_open_list_or_plain_prose_is_no_enumeration(text: str) -> None:
    assert enum_in_prose(text) == ()


@given(st.lists(st.from_regex(r"[a-z]{4,10}_[a-z]{2,8}", fullmatch=True), min_size=2, max_size=6, unique=True))
def test_any_quoted_choice_is_read_as_written(values: list[str]) -> None:
    assert enum_in_prose("One of: " + ", ".join(f'"{v}"' for v in values)) == tuple(values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("First day, YYYY-MM-DD.", "date"),
        ("Fecha de nacimiento (AAAA-MM-DD).", "date"),
        ("Datum im Format JJJJ-MM-TT", "date"),
        ("Start in the format YYYY-MM-DDTHH:MM:SS±hh:mm", "date-time"),
        ("Formatted as 'YYYY-MM-DD HH:MM:SS'.", "date-time"),
        ("ISO 8601 timestamp", "date-time"),
        ("Due date (as a RFC 3339 timestamp).", "date-time"),
        ("ISO 8601 date", "date"),
        ("Opening time, HH:MM", "time"),
        ("Exact email address of the guest.", "email"),
        ("Correo electrónico exacto.", "email"),
        ("E-Mail-Adresse des Kunden", "email"),
        ("Email of the customer.", "email"),
        ("URL of the page", "uri"),
        ("UUID of the device", "uuid"),
    ],
)
def test_a_format_is_read(text: str, expected: str) -> None:
    assert format_in_prose(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The unique ID of the email message",
        "The list of email addresses",
        "Email body",
        "URL or file path of the resource",
        "Estimated completion time (ISO timestamp or duration)",
        "Current time in HH:MM AM/PM format.",
        "ISO 3166-1 alpha-2",
        "DD/MM/YYYY",
        "The date",
    ],
)
def test_a_near_miss_is_no_format(text: str) -> None:
    assert format_in_prose(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Defaults to 10.", 10),
        ("Priority, from 1 to 5. Defaults to 1. 5 is the highest priority.", 1),
        ("Sort direction. Defaults to desc.", "desc"),
        ("Defaults to an empty string.", ""),
        ("The default is False.", False),
        ("Optional. The default is 20 (max allowed: 100).", 20),
        ("Page size (default: 25)", 25),
        ("Rate (default 0.5)", 0.5),
        ('Default: "USD"', "USD"),
        ("Default is None", None),
        ("'asc' (default) or 'desc'", "asc"),
        ("Por defecto 14.", 14),
        ("Standardwert: 5", 5),
        ("Par défaut : 3", 3),
        ("Padrão: 7", 7),
        ("Predefinito: 2", 2),
    ],
)
def test_a_literal_default_is_read(text: str, expected: Any) -> None:
    value = default_in_prose(text)
    assert value == expected and type(value) is type(expected)


@pytest.mark.parametrize(
    "text",
    [
        "Defaults to today.",
        "Defaults to the current user.",
        "The default is not to filter by date.",
        "Default folders are used.",
        "Defaults to all.",
        "Number of units.",
        "The default budget",
        "Returned by default.",
    ],
)
def test_a_computed_or_missing_default_is_missing(text: str) -> None:
    assert default_in_prose(text) is MISSING


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Returns the order ID, product name, quantity, price, and order status.",
            ("order_id", "product_name", "quantity", "price", "order_status"),
        ),
        (
            "Retrieves a customer. Returns the customer's name, email, and phone number.",
            ("name", "email", "phone_number"),
        ),
        (
            "Returns for each product its product_id, name and status, together with the number of all matches.",
            ("product_id", "name", "status"),
        ),
        ("Returns the new product with its product_id.", ("product_id",)),
        ("Devuelve de cada socio id_socio, nombre y correo.", ("id_socio", "nombre", "correo")),
        (
            "Each entry has a product_id, a location_id and the quantity on hand.",
            ("product_id", "location_id", "quantity_on_hand"),
        ),
        (
            "Get one order with its customer, items (product_id, quantity) and shipment_ids.",
            ("customer", "items", "shipment_ids"),
        ),
    ],
)
def test_named_fields_of_a_result_are_read(text: str, expected: tuple[str, ...]) -> None:
    assert response_fields(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Returns the sum of two numbers.",
        "Returns a confirmation message if the cancellation is successful.",
        "Returns the order.",
        "Returns the guests that match all given filters, sorted and paged.",
        "Returns up to ten resource links.",
        "Returns either the compressed data as a resource or a link, depending on the type.",
        "Deletes a task.",
        "Returns a summary of the checklist with completion status.",
    ],
)
def test_a_result_without_named_fields_gives_none(text: str) -> None:
    assert response_fields(text) == ()
