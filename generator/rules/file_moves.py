"""File tools that move, copy and remove entries with all that lies in them.

Invariant: nothing is put into itself, and the working directory is never left dangling. Not covered: what a file holds
(`file_writes`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    Assign,
    Choose,
    Constant,
    Delete,
    Each,
    Expression,
    Filter,
    Find,
    OperationKind,
    RowField,
    Update,
    Variable,
    When,
)
from autoforge.generator.rules.answers import Fact, answer
from autoforge.generator.rules.file_entries import entry_if_any, make_room, new_entry, tree_entity
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
from autoforge.generator.rules.words import snake

__all__ = ["copy_entry", "move_entry", "remove_entry"]

_FAILS = re.compile(r"(?:destination|target|already) exists?[^.]{0,40}(?:fail|error|refus)", re.IGNORECASE)


_WHOLE = re.compile(r"recursiv|and (?:all )?(?:its|their|the) contents?|everything in|with (?:its|all)", re.IGNORECASE)


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
        there = entry_if_any(scene, target, "there")
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
    taken = entry_if_any(scene, target, "taken")
    exists = call("not_null", Variable(name=taken))
    same = equal(target, start)
    if overwrite is not None:
        blocked = call("or", negate(overwrite), is_directory(taken), is_directory("moved"), same)
        scene.refuse(call("and", exists, blocked), f"'{{{destination.path[0]}}}' exists already.", "duplicate")
        scene.add(
            When(
                condition=exists,
                steps=(Delete(entity=tree_entity(scene), where=(Filter(column="path", value=target),)),),
            )
        )
    else:
        scene.refuse(exists, f"'{{{destination.path[0]}}}' exists already.", "duplicate")
    make_room(scene, target)
    return start, target, source, destination


def move_entry(scene: Scene) -> None:
    scene.kind = OperationKind.MOVE
    start, target, *_ = _carry(scene)
    rows = every(scene)
    moved = call("path_join", target, call("path_relative", RowField(row="entry", column="path"), start))
    values: tuple[tuple[str, Expression], ...] = (
        ("path", Variable(name="moved_path")),
        ("parent", call("path_parent", Variable(name="moved_path"))),
        ("name", call("path_name", Variable(name="moved_path"))),
    )
    steps = (Assign(name="moved_path", value=moved), Update(row="entry", entity=tree_entity(scene), values=values))
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


def copy_entry(scene: Scene) -> None:
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
    insert = new_entry(
        scene, copied, RowField(row="entry", column="kind"), RowField(row="entry", column="content"), "copied_entry"
    )
    extra = [
        (a.name, RowField(row="entry", column=a.name))
        for a in scene.entities[tree_entity(scene)].attributes
        if a.name not in dict(insert.values)
    ]
    step = insert.model_copy(update={"values": (*insert.values, *extra)})
    scene.add(Each(over=Variable(name=rows), item="entry", steps=(When(condition=within(start), steps=(step,)),)))
    _answer_moved(scene, start, target, "Copied.")


def remove_entry(scene: Scene) -> None:
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
    delete = Delete(
        entity=tree_entity(scene), where=(Filter(column="path", value=RowField(row="entry", column="path")),)
    )
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
            entity=tree_entity(scene),
            where=(Filter(column="path", value=Variable(name="path")),),
            missing="There is no file {given_path}.",
        )
    )
    inner.bound["removed"] = tree_entity(scene)
    inner.refuse(is_directory("removed"), "{given_path} is a directory.", "other")
    inner.add(Delete(entity=tree_entity(scene), where=(Filter(column="path", value=Variable(name="path")),)))
    scene.add(Each(over=scene.argument(many), item="given_path", steps=tuple(inner.steps)))
    answer(
        scene,
        [Fact("removed", "integer", call("length", scene.argument(many)), "count deleted", principal=True)],
        "Removed.",
    )
