"""Operations of all tools: built, and built again until every parameter is read.

Invariant: `_liven` gives a parameter that nothing uses a column of its own; what does not help after some rounds is
said in the operation. Not covered: the steps of any kind of tool (`reads`, `writes`, `special`, …).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.emit.server_tools import SIDE_KEY
from autoforge.generator.ir import (
    ColumnType,
    Delete,
    Entity,
    Find,
    Insert,
    Log,
    Operation,
    OperationKind,
    Parameter,
    Select,
    Update,
    walk_steps,
)
from autoforge.generator.rules.availability import Booking
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.computations import computes_alone
from autoforge.generator.rules.computed import build_clock, build_compute, build_weak, clock_tool
from autoforge.generator.rules.deletes import AUDIT
from autoforge.generator.rules.estimates import build_estimate
from autoforge.generator.rules.output_plans import Plan
from autoforge.generator.rules.preconditions import require_session
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.reads import build_read
from autoforge.generator.rules.roles import READING_VERBS, Role
from autoforge.generator.rules.scene import Scene
from autoforge.generator.rules.sessions import build_session, is_session_tool
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.special import build_special
from autoforge.generator.rules.states import unkept
from autoforge.generator.rules.stock import build_stock, stock_change
from autoforge.generator.rules.told_defaults import told_default
from autoforge.generator.rules.transfers import build_transfer, transfer_shape
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import column_name
from autoforge.generator.rules.writes import build_write

__all__ = ["build_operations", "in_session"]

_ROUNDS = 4


def in_session(cast: Cast, reading: Reading) -> bool:
    return cast.of_tool[reading.tool.name] == "session" and "session" in cast.entities and is_session_tool(reading)


def build_operations(
    cast: Cast,
    readings: list[Reading],
    roles: dict[str, list[Role]],
    plans: dict[str, Plan | None],
    clues: dict[str, list[Clue]],
    names: dict[str, dict[str, str]],
    bookings: dict[str, Booking],
) -> tuple[list[Operation], dict[str, Entity]]:
    for round_number in range(_ROUNDS):
        entities = {n: d.freeze() for n, d in cast.entities.items()}
        scenes = [
            _build(cast, entities, r, roles[r.tool.name], plans[r.tool.name], clues[r.tool.name], names, bookings)
            for r in readings
        ]
        dead = [(s, n) for s in scenes for n in s.unused() if s.kind is not OperationKind.WEAK]
        loosened = _loosen(cast, entities, scenes)
        if not (dead or loosened) or round_number == _ROUNDS - 1:
            break
        for scene, parameter in dead:
            _liven(cast, scene, parameter)
    entities = _admit_ignorance(cast, entities, scenes)
    _admit_broken_word(cast, scenes)
    if AUDIT in entities and not any(
        isinstance(s, Insert) and s.entity == AUDIT for scene in scenes for s in walk_steps(tuple(scene.steps))
    ):
        del entities[AUDIT]
    functions: set[str] = set()
    return [_freeze(s, _function_name(s, functions)) for s in scenes], entities


def _admit_ignorance(cast: Cast, entities: dict[str, Entity], scenes: list[Scene]) -> dict[str, Entity]:
    """A tool that runs something, and of whose traces no other tool knows, is not understood: it becomes weak, and its
    table goes.
    """
    touched: dict[str, set[str]] = {}
    for scene in scenes:
        for name in _touched(scene):
            touched.setdefault(name, set()).add(scene.reading.tool.name)
    for scene in scenes:
        own = scene.entity
        runs = scene.reading.verb.kind in (VerbClass.RUN, VerbClass.COMPUTE) and scene.kind is OperationKind.CREATE
        if own is None or not runs or cast.entities[own.name].given or len(touched.get(own.name, ())) > 1:
            continue
        if any(a.references == own.name for e in entities.values() for a in e.attributes):
            continue
        scene.steps.clear()
        scene.bound.clear()
        cast.of_tool[scene.reading.tool.name] = None
        build_weak(scene)
        entities = {n: e for n, e in entities.items() if n != own.name}
    return entities


def _admit_broken_word(cast: Cast, scenes: list[Scene]) -> None:
    """A tool whose prose says that it sets a column, and which sets it nowhere, is not understood."""
    for scene in scenes:
        missed = unkept(scene)
        if not missed or scene.kind is OperationKind.WEAK:
            continue
        scene.steps.clear()
        scene.bound.clear()
        cast.of_tool[scene.reading.tool.name] = None
        build_weak(scene)
        scene.guesses.append(f"The prose says that it sets {', '.join(missed)}; no step that the rules know does.")


def _touched(scene: Scene) -> set[str]:
    return {s.entity for s in walk_steps(tuple(scene.steps)) if isinstance(s, Find | Select | Insert | Update | Delete)}


def _loosen(cast: Cast, entities: dict[str, Entity], scenes: list[Scene]) -> bool:
    """A column that some new row cannot fill may be null."""
    changed = False
    for step in (s for scene in scenes for s in walk_steps(tuple(scene.steps)) if isinstance(s, Insert)):
        given = {c for c, _ in step.values}
        for attribute in entities[step.entity].attributes:
            draft = cast.entities[step.entity].attributes[attribute.name]
            if (
                not attribute.nullable
                and attribute.default is None
                and attribute.name not in given
                and attribute.name not in entities[step.entity].key
                and not draft.nullable
            ):
                draft.nullable = changed = True
    return changed


def _build(
    cast: Cast,
    entities: dict[str, Entity],
    reading: Reading,
    roles: list[Role],
    plan: Plan | None,
    clues: list[Clue],
    names: dict[str, dict[str, str]],
    bookings: dict[str, Booking],
) -> Scene:
    scene = Scene(reading, roles, plan, entities, cast, clues, names=names, bookings=bookings)
    if in_session(cast, reading):
        build_session(scene)
        return scene
    if reading.tool.name in cast.special:
        _session_guard(scene)
        build_special(scene)
        return scene
    if clock_tool(scene):
        build_clock(scene)
        return scene
    entity = scene.entity
    if entity is None and computes_alone(reading):
        build_compute(scene)
        return scene
    if entity is None:
        build_weak(scene)
        return scene
    _session_guard(scene)
    if reading.verb.kind is VerbClass.COMPUTE and _is_estimate(scene):
        build_estimate(scene, entity)
        return scene
    stock = stock_change(scene, entity)
    if stock is not None:
        build_stock(scene, stock)
        return scene
    moves = transfer_shape(scene) if reading.verb.kind in (VerbClass.TRANSFER, VerbClass.MOVE) else None
    if moves is not None:
        build_transfer(scene, *moves)
    elif reading.verb.kind in READING_VERBS or _opens_to_read(reading, roles):
        build_read(scene, entity)
    else:
        build_write(scene, entity)
    return scene


def _opens_to_read(reading: Reading, roles: list[Role]) -> bool:
    """`open_document(document_id)` shows a row, unless the prose says what opening it sets."""
    opens = reading.verb.word == "open" and reading.verb.kind is not VerbClass.STATE
    return opens and not reading.settings and any(r.role == "key" for r in roles)


def _is_estimate(scene: Scene) -> bool:
    """A computation that starts from rows, or from an amount and choices; others record a request."""
    rows = any(r.role in ("key", "reference") and not r.many for r in scene.roles)
    return rows or any(r.shape.type in (ColumnType.INTEGER, ColumnType.REAL) for r in scene.roles)


def _session_guard(scene: Scene) -> None:
    """With a login in the documentation, changes need one, and so does what speaks of the current user."""
    if "session" not in scene.entities or (
        not any(is_session_tool(r) and r.verb.kind is VerbClass.LOGIN for r in [scene.reading])
        and "session" not in scene.cast.of_tool.values()
    ):
        return
    kinds = {c.kind for c in scene.clues}
    registers = (
        scene.entity is not None
        and scene.entity.name == scene.cast.person()
        and scene.reading.verb.kind is VerbClass.CREATE
    )
    writes = scene.reading.verb.kind not in READING_VERBS and not registers
    if "no_session" not in kinds and ("session" in kinds or writes):
        require_session(
            scene, next((c.message for c in scene.clues if c.kind == "session"), "the documentation has a login")
        )


def _liven(cast: Cast, scene: Scene, parameter: str) -> None:
    """Give a parameter that nothing uses a column of its own on the tool's entity."""
    entity = scene.cast.of_tool[scene.reading.tool.name]
    draft = cast.entities.get(entity or "")
    if draft is None:
        return
    for role in scene.roles:
        if role.path[0] != parameter:
            continue
        reads = scene.reading.verb.kind in READING_VERBS
        role.role = "filter" if reads else "value"
        column = column_name(role.name)
        while column in draft.key or (role.column == column and column in draft.attributes):
            column += "_given"
        role.column = column
        shape = shape_of(role.shape.schema.get("items", {"type": "string"})) if reads and role.many else role.shape
        draft.column(column, shape._replace(nullable=True), role.description, f"{scene.reading.tool.name}.{role.name}")
        scene.reading.guesses.append(f"“{role.name}” is taken for a property of {draft.name.replace('_', ' ')}.")


def _function_name(scene: Scene, taken: set[str]) -> str:
    base = column_name(
        scene.reading.tool.original_name if scene.reading.tool.original_name.isidentifier() else scene.reading.tool.name
    )
    name, n = base, 2
    while name in taken:
        name, n = f"{base}_{n}", n + 1
    taken.add(name)
    return name


def _freeze(scene: Scene, function: str) -> Operation:
    tool = scene.reading.tool
    required = set(tool.input_schema.get("required", []))
    parameters = []
    taken = {"db", function}
    for name, schema in properties_of(tool.input_schema).items():
        identifier = column_name(name)
        while identifier in taken:
            identifier += "_"
        taken.add(identifier)
        role = next((r.role for r in scene.roles if r.path[0] == name), "")
        parameters.append(
            Parameter(
                name=name,
                identifier=identifier,
                json_schema=schema,
                required=name in required,
                default=schema["default"] if "default" in schema else told_default(scene, name, schema),
                role=role,
            )
        )
    weak = any(isinstance(s, Log) for s in walk_steps(tuple(scene.steps)))
    return Operation(
        tool=tool.name, function=function, kind=OperationKind.WEAK if weak else scene.kind,
        summary=tool.description.strip().split("\n")[0], side=_side(tool.meta),
        entity=scene.entity.name if scene.entity is not None else None, parameters=tuple(parameters),
        steps=tuple(scene.steps), output_schema=tool.output_schema,
        evidence=tuple([*scene.reading.evidence, *scene.evidence]),
        guesses=tuple([*scene.reading.guesses, *scene.guesses]),
    )  # fmt: skip


def _side(meta: dict[str, Any]) -> Any:
    return meta.get(SIDE_KEY, "agent")
