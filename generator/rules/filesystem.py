"""A tree of files and directories, and where one stands in it, as state: rows by path, and one row for the working
directory.

Invariant: only documents in which several tools look at and change files by path or name get a tree; a tool that is
not understood stays with the general rules, on the same rows. Every directory but `/` lies in one that exists. Not
covered: permissions, links, binary content.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from autoforge.generator.ir import ColumnKind, ColumnType
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.file_words import DIRECTORIES, FILES, act_of, meaning_of_parameter, name_words
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.shapes import Shape, properties_of, shape_of
from autoforge.generator.rules.verbs import verb_of
from autoforge.generator.rules.words import column_name, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["HERE", "FileAct", "assign_file_roles", "cast_files"]

HERE = "working_directory"
"""The entity whose one row says where one stands."""
_TEXT = Shape(ColumnType.TEXT, True, {"type": "string"}, False)
_MOMENT = Shape(ColumnType.DATETIME, True, {"type": "string", "format": "date-time"}, False)
_LOOKS = word_set("list tree go where find mkdir")
_HANDLES = word_set("read write create append edit remove move grep head tail")
_TAKES_PATH = word_set("read append edit remove rmdir mkdir go head tail sort count diff info exists create")
_RELATIVE = re.compile(r"relative to|relativ zu|relativa a|relatif à", re.IGNORECASE)
_MOMENTS = re.compile(
    r"\b(?:creation|created|modified|modification|timestamps?|last change|fecha|geaendert|geändert)\b", re.IGNORECASE
)


class FileAct(NamedTuple):
    """What one tool does to the tree."""

    act: str
    entity: str
    located: bool
    """Whether there is a working directory."""
    relative: bool
    """Whether paths are shown as seen from the top, without a leading slash."""
    nouns: tuple[str, ...]


def cast_files(cast: Cast, readings: list[Reading]) -> None:
    """Give the file tools of a document that has a tree their acts and entities."""
    nouns = _path_nouns(readings)
    prefix = _prefix(readings, nouns)
    acts = {r.tool.name: a for r in readings if (a := act_of(r, nouns, prefix)) and _complete(r, a, nouns)}
    kinds = set(acts.values())
    if (
        len(acts) < 3
        or not kinds & _LOOKS
        or not kinds & _HANDLES
        or not any(_has_path(r, nouns) for r in readings if r.tool.name in acts)
    ):
        return
    entity = (
        next(iter(nouns), "file")
        if not any(set(name_words(r, prefix)) & FILES for r in readings if r.tool.name in acts)
        else "file"
    )
    located = bool(kinds & {"go", "where"})
    relative = not located and any(
        _RELATIVE.search(str(s.get("description", "")))
        for r in readings
        if r.tool.name in acts
        for s in properties_of(r.tool.input_schema).values()
    )
    for reading in readings:
        act = acts.get(reading.tool.name)
        if act is not None:
            cast.special[reading.tool.name] = FileAct(act, entity, located, relative, nouns)
            cast.of_tool[reading.tool.name] = HERE if act in ("go", "where") else entity
            cast.attribute_of_tool.pop(reading.tool.name, None)
            reading.evidence.append(f"a file tool: {act}")
    _draft_tree(cast, readings, entity)
    if located:
        _draft_here(cast)


def _texts(reading: Reading) -> list[str]:
    return [
        reading.tool.description,
        *(
            str(s.get("description", ""))
            for s in (
                *properties_of(reading.tool.input_schema).values(),
                *properties_of(reading.tool.output_schema).values(),
            )
        ),
    ]


def _path_nouns(readings: list[Reading]) -> tuple[str, ...]:
    """Things that have a path here: `note` where `read_note(path)` and `create_note(path, …)` exist."""
    seen: Counter[str] = Counter()
    for reading in readings:
        required = [
            n
            for n in reading.tool.input_schema.get("required", [])
            if set(split_words(n)) & {"path", "filepath", "filename", "ruta", "pfad", "chemin"}
        ]
        if required and reading.nouns and len(reading.nouns) == 1 and reading.head not in DIRECTORIES | FILES:
            seen[reading.head] += 1
    return tuple(n for n, count in seen.most_common(1) if count >= 3)


def _prefix(readings: list[Reading], nouns: tuple[str, ...]) -> frozenset[str]:
    """A first word that all names share and that is no verb and no file: the service's own name."""
    first = {split_words(r.tool.original_name)[0] for r in readings if split_words(r.tool.original_name)}
    return frozenset(
        w
        for w in first
        if len(first) == 1 and len(readings) > 2 and verb_of(w) is None and w not in FILES | DIRECTORIES | set(nouns)
    )


def _complete(reading: Reading, act: str, nouns: tuple[str, ...]) -> bool:
    """Whether the parameters are those that the act needs."""
    meanings = [_meaning(n, s, act, nouns) for n, s in properties_of(reading.tool.input_schema).items()]
    unknown = [n for n, m in zip(properties_of(reading.tool.input_schema), meanings, strict=True) if not m]
    if any(n in reading.tool.input_schema.get("required", []) for n in unknown) and act not in (
        "write",
        "create",
        "append",
        "mkdir",
    ):
        return False
    needed = {
        "move": {"source", "destination"},
        "copy": {"source", "destination"},
        "grep": {"pattern"},
        "search": {"pattern"},
        "write": {"content"},
        "append": {"content"},
    }.get(act, set())
    if act in ("move", "copy") and "destination" in meanings and "path" in meanings:
        needed = {"destination"}
    paths = meanings.count("path") + meanings.count("paths")
    if act == "diff":
        return paths == 2
    if act == "edit" and not {"edits", "old_text"} & set(meanings):
        return False
    return needed <= set(meanings) and (paths >= 1 or act not in _TAKES_PATH)


def _meaning(name: str, schema: dict[str, Any], act: str, nouns: tuple[str, ...]) -> str:
    return meaning_of_parameter(name, schema, act, nouns)


def _has_path(reading: Reading, nouns: tuple[str, ...]) -> bool:
    return any(_meaning(n, s, "read", nouns) == "path" for n, s in properties_of(reading.tool.input_schema).items())


def _draft_tree(cast: Cast, readings: list[Reading], entity: str) -> None:
    draft = cast.add(entity)
    draft.evidence.append("tree of paths")
    cast.loners.discard(entity)
    for name, words in (
        ("path", "Absolute path"),
        ("parent", "Path of the directory that it lies in"),
        ("name", "Last part of the path"),
        ("kind", "File or directory"),
        ("content", "Text of a file"),
    ):
        draft.column(name, _TEXT, words)
    draft.key = ("path",)
    draft.attributes["kind"].enum = ["file", "directory"]
    draft.attributes["content"].kind = ColumnKind.VALUE
    for name in ("name", "kind"):
        draft.attributes[name].nullable = False
    mine = [r for r in readings if r.tool.name in cast.special]
    if any(_MOMENTS.search(t) for r in mine for t in (*_texts(r), *properties_of(r.tool.output_schema))):
        for name in ("created_at", "modified_at"):
            draft.column(name, _MOMENT, f"When it was {name.removesuffix('_at')}").kind = ColumnKind.CLOCK
    for reading in mine:
        for name, schema in properties_of(reading.tool.input_schema).items():
            if (
                _meaning(name, schema, cast.special[reading.tool.name].act, cast.special[reading.tool.name].nouns)
                == "path"
            ):
                _examples(draft, schema)
    for other in [
        e
        for e in cast.entities
        if e != entity
        and (e in DIRECTORIES | FILES or e in ("current_directory", "directory_tree"))
        and not cast.entities[e].given
    ]:
        if not any(cast.of_tool[r.tool.name] == other for r in readings):
            del cast.entities[other]
            cast.alias[other] = entity


def _examples(draft: EntityDraft, schema: dict[str, Any]) -> None:
    for example in [*schema.get("examples", ()), *([schema["example"]] if "example" in schema else [])]:
        if isinstance(example, str) and example not in draft.attributes["path"].examples:
            draft.attributes["path"].examples.append(example)


def _draft_here(cast: Cast) -> None:
    draft = cast.add(HERE)
    draft.evidence.append("current directory")
    cast.loners.discard(HERE)
    draft.singleton, draft.key = True, ("id",)
    draft.column("id", Shape(ColumnType.INTEGER, False, {"type": "integer"}, False))
    draft.column("path", _TEXT, "Where one stands").nullable = False


def assign_file_roles(cast: Cast, reading: Reading) -> list[Role]:
    """Each parameter by its meaning; what has none becomes a column of the entries, as other values do."""
    act: FileAct = cast.special[reading.tool.name]
    required = set(reading.tool.input_schema.get("required", []))
    roles: list[Role] = []
    for name, schema in properties_of(reading.tool.input_schema).items():
        role = Role(
            name,
            (name,),
            schema,
            shape_of(schema),
            name in required,
            _meaning(name, schema, act.act, act.nouns),
            description=str(schema.get("description", "")),
        )
        if not role.role:
            writes = act.act in ("write", "create", "append", "mkdir", "edit", "move", "copy")
            role.role, role.column = ("value" if writes else "filter"), column_name(name)
            if role.column in ("path", "parent", "name", "kind", "content"):
                role.column += "_given"
            draft = cast.entities[act.entity]
            draft.column(
                role.column, role.shape._replace(nullable=True), role.description, f"{reading.tool.name}.{name}"
            )
        elif role.role == "path" and act.act in ("move", "copy") and not any(r.role == "source" for r in roles):
            role.role = "source"
        roles.append(role)
    return roles
