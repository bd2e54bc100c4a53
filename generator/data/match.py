"""Which column of the data a documented property means: candidates with reasons, best first.

Invariant: a candidate's type can hold the property, and its reason says what they have in common. Not covered: the
report (`place`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.generator.data.sample import DataSample
from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.rules.words import singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["Candidate", "Property", "candidates", "observed", "properties_of"]

_SYNONYMS = tuple(
    map(
        word_set,
        (
            "qty quantity amount count shares num", "email mail e_mail email_address",
            "phone telephone mobile phone_number", "desc description details", "symbol ticker",
            "category type kind", "cost price", "text message body content", "timestamp time datetime",
            "surname last_name family_name", "state status", "zip zip_code postcode postal_code",
            "start_date from_date", "end_date to_date until",
        ),
    )
)  # fmt: skip
_BOUNDS = word_set(
    "min max minimum maximum from to after before since until new old current updated total final initial start end"
)
_VAGUE = word_set(
    "id name status state message type kind result success count total amount value description title text date time"
)
"""Names that mean a column only where the tool speaks of its table."""
_LISTS = word_set("list lists filtered available matching results all found")
_ROLES = word_set(
    "sender receiver recipient author creator assignee owner requester participant contact member user customer"
)
_PEOPLE = word_set("user customer member employee client patient student person contact agent")
_HOLDS: Mapping[str, frozenset[ColumnType]] = {
    "integer": frozenset((ColumnType.INTEGER, ColumnType.REAL, ColumnType.TEXT, ColumnType.JSON)),
    "number": frozenset((ColumnType.INTEGER, ColumnType.REAL, ColumnType.JSON)),
    "boolean": frozenset((ColumnType.BOOLEAN, ColumnType.JSON)),
    "string": frozenset(set(ColumnType) - {ColumnType.BOOLEAN}),
}
MOST = 3
"""Candidates kept for one property."""


class Property(NamedTuple):
    """A parameter, or a property somewhere inside an output."""

    name: str
    path: str
    """`orders[].items[].sku`."""
    schema: Mapping[str, Any]
    around: tuple[str, ...] = ()
    """Names of the objects and lists that hold it."""


class Candidate(NamedTuple):
    entity: str
    column: str | None
    """None where the property is a whole row, or several."""
    reason: str
    score: int


def properties_of(schema: Mapping[str, Any] | None, path: str = "", around: tuple[str, ...] = ()) -> Iterator[Property]:
    """Every named property of an object schema, the outer ones first."""
    for name, member in ((schema or {}).get("properties") or {}).items():
        here = f"{path}.{name}" if path else name
        if isinstance(member, Mapping):
            yield Property(name, here, member, around)
            yield from _inside(member, here, (*around, name))


def _inside(schema: Mapping[str, Any], path: str, around: tuple[str, ...]) -> Iterator[Property]:
    items = schema.get("items")
    if len(around) > 6:
        return
    if isinstance(items, Mapping):
        yield from _inside(items, path + "[]", around)
    else:
        yield from properties_of(schema, path, around)


def observed(sample: DataSample, entity: str, column: str) -> dict[JsonValue, None]:
    """The distinct texts of a column."""
    return dict.fromkeys(v for row in sample.rows[entity] if isinstance(v := row[column], str))


def candidates(sample: DataSample, prop: Property, context: str, given: bool = True) -> list[Candidate]:
    """Columns (or whole rows) that the property may mean; `context` is the tool's name, `given` says that it is a
    parameter."""
    spoken = _stems([context, *prop.around])
    doubt = 0 if prop.name.lower() not in _VAGUE else -1 if given else -2
    found: dict[tuple[str, str | None], Candidate] = {}
    for entity in sample.entities:
        hidden = sample.hidden[entity.name]
        for candidate in _of_entity(sample, entity, prop):
            if candidate.column in hidden:
                continue
            near = any(noun <= spoken for noun in _subjects(entity))
            best = candidate._replace(score=candidate.score + (1 if near else doubt))
            known = found.get((entity.name, candidate.column))
            if known is None or known.score < best.score:
                found[entity.name, candidate.column] = best
    return sorted(found.values(), key=lambda c: -c.score)[:MOST]


def _subjects(entity: Entity) -> Iterator[set[str]]:
    """What a tool speaks of when it speaks of the entity: its noun, or the stem of its key (`order_id` of a
    transaction)."""
    yield set(entity.name.split("_"))
    stem = split_words(entity.key[0])[:-1]
    if stem and len(entity.key) == 1 and not entity.singleton:
        yield set(stem)


def _stems(names: Iterable[str]) -> set[str]:
    return {singular(w) for name in names for w in split_words(name)}


def _of_entity(sample: DataSample, entity: Entity, prop: Property) -> Iterator[Candidate]:
    words = split_words(prop.name)
    if not words:
        return
    nouns = _nouns(entity)
    key = entity.attribute(entity.key[0]) if len(entity.key) == 1 else None
    name = "_".join((*words[:-1], singular(words[-1])))
    named = name in nouns or _joined(words) in {n.replace("_", "") for n in nouns}
    if named and _kind(prop.schema) == "object":
        yield Candidate(entity.name, None, f"{prop.name} names the rows of {entity.table}", 4)
    if key is not None and (key.references is None or named) and _fits(prop.schema, key):
        yield from _by_key(entity, key, words, named, nouns, prop)
    for attribute in entity.attributes:
        if _fits(prop.schema, attribute):
            yield from _by_name(sample, entity, attribute, words, nouns, prop)


def _joined(words: Sequence[str]) -> str:
    """`watchlist`, `watch_list` and `filtered_stocks` without what makes them differ from their noun."""
    bare = [w for w in words if w not in _LISTS]
    return "".join((*bare[:-1], singular(bare[-1]))) if bare else ""


def _nouns(entity: Entity) -> set[str]:
    words = entity.table.split("_")
    return {entity.name, "_".join([*words[:-1], singular(words[-1])])}


def _by_key(
    entity: Entity, key: Attribute, words: Sequence[str], named: bool, nouns: set[str], prop: Property
) -> Iterator[Candidate]:
    if named:
        yield Candidate(entity.name, key.name, f"{prop.name} names a row of {entity.table} by its key", 3)
        label = entity.attribute(entity.label) if entity.label else None
        if (
            label is not None
            and label is not key
            and set(split_words(label.name)) <= set(split_words(str(prop.schema.get("description", ""))))
        ):
            yield Candidate(
                entity.name, label.name, f"{prop.name} names a row of {entity.table} by its {label.name}", 4
            )
    if tuple(words) == ("id",):
        yield Candidate(entity.name, key.name, f"the key of {entity.table}", 3)
    stem = "_".join(words[:-1])
    if len(words) > 1 and words[-1] in ("id", "ids", "key") and any(stem == n or stem.endswith("_" + n) for n in nouns):
        yield Candidate(entity.name, key.name, f"{prop.name} is the key of {entity.table}", 5 if stem in nouns else 3)
    role = len(words) > 1 and words[-1] in ("id", "ids") and words[-2] in _ROLES
    if role and not _PEOPLE.isdisjoint(nouns):
        yield Candidate(entity.name, key.name, f"{prop.name} names a {entity.name} by its role", 2)


def _by_name(
    sample: DataSample, entity: Entity, attribute: Attribute, words: Sequence[str], nouns: set[str], prop: Property
) -> Iterator[Candidate]:
    own = split_words(attribute.name)
    original = sample.names[entity.name].get(attribute.name, attribute.name)
    documented = [v for v in prop.schema.get("enum") or () if isinstance(v, str)]
    held = observed(sample, entity.name, attribute.name) if documented and attribute.type is ColumnType.TEXT else {}
    shared = sum(v in held for v in documented)
    bonus = 2 if shared else 0
    told = f", and {shared} of its values are in the data" if shared else ""
    plain = tuple(w for w in words if w not in _BOUNDS)
    if prop.name == original or words == own:
        yield Candidate(entity.name, attribute.name, f"the same name{told}", 3 + bonus)
    elif any("_".join(words) == f"{n}_{'_'.join(own)}" for n in nouns):
        yield Candidate(
            entity.name, attribute.name, f"{prop.name} is {attribute.name} of {entity.table}{told}", 4 + bonus
        )
    elif _stem(words) == _stem(own):
        yield Candidate(entity.name, attribute.name, f"the same name but for the number{told}", 3 + bonus)
    elif plain and _timeless(plain) == _timeless(own):
        yield Candidate(entity.name, attribute.name, f"the same name but for its limits{told}", 2 + bonus)
    elif plain and 0 < len(own) - len(plain) <= 1 and own[-len(plain) :] == plain:
        yield Candidate(entity.name, attribute.name, f"{original} ends with {'_'.join(plain)}{told}", 1 + bonus)
    elif any({"_".join(plain or words), "_".join(own)} <= group for group in _SYNONYMS):
        yield Candidate(entity.name, attribute.name, f"{prop.name} and {original} mean the same{told}", 2 + bonus)
    elif shared and shared >= 0.5 * len(held):
        yield Candidate(entity.name, attribute.name, f"{shared} of its documented values are in the data", 2)


def _timeless(words: Sequence[str]) -> tuple[str, ...]:
    """`created_on` and `created_at` as `created`."""
    return (*words[:-1],) if len(words) > 1 and words[-1] in ("on", "at", "date", "time") else tuple(words)


def _stem(words: Sequence[str]) -> tuple[str, ...]:
    """Without number: `product_ids`, `product_id`, `products` … of one word list."""
    return (*words[:-1], singular(words[-1])) if words else ()


def _kind(schema: Mapping[str, Any]) -> str:
    kind = str(schema.get("type", ""))
    items = schema.get("items")
    return _kind(items) if kind == "array" and isinstance(items, Mapping) else kind


def _fits(schema: Mapping[str, Any], attribute: Attribute) -> bool:
    """Whether the column can hold the property, or a member of it where it is a list."""
    kind = _kind(schema)
    if kind in ("object", "array"):
        return attribute.type is ColumnType.JSON
    return kind not in _HOLDS or attribute.type in _HOLDS[kind]
