"""Articles whose name, category and price belong together.

Invariant: articles of one kind (two mice) have near prices, so that the cheaper one has to be looked for. English only;
elsewhere names, categories and prices are drawn apart. Not covered: how many there are (`quantities`).
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.numbers import ending
from autoforge.generator.seed.titles import titles
from autoforge.generator.seed.words_en import GOODS

__all__ = ["Article", "draw_articles"]


class Article(NamedTuple):
    name: str
    category: str
    price: float


def draw_articles(draw: Draw, count: int, language: str) -> list[Article]:
    """`count` articles; two or three of each kind."""
    base: dict[str, int] = {}
    found = []
    for name in titles(draw, "product_name", language, count):
        kind = next((kind for kind in GOODS if kind in name), None)
        good = GOODS[kind or "Desk Lamp"]
        whole = base.setdefault(kind or "", draw.integer(good.low, good.high))
        found.append(Article(name, good.category, whole + draw.integer(0, max(2, whole // 12)) + ending(draw)))
    return found
