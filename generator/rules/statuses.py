"""The status column of an entity, its values, and the moves that tools make between them.

Invariant: a state that a tool brings about is a value of the column. Not covered: refusing a move (`states`).
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from autoforge.generator.ir import ColumnType, Transition
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.keys import TEXT_SHAPE
from autoforge.generator.rules.prose import Clue, enum_in_prose
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import Shape
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import ascii_word, snake

__all__ = ["FLAG_STATES", "VERB_FLAGS", "settle_status", "synonym_of"]

_TERMINAL = (
    "cancelled",
    "canceled",
    "completed",
    "closed",
    "delivered",
    "returned",
    "refunded",
    "rejected",
    "archived",
    "expired",
    "terminated",
    "cancelado",
    "cancelada",
    "completado",
    "cerrado",
    "storniert",
    "annule",
    "failed",
    "fulfilled",
)


VERB_FLAGS = {
    "enable": "enabled", "disable": "enabled", "archive": "archived", "unarchive": "archived", "lock": "locked",
    "unlock": "locked", "pin": "pinned", "unpin": "pinned", "star": "starred", "unstar": "starred", "mute": "muted",
    "unmute": "muted",
}  # fmt: skip


FLAG_STATES = {
    "done": "done", "undone": "done", "read": "read", "unread": "read", "complete": "completed",
    "completed": "completed", "incomplete": "completed", "favorite": "favorite", "favourite": "favourite",
    "important": "important", "spam": "spam", "seen": "seen", "unseen": "seen",
}  # fmt: skip
"""States that `mark` gives → the flag that holds them."""


def settle_status(draft: EntityDraft, readings: list[Reading], clues: dict[str, list[Clue]]) -> None:
    """The status column and its values: documented, written in prose, or made by the verbs of the tools."""
    states = [(r, r.verb.state) for r in readings if r.verb.kind is VerbClass.STATE and r.verb.state]
    booleans = {n for n, a in draft.attributes.items() if a.type is ColumnType.BOOLEAN}
    pending: list[tuple[Reading, str]] = []
    for reading, state in states:
        flag = VERB_FLAGS.get(reading.verb.word)
        named = {state, flag or state, f"is_{state}", "done" if state == "completed" else state} & booleans
        if reading.verb.word == "mark" and state in FLAG_STATES:
            if (
                FLAG_STATES[state] not in booleans
                and f"is_{FLAG_STATES[state]}" not in booleans
                and not _has_status(draft)
            ):
                draft.column(
                    FLAG_STATES[state], Shape(ColumnType.BOOLEAN, False, {"type": "boolean"}, False)
                ).default = False
                booleans.add(FLAG_STATES[state])
        elif named:
            continue
        elif flag and not _has_status(draft):
            draft.column(flag, Shape(ColumnType.BOOLEAN, False, {"type": "boolean"}, False)).default = flag in (
                "enabled",
            )
        else:
            pending.append((reading, state))
    if any(r.verb.kind is VerbClass.TOGGLE for r in readings) and not booleans:
        draft.column("enabled", Shape(ColumnType.BOOLEAN, False, {"type": "boolean"}, False)).default = False
    column = _status_column(draft)
    if column is None and pending:
        column = draft.column("status", TEXT_SHAPE, "State of the " + draft.name.replace("_", " ")).name
    if column is None:
        return
    attribute = draft.attributes[column]
    if attribute.type is ColumnType.BOOLEAN or attribute.type is ColumnType.JSON:
        return
    if attribute.type is not ColumnType.TEXT:
        attribute.type = ColumnType.TEXT
    documented = len(attribute.enum) > 1 and not attribute.given  # data show the states that occur, not all
    if not attribute.enum:
        attribute.enum = list(enum_in_prose(attribute.description))
    known = {ascii_word(str(v)).lower().replace(" ", "_") for v in attribute.enum}
    said = [
        v
        for r in readings
        for c in clues[r.tool.name]
        if c.kind in ("status_in", "status_not_in") and c.subject in ("", draft.name)
        for v in c.values
    ]
    if not attribute.enum:
        attribute.enum = _initial_states(draft) if pending or said else []
        known = set(attribute.enum)
        for value in said:
            if snake(str(value)) not in known:
                attribute.enum.append(str(value))
                known.add(snake(str(value)))
    if attribute.enum or pending:
        for _, state in pending:
            if not any(k[:5] == state[:5] for k in known) and not documented:
                style = str(attribute.enum[0]) if attribute.enum else "x"
                attribute.enum.append(
                    state.upper()
                    if style.isupper()
                    else state.capitalize().replace("_", " ")
                    if style[:1].isupper()
                    else state
                )
                known.add(state)
    if not attribute.enum:
        return
    draft.status = column
    attribute.nullable = False
    for reading, state in pending:
        after = next((v for v in attribute.enum if snake(str(v))[:5] == state[:5]), None) or synonym_of(
            state, attribute.enum
        )
        if after is not None:
            draft.transitions.append(
                Transition(
                    tool=reading.tool.name,
                    before=_before(attribute.enum, after, clues[reading.tool.name]),
                    after=str(after),
                )
            )


_SYNONYMS = (
    {"started", "running", "active", "on", "enabled", "in_progress", "open", "opened", "engaged", "activo", "activa"},
    {"stopped", "off", "inactive", "disabled", "ended", "closed", "released", "idle"},
    {"completed", "done", "finished", "resolved", "fulfilled", "complete", "success"},
    {"cancelled", "canceled", "void", "aborted", "cancelado", "cancelada"}, {"paid", "settled", "pagado", "pagada"},
    {"published", "live", "public"}, {"rejected", "declined", "denied", "refused"},
    {"approved", "accepted", "confirmed"}, {"shipped", "dispatched", "sent"},
    {"suspended", "frozen", "blocked", "paused", "on_hold"},
)  # fmt: skip


def synonym_of(state: str, enum: Sequence[JsonValue]) -> JsonValue:
    """The documented state that means the same: started → running."""
    group = next((g for g in _SYNONYMS if state in g), set())
    return next((v for v in enum if snake(str(v)) in group), None)


def _has_status(draft: EntityDraft) -> bool:
    column = _status_column(draft)
    return column is not None and bool(draft.attributes[column].enum)


def _status_column(draft: EntityDraft) -> str | None:
    names = (
        "status",
        f"{draft.name}_status",
        "state",
        "estado",
        "situacion",
        "statut",
        "stato",
        "zustand",
        f"{draft.name}_state",
    )
    return next((n for n in names if n in draft.attributes), None)


def _initial_states(draft: EntityDraft) -> list[str]:
    return (
        ["open"]
        if draft.name in ("ticket", "issue", "incident", "case")
        else ["active"]
        if draft.name in ("account", "user", "subscription", "member", "card", "plan", "line", "job", "campaign")
        else ["pending"]
    )


def _before(enum: Sequence[JsonValue], after: JsonValue, clues: list[Clue]) -> tuple[str, ...]:
    """States from which the move is legal: what the prose says, else all but final ones."""
    allowed = [c for c in clues if c.kind == "status_in"]
    denied = {snake(str(v)) for c in clues if c.kind == "status_not_in" for v in c.values}
    if allowed:
        wanted = {snake(str(v)) for c in allowed for v in c.values}
        return tuple(str(v) for v in enum if snake(str(v)) in wanted)
    if denied:
        return tuple(str(v) for v in enum if snake(str(v)) not in denied and v != after)
    if snake(str(after)) in _TERMINAL:
        return tuple(str(v) for v in enum if snake(str(v)) not in _TERMINAL)
    return ()
