"""File tools that change the tree: make, write, append, edit, move, copy and remove entries.

Invariant: a path is taken once, lies in a directory that exists, and a directory is removed or moved with all that
lies in it; nothing is put into itself; the working directory is never left dangling. Not covered: looking
(`file_reads`).
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
    OperationKind,
    Return,
    RowField,
    Step,
    Variable,
    When,
)
from autoforge.generator.rules.answers import Fact, answer
from autoforge.generator.rules.file_entries import changed_entry, entry_if_any, make_room, new_entry, path_facts
from autoforge.generator.rules.file_moves import copy_entry, move_entry, remove_entry
from autoforge.generator.rules.file_scene import (
    entry_at,
    given,
    is_directory,
    resolve,
)
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.shapes import properties_of, row_schema
from autoforge.generator.rules.words import snake

__all__ = ["WRITERS"]

_LENIENT = re.compile(r"already exists?[^.]{0,40}(?:succeed|silently|nothing|no error)|ensure", re.IGNORECASE)


_CREATES = re.compile(
    r"creat\w+ (?:it|the (?:file|note)|a new (?:file|note))? ?(?:if|when) (?:it |the file |the note )?(?:does "
    r"not|doesn't|missing|not)",
    re.IGNORECASE,
)


def _mkdir(scene: Scene) -> None:
    scene.kind = OperationKind.CREATE
    role = scene.first("path")
    path = resolve(scene, role, "path")
    known = entry_if_any(scene, path, "known")
    exists = call("not_null", Variable(name=known))
    said = f"'{{{role.path[0]}}}'" if role else "It"
    lenient, may = bool(_LENIENT.search(scene.reading.text)), given(scene, "exist_ok")
    if may is None and given(scene, "parents") is not None:
        may = given(scene, "parents")
    again = call("and", exists, is_directory(known))
    if lenient or may is not None:
        scene.refuse(
            call("and", exists, negate(is_directory(known))), f"{said} exists and is not a directory.", "duplicate"
        )
    if not lenient:
        scene.refuse(
            call("and", again, negate(may)) if may is not None else exists, f"{said} exists already.", "duplicate"
        )
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
    make_room(inner, path)
    inner.add(new_entry(inner, path, Constant(value="directory"), Constant(value=None), "new_entry"))
    scene.add(
        *(inner.steps if not lenient and may is None else [When(condition=negate(exists), steps=tuple(inner.steps))])
    )
    answer(scene, path_facts(scene, path), "Directory created.")


def _create(scene: Scene) -> None:
    scene.kind = OperationKind.CREATE
    role, content = scene.first("path"), given(scene, "content")
    path = resolve(scene, role, "path")
    known = entry_if_any(scene, path, "known")
    exists = call("not_null", Variable(name=known))
    said = f"'{{{role.path[0]}}}'" if role else "It"
    overwrite = given(scene, "overwrite")
    scene.refuse(
        call("and", exists, negate(call("and", overwrite, negate(is_directory(known)))))
        if overwrite is not None
        else exists,
        f"{said} exists already.",
        "duplicate",
    )
    make_room(scene, path)
    text: Expression = call("coalesce", content, Constant(value="")) if content is not None else Constant(value="")
    made = new_entry(scene, path, Constant(value="file"), text, "new_entry")
    if overwrite is None:
        scene.add(made)
    else:
        scene.add(When(condition=exists, steps=(changed_entry(scene, known, text),), otherwise=(made,)))
    answer(
        scene, [*path_facts(scene, path), Fact("size", "integer", call("byte_size", text), "bytes")], "File created."
    )


def _write(scene: Scene) -> None:
    """Write to a file; without one where it may be left out, only repeat the content."""
    scene.kind = OperationKind.UPDATE
    role, content = scene.first("path"), given(scene, "content")
    assert content is not None
    if role is None or (not role.required and role.schema.get("default") is None):
        only = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast)
        answer(only, [Fact("output", "text", content, "content terminal result text", principal=True)], "")
        if role is None:
            scene.kind = OperationKind.COMPUTE
            scene.add(*only.steps)
            return
        scene.add(When(condition=call("is_null", scene.argument(role)), steps=tuple(only.steps)))
    path = resolve(scene, role, "path")
    file = entry_if_any(scene, path, "file")
    exists = call("not_null", Variable(name=file))
    scene.refuse(call("and", exists, is_directory(file)), f"'{{{role.path[0]}}}' is a directory.", "other")
    overwrite = given(scene, "overwrite")
    if overwrite is not None:
        scene.refuse(call("and", exists, negate(overwrite)), f"'{{{role.path[0]}}}' exists already.", "duplicate")
    before = call("coalesce", RowField(row=file, column="content"), Constant(value=""))
    text = _added(scene, before, content)
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
    make_room(inner, path)
    inner.add(new_entry(inner, path, Constant(value="file"), content, "new_entry"))
    scene.add(When(condition=exists, steps=(changed_entry(scene, file, text),), otherwise=tuple(inner.steps)))
    quiet = {
        n
        for n, s in properties_of(scene.reading.tool.output_schema).items()
        if re.search(r"\bnone\b.*written|if no file", str(s.get("description", "")), re.IGNORECASE)
    }
    if quiet:
        scene.add(Return(value=Constant(value={})))
        return
    answer(
        scene,
        [*path_facts(scene, path), Fact("size", "integer", call("byte_size", content), "bytes written")],
        "File written.",
    )


def _added(scene: Scene, before: Expression, content: Expression) -> Expression:
    """With a flag or mode for it, the content goes behind what is there."""
    append, mode = given(scene, "append"), given(scene, "mode")
    if append is not None:
        return Choose(condition=append, then=call("concat", before, content), otherwise=content)
    if mode is not None:
        first = call("slice", call("lower", mode), Constant(value=0), Constant(value=1))
        return Choose(
            condition=equal(first, Constant(value="a")), then=call("concat", before, content), otherwise=content
        )
    return content


def _append(scene: Scene) -> None:
    scene.kind = OperationKind.UPDATE
    role, content = scene.first("path"), given(scene, "content")
    assert role is not None and content is not None
    path = resolve(scene, role, "path")
    creates = bool(_CREATES.search(scene.reading.text))
    file = entry_if_any(scene, path, "file") if creates else entry_at(scene, path, "file", role, kind="file")
    before = call("coalesce", RowField(row=file, column="content"), Constant(value=""))
    line = re.search(r"new line|as a line|neue zeile|nueva línea", scene.reading.text, re.IGNORECASE)
    glue: Expression = (
        Choose(
            condition=call(
                "and",
                call("not_equal", before, Constant(value="")),
                call("not_equal", call("slice", before, Constant(value=-1)), Constant(value="\n")),
            ),
            then=Constant(value="\n"),
            otherwise=Constant(value=""),
        )
        if line
        else Constant(value="")
    )
    change = changed_entry(scene, file, call("concat", before, glue, content))
    if creates:
        scene.refuse(
            call("and", call("not_null", Variable(name=file)), is_directory(file)),
            f"'{{{role.path[0]}}}' is a directory.",
            "other",
        )
        inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
        make_room(inner, path)
        inner.add(new_entry(inner, path, Constant(value="file"), content, "new_entry"))
        scene.add(When(condition=call("not_null", Variable(name=file)), steps=(change,), otherwise=tuple(inner.steps)))
    else:
        scene.add(change)
    answer(
        scene,
        [*path_facts(scene, path), Fact("added", "integer", call("byte_size", content), "bytes written")],
        "Content added.",
    )


def _edit(scene: Scene) -> None:
    scene.kind = OperationKind.UPDATE
    role, edits, dry = scene.first("path"), scene.first("edits"), given(scene, "dry")
    path = resolve(scene, role, "path")
    file = entry_at(scene, path, "file", role, kind="file")
    before = call("coalesce", RowField(row=file, column="content"), Constant(value=""))
    scene.add(Assign(name="edited", value=before))
    edited = Variable(name="edited")
    if edits is not None:
        names = list(properties_of(row_schema(edits.schema) or {}))
        old = next((n for n in names if re.match(r"(?:old|search|find|original|from)", snake(n))), names[0])
        new = next((n for n in names if n != old), names[-1])
        steps = _replacing(
            scene,
            edited,
            Item(container=Variable(name="edit"), key=Constant(value=old)),
            Item(container=Variable(name="edit"), key=Constant(value=new)),
        )
        scene.add(Each(over=scene.argument(edits), item="edit", steps=tuple(steps)))
    else:
        scene.add(
            *_replacing(
                scene,
                edited,
                given(scene, "old_text") or Constant(value=None),
                given(scene, "new_text") or Constant(value=""),
            )
        )
    scene.add(Assign(name="difference", value=call("diff_lines", before, edited)))
    change = changed_entry(scene, file, edited)
    scene.add(When(condition=negate(dry), steps=(change,)) if dry is not None else change)
    answer(
        scene,
        [
            Fact("diff", "text", Variable(name="difference"), "changes result", principal=True),
            Fact("content", "text", edited, "text"),
            *path_facts(scene, path),
        ],
        "File edited.",
    )


def _replacing(scene: Scene, edited: Expression, old: Expression, new: Expression) -> list[Step]:
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast)
    absent = call("or", call("not", call("in", old, edited)), equal(old, Constant(value="")))
    inner.refuse(absent, "The text to replace does not occur in the file.", "missing")
    inner.add(Assign(name="edited", value=call("replace_first", edited, old, new)))
    return inner.steps


WRITERS: dict[str, Callable[[Scene], None]] = {
    "mkdir": _mkdir, "create": _create, "write": _write, "append": _append, "edit": _edit, "move": move_entry,
    "copy": copy_entry, "remove": remove_entry, "rmdir": remove_entry,
}  # fmt: skip
"""Builders of what changes the tree."""
