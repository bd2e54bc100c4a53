"""Which things the tools are about: entities, their aliases, and the entity of each tool.

Invariant: every reading ends with an entity, or with none when its text names nothing that could be stored; an alias
never points to an alias. Not covered: attributes (`roles`, `outputs`), keys (`keys`).
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from autoforge.generator.rules.cast import (
    ATTRIBUTE_WORDS,
    MONEY,
    PERSON_ROLES,
    Cast,
    id_stem,
    parameter_names,
    without_roles,
)
from autoforge.generator.rules.computations import computes_alone
from autoforge.generator.rules.drafts import noun_key
from autoforge.generator.rules.entity_of_tool import adopt, entity_of
from autoforge.generator.rules.entity_revision import (
    follow_outputs,
    follow_results,
    follow_titles,
    merge_unnamed_stems,
    note_variants,
    reconsider,
    rename_entity,
)
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, row_schema, shape_of
from autoforge.generator.rules.verbs import Verb, VerbClass
from autoforge.generator.rules.words import singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["cast_entities"]

_NOT_THINGS = word_set(
    "external last knowledge unique internal public global local request correlation import idempotency api "
    "client_request trace"
)


_STORING = frozenset({
    VerbClass.CREATE, VerbClass.LIST, VerbClass.SEARCH, VerbClass.DELETE, VerbClass.UPDATE, VerbClass.STATE,
    VerbClass.GET, VerbClass.SEND, VerbClass.ADD, VerbClass.REMOVE, VerbClass.COUNT,
})  # fmt: skip


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
            and not any(id_stem(p) for p in parameter_names(reading))
        ):
            reading.verb = Verb(reading.verb.word, VerbClass.TRANSFER)  # `add_funds(amount)`
    stems = _stems(readings)
    _add_strong(cast, readings, stems)
    cast.identified = {found for stem in stems if (found := cast.find(stem))}
    for reading in readings:
        cast.of_tool[reading.tool.name] = (
            None if _asks_clock(reading) or computes_alone(reading) else entity_of(cast, reading)
        )
    for reading in readings:
        if cast.of_tool[reading.tool.name] is None and not _asks_clock(reading) and not computes_alone(reading):
            cast.of_tool[reading.tool.name] = adopt(cast, readings, reading)
    follow_titles(cast, readings)
    reconsider(cast, readings)
    follow_results(cast, readings)
    follow_outputs(cast, readings)
    _merge_plurals(cast, readings)
    merge_unnamed_stems(cast, readings, stems)
    note_variants(cast, readings)
    listed = {
        cast.of_tool[r.tool.name]
        for r in readings
        if (r.many and r.verb.kind is not VerbClass.TRANSFER) or r.verb.kind in (VerbClass.LIST, VerbClass.SEARCH)
    }
    cast.loners = {
        e
        for e in cast.entities
        if e not in cast.identified and e not in listed and "data" not in cast.entities[e].evidence
    }
    return cast


def _merge_plurals(cast: Cast, readings: list[Reading]) -> None:
    """`termine_suchen` beside `termin_id`, `cercare_prenotazioni` beside `prenotazione_id`: plurals that only
    reading tools use.
    """
    for own in [e for e in cast.entities if e not in cast.identified and "data" not in cast.entities[e].evidence]:
        mine = [r.verb.kind for r in readings if cast.of_tool[r.tool.name] == own]
        if not mine or any(k not in (VerbClass.LIST, VerbClass.SEARCH, VerbClass.COUNT, VerbClass.GET) for k in mine):
            continue
        plain = _without_umlauts(own)
        one = next(
            (e for e in cast.entities if e != own and e in cast.identified and plain in _plurals(_without_umlauts(e))),
            None,
        )
        if one is not None:
            rename_entity(cast, own, one)


def _without_umlauts(word: str) -> str:
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def _plurals(word: str) -> set[str]:
    """German and Italian plurals of a word."""
    return {word + ending for ending in ("e", "en", "n", "er")} | (
        {word[:-1] + "i", word[:-1] + "e"} if word[-1] in "aoe" else set()
    ) - {word}


def _asks_clock(reading: Reading) -> bool:
    return (
        bool(reading.nouns)
        and set(reading.nouns) <= {"time", "date", "datetime", "clock", "now"}
        and not properties_of(reading.tool.input_schema)
    )


def _stems(readings: list[Reading]) -> Counter[tuple[str, ...]]:
    """Nouns in front of `id` in parameters, with how often; a path's bare `{id}` counts for its segment."""
    counts: Counter[tuple[str, ...]] = Counter()
    for reading in readings:
        for name in parameter_names(reading):
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
            noun_key(r.nouns) == name and any(id_stem(p) in (stem, ()) for p in parameter_names(r)) for r in readings
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
    return lists and not any(id_stem(p) == (reading.head,) for r in readings for p in parameter_names(r))


def _by_path_only(reading: Reading) -> bool:
    return any(
        {"path"} & set(split_words(n)) and set(split_words(n)) & {"file", "directory", "folder", "dir"}
        for n in reading.tool.input_schema.get("required", [])
    )
