"""The entity that one tool is about, by its nouns, its required ids and its paths.

Invariant: a tool whose text names nothing that could be stored has none. Not covered: what other tools of the document
say against it (`entity_revision`).
"""

from __future__ import annotations

from autoforge.generator.rules.cast import ATTRIBUTE_WORDS, MONEY, PERSON_ROLES, Cast, id_stem
from autoforge.generator.rules.drafts import noun_key
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import singular, snake, split_words

__all__ = ["adopt", "entity_of"]


def entity_of(cast: Cast, reading: Reading) -> str | None:
    """The entity that one tool is about; may add one where the noun is new."""
    nouns = reading.nouns
    if not nouns:
        return _by_required_id(cast, reading)
    if reading.verb.kind in (VerbClass.ADD, VerbClass.REMOVE) and reading.qualifiers:
        linked = link_of_tool(cast, reading)
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


def link_of_tool(cast: Cast, reading: Reading) -> str | None:
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


def adopt(cast: Cast, readings: list[Reading], reading: Reading) -> str | None:
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
