"""New and changed entries of the tree, with the directories above them.

Invariant: nothing is made below a file; a directory above is there, or made where the documentation says so. Not
covered: which tool does what (`file_writes`, `file_moves`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    Constant,
    Each,
    Expression,
    Filter,
    Find,
    Insert,
    Now,
    Update,
    Variable,
    When,
)
from autoforge.generator.rules.answers import Fact
from autoforge.generator.rules.file_scene import (
    act_of_scene,
    entry_at,
    given,
    is_directory,
    shown,
)
from autoforge.generator.rules.scene import Scene, call, negate

__all__ = ["changed_entry", "entry_if_any", "make_room", "new_entry", "path_facts", "tree_entity"]

_NESTED = re.compile(
    r"nested|parent director|intermediate|missing (?:parent|director|folder)|recursively creat|as needed"
    r"|necessary|creates? (?:any )?(?:parent|missing)",
    re.IGNORECASE,
)


def tree_entity(scene: Scene) -> str:
    return act_of_scene(scene).entity


def new_entry(scene: Scene, path: Expression, kind: Expression, content: Expression, row: str) -> Insert:
    entity = scene.entities[tree_entity(scene)]
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
    entity = scene.entities[tree_entity(scene)]
    return [(r.column, scene.argument(r)) for r in scene.roles_of("value") if r.column and entity.attribute(r.column)]


def touch_time(scene: Scene) -> list[tuple[str, Expression]]:
    return [("modified_at", Now())] if scene.entities[tree_entity(scene)].attribute("modified_at") else []


def _stay_below(scene: Scene, path: Expression) -> None:
    """Nothing may be made below a file, and every directory above must exist."""
    parent = scene.variable("parent")
    scene.add(
        Find(
            row=parent,
            entity=tree_entity(scene),
            where=(Filter(column="path", value=call("path_parent", path)),),
            missing="The directory that it would lie in does not exist.",
        )
    )
    scene.bound[parent] = tree_entity(scene)
    scene.refuse(negate(is_directory(parent)), "What it would lie in is not a directory.", "other")


def _nests(scene: Scene) -> bool:
    return bool(_NESTED.search(scene.reading.text)) or (
        act_of_scene(scene).relative
        and act_of_scene(scene).act != "mkdir"
        and not re.search(r"must exist", scene.reading.text)
    )


def make_room(scene: Scene, path: Expression) -> None:
    """Check the directories above a new entry, or make them where the documentation says so or a flag asks for it."""
    flag = given(scene, "parents")
    if flag is None and not _nests(scene):
        _stay_below(scene, path)
        return
    inner = Scene(scene.reading, scene.roles, None, scene.entities, scene.cast, bound=dict(scene.bound))
    inner.add(
        Find(
            row="above",
            entity=tree_entity(scene),
            where=(Filter(column="path", value=Variable(name="above_path")),),
            missing=None,
        )
    )
    inner.bound["above"] = tree_entity(scene)
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
    made = new_entry(
        inner, Variable(name="above_path"), Constant(value="directory"), Constant(value=None), "made_directory"
    )
    inner.add(When(condition=call("is_null", Variable(name="above")), steps=(made,)))
    scene.add(Each(over=call("path_ancestors", path), item="above_path", steps=tuple(inner.steps)))


def entry_if_any(scene: Scene, path: Expression, row: str) -> str:
    return entry_at(scene, path, row, optional=True)


def path_facts(scene: Scene, path: Expression) -> list[Fact]:
    return [
        Fact("path", "text", shown(scene, path), "file directory folder location ruta pfad"),
        Fact("name", "text", call("path_name", path)),
    ]


def changed_entry(scene: Scene, row: str, text: Expression) -> Update:
    return Update(
        row=row,
        entity=tree_entity(scene),
        values=(("content", text), *touch_time(scene), *_extras(scene)),
        when_given=tuple(c for c, _ in _extras(scene)),
    )
