"""The primary keys of all rows, before anything else is known of them.

Invariant: keys are unique, follow the entity's id template, contain every documented key that fits, and where a key
column refers to another entity it holds keys of that entity. Not covered: references outside the key (`relations`).
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.seed.column import meaning_in
from autoforge.generator.seed.makers import prefix_of
from autoforge.generator.seed.plan import parent_entity
from autoforge.generator.seed.setting import Facts, Row, Setting
from autoforge.generator.seed.untouched import touchable
from autoforge.generator.seed.values import accepts, column_values

__all__ = ["key_rows", "template_number"]

_IDS = ("id", "code", "label")
MOST_COMBINATIONS = 20_000
"""Combinations of key columns that are listed; beyond, the first so many."""


def template_number(template: str, value: JsonValue) -> int | None:
    """The number in an id made by the template (`ORD-{:04d}`); None where the id was not made so."""
    head, _, tail = re.sub(r"\{[^}]*\}", "\0", template, count=1).partition("\0")
    text = str(value)
    if (
        isinstance(value, bool)
        or not text.startswith(head)
        or not text.endswith(tail)
        or len(text) <= len(head) + len(tail)
    ):
        return None
    digits = text[len(head) : len(text) - len(tail)]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


def key_rows(setting: Setting, entity: Entity) -> list[Row]:
    """One dictionary per row with the key columns only."""
    count = setting.counts[entity.name]
    columns = [a for name in entity.key if (a := entity.attribute(name)) is not None]
    if len(columns) == 1:
        values = _single(setting, entity, columns[0], count)
        setting.counts[entity.name] = len(values)
        return [{columns[0].name: value} for value in values]
    rows = list(itertools.islice(_composite(setting, entity, columns, count), count))
    setting.counts[entity.name] = len(rows)
    return rows


def _single(setting: Setting, entity: Entity, attribute: Attribute, count: int) -> list[JsonValue]:
    parents = _parent_keys(setting, entity, attribute)
    if parents is not None:
        return list(parents[:count])
    shown = _documented(setting, entity, attribute)
    if entity.singleton:
        integer = attribute.type is ColumnType.INTEGER
        return [shown[0] if shown and not integer else _lone(setting, entity, attribute)][:count]
    choices: list[JsonValue] = [v for v in attribute.enum if v is not None]
    if choices and attribute.type is not ColumnType.JSON:
        return choices[:count]
    made = _made(setting, entity, attribute, count + len(shown), shown)
    values = shown[:count] + [v for v in made if v not in shown]
    return _sorted(values[:count])


def _lone(setting: Setting, entity: Entity, attribute: Attribute) -> JsonValue:
    choices: list[JsonValue] = [v for v in attribute.enum if v is not None]
    if choices and attribute.type is not ColumnType.JSON:
        return choices[0]
    if attribute.type is ColumnType.INTEGER:
        return 1
    if attribute.default is not None and accepts(attribute, attribute.default):
        return attribute.default
    return _made(setting, entity, attribute, 1, [])[0]


def _sorted(values: list[JsonValue]) -> list[JsonValue]:
    numbers = [v for v in values if isinstance(v, int) and not isinstance(v, bool)]
    return [*sorted(numbers)] if len(numbers) == len(values) else values


def _parent_keys(setting: Setting, entity: Entity, attribute: Attribute) -> list[JsonValue] | None:
    parent = parent_entity(setting.world, attribute)
    if parent is None or parent.name not in setting.rows or parent.name == entity.name:
        return None
    draw = setting.draw(entity.name, attribute.name)
    keys = setting.keys(parent) if entity.singleton else touchable(setting, parent)
    chosen = set(draw.some(range(len(keys)), setting.counts[entity.name]))
    return [key for i, key in enumerate(keys) if i in chosen]


def _documented(setting: Setting, entity: Entity, attribute: Attribute) -> list[JsonValue]:
    """Key values that the documentation shows, in this column or in one that refers to it."""
    shown: list[JsonValue] = []
    pairs = [(entity, attribute)] + [
        (e, a) for e in setting.world.entities for a in e.attributes if a.references == entity.name
    ]
    for _, column in pairs:
        shown += [
            e for e in column.examples if accepts(attribute, e) and e not in shown and (e != 0 or column is attribute)
        ]
    return shown


def _made(
    setting: Setting, entity: Entity, attribute: Attribute, count: int, shown: list[JsonValue]
) -> list[JsonValue]:
    template = entity.id_template
    if template is not None and attribute.type is not ColumnType.INTEGER and _formats(template):
        first = _start(template, shown or [_hinted(attribute)])
        return [template.format(n) for n in range(first, first + count)]
    if attribute.type is ColumnType.INTEGER:
        return list(_integers(attribute, count, shown))
    meaning = meaning_in(setting, entity, attribute)
    pattern = next((p for e in (*shown, _hinted(attribute)) if (p := _pattern(str(e))) is not None), None)
    if attribute.type is ColumnType.TEXT and pattern is not None:
        return [pattern[0].format(pattern[1] + n) for n in range(count)]
    patterned = attribute.type is ColumnType.TEXT and attribute.pattern is not None
    if attribute.type is ColumnType.TEXT and not patterned and meaning in _IDS and _is_id(attribute, meaning):
        return [f"{prefix_of(entity.name)}-{n:04d}" for n in range(1, count + 1)]
    return [
        v
        for v in column_values(setting, entity, attribute, Facts(setting, entity, [None] * count), count)
        if v is not None
    ]


def _formats(template: str) -> bool:
    return bool(re.fullmatch(r"[^{}]*\{(:0?\d*d?)?\}[^{}]*", template))


def _is_id(attribute: Attribute, meaning: str) -> bool:
    return (
        meaning in ("id", "code") or attribute.name.lower() in ("key", "ref") or attribute.name.lower().endswith("id")
    )


def _hinted(attribute: Attribute) -> str:
    """An id in the description: `e.g. C1001`."""
    found = re.search(r"(?:e\.g\.|such as|like)[,:]? [\"'`]?([A-Za-z]{1,5}[-_]?\d{2,9})\b", attribute.description)
    return found.group(1) if found else ""


def _pattern(example: str) -> tuple[str, int] | None:
    """`C1001` -> (`C{:04d}`, 1001)."""
    found = re.fullmatch(r"([A-Za-z]{1,12}[-_]?)(\d{1,9})", example)
    return (f"{found[1]}{{:0{len(found[2])}d}}", int(found[2])) if found else None


def _start(template: str, shown: list[JsonValue]) -> int:
    numbers = [n for value in shown if (n := template_number(template, value)) is not None]
    return max(1, min(numbers)) if numbers and min(numbers) < 10**9 else 1


def _integers(attribute: Attribute, count: int, shown: list[JsonValue]) -> Iterator[int]:
    known = [v for v in shown if isinstance(v, int)]
    low = math.ceil(attribute.minimum) if attribute.minimum is not None else 1
    first = max(low, min(known)) if known and 0 < min(known) < 10**9 else max(low, 1)
    if attribute.maximum is not None and first + count - 1 > attribute.maximum:
        first = max(math.floor(attribute.maximum) - count + 1, low if attribute.minimum is not None else -(10**9))
    return iter(range(first, first + count))


# --- composite keys ---


def _composite(setting: Setting, entity: Entity, columns: list[Attribute], count: int) -> Iterator[Row]:
    pools = {a.name: _pool(setting, entity, a) for a in columns}
    closed = [a for a in columns if pools[a.name] is not None]
    free = [a for a in columns if pools[a.name] is None]
    draw = setting.draw(entity.name, "@key")
    combinations = _combinations([pools[a.name] or [] for a in closed])
    if not free:
        chosen = _spread(draw.shuffled(combinations))[:count]
        for values in sorted(chosen, key=combinations.index):
            yield dict(zip((a.name for a in columns), values, strict=True))
        return
    order = draw.shuffled(combinations)
    served = order[: max(1, -(-count * 2 // 3))]
    wanted = [served[i % len(served)] if served else () for i in range(count)]
    texts = {a.name: _free(setting, entity, a, count) for a in free}
    running: dict[str, int] = {}
    for i, values in enumerate(sorted(wanted, key=combinations.index)):
        row: Row = dict(zip((a.name for a in closed), values, strict=True))
        place = running[repr(values)] = running.get(repr(values), -1) + 1
        row.update({a.name: texts[a.name][place if a.type is ColumnType.INTEGER else i] for a in free})
        yield {a.name: row[a.name] for a in columns}


def _pool(setting: Setting, entity: Entity, attribute: Attribute) -> list[JsonValue] | None:
    """All values of a column that has few; None where it can have any."""
    parent = parent_entity(setting.world, attribute)
    if parent is not None and parent.name in setting.rows:
        return touchable(setting, parent)
    choices: list[JsonValue] = [v for v in attribute.enum if v is not None]
    if choices and attribute.type is not ColumnType.JSON:
        return choices
    if attribute.type is ColumnType.BOOLEAN:
        return [True, False]
    low, high = attribute.minimum, attribute.maximum
    if attribute.type is ColumnType.INTEGER and low is not None and high is not None and high - low < 500:
        return list(range(math.ceil(low), math.floor(high) + 1))
    if attribute.type is ColumnType.REAL and low is not None and low == high:
        return [low]
    return None


def _free(setting: Setting, entity: Entity, attribute: Attribute, count: int) -> list[JsonValue]:
    if attribute.type is ColumnType.INTEGER:
        return list(_integers(attribute, count, [e for e in attribute.examples if accepts(attribute, e)]))
    unique = attribute.model_copy(update={"unique": True})
    return column_values(setting, entity, unique, Facts(setting, entity, [None] * count), count)


def _combinations(pools: list[list[JsonValue]]) -> list[tuple[JsonValue, ...]]:
    return list(itertools.islice(itertools.product(*pools), MOST_COMBINATIONS))


def _spread(combinations: list[tuple[JsonValue, ...]]) -> list[tuple[JsonValue, ...]]:
    """The same combinations, each first value once before any comes again."""
    seen: dict[str, int] = {}
    ranked = []
    for values in combinations:
        seen[repr(values[0])] = seen.get(repr(values[0]), 0) + 1
        ranked.append((seen[repr(values[0])], values))
    return [values for _, values in sorted(ranked, key=lambda entry: entry[0])]
