"""Second thoughts on which entity a tool is about, once every tool has one.

Invariant: a tool only moves to an entity for which other tools or an output speak. Not covered: the first guess
(`entity_of_tool`).
"""

from __future__ import annotations

from collections import Counter

from autoforge.generator.rules.cast import Cast, id_stem, parameter_names
from autoforge.generator.rules.drafts import noun_key
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, row_schema
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import singular, snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = [
    "follow_outputs",
    "follow_results",
    "follow_titles",
    "merge_unnamed_stems",
    "note_variants",
    "reconsider",
    "rename_entity",
]

_CONTAINERS = word_set(
    "data result results item items response payload body request input object value values list rows entries "
    "output content"
)


def reconsider(cast: Cast, readings: list[Reading]) -> None:
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


def _titles(reading: Reading) -> str | None:
    """The named schema that a tool answers with or takes: `#/components/schemas/Attribute` → attribute."""
    output = reading.tool.output_schema or {}
    inner = next((s for n, s in properties_of(output).items() if n in _CONTAINERS), output)
    items = inner.get("items") if inner.get("type") == "array" else inner
    title = items.get("title") if isinstance(items, dict) else None
    title = title or (reading.tool.http.body_title if reading.tool.http is not None else None)
    words = split_words(str(title).rsplit(".", 1)[-1]) if title else ()
    return snake(noun_key(words)) if words and words[-1] not in _WRAPPERS and len(words) <= 3 else None


def follow_titles(cast: Cast, readings: list[Reading]) -> None:
    """Where an API names its schemas, these name its entities: `/attributes/computed` handles Attributes."""
    titles = {r.tool.name: t for r in readings if r.tool.http is not None and (t := _titles(r))}
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
            rename_entity(cast, own, title)
            if own in cast.identified:
                cast.identified.add(title)


_RESULTS = {
    "book": "booking", "reserve": "reservation", "order": "order", "buy": "purchase", "purchase": "purchase",
    "rent": "rental", "borrow": "loan", "enroll": "enrollment", "enrol": "enrolment", "register": "registration",
    "prestar": "prestamo", "reservar": "reserva", "alquilar": "alquiler",
}  # fmt: skip


def follow_results(cast: Cast, readings: list[Reading]) -> None:
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


def follow_outputs(cast: Cast, readings: list[Reading]) -> None:
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


def merge_unnamed_stems(cast: Cast, readings: list[Reading], stems: Counter[tuple[str, ...]]) -> None:
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
                and not any(cast.by_parameter(p) == post for r in readings for p in parameter_names(r) if id_stem(p))
            ):
                rename_entity(cast, thread, post)
                break


def rename_entity(cast: Cast, old: str, new: str) -> None:
    cast.entities.pop(old, None)
    cast.alias[old] = new
    for name, target in cast.alias.items():
        if target == old:
            cast.alias[name] = new
    for tool, entity in cast.of_tool.items():
        if entity == old:
            cast.of_tool[tool] = new


def note_variants(cast: Cast, readings: list[Reading]) -> None:
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
