"""The initial rows of a world: realistic, agreeing with each other, the same in every process.

Invariant: every row satisfies the schema that `emit.schema` writes for the world (types, limits, uniqueness,
references), whatever the world; all moments are relative to the world's clock. What makes rows worth choosing between
(namesakes, shared words, near-equal prices) comes from `people`, `places`, `titles` and `numbers`. Not covered: rows
that the user's own data give.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue

from autoforge.generator.emit.prepare import prepared
from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.generator.seed.coherence import settle
from autoforge.generator.seed.column import meaning_in
from autoforge.generator.seed.copies import copied_columns
from autoforge.generator.seed.edits import Editor
from autoforge.generator.seed.keys import key_rows
from autoforge.generator.seed.language import currency_of, language_of
from autoforge.generator.seed.owners import logged_in, share_with_session
from autoforge.generator.seed.people import named
from autoforge.generator.seed.plan import filling_order, key_order, lookup_columns, row_counts
from autoforge.generator.seed.quantities import spread_quantities
from autoforge.generator.seed.relations import fill_references, fill_trees, reference_values
from autoforge.generator.seed.setting import Facts, Row, Setting
from autoforge.generator.seed.states import empty_by_state, state_values, status_column
from autoforge.generator.seed.totals import sum_up
from autoforge.generator.seed.tree import tree_rows
from autoforge.generator.seed.values import accepts, column_values
from autoforge.generator.seed.witness import witness

__all__ = ["seed_rows"]


def seed_rows(
    world: World, *, seed: int, rows: int = 12, given: Mapping[str, Sequence[Row]] | None = None
) -> dict[str, list[dict[str, JsonValue]]]:
    """Initial rows by entity name, columns in the order of the attributes.

    `rows` is the general number per entity: those with children get fewer, those that only refer to others more;
    `Entity.seed_rows` overrides it. `given` are rows by entity name that are taken as they are, such as a user's
    data, with the columns that they lack filled; the other entities refer to them. JSON columns hold Python values.
    Raises BadInput for a world that no schema can hold.
    """
    setting = _setting(prepared(world), seed, max(1, rows), tree_rows(world, seed, given))
    for entity in key_order(setting.world):
        if entity.name not in setting.given:
            setting.rows[entity.name] = key_rows(setting, entity)
    for entity in filling_order(setting.world):
        if entity.name in setting.given:
            _complete(setting, entity)
        else:
            _fill(setting, entity)
    spread_quantities(setting)
    sum_up(setting)
    editor = Editor(setting)
    with logged_in(setting):
        share_with_session(editor)
        witness(editor)
    return {
        e.name: [{a.name: row[a.name] for a in e.attributes} for row in setting.rows[e.name]]
        for e in setting.world.entities
    }


def _setting(world: World, seed: int, rows: int, given: Mapping[str, Sequence[Row]]) -> Setting:
    language = language_of(world)
    clock = datetime.fromisoformat(world.clock).replace(microsecond=0, tzinfo=None)
    counts = row_counts(world, rows, {name: len(found) for name, found in given.items()})
    setting = Setting(
        world,
        seed,
        language,
        currency_of(world, language),
        clock,
        counts,
        lookup_columns(world),
        given=frozenset(given),
    )
    setting.rows.update({name: [dict(row) for row in found] for name, found in given.items()})
    return setting


def _complete(setting: Setting, entity: Entity) -> None:
    """Fill the columns that given rows lack: by their default, else empty where allowed, else as in other rows."""
    rows = setting.rows[entity.name]
    facts = Facts(setting, entity, [None] * len(rows))
    for attribute in entity.attributes:
        if all(attribute.name in row for row in rows):
            continue
        made: list[JsonValue] = [attribute.default] * len(rows)
        if attribute.default is None and not attribute.nullable and attribute.references is not None:
            made = reference_values(setting, entity, attribute, rows)
        elif attribute.default is None and not attribute.nullable:
            made = column_values(setting, entity, attribute, facts, len(rows))
        for row, value in zip(rows, made, strict=True):
            row.setdefault(attribute.name, value)


def _fill(setting: Setting, entity: Entity) -> None:
    rows = setting.rows[entity.name]
    if not rows:
        return
    fill_references(setting, entity, rows)
    status = status_column(entity)
    plain = [a for a in entity.attributes if a.references is None and a.name not in entity.key]
    if status is not None and status in plain:
        _put(setting, entity, status, rows, Facts(setting, entity, [None] * len(rows)))
    facts = Facts(setting, entity, state_values(entity, rows))
    _sort_by_age(setting, entity, rows, facts)
    fill_trees(setting, entity, rows)
    _know_people(setting, entity, facts)
    for attribute in plain:
        if attribute is not status:
            _put(setting, entity, attribute, rows, facts)
    for name, values in copied_columns(setting, entity, rows).items():
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    for attribute in plain:
        _show_examples(setting, entity, attribute, rows)
    settle(setting, entity, rows)
    empty_by_state(setting, entity, rows)


def _put(setting: Setting, entity: Entity, attribute: Attribute, rows: list[Row], facts: Facts) -> None:
    for row, value in zip(rows, column_values(setting, entity, attribute, facts, len(rows)), strict=True):
        row[attribute.name] = value


def _sort_by_age(setting: Setting, entity: Entity, rows: list[Row], facts: Facts) -> None:
    """Move what the rows hold so far so that later keys are younger, and remember when each was made."""
    if (
        len(entity.key) != 1
        or entity.singleton
        or any(a.name == entity.key[0] and a.references for a in entity.attributes)
    ):
        return
    histories = facts.histories()
    order = sorted(range(len(rows)), key=lambda i: histories[i].made)
    contents = [{name: value for name, value in rows[i].items() if name not in entity.key} for i in order]
    histories[:] = [histories[i] for i in order]
    for row, content, history in zip(rows, contents, histories, strict=True):
        row.update(content)
        setting.made[entity.name, repr(row[entity.key[0]])] = history.made


def _know_people(setting: Setting, entity: Entity, facts: Facts) -> None:
    """A documented name or address of a person is that of the first rows, so that their other columns fit it."""
    for attribute in sorted(entity.attributes, key=lambda a: meaning_in(setting, entity, a) == "person_name"):
        meaning = meaning_in(setting, entity, attribute)
        if meaning not in ("person_name", "email") or attribute.references is not None:
            continue
        shown = [e for e in attribute.examples if isinstance(e, str) and accepts(attribute, e)]
        known = shown if meaning == "person_name" else [_name_in(e) for e in shown if _name_in(e)]
        people = facts.people("") if known else []
        draw = setting.draw(entity.name, attribute.name, "@documented")
        for i, name in enumerate(known[: len(people)]):
            people[i] = named(draw, name, setting.language, setting.today)


def _name_in(address: str) -> str:
    """`maria.costa@example.com` -> `Maria Costa`; empty where the address holds no two words."""
    words = re.split(r"[._]", address.partition("@")[0])
    return (
        " ".join(word.capitalize() for word in words)
        if len(words) == 2 and all(w.isalpha() and len(w) > 1 for w in words)
        else ""
    )


def _show_examples(setting: Setting, entity: Entity, attribute: Attribute, rows: list[Row]) -> None:
    """Put what the documentation shows into the first rows that may hold it."""
    for i, example in enumerate([e for e in attribute.examples if accepts(attribute, e)][: len(rows)]):
        holder = next((j for j, row in enumerate(rows) if _same(row[attribute.name], example)), None)
        if holder is None and attribute.type is not ColumnType.BOOLEAN:
            rows[i][attribute.name] = example
            holder = i
        if holder is not None:
            setting.pinned.add((entity.name, holder, attribute.name))


def _same(value: JsonValue, example: JsonValue) -> bool:
    return value == example and type(value) is type(example)
