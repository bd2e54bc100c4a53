"""Units of measurement: what the tools may convert, by dimension.

Invariant: a factor is exact by definition where there is one (inch, pound, US gallon); every name belongs to one
dimension; a conversion there and back gives the number it began with. Names are looked up as written, then in lower
case, then without a plural `s`. Sources: the SI brochure; NIST SP 811 for customary units (US, where they differ).
Not covered: currencies (`rates`), units of several dimensions (fuel consumption).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from autoforge.generator.vocabulary import word_set

__all__ = ["OFFSETS", "UNITS", "Unit", "unit_of"]


class Unit(NamedTuple):
    """`(value + offset) * factor` is the value in the unit of its dimension: m, kg, K, L, m², s, m/s, byte, …"""

    dimension: str
    factor: float
    offset: float = 0.0


_TABLE: dict[str, dict[str, float]] = {
    "length": {
        "m km cm mm": 1.0,
        "mile miles mi": 1609.344,
        "foot feet ft": 0.3048,
        "inch inches in": 0.0254,
        "yard yd": 0.9144,
        "meter metre metro": 1.0,
        "kilometer kilometre kilometro": 1000.0,
        "centimeter centimetre centimetro": 0.01,
        "millimeter millimetre milimetro": 0.001,
        "micrometer micrometre um": 1e-6,
        "nanometer nanometre nm": 1e-9,
        "nautical_mile nmi": 1852.0,
        "milla": 1609.344,
        "pie pies": 0.3048,
        "pulgada": 0.0254,
        "dm decimeter": 0.1,
    },
    "mass": {
        "kg kilogram kilo kilogramo": 1.0,
        "g gram gramo": 0.001,
        "mg milligram miligramo": 1e-6,
        "lb lbs pound libra": 0.45359237,
        "oz ounce onza": 0.028349523125,
        "tonne ton t tonelada": 1000.0,
        "stone st": 6.35029318,
        "ug microgram": 1e-9,
    },
    "temperature": {"kelvin K": 1.0, "celsius C centigrade": 1.0, "fahrenheit F": 5 / 9, "rankine": 5 / 9},
    "volume": {
        "l liter litre L litro": 1.0,
        "ml milliliter millilitre mL mililitro": 0.001,
        "gallon gal galon": 3.785411784,
        "quart qt": 0.946352946,
        "pint pt": 0.473176473,
        "cup": 0.2365882365,
        "fluid_ounce fl_oz floz": 0.0295735295625,
        "tablespoon tbsp": 0.01478676478125,
        "teaspoon tsp": 0.00492892159375,
        "cubic_meter m3 m^3": 1000.0,
        "cubic_centimeter cm3 cc": 0.001,
        "cubic_foot cubic_feet ft3": 28.316846592,
        "barrel bbl": 158.987294928,
        "cl centiliter": 0.01,
    },
    "area": {
        "square_meter square_metre m2 sqm m^2": 1.0,
        "square_kilometer km2": 1e6,
        "square_centimeter cm2": 1e-4,
        "square_foot square_feet sqft ft2": 0.09290304,
        "square_inch in2": 0.00064516,
        "square_yard yd2": 0.83612736,
        "square_mile mi2": 2589988.110336,
        "acre": 4046.8564224,
        "hectare ha hectarea": 10000.0,
    },
    "time": {
        "second sec s segundo": 1.0,
        "millisecond ms": 0.001,
        "minute min minuto": 60.0,
        "hour hr h hora": 3600.0,
        "day d dia": 86400.0,
        "week semana": 604800.0,
        "microsecond us": 1e-6,
        "year": 31557600.0,
    },
    "speed": {
        "m/s mps meters_per_second": 1.0,
        "km/h kmh kph kilometers_per_hour": 1 / 3.6,
        "mph mi/h miles_per_hour": 0.44704,
        "knot kn kt": 1852 / 3600,
        "ft/s fps feet_per_second": 0.3048,
    },
    "data": {
        "byte B": 1.0,
        "bit": 0.125,
        "kilobyte KB kB": 1e3,
        "megabyte MB": 1e6,
        "gigabyte GB": 1e9,
        "terabyte TB": 1e12,
        "petabyte PB": 1e15,
        "kibibyte KiB": 1024.0,
        "mebibyte MiB": 1024.0**2,
        "gibibyte GiB": 1024.0**3,
        "tebibyte TiB": 1024.0**4,
        "kilobit kbit": 125.0,
        "megabit Mbit": 125e3,
        "gigabit Gbit": 125e6,
    },
    "pressure": {
        "pascal Pa": 1.0,
        "kilopascal kPa": 1e3,
        "bar": 1e5,
        "millibar mbar hPa": 100.0,
        "atmosphere atm": 101325.0,
        "psi": 6894.757293168,
        "mmHg torr": 133.322387415,
        "megapascal MPa": 1e6,
    },
    "energy": {
        "joule J": 1.0,
        "kilojoule kJ": 1e3,
        "calorie cal": 4.184,
        "kilocalorie kcal": 4184.0,
        "watt_hour Wh": 3600.0,
        "kilowatt_hour kWh": 3.6e6,
        "btu": 1055.05585262,
        "electronvolt eV": 1.602176634e-19,
        "megajoule MJ": 1e6,
    },
    "power": {"watt W": 1.0, "kilowatt kW": 1e3, "megawatt MW": 1e6, "horsepower hp": 745.6998715822702},
    "frequency": {"hertz Hz": 1.0, "kilohertz kHz": 1e3, "megahertz MHz": 1e6, "gigahertz GHz": 1e9},
    "angle": {"degree deg grado": 1.0, "radian rad": 57.29577951308232, "gradian": 0.9},
}
_PREFIXED = {"km": 1000.0, "cm": 0.01, "mm": 0.001}
OFFSETS: dict[str, float] = {"celsius": 273.15, "C": 273.15, "centigrade": 273.15, "fahrenheit": 459.67, "F": 459.67}
"""What is added to a temperature before its factor applies."""
UNITS: dict[str, tuple[str, float]] = {
    name: (dimension, _PREFIXED.get(name, factor))
    for dimension, rows in _TABLE.items()
    for names, factor in rows.items()
    for name in names.split()
}
"""Name or symbol → dimension and factor; words are joined by `_`."""
_CONTRADICTED = word_set("in t s h d b st min day second a l g m")
"""Symbols that are words or letters of names, too: they are no units inside the name of a tool."""


def unit_of(name: str, *, symbols: bool = True) -> Unit | None:
    """The unit of a name or symbol, in any usual spelling; without `symbols`, only such as stand in names of tools."""
    text = re.sub(r"\s+", "_", name.strip().removeprefix("degrees ").removeprefix("°"))
    for form in (
        text,
        text.lower(),
        text.lower().removesuffix("s"),
        text.lower().removesuffix("es"),
        text.upper() if len(text) == 1 else "",
    ):
        if form in UNITS and (symbols or form not in _CONTRADICTED):
            return Unit(*UNITS[form], OFFSETS.get(form, 0.0))
    return None
