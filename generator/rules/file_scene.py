"""Steps that all file tools share: paths from arguments, the entry at a path, what an entry shows.

Invariant: a path variable holds an absolute path without `.` and `..`; an entry is bound before it is used or
refused. Not covered: what single tools do (`file_reads`, `file_writes`).
"""

from __future__ import annotations

import re
from typing import Any

from autoforge.generator.ir import (
    Assign,
    Choose,
    ColumnType,
    Constant,
    Expression,
    Filter,
    Find,
    Order,
    RowField,
    Select,
    Variable,
)
from autoforge.generator.rules.answers import Fact, RowMaker, Rows
from autoforge.generator.rules.filesystem import HERE, FileAct
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, both, call, equal
from autoforge.generator.rules.shapes import shape_of
from autoforge.generator.rules.words import split_words

__all__ = [
    "act_of_scene",
    "all_of",
    "base",
    "entry_at",
    "every",
    "filters",
    "given",
    "is_directory",
    "matching",
    "resolve",
    "row_fact",
    "rows_fact",
    "shown",
    "text_facts",
    "within",
]

_LOCAL = re.compile(
    r"no (?:file )?paths? (?:is |are )?allowed|not allow (?:a )?paths?|cannot be a path|one (?:folder"
    r"|directory) level|only (?:create|change|perform)\w* [^.]{0,40}(?:at|in|on) (?:the )?(?:current|local)",
    re.IGNORECASE,
)


def act_of_scene(scene: Scene) -> FileAct:
    act: FileAct = scene.cast.special[scene.reading.tool.name]
    return act


def given(scene: Scene, meaning: str) -> Expression | None:
    """The argument of a meaning, where the tool has such a parameter."""
    role = scene.first(meaning)
    return scene.argument(role) if role is not None else None


def base(scene: Scene) -> Expression:
    """Where relative paths start: the working directory, else the top."""
    if not act_of_scene(scene).located:
        return Constant(value="/")
    if "here" not in scene.bound:
        scene.find(scene.entities[HERE], None, row="here")
    return RowField(row="here", column="path")


def resolve(scene: Scene, role: Role | None, name: str) -> Variable:
    """Bind the absolute path that an argument means; without one it is the base itself."""
    start = base(scene)
    if role is None:
        scene.add(Assign(name=name, value=start))
        return Variable(name=name)
    value = scene.argument(role)
    if _LOCAL.search(role.description):
        slash = call("in", Constant(value="/"), value)
        scene.refuse(
            slash,
            f"{{{role.path[0]}}} is a path; give the name of something in the current directory.",
            "range",
            role.description,
        )
    nothing = role.schema.get("default") is None and not role.required
    scene.add(
        Assign(
            name=name,
            value=call("path_join", start, call("coalesce", value, Constant(value=".")) if nothing else value),
        )
    )
    return Variable(name=name)


def entry_at(
    scene: Scene, path: Expression, row: str, role: Role | None = None, *, kind: str = "", optional: bool = False
) -> str:
    """Bind the entry at a path and refuse one that is missing or of the wrong kind."""
    entity = scene.entities[act_of_scene(scene).entity]
    name = scene.variable(row)
    what = f"'{{{role.path[0]}}}'" if role is not None else "this path"
    noun = {"file": "file", "directory": "directory"}.get(kind, "file or directory")
    missing = (
        None
        if optional
        else f"There is no {noun} {what}."
        if role is not None
        else "The working directory does not exist."
    )
    scene.add(Find(row=name, entity=entity.name, where=(Filter(column="path", value=path),), missing=missing))
    scene.bound[name] = entity.name
    if kind == "file":
        scene.refuse(is_directory(name), f"{what[:1].upper()}{what[1:]} is a directory.", "other")
    elif kind == "directory":
        scene.refuse(call("not", is_directory(name)), f"{what[:1].upper()}{what[1:]} is not a directory.", "other")
    return name


def is_directory(row: str) -> Expression:
    return equal(RowField(row=row, column="kind"), Constant(value="directory"))


def every(scene: Scene, name: str = "entries", parent: Expression | None = None, order: str = "path") -> str:
    """Bind all entries, or those directly in a directory."""
    entity = scene.entities[act_of_scene(scene).entity]
    rows = scene.variable(name)
    where = (Filter(column="parent", value=parent),) if parent is not None else ()
    scene.add(Select(rows=rows, entity=entity.name, where=where, order=(Order(column=order),)))
    scene.bound[rows] = entity.name
    return rows


def within(path: Expression) -> Expression:
    """Whether `entry` is at the path or below it."""
    here = RowField(row="entry", column="path")
    return call("or", equal(here, path), call("path_under", here, path))


def shown(scene: Scene, path: Expression) -> Expression:
    return call("path_relative", path, Constant(value="/")) if act_of_scene(scene).relative else path


def text_facts(scene: Scene, row: str) -> list[Fact]:
    """What is told of one entry beside its content."""
    return [
        Fact(
            "path", "text", shown(scene, RowField(row=row, column="path")), "file location ruta pfad directory folder"
        ),
        Fact("name", "text", RowField(row=row, column="name"), "file nombre title"),
    ]


def row_fact(scene: Scene, row: str, relative_to: Expression | None = None) -> RowMaker:
    """From the name of a property to what an entry shows under it."""
    field = {a.name: RowField(row=row, column=a.name) for a in scene.entities[act_of_scene(scene).entity].attributes}

    def make(name: str, schema: dict[str, Any]) -> Expression | None:
        words, kind = set(split_words(name)), shape_of(schema).type
        directory = is_directory(row)
        if kind is ColumnType.BOOLEAN:
            return call("not", directory) if words & {"file"} else directory
        if words & {"size", "bytes", "length"}:
            size = call("byte_size", field["content"])
            return size if kind in (ColumnType.INTEGER, ColumnType.REAL) else call("readable_size", size)
        if words & {"type", "kind", "tipo", "typ"}:
            return _kind(directory, schema)
        if words & {"content", "contents", "text", "inhalt", "contenido", "body"}:
            return field["content"]
        for column, hints in (
            ("modified_at", {"modified", "updated", "mtime", "changed", "accessed"}),
            ("created_at", {"created", "creation", "birthtime"}),
        ):
            if words & hints:
                return field.get(column)
        if words & {"parent"}:
            return field["parent"]
        if "_".join(split_words(name)) in field:
            found = field["_".join(split_words(name))]
            return path_shown(found) if found.column == "path" else found
        if words & {"path", "location", "ruta", "pfad"}:
            return path_shown(field["path"])
        return field["name"] if words & {"name", "file", "filename", "title", "entry", "nombre", "titel"} else None

    def path_shown(path: Expression) -> Expression:
        return call("path_relative", path, relative_to) if relative_to is not None else shown(scene, path)

    return make


def _kind(directory: Expression, schema: dict[str, Any]) -> Expression:
    values = [v for v in shape_of(schema).schema.get("enum", ()) if isinstance(v, str)]
    folder = next((v for v in values if v.lower()[:3] in ("dir", "fol")), "directory")
    file = next((v for v in values if v.lower()[:3] in ("fil", "reg", "doc", "not")), "file")
    return Choose(condition=directory, then=Constant(value=folder), otherwise=Constant(value=file))


def rows_fact(
    scene: Scene,
    name: str,
    rows: str,
    condition: Expression | None,
    *,
    plain: Expression,
    words: str = "",
    relative_to: Expression | None = None,
    limit: Expression | None = None,
) -> Fact:
    usual = ("path", "name", "kind")
    extra = tuple(
        a.name
        for a in scene.entities[act_of_scene(scene).entity].attributes
        if a.name not in ("path", "parent", "name", "kind", "content", "created_at", "modified_at")
    )
    return Fact(
        name,
        "rows",
        Rows(Variable(name=rows), condition, plain, row_fact(scene, "entry", relative_to), (*usual, *extra), limit),
        words,
        principal=True,
    )


def filters(scene: Scene) -> list[Expression]:
    """Conditions on `entry` of the parameters that narrow any list of entries."""
    conditions: list[Expression] = []
    path, name = RowField(row="entry", column="path"), RowField(row="entry", column="name")
    exclude, kind, extension = given(scene, "exclude"), given(scene, "kind"), given(scene, "extension")
    if exclude is not None:
        conditions.append(call("not", call("matches_glob", path, exclude)))
    if kind is not None:
        short = call("slice", call("lower", kind), Constant(value=0), Constant(value=1))
        own = call("slice", RowField(row="entry", column="kind"), Constant(value=0), Constant(value=1))
        folder = call("and", call("in", short, Constant(value=["d", "f"])), equal(short, own))
        wanted = call(
            "or",
            folder,
            call(
                "and",
                call("in", call("lower", kind), Constant(value=["folder", "ordner", "carpeta"])),
                is_directory("entry"),
            ),
        )
        conditions.append(call("or", call("is_null", kind), equal(call("lower", kind), Constant(value="all")), wanted))
    if extension is not None:
        ending = call(
            "concat", Constant(value="*."), call("replace", extension, Constant(value="."), Constant(value=""))
        )
        conditions.append(call("or", call("is_null", extension), call("matches_glob", name, ending)))
    for role in scene.roles_of("filter"):
        attribute = scene.entities[act_of_scene(scene).entity].attribute(role.column or "")
        if attribute is not None:
            held = RowField(row="entry", column=attribute.name)
            same = (
                call("in", scene.argument(role), held)
                if attribute.type is ColumnType.JSON
                else equal(held, scene.argument(role))
            )
            conditions.append(call("or", call("is_null", scene.argument(role)), same))
    return conditions


def all_of(conditions: list[Expression]) -> Expression | None:
    return both(*conditions) if conditions else None


def matching(scene: Scene, row: str) -> None:
    """Refuse an entry that is not as further parameters of a reading tool say."""
    for role in scene.roles_of("filter"):
        if scene.entities[act_of_scene(scene).entity].attribute(role.column or "") is not None:
            held = RowField(row=row, column=role.column or "")
            value = scene.argument(role)
            scene.refuse(
                call("and", call("not_null", value), call("not_null", held), call("not_equal", held, value)),
                f"Its {role.name} is not {{{role.path[0]}}}.",
                "other",
            )
