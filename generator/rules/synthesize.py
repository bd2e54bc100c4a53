"""The rules synthesizer: documentation → world, in the order in which evidence becomes available.

Invariant: every documented tool becomes one operation and every parameter is read by it (`_liven` gives a parameter
that nothing uses a column of its own and builds again). Not covered: data (`data`), code (`emit`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.data import DataSample
from autoforge.generator.documents import Documentation
from autoforge.generator.ir import (
    ColumnKind,
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
    World,
    walk_steps,
)
from autoforge.generator.rules.availability import Booking, find_bookings
from autoforge.generator.rules.computations import computes_alone
from autoforge.generator.rules.deletes import AUDIT
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.entities import Cast, cast_entities, id_stem
from autoforge.generator.rules.estimates import build_estimate
from autoforge.generator.rules.evidence import admit_data, known_nouns
from autoforge.generator.rules.families import find_children, follow_rows, merge_singletons, note_parents
from autoforge.generator.rules.keys import finish_entities
from autoforge.generator.rules.limits import cast_limits
from autoforge.generator.rules.outputs import Plan, plan_output
from autoforge.generator.rules.preconditions import require_session
from autoforge.generator.rules.prose import Clue, clues_of, policy_clues, response_fields
from autoforge.generator.rules.rates import cast_tables
from autoforge.generator.rules.reading import Reading, read_tools
from autoforge.generator.rules.reads import build_read
from autoforge.generator.rules.role_assignment import assign_roles
from autoforge.generator.rules.role_columns import match_column
from autoforge.generator.rules.roles import READING_VERBS, Role
from autoforge.generator.rules.scene import Scene
from autoforge.generator.rules.sessions import assign_session_roles, build_session, cast_session, is_session_tool
from autoforge.generator.rules.shapes import Shape, properties_of, shape_of
from autoforge.generator.rules.special import assign_special_roles, build_special, cast_special
from autoforge.generator.rules.stock import build_stock, stock_change
from autoforge.generator.rules.transfers import (
    AMOUNTS,
    build_clock,
    build_compute,
    build_transfer,
    build_weak,
    clock_tool,
    transfer_shape,
)
from autoforge.generator.rules.words import STATES, Verb, VerbClass, column_name, singular, snake, split_words
from autoforge.generator.rules.writes import build_write

__all__ = ["synthesize"]

_ROUNDS = 4


def synthesize(documentation: Documentation, *, name: str, policy: str = "", data: DataSample | None = None) -> World:
    """Compile documentation into a world, from its text and, where given, a sample of the state and rules in prose.

    Raises nothing of its own: a tool that cannot be understood becomes a weak operation.
    """
    readings = read_tools(documentation)
    cast = cast_entities(readings, known_nouns(data))
    cast_session(cast, readings)
    cast_special(cast, readings)
    plain = [r for r in readings if r.tool.name not in cast.special]
    admitted = admit_data(cast, data, readings)
    follow_rows(cast, plain)
    find_children(cast, plain)
    note_parents(cast, plain)
    plans = _plans(cast, readings)
    if merge_singletons(cast, plain):
        plans = _plans(cast, readings)
    _fields_from_prose(cast, plain)
    roles = {
        r.tool.name: assign_special_roles(cast, r)
        if r.tool.name in cast.special
        else assign_session_roles(cast, r)
        if _in_session(cast, r)
        else assign_roles(cast, r)
        for r in readings
    }
    bookings = find_bookings(cast, readings, roles)
    clues = {r.tool.name: _clues(r) for r in readings}
    sentences, unread = _apply_policy(cast, readings, clues, policy)
    _type_counters(cast, clues)
    _as_states(cast, plain, roles, clues)
    _drop_unused(cast)
    cast_tables(cast, readings)
    cast_limits(cast, readings, roles)
    finish_entities(cast, readings, roles, clues)
    _add_audit(cast, readings, roles)
    _name_tables(cast)
    operations, entities = _build_all(cast, readings, roles, plans, clues, admitted.names, bookings)
    notes = [f"Policy sentence not turned into code: {s}" for s in unread]
    return World(
        name=name, title=documentation.title or name.replace("_", " ").capitalize(),
        description=documentation.description or "", entities=tuple(entities.values()), operations=tuple(operations),
        policy=tuple(sentences), notes=tuple(notes),
    )  # fmt: skip


def _plans(cast: Cast, readings: list[Reading]) -> dict[str, Plan | None]:
    return {
        r.tool.name: None if _in_session(cast, r) or r.tool.name in cast.special else plan_output(cast, r)
        for r in readings
    }


def _in_session(cast: Cast, reading: Reading) -> bool:
    return cast.of_tool[reading.tool.name] == "session" and "session" in cast.entities and is_session_tool(reading)


def _clues(reading: Reading) -> list[Clue]:
    texts = {n: str(s.get("description", "")) for n, s in properties_of(reading.tool.input_schema).items()}
    return clues_of(reading.tool.description, schema_texts=texts)


def _fields_from_prose(cast: Cast, readings: list[Reading]) -> None:
    """`Returns the customer's name, email and phone number`: columns where there is no output schema to say so."""
    for reading in readings:
        entity = cast.of_tool[reading.tool.name]
        if (
            entity is None
            or reading.tool.output_schema
            or reading.verb.kind not in READING_VERBS
            or entity == "session"
        ):
            continue
        draft = cast.entities[entity]
        for field in response_fields(reading.tool.description):
            words = split_words(field)
            column = column_name(
                "_".join(
                    words[1:] if words[0] == entity and len(words) > 1 and words[-1] not in ("id", "name") else words
                )
            )
            if _is_no_column(cast, entity, column):
                continue
            name = match_column(draft, column)
            fresh = name not in draft.attributes
            made = draft.column(name, _shape_by_name(column), field, f"{reading.tool.name}: prose")
            made.guessed = fresh or made.guessed


def _is_no_column(cast: Cast, entity: str, column: str) -> bool:
    """Lists of rows, other entities and ids of many are relations, not columns of this row."""
    if id_stem(column) is not None:
        return cast.by_parameter(column) == entity or split_words(column)[-1] == "ids"
    words = split_words(column)
    known = cast.entities.get(entity)
    if (entity, column) in cast.children or (known is not None and f"{column}_name" in known.attributes):
        return True
    other = cast.find((*words[:-1], singular(words[-1]))) if words else None
    return other is not None and other != entity


def _shape_by_name(name: str) -> Shape:
    """A guess at the type of a column that only prose names."""
    last = split_words(name)[-1] if split_words(name) else ""
    if {"date", "fecha", "datum", "deadline", "vencimiento"} & set(split_words(name)):
        return shape_of({"type": "string", "format": "date"})
    if last in ("importe", "precio", "saldo", "monto", "preis", "betrag", "prix", "montant", "tarifa"):
        return shape_of({"type": "number", "minimum": 0})
    if last in ("quantity", "count", "number_of", "stock", "duration", "age", "seats", "points"):
        return shape_of({"type": "integer", "minimum": 0})
    if last in (
        "price",
        "amount",
        "total",
        "balance",
        "cost",
        "rating",
        "score",
        "fee",
        "rate",
        "weight",
        "temperature",
    ):
        return shape_of({"type": "number", "minimum": 0})
    if last in ("date", "deadline", "birthday"):
        return shape_of({"type": "string", "format": "date"})
    if last in ("time", "timestamp", "at") and name != "time":
        return shape_of({"type": "string", "format": "date-time"})
    return shape_of({"type": "string"})


def _apply_policy(
    cast: Cast, readings: list[Reading], clues: dict[str, list[Clue]], policy: str
) -> tuple[list[str], list[str]]:
    """Attach the clues of a policy to the tools they speak of; the sentences that no tool could take are reported."""
    found, unread = policy_clues(policy) if policy else ([], [])
    used: list[str] = []
    for clue in found:
        takers = [r for r in readings if _concerned(cast, r, clue)]
        for reading in takers:
            clues[reading.tool.name].append(clue)
        (used if takers else unread).append(clue.message)
    lines = [line.strip() for line in policy.splitlines() if line.strip()]
    return lines, unread


def _concerned(cast: Cast, reading: Reading, clue: Clue) -> bool:
    verb = reading.verb
    named = any(v in (verb.word, verb.state) or v[:5] == verb.word[:5] for v in clue.verbs)
    entity = cast.of_tool[reading.tool.name]
    subject = cast.find(tuple(snake(clue.subject).split("_"))) if clue.subject else None
    return named and (subject is None or subject == entity or not clue.subject)


def _type_counters(cast: Cast, clues: dict[str, list[Clue]]) -> None:
    """A column that only prose names and that goes up or down is a number."""
    for tool, found in clues.items():
        for clue in found:
            if clue.kind != "side_effect" or clue.values[:1] not in (("increase",), ("decrease",)):
                continue
            entity = (cast.find(tuple(snake(clue.subject).split("_"))) if clue.subject else None) or cast.of_tool[tool]
            draft = cast.entities.get(entity or "")
            for attribute in draft.attributes.values() if draft is not None else ():
                if attribute.guessed and (
                    attribute.name == snake(clue.field) or attribute.name.startswith(snake(clue.field)[:6])
                ):
                    attribute.type, attribute.minimum, attribute.nullable, attribute.default = (
                        ColumnType.INTEGER,
                        0,
                        False,
                        0,
                    )


def _as_states(cast: Cast, readings: list[Reading], roles: dict[str, list[Role]], clues: dict[str, list[Clue]]) -> None:
    """Paying a bill is a change of its state where no amount moves; removing is one where the rows have such a
    state.
    """
    for reading in readings:
        draft = cast.entities.get(cast.of_tool[reading.tool.name] or "")
        mine = roles[reading.tool.name]
        if draft is None or not any(r.role == "key" and not r.many for r in mine):
            continue
        said = _said_state(cast, reading, clues[reading.tool.name])
        if reading.verb.kind is VerbClass.STATE and said is not None:
            reading.verb = Verb(reading.verb.word, VerbClass.STATE, said)
        if (
            reading.verb.kind is VerbClass.TRANSFER
            and reading.verb.word in STATES
            and not any(snake(r.name) in AMOUNTS for r in mine)
        ):
            reading.verb = Verb(reading.verb.word, VerbClass.STATE, STATES[reading.verb.word])
        elif reading.verb.kind in (VerbClass.DELETE, VerbClass.REMOVE):
            state = _removed_state(draft, reading.verb.word)
            if state is not None:
                reading.verb = Verb(reading.verb.word, VerbClass.STATE, state)


def _said_state(cast: Cast, reading: Reading, clues: list[Clue]) -> str | None:
    """“Sets the status of a task to done”: the prose knows the state better than the verb."""
    own = cast.of_tool[reading.tool.name]
    for clue in clues:
        subject = cast.find(tuple(snake(clue.subject).split("_"))) if clue.subject else own
        if (
            clue.kind == "side_effect"
            and snake(clue.field) == "status"
            and subject == own
            and isinstance(clue.values[0], str)
            and len(clue.values) == 1
        ):
            return snake(clue.values[0])
    return None


def _removed_state(draft: EntityDraft, word: str) -> str | None:
    """`retirar` where the state can be `retirado`; English `delete` and `remove` delete."""
    if word in ("delete", "remove", "clear", "erase", "purge", "drop"):
        return None
    values = [
        v for n, a in draft.attributes.items() if n in ("status", "state", "estado", "statut", "stato") for v in a.enum
    ]
    return next((snake(str(v)) for v in values if snake(str(v))[:5] == word[:5]), None)


def _drop_unused(cast: Cast) -> None:
    """Entities that no tool is about and nothing refers to were misread nouns."""
    kept = {*cast.children.values(), *(holder for holder, _ in cast.links.values())}
    referred = (
        kept
        | {a.references for d in cast.entities.values() for a in d.attributes.values()}
        | {e for e in cast.of_tool.values() if e}
    )
    for name in [
        n
        for n, d in cast.entities.items()
        if n not in referred and "data" not in d.evidence and n != "session" and n not in cast.kept
    ]:
        del cast.entities[name]
        cast.alias = {a: t for a, t in cast.alias.items() if t != name}


def _name_tables(cast: Cast) -> None:
    """Two nouns with one plural get two tables."""
    taken: set[str] = set()
    for draft in sorted(cast.entities.values(), key=lambda d: not d.given):
        table, n = draft.table, 2
        while table.lower() in taken:
            table, n = f"{draft.table}_{n}", n + 1
        if table != draft.table:
            draft.table_name = table
        taken.add(table.lower())


def _add_audit(cast: Cast, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    """A table for reasons given with deletions, when some tool takes one."""
    if not any(
        r.verb.kind in (VerbClass.DELETE, VerbClass.REMOVE) and _says_more(roles[r.tool.name]) for r in readings
    ):
        return
    draft = cast.add(AUDIT)
    text = Shape(ColumnType.TEXT, False, {"type": "string"}, False)
    draft.column("id", Shape(ColumnType.INTEGER, False, {"type": "integer"}, False))
    draft.key, draft.id_template, draft.seed_rows = ("id",), "{}", 0
    for column, words in (("action", "Tool that was called"), ("target", "Key of what it concerned")):
        draft.column(column, text, words).nullable = False
    details = draft.column(
        "details",
        Shape(ColumnType.JSON, True, {"type": "object", "additionalProperties": {"type": "string"}}, False),
        "What else was said",
    )
    details.kind = ColumnKind.FREE_TEXT
    draft.column(
        "created_at", Shape(ColumnType.DATETIME, True, {"type": "string", "format": "date-time"}, False), "When"
    )


def _says_more(roles: list[Role]) -> bool:
    return any(r.role == "key" for r in roles) and any(
        r.role in ("value", "flag", "reference", "filter") for r in roles
    )


def _build_all(
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
    if _in_session(cast, reading):
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
    elif reading.verb.kind in READING_VERBS or (reading.verb.word == "open" and any(r.role == "key" for r in roles)):
        build_read(scene, entity)
    else:
        build_write(scene, entity)
    return scene


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
                default=schema.get("default"),
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
    return "user" if meta.get("autoforge/side") == "user" else "agent"
