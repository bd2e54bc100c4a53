"""Foreign keys: what columns refer to, whose a row is, and to what a row belongs.

Invariant: a foreign key has the type of the key it holds. Not covered: keys themselves (`keys`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.keys import TEXT_SHAPE, all_roles
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.vocabulary import word_set

__all__ = ["promote_references", "settle_containers", "settle_owner", "settle_senders", "type_references"]


def type_references(cast: Cast, draft: EntityDraft) -> None:
    """A foreign key has the type of the key it holds, and refers only to entities with one column as key."""
    for attribute in draft.attributes.values():
        if attribute.references is None and attribute.name not in draft.key and attribute.type is ColumnType.TEXT:
            attribute.references = _named_in(cast, draft, attribute.description)
        target = cast.entities.get(attribute.references or "")
        if attribute.references is None:
            continue
        if (
            target is None
            or len(target.key) != 1
            or attribute.type is ColumnType.JSON
            or (target.singleton and target.name != draft.name)
        ):
            attribute.references = None
            continue
        attribute.type = target.attributes[target.key[0]].type if target.key[0] in target.attributes else attribute.type
        attribute.enum = []


def _named_in(cast: Cast, draft: EntityDraft, description: str) -> str | None:
    """“The name of the entity where the relation starts”: a reference, where names are keys."""
    found = re.search(r"\bname of the (\w+)", description.lower())
    target = cast.find((found.group(1),)) if found else None
    return target if target is not None and target != draft.name and cast.entities[target].key == ("name",) else None


_GENERIC = word_set("id name title path code number url email date index label value type slug key")


def promote_references(cast: Cast, roles: dict[str, list[Role]]) -> None:
    """`order.symbol` holds what `stock` is keyed by; `ticket.created_by` names a person."""
    natural = {
        d.key[0]: d.name
        for d in cast.entities.values()
        if len(d.key) == 1 and not d.singleton and d.key[0] not in _GENERIC and not d.attributes[d.key[0]].references
    }
    person = cast.person()
    for draft in cast.entities.values():
        for attribute in draft.attributes.values():
            if (
                attribute.references
                or attribute.name in draft.key
                or attribute.enum
                or attribute.type not in (ColumnType.TEXT, ColumnType.INTEGER)
            ):
                continue
            target = natural.get(attribute.name)
            if (
                target is None
                and person
                and draft.name != person
                and attribute.name
                in ("created_by", "owner", "author", "assignee", "assigned_to", "sender", "recipient", "receiver")
            ):
                target = person
            if (
                target is not None
                and target != draft.name
                and cast.entities[target].key
                and cast.entities[target].attributes[cast.entities[target].key[0]].type is attribute.type
            ):
                attribute.references = target
    for tool, found in roles.items():
        own = cast.entities.get(cast.of_tool.get(tool) or "")
        for role in all_roles(found):
            held = own.attributes.get(role.column or "") if own is not None else None
            if held is not None and held.references and role.role in ("value", "filter") and not role.many:
                role.role, role.entity = "reference", held.references


def settle_containers(cast: Cast, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    """A row that is reached through another (`/boards/{board_id}/cards/{card_id}`) belongs to one: without it nobody
    could ask for it.
    """
    for reading in readings:
        draft, http = cast.entities.get(cast.of_tool[reading.tool.name] or ""), reading.tool.http
        mine = roles[reading.tool.name]
        if draft is None or draft.given or not any(r.role == "key" and not r.many for r in mine):
            continue
        for role in mine:
            attribute = draft.attributes.get(role.column or "")
            inside = (http is not None and role.name in http.path_parameters) or (
                http is None and role.required and reading.verb.kind is VerbClass.GET
            )
            if role.role != "reference" or attribute is None or not inside or role.many or role.entity == draft.name:
                continue
            back = cast.entities[role.entity].attributes.values() if role.entity in cast.entities else ()
            if attribute.references == role.entity and not any(
                a.references == draft.name and not a.nullable for a in back
            ):
                attribute.nullable = False


def settle_senders(cast: Cast, readings: list[Reading]) -> None:
    """Who sends is who is logged in: a message to somebody is also from somebody."""
    person = cast.person()
    if "session" not in cast.entities or person is None:
        return
    for reading in readings:
        draft = cast.entities.get(cast.of_tool[reading.tool.name] or "")
        if draft is None or reading.verb.kind is not VerbClass.SEND or draft.name == person:
            continue
        mine = [a.name for a in draft.attributes.values() if a.references == person]
        if mine and all(re.search(r"receiver|recipient|^to", n) for n in mine):
            sender = draft.column("sender_id", TEXT_SHAPE, "Who sent it")
            sender.references, sender.type = person, draft.attributes[mine[0]].type


def settle_owner(cast: Cast) -> None:
    person = cast.person()
    for draft in cast.entities.values():
        if person is None or draft.name == person:
            continue
        mine = [a.name for a in draft.attributes.values() if a.references == person]
        draft.owner = next(
            (
                c
                for c in mine
                if c
                in (
                    "sender_id",
                    "owner_id",
                    "user_id",
                    "created_by",
                    "customer_id",
                    "author_id",
                    "member_id",
                    f"{person}_id",
                )
            ),
            mine[0] if mine else None,
        )
