"""Laws of units: there and back, linearity, one reading of a name in the rules and in the code they emit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.emit.helpers import HELPERS, with_dependencies
from autoforge.generator.ir import OperationKind
from autoforge.generator.rules.computations import computes_alone
from autoforge.generator.rules.reading import read_tools
from autoforge.generator.rules.units import UNITS, unit_of
from tests.generator.rules.conftest import NUMBER, TEXT, Open, about, one_of, read, record, tool

NAMES = sorted(UNITS)
AMOUNTS = st.floats(min_value=-1e6, max_value=1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)


def _convert(value: float, source: str, target: str) -> float | None:
    """The emitted helper, run as it stands in a module."""
    found = _NAMESPACE["_convert_unit"](value, source, target)  # type: ignore[operator]
    assert found is None or isinstance(found, float)
    return found


_NAMESPACE: dict[str, object] = {}
exec("import json\nimport re\n" + "\n\n".join(HELPERS[n] for n in with_dependencies(["_convert_unit"])), _NAMESPACE)
PAIRS = st.sampled_from([(a, b) for a in NAMES for b in NAMES if UNITS[a][0] == UNITS[b][0]])


@given(PAIRS, AMOUNTS)
def test_a_conversion_there_and_back_gives_the_number(pair: tuple[str, str], amount: float) -> None:
    there = _convert(amount, *pair)
    assert there is not None
    back = _convert(there, pair[1], pair[0])
    scale = abs(amount) + (500 if UNITS[pair[0]][0] == "temperature" else 0)
    assert back == pytest.approx(amount, abs=1e-9 * scale, rel=1e-9)


@given(PAIRS.filter(lambda p: UNITS[p[0]][0] != "temperature"), AMOUNTS, st.integers(2, 9))
def test_a_conversion_is_linear(pair: tuple[str, str], amount: float, times: int) -> None:
    one, many = _convert(amount, *pair), _convert(amount * times, *pair)
    assert one is not None
    assert many == pytest.approx(one * times, rel=1e-9)


@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_units_of_two_dimensions_have_no_conversion(first: str, second: str) -> None:
    assert (_convert(1, first, second) is None) == (UNITS[first][0] != UNITS[second][0])


@given(st.sampled_from(NAMES) | st.sampled_from([n.upper() for n in NAMES]) | st.text(max_size=5))
def test_rules_and_emitted_code_read_a_name_alike(name: str) -> None:
    assert (unit_of(name) is None) == (_convert(1, name, name) is None)


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (1, "inch", "cm", 2.54),
        (1, "mile", "km", 1.609344),
        (1, "lb", "kg", 0.45359237),
        (1, "gallon", "liters", 3.785411784),
        (-40, "celsius", "fahrenheit", -40),
        (0, "C", "kelvin", 273.15),
        (1, "acre", "hectare", 0.40468564224),
        (36, "km/h", "m/s", 10),
        (1, "GB", "MB", 1000),
        (1, "atm", "kPa", 101.325),
        (1, "kWh", "MJ", 3.6),
        (2, "Square Feet", "m2", 0.18580608),
    ],
)
def test_factors_are_those_of_the_standards(value: float, source: str, target: str, expected: float) -> None:
    assert _convert(value, source, target) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("gallon_to_liter", 2, 7.570823568),
        ("celsius_to_fahrenheit", 100, 212),
        ("fahrenheit_to_celsius", 32, 0),
        ("kilogramsToPounds", 1, 2.2046226218),
        ("convert_km_to_miles", 10, 6.2137119224),
        ("kilometros_a_millas", 1.609344, 1),
        ("nm_to_km", 5, 5e-12),
        ("inches_to_miles", 63360, 1),
    ],
)
def test_the_units_may_stand_in_the_name(world: Open, name: str, value: float, expected: float) -> None:
    desk = world([tool(name, "Converts.", record("*", converted=NUMBER), amount=NUMBER)])
    assert desk.operation(name).kind is OperationKind.COMPUTE
    assert desk.answer(name, amount=value)["converted"] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_the_units_may_be_parameters(world: Open) -> None:
    output = record("*", result=NUMBER, unit=TEXT)
    desk = world(
        [
            tool(
                "convert_units",
                "Converts between units of measurement.",
                output,
                value=NUMBER,
                unit_in=TEXT,
                unit_out=TEXT,
            )
        ]
    )
    assert desk.answer("convert_units", value=3, unit_in="ft", unit_out="in") == {"result": 36, "unit": "in"}
    assert "parsnip is not known" in desk.refusal("convert_units", value=3, unit_in="parsnip", unit_out="m")
    assert "different things" in desk.refusal("convert_units", value=3, unit_in="kg", unit_out="m")
    assert "out of range" in desk.refusal("convert_units", value=1.7e308, unit_in="km", unit_out="m")


def test_an_enum_with_a_unit_that_is_not_known_is_no_conversion() -> None:
    for known, other in ((True, "km"), (False, "parsnip")):
        either = one_of("m", other)
        document = tool("convert_units", "Converts units.", None, value=NUMBER, from_unit=either, to_unit=either)
        assert computes_alone(read_tools(read([document]))[0]) is known


def test_bases_of_numbers_are_converted(world: Open) -> None:
    desk = world(
        [
            tool("binary_to_decimal", "Converts.", None, binary=TEXT),
            tool(
                "convert_base",
                "Converts.",
                None,
                number=TEXT,
                from_base={"type": "integer"},
                to_base={"type": "integer"},
            ),
        ]
    )
    assert desk.answer("binary_to_decimal", binary="101") == {"result": "5"}
    assert desk.answer("convert_base", number="255", from_base=10, to_base=16) == {"result": "ff"}
    assert "no number of that base" in desk.refusal("binary_to_decimal", binary="102")
    assert "no base" in desk.refusal("convert_base", number="1", from_base=1, to_base=10)


def test_money_is_no_unit(world: Open) -> None:
    desk = world(
        [
            tool(
                "convert_units",
                "Converts.",
                None,
                amount=NUMBER,
                from_currency=about(TEXT, "Code"),
                to_currency=about(TEXT, "Code"),
            )
        ]
    )
    assert "exchange_rates" in desk.tables
