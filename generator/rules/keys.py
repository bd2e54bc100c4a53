"""Keys, labels, singletons and status machines of entities, decided when all tools have been heard.

Invariant: afterwards every entity has a key column, something by which to tell its rows apart, and, where tools change
its state, a status or flag that can hold each state they make. Not covered: sessions (`sessions`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue

from autoforge.generator.ir import ColumnType, Transition
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.entities import Cast, id_stem
from autoforge.generator.rules.prose import Clue, enum_in_prose
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.shapes import Shape, shape_of
from autoforge.generator.rules.word_tables import word_set
from autoforge.generator.rules.words import VerbClass, ascii_word, snake

__all__ = ["FLAG_STATES", "VERB_FLAGS", "finish_entities", "synonym_of"]

_LABELS = (
    "name",
    "title",
    "subject",
    "label",
    "username",
    "symbol",
    "full_name",
    "display_name",
    "nombre",
    "titulo",
    "titel",
    "bezeichnung",
    "nom",
    "titre",
    "description",
    "email",
    "code",
)
_TEXT = Shape(ColumnType.TEXT, True, {"type": "string"}, False)
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


def finish_entities(
    cast: Cast, readings: list[Reading], roles: dict[str, list[Role]], clues: dict[str, list[Clue]]
) -> None:
    """Decide keys, then statuses, then what an entity needs to be told apart by."""
    by_entity: dict[str, list[Reading]] = {name: [] for name in cast.entities}
    for reading in readings:
        entity = cast.of_tool[reading.tool.name]
        if entity is not None:
            by_entity[entity].append(reading)
    for name, draft in cast.entities.items():
        if not draft.key:
            _settle_key(cast, draft, by_entity[name], roles)
        elif draft.given and not draft.singleton and len(draft.key) == 1:
            _settle_template(
                cast,
                draft,
                draft.key[0],
                [r for r in by_entity[name] if r.verb.kind in (VerbClass.CREATE, VerbClass.ADD, VerbClass.SEND)],
                roles,
            )
    for name, draft in cast.entities.items():
        _type_references(cast, draft)
        _settle_status(cast, draft, by_entity[name], clues)
        _settle_variant(cast, draft)
        _settle_stamps(draft, by_entity[name], roles)
        _settle_label(draft)
    _promote_references(cast, roles)
    _settle_containers(cast, readings, roles)
    _settle_senders(cast, readings)
    _settle_owner(cast)
    _unique(cast, clues)


def _settle_key(cast: Cast, draft: EntityDraft, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    keyed = [r for reading in readings for r in _all_roles(roles[reading.tool.name]) if r.role == "key"]
    referring = [
        r
        for rs in roles.values()
        for r in _all_roles(rs)
        if r.role in ("reference", "key") and r.entity == draft.name and r not in keyed
    ]
    referred = any(a.references == draft.name for d in cast.entities.values() for a in d.attributes.values())
    creates = [
        r
        for r in readings
        if r.verb.kind in (VerbClass.CREATE, VerbClass.SEND, VerbClass.ADD, VerbClass.RUN, VerbClass.COMPUTE)
    ]
    lists = [r for r in readings if r.plural or r.verb.kind in (VerbClass.LIST, VerbClass.SEARCH)]
    lone = (
        draft.name in cast.loners
        and not keyed
        and not referring
        and not referred
        and any(
            r.verb.kind
            in (VerbClass.GET, VerbClass.UPDATE, VerbClass.SET, VerbClass.STATE, VerbClass.TOGGLE, VerbClass.DELETE)
            for r in readings
        )
    )
    if lone and any(r.verb.kind is VerbClass.DELETE and r.tool.input_schema.get("properties") for r in readings):
        lone = False
    if lone and any(r.role in ("filter", "search", "low", "high") for x in readings for r in roles[x.tool.name]):
        lone = False
    toggles = [r for r in readings if r.verb.kind is VerbClass.TOGGLE]
    lone = lone or (bool(toggles) and len(toggles) == len(readings) and not keyed and not referring)
    child = draft.name in cast.children.values()
    if (not child and lone) or (
        not child
        and not keyed
        and not referring
        and not referred
        and not creates
        and not lists
        and not any(r.role in ("filter", "search", "low", "high") for x in readings for r in roles[x.tool.name])
        and "data" not in draft.evidence
    ):
        draft.singleton = True
        draft.key = ("id",)
        draft.attributes.pop("id", None)
        draft.column("id", Shape(ColumnType.INTEGER, False, {"type": "integer"}, False))
        return
    changed = {
        r.column
        for x in readings
        if x.verb.kind in (VerbClass.UPDATE, VerbClass.SET)
        for r in roles[x.tool.name]
        if r.role == "value"
    }
    column = _key_column(draft, keyed, referring, changed)
    if draft.key:
        return
    draft.key = (column,)
    attribute = draft.attributes.get(column)
    if attribute is None:
        source = next((r for r in [*keyed, *referring] if not r.many), None) or next(iter([*keyed, *referring]), None)
        shape = source.shape if source else Shape(ColumnType.INTEGER, False, {"type": "integer"}, False)
        if shape.many:
            shape = shape_of(shape.schema.get("items", {"type": "string"}))
        attribute = draft.column(column, shape, source.description if source else "")
    if attribute.type is ColumnType.REAL:
        attribute.type = ColumnType.INTEGER
    if attribute.type not in (ColumnType.INTEGER, ColumnType.TEXT):
        attribute.type = ColumnType.TEXT
    attribute.references = None
    attribute.enum = []
    _settle_template(cast, draft, column, creates, roles)


def _all_roles(roles: list[Role]) -> list[Role]:
    return [r for role in roles for r in (role, *role.items)]


def _key_column(draft: EntityDraft, keyed: list[Role], referring: list[Role], changed: set[str | None]) -> str:
    """`id`, `<entity>_id`, or a natural key: the name by which the tools take a row."""
    if "id" in draft.attributes or any(id_stem(r.name) == () for r in keyed):
        return "id"
    for name in (f"{draft.name}_id", f"{draft.name.split('_')[-1]}_id", "_id", "uuid", "uid", "gid"):
        if name in draft.attributes:
            return name
    for role in [*keyed, *referring]:
        stem = id_stem(role.name)
        if stem is not None:
            return "id" if stem == () else f"{draft.name}_id"
    for role in [*keyed, *referring]:
        if role.column in changed:
            return "id"
        if role.role == "key" and role.column and role.column in draft.attributes:
            return role.column
    if keyed or referring:
        natural = next(
            (
                n
                for n in ("symbol", "username", "code", "slug", "sku", "isbn", "name", "path", "email", "title")
                if n in draft.attributes
            ),
            None,
        )
        by_id = any(id_stem(r.name) is not None for r in referring)
        if natural and not by_id and natural not in changed:
            return natural
        return f"{draft.name}_id" if by_id or not keyed else "name"
    return f"{draft.name}_id" if f"{draft.name}_id" in draft.attributes else "id"


def _settle_template(
    cast: Cast, draft: EntityDraft, column: str, creates: list[Reading], roles: dict[str, list[Role]]
) -> None:
    """How generated ids read; none where callers choose the key themselves."""
    attribute = draft.attributes[column]
    creates = [c for c in creates if c.verb.kind in (VerbClass.CREATE, VerbClass.ADD, VerbClass.SEND)]
    chosen = any(
        (r.role == "key" or r.column == column) and r.required for c in creates for r in _all_roles(roles[c.tool.name])
    )
    natural = column not in ("id", f"{draft.name}_id", "_id", "uuid", "uid", "gid") and not column.endswith("_id")
    if natural or chosen:
        draft.id_template = None
        return
    if attribute.type is ColumnType.INTEGER:
        draft.id_template = "{}"
        return
    shown = next((str(e) for e in attribute.examples if re.search(r"\d+$", str(e))), None) or _example_in(
        attribute.description
    )
    if shown:
        digits = re.search(r"\d+$", shown)
        assert digits is not None
        draft.id_template = shown[: digits.start()].replace("{", "").replace("}", "") + f"{{:0{len(digits.group())}d}}"
    elif attribute.format == "uuid":
        draft.id_template = "{:08x}-0000-4000-8000-000000000000"
    else:
        draft.id_template = f"{_abbreviation(cast, draft.name)}-{{:04d}}"


def _example_in(description: str) -> str | None:
    found = re.search(
        r"(?:e\.g\.|for example|such as|example:|like|p\. ?ej\.|por ejemplo|z\. "
        r"?B\.)[:,]?\s*[`'\"“]?([A-Za-z]{1,6}[-_]?\d{2,8})\b",
        description,
        re.IGNORECASE,
    )
    return found.group(1) if found else None


def _abbreviation(cast: Cast, name: str) -> str:
    words = name.split("_")
    short = "".join(w[0] for w in words).upper() if len(words) > 1 else name[:3].upper()
    taken = {d.id_template.split("-")[0] for d in cast.entities.values() if d.id_template and "-" in d.id_template}
    return short if short not in taken else name.replace("_", "")[:5].upper()


def _type_references(cast: Cast, draft: EntityDraft) -> None:
    """A foreign key has the type of the key it holds, and refers only to entities with one column as key."""
    for attribute in draft.attributes.values():
        if attribute.references is None and attribute.name not in draft.key and attribute.type is ColumnType.TEXT:
            attribute.references = _named_in(cast, draft, attribute.description)
        target = cast.entities.get(attribute.references or "")
        if attribute.references is None:
            continue
        if (
            target is None
            or len(target.key) != 1
            or attribute.type is ColumnType.JSON
            or (target.singleton and target.name != draft.name)
        ):
            attribute.references = None
            continue
        attribute.type = target.attributes[target.key[0]].type if target.key[0] in target.attributes else attribute.type
        attribute.enum = []


def _named_in(cast: Cast, draft: EntityDraft, description: str) -> str | None:
    """“The name of the entity where the relation starts”: a reference, where names are keys."""
    found = re.search(r"\bname of the (\w+)", description.lower())
    target = cast.find((found.group(1),)) if found else None
    return target if target is not None and target != draft.name and cast.entities[target].key == ("name",) else None


def _settle_status(cast: Cast, draft: EntityDraft, readings: list[Reading], clues: dict[str, list[Clue]]) -> None:
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
        column = draft.column("status", _TEXT, "State of the " + draft.name.replace("_", " ")).name
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


def _settle_variant(cast: Cast, draft: EntityDraft) -> None:
    kinds = cast.variants.get(draft.name)
    if kinds:
        attribute = draft.column(f"{draft.name}_type", _TEXT, f"Kind of {draft.name.replace('_', ' ')}")
        attribute.enum, attribute.nullable = list(kinds), False


def _settle_stamps(draft: EntityDraft, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    """`run_task_now(task_id)` changes no value of the row but when it last ran."""
    for reading in readings:
        mine = roles[reading.tool.name]
        if reading.verb.kind is VerbClass.RUN and any(r.role == "key" for r in mine):
            word = snake(reading.verb.word)
            draft.column(
                f"last_{word}_at",
                Shape(ColumnType.DATETIME, True, {"type": "string", "format": "date-time"}, False),
                f"When it was last made to {word}",
            )
            draft.column(
                f"{word}_count",
                Shape(ColumnType.INTEGER, False, {"type": "integer", "minimum": 0}, False),
                f"How often it was made to {word}",
            ).default = 0


def _settle_label(draft: EntityDraft) -> None:
    """Rows need something beside the key to be told apart by."""
    draft.label = next(
        (n for n in _LABELS if n in draft.attributes and draft.attributes[n].type is ColumnType.TEXT), None
    )
    plain = [a for a in draft.attributes.values() if a.name not in draft.key and a.type is not ColumnType.JSON]
    if (
        draft.label is None
        and not draft.given
        and not draft.singleton
        and len(plain) < 2
        and not any(a.references for a in plain)
    ):
        draft.label = draft.column("name", _TEXT, f"Name of the {draft.name.replace('_', ' ')}").name
    if draft.singleton and not plain:
        draft.column("name", _TEXT, f"Name of the {draft.name.replace('_', ' ')}")


_GENERIC = word_set("id name title path code number url email date index label value type slug key")


def _promote_references(cast: Cast, roles: dict[str, list[Role]]) -> None:
    """`order.symbol` holds what `stock` is keyed by; `ticket.created_by` names a person."""
    natural = {
        d.key[0]: d.name
        for d in cast.entities.values()
        if len(d.key) == 1 and not d.singleton and d.key[0] not in _GENERIC and not d.attributes[d.key[0]].references
    }
    person = cast.person()
    for draft in cast.entities.values():
        for attribute in draft.attributes.values():
            if (
                attribute.references
                or attribute.name in draft.key
                or attribute.enum
                or attribute.type not in (ColumnType.TEXT, ColumnType.INTEGER)
            ):
                continue
            target = natural.get(attribute.name)
            if (
                target is None
                and person
                and draft.name != person
                and attribute.name
                in ("created_by", "owner", "author", "assignee", "assigned_to", "sender", "recipient", "receiver")
            ):
                target = person
            if (
                target is not None
                and target != draft.name
                and cast.entities[target].key
                and cast.entities[target].attributes[cast.entities[target].key[0]].type is attribute.type
            ):
                attribute.references = target
    for tool, found in roles.items():
        own = cast.entities.get(cast.of_tool.get(tool) or "")
        for role in _all_roles(found):
            held = own.attributes.get(role.column or "") if own is not None else None
            if held is not None and held.references and role.role in ("value", "filter") and not role.many:
                role.role, role.entity = "reference", held.references


def _settle_containers(cast: Cast, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    """A row that is reached through another (`/boards/{board_id}/cards/{card_id}`) belongs to one: without it nobody
    could ask for it.
    """
    for reading in readings:
        draft, http = cast.entities.get(cast.of_tool[reading.tool.name] or ""), reading.tool.http
        mine = roles[reading.tool.name]
        if draft is None or draft.given or not any(r.role == "key" and not r.many for r in mine):
            continue
        for role in mine:
            attribute = draft.attributes.get(role.column or "")
            inside = (http is not None and role.name in http.path_parameters) or (
                http is None and role.required and reading.verb.kind is VerbClass.GET
            )
            if role.role != "reference" or attribute is None or not inside or role.many or role.entity == draft.name:
                continue
            back = cast.entities[role.entity].attributes.values() if role.entity in cast.entities else ()
            if attribute.references == role.entity and not any(
                a.references == draft.name and not a.nullable for a in back
            ):
                attribute.nullable = False


def _settle_senders(cast: Cast, readings: list[Reading]) -> None:
    """Who sends is who is logged in: a message to somebody is also from somebody."""
    person = cast.person()
    if "session" not in cast.entities or person is None:
        return
    for reading in readings:
        draft = cast.entities.get(cast.of_tool[reading.tool.name] or "")
        if draft is None or reading.verb.kind is not VerbClass.SEND or draft.name == person:
            continue
        mine = [a.name for a in draft.attributes.values() if a.references == person]
        if mine and all(re.search(r"receiver|recipient|^to", n) for n in mine):
            sender = draft.column("sender_id", _TEXT, "Who sent it")
            sender.references, sender.type = person, draft.attributes[mine[0]].type


def _settle_owner(cast: Cast) -> None:
    person = cast.person()
    for draft in cast.entities.values():
        if person is None or draft.name == person:
            continue
        mine = [a.name for a in draft.attributes.values() if a.references == person]
        draft.owner = next(
            (
                c
                for c in mine
                if c
                in (
                    "sender_id",
                    "owner_id",
                    "user_id",
                    "created_by",
                    "customer_id",
                    "author_id",
                    "member_id",
                    f"{person}_id",
                )
            ),
            mine[0] if mine else None,
        )


def _unique(cast: Cast, clues: dict[str, list[Clue]]) -> None:
    for tool, found in clues.items():
        entity = cast.of_tool.get(tool)
        for clue in found:
            if clue.kind == "unique" and entity and (clue.field or clue.subject):
                known, words = cast.entities[entity].attributes, snake(clue.field or clue.subject)
                attribute = known.get(words) or known.get(words.rsplit("_", 1)[0])  # “email address” of `email`
                if attribute is not None and attribute.type is not ColumnType.JSON:
                    attribute.unique = True
