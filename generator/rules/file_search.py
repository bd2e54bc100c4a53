"""File tools that look for something: entries by name, lines by what they contain.

Invariant: only what lies at or below the given path is found. Not covered: listing a directory (`file_places`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    Assign,
    Choose,
    Constant,
    Each,
    Expression,
    Listing,
    OperationKind,
    Record,
    RowField,
    Variable,
    When,
)
from autoforge.generator.rules.answers import Fact, answer
from autoforge.generator.rules.file_places import ENTRY_CONTENT, ENTRY_PATH, depth_below
from autoforge.generator.rules.file_scene import (
    all_of,
    entry_at,
    every,
    filters,
    given,
    is_directory,
    resolve,
    rows_fact,
    shown,
    text_facts,
    within,
)  # fmt: skip
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.shapes import properties_of

__all__ = ["find_entries", "find_lines"]


def find_entries(scene: Scene) -> None:
    scene.kind = OperationKind.SEARCH
    role, wanted = scene.first("path"), given(scene, "pattern")
    path = resolve(scene, role, "path")
    entry_at(scene, path, "directory", role, kind="directory")
    rows = every(scene)
    recursive, depth, hidden = given(scene, "recursive"), given(scene, "depth"), given(scene, "hidden")
    conditions: list[Expression] = [call("path_under", ENTRY_PATH, path)]
    if recursive is not None:
        conditions.append(call("or", recursive, equal(RowField(row="entry", column="parent"), path)))
    if wanted is not None:
        conditions.append(call("or", call("is_null", wanted), _matched(scene, path, wanted)))
    if depth is not None:
        conditions.append(call("or", call("is_null", depth), call("less_equal", depth_below(path), depth)))
    if hidden is not None:
        conditions.append(call("or", hidden, negate(call("contains_text", ENTRY_PATH, Constant(value="/.")))))
    conditions += filters(scene)
    relative = (
        path
        if re.search(
            r"relative to", " ".join([scene.reading.text, str(scene.reading.tool.output_schema)]), re.IGNORECASE
        )
        and not scene.cast.special[scene.reading.tool.name].relative
        else None
    )
    plain = call("path_relative", ENTRY_PATH, path) if relative is not None else shown(scene, ENTRY_PATH)
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
    total = call(
        "length", Listing(over=Variable(name=rows), item="entry", value=ENTRY_PATH, condition=all_of(conditions))
    )
    answer(scene, [found, Fact("count", "integer", total, "total number")], "")


def _matched(scene: Scene, path: Expression, wanted: Expression) -> Expression:
    """By name for `find`; by name or content for a search in both."""
    named = call("matches_glob", call("path_relative", ENTRY_PATH, path), wanted)
    if scene.cast.special[scene.reading.tool.name].act == "search":
        return call("or", named, call("contains_text", ENTRY_CONTENT, wanted))
    return named


def find_lines(scene: Scene) -> None:
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
            call("or", recursive, equal(RowField(row="entry", column="parent"), path), equal(ENTRY_PATH, path))
        )
    scene.add(Assign(name="found", value=Constant(value=[])), Assign(name="texts", value=Constant(value=[])))
    record = Record(fields=(("path", shown(scene, ENTRY_PATH)), ("line", Variable(name="line"))))
    matched = Listing(over=call("lines", ENTRY_CONTENT), item="line", value=record, condition=lines)
    texts = Listing(
        over=call("lines", ENTRY_CONTENT),
        item="line",
        value=call("concat", shown(scene, ENTRY_PATH), Constant(value=": "), Variable(name="line")),
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
                    Listing(
                        over=call("lines", ENTRY_CONTENT), item="line", value=Variable(name="line"), condition=lines
                    ),
                    Constant(value=0),
                ),
            ),
        ),
        plain=shown(scene, ENTRY_PATH),
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
