"""Formulas of money: tips, taxes, discounts, loans, interest.

Invariant: amounts are rounded to cents. Source: the annuity formula for loans. Not covered: currencies (`rates`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import Choose
from autoforge.generator.rules.formulas import Places, Rule, add, cents, divide, first_of, multiply, share, subtract
from autoforge.generator.rules.signature import Formula, Signature, apply, constant, refusal

__all__ = ["money_formula"]


def _tip(p: Places, signature: Signature) -> Formula:
    tip = multiply(p["bill"], share(p["rate"], signature))
    total = add(p["bill"], tip)
    others = [
        ("tip", cents(tip)),
        ("tip_amount", cents(tip)),
        ("total", cents(total)),
        ("total_amount", cents(total)),
        ("total_bill", cents(total)),
        ("total_with_tip", cents(total)),
    ]
    refusals = [
        refusal(apply("less", p["bill"], constant(0)), "A bill is not negative."),
        refusal(apply("less", p["rate"], constant(0)), "A tip is not negative."),
    ]
    if "people" in p:
        refusals.append(refusal(apply("less", p["people"], constant(1)), "The bill is split among at least 1 person."))
        each = cents(divide(total, p["people"]))
        others += [
            ("per_person", each),
            ("amount_per_person", each),
            ("total_per_person", each),
            ("tip_per_person", cents(divide(tip, p["people"]))),
        ]
    return Formula(cents(tip), tuple(refusals), tuple(others))


def _tax(p: Places, signature: Signature) -> Formula:
    tax = multiply(p["amount"], share(p["rate"], signature))
    total = cents(add(p["amount"], tax))
    others = tuple((n, cents(tax)) for n in ("tax", "tax_amount", "vat", "vat_amount", "iva", "impuesto")) + tuple(
        (n, total) for n in ("total", "total_amount", "total_price", "gross", "price_with_tax", "total_con_iva")
    )
    inclusive = bool({"with", "add", "plus", "including", "con", "gross"} & set(signature.words))
    return Formula(total if inclusive else cents(tax), others=others)


def _discount(p: Places, signature: Signature) -> Formula:
    off = multiply(p["amount"], share(p["rate"], signature))
    rest = cents(subtract(p["amount"], off))
    others = tuple((n, cents(off)) for n in ("discount", "discount_amount", "savings", "saved", "descuento")) + tuple(
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
    return Formula(cents(off) if amount else rest, others=others)


def _loan(p: Places, signature: Signature) -> Formula:
    """Annuity: P·r / (1 - (1 + r)^-n) with the rate per month and n months; P / n without interest."""
    monthly = divide(share(p["rate"], signature), constant(12))
    count = (
        p["term"]
        if "month" in str(p["term.name"]) or "mes" in str(p["term.name"])
        else multiply(p["term"], constant(12))
    )
    growth = apply("power", add(constant(1), monthly), apply("negate", count))
    annuity = divide(multiply(p["principal"], monthly), subtract(constant(1), growth))
    payment = cents(
        Choose(condition=apply("equal", p["rate"], constant(0)), then=divide(p["principal"], count), otherwise=annuity)
    )
    total = cents(multiply(payment, count))
    refusals = (
        refusal(apply("less_equal", p["principal"], constant(0)), "The amount of a loan is more than 0."),
        refusal(apply("less_equal", p["term"], constant(0)), "The term of a loan is more than 0."),
        refusal(apply("less", p["rate"], constant(0)), "The interest rate of a loan is not negative."),
    )
    others = tuple((n, payment) for n in ("monthly_payment", "payment", "emi", "installment", "cuota", "cuota_mensual"))
    others += tuple((n, total) for n in ("total_payment", "total_paid", "total_amount", "total_cost")) + tuple(
        (n, cents(subtract(total, p["principal"]))) for n in ("total_interest", "interest", "interest_paid")
    )
    return Formula(payment, refusals, others)


def _simple(p: Places, signature: Signature) -> Formula:
    interest = cents(multiply(multiply(p["principal"], share(p["rate"], signature)), p["time"]))
    total = cents(add(p["principal"], interest))
    return Formula(
        interest,
        others=(("interest", interest), *((n, total) for n in ("total", "total_amount", "amount", "final_amount"))),
    )


def _compound(p: Places, signature: Signature) -> Formula:
    """P·(1 + r/n)^(n·t)."""
    times = p.get("times", constant(1))
    growth = apply("power", add(constant(1), divide(share(p["rate"], signature), times)), multiply(times, p["time"]))
    total = cents(multiply(p["principal"], growth))
    interest = cents(subtract(total, p["principal"]))
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


_RATE = "rate percent percentage pct interest tax vat discount tip iva tasa porcentaje descuento propina interes"
_PRINCIPAL = "principal amount loan capital monto importe sum investment"
_YEARS = "years year time months month term duration period tenure anos meses plazo t"
_RULES = (
    Rule(
        re.compile(r"\btip\b|propina"),
        {
            "people?": "people persons split diners guests personas",
            "rate": _RATE,
            "bill": "bill amount total subtotal cost price cuenta importe monto",
        },
        _tip,
    ),
    Rule(
        re.compile(r"\b(?:sales )?(?:tax|vat|iva)\b"),
        {
            "rate": "rate percent percentage pct tasa porcentaje",
            "amount": "amount price subtotal net value total importe precio monto base",
        },
        _tax,
    ),
    Rule(
        re.compile(r"\bdiscount|descuento|rabatt"),
        {
            "rate": "rate percent percentage pct discount porcentaje descuento",
            "amount": "price amount original total subtotal cost precio importe",
        },
        _discount,
    ),
    Rule(
        re.compile(
            r"(?=.*\b(?:loan|mortgage|emi|prestamo|hipoteca)\b)(?=.*\b(?:calculat\w*|calc|compute|estimate|"
            r"monthly|payment|emi|installment|cuota|calcular)\b)"
        ),
        {
            "rate": "rate interest tasa interes",
            "term": "years year months month term duration tenure anos meses plazo period",
            "principal": _PRINCIPAL,
        },
        _loan,
    ),
    Rule(
        re.compile(r"compound|compuesto"),
        {
            "times?": "n times compounds frequency compounding per",
            "rate": "rate interest tasa interes r",
            "time": _YEARS,
            "principal": _PRINCIPAL + " p",
        },
        _compound,
    ),
    Rule(
        re.compile(r"simple interest|interes simple"),
        {"rate": "rate interest tasa interes r", "time": _YEARS, "principal": _PRINCIPAL + " p"},
        _simple,
    ),
)


def money_formula(signature: Signature) -> Formula | None:
    """The formula of the first rule that fits; None where none does."""
    return first_of(_RULES, signature)
