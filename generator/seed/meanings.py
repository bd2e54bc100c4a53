"""Values of one meaning for the rows of an entity.

Invariant: values of one row that show the same person, place, history or thing agree (they come from
`setting.Facts`); every meaning of the vocabulary has values, so nothing falls through. Not covered: limits, enums and
uniqueness of the column (`values`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import JsonValue

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.meaning import NAMES_OF_ROWS, label_of
from autoforge.generator.rules.meaning_glosses import NUMERIC
from autoforge.generator.seed.column import Column
from autoforge.generator.seed.goods import Article
from autoforge.generator.seed.makers import MAKERS
from autoforge.generator.seed.numbers import numbers
from autoforge.generator.seed.people import Person
from autoforge.generator.seed.places import Place
from autoforge.generator.seed.prose import PROSE, line_of, sentences
from autoforge.generator.seed.times import History
from autoforge.generator.seed.titles import CATEGORICAL, named_things, repeated, titles

__all__ = ["values_of_meaning"]


def values_of_meaning(column: Column) -> list[JsonValue]:
    """One value per row."""
    meaning = column.meaning
    if meaning in _PERSONAL:
        people = column.facts.people(column.role)
        return [_PERSONAL[meaning](people[i]) for i in range(column.size)]
    if meaning in _LOCAL:
        places = column.facts.places(column.role)
        return [_LOCAL[meaning](places[i]) for i in range(column.size)]
    if meaning in _MOMENTS:
        return [_moment(column, history) for history in column.facts.histories()[: column.size]]
    if meaning in MAKERS:
        return [MAKERS[meaning](column, i) for i in range(column.size)]
    if meaning == "currency_code" and not column.setting.tells_apart(column.entity, column.attribute):
        return [column.setting.currency] * column.size
    if (
        meaning in _ARTICLES
        and column.language == "en"
        and label_of(column.entity.name) == "product_name"
        and not column.attribute.examples
    ):
        return [_ARTICLES[meaning](article) for article in column.facts.articles()[: column.size]]
    if meaning in NUMERIC and meaning not in ("year", "month"):
        rich = column.entity.singleton
        return list(
            numbers(
                column.draw,
                meaning,
                column.attribute,
                f"{column.entity.name} {column.attribute.description}",
                column.size,
                rich=rich,
            )
        )
    if meaning == "label":
        return list(_labels(column))
    if meaning in PROSE:
        return list(sentences(column.draw, _line(column), column.language, column.size))
    if (
        meaning in CATEGORICAL
        and not column.setting.tells_apart(column.entity, column.attribute)
        and not _names_row(column)
    ):
        return list(repeated(column.draw, _line(column), column.language, column.size))
    return list(titles(column.draw, meaning, column.language, column.size)) or list(_labels(column))


def _line(column: Column) -> str:
    return line_of(column.meaning, column.attribute, column.entity, column.language)


def _names_row(column: Column) -> bool:
    return column.attribute.name == column.entity.label or " ".join(column.words) in NAMES_OF_ROWS


def _labels(column: Column) -> Sequence[str]:
    words = column.words
    if _names_row(column) or words[-1:] in (("name",), ("title",)):
        noun = (
            column.entity.name
            if " ".join(words) in NAMES_OF_ROWS
            else " ".join(w for w in words if w not in ("name", "title"))
        )
        return named_things(column.draw, noun, column.language, column.size)
    stem, kinds = " ".join(words).capitalize() or "Value", max(3, column.size // 3)
    return [f"{stem} {_letter(column.draw.integer(0, kinds - 1))}" for _ in range(column.size)]


def _letter(number: int) -> str:
    return chr(65 + number) if number < 26 else str(number)


def _moment(column: Column, history: History) -> str:
    words, type = column.words, column.attribute.type
    if type is ColumnType.DATE and {"arrival", "departure"} & set(words):
        words = (*words, "date")
    moment = history.ahead(words) if column.meaning.endswith("future") else history.passed(words)
    if type is ColumnType.DATE or (type is not ColumnType.DATETIME and column.meaning.startswith("date_")):
        return moment.date().isoformat()
    return moment.isoformat(timespec="seconds")


_PERSONAL: dict[str, Callable[[Person], str]] = {
    "person_name": lambda p: p.full,
    "first_name": lambda p: p.first,
    "last_name": lambda p: p.last,
    "user_name": lambda p: p.login,
    "email": lambda p: p.email,
    "phone": lambda p: p.phone,
    "birth_date": lambda p: p.born.isoformat(),
}
_LOCAL: dict[str, Callable[[Place], JsonValue]] = {
    "address": lambda p: p.address,
    "street": lambda p: p.street,
    "city": lambda p: p.city,
    "state": lambda p: p.state,
    "country": lambda p: p.country,
    "country_code": lambda p: p.country_code,
    "postcode": lambda p: p.postcode,
    "location": lambda p: p.location,
    "latitude": lambda p: p.latitude,
    "longitude": lambda p: p.longitude,
    "timezone": lambda p: p.timezone,
}
_ARTICLES: dict[str, Callable[[Article], JsonValue]] = {
    "product_name": lambda a: a.name,
    "category": lambda a: a.category,
    "price": lambda a: a.price,
}
_MOMENTS = frozenset(("date_past", "date_future", "datetime_past", "datetime_future"))
