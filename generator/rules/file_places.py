"""File tools that say where one is and what lies in a directory: `pwd`, `cd`, `ls`, `tree`.

Invariant: no entry changes; only the working directory may. Not covered: what files hold (`file_contents`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    Assign,
    Choose,
    Constant,
    Expression,
    Item,
    Listing,
    OperationKind,
    Record,
    RowField,
    Update,
    Variable,
)
from autoforge.generator.rules.answers import Fact, answer
from autoforge.generator.rules.file_scene import (
    all_of,
    base,
    entry_at,
    every,
    filters,
    given,
    is_directory,
    resolve,
    rows_fact,
    shown,
)  # fmt: skip
from autoforge.generator.rules.filesystem import HERE
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.shapes import properties_of

__all__ = [
    "ENTRY_CONTENT",
    "ENTRY_PATH",
    "depth_below",
    "go_to",
    "list_directory",
    "list_roots",
    "tree_of",
    "where_am_i",
]

ENTRY_PATH, ENTRY_NAME, ENTRY_CONTENT = (RowField(row="entry", column=c) for c in ("path", "name", "content"))


def where_am_i(scene: Scene) -> None:
    scene.kind = OperationKind.GET
    answer(
        scene, [Fact("path", "text", base(scene), "current working directory folder cwd ruta pfad", principal=True)], ""
    )


def go_to(scene: Scene) -> None:
    scene.kind = OperationKind.UPDATE
    role = scene.first("path", "destination", "source")
    path = resolve(scene, role, "path")
    directory = entry_at(scene, path, "directory", role, kind="directory")
    scene.add(Update(row="here", entity=HERE, values=(("path", RowField(row=directory, column="path")),)))
    answer(
        scene,
        [Fact("path", "text", path, "current working directory folder cwd ruta pfad", principal=True)],
        "Changed the working directory.",
    )


def list_directory(scene: Scene) -> None:
    scene.kind = OperationKind.LIST
    role = scene.first("path")
    path = resolve(scene, role, "path")
    entry_at(scene, path, "directory", role, kind="directory")
    rows = every(scene)
    recursive, hidden, pattern, depth = (given(scene, m) for m in ("recursive", "hidden", "pattern", "depth"))
    directly = equal(RowField(row="entry", column="parent"), path)
    below = call("path_under", ENTRY_PATH, path)
    conditions: list[Expression] = [
        call("or", directly, call("and", recursive, below)) if recursive is not None else directly
    ]
    if (
        re.search(r"recursiv|all (?:notes|files|documents) in the vault", scene.reading.text, re.IGNORECASE)
        and recursive is None
    ):
        conditions = [below]
    if depth is not None:
        conditions = [below, call("or", call("is_null", depth), call("less_equal", depth_below(path), depth))]
    if hidden is not None:
        dotted = equal(call("slice", ENTRY_NAME, Constant(value=0), Constant(value=1)), Constant(value="."))
        conditions.append(call("or", hidden, negate(dotted)))
    if pattern is not None:
        conditions.append(call("or", call("is_null", pattern), call("matches_glob", ENTRY_PATH, pattern)))
    conditions += filters(scene)
    conditions += _only(scene)
    plain = call("path_relative", ENTRY_PATH, path) if recursive is not None or conditions[0] is below else ENTRY_NAME
    _sorted(scene, rows)
    limit = given(scene, "limit")
    words = "contents items files folders directories entries listing list names notes archivos dateien"
    found = rows_fact(scene, "entries", rows, all_of(conditions), plain=plain, words=words, limit=limit)
    total = call(
        "length", Listing(over=Variable(name=rows), item="entry", value=ENTRY_PATH, condition=all_of(conditions))
    )
    answer(
        scene,
        [
            found,
            *_human(scene, rows, conditions),
            Fact("count", "integer", total, "total number count"),
            Fact("path", "text", shown(scene, path), "directory folder"),
        ],
        "",
    )


def _only(scene: Scene) -> list[Expression]:
    """`list_files` without a word of folders in its text lists files only, `list_directories` the other."""
    words = scene.reading.tool.original_name.lower()
    text = scene.reading.text.lower()
    speaks = re.search(
        r"director|folder|ordner|verzeichnis|carpeta|dossier",
        re.sub(
            r"\b(?:in|from|under|of|within|inside)\s+(?:(?:a|the|this|given|specified"
            r"|current)\s+)*(?:director\w*|folders?)",
            "",
            text,
        ),
    )
    if (
        re.search(r"subdirector|subfolder|list_(?:director|folders)", words)
        and "file" not in text
        and "content" not in text
    ):
        return [is_directory("entry")]
    if re.search(r"files|notes", words) and not speaks and given(scene, "kind") is None:
        return [negate(is_directory("entry"))]
    return []


def _sorted(scene: Scene, rows: str) -> None:
    order = given(scene, "sort")
    if order is not None:
        size = Record(fields=(("row", Variable(name="entry")), ("size", call("byte_size", ENTRY_CONTENT))))
        pairs = call(
            "sort",
            Listing(over=Variable(name=rows), item="entry", value=size),
            Constant(value="size"),
            Constant(value="desc"),
        )
        by_size = Listing(
            over=pairs, item="pair", value=Item(container=Variable(name="pair"), key=Constant(value="row"))
        )
        scene.add(
            Assign(
                name=rows,
                value=Choose(
                    condition=call("contains_text", order, Constant(value="size")),
                    then=by_size,
                    otherwise=Variable(name=rows),
                ),
            )
        )


def _human(scene: Scene, rows: str, conditions: list[Expression]) -> list[Fact]:
    """Sizes beside names, where the tool is called for them."""
    if not re.search(
        r"\bsizes?\b", scene.reading.text + scene.reading.tool.original_name.replace("_", " "), re.IGNORECASE
    ) or properties_of(scene.reading.tool.output_schema):
        return []
    human = given(scene, "human")
    size: Expression = call("byte_size", ENTRY_CONTENT)
    value = Choose(condition=human, then=call("readable_size", size), otherwise=size) if human is not None else size
    record = Record(fields=(("name", ENTRY_NAME), ("size", value)))
    return [
        Fact(
            "sizes", "list", Listing(over=Variable(name=rows), item="entry", value=record, condition=all_of(conditions))
        )
    ]


def depth_below(path: Expression) -> Expression:
    """How deep below a path `entry` lies; 1 directly in it."""
    return call("length", call("split", call("path_relative", ENTRY_PATH, path), Constant(value="/")))


def tree_of(scene: Scene) -> None:
    scene.kind = OperationKind.LIST
    role = scene.first("path")
    path = resolve(scene, role, "path")
    entry_at(scene, path, "directory", role, kind="directory")
    rows = every(scene)
    conditions: list[Expression] = [call("path_under", ENTRY_PATH, path), *filters(scene)]
    depth, hidden = given(scene, "depth"), given(scene, "hidden")
    if depth is not None:
        conditions.append(call("or", call("is_null", depth), call("less_equal", depth_below(path), depth)))
    if hidden is not None:
        conditions.append(call("or", hidden, negate(call("contains_text", ENTRY_PATH, Constant(value="/.")))))
    record = Record(fields=tuple((c, RowField(row="entry", column=c)) for c in ("path", "name", "kind")))
    nested = call(
        "path_tree", Listing(over=Variable(name=rows), item="entry", value=record, condition=all_of(conditions)), path
    )
    answer(
        scene,
        [
            Fact("tree", "list", nested, "children entries items structure", principal=True),
            Fact("path", "text", shown(scene, path), "directory root"),
        ],
        "",
    )


def list_roots(scene: Scene) -> None:
    scene.kind = OperationKind.LIST
    rows = every(scene, parent=Constant(value="/"))
    answer(
        scene,
        [rows_fact(scene, "directories", rows, is_directory("entry"), plain=ENTRY_PATH, words="allowed roots paths")],
        "",
    )
