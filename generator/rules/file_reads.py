"""File tools that only look: where one stands, lists, trees, contents, searches, counts, comparisons.

Invariant: what is told is computed from the entries' paths and contents, never stored beside them. Not covered:
changes (`file_writes`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from autoforge.generator.ir import (
    Assign,
    Choose,
    Constant,
    Listing,
    OperationKind,
    RowField,
    Variable,
)
from autoforge.generator.rules.answers import Fact, answer
from autoforge.generator.rules.file_contents import compare_files, count_in, read_ends, read_file, sort_lines_of
from autoforge.generator.rules.file_places import ENTRY_CONTENT, go_to, list_directory, list_roots, tree_of, where_am_i
from autoforge.generator.rules.file_scene import (
    entry_at,
    every,
    given,
    is_directory,
    matching,
    resolve,
    row_fact,
    within,
)  # fmt: skip
from autoforge.generator.rules.file_search import find_entries, find_lines
from autoforge.generator.rules.scene import Scene, call, negate
from autoforge.generator.rules.shapes import properties_of

__all__ = ["READERS"]


def _usage(scene: Scene) -> None:
    scene.kind = OperationKind.COMPUTE
    role, human = scene.first("path"), given(scene, "human")
    path = resolve(scene, role, "path")
    entry_at(scene, path, "place", role)
    rows = every(scene)
    sizes = Listing(
        over=Variable(name=rows), item="entry", value=call("byte_size", ENTRY_CONTENT), condition=within(path)
    )
    scene.add(Assign(name="total", value=call("sum", sizes)))
    total = Variable(name="total")
    plain = call("concat", total, Constant(value=" bytes"))
    text = Choose(condition=human, then=call("readable_size", total), otherwise=plain) if human is not None else plain
    answer(
        scene,
        [
            Fact("usage", "text", text, "disk size total result", principal=True),
            Fact("bytes", "integer", total, "size total usage disk"),
        ],
        "",
    )


def _info(scene: Scene) -> None:
    scene.kind = OperationKind.GET
    role = scene.first("path")
    row = entry_at(scene, resolve(scene, role, "path"), "entry", role)
    matching(scene, row)
    make = row_fact(scene, row)
    schema = scene.reading.tool.output_schema
    if properties_of(schema):
        facts = [
            Fact(n, "text" if s.get("type") == "string" else str(s.get("type")), v, principal=True)
            for n, s in properties_of(schema).items()
            if (v := make(n, s)) is not None
        ]
        answer(scene, facts, "")
        return
    kinds = {"size": {"type": "integer"}}
    names = [
        "path",
        "name",
        "type",
        "size",
        *(
            a.name
            for a in scene.entities[scene.bound[row]].attributes
            if a.name not in ("path", "name", "parent", "kind", "content")
        ),
    ]
    answer(
        scene, [Fact(n, "text", v) for n in names if (v := make(n, kinds.get(n, {"type": "string"}))) is not None], ""
    )


def _exists(scene: Scene) -> None:
    scene.kind = OperationKind.GET
    role = scene.first("path")
    row = entry_at(scene, resolve(scene, role, "path"), "entry", role, optional=True)
    known = call("not_null", Variable(name=row))
    words = scene.reading.tool.original_name.lower()
    if re.search(r"file", words) and not re.search(r"dir|folder", words):
        known = call("and", known, negate(is_directory(row)))
    answer(
        scene,
        [
            Fact("exists", "boolean", known, "found present", principal=True),
            Fact("type", "text", RowField(row=row, column="kind"), "kind"),
        ],
        "",
    )


READERS: dict[str, Callable[[Scene], None]] = {
    "where": where_am_i, "go": go_to, "list": list_directory, "tree": tree_of, "roots": list_roots, "read": read_file,
    "head": read_ends, "tail": read_ends, "find": find_entries, "search": find_entries, "grep": find_lines,
    "count": count_in, "sort": sort_lines_of, "diff": compare_files, "usage": _usage, "info": _info, "exists": _exists,
}  # fmt: skip
"""Builders of what looks (and of what moves where one looks from)."""
