"""Rates of currencies that a reader believes.

Invariant: one table for every environment, so that conversions of different environments agree. Values are rounded
market rates of early 2026, units of a currency for one US dollar. Not covered: rates between other pairs, which follow.
"""

from __future__ import annotations

from autoforge.generator.ir import Entity
from autoforge.generator.seed.cells import change
from autoforge.generator.seed.setting import Row, Setting

__all__ = ["exchange_rates"]

_COLUMN = "units_per_usd"
_CURRENCIES = {
    "USD": (1.0, "US dollar"), "EUR": (0.86, "Euro"), "GBP": (0.75, "Pound sterling"), "JPY": (155.0, "Japanese yen"),
    "CHF": (0.8, "Swiss franc"), "CAD": (1.38, "Canadian dollar"), "AUD": (1.5, "Australian dollar"),
    "CNY": (7.1, "Chinese yuan"), "RMB": (7.1, "Renminbi"), "INR": (88.5, "Indian rupee"),
    "MXN": (18.4, "Mexican peso"), "BRL": (5.4, "Brazilian real"), "SEK": (9.5, "Swedish krona"),
    "NOK": (10.1, "Norwegian krone"), "DKK": (6.42, "Danish krone"), "PLN": (3.65, "Polish zloty"),
    "ZAR": (17.3, "South African rand"), "RUB": (79.0, "Russian rouble"), "CZK": (20.9, "Czech koruna"),
    "HUF": (335.0, "Hungarian forint"), "TRY": (42.0, "Turkish lira"), "KRW": (1450.0, "South Korean won"),
    "SGD": (1.3, "Singapore dollar"), "HKD": (7.78, "Hong Kong dollar"), "NZD": (1.75, "New Zealand dollar"),
    "THB": (32.4, "Thai baht"), "IDR": (16650.0, "Indonesian rupiah"), "MYR": (4.15, "Malaysian ringgit"),
    "PHP": (58.8, "Philippine peso"), "ARS": (1420.0, "Argentine peso"), "CLP": (940.0, "Chilean peso"),
    "COP": (3800.0, "Colombian peso"), "PEN": (3.38, "Peruvian sol"), "ILS": (3.27, "Israeli shekel"),
    "AED": (3.6725, "UAE dirham"), "SAR": (3.75, "Saudi riyal"), "EGP": (47.5, "Egyptian pound"),
    "NGN": (1450.0, "Nigerian naira"), "BTC": (0.0000115, "Bitcoin"), "ETH": (0.00034, "Ether"),
    "VND": (26300.0, "Vietnamese dong"), "UAH": (42.1, "Ukrainian hryvnia"), "RON": (4.38, "Romanian leu"),
    "BGN": (1.68, "Bulgarian lev"), "ISK": (127.0, "Icelandic krona"), "TWD": (31.2, "New Taiwan dollar"),
}  # fmt: skip
"""Units for one US dollar, and the name."""


def exchange_rates(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Give each currency of a table of rates its own rate and name."""
    if entity.attribute(_COLUMN) is None:
        return
    for i, row in enumerate(rows):
        code = next((v.upper() for v in row.values() if isinstance(v, str) and v.upper() in _CURRENCIES), None)
        if code is not None:
            rate, name = _CURRENCIES[code]
            change(setting, entity, rows, i, _COLUMN, rate)
            change(setting, entity, rows, i, "name", name)
