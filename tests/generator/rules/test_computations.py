"""Tools that compute: the value is right, every parameter counts, and what has no result is refused with a sentence."""

from __future__ import annotations

import math
from typing import Any

import pytest

from autoforge.generator.ir import OperationKind
from autoforge.generator.rules.computations import computes_alone
from autoforge.generator.rules.reading import read_tools
from tests.generator.rules.conftest import (
    INTEGER,
    NUMBER,
    TEXT,
    Desk,
    Open,
    Schema,
    about,
    listing,
    maybe,
    one_of,
    read,
    record,
    tool,
)

NUMBERS = listing(NUMBER)
DAY = about(TEXT, "Date, YYYY-MM-DD")
PRICES = "Standard is free, instant costs 1.50 EUR."
HUGE = 1.7976931348623157e308


def result(desk: Desk, name: str, **arguments: Any) -> Any:
    """The one value of a tool that documents no output."""
    return desk.answer(name, **arguments)["result"]


def alone(document: dict[str, Any]) -> bool:
    """Whether the rules take a tool for a computation on its parameters."""
    return computes_alone(read_tools(read([document]))[0])


def computed(world: Open, name: str, parameters: dict[str, Schema], description: str = "") -> Desk:
    """A world of one tool, which the compiler takes for a computation that uses every parameter."""
    desk = world([tool(name, description or name.replace("_", " "), record("*", result=NUMBER), **parameters)])
    assert desk.operation(name).kind is OperationKind.COMPUTE
    return desk


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("divide", {"a": 7, "b": 2}, 3.5),
        ("subtract", {"a": 5, "b": 7}, -2),
        ("power", {"base": 2, "exponent": 10}, 1024),
        ("power", {"exponent": 10, "base": 2}, 1024),
        ("logarithm", {"value": 8, "base": 2}, 3),
        ("modulo", {"dividend": 17, "divisor": 5}, 2),
        ("square_root", {"number": 81}, 9),
        ("absolute_value", {"number": -2.5}, 2.5),
        ("factorial", {"n": 6}, 720),
        ("gcd", {"a": 12, "b": 18}, 6),
        ("lcm", {"a": 4, "b": 6}, 12),
        ("percentage", {"part": 3, "whole": 8}, 37.5),
        ("calculate_percentage", {"percent": 20, "number": 50}, 10),
        ("percentage_change", {"old_value": 50, "new_value": 60}, 20),
        ("raiz_cuadrada", {"numero": 16}, 4),
        ("dividir", {"dividendo": 9, "divisor": 2}, 4.5),
        ("calculate_area_of_circle", {"radius": 2}, 4 * math.pi),
    ],
)
def test_a_function_is_known_by_its_name(world: Open, name: str, arguments: dict[str, float], value: float) -> None:
    desk = computed(world, name, {n: NUMBER for n in arguments})
    assert result(desk, name, **arguments) == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mean", 5),
        ("median", 4.5),
        ("sum_values", 40),
        ("max_value", 9),
        ("min_value", 2),
        ("standard_deviation", 2),
        ("variance", 4),
        ("mode", 4),
        ("range", 7),
        ("product", 201600),
    ],
)
def test_a_function_of_a_list(world: Open, name: str, value: float) -> None:
    desk = computed(world, name, {"numbers": NUMBERS})
    assert result(desk, name, numbers=[2, 4, 4, 4, 5, 5, 7, 9]) == pytest.approx(value)


def test_a_sample_has_its_own_deviation(world: Open) -> None:
    desk = computed(world, "std_dev", {"values": NUMBERS}, "Sample standard deviation of the values.")
    assert result(desk, "std_dev", values=[1, 3]) == pytest.approx(math.sqrt(2))


@pytest.mark.parametrize("name", ["mean", "median", "max_value", "standard_deviation"])
def test_an_empty_list_is_refused(world: Open, name: str) -> None:
    assert "empty" in computed(world, name, {"numbers": NUMBERS}).refusal(name, numbers=[])


@pytest.mark.parametrize(
    ("name", "arguments", "word"),
    [
        ("divide", {"a": 1, "b": 0}, "zero"),
        ("percentage", {"part": 1, "whole": 0}, "whole of 0"),
        ("logarithm", {"value": -1, "base": 10}, "logarithm"),
        ("logarithm", {"value": 2, "base": 1}, "base"),
        ("square_root", {"number": -4}, "square root"),
        ("power", {"base": 10, "exponent": 999}, "out of range"),
        ("multiply", {"a": HUGE, "b": 2}, "out of range"),
        ("absolute_value", {"number": HUGE}, "out of range"),
        ("factorial", {"n": -1}, "factorial"),
    ],
)
def test_what_has_no_result_is_refused(world: Open, name: str, arguments: dict[str, float], word: str) -> None:
    assert word in computed(world, name, {n: NUMBER for n in arguments}).refusal(name, **arguments)


def test_decimals_round_the_result(world: Open) -> None:
    desk = computed(world, "logarithm", {"value": NUMBER, "base": NUMBER, "precision": INTEGER})
    assert result(desk, "logarithm", value=2, base=10, precision=3) == 0.301
    assert result(desk, "logarithm", value=2, base=10, precision=1) == 0.3


def test_decimals_that_are_not_given_leave_the_result_exact(world: Open) -> None:
    desk = computed(world, "divide", {"a": NUMBER, "b": NUMBER, "decimals": maybe(INTEGER)})
    assert result(desk, "divide", a=1, b=3) == 0.3333333333
    assert result(desk, "divide", a=1, b=3, decimals=2) == 0.33


def test_rounding_is_to_the_places_that_are_asked_for(world: Open) -> None:
    desk = computed(world, "round_number", {"number": NUMBER, "decimal_places": {**INTEGER, "default": 0}})
    assert result(desk, "round_number", number=2.718, decimal_places=1) == 2.7
    assert result(desk, "round_number", number=2.718) == 3


def test_a_calculator_reads_an_expression(world: Open) -> None:
    desk = computed(world, "calculate", {"expression": TEXT}, "Evaluate a mathematical expression.")
    assert result(desk, "calculate", expression="(1 + 2) * 3 - sqrt(16) / 2") == 7
    assert "not defined" in desk.refusal("calculate", expression="1 / 0")
    assert "not defined" in desk.refusal("calculate", expression="__import__('os')")


def test_a_calculator_is_told_its_operation(world: Open) -> None:
    operation = one_of("add", "subtract", "multiply", "divide")
    desk = computed(world, "calculate", {"operation": operation, "a": NUMBER, "b": NUMBER})
    assert [result(desk, "calculate", operation=o, a=6, b=3) for o in operation["enum"]] == [9, 3, 18, 2]
    assert "zero" in desk.refusal("calculate", operation="divide", a=1, b=0)


def test_an_operation_that_only_prose_lists_is_refused_when_unknown(world: Open) -> None:
    parameters = {"operator": about(TEXT, "One of: add, subtract."), "x": NUMBER, "y": NUMBER}
    desk = computed(world, "arithmetic", parameters)
    assert result(desk, "arithmetic", operator="ADD", x=1, y=2) == 3
    assert "one of add, subtract" in desk.refusal("arithmetic", operator="divide", x=1, y=2)


def test_dates_are_counted_and_moved(world: Open) -> None:
    desk = world(
        [
            tool("days_between", "Days between two dates.", record("*", days=INTEGER), start_date=DAY, end_date=DAY),
            tool("add_days", "Adds days to a date.", None, date=DAY, days=INTEGER),
            tool(
                "add_to_date",
                "Adds time to a date.",
                None,
                date=DAY,
                amount=INTEGER,
                unit=one_of("days", "months", "years"),
            ),
            tool("calculate_age", "Age of a person.", record("*", age=INTEGER), birth_date=DAY),
            tool("get_day_of_week", "Weekday of a date.", None, date=DAY),
        ]
    )
    assert desk.answer("days_between", start_date="2026-02-27", end_date="2026-03-01") == {"days": 2}
    assert result(desk, "add_days", date="2026-02-27", days=2) == "2026-03-01"
    assert result(desk, "add_to_date", date="2024-02-29", amount=1, unit="years") == "2025-02-28"
    assert desk.answer("calculate_age", birth_date="2000-03-03") == {"age": 25}
    assert result(desk, "get_day_of_week", date="2026-03-02") == "Monday"
    assert "no date" in desk.refusal("add_days", date="soon", days=1)
    assert "future" in desk.refusal("calculate_age", birth_date="2030-01-01")


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("word_count", {"text": "one two  three"}, 3),
        ("slugify", {"text": "Ünder Construction!"}, "under-construction"),
        ("base64_encode", {"text": "héllo"}, "aMOpbGxv"),
        ("base64_decode", {"encoded": "aMOpbGxv"}, "héllo"),
        ("reverse_string", {"text": "abc"}, "cba"),
        ("is_palindrome", {"text": "A man, a plan, a canal: Panama"}, True),
        ("replace_text", {"text": "a-b", "search": "-", "replacement": "+"}, "a+b"),
        ("count_occurrences", {"text": "banana", "substring": "an"}, 2),
        ("regex_match", {"text": "AB-12", "pattern": "[0-9]+"}, True),
    ],
)
def test_texts_are_counted_and_rewritten(world: Open, name: str, arguments: dict[str, str], value: Any) -> None:
    desk = world([tool(name, name.replace("_", " "), None, **{n: TEXT for n in arguments})])
    assert result(desk, name, **arguments) == value


def test_a_hash_is_that_of_the_algorithm(world: Open) -> None:
    desk = world([tool("hash_text", "Hashes a text.", None, text=TEXT, algorithm=about(TEXT, "Such as md5 or sha256"))])
    assert result(desk, "hash_text", text="a", algorithm="md5") == "0cc175b9c0f1b6a831c399e269772661"
    assert "not known" in desk.refusal("hash_text", text="a", algorithm="rot13")


def test_a_loan_is_paid_back_in_equal_parts(world: Open) -> None:
    output = record("*", monthly_payment=NUMBER, total_payment=NUMBER, total_interest=NUMBER)
    desk = world(
        [
            tool(
                "calculate_loan_payment",
                "Payment of a loan.",
                output,
                principal=NUMBER,
                annual_rate=NUMBER,
                years=INTEGER,
            )
        ]
    )
    paid = desk.answer("calculate_loan_payment", principal=200_000, annual_rate=6, years=30)
    assert paid == {"monthly_payment": 1199.1, "total_payment": 431676.0, "total_interest": 231676.0}
    assert desk.answer("calculate_loan_payment", principal=1200, annual_rate=0, years=1)["monthly_payment"] == 100
    assert "more than 0" in desk.refusal("calculate_loan_payment", principal=0, annual_rate=6, years=30)


def test_a_tip_is_shared(world: Open) -> None:
    output = record("*", tip=NUMBER, total=NUMBER, per_person=NUMBER)
    desk = world(
        [
            tool(
                "calculate_tip",
                "Tip for a bill.",
                output,
                bill_amount=NUMBER,
                tip_percentage=NUMBER,
                num_people=maybe(INTEGER),
            )
        ]
    )
    assert desk.answer("calculate_tip", bill_amount=80, tip_percentage=15, num_people=4) == {
        "tip": 12,
        "total": 92,
        "per_person": 23,
    }
    assert desk.answer("calculate_tip", bill_amount=80, tip_percentage=15)["per_person"] == 92
    assert "at least 1" in desk.refusal("calculate_tip", bill_amount=80, tip_percentage=15, num_people=0)


def test_body_mass_takes_the_units_of_its_parameters(world: Open) -> None:
    output = record("*", bmi=NUMBER, category=TEXT)
    metric = world([tool("calculate_bmi", "Body mass index.", output, weight_kg=NUMBER, height_cm=NUMBER)])
    assert metric.answer("calculate_bmi", weight_kg=70, height_cm=175) == {"bmi": 22.86, "category": "Normal weight"}
    customary = world(
        [
            tool(
                "calculate_bmi",
                "Body mass index.",
                output,
                weight=about(NUMBER, "In pounds"),
                height=about(NUMBER, "In inches"),
            )
        ]
    )
    assert customary.answer("calculate_bmi", weight=154.324, height=68.8976)["bmi"] == pytest.approx(22.86, abs=0.01)


def test_a_body_mass_without_units_is_not_guessed() -> None:
    assert not alone(tool("calculate_bmi", "Body mass index.", None, weight=NUMBER, height=NUMBER))
    assert alone(tool("calculate_bmi", "Body mass index.", None, weight_kg=NUMBER, height_m=NUMBER))


def test_coordinates_have_a_distance(world: Open) -> None:
    desk = computed(world, "calculate_distance", {"lat1": NUMBER, "lon1": NUMBER, "lat2": NUMBER, "lon2": NUMBER})
    assert result(desk, "calculate_distance", lat1=52.52, lon1=13.405, lat2=48.8566, lon2=2.3522) == pytest.approx(
        877.5, abs=1
    )
    assert "latitude" in desk.refusal("calculate_distance", lat1=91, lon1=0, lat2=0, lon2=0)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("add_points", {"customer_id": TEXT, "points": INTEGER}),
        ("add_event", {"date": DAY, "duration_minutes": INTEGER}),
        ("find_flights_between", {"start_date": DAY, "end_date": DAY}),
        ("log_weight", {"weight": NUMBER}),
        ("total", {"price": NUMBER, "quantity": NUMBER}),
        ("register_loan", {"amount": NUMBER, "rate": NUMBER, "years": NUMBER}),
        ("get_title", {"text": TEXT}),
    ],
)
def test_a_tool_about_things_is_no_computation(world: Open, name: str, parameters: dict[str, Schema]) -> None:
    desk = world([tool(name, f"{name.replace('_', ' ').capitalize()}.", None, **parameters)])
    assert desk.operation(name).kind is not OperationKind.COMPUTE


# --- tables of the world ---------------------------------------------------------------------------------------------


def money(world: Open) -> Desk:
    output = record("*", amount=NUMBER, rate=NUMBER, converted_amount=NUMBER)
    return world(
        [
            tool(
                "convert_currency",
                "Converts an amount of money.",
                output,
                amount=NUMBER,
                from_currency=about(TEXT, "ISO code"),
                to_currency=about(TEXT, "ISO code"),
            )
        ]
    )


def test_money_is_converted_by_rates_of_the_state(world: Open) -> None:
    desk = money(world)
    desk.put("exchange_rates", {"currency": "EUR"}, units_per_usd=0.8)
    desk.put("exchange_rates", {"currency": "GBP"}, units_per_usd=0.6)
    answer = desk.answer("convert_currency", amount=10, from_currency="EUR", to_currency="gbp")
    assert answer == {"amount": 10, "rate": 0.75, "converted_amount": 7.5}


def test_rates_of_the_seed_are_those_of_the_currencies(world: Open) -> None:
    rates = {r["currency"]: r["units_per_usd"] for r in money(world).rows("exchange_rates")}
    assert rates["USD"] == 1.0
    assert 0.5 < rates["EUR"] < 1.2 < 50 < rates["JPY"] < 300


def test_a_currency_that_the_state_does_not_know_is_refused(world: Open) -> None:
    desk = money(world)
    assert "XXX is not known" in desk.refusal("convert_currency", amount=1, from_currency="XXX", to_currency="EUR")
    assert "negative" in desk.refusal("convert_currency", amount=-1, from_currency="USD", to_currency="EUR")
    assert "out of range" in desk.refusal("convert_currency", amount=HUGE, from_currency="USD", to_currency="EUR")


def test_rates_hold_the_currencies_that_the_documentation_lists(world: Open) -> None:
    listed = about(TEXT, "Currency code. [Enum]: USD, RMB, EUR")
    desk = world([tool("compute_exchange_rate", "Exchange rate.", None, base_currency=listed, target_currency=listed)])
    assert {r["currency"] for r in desk.rows("exchange_rates")} == {"USD", "RMB", "EUR"}
    assert result(desk, "compute_exchange_rate", base_currency="USD", target_currency="USD") == 1


def test_a_distance_between_places_is_the_same_in_both_directions(world: Open) -> None:
    desk = world(
        [
            tool(
                "estimate_distance",
                "Estimates the distance between two cities.",
                record("*", distance=NUMBER),
                city_a=TEXT,
                city_b=TEXT,
            )
        ]
    )
    route = desk.rows("routes")[0]
    assert route["city_a"] != route["city_b"]
    there = desk.answer("estimate_distance", city_a=route["city_a"], city_b=route["city_b"])
    back = desk.answer("estimate_distance", city_a=route["city_b"], city_b=route["city_a"])
    assert there == back == {"distance": route["distance"]}
    assert "not known" in desk.refusal("estimate_distance", city_a="Nowhere", city_b=route["city_b"])
    assert desk.effects("estimate_distance").read_only


def test_feasibility_compares_with_the_state(world: Open) -> None:
    desk = world(
        [
            tool(
                "estimate_drive_feasibility",
                "Whether the car can drive so far.",
                record("*", canDrive={"type": "boolean"}),
                distance=NUMBER,
            )
        ]
    )
    desk.put("drive_feasibility", {}, max_distance=100)
    assert desk.answer("estimate_drive_feasibility", distance=100) == {"canDrive": True}
    assert desk.answer("estimate_drive_feasibility", distance=100.5) == {"canDrive": False}


def test_a_quote_has_its_fee_and_refuses_what_is_out_of_range(world: Open) -> None:
    speed = {
        **one_of("standard", "instant"),
        "default": "standard",
        "description": "Standard is free, instant costs 1.50 EUR.",
    }
    desk = world(
        [
            tool(
                "get_transfer",
                "Gets a transfer.",
                record("*", transfer_id=TEXT, amount=NUMBER, status=TEXT),
                transfer_id=TEXT,
            ),
            tool(
                "quote_transfer",
                "Computes what a transfer costs.",
                record("*", amount=NUMBER, fee=NUMBER, total=NUMBER),
                amount=NUMBER,
                speed=speed,
            ),
        ]
    )
    assert desk.answer("quote_transfer", amount=10, speed="instant") == {"amount": 10, "fee": 1.5, "total": 11.5}
    assert desk.answer("quote_transfer", amount=10, speed="standard") == {"amount": 10, "fee": 0, "total": 10}
    assert "out of range" in desk.refusal("quote_transfer", amount=HUGE, speed="standard")
