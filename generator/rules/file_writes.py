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
    Delete,
    Each,
    Expression,
    Filter,
    Find,
    Insert,
    Item,
    Now,
    OperationKind,
    Return,
    RowField,
    Step,
    Update,
    Variable,
    When,
)
from autoforge.generator.rules.answers import Fact, answer
from autoforge.generator.rules.file_scene import (
    act_of_scene,
    base,
    entry_at,
    every,
    given,
    is_directory,
    resolve,
    shown,
    within,
)
from autoforge.generator.rules.filesystem import HERE
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.shapes import properties_of, row_schema
from autoforge.generator.rules.words import snake

__all__ = ["WRITERS"]

_LENIENT = re.compile(r"already exists?[^.]{0,40}(?:succeed|silently|nothing|no error)|ensure", re.IGNORECASE)
_NESTED = re.compile(
    r"nested|parent director|intermediate|missing (?:parent|director|folder)|recursively creat|as needed"
    r"|necessary|creates? (?:any )?(?:parent|missing)",
    re.IGNORECASE,
)
_CREATES = re.compile(
    r"creat\w+ (?:it|the (?:file|note)|a new (?:file|note))? ?(?:if|when) (?:it |the file |the note )?(?:does "
    r"not|doesn't|missing|not)",
    re.IGNORECASE,
)
_FAILS = re.compile(r"(?:destination|target|already) exists?[^.]{0,40}(?:fail|error|refus)", re.IGNORECASE)
_WHOLE = re.compile(r"recursiv|and (?:all )?(?:its|their|the) contents?|everything in|with (?:its|all)", re.IGNORECASE)


def _entity(scene: Scene) -> str:
    return act_of_scene(scene).entity


def _new(scene: Scene, path: Expression, kind: Expression, content: Expression, row: str) -> Insert:
    entity = scene.entities[_entity(scene)]
    values: list[tuple[str, Expression]] = [
        ("path", path),
        ("parent", call("path_parent", path)),
        ("name", call("path_name", path)),
        ("kind", kind),
        ("content", content),
    ]
    values += [(n, Now()) for n in ("created_at", "modified_at") if entity.attribute(n)]
    scene.bound[row] = entity.name
    return Insert(row=row, entity=entity.name, values=tuple(values + (_extras(scene) if row == "new_entry" else [])))


def _extras(scene: Scene) -> list[tuple[str, Expression]]:
    """Columns for what the tool is told beside path and content."""
    entity = scene.entities[_entity(scene)]
    return [(r.column, scene.argument(r)) for r in scene.roles_of("value") if r.column and entity.attribute(r.column)]


def _touch_time(scene: Scene) -> list[tuple[str, Expression]]:
    return [("modified_at", Now())] if scene.entities[_entity(scene)].attribute("modified_at") else []


def _stay_below(scene: Scene, path: Expression) -> None:
    """Nothing may be made below a file, and every directory above must exist."""
    parent = scene.variable("parent")
    scene.add(
        Find(
            row=parent,
            entity=_entity(scene),
            where=(Filter(column="path", value=call("path_parent", path)),),
            missing="The directory that it would lie in does not exist.",
        )
    )
    scene.bound[parent] = _entity(scene)
    scene.refuse(negate(is_directory(parent)), "What it would lie in is not a directory.", "other")


def _nests(scene: Scene) -> bool:
    return bool(_NESTED.search(scene.reading.text)) or (
        act_of_scene(scene).relative
        and act_of_scene(scene).act != "mkdir"
        and not re.search(r"must exist", scene.reading.text)
    )


def _make_room(scene: Scene, path: Expression) -> None:
    """Check the directories above a new entry, or make them where the documentation says so or a flag asks for it."""
    flag = given(scene, "parents")
    if flag is None and not _nests(scene):
        _stay_below(scene, path)
        return
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
    inner.add(
        Find(
            row="above",
            entity=_entity(scene),
            where=(Filter(column="path", value=Variable(name="above_path")),),
            missing=None,
        )
    )
    inner.bound["above"] = _entity(scene)
    inner.refuse(
        call("and", call("not_null", Variable(name="above")), negate(is_directory("above"))),
        "What it would lie in is not a directory.",
        "other",
    )
    if flag is not None:
        inner.refuse(
            call("and", call("is_null", Variable(name="above")), negate(flag)),
            "The directory that it would lie in does not exist.",
            "missing",
        )
    made = _new(inner, Variable(name="above_path"), Constant(value="directory"), Constant(value=None), "made_directory")
    inner.add(When(condition=call("is_null", Variable(name="above")), steps=(made,)))
    scene.add(Each(over=call("path_ancestors", path), item="above_path", steps=tuple(inner.steps)))


def _taken(scene: Scene, path: Expression, row: str) -> str:
    return entry_at(scene, path, row, optional=True)


def _mkdir(scene: Scene) -> None:
    scene.kind = OperationKind.CREATE
    role = scene.first("path")
    path = resolve(scene, role, "path")
    known = _taken(scene, path, "known")
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
    _make_room(inner, path)
    inner.add(_new(inner, path, Constant(value="directory"), Constant(value=None), "new_entry"))
    scene.add(
        *(inner.steps if not lenient and may is None else [When(condition=negate(exists), steps=tuple(inner.steps))])
    )
    answer(scene, _path_facts(scene, path), "Directory created.")


def _path_facts(scene: Scene, path: Expression) -> list[Fact]:
    return [
        Fact("path", "text", shown(scene, path), "file directory folder location ruta pfad"),
        Fact("name", "text", call("path_name", path)),
    ]


def _create(scene: Scene) -> None:
    scene.kind = OperationKind.CREATE
    role, content = scene.first("path"), given(scene, "content")
    path = resolve(scene, role, "path")
    known = _taken(scene, path, "known")
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
    _make_room(scene, path)
    text: Expression = call("coalesce", content, Constant(value="")) if content is not None else Constant(value="")
    made = _new(scene, path, Constant(value="file"), text, "new_entry")
    if overwrite is None:
        scene.add(made)
    else:
        scene.add(When(condition=exists, steps=(_changed(scene, known, text),), otherwise=(made,)))
    answer(
        scene, [*_path_facts(scene, path), Fact("size", "integer", call("byte_size", text), "bytes")], "File created."
    )


def _changed(scene: Scene, row: str, text: Expression) -> Update:
    return Update(
        row=row,
        entity=_entity(scene),
        values=(("content", text), *_touch_time(scene), *_extras(scene)),
        when_given=tuple(c for c, _ in _extras(scene)),
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
    file = _taken(scene, path, "file")
    exists = call("not_null", Variable(name=file))
    scene.refuse(call("and", exists, is_directory(file)), f"'{{{role.path[0]}}}' is a directory.", "other")
    overwrite = given(scene, "overwrite")
    if overwrite is not None:
        scene.refuse(call("and", exists, negate(overwrite)), f"'{{{role.path[0]}}}' exists already.", "duplicate")
    before = call("coalesce", RowField(row=file, column="content"), Constant(value=""))
    text = _added(scene, before, content)
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
    _make_room(inner, path)
    inner.add(_new(inner, path, Constant(value="file"), content, "new_entry"))
    scene.add(When(condition=exists, steps=(_changed(scene, file, text),), otherwise=tuple(inner.steps)))
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
        [*_path_facts(scene, path), Fact("size", "integer", call("byte_size", content), "bytes written")],
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
    file = _taken(scene, path, "file") if creates else entry_at(scene, path, "file", role, kind="file")
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
    change = _changed(scene, file, call("concat", before, glue, content))
    if creates:
        scene.refuse(
            call("and", call("not_null", Variable(name=file)), is_directory(file)),
            f"'{{{role.path[0]}}}' is a directory.",
            "other",
        )
        inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
        _make_room(inner, path)
        inner.add(_new(inner, path, Constant(value="file"), content, "new_entry"))
        scene.add(When(condition=call("not_null", Variable(name=file)), steps=(change,), otherwise=tuple(inner.steps)))
    else:
        scene.add(change)
    answer(
        scene,
        [*_path_facts(scene, path), Fact("added", "integer", call("byte_size", content), "bytes written")],
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
    change = _changed(scene, file, edited)
    scene.add(When(condition=negate(dry), steps=(change,)) if dry is not None else change)
    answer(
        scene,
        [
            Fact("diff", "text", Variable(name="difference"), "changes result", principal=True),
            Fact("content", "text", edited, "text"),
            *_path_facts(scene, path),
        ],
        "File edited.",
    )


def _replacing(scene: Scene, edited: Expression, old: Expression, new: Expression) -> list[Step]:
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast)
    absent = call("or", call("not", call("in", old, edited)), equal(old, Constant(value="")))
    inner.refuse(absent, "The text to replace does not occur in the file.", "missing")
    inner.add(Assign(name="edited", value=call("replace_first", edited, old, new)))
    return inner.steps


def _carry(scene: Scene) -> tuple[Variable, Variable, Role, Role]:
    """Where from and where to: into a directory that exists, else under the name given."""
    source, destination = scene.first("source"), scene.first("destination")
    assert source is not None and destination is not None
    start = resolve(scene, source, "source_path")
    entry_at(scene, start, "moved", source)
    if (
        re.search(r"name", snake(destination.name))
        and re.search(r"path|file|ruta|pfad", snake(source.name))
        and not re.search(r"path", snake(destination.name))
        and not act_of_scene(scene).located
    ):
        scene.refuse(
            call("in", Constant(value="/"), scene.argument(destination)),
            f"{{{destination.path[0]}}} is a path; give a name.",
            "range",
        )
        scene.add(
            Assign(name="target_path", value=call("path_join", call("path_parent", start), scene.argument(destination)))
        )
        target = Variable(name="target_path")
    else:
        target = resolve(scene, destination, "target_path")
    overwrite = given(scene, "overwrite")
    if not _FAILS.search(scene.reading.text) and not re.search(
        r"rename|renam|umbenenn|renombr", scene.reading.verb.word
    ):
        there = _taken(scene, target, "there")
        inside = call("path_join", target, RowField(row="moved", column="name"))
        scene.add(
            Assign(
                name="target_path",
                value=Choose(
                    condition=call("and", call("not_null", Variable(name=there)), is_directory(there)),
                    then=inside,
                    otherwise=target,
                ),
            )
        )
    scene.refuse(equal(start, Constant(value="/")), "The top of the tree stays where it is.", "other")
    scene.refuse(call("path_under", target, start), "A directory cannot be put into itself.", "other")
    taken = _taken(scene, target, "taken")
    exists = call("not_null", Variable(name=taken))
    same = equal(target, start)
    if overwrite is not None:
        blocked = call("or", negate(overwrite), is_directory(taken), is_directory("moved"), same)
        scene.refuse(call("and", exists, blocked), f"'{{{destination.path[0]}}}' exists already.", "duplicate")
        scene.add(
            When(condition=exists, steps=(Delete(entity=_entity(scene), where=(Filter(column="path", value=target),)),))
        )
    else:
        scene.refuse(exists, f"'{{{destination.path[0]}}}' exists already.", "duplicate")
    _make_room(scene, target)
    return start, target, source, destination


def _move(scene: Scene) -> None:
    scene.kind = OperationKind.MOVE
    start, target, *_ = _carry(scene)
    rows = every(scene)
    moved = call("path_join", target, call("path_relative", RowField(row="entry", column="path"), start))
    values: tuple[tuple[str, Expression], ...] = (
        ("path", Variable(name="moved_path")),
        ("parent", call("path_parent", Variable(name="moved_path"))),
        ("name", call("path_name", Variable(name="moved_path"))),
    )
    steps = (Assign(name="moved_path", value=moved), Update(row="entry", entity=_entity(scene), values=values))
    scene.add(Each(over=Variable(name=rows), item="entry", steps=(When(condition=within(start), steps=steps),)))
    if act_of_scene(scene).located:
        base(scene)
        here = RowField(row="here", column="path")
        follows = Update(
            row="here", entity=HERE, values=(("path", call("path_join", target, call("path_relative", here, start))),)
        )
        scene.add(When(condition=call("or", equal(here, start), call("path_under", here, start)), steps=(follows,)))
    _answer_moved(scene, start, target, "Moved.")


def _answer_moved(scene: Scene, start: Expression, target: Expression, sentence: str) -> None:
    facts = [
        Fact("source", "text", shown(scene, start), "from old origin"),
        Fact("path", "text", shown(scene, target), "to destination target new file"),
        Fact("name", "text", call("path_name", target)),
    ]
    answer(scene, facts, sentence)


def _copy(scene: Scene) -> None:
    scene.kind = OperationKind.CREATE
    start, target, source, _ = _carry(scene)
    recursive = given(scene, "recursive")
    if recursive is not None:
        scene.refuse(
            call("and", is_directory("moved"), negate(recursive)),
            f"'{{{source.path[0]}}}' is a directory; ask for a recursive copy.",
            "other",
        )
    rows = every(scene)
    copied = call("path_join", target, call("path_relative", RowField(row="entry", column="path"), start))
    insert = _new(
        scene, copied, RowField(row="entry", column="kind"), RowField(row="entry", column="content"), "copied_entry"
    )
    extra = [
        (a.name, RowField(row="entry", column=a.name))
        for a in scene.entities[_entity(scene)].attributes
        if a.name not in dict(insert.values)
    ]
    step = insert.model_copy(update={"values": (*insert.values, *extra)})
    scene.add(Each(over=Variable(name=rows), item="entry", steps=(When(condition=within(start), steps=(step,)),)))
    _answer_moved(scene, start, target, "Copied.")


def _remove(scene: Scene) -> None:
    scene.kind = OperationKind.DELETE
    many = scene.first("paths")
    role = scene.first("path")
    if role is None and many is not None:
        _remove_many(scene, many)
        return
    path = resolve(scene, role, "path")
    directories = act_of_scene(scene).act == "rmdir"
    row = entry_at(scene, path, "removed", role, kind="directory" if directories else "")
    recursive = given(scene, "recursive") if scene.first("recursive") is not None else given(scene, "overwrite")
    speaks = re.search(
        r"director|folder|ordner|verzeichnis|carpeta|dossier",
        f"{scene.reading.text} {role.name if role else ''}".replace("current directory", ""),
        re.IGNORECASE,
    )
    if not directories and not speaks and recursive is None:
        scene.refuse(
            is_directory(row), f"'{{{role.path[0]}}}' is a directory." if role else "It is a directory.", "other"
        )
    elif directories or recursive is not None or "empty" in scene.reading.text.lower():
        _only_empty(scene, path, recursive, role)
    scene.refuse(equal(path, Constant(value="/")), "The top of the tree cannot be removed.", "other")
    if act_of_scene(scene).located:
        here = base(scene)
        scene.refuse(
            call("or", equal(here, path), call("path_under", here, path)),
            "One stands in it; change the directory first.",
            "other",
        )
    rows = every(scene)
    delete = Delete(entity=_entity(scene), where=(Filter(column="path", value=RowField(row="entry", column="path")),))
    scene.add(Assign(name="removed_name", value=RowField(row=row, column="name")))
    scene.add(Each(over=Variable(name=rows), item="entry", steps=(When(condition=within(path), steps=(delete,)),)))
    answer(
        scene,
        [
            Fact("path", "text", shown(scene, path), "file directory folder"),
            Fact("name", "text", Variable(name="removed_name")),
        ],
        "Removed.",
    )


def _only_empty(scene: Scene, path: Expression, recursive: Expression | None, role: Role | None) -> None:
    if recursive is None and _WHOLE.search(scene.reading.text) and "empty" not in scene.reading.text.lower():
        return
    inside = every(scene, "inside", parent=path)
    full: Expression = call("greater", call("length", Variable(name=inside)), Constant(value=0))
    scene.refuse(
        call("and", full, negate(recursive)) if recursive is not None else full,
        f"'{{{role.path[0]}}}' is not empty." if role else "It is not empty.",
        "other",
    )


def _remove_many(scene: Scene, many: Role) -> None:
    start = base(scene)
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
    inner.add(Assign(name="path", value=call("path_join", start, Variable(name="given_path"))))
    inner.add(
        Find(
            row="removed",
            entity=_entity(scene),
            where=(Filter(column="path", value=Variable(name="path")),),
            missing="There is no file {given_path}.",
        )
    )
    inner.bound["removed"] = _entity(scene)
    inner.refuse(is_directory("removed"), "{given_path} is a directory.", "other")
    inner.add(Delete(entity=_entity(scene), where=(Filter(column="path", value=Variable(name="path")),)))
    scene.add(Each(over=scene.argument(many), item="given_path", steps=tuple(inner.steps)))
    answer(
        scene,
        [Fact("removed", "integer", call("length", scene.argument(many)), "count deleted", principal=True)],
        "Removed.",
    )


WRITERS: dict[str, Callable[[Scene], None]] = {
    "mkdir": _mkdir, "create": _create, "write": _write, "append": _append, "edit": _edit, "move": _move, "copy": _copy,
    "remove": _remove, "rmdir": _remove,
}  # fmt: skip
"""Builders of what changes the tree."""
