"""File tools that show what a file holds: whole, in part, counted, sorted or compared.

Invariant: a directory is refused, and so is a file that is not there. Not covered: looking for something in files
(`file_search`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Assign,
    Choose,
    Constant,
    Each,
    Expression,
    Function,
    OperationKind,
    Record,
    RowField,
    Variable,
)
from autoforge.generator.rules.answers import Fact, answer
from autoforge.generator.rules.file_scene import (
    base,
    entry_at,
    given,
    is_directory,
    matching,
    resolve,
    text_facts,
)  # fmt: skip
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.shapes import properties_of

__all__ = ["compare_files", "count_in", "read_ends", "read_file", "sort_lines_of"]


def read_file(scene: Scene) -> None:
    scene.kind = OperationKind.GET
    many = scene.first("paths")
    if many is not None and scene.first("path") is None:
        _read_many(scene)
        return
    role = scene.first("path")
    path = resolve(scene, role, "path")
    file = entry_at(scene, path, "file", role, kind="file")
    matching(scene, file)
    whole = call("coalesce", RowField(row=file, column="content"), Constant(value=""))
    text = _part(scene, whole)
    facts = [
        Fact("content", "text", text, "contents text data body file result output inhalt contenido", principal=True),
        *text_facts(scene, file), Fact("size", "integer", call("byte_size", whole), "bytes length"),
        Fact("lines", "list", call("lines", text), ""),
        Fact("line_count", "integer", call("length", call("lines", whole)), "total lines count"),
    ]  # fmt: skip
    documented = bool(properties_of(scene.reading.tool.output_schema))
    more = [
        Fact(a.name, "text", RowField(row=file, column=a.name))
        for a in scene.entities[scene.bound[file]].attributes
        if a.name not in ("path", "parent", "name", "kind", "content", "created_at", "modified_at")
    ]
    answer(scene, [*facts, *_moments(scene, file)] if documented else [facts[1], facts[0], *more], "")


def _moments(scene: Scene, row: str) -> list[Fact]:
    entity = scene.entities[scene.bound[row]]
    return [
        Fact(n, "text", RowField(row=row, column=n), w)
        for n, w in (("modified_at", "last modified updated"), ("created_at", "created creation"))
        if entity.attribute(n)
    ]


def _part(scene: Scene, text: Expression) -> Expression:
    """The part of a content that further parameters ask for."""
    head, tail, count = given(scene, "head"), given(scene, "tail"), given(scene, "lines")
    start, end, limit = given(scene, "start"), given(scene, "end"), given(scene, "limit")
    if head is not None and tail is not None:
        scene.refuse(
            call("and", call("not_null", head), call("not_null", tail)),
            "Give the number of first or of last lines, not both.",
            "other",
        )
    if head is not None or count is not None:
        text = call("head_lines", text, head if head is not None else count or Constant(value=None))
    if tail is not None:
        text = call("tail_lines", text, tail)
    if start is not None or end is not None or limit is not None:
        first = next((r for r in scene.roles_of("start") if "line" in r.name.lower()), None)
        begin = (
            call("subtract", call("coalesce", start, Constant(value=1)), Constant(value=1))
            if first is not None and start is not None
            else call("coalesce", start, Constant(value=0))
            if start is not None
            else Constant(value=0)
        )
        begin = call("maximum", begin, Constant(value=0))
        stop = end if end is not None else call("add", begin, limit) if limit is not None else Constant(value=None)
        text = call("join", call("slice", call("lines", text), begin, stop), Constant(value="\n"))
    return text


def _read_many(scene: Scene) -> None:
    """Each path by itself; one that is missing is told in its place, as the others are not to fail for it."""
    role = scene.first("paths")
    assert role is not None
    entity = scene.roles and scene.cast.special[scene.reading.tool.name].entity
    start = base(scene)
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
    inner.add(Assign(name="path", value=call("path_join", start, Variable(name="given_path"))))
    row = entry_at(inner, Variable(name="path"), "file", optional=True)
    assert entity
    known = call("and", call("not_null", Variable(name=row)), negate(is_directory(row)))
    content = Choose(condition=known, then=RowField(row=row, column="content"))
    record = Record(
        fields=(
            ("path", Variable(name="given_path")),
            ("content", content),
            (
                "error",
                Choose(condition=known, then=Constant(value=None), otherwise=Constant(value="There is no such file.")),
            ),
        ),
        omit_null=("content", "error"),
    )
    scene.add(
        Each(over=scene.argument(role), item="given_path", steps=tuple(inner.steps), collect="files", result=record)
    )
    answer(scene, [Fact("files", "list", Variable(name="files"), "contents results", principal=True)], "")


def read_ends(scene: Scene) -> None:
    scene.kind = OperationKind.GET
    role = scene.first("path")
    file = entry_at(scene, resolve(scene, role, "path"), "file", role, kind="file")
    count = given(scene, "lines") or given(scene, "limit") or Constant(value=10)
    function: Function = "tail_lines" if scene.cast.special[scene.reading.tool.name].act == "tail" else "head_lines"
    scene.refuse(call("less", count, Constant(value=0)), "The number of lines cannot be negative.", "range")
    text = call(
        function,
        call("coalesce", RowField(row=file, column="content"), Constant(value="")),
        call("coalesce", count, Constant(value=10)),
    )
    answer(
        scene,
        [
            Fact("lines", "text", text, "last first content output result text", principal=True),
            *text_facts(scene, file),
        ],
        "",
    )


def count_in(scene: Scene) -> None:
    scene.kind = OperationKind.COMPUTE
    role, mode = scene.first("path"), given(scene, "mode")
    file = entry_at(scene, resolve(scene, role, "path"), "file", role, kind="file")
    content = call("coalesce", RowField(row=file, column="content"), Constant(value=""))
    counts = {
        "lines": call("length", call("lines", content)),
        "words": call("count_words", content),
        "characters": call("length", content),
    }
    if mode is None:
        answer(
            scene,
            [
                Fact(
                    n,
                    "integer",
                    v,
                    {"lines": "line count", "words": "word", "characters": "character chars bytes size"}[n],
                    principal=n == "lines",
                )
                for n, v in counts.items()
            ],
            "",
        )
        return
    letter = call("slice", call("lower", mode), Constant(value=0), Constant(value=1))
    scene.refuse(
        negate(call("in", letter, Constant(value=["l", "w", "c"]))),
        "The mode must be one of l (lines), w (words) and c (characters).",
        "range",
    )

    def by_mode(values: dict[str, Expression]) -> Expression:
        words = Choose(
            condition=equal(letter, Constant(value="w")), then=values["words"], otherwise=values["characters"]
        )
        return Choose(condition=equal(letter, Constant(value="l")), then=values["lines"], otherwise=words)

    unit = by_mode({n: Constant(value=n) for n in counts})
    answer(
        scene,
        [
            Fact("count", "integer", by_mode(dict(counts)), "number total", principal=True),
            Fact("type", "text", unit, "unit mode kind lines words characters"),
        ],
        "",
    )


def sort_lines_of(scene: Scene) -> None:
    scene.kind = OperationKind.COMPUTE
    role = scene.first("path")
    file = entry_at(scene, resolve(scene, role, "path"), "file", role, kind="file")
    text = call("sort_lines", call("coalesce", RowField(row=file, column="content"), Constant(value="")))
    answer(scene, [Fact("content", "text", text, "sorted lines result output", principal=True)], "")


def compare_files(scene: Scene) -> None:
    scene.kind = OperationKind.COMPUTE
    first, second = scene.roles_of("path")[:2]
    one = entry_at(scene, resolve(scene, first, "first_path"), "first_file", first, kind="file")
    two = entry_at(scene, resolve(scene, second, "second_path"), "second_file", second, kind="file")
    found = call("diff_lines", RowField(row=one, column="content"), RowField(row=two, column="content"))
    same = equal(RowField(row=one, column="content"), RowField(row=two, column="content"))
    answer(
        scene,
        [
            Fact("diff", "text", found, "lines differences difference result", principal=True),
            Fact("identical", "boolean", same, "same equal"),
        ],
        "",
    )
