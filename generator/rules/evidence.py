"""The user's own data as evidence: its entities come first, and what the documentation adds must fit beside its rows.

Invariant: tables, columns, types and keys of the data stay as they are; a column that the data lacks is nullable or has
a default, and an enum is widened by documented values, never narrowed. Not covered: reading the data (`data`), its rows
(`seed`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from autoforge.generator.data import DataSample
from autoforge.generator.ir import Attribute, ColumnKind, Entity
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.drafts import AttributeDraft, EntityDraft
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import singular, split_words

__all__ = ["Admitted", "admit_data", "known_nouns"]

_LOGGED_IN = ("authenticated", "logged_in", "is_authenticated", "is_logged_in", "login_status")
_CURRENT = ("current_user", "current_user_id", "logged_in_user", "user_id", "username", "current_username")


class Admitted(NamedTuple):
    """How the data's entities are called in the world."""

    entity_of: dict[str, str]
    """Name in the sample → name in the world; they differ for the session only."""
    names: dict[str, dict[str, str]]
    """World entity → column → name in the data."""


def known_nouns(sample: DataSample | None) -> dict[str, set[str]]:
    """Entity → further nouns by which tools may speak of it: `account_info` → account, `watch_list` → watchlist."""
    if sample is None:
        return {}
    nouns: dict[str, set[str]] = {}
    taken = {e.name for e in sample.entities}
    for entity in sample.entities:
        words = [singular(w) for w in split_words(entity.name)]
        table = [singular(w) for w in split_words(entity.table)]
        others = {"".join(words), "_".join(table), "".join(table)}
        if words[-1] in ("info", "data", "queue", "list", "map", "history", "record", "detail", "table", "store"):
            others.add("_".join(words[:-1]) or words[-1])
        if sum(e.name.split("_")[-1] == words[-1] for e in sample.entities) == 1:
            others.add(words[-1])
        nouns[entity.name] = {o for o in others if o and o not in taken}
    return nouns


def admit_data(cast: Cast, sample: DataSample | None, readings: list[Reading]) -> Admitted:
    """Turn the sample's entities into drafts; called when the cast is made and sessions are known."""
    if sample is None:
        return Admitted({}, {})
    entity_of = {e.name: e.name for e in sample.entities}
    session = _session_entity(sample, readings) if "session" in cast.entities else None
    if session is not None:
        entity_of[session.name] = "session"
        cast.entities.pop(session.name, None)
    for entity in sample.entities:
        draft = cast.add(entity_of[entity.name])
        _admit(draft, entity, entity_of)
        shown = [row[entity.key[0]] for row in sample.rows.get(entity.name, ())[:3] if entity.key[0] in row]
        draft.attributes[entity.key[0]].examples.extend(v for v in shown if isinstance(v, str | int))
    for link in sample.links:
        cast.members[(entity_of[link.entity], entity_of[link.target])] = link.column
    return Admitted(entity_of, {entity_of[e]: names for e, names in sample.names.items()})


def _session_entity(sample: DataSample, readings: list[Reading]) -> Entity | None:
    """The single row that says who is logged in."""
    if not any(r.verb.kind in (VerbClass.LOGIN, VerbClass.LOGOUT) for r in readings):
        return None
    for entity in sample.entities:
        names = {a.name for a in entity.attributes}
        if entity.singleton and names & {*_LOGGED_IN, "current_user", "current_user_id"}:
            return entity
    return None


def _admit(draft: EntityDraft, entity: Entity, entity_of: dict[str, str]) -> None:
    draft.given = True
    draft.table_name = entity.table
    draft.key, draft.singleton, draft.label, draft.status = entity.key, entity.singleton, entity.label, entity.status
    if "data" not in draft.evidence:
        draft.evidence.append("data")
    for attribute in entity.attributes:
        evidence_only = attribute if attribute.name == entity.status else attribute.model_copy(update={"enum": ()})
        draft.attributes[attribute.name] = _attribute(evidence_only, entity_of, draft.attributes.get(attribute.name))
    if draft.name == "session":
        _name_session(draft)


def _attribute(given: Attribute, entity_of: dict[str, str], before: AttributeDraft | None) -> AttributeDraft:
    made = AttributeDraft(
        given.name, given.type, nullable=given.nullable, description=given.description, enum=list(given.enum),
        default=given.default, references=entity_of.get(given.references or "", given.references), unique=given.unique,
        kind=None if given.kind is ColumnKind.KEY else given.kind,
        schema=dict(given.item_schema) if given.item_schema else None, evidence=["data"], fixed_type=True, given=True,
    )  # fmt: skip
    if before is not None:
        made.enum.extend(v for v in before.enum if v not in made.enum)
        made.description = made.description or before.description
    return made


def _name_session(draft: EntityDraft) -> None:
    """Sessions are found by the columns `logged_in` and the reference to a person; the data may have its own names for
    them.
    """
    flag = next((n for n in _LOGGED_IN if n in draft.attributes and draft.attributes[n].given), None)
    if flag is not None:
        draft.flag = flag
        draft.attributes.pop("logged_in", None)
    if any(a.given and a.references for a in draft.attributes.values()):
        draft.attributes.pop("user_id", None)
    person = next((n for n in _CURRENT if n in draft.attributes and re.search(r"user", n)), None)
    if person is not None and flag is not None and draft.attributes[person].references is None:
        draft.attributes[person].nullable = True
