"""The rules synthesizer: documentation → world, in the order in which evidence becomes available.

Invariant: every documented tool becomes one operation and every parameter is read by it (`building` gives a parameter
that nothing uses a column of its own and builds again). Not covered: data (`data`), code (`emit`).
"""

from __future__ import annotations

from autoforge.generator.data import DataSample
from autoforge.generator.documents import Documentation
from autoforge.generator.ir import (
    World,
)
from autoforge.generator.rules.audit import add_audit
from autoforge.generator.rules.availability import find_bookings
from autoforge.generator.rules.building import build_operations, in_session
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.entities import cast_entities
from autoforge.generator.rules.evidence import admit_data, known_nouns
from autoforge.generator.rules.families import find_children, follow_lists, follow_rows, merge_singletons, note_parents
from autoforge.generator.rules.finishing import finish_entities
from autoforge.generator.rules.kept_patterns import keep_patterns
from autoforge.generator.rules.limits import cast_limits
from autoforge.generator.rules.object_states import object_state
from autoforge.generator.rules.output_plans import Plan, planned_entities
from autoforge.generator.rules.outputs import plan_output
from autoforge.generator.rules.outright import heed_settings
from autoforge.generator.rules.policies import apply_policy
from autoforge.generator.rules.prose import Clue, clues_of, documented_states
from autoforge.generator.rules.prose_columns import fields_from_prose, type_counters
from autoforge.generator.rules.rates import cast_tables
from autoforge.generator.rules.reading import Reading, read_tools
from autoforge.generator.rules.role_assignment import assign_roles
from autoforge.generator.rules.sessions import assign_session_roles, cast_session
from autoforge.generator.rules.shapes import properties_of
from autoforge.generator.rules.special import assign_special_roles, cast_special
from autoforge.generator.rules.state_verbs import as_states

__all__ = ["synthesize"]


def synthesize(documentation: Documentation, *, name: str, policy: str = "", data: DataSample | None = None) -> World:
    """Compile documentation into a world, from its text and, where given, a sample of the state and rules in prose.

    Raises nothing of its own: a tool that cannot be understood becomes a weak operation.
    """
    readings = read_tools(documentation)
    heed_settings(readings, data)
    cast = cast_entities(readings, known_nouns(data))
    cast_session(cast, readings)
    cast_special(cast, readings)
    plain = [r for r in readings if r.tool.name not in cast.special]
    admitted = admit_data(cast, data, readings)
    follow_lists(cast, plain)
    follow_rows(cast, plain)
    find_children(cast, plain)
    note_parents(cast, plain)
    plans = _plans(cast, readings)
    if merge_singletons(cast, plain):
        plans = _plans(cast, readings)
    fields_from_prose(cast, plain)
    roles = {
        r.tool.name: assign_special_roles(cast, r)
        if r.tool.name in cast.special
        else assign_session_roles(cast, r)
        if in_session(cast, r)
        else assign_roles(cast, r)
        for r in readings
    }
    bookings = find_bookings(cast, readings, roles)
    clues = {r.tool.name: _clues(r) for r in readings}
    sentences, unread = apply_policy(cast, readings, clues, policy)
    type_counters(cast, clues)
    as_states(cast, plain, roles, clues)
    _drop_unused(cast, plans)
    cast_tables(cast, readings)
    cast_limits(cast, readings, roles)
    finish_entities(cast, readings, roles, clues)
    add_audit(cast, readings, roles)
    _name_tables(cast)
    operations, entities = build_operations(cast, readings, roles, plans, clues, admitted.names, bookings)
    notes = [f"Policy sentence not turned into code: {s}" for s in unread]
    return World(
        name=name, title=documentation.title or name.replace("_", " ").capitalize(),
        description=documentation.description or "", entities=tuple(entities.values()),
        operations=tuple(keep_patterns(operations, entities)),
        policy=tuple(sentences), notes=tuple(notes),
    )  # fmt: skip


def _plans(cast: Cast, readings: list[Reading]) -> dict[str, Plan | None]:
    return {
        r.tool.name: None if in_session(cast, r) or r.tool.name in cast.special else plan_output(cast, r)
        for r in readings
    }


def _clues(reading: Reading) -> list[Clue]:
    texts = {n: str(s.get("description", "")) for n, s in properties_of(reading.tool.input_schema).items()}
    with documented_states(reading.states):
        clues = clues_of(reading.tool.description, schema_texts=texts)
    return [*clues, *object_state(reading, clues)]


def _drop_unused(cast: Cast, plans: dict[str, Plan | None]) -> None:
    """Entities that no tool is about and nothing refers to were misread nouns."""
    kept = {*cast.children.values(), *(holder for holder, _ in cast.links.values())}
    referred = (
        kept
        | {a.references for d in cast.entities.values() for a in d.attributes.values()}
        | {e for e in cast.of_tool.values() if e}
        | {e for p in plans.values() for e in planned_entities(p)}
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
        if table.lower().startswith(("sqlite_", "autoforge_")):
            table = f"documented_{table}"  # such names are kept for the machinery
        plain = table
        while table.lower() in taken:
            table, n = f"{plain}_{n}", n + 1
        if table != draft.table:
            draft.table_name = table
        taken.add(table.lower())
