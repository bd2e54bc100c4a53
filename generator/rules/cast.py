"""The entities of a document while they are being found, and how ids name them.

Invariant: an alias never points to an alias. Not covered: which entities there are (`entities`) and which tool is about
which (`entity_of_tool`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autoforge.generator.rules.drafts import EntityDraft, noun_key
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, row_schema
from autoforge.generator.rules.words import ascii_word, singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["ATTRIBUTE_WORDS", "MONEY", "PERSONS", "PERSON_ROLES", "Cast", "id_stem", "parameter_names", "without_roles"]

ID_WORDS = word_set("id ids uuid uuids guid gid")


ROLE_WORDS = word_set(
    "parent source target destination dest from to new old current original my default primary root related "
    "linked preferred other origin requested selected main child first second sender receiver recipient owner "
    "assignee author creator origen destino nuevo nueva actual assigned reporting billing shipping"
)


PERSON_ROLES = word_set(
    "sender receiver recipient owner assignee author creator participant attendee follower approver reviewer buyer "
    "seller assigned"
)


PERSONS = (
    "user",
    "customer",
    "member",
    "employee",
    "person",
    "contact",
    "guest",
    "patient",
    "client",
    "student",
    "account",
    "agent",
    "usuario",
    "socio",
    "cliente",
)


ATTRIBUTE_WORDS = word_set(
    "status state title name description price priority balance date time position info history count progress "
    "stats statistics availability quantity rating score limit mode password email address role type level "
    "content metadata settings label text topic color size value url draft summary total version flag body "
    "subject login symbol code ticker username estado titulo nombre descripcion precio prioridad saldo fecha "
    "hora cantidad titel beschreibung preis datum zeit saldo titre prix solde deadline"
)


MONEY = word_set("fund money cash amount balance payment credit dinero fondo saldo geld guthaben argent")


def id_stem(name: str) -> tuple[str, ...] | None:
    """`forumChannelId` → (forum, channel); None where the name is no id. A bare `id` gives ()."""
    words = tuple(ascii_word(w) for w in split_words(name))
    if not words:
        return None
    if words[-1] in ID_WORDS:
        return words[:-1]
    if words[0] in ("id", "codigo") and len(words) > 1:
        return words[1:]
    if (
        len(words) == 1
        and len(words[0]) > 4
        and words[0].endswith("id")
        and words[0][:-2] in ("user", "order", "item", "account", "customer")
    ):
        return (words[0][:-2],)
    return None


def without_roles(stem: tuple[str, ...]) -> tuple[str, ...]:
    rest = tuple(w for w in stem if w not in ROLE_WORDS)
    return rest


@dataclass(slots=True)
class Cast:
    """All entity drafts, and which noun means which."""

    entities: dict[str, EntityDraft] = field(default_factory=dict)
    alias: dict[str, str] = field(default_factory=dict)
    of_tool: dict[str, str | None] = field(default_factory=dict)
    attribute_of_tool: dict[str, str] = field(default_factory=dict)
    """Tools about one attribute of their entity: `set_title`."""
    variants: dict[str, list[str]] = field(default_factory=dict)
    """Entity → kinds by which its tools tell rows apart: channel → text, forum."""
    variant_of_tool: dict[str, str] = field(default_factory=dict)
    identified: set[str] = field(default_factory=set)
    """Entities that some parameter names by an id."""
    loners: set[str] = field(default_factory=set)
    """Entities of which no tool tells one row from another: no id, no list."""
    members: dict[tuple[str, str], str] = field(default_factory=dict)
    """(holder, member) → JSON column of the holder that lists keys of the member, in the user's data."""
    children: dict[tuple[str, str], str] = field(default_factory=dict)
    """(entity, property) → entity of the rows in that list: (order, items) → order_item."""
    given_with: set[tuple[str, str]] = field(default_factory=set)
    """(child, parent) where a new child is made with the id of its parent: comments of a post."""
    record_of_tool: dict[str, str] = field(default_factory=dict)
    """Tools that act on one entity and answer with a record of another: transfer_money(account) → transaction."""
    edited_lists: dict[str, str] = field(default_factory=dict)
    """Tools that add to or take from a list inside rows that their items name → the list's column."""
    links: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Tools that put something into a collection or take it out → (collection, thing)."""

    special: dict[str, Any] = field(default_factory=dict)
    """Tools with fixed semantics of their own (`special`) → what they do."""
    kept: set[str] = field(default_factory=set)
    """Entities that such tools need, though no tool is named after them."""

    def add(self, name: str) -> EntityDraft:
        if name not in self.entities:
            self.entities[name] = EntityDraft(name)
        return self.entities[name]

    def find(self, words: tuple[str, ...] | list[str]) -> str | None:
        """The entity that a noun phrase names: whole, by alias, without role words, by its head."""
        if not words:
            return None
        for phrase in (tuple(words), without_roles(tuple(words))):
            if not phrase:
                continue
            name = noun_key(phrase)
            for known in (name, name.replace("_", "")):
                if known in self.entities:
                    return known
                if known in self.alias:
                    return self.alias[known]
        if words[-1] not in ATTRIBUTE_WORDS and len(words) > 1:
            return self.find(tuple(words)[-1:])
        return None

    def find_longer(self, words: tuple[str, ...] | list[str]) -> str | None:
        """The one entity whose name begins with the phrase: checklist → checklist_item."""
        longer = [e for e in self.entities if e.startswith(noun_key(tuple(words)) + "_")]
        return longer[0] if len(longer) == 1 else None

    def person(self) -> str | None:
        return next((p for p in PERSONS if p in self.entities), None)

    def by_parameter(self, name: str) -> str | None:
        """The entity whose key or label a parameter of this name holds."""
        stem = id_stem(name)
        if stem is None:
            words = tuple(singular(ascii_word(w)) for w in split_words(name))
            whole = noun_key(words)
            found = whole if whole in self.entities else self.alias.get(whole) if whole not in ATTRIBUTE_WORDS else None
            return found if found not in self.loners else None
        found = self.find(tuple(singular(w) if i == len(stem) - 1 else w for i, w in enumerate(stem)))
        if found is None and stem and stem[-1] in PERSON_ROLES:
            return self.person()
        return found


def parameter_names(reading: Reading) -> list[str]:
    names: list[str] = []
    for name, schema in properties_of(reading.tool.input_schema).items():
        names.append(name)
        names.extend(properties_of(row_schema(schema) or schema))
    return names
