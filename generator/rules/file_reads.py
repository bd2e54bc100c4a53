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
    Each,
    Expression,
    Item,
    Listing,
    OperationKind,
    Record,
    RowField,
    Update,
    Variable,
    When,
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
    matching,
    resolve,
    row_fact,
    rows_fact,
    shown,
    text_facts,
    within,
)  # fmt: skip
from autoforge.generator.rules.filesystem import HERE
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.shapes import properties_of

__all__ = ["READERS"]

_PATH, _NAME, _CONTENT = (RowField(row="entry", column=c) for c in ("path", "name", "content"))


def _where(scene: Scene) -> None:
    scene.kind = OperationKind.GET
    answer(
        scene, [Fact("path", "text", base(scene), "current working directory folder cwd ruta pfad", principal=True)], ""
    )


def _go(scene: Scene) -> None:
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


def _list(scene: Scene) -> None:
    scene.kind = OperationKind.LIST
    role = scene.first("path")
    path = resolve(scene, role, "path")
    entry_at(scene, path, "directory", role, kind="directory")
    rows = every(scene)
    recursive, hidden, pattern, depth = (given(scene, m) for m in ("recursive", "hidden", "pattern", "depth"))
    directly = equal(RowField(row="entry", column="parent"), path)
    below = call("path_under", _PATH, path)
    conditions: list[Expression] = [
        call("or", directly, call("and", recursive, below)) if recursive is not None else directly
    ]
    if (
        re.search(r"recursiv|all (?:notes|files|documents) in the vault", scene.reading.text, re.IGNORECASE)
        and recursive is None
    ):
        conditions = [below]
    if depth is not None:
        conditions = [below, call("or", call("is_null", depth), call("less_equal", _depth(path), depth))]
    if hidden is not None:
        dotted = equal(call("slice", _NAME, Constant(value=0), Constant(value=1)), Constant(value="."))
        conditions.append(call("or", hidden, negate(dotted)))
    if pattern is not None:
        conditions.append(call("or", call("is_null", pattern), call("matches_glob", _PATH, pattern)))
    conditions += filters(scene)
    conditions += _only(scene)
    plain = call("path_relative", _PATH, path) if recursive is not None or conditions[0] is below else _NAME
    _sorted(scene, rows)
    limit = given(scene, "limit")
    words = "contents items files folders directories entries listing list names notes archivos dateien"
    found = rows_fact(scene, "entries", rows, all_of(conditions), plain=plain, words=words, limit=limit)
    total = call("length", Listing(over=Variable(name=rows), item="entry", value=_PATH, condition=all_of(conditions)))
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
        size = Record(fields=(("row", Variable(name="entry")), ("size", call("byte_size", _CONTENT))))
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
    size: Expression = call("byte_size", _CONTENT)
    value = Choose(condition=human, then=call("readable_size", size), otherwise=size) if human is not None else size
    record = Record(fields=(("name", _NAME), ("size", value)))
    return [
        Fact(
            "sizes", "list", Listing(over=Variable(name=rows), item="entry", value=record, condition=all_of(conditions))
        )
    ]


def _depth(path: Expression) -> Expression:
    """How deep below a path `entry` lies; 1 directly in it."""
    return call("length", call("split", call("path_relative", _PATH, path), Constant(value="/")))


def _tree(scene: Scene) -> None:
    scene.kind = OperationKind.LIST
    role = scene.first("path")
    path = resolve(scene, role, "path")
    entry_at(scene, path, "directory", role, kind="directory")
    rows = every(scene)
    conditions: list[Expression] = [call("path_under", _PATH, path), *filters(scene)]
    depth, hidden = given(scene, "depth"), given(scene, "hidden")
    if depth is not None:
        conditions.append(call("or", call("is_null", depth), call("less_equal", _depth(path), depth)))
    if hidden is not None:
        conditions.append(call("or", hidden, negate(call("contains_text", _PATH, Constant(value="/.")))))
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


def _roots(scene: Scene) -> None:
    scene.kind = OperationKind.LIST
    rows = every(scene, parent=Constant(value="/"))
    answer(
        scene,
        [rows_fact(scene, "directories", rows, is_directory("entry"), plain=_PATH, words="allowed roots paths")],
        "",
    )


def _read(scene: Scene) -> None:
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


def _ends(scene: Scene) -> None:
    scene.kind = OperationKind.GET
    role = scene.first("path")
    file = entry_at(scene, resolve(scene, role, "path"), "file", role, kind="file")
    count = given(scene, "lines") or given(scene, "limit") or Constant(value=10)
    function = "tail_lines" if scene.cast.special[scene.reading.tool.name].act == "tail" else "head_lines"
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


def _find(scene: Scene) -> None:
    scene.kind = OperationKind.SEARCH
    role, wanted = scene.first("path"), given(scene, "pattern")
    path = resolve(scene, role, "path")
    entry_at(scene, path, "directory", role, kind="directory")
    rows = every(scene)
    recursive, depth, hidden = given(scene, "recursive"), given(scene, "depth"), given(scene, "hidden")
    conditions: list[Expression] = [call("path_under", _PATH, path)]
    if recursive is not None:
        conditions.append(call("or", recursive, equal(RowField(row="entry", column="parent"), path)))
    if wanted is not None:
        conditions.append(call("or", call("is_null", wanted), _matched(scene, path, wanted)))
    if depth is not None:
        conditions.append(call("or", call("is_null", depth), call("less_equal", _depth(path), depth)))
    if hidden is not None:
        conditions.append(call("or", hidden, negate(call("contains_text", _PATH, Constant(value="/.")))))
    conditions += filters(scene)
    relative = (
        path
        if re.search(
            r"relative to", " ".join([scene.reading.text, str(scene.reading.tool.output_schema)]), re.IGNORECASE
        )
        and not scene.cast.special[scene.reading.tool.name].relative
        else None
    )
    plain = call("path_relative", _PATH, path) if relative is not None else shown(scene, _PATH)
    found = rows_fact(
        scene,
        "matches",
        rows,
        all_of(conditions),
        plain=plain,
        words="files results paths entries notes found",
        relative_to=relative,
        limit=given(scene, "limit"),
    )
    total = call("length", Listing(over=Variable(name=rows), item="entry", value=_PATH, condition=all_of(conditions)))
    answer(scene, [found, Fact("count", "integer", total, "total number")], "")


def _matched(scene: Scene, path: Expression, wanted: Expression) -> Expression:
    """By name for `find`; by name or content for a search in both."""
    named = call("matches_glob", call("path_relative", _PATH, path), wanted)
    if scene.cast.special[scene.reading.tool.name].act == "search":
        return call("or", named, call("contains_text", _CONTENT, wanted))
    return named


def _grep(scene: Scene) -> None:
    scene.kind = OperationKind.SEARCH
    role, wanted = scene.first("path"), given(scene, "pattern")
    assert wanted is not None
    path = resolve(scene, role, "path")
    lines = _line_match(scene, wanted)
    if _one_file(scene):
        file = entry_at(scene, path, "file", role, kind="file")
        found = Listing(
            over=call("lines", RowField(row=file, column="content")),
            item="line",
            value=Variable(name="line"),
            condition=lines,
        )
        limited = (
            call("slice", found, Constant(value=0), given(scene, "limit") or Constant(value=None))
            if given(scene, "limit") is not None
            else found
        )
        answer(
            scene,
            [
                Fact("lines", "list", limited, "matching matches matched results", principal=True),
                Fact("count", "integer", call("length", found), "total number matches"),
                *text_facts(scene, file),
            ],
            "",
        )
        return
    entry_at(scene, path, "place", role)
    rows = every(scene)
    conditions: list[Expression] = [within(path), negate(is_directory("entry")), *filters(scene)]
    recursive = given(scene, "recursive")
    if recursive is not None:
        conditions.append(
            call("or", recursive, equal(RowField(row="entry", column="parent"), path), equal(_PATH, path))
        )
    scene.add(Assign(name="found", value=Constant(value=[])), Assign(name="texts", value=Constant(value=[])))
    record = Record(fields=(("path", shown(scene, _PATH)), ("line", Variable(name="line"))))
    matched = Listing(over=call("lines", _CONTENT), item="line", value=record, condition=lines)
    texts = Listing(
        over=call("lines", _CONTENT),
        item="line",
        value=call("concat", shown(scene, _PATH), Constant(value=": "), Variable(name="line")),
        condition=lines,
    )
    steps = (
        Assign(name="found", value=call("merge", Variable(name="found"), matched)),
        Assign(name="texts", value=call("merge", Variable(name="texts"), texts)),
    )
    documented = properties_of(scene.reading.tool.output_schema)
    scene.add(
        Each(
            over=Variable(name=rows),
            item="entry",
            steps=(When(condition=all_of(conditions) or Constant(value=True), steps=steps),),
        )
    )
    plain = rows_fact(
        scene,
        "files",
        rows,
        call(
            "and",
            *conditions,
            call(
                "not_null",
                call(
                    "at",
                    Listing(over=call("lines", _CONTENT), item="line", value=Variable(name="line"), condition=lines),
                    Constant(value=0),
                ),
            ),
        ),
        plain=shown(scene, _PATH),
        words="matches notes results paths",
        limit=given(scene, "limit"),
    )
    limit = given(scene, "limit")
    cut = (
        call("slice", Variable(name="found"), Constant(value=0), limit) if limit is not None else Variable(name="found")
    )
    if documented:
        answer(
            scene,
            [
                plain,
                Fact("lines", "list", Variable(name="texts"), "matching"),
                Fact("count", "integer", call("length", Variable(name="found")), "total number matches"),
            ],
            "",
        )
    else:
        answer(
            scene,
            [
                Fact("matches", "list", cut, principal=True),
                Fact("count", "integer", call("length", Variable(name="found")), "total"),
            ],
            "",
        )


def _one_file(scene: Scene) -> bool:
    """Whether the tool searches the one file that it is given."""
    role = scene.first("path")
    return (
        role is not None
        and role.required
        and not re.search(
            r"director|folder|recursiv|ordner|carpeta",
            f"{role.name} {role.description} {scene.reading.text}".replace("current directory", "").replace(
                "local directory", ""
            ),
            re.IGNORECASE,
        )
    )


def _line_match(scene: Scene, wanted: Expression) -> Expression:
    """Whether `line` matches: a regular expression or, as `grep` does, a text in this case where the tool says so."""
    line = Variable(name="line")
    said = scene.reading.text + str(scene.reading.tool.input_schema)
    regular = re.search(r"regular expression|regex", said, re.IGNORECASE) is not None
    exact = call("matches", line, wanted) if regular else call("in", wanted, line)
    loose = call("contains_text", line, wanted)
    case, ignore = given(scene, "case"), given(scene, "ignore_case")
    if ignore is not None:
        return Choose(condition=ignore, then=loose, otherwise=exact)
    if case is not None:
        return Choose(condition=case, then=exact, otherwise=loose)
    return exact if regular or scene.reading.tool.original_name.endswith("grep") else loose


def _count(scene: Scene) -> None:
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


def _sort(scene: Scene) -> None:
    scene.kind = OperationKind.COMPUTE
    role = scene.first("path")
    file = entry_at(scene, resolve(scene, role, "path"), "file", role, kind="file")
    text = call("sort_lines", call("coalesce", RowField(row=file, column="content"), Constant(value="")))
    answer(scene, [Fact("content", "text", text, "sorted lines result output", principal=True)], "")


def _diff(scene: Scene) -> None:
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


def _usage(scene: Scene) -> None:
    scene.kind = OperationKind.COMPUTE
    role, human = scene.first("path"), given(scene, "human")
    path = resolve(scene, role, "path")
    entry_at(scene, path, "place", role)
    rows = every(scene)
    sizes = Listing(over=Variable(name=rows), item="entry", value=call("byte_size", _CONTENT), condition=within(path))
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
    "where": _where, "go": _go, "list": _list, "tree": _tree, "roots": _roots, "read": _read, "head": _ends,
    "tail": _ends, "find": _find, "search": _find, "grep": _grep, "count": _count, "sort": _sort, "diff": _diff,
    "usage": _usage, "info": _info, "exists": _exists,
}  # fmt: skip
"""Builders of what looks (and of what moves where one looks from)."""
