"""Formulas of what can be measured: areas, volumes, distances between coordinates, body mass.

Invariant: a height or weight whose unit nothing names is not guessed. Source: WHO classes of the body mass index. Not
covered: conversions of units (`conversions`), distances between named places (`rates`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from autoforge.generator.ir import Choose, Expression
from autoforge.generator.rules.formulas import Places, Rule, add, divide, first_of, multiply
from autoforge.generator.rules.signature import Formula, Operand, Signature, apply, choose_by, constant, refusal
from autoforge.generator.rules.units import unit_of

__all__ = ["measure"]


def _shape(formula: Callable[[Places], Expression]) -> Callable[[Places, Signature], Formula]:
    def build(p: Places, signature: Signature) -> Formula:
        sides = [o for o in signature.operands if o.is_number]
        return Formula(
            formula(p),
            tuple(
                refusal(apply("less", o.argument, constant(0)), f"{{{o.name}}} is no length; it is not negative.")
                for o in sides
            ),
        )

    return build


_PI = constant(math.pi)
_SHAPES = (
    Rule(
        re.compile(r"(?=.*\barea\b)(?=.*\bcircle\b|.*circulo)"),
        {"r": "radius r radio"},
        _shape(lambda p: multiply(_PI, multiply(p["r"], p["r"]))),
    ),
    Rule(
        re.compile(r"circumference|circunferencia"),
        {"r": "radius r radio"},
        _shape(lambda p: multiply(constant(2 * math.pi), p["r"])),
    ),
    Rule(
        re.compile(r"(?=.*\barea\b)(?=.*\brectang)"),
        {"a": "length base long largo", "b": "width height breadth ancho alto"},
        _shape(lambda p: multiply(p["a"], p["b"])),
    ),
    Rule(
        re.compile(r"(?=.*\bperimeter\b)(?=.*\brectang)"),
        {"a": "length base long largo", "b": "width height breadth ancho alto"},
        _shape(lambda p: multiply(constant(2), add(p["a"], p["b"]))),
    ),
    Rule(
        re.compile(r"(?=.*\barea\b)(?=.*\btriang)"),
        {"a": "base", "b": "height altura"},
        _shape(lambda p: divide(multiply(p["a"], p["b"]), constant(2))),
    ),
    Rule(
        re.compile(r"(?=.*\bvolume\b)(?=.*\bsphere\b)"),
        {"r": "radius r radio"},
        _shape(lambda p: multiply(constant(4 * math.pi / 3), apply("power", p["r"], constant(3)))),
    ),
    Rule(
        re.compile(r"(?=.*\bvolume\b)(?=.*\bcylinder\b)"),
        {"r": "radius r radio", "h": "height h altura"},
        _shape(lambda p: multiply(multiply(_PI, multiply(p["r"], p["r"])), p["h"])),
    ),
)


def measure(signature: Signature) -> Formula | None:
    """The formula of a measure; None where the tool is none."""
    return first_of(_SHAPES, signature) or _distance(signature) or _body_mass(signature)


def _distance(signature: Signature) -> Formula | None:
    """The great circle between two pairs of coordinates, in kilometres or in the unit that is asked for."""
    degrees = [
        o for o in signature.operands if o.is_number and any(w.startswith(("lat", "lon", "lng")) for w in o.words)
    ]
    units = [o for o in signature.operands if o.is_text]
    if (
        len(degrees) != 4
        or len(degrees) + len(units) != len(signature.operands)
        or len(units) > 1
        or not {"distance", "haversine", "distancia"} & set(signature.words)
    ):
        return None
    latitudes = [o for o in degrees if any(w.startswith("lat") for w in o.words)]
    longitudes = [o for o in degrees if o not in latitudes]
    if len(latitudes) != 2:
        return None
    refusals = [
        refusal(
            apply("greater", apply("absolute", o.argument), constant(90)),
            f"{{{o.name}}} is no latitude; it lies between -90 and 90.",
        )
        for o in latitudes
    ]
    refusals += [
        refusal(
            apply("greater", apply("absolute", o.argument), constant(180)),
            f"{{{o.name}}} is no longitude; it lies between -180 and 180.",
        )
        for o in longitudes
    ]
    kilometres = apply(
        "great_circle", latitudes[0].argument, longitudes[0].argument, latitudes[1].argument, longitudes[1].argument
    )
    others = (
        ("distance_km", kilometres),
        ("kilometers", kilometres),
        ("distance_miles", multiply(kilometres, constant(0.621371192237))),
        ("miles", multiply(kilometres, constant(0.621371192237))),
    )
    if not units:
        miles = re.search(r"\bmiles\b", signature.text, re.IGNORECASE) and not re.search(
            r"\bkm\b|kilomet", signature.text, re.IGNORECASE
        )
        return Formula(others[2][1] if miles else kilometres, tuple(refusals), others)
    wanted = units[0]
    known = [
        (c, apply("convert_unit", kilometres, constant("km"), constant(c)))
        for c in wanted.choices
        if (u := unit_of(c)) is not None and u.dimension == "length"
    ]
    if known and len(known) == len(wanted.choices):
        chosen = choose_by(wanted, known, fold=not wanted.enum)
        return Formula(
            Choose(condition=apply("is_null", wanted.argument), then=kilometres, otherwise=chosen)
            if wanted.is_optional
            else chosen,
            tuple(refusals),
            (*others, ("unit", wanted.argument)),
        )
    return None


_CLASSES = ((18.5, "Underweight"), (25.0, "Normal weight"), (30.0, "Overweight"))


def _unit_in(operand: Operand, signature: Signature, units: dict[str, float]) -> float | None:
    """The factor of the unit that the name or the description of an operand says."""
    for text in (" ".join(operand.words), str(operand.schema.get("description", "")).lower(), signature.text.lower()):
        found = next((factor for pattern, factor in units.items() if re.search(pattern, text)), None)
        if found is not None:
            return found
    return None


def _body_mass(signature: Signature) -> Formula | None:
    """Weight in kilograms by the square of height in metres."""
    if (
        not re.search(r"\bbmi\b|body mass|\bimc\b|masa corporal", " ".join(signature.words))
        or len(signature.operands) != 2
    ):
        return None
    weight = next((o for o in signature.operands if {"weight", "peso", "mass", "gewicht"} & set(o.words)), None)
    height = next((o for o in signature.operands if {"height", "altura", "estatura", "groesse"} & set(o.words)), None)
    if weight is None or height is None:
        return None
    kilograms = _unit_in(weight, signature, {r"\bkg\b|kilo": 1.0, r"\blbs?\b|pound|libra": 0.45359237})
    metres = _unit_in(
        height,
        signature,
        {r"\bcm\b|centimet": 0.01, r"\bin\b(?! (?:met|cent))|inch": 0.0254, r"\bm\b|\bmet(?:er|re|ro)": 1.0},
    )
    if kilograms is None or metres is None:
        return None
    tall = height.argument if metres == 1 else multiply(height.argument, constant(metres))
    heavy = weight.argument if kilograms == 1 else multiply(weight.argument, constant(kilograms))
    index = apply("round", divide(heavy, multiply(tall, tall)), constant(2))
    category: Expression = constant("Obese")
    for limit, name in reversed(_CLASSES):
        category = Choose(condition=apply("less", index, constant(limit)), then=constant(name), otherwise=category)
    refusals = tuple(
        refusal(apply("less_equal", o.argument, constant(0)), f"{{{o.name}}} must be more than 0.")
        for o in (weight, height)
    )
    return Formula(
        index,
        refusals,
        (
            ("bmi", index),
            ("imc", index),
            ("category", category),
            ("classification", category),
            ("status", category),
            ("categoria", category),
        ),
    )
