"""The last pass over the drafts: keys, references, statuses, labels, in the order in which each needs the others.

Invariant: afterwards a draft can be frozen: it has a key, and every reference has a target. Not covered: tables that no
tool is about (`synthesize`).
"""

from __future__ import annotations

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.keys import TEXT_SHAPE, settle_key, settle_template
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.references import (
    promote_references,
    settle_containers,
    settle_owner,
    settle_senders,
    type_references,
)
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.shapes import Shape
from autoforge.generator.rules.statuses import settle_status
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import snake

__all__ = ["finish_entities"]

_LABELS = (
    "name",
    "title",
    "subject",
    "label",
    "username",
    "symbol",
    "full_name",
    "display_name",
    "nombre",
    "titulo",
    "titel",
    "bezeichnung",
    "nom",
    "titre",
    "description",
    "email",
    "code",
)


def finish_entities(
    cast: Cast, readings: list[Reading], roles: dict[str, list[Role]], clues: dict[str, list[Clue]]
) -> None:
    """Decide keys, then statuses, then what an entity needs to be told apart by."""
    by_entity: dict[str, list[Reading]] = {name: [] for name in cast.entities}
    for reading in readings:
        entity = cast.of_tool[reading.tool.name]
        if entity is not None:
            by_entity[entity].append(reading)
    for name, draft in cast.entities.items():
        if not draft.key:
            settle_key(cast, draft, by_entity[name], roles)
        elif draft.given and not draft.singleton and len(draft.key) == 1:
            settle_template(
                cast,
                draft,
                draft.key[0],
                [r for r in by_entity[name] if r.verb.kind in (VerbClass.CREATE, VerbClass.ADD, VerbClass.SEND)],
                roles,
            )
    for name, draft in cast.entities.items():
        type_references(cast, draft)
        settle_status(draft, by_entity[name], clues)
        _settle_variant(cast, draft)
        _settle_stamps(draft, by_entity[name], roles)
        _settle_label(draft)
    promote_references(cast, roles)
    settle_containers(cast, readings, roles)
    settle_senders(cast, readings)
    settle_owner(cast)
    _unique(cast, clues)


def _settle_variant(cast: Cast, draft: EntityDraft) -> None:
    kinds = cast.variants.get(draft.name)
    if kinds:
        attribute = draft.column(f"{draft.name}_type", TEXT_SHAPE, f"Kind of {draft.name.replace('_', ' ')}")
        attribute.enum, attribute.nullable = list(kinds), False


def _settle_stamps(draft: EntityDraft, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    """`run_task_now(task_id)` changes no value of the row but when it last ran."""
    for reading in readings:
        mine = roles[reading.tool.name]
        if reading.verb.kind is VerbClass.RUN and any(r.role == "key" for r in mine):
            word = snake(reading.verb.word)
            draft.column(
                f"last_{word}_at",
                Shape(ColumnType.DATETIME, True, {"type": "string", "format": "date-time"}, False),
                f"When it was last made to {word}",
            )
            draft.column(
                f"{word}_count",
                Shape(ColumnType.INTEGER, False, {"type": "integer", "minimum": 0}, False),
                f"How often it was made to {word}",
            ).default = 0


def _settle_label(draft: EntityDraft) -> None:
    """Rows need something beside the key to be told apart by."""
    draft.label = next(
        (n for n in _LABELS if n in draft.attributes and draft.attributes[n].type is ColumnType.TEXT), None
    )
    plain = [a for a in draft.attributes.values() if a.name not in draft.key and a.type is not ColumnType.JSON]
    if (
        draft.label is None
        and not draft.given
        and not draft.singleton
        and len(plain) < 2
        and not any(a.references for a in plain)
    ):
        draft.label = draft.column("name", TEXT_SHAPE, f"Name of the {draft.name.replace('_', ' ')}").name
    if draft.singleton and not plain:
        draft.column("name", TEXT_SHAPE, f"Name of the {draft.name.replace('_', ' ')}")


def _unique(cast: Cast, clues: dict[str, list[Clue]]) -> None:
    for tool, found in clues.items():
        entity = cast.of_tool.get(tool)
        for clue in found:
            if clue.kind == "unique" and entity and (clue.field or clue.subject):
                known, words = cast.entities[entity].attributes, snake(clue.field or clue.subject)
                bare = words.removeprefix(f"{entity}_")  # “zone names are unique”
                attribute = known.get(words) or known.get(bare) or known.get(words.rsplit("_", 1)[0])  # “email address”
                attribute = attribute or known.get(bare.rsplit("_", 1)[0])
                if attribute is not None and attribute.type is not ColumnType.JSON:
                    attribute.unique = True
