"""Which things the tools are about: entities, their aliases, and the entity of each tool.

Invariant: every reading ends with an entity, or with none when its text names nothing that could be stored; an alias
never points to an alias. Not covered: attributes (`roles`, `outputs`), keys (`keys`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from autoforge.generator.rules.computations import computes_alone
from autoforge.generator.rules.drafts import EntityDraft, noun_key
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, row_schema, shape_of
from autoforge.generator.rules.word_tables import word_set
from autoforge.generator.rules.words import Verb, VerbClass, ascii_word, singular, snake, split_words

__all__ = ["ATTRIBUTE_WORDS", "Cast", "cast_entities", "id_stem"]

_NOT_THINGS = word_set(
    "external last knowledge unique internal public global local request correlation import idempotency api "
    "client_request trace"
)
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
_STORING = frozenset({
    VerbClass.CREATE, VerbClass.LIST, VerbClass.SEARCH, VerbClass.DELETE, VerbClass.UPDATE, VerbClass.STATE,
    VerbClass.GET, VerbClass.SEND, VerbClass.ADD, VerbClass.REMOVE, VerbClass.COUNT,
})  # fmt: skip
MONEY = word_set("fund money cash amount balance payment credit dinero fondo saldo geld guthaben argent")
_CONTAINERS = word_set(
    "data result results item items response payload body request input object value values list rows entries "
    "output content"
)


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


def cast_entities(readings: list[Reading], known: dict[str, set[str]] | None = None) -> Cast:
    """Find the entities of all tools. `known` are entities that data already gave: name → further names."""
    cast = Cast()
    for name, others in (known or {}).items():
        cast.add(name).evidence.append("data")
        cast.alias.update({other: name for other in others if other not in cast.entities})
    for reading in readings:
        if (
            reading.verb.kind is VerbClass.ADD
            and reading.head in MONEY
            and not any(id_stem(p) for p in _parameter_names(reading))
        ):
            reading.verb = Verb(reading.verb.word, VerbClass.TRANSFER)  # `add_funds(amount)`
    stems = _stems(readings)
    _add_strong(cast, readings, stems)
    cast.identified = {found for stem in stems if (found := cast.find(stem))}
    for reading in readings:
        cast.of_tool[reading.tool.name] = (
            None if _asks_clock(reading) or computes_alone(reading) else _entity_of(cast, reading)
        )
    for reading in readings:
        if cast.of_tool[reading.tool.name] is None and not _asks_clock(reading) and not computes_alone(reading):
            cast.of_tool[reading.tool.name] = _adopt(cast, readings, reading)
    _follow_titles(cast, readings)
    _reconsider(cast, readings)
    _follow_results(cast, readings)
    _follow_outputs(cast, readings)
    _merge_plurals(cast, readings)
    _merge_unnamed_stems(cast, readings, stems)
    _note_variants(cast, readings)
    listed = {
        cast.of_tool[r.tool.name] for r in readings if r.many or r.verb.kind in (VerbClass.LIST, VerbClass.SEARCH)
    }
    cast.loners = {
        e
        for e in cast.entities
        if e not in cast.identified and e not in listed and "data" not in cast.entities[e].evidence
    }
    return cast


def _merge_plurals(cast: Cast, readings: list[Reading]) -> None:
    """`termine_suchen` beside `termin_id`, `cercare_prenotazioni` beside `prenotazione_id`: plurals that only reading tools use."""
    for own in [e for e in cast.entities if e not in cast.identified and "data" not in cast.entities[e].evidence]:
        mine = [r.verb.kind for r in readings if cast.of_tool[r.tool.name] == own]
        if not mine or any(k not in (VerbClass.LIST, VerbClass.SEARCH, VerbClass.COUNT, VerbClass.GET) for k in mine):
            continue
        plain = _without_umlauts(own)
        one = next((e for e in cast.entities if e != own and e in cast.identified and plain in _plurals(_without_umlauts(e))), None)
        if one is not None:
            _rename(cast, own, one)


def _without_umlauts(word: str) -> str:
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def _plurals(word: str) -> set[str]:
    """German and Italian plurals of a word."""
    return {word + ending for ending in ("e", "en", "n", "er")} | ({word[:-1] + "i", word[:-1] + "e"} if word[-1] in "aoe" else set()) - {word}


def _reconsider(cast: Cast, readings: list[Reading]) -> None:
    """`mark_task_done`: “Marks a checklist item as done.” Where the sentence names another entity and not the tool's,
    it is believed.
    """
    compound = {e: tuple(e.split("_")) for e in cast.entities if "_" in e}
    for reading in readings:
        own = cast.of_tool[reading.tool.name]
        words = [singular(w) for w in split_words(reading.tool.description.split(".")[0])]
        if own is None or own.split("_")[-1] in words or own in cast.identified:
            continue
        named = [
            e
            for e, parts in compound.items()
            if any(tuple(words[i : i + len(parts)]) == parts for i in range(len(words)))
        ]
        if (
            len(named) == 1
            and named[0] != own
            and reading.verb.kind not in (VerbClass.CREATE, VerbClass.LIST, VerbClass.SEARCH)
        ):
            cast.of_tool[reading.tool.name] = named[0]


_WRAPPERS = word_set(
    "response request result wrapper list body page collection data summary detail payload envelope input output "
    "model dto params"
)


def _titles(cast: Cast, reading: Reading) -> str | None:
    """The named schema that a tool answers with or takes: `#/components/schemas/Attribute` → attribute."""
    output = reading.tool.output_schema or {}
    inner = next((s for n, s in properties_of(output).items() if n in _CONTAINERS), output)
    items = inner.get("items") if inner.get("type") == "array" else inner
    title = items.get("title") if isinstance(items, dict) else None
    title = title or (reading.tool.http.body_title if reading.tool.http is not None else None)
    words = split_words(str(title).rsplit(".", 1)[-1]) if title else ()
    return snake(noun_key(words)) if words and words[-1] not in _WRAPPERS and len(words) <= 3 else None


def _follow_titles(cast: Cast, readings: list[Reading]) -> None:
    """Where an API names its schemas, these name its entities: `/attributes/computed` handles Attributes."""
    titles = {r.tool.name: t for r in readings if r.tool.http is not None and (t := _titles(cast, r))}
    known = set(titles.values())
    for own in [e for e in cast.entities if e not in known]:
        mine = [titles.get(r.tool.name) for r in readings if cast.of_tool[r.tool.name] == own]
        named = Counter(t for t in mine if t)
        if not named:
            continue
        title, count = named.most_common(1)[0]
        if count * 2 > len(mine) and (
            title in cast.entities or title.endswith("_" + own) or own.endswith("_" + title) or count >= 2
        ):
            cast.add(title)
            _rename(cast, own, title)
            if own in cast.identified:
                cast.identified.add(title)


_RESULTS = {
    "book": "booking", "reserve": "reservation", "order": "order", "buy": "purchase", "purchase": "purchase",
    "rent": "rental", "borrow": "loan", "enroll": "enrollment", "enrol": "enrolment", "register": "registration",
    "prestar": "prestamo", "reservar": "reserva", "alquilar": "alquiler",
}  # fmt: skip


def _follow_results(cast: Cast, readings: list[Reading]) -> None:
    """`reservar_libro(id_socio, id_libro)` makes no book but a reservation: the entity that the verb makes, of a row
    that exists.
    """
    for reading in readings:
        own = cast.of_tool[reading.tool.name]
        required = reading.tool.input_schema.get("required", [])
        takes_own = any(id_stem(p) is not None and cast.by_parameter(p) == own for p in required)
        if own is None or reading.verb.kind is not VerbClass.CREATE or not takes_own:
            continue
        stem = reading.verb.word[:5]
        made = next((e for e in cast.entities if e != own and e.startswith(stem)), None) or _RESULTS.get(
            reading.verb.word
        )
        if made is not None and made != own:
            cast.of_tool[reading.tool.name] = cast.add(made).name
            cast.attribute_of_tool.pop(reading.tool.name, None)


def _follow_outputs(cast: Cast, readings: list[Reading]) -> None:
    """`search_nodes` returns `entities`: a noun that nothing else supports gives way to the entity that comes out."""
    uses = Counter(cast.of_tool.values())
    for reading in readings:
        own = cast.of_tool[reading.tool.name]
        if (
            own is None
            or own in cast.identified
            or reading.verb.kind not in (VerbClass.GET, VerbClass.LIST, VerbClass.SEARCH, VerbClass.CREATE)
        ):
            continue
        lists = [
            noun_key(split_words(n)) for n, s in properties_of(reading.tool.output_schema).items() if row_schema(s)
        ]
        known = [e for e in lists if e in cast.entities and uses[e] > 0]
        if (
            known
            and own not in known
            and all(
                cast.of_tool[r.tool.name] != own
                or r.verb.kind not in (VerbClass.ADD, VerbClass.DELETE, VerbClass.UPDATE)
                for r in readings
            )
        ):
            cast.of_tool[reading.tool.name] = known[0]


def _asks_clock(reading: Reading) -> bool:
    return (
        bool(reading.nouns)
        and set(reading.nouns) <= {"time", "date", "datetime", "clock", "now"}
        and not properties_of(reading.tool.input_schema)
    )


def _parameter_names(reading: Reading) -> list[str]:
    names: list[str] = []
    for name, schema in properties_of(reading.tool.input_schema).items():
        names.append(name)
        names.extend(properties_of(row_schema(schema) or schema))
    return names


def _stems(readings: list[Reading]) -> Counter[tuple[str, ...]]:
    """Nouns in front of `id` in parameters, with how often; a path's bare `{id}` counts for its segment."""
    counts: Counter[tuple[str, ...]] = Counter()
    for reading in readings:
        for name in _parameter_names(reading):
            stem = id_stem(name)
            if stem:
                bare = without_roles(stem)
                role_only = bare in {(p,) for p in PERSON_ROLES} and not any(
                    bare[-1] in r.nouns and r.verb.kind not in (VerbClass.ADD, VerbClass.REMOVE) for r in readings
                )
                if bare and bare[-1] not in _NOT_THINGS and not role_only:
                    counts[(*bare[:-1], singular(bare[-1]))] += 1
        if reading.tool.http is not None:
            counts.update(_path_stems(reading))
    return counts


def _path_stems(reading: Reading) -> list[tuple[str, ...]]:
    assert reading.tool.http is not None
    parts = [p for p in reading.tool.http.path.split("/") if p]
    found = []
    for before, part in pairwise(parts):
        if part.startswith(("{", ":")) and not before.startswith(("{", ":")):
            words = split_words(before)
            if words:
                found.append((*words[:-1], singular(words[-1])))
    return found


def _add_strong(cast: Cast, readings: list[Reading], stems: Counter[tuple[str, ...]]) -> None:
    """Entities that have an id of their own, or a tool that stores or lists them by a plain noun."""
    exact = {noun_key(r.nouns) for r in readings}
    for stem, _ in sorted(stems.items(), key=lambda kv: len(kv[0])):
        name = noun_key(stem)
        head = noun_key(stem[-1:])
        own_tools = any(
            noun_key(r.nouns) == name and any(id_stem(p) in (stem, ()) for p in _parameter_names(r)) for r in readings
        )
        if len(stem) > 1 and (head in cast.entities or head in exact) and not own_tools and head not in ATTRIBUTE_WORDS:
            cast.alias.setdefault(name, head)
            cast.add(head)
        elif name not in cast.alias and name not in cast.entities:
            squeezed = next((e for e in cast.entities if e.replace("_", "") == name.replace("_", "")), None)
            if squeezed:
                cast.alias[name] = squeezed
            else:
                cast.add(name).evidence.append(f"parameter {'_'.join(stem)}_id")
    for reading in readings:
        name = noun_key(reading.nouns)
        if (
            len(reading.nouns) == 1
            and reading.verb.kind in _STORING
            and not _asks_clock(reading)
            and not computes_alone(reading)
            and not _by_path_only(reading)
            and name not in ATTRIBUTE_WORDS
            and name not in cast.alias
            and not _is_member(readings, reading)
        ):
            draft = cast.add(name)
            draft.evidence.append(f"tool {reading.tool.name}")
    for name, target in list(cast.alias.items()):
        if target not in cast.entities:
            cast.add(target)
        if name in cast.entities:
            del cast.alias[name]


def _is_member(readings: list[Reading], reading: Reading) -> bool:
    """`add_tag(article_id, tag)` where an article shows `tags`: a value in a list of the row whose id is given."""
    required = reading.tool.input_schema.get("required", [])
    if (
        reading.verb.kind in (VerbClass.ADD, VerbClass.REMOVE)
        and reading.head in PERSON_ROLES
        and any(id_stem(p) not in (None, (), (reading.head,)) for p in required)
    ):
        return True
    if (
        reading.verb.kind not in (VerbClass.ADD, VerbClass.REMOVE)
        or not any(id_stem(p) for p in required)
        or not any(noun_key(split_words(p)) == reading.head for p in required)
    ):
        return False
    shown = [
        (n, s)
        for r in readings
        for o in (r.tool.output_schema, *properties_of(r.tool.output_schema).values())
        for n, s in properties_of(row_schema(o or {}) or o).items()
    ]
    lists = any(
        noun_key(split_words(n)) == reading.head and shape_of(s).many and row_schema(s) is None for n, s in shown
    )
    return lists and not any(id_stem(p) == (reading.head,) for r in readings for p in _parameter_names(r))


def _entity_of(cast: Cast, reading: Reading) -> str | None:
    """The entity that one tool is about; may add one where the noun is new."""
    nouns = reading.nouns
    if not nouns:
        return _by_required_id(cast, reading)
    if reading.verb.kind in (VerbClass.ADD, VerbClass.REMOVE) and reading.qualifiers:
        linked = _link(cast, reading)
        if linked:
            return linked
    if reading.verb.kind is VerbClass.TRANSFER and nouns[-1] in MONEY:
        return None
    if (
        reading.verb.kind in (VerbClass.ADD, VerbClass.REMOVE)
        and nouns[-1] in PERSON_ROLES
        and cast.find(nouns) is None
    ):
        holder = next(
            (
                e
                for p in reading.tool.input_schema.get("required", [])
                if id_stem(p) != nouns[-1:] and id_stem(p) and (e := cast.by_parameter(p))
            ),
            None,
        )
        if holder is not None:  # `add_attendees(event_id, attendee_ids)`
            cast.attribute_of_tool[reading.tool.name] = nouns[-1]
            return holder
    whole = cast.find(nouns) if noun_key(nouns) in cast.entities or noun_key(nouns) in cast.alias else None
    if whole:
        return whole
    if nouns[-1] in ATTRIBUTE_WORDS or _is_own_value(reading, nouns[-1]):
        owner = cast.find(nouns[:-1]) if len(nouns) > 1 else None
        owner = owner or _by_required_id(cast, reading)
        if (
            owner is None
            and len(nouns) == 1
            and reading.verb.kind not in (VerbClass.CREATE, VerbClass.SEND, VerbClass.ADD)
        ):
            return None
        if owner:
            cast.attribute_of_tool[reading.tool.name] = nouns[-1]
            return owner
    filed = _by_path(cast, reading)
    if filed:
        cast.attribute_of_tool[reading.tool.name] = nouns[-1]
        return filed
    found = cast.find(nouns)
    if found:
        return found
    if len(nouns) > 1 and nouns[-1] in ATTRIBUTE_WORDS and cast.find_longer(nouns[:-1]):
        return cast.find_longer(nouns[:-1])
    if len(nouns) > 1 and cast.find(nouns[:-1]) and reading.many:
        return cast.add(noun_key(nouns)).name
    if len(nouns) > 1 and cast.find(nouns[:-1]):
        cast.attribute_of_tool[reading.tool.name] = nouns[-1]
        return cast.find(nouns[:-1])
    if reading.verb.kind in (VerbClass.COMPUTE, VerbClass.LOGIN, VerbClass.LOGOUT):
        return _by_required_id(cast, reading)
    name = noun_key(nouns)
    cast.add(snake(name)).evidence.append(f"tool {reading.tool.name}")
    return snake(name)


def _link(cast: Cast, reading: Reading) -> str | None:
    """`add_song_to_playlist(playlist_id, song_id)`: a row of a link; `add_to_watchlist(stock)`: a row of the collection
    itself.
    """
    holder, held = cast.find(reading.qualifiers[-1:]), cast.find(reading.nouns)
    if holder is not None and held is None:
        held = next(
            (e for p in properties_of(reading.tool.input_schema) if (e := cast.by_parameter(p)) and e != holder), None
        )
    if holder is None or held is None or holder == held:
        return (
            holder
            if holder is not None
            and held is None
            and not any(id_stem(p) for p in properties_of(reading.tool.input_schema))
            else None
        )
    ids = {cast.by_parameter(p) for p in properties_of(reading.tool.input_schema)}
    if holder in ids and held in ids:
        cast.links[reading.tool.name] = (f"{holder}_{held}", held)
        return cast.add(f"{holder}_{held}").name
    if holder not in cast.identified:
        cast.links[reading.tool.name] = (holder, held)
        return holder
    return None


def _adopt(cast: Cast, readings: list[Reading], reading: Reading) -> str | None:
    """A tool about an attribute or about money belongs to the entity whose tools have that property, or that keeps a
    balance.
    """
    if not reading.nouns or reading.verb.kind in (VerbClass.LOGIN, VerbClass.LOGOUT):
        return None
    for other in readings:
        entity = cast.of_tool[other.tool.name]
        if (
            entity is not None
            and reading.head in other.tool.input_schema.get("required", [])
            and other.verb.kind is VerbClass.GET
        ):
            cast.attribute_of_tool[reading.tool.name] = reading.head
            return entity
    wanted = (
        {reading.head}
        if reading.verb.kind is not VerbClass.TRANSFER
        else {"balance", "new_balance", "saldo", reading.head}
    )
    for other in readings:
        entity = cast.of_tool[other.tool.name]
        names = {snake(n) for s in (other.tool.input_schema, other.tool.output_schema) for n in properties_of(s)}
        if entity is not None and names & wanted:
            if reading.verb.kind is not VerbClass.TRANSFER:
                cast.attribute_of_tool[reading.tool.name] = reading.head
            return entity
    login = any(r.verb.kind is VerbClass.LOGIN for r in readings)
    if reading.verb.kind is VerbClass.TRANSFER:
        found = next((e for e in ("account", "wallet", "cuenta", "konto", "compte") if e in cast.entities), None)
        return found or (cast.person() or cast.add("user").name if login and reading.head in MONEY else None)
    if login and reading.head in MONEY and not properties_of(reading.tool.input_schema):
        cast.attribute_of_tool[reading.tool.name] = reading.head
        return cast.person() or cast.add("user").name  # the balance of whoever is logged in
    name = snake(noun_key(reading.nouns))
    return None if not reading.nouns or name in ("result", "input") else cast.add(name).name


def _is_own_value(reading: Reading, noun: str) -> bool:
    """`set_date(date_value)`: the noun is what is set, not what it is set on."""
    if reading.verb.kind not in (VerbClass.SET, VerbClass.UPDATE, VerbClass.ADD, VerbClass.REMOVE, VerbClass.TOGGLE):
        return False
    keys = [p for p in properties_of(reading.tool.input_schema) if id_stem(p) is None]
    return any(noun in [singular(w) for w in split_words(p)] for p in keys)


def _by_path_only(reading: Reading) -> bool:
    return any(
        {"path"} & set(split_words(n)) and set(split_words(n)) & {"file", "directory", "folder", "dir"}
        for n in reading.tool.input_schema.get("required", [])
    )


def _by_path(cast: Cast, reading: Reading) -> str | None:
    """Tools that take a file's or folder's path are about files, whatever they name: `add_tag(file_path, …)`."""
    if noun_key(reading.nouns) in cast.identified or reading.verb.kind is VerbClass.CREATE:
        return None
    for name in reading.tool.input_schema.get("required", []):
        words = set(split_words(name))
        if ("path" in words and words & {"file", "directory", "folder", "dir"}) or words & {"filepath", "filename"}:
            return cast.add("file").name
    return None


def _by_required_id(cast: Cast, reading: Reading) -> str | None:
    """The entity of the last required id, else of a path parameter (`file_path` → file)."""
    required = reading.tool.input_schema.get("required", [])
    for name in [*reversed(required), *(p for p in properties_of(reading.tool.input_schema) if p not in required)]:
        stem = id_stem(name)
        if stem:
            found = cast.by_parameter(name)
            if found:
                return found
        words = split_words(name)
        for noun in ("file", "directory", "folder"):
            if noun in words and ({"path", "name"} & set(words) or len(words) == 1):
                return cast.add(noun).name
    return None


def _merge_unnamed_stems(cast: Cast, readings: list[Reading], stems: Counter[tuple[str, ...]]) -> None:
    """`get_forum_post(threadId)`: an id that no tool is named after means the noun of the tool that takes it alone."""
    by_noun = {cast.of_tool[r.tool.name] for r in readings}
    for stem in stems:
        thread = noun_key(stem)
        if thread not in cast.entities or thread in by_noun:
            continue
        for reading in readings:
            ids = [p for p in reading.tool.input_schema.get("required", []) if id_stem(p)]
            post = cast.of_tool[reading.tool.name]
            lookup = reading.verb.kind in (VerbClass.GET, VerbClass.DELETE) and not reading.plural
            if (
                lookup
                and post
                and post != thread
                and len(ids) == 1
                and cast.by_parameter(ids[0]) == thread
                and not any(cast.by_parameter(p) == post for r in readings for p in _parameter_names(r) if id_stem(p))
            ):
                _rename(cast, thread, post)
                break


def _rename(cast: Cast, old: str, new: str) -> None:
    cast.entities.pop(old, None)
    cast.alias[old] = new
    for name, target in cast.alias.items():
        if target == old:
            cast.alias[name] = new
    for tool, entity in cast.of_tool.items():
        if entity == old:
            cast.of_tool[tool] = new


def _note_variants(cast: Cast, readings: list[Reading]) -> None:
    """`create_text_channel`, `get_forum_channels`: modifiers that tell kinds of one entity apart, when at least two
    occur or one is made.
    """
    seen: dict[str, Counter[str]] = {}
    for reading in readings:
        entity = cast.of_tool[reading.tool.name]
        words = reading.nouns[:-1]
        if entity is None or not words or reading.tool.name in cast.attribute_of_tool:
            continue
        modifier = words[-1]
        if modifier in entity.split("_") or modifier in cast.entities or modifier in cast.alias:
            continue
        seen.setdefault(entity, Counter())[modifier] += 1
        cast.variant_of_tool[reading.tool.name] = modifier
    for entity, modifiers in seen.items():
        if len(modifiers) > 1:
            cast.variants[entity] = list(modifiers)
    cast.variant_of_tool = {t: m for t, m in cast.variant_of_tool.items() if cast.of_tool[t] in cast.variants}
