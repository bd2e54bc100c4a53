"""Formulas of everyday life: loans, interest, tips, taxes, discounts, body mass, areas, distances between coordinates.

Invariant: a formula is recognised only when the name says which it is and its parameters fill the places of the formula
with none left over; a height or weight whose unit nothing names is not guessed. Sources: the annuity formula for loans;
WHO classes of the body mass index. Not covered: formulas of a single profession.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

from autoforge.generator.ir import Choose, Expression
from autoforge.generator.rules.meaning_words import word_set
from autoforge.generator.rules.signature import Formula, Operand, Signature, apply, choose_by, constant, refusal
from autoforge.generator.rules.units import unit_of

__all__ = ["everyday_formula"]

Places = dict[str, Expression]


class _Rule(NamedTuple):
    """A formula with places for its operands."""

    name: re.Pattern[str]
    """Found in the words of the tool's name."""
    places: dict[str, str]
    """Place → words of the parameters that fill it; a `?` behind the place says that it may stay empty."""
    build: Callable[[Places, Signature], Formula]


def everyday_formula(signature: Signature) -> Formula | None:
    """The formula of the first rule that fits; None where none does."""
    return (
        next((f for rule in _RULES if (f := _fill(rule, signature)) is not None), None)
        or _distance(signature)
        or _body_mass(signature)
    )


_STORES = word_set("create update set delete remove register save record request submit pay list store log track")
"""Words of tools that keep what they are given."""


def _fill(rule: _Rule, signature: Signature) -> Formula | None:
    name = " ".join(signature.words)
    if not rule.name.search(name) or _STORES & set(signature.words) or not all(o.is_number for o in signature.operands):
        return None
    left = list(signature.operands)
    filled: Places = {}
    for place, words in rule.places.items():
        wanted = set(words.split())
        operand = next((o for o in left if set(o.words) & wanted), None)
        if operand is None and not place.endswith("?"):
            return None
        if operand is not None:
            left.remove(operand)
            filled[place.rstrip("?")] = operand.or_else(constant(1)) if place.endswith("?") else operand.argument
            filled[f"{place.rstrip('?')}.name"] = constant(" ".join(operand.words))
    return None if left else rule.build(filled, signature)


def _add(a: Expression, b: Expression) -> Expression:
    return apply("add", a, b)


def _subtract(a: Expression, b: Expression) -> Expression:
    return apply("subtract", a, b)


def _multiply(a: Expression, b: Expression) -> Expression:
    return apply("multiply", a, b)


def _divide(a: Expression, b: Expression) -> Expression:
    return apply("divide", a, b)


def _money(value: Expression) -> Expression:
    return apply("round", value, constant(2))


def _share(rate: Expression, signature: Signature) -> Expression:
    """A rate as a fraction: it is in percent unless the documentation says decimal."""
    described = " ".join([signature.text, *(str(o.schema.get("description", "")) for o in signature.operands)])
    fraction = re.search(
        r"as a decimal|decimal (?:form|fraction|rate)|e\.g\.?,? 0\.\d|\(0\.\d+|fraction", described, re.IGNORECASE
    )
    return rate if fraction else _divide(rate, constant(100))


def _tip(p: Places, signature: Signature) -> Formula:
    tip = _multiply(p["bill"], _share(p["rate"], signature))
    total = _add(p["bill"], tip)
    others = [
        ("tip", _money(tip)),
        ("tip_amount", _money(tip)),
        ("total", _money(total)),
        ("total_amount", _money(total)),
        ("total_bill", _money(total)),
        ("total_with_tip", _money(total)),
    ]
    refusals = [
        refusal(apply("less", p["bill"], constant(0)), "A bill is not negative."),
        refusal(apply("less", p["rate"], constant(0)), "A tip is not negative."),
    ]
    if "people" in p:
        refusals.append(refusal(apply("less", p["people"], constant(1)), "The bill is split among at least 1 person."))
        each = _money(_divide(total, p["people"]))
        others += [
            ("per_person", each),
            ("amount_per_person", each),
            ("total_per_person", each),
            ("tip_per_person", _money(_divide(tip, p["people"]))),
        ]
    return Formula(_money(tip), tuple(refusals), tuple(others))


def _tax(p: Places, signature: Signature) -> Formula:
    tax = _multiply(p["amount"], _share(p["rate"], signature))
    total = _money(_add(p["amount"], tax))
    others = tuple((n, _money(tax)) for n in ("tax", "tax_amount", "vat", "vat_amount", "iva", "impuesto")) + tuple(
        (n, total) for n in ("total", "total_amount", "total_price", "gross", "price_with_tax", "total_con_iva")
    )
    inclusive = bool({"with", "add", "plus", "including", "con", "gross"} & set(signature.words))
    return Formula(total if inclusive else _money(tax), others=others)


def _discount(p: Places, signature: Signature) -> Formula:
    off = _multiply(p["amount"], _share(p["rate"], signature))
    rest = _money(_subtract(p["amount"], off))
    others = tuple((n, _money(off)) for n in ("discount", "discount_amount", "savings", "saved", "descuento")) + tuple(
        (n, rest)
        for n in (
            "final_price",
            "discounted_price",
            "total",
            "final_amount",
            "sale_price",
            "price_after_discount",
            "precio_final",
        )
    )
    amount = "amount" in signature.words
    return Formula(_money(off) if amount else rest, others=others)


def _loan(p: Places, signature: Signature) -> Formula:
    """Annuity: P·r / (1 - (1 + r)^-n) with the rate per month and n months; P / n without interest."""
    monthly = _divide(_share(p["rate"], signature), constant(12))
    count = (
        p["term"]
        if "month" in str(p["term.name"]) or "mes" in str(p["term.name"])
        else _multiply(p["term"], constant(12))
    )
    growth = apply("power", _add(constant(1), monthly), apply("negate", count))
    annuity = _divide(_multiply(p["principal"], monthly), _subtract(constant(1), growth))
    payment = _money(
        Choose(condition=apply("equal", p["rate"], constant(0)), then=_divide(p["principal"], count), otherwise=annuity)
    )
    total = _money(_multiply(payment, count))
    refusals = (
        refusal(apply("less_equal", p["principal"], constant(0)), "The amount of a loan is more than 0."),
        refusal(apply("less_equal", p["term"], constant(0)), "The term of a loan is more than 0."),
        refusal(apply("less", p["rate"], constant(0)), "The interest rate of a loan is not negative."),
    )
    others = tuple((n, payment) for n in ("monthly_payment", "payment", "emi", "installment", "cuota", "cuota_mensual"))
    others += tuple((n, total) for n in ("total_payment", "total_paid", "total_amount", "total_cost")) + tuple(
        (n, _money(_subtract(total, p["principal"]))) for n in ("total_interest", "interest", "interest_paid")
    )
    return Formula(payment, refusals, others)


def _simple(p: Places, signature: Signature) -> Formula:
    interest = _money(_multiply(_multiply(p["principal"], _share(p["rate"], signature)), p["time"]))
    total = _money(_add(p["principal"], interest))
    return Formula(
        interest,
        others=(("interest", interest), *((n, total) for n in ("total", "total_amount", "amount", "final_amount"))),
    )


def _compound(p: Places, signature: Signature) -> Formula:
    """P·(1 + r/n)^(n·t)."""
    times = p.get("times", constant(1))
    growth = apply(
        "power", _add(constant(1), _divide(_share(p["rate"], signature), times)), _multiply(times, p["time"])
    )
    total = _money(_multiply(p["principal"], growth))
    interest = _money(_subtract(total, p["principal"]))
    wrong = (
        (refusal(apply("less_equal", p["times"], constant(0)), "Interest is compounded at least once a year."),)
        if "times" in p
        else ()
    )
    others = (
        ("interest", interest),
        ("interest_earned", interest),
        ("total_interest", interest),
        *((n, total) for n in ("total", "total_amount", "amount", "final_amount", "future_value", "balance")),
    )
    return Formula(total, wrong, others)


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
_RATE = "rate percent percentage pct interest tax vat discount tip iva tasa porcentaje descuento propina interes"
_PRINCIPAL = "principal amount loan capital monto importe sum investment"
_YEARS = "years year time months month term duration period tenure anos meses plazo t"
_RULES = (
    _Rule(
        re.compile(r"\btip\b|propina"),
        {
            "people?": "people persons split diners guests personas",
            "rate": _RATE,
            "bill": "bill amount total subtotal cost price cuenta importe monto",
        },
        _tip,
    ),
    _Rule(
        re.compile(r"\b(?:sales )?(?:tax|vat|iva)\b"),
        {
            "rate": "rate percent percentage pct tasa porcentaje",
            "amount": "amount price subtotal net value total importe precio monto base",
        },
        _tax,
    ),
    _Rule(
        re.compile(r"\bdiscount|descuento|rabatt"),
        {
            "rate": "rate percent percentage pct discount porcentaje descuento",
            "amount": "price amount original total subtotal cost precio importe",
        },
        _discount,
    ),
    _Rule(
        re.compile(
            (
                r"(?=.*\b(?:loan|mortgage|emi|prestamo|hipoteca)\b)(?=.*\b(?:calculat\w*|calc|compute|estimate|"
                r"monthly|payment|emi|installment|cuota|calcular)\b)"
            )
        ),
        {
            "rate": "rate interest tasa interes",
            "term": "years year months month term duration tenure anos meses plazo period",
            "principal": _PRINCIPAL,
        },
        _loan,
    ),
    _Rule(
        re.compile(r"compound|compuesto"),
        {
            "times?": "n times compounds frequency compounding per",
            "rate": "rate interest tasa interes r",
            "time": _YEARS,
            "principal": _PRINCIPAL + " p",
        },
        _compound,
    ),
    _Rule(
        re.compile(r"simple interest|interes simple"),
        {"rate": "rate interest tasa interes r", "time": _YEARS, "principal": _PRINCIPAL + " p"},
        _simple,
    ),
    _Rule(
        re.compile(r"(?=.*\barea\b)(?=.*\bcircle\b|.*circulo)"),
        {"r": "radius r radio"},
        _shape(lambda p: _multiply(_PI, _multiply(p["r"], p["r"]))),
    ),
    _Rule(
        re.compile(r"circumference|circunferencia"),
        {"r": "radius r radio"},
        _shape(lambda p: _multiply(constant(2 * math.pi), p["r"])),
    ),
    _Rule(
        re.compile(r"(?=.*\barea\b)(?=.*\brectang)"),
        {"a": "length base long largo", "b": "width height breadth ancho alto"},
        _shape(lambda p: _multiply(p["a"], p["b"])),
    ),
    _Rule(
        re.compile(r"(?=.*\bperimeter\b)(?=.*\brectang)"),
        {"a": "length base long largo", "b": "width height breadth ancho alto"},
        _shape(lambda p: _multiply(constant(2), _add(p["a"], p["b"]))),
    ),
    _Rule(
        re.compile(r"(?=.*\barea\b)(?=.*\btriang)"),
        {"a": "base", "b": "height altura"},
        _shape(lambda p: _divide(_multiply(p["a"], p["b"]), constant(2))),
    ),
    _Rule(
        re.compile(r"(?=.*\bvolume\b)(?=.*\bsphere\b)"),
        {"r": "radius r radio"},
        _shape(lambda p: _multiply(constant(4 * math.pi / 3), apply("power", p["r"], constant(3)))),
    ),
    _Rule(
        re.compile(r"(?=.*\bvolume\b)(?=.*\bcylinder\b)"),
        {"r": "radius r radio", "h": "height h altura"},
        _shape(lambda p: _multiply(_multiply(_PI, _multiply(p["r"], p["r"])), p["h"])),
    ),
)


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
        ("distance_miles", _multiply(kilometres, constant(0.621371192237))),
        ("miles", _multiply(kilometres, constant(0.621371192237))),
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
    tall = height.argument if metres == 1 else _multiply(height.argument, constant(metres))
    heavy = weight.argument if kilograms == 1 else _multiply(weight.argument, constant(kilograms))
    index = apply("round", _divide(heavy, _multiply(tall, tall)), constant(2))
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
