"""A measured figure, and how figures are printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Figure", "at_least", "at_most", "print_figures"]


class Figure(NamedTuple):
    """One measured figure and the bound it is to keep."""

    name: str
    value: float
    unit: str
    bound: str
    holds: bool
    detail: str = ""


def at_most(name: str, value: float, unit: str, bound: float, detail: str = "") -> Figure:
    return Figure(name, value, unit, f"<= {bound:g}", value <= bound, detail)


def at_least(name: str, value: float, unit: str, bound: float, detail: str = "") -> Figure:
    return Figure(name, value, unit, f">= {bound:g}", value >= bound, detail)


def print_figures(figures: Sequence[Figure]) -> None:
    """One line each: verdict, name, value, bound, detail."""
    for figure in figures:
        verdict = "" if not figure.bound else "ok" if figure.holds else "MISS"
        print(
            f"{verdict:4} {figure.name:44} {figure.value:8.2f} {figure.unit:3} {figure.bound:8} {figure.detail}",
            flush=True,
        )
