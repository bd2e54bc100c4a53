"""What each parameter is for: key, reference, value, filter, range, search, sort, page, projection, credential, …

Invariant: every documented parameter gets exactly one role, and every role that concerns a column has created that
column, so no parameter can be forgotten later. Not covered: what the tool does with its roles (`operations`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from autoforge.generator.ir import ColumnKind, ColumnType
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.entities import Cast, id_stem
from autoforge.generator.rules.prose import enum_in_prose, format_in_prose, range_in_prose
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import Shape, properties_of, row_schema, shape_of
from autoforge.generator.rules.word_tables import word_set
from autoforge.generator.rules.words import VerbClass, ascii_word, column_name, singular, snake, split_words

__all__ = ["READING_VERBS", "Role", "assign_roles"]

READING_VERBS = frozenset({VerbClass.GET, VerbClass.LIST, VerbClass.SEARCH, VerbClass.COUNT, VerbClass.CHECK})
_LIMIT = re.compile(
    r"^(?:limit|max_?(?:results|records|items|count|rows|entries|hits)|(?:page|per)_?(?:size|page)|count"
    r"|top(?:_?[kn])?|num(?:ber)?_?(?:of_?)?(?:results|items)|n|first|size|limite|maximo|anzahl|(?:por"
    r"|tamano(?:_de)?)_?pagina|pro_?seite|par_?page)$"
)
_OFFSET = re.compile(
    r"^(?:offset|skip|start(?:_?(?:index|at))?|cursor|page_?token|next_?token|after_?cursor|starting_?after"
    r"|desplazamiento|marker|continuation_?token)$"
)
_PAGE = re.compile(r"^(?:page(?:_?(?:number|num|no|index))?|pagina|seite)$")
_SORT = re.compile(
    r"^(?:sort(?:_?(?:by|field|key|column|on))?|order_?by|orden(?:ar_?por)?|sortieren?(?:_?nach)?|tri(?:er_?par)?"
    r"|ordering|order)$"
)
_DIRECTION = re.compile(
    r"^(?:(?:sort_?)?(?:order|direction|dir)|order_?direction|sort_?dir|asc(?:ending)?|desc(?:ending)?|reverse"
    r"|direccion|richtung|sentido|sens|reihenfolge|verso)$"
)
_SEARCH = re.compile(
    r"^(?:q|query|keywords?|search(?:_?(?:term|text|query|string|phrase|keyword))?|term|text|phrase|texto|consulta"
    r"|palabra_?clave|busqueda|suchbegriff|begriff|recherche|requete|termo|termine|contains|match)$"
)
_FLAG = re.compile(r"^(?:include|with|show|expand|embed|return|incluir|con|mostrar|exclude|without|hide)_")
_PROJECT = re.compile(
    r"^(?:(?:field|property|attribute|column)_?name|fields?|columns|properties|select|detail_?level|verbosity"
    r"|verbose|detailed|truncate|format|output_?format|response_?format|output_?type|projection|view_?mode"
    r"|attributes|full|compact|brief|raw)$"
)
_LOW = re.compile(
    r"^(?:min(?:imum)?|from|since|last_knowledge_of|after|start(?:ing)?|begin|lower|over|above|older|earliest|desde"
    r"|von|ab|depuis|gt|gte)_|_(?:min(?:imum)?|minimo|from|since|after|start|desde|despues_de|gte?|min)$|^(?:from"
    r"|since|after|start|desde|von|ab|start_?(?:date|time|datetime)?|date_?from|begin)$|(?:Min|From|After)$"
)
_HIGH = re.compile(
    r"^(?:max(?:imum)?|to|until|till|before|end(?:ing)?|upper|under|below|newer|latest|hasta|bis|jusqu|lt|lte)_"
    r"|_(?:max(?:imum)?|maximo|to|until|before|end|hasta|antes_de|lte?)$|^(?:to|until|before|end|hasta|bis"
    r"|end_?(?:date|time|datetime)?|date_?to)$"
)
_RECENT = re.compile(
    r"^(?:days?_?back|(?:last|past|within|since|recent)_?(?:n_?)?(?:days|hours)|(?:look_?back|history|period"
    r"|window)_?(?:days|hours)?|(?:days|hours)_?ago|max_?age_?(?:days|hours)?)$"
)
_OPEN_OBJECTS = word_set(
    "updates body data fields payload values attributes input changes properties params details request patch "
    "update nested item object record metadata"
)
_NAMES_OTHER = re.compile(
    r"\b(?:symbols?|ids?|identifiers?|tickers?|usernames?|user name|slugs?|sku|isbn|code)\b|\bname of (?:the|an?)\b",
    re.IGNORECASE,
)
_LIST_EDIT = re.compile(r"_to_(?:add|remove|delete|append)$|^(?:add|remove|append)_")


@dataclass(slots=True)
class Role:
    """One parameter, or one property inside an object parameter."""

    name: str
    path: tuple[str, ...]
    schema: dict[str, Any]
    shape: Shape
    required: bool
    role: str
    """key | reference | value | filter | low | high | search | sort | direction | limit | offset | page | flag |
    project | batch | element | password | token | open | old
    """
    entity: str | None = None
    """The entity that the key or reference names."""
    column: str | None = None
    """The column of the tool's own entity (for key: of `entity`)."""
    items: list[Role] = field(default_factory=list)
    """Roles of the properties of a batch's items."""
    description: str = ""

    @property
    def many(self) -> bool:
        return self.shape.many


def assign_roles(cast: Cast, reading: Reading) -> list[Role]:
    """Roles of all parameters of one tool; columns they concern are created in the cast's drafts."""
    entity = cast.of_tool[reading.tool.name]
    draft = cast.entities.get(entity) if entity else None
    record = cast.entities.get(cast.record_of_tool.get(reading.tool.name, ""))
    required = set(reading.tool.input_schema.get("required", []))
    roles: list[Role] = []
    for name, schema in properties_of(reading.tool.input_schema).items():
        found = _roles_of(cast, reading, draft, name, schema, (name,), name in required)
        if record is not None and draft is not None:
            found = [_into_record(cast, reading, draft, record, r) for r in found]
        roles.extend(found)
    _settle_keys(cast, reading, draft, roles)
    return roles


def _into_record(cast: Cast, reading: Reading, draft: EntityDraft, record: EntityDraft, role: Role) -> Role:
    """What a transfer is told beside ids is kept in its record, not in the row it acts on."""
    if role.role in ("value", "reference") and role.column is not None:
        made = draft.attributes.get(role.column)
        if made is not None and all(e.startswith(f"{reading.tool.name}.") for e in made.evidence):
            del draft.attributes[role.column]
        role.column = match_column(record, snake(role.name))
        attribute = record.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
        if role.role == "reference":
            attribute.references = role.entity
    return role


def _roles_of(
    cast: Cast,
    reading: Reading,
    draft: EntityDraft | None,
    name: str,
    schema: dict[str, Any],
    path: tuple[str, ...],
    required: bool,
) -> list[Role]:
    shape = _shape(name, schema)
    base = Role(name, path, schema, shape, required, "value", description=str(schema.get("description", "")))
    nested = (
        properties_of(schema)
        if shape.schema.get("type") == "object" or (not shape.many and "properties" in shape.schema)
        else {}
    )
    if nested and len(path) < 3 and _opens(cast, reading, draft, name):
        inner = set(shape.schema.get("required", []))
        found: list[Role] = []
        for key, value in nested.items():
            found.extend(_roles_of(cast, reading, draft, key, value, (*path, key), required and key in inner))
        return found
    if (
        row_schema(schema)
        and len(path) == 1
        and reading.verb.kind not in READING_VERBS
        and _is_batch(cast, reading, draft, name)
    ):
        base.role = "batch"
        inner = set((row_schema(schema) or {}).get("required", []))
        for key, value in properties_of(row_schema(schema) or {}).items():
            base.items.extend(_roles_of(cast, reading, draft, key, value, ("[]", key), key in inner))
        return [base]
    child = cast.children.get((draft.name, name)) if draft is not None else None
    if child is not None and row_schema(schema) and reading.verb.kind not in READING_VERBS:
        base.role, base.entity = "children", child
        inner = set((row_schema(schema) or {}).get("required", []))
        for key, value in properties_of(row_schema(schema) or {}).items():
            base.items.extend(_roles_of(cast, reading, cast.entities[child], key, value, ("[]", key), key in inner))
        return [base]
    _classify(cast, reading, draft, base)
    return [base]


def _shape(name: str, schema: dict[str, Any]) -> Shape:
    """The column shape, sharpened by the parameter's own description."""
    shape = shape_of(schema)
    text = str(schema.get("description", ""))
    extra: dict[str, Any] = {}
    if shape.type == ColumnType.TEXT and "enum" not in shape.schema and not shape.schema.get("format"):
        words = enum_in_prose(text)
        if len(words) > 1 and snake(name).rsplit("_", 1)[-1] in (
            "status",
            "state",
            "type",
            "priority",
            "category",
            "level",
            "kind",
            "mode",
            "estado",
            "tipo",
            "role",
            "severity",
        ):
            extra["enum"] = list(words)
        elif (found := format_in_prose(text)) in ("date", "date-time", "time"):
            extra["format"] = found
    if shape.type in (ColumnType.INTEGER, ColumnType.REAL) and "minimum" not in shape.schema:
        low, high = range_in_prose(text)
        extra.update(
            {k: v for k, v in (("minimum", low), ("maximum", high)) if v is not None and k not in shape.schema}
        )
    return shape_of({**shape.schema, **extra})._replace(nullable=shape.nullable) if extra else shape


def _opens(cast: Cast, reading: Reading, draft: EntityDraft | None, name: str) -> bool:
    """Whether an object parameter is only an envelope for the entity's own attributes."""
    word = snake(name)
    return word in _OPEN_OBJECTS or (
        draft is not None and (word in draft.names() or singular(word) == draft.name or draft.name.endswith("_" + word))
    )


def _is_batch(cast: Cast, reading: Reading, draft: EntityDraft | None, name: str) -> bool:
    words = tuple(split_words(name))
    named = cast.find((*words[:-1], singular(words[-1]))) if words else None
    return draft is not None and (
        named == draft.name
        or (
            reading.plural
            and len(properties_of(reading.tool.input_schema)) <= 3
            and reading.verb.kind
            in (VerbClass.CREATE, VerbClass.UPDATE, VerbClass.ADD, VerbClass.DELETE, VerbClass.REMOVE, VerbClass.SEND)
        )
    )


def _classify(cast: Cast, reading: Reading, draft: EntityDraft | None, role: Role) -> None:
    word = snake(role.name)
    kind = reading.verb.kind
    http = reading.tool.http
    if (
        http is not None
        and role.path == (role.name,)
        and role.name in http.path_parameters
        and _as_path(cast, reading, draft, role)
    ):
        return
    link = cast.links.get(reading.tool.name)
    if (
        link is not None
        and draft is not None
        and role.shape.type in (ColumnType.TEXT, ColumnType.INTEGER)
        and not role.shape.schema.get("enum")
    ):
        target = cast.by_parameter(role.name)
        if target in (None, link[0], link[1]) and (target is not None or role.required):
            _as_link(draft, reading, role, target if target is not None and target != draft.name else link[1])
            return
    reads = kind in READING_VERBS
    text_like = role.shape.type == ColumnType.TEXT and not role.shape.schema.get("enum")
    if kind in (VerbClass.LOGIN, VerbClass.LOGOUT) and word.rsplit("_", 1)[-1] in (
        "password",
        "passwd",
        "pin",
        "secret",
        "contrasena",
        "passwort",
        "code",
        "otp",
    ):
        role.role, role.column = "password", column_name(role.name)
    elif kind is VerbClass.LOGIN and word in ("token", "api_key", "access_token", "auth_token"):
        role.role, role.column = "token", column_name(role.name)
    elif reads and role.shape.type in (ColumnType.INTEGER, ColumnType.REAL) and _LIMIT.match(word):
        role.role = "limit"
    elif reads and _PAGE.match(word):
        role.role = "page"
    elif (
        reads
        and _OFFSET.match(word)
        and role.shape.type != ColumnType.DATE
        and not (word == "start" and role.shape.type in (ColumnType.TEXT, ColumnType.DATETIME))
    ):
        role.role = "offset"
    elif reads and _DIRECTION.match(word) and (role.shape.type == ColumnType.BOOLEAN or _is_direction(role)):
        role.role = "direction"
    elif reads and _SORT.match(word):
        _sort_columns(draft, role)
        values = {str(v).lower() for v in role.shape.schema.get("enum", ())}
        role.role = "direction" if values and values <= {"asc", "desc", "ascending", "descending"} else "sort"
    elif reads and role.shape.type in (ColumnType.INTEGER, ColumnType.REAL) and _RECENT.match(word):
        _as_recent(draft, reading, role)
    elif reads and draft is not None and draft.name == "file" and _is_folder(word, role):
        role.role = "under" if role.shape.type is ColumnType.TEXT else "recursive"
    elif reads and _is_identity(cast, draft, role, kind):
        _as_identity(cast, reading, draft, role)
    elif reads and text_like and _SEARCH.match(word):
        role.role = "search"
    elif reads and role.shape.type == ColumnType.BOOLEAN and _FLAG.match(word):
        role.role, role.column = "flag", _FLAG.sub("", word)
    elif reads and _PROJECT.match(word):
        role.role = "project"
    elif (
        reads
        and role.shape.type not in (ColumnType.BOOLEAN, ColumnType.JSON)
        and (_LOW.search(word) or _HIGH.search(word))
    ):
        _as_range(draft, role, word)
    elif _is_identity(cast, draft, role, kind):
        _as_identity(cast, reading, draft, role)
    else:
        _as_value(reading, draft, role, reads)


def _as_path(cast: Cast, reading: Reading, draft: EntityDraft | None, role: Role) -> bool:
    """A path parameter belongs to the segment before it: `/halls/{id}/seats` takes a hall's id."""
    assert reading.tool.http is not None
    parts = [p for p in reading.tool.http.path.split("/") if p]
    at = next((i for i, p in enumerate(parts) if role.name in p and p.startswith(("{", ":"))), 0)
    before = split_words(parts[at - 1]) if at > 0 and not parts[at - 1].startswith(("{", ":")) else ()
    named = cast.by_parameter(role.name) if id_stem(role.name) != () else None
    owner = named or cast.find((*before[:-1], singular(before[-1]))) if before else named
    if owner is None or draft is None or role.shape.schema.get("enum"):
        return False
    if owner != draft.name:
        role.role, role.entity = "reference", owner
        role.column = _reference_column(cast, draft, role, owner) if id_stem(role.name) != () else f"{owner}_id"
        draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}").references = owner
        return True
    role.role, role.entity = "key", owner
    if id_stem(role.name) is None and column_name(role.name) != draft.name:
        role.column = match_column(draft, snake(role.name))
        draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    return True


def _sort_columns(draft: EntityDraft | None, role: Role) -> None:
    """Rows have what a list can be sorted by, also where no output says so."""
    for value in role.shape.schema.get("enum", ()) if draft is not None else ():
        base = re.sub(r"_(?:asc|desc|ascending|descending)$", "", snake(str(value)))
        if draft is None or base in (
            "asc",
            "desc",
            "ascending",
            "descending",
            "relevance",
            "best_match",
            "default",
            "none",
            "random",
        ):
            continue
        if any(
            c == base or c.endswith("_" + base) or base.endswith("_" + c) or base.split("_")[-1] in c.split("_")
            for c in draft.attributes
        ):
            continue
        kind = (
            {"type": "string", "format": "date-time"}
            if re.search(r"date|time|created|updated|recent|fecha", base)
            else {"type": "string"}
            if re.search(r"name|title|nombre", base)
            else {"type": "number"}
        )
        draft.column(base, shape_of(kind), "", f".{role.name}")


def _as_recent(draft: EntityDraft | None, reading: Reading, role: Role) -> None:
    """`days_back`: rows from the last so many days."""
    role.role = "recent"
    if draft is None:
        return
    dates = [
        a.name
        for a in draft.attributes.values()
        if a.type in (ColumnType.DATE, ColumnType.DATETIME) and not a.name.startswith(("due", "end", "expir"))
    ]
    role.column = dates[0] if dates else "created_at"
    draft.column(
        role.column, shape_of({"type": "string", "format": "date-time"}), "", f"{reading.tool.name}.{role.name}"
    )


def _is_folder(word: str, role: Role) -> bool:
    """A folder that a list of files is limited to, or whether the folders in it count."""
    if role.shape.type is ColumnType.BOOLEAN:
        return word in ("recursive", "include_subdirectories", "include_subfolders", "deep")
    return role.shape.type is ColumnType.TEXT and bool({"directory", "folder", "dir"} & set(word.split("_")))


def _as_link(draft: EntityDraft, reading: Reading, role: Role, target: str) -> None:
    """One side of a link row, under the same column in every tool that touches the link."""
    held = next((a.name for a in draft.attributes.values() if a.references == target), f"{target}_id")
    role.role, role.entity, role.column = "reference", target, held
    attribute = draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    attribute.references, attribute.nullable = target, attribute.nullable and attribute.given


def _is_direction(role: Role) -> bool:
    values = {str(v).lower() for v in role.shape.schema.get("enum", ())} | {str(role.schema.get("default", "")).lower()}
    return bool(
        values
        & {
            "asc",
            "desc",
            "ascending",
            "descending",
            "ascendente",
            "descendente",
            "aufsteigend",
            "absteigend",
            "croissant",
        }
    ) or snake(role.name) in ("direction", "sort_direction", "sort_order", "order_direction")


def _is_identity(cast: Cast, draft: EntityDraft | None, role: Role, kind: VerbClass) -> bool:
    if (
        role.shape.type in (ColumnType.BOOLEAN, ColumnType.REAL) and id_stem(role.name) is None
    ) or role.shape.schema.get("enum"):
        return False
    if role.shape.type == ColumnType.JSON and not (
        role.many and shape_of(role.shape.schema.get("items", {})).type in (ColumnType.TEXT, ColumnType.INTEGER)
    ):
        return False
    if id_stem(role.name) is not None:
        return True
    target = cast.by_parameter(role.name)
    makes = (
        draft is not None
        and target == draft.name
        and kind in (VerbClass.CREATE, VerbClass.SEND, VerbClass.ADD, VerbClass.UPDATE)
    )
    if target is None or makes:
        return False
    named = _NAMES_OTHER.search(role.description) is not None or (
        len(role.path) == 1
        and role.path[0] in (target, target.replace("_", ""))
        and target in cast.identified
        and role.shape.type is ColumnType.INTEGER
    )
    return kind in READING_VERBS or (draft is not None and target == draft.name) or named or role.many


def _as_identity(cast: Cast, reading: Reading, draft: EntityDraft | None, role: Role) -> None:
    """A key of the tool's own entity, or a reference to another one."""
    stem = id_stem(role.name)
    target = draft.name if draft is not None and stem == () else cast.by_parameter(role.name)
    roles = [w for w in split_words(role.name) if w in ("parent", "new", "old", "previous")]
    if target is None:
        if stem is not None and draft is not None and reading.verb.kind not in READING_VERBS and stem:
            target = cast.add("_".join((*stem[:-1], singular(stem[-1])))).name
        else:
            _as_value(reading, draft, role, reading.verb.kind in READING_VERBS)
            return
    role.entity = target
    own = draft is not None and target == draft.name and not roles
    if own:
        role.role = "key"
        if (
            stem is None
            and draft is not None
            and re.search(r"\bname\b", role.description, re.IGNORECASE)
            and not re.search(r"\bid\b", role.description, re.IGNORECASE)
        ):
            role.column = next((c for c in ("name", "username", "title") if c in draft.attributes), "name")
            draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    else:
        if (
            draft is not None
            and (target, draft.name) in cast.members
            and reading.verb.kind in (VerbClass.CREATE, VerbClass.ADD)
            and not role.many
        ):
            role.role = "member"
            return
        role.role = "reference"
        role.column = _reference_column(cast, draft, role, target)
        if (
            draft is not None
            and role.many
            and reading.verb.kind not in READING_VERBS
            and (role.column not in draft.attributes or draft.attributes[role.column].type is ColumnType.JSON)
        ):
            _keep_list(reading, draft, role)
            return
        if draft is not None and not role.many:
            attribute = draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
            attribute.references = target


def _keep_list(reading: Reading, draft: EntityDraft, role: Role) -> None:
    """Ids of several rows of another entity are kept as a list; adding and removing change it."""
    role.column = _list_column(draft, column_name(role.name)) or column_name(role.name)
    draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    if reading.verb.kind in (VerbClass.ADD, VerbClass.REMOVE):
        role.role = "element"


def _reference_column(cast: Cast, draft: EntityDraft | None, role: Role, target: str) -> str:
    """The column of that meaning that the entity has already, else one named by the parameter."""
    name = column_name(role.name)
    if draft is not None and name not in draft.attributes:
        same = [a.name for a in draft.attributes.values() if a.references == target]
        plain = id_stem(role.name) is None or not set(split_words(role.name)) - set(split_words(target)) - {"id", "ids"}
        if len(same) == 1 and plain:
            return same[0]
    if role.many:
        return "_".join([*split_words(name)[:-1], singular(split_words(name)[-1])])
    return name if id_stem(role.name) is not None or name.endswith("_id") else f"{name}_id" if name == target else name


def _as_range(draft: EntityDraft | None, role: Role, word: str) -> None:
    """A lower or upper bound of a column: the one of that name, else the likeliest date, else one named by what is
    left.
    """
    role.role = "low" if _LOW.search(word) else "high"
    rest = re.sub(r"^_|_$", "", (_LOW if role.role == "low" else _HIGH).sub("", word))
    rest = "" if rest in ("date", "time", "datetime", "value", "number") else rest
    rest = {"arrival": "check_in", "departure": "check_out", "arrives": "check_in", "leaves": "check_out"}.get(
        rest, rest
    )
    dated = role.shape.type in (ColumnType.DATE, ColumnType.DATETIME, ColumnType.TEXT)
    if draft is None:
        return
    role.column = next(
        (a for a in draft.attributes if rest and (a == rest or a.endswith("_" + rest) or a.startswith(rest + "_"))),
        None,
    )
    if role.column is None and dated:
        dates = [
            a.name
            for a in draft.attributes.values()
            if a.type in (ColumnType.DATE, ColumnType.DATETIME)
            or re.search(r"(?:^|_)(?:date|time|timestamp|fecha)$|_at$|_on$", a.name)
        ]
        preferred = (
            [d for d in dates if "start" in d or d in ("date", "fecha")]
            or [d for d in dates if "creat" not in d and "updat" not in d]
            or dates
        )
        role.column = preferred[0] if preferred and not rest else None
        if role.column is None and role.shape.type == ColumnType.TEXT:
            role.shape = shape_of({**role.shape.schema, "format": "date"}) if not rest or "date" in word else role.shape
    if role.column is None:
        role.column = column_name(rest) if rest else ("date" if dated else "value")
        shape = Shape(
            role.shape.type, True, {k: v for k, v in role.shape.schema.items() if k in ("type", "format")}, False
        )
        draft.column(role.column, shape, role.description, f".{role.name}")


def _as_value(reading: Reading, draft: EntityDraft | None, role: Role, reads: bool) -> None:
    """A plain attribute: what is stored, or in a reading tool what is filtered by."""
    role.role = "filter" if reads else "value"
    if reading.verb.kind is VerbClass.COMPUTE and reading.verb.word not in (
        "gzip",
        "format",
        "compress",
        "encode",
        "decode",
        "translate",
        "parse",
        "summarize",
        "analyze",
        "analyse",
        "predict",
        "hash",
    ):
        return
    if draft is None or (reading.verb.kind is VerbClass.DELETE and _names_its_row(reading, role)):
        return
    word = snake(role.name)
    words = [w for w in split_words(word)]
    if not reads and words[0] in ("new", "nuevo", "nueva", "neuer", "neue", "nouveau", "updated") and len(words) > 1:
        word = "_".join(words[1:])
    elif words[0] in ("old", "current", "anterior") and len(words) > 1 and not reads:
        role.role, word = "old", "_".join(words[1:])
    natural = re.fullmatch(r"(?:\w+_)?(name|title|email|username|symbol|code|path)s", word)
    if (
        role.many
        and natural
        and shape_of(role.shape.schema.get("items", {})).type is ColumnType.TEXT
        and (word == natural.group(1) + "s" or word.removesuffix("_" + natural.group(1) + "s") == draft.name)
    ):
        role.role, role.entity, role.column = "key", draft.name, natural.group(1)
        draft.column(role.column, shape_of({"type": "string"}), role.description, f"{reading.tool.name}.{role.name}")
        return
    if _LIST_EDIT.search(word):
        role.role = "element"
        word = _LIST_EDIT.sub("", word)
    if (
        reading.verb.kind is VerbClass.TRANSFER
        and role.shape.type in (ColumnType.REAL, ColumnType.INTEGER)
        and word.rsplit("_", 1)[-1] in ("amount", "importe", "monto", "betrag", "montant", "quantity", "cantidad")
    ):
        role.column = word if word in draft.attributes else None
        return
    word = re.sub(r"_(?:value|str|string)$", "", word) or word
    if reads and word.endswith(("_to_find", "_to_search")):
        word = word.rsplit("_to_", 1)[0]
        word = _list_column(draft, word) or word
    if (
        reads
        and re.search(
            r"(?:^|_)(?:guests?|people|persons?|party|passengers?|occupants?|attendees|huespedes|personas)(?:_|$)", word
        )
        and role.shape.type is ColumnType.INTEGER
    ):
        holds = next(
            (
                a
                for a in draft.attributes
                if a
                in ("capacity", "max_guests", "max_occupancy", "max_capacity", "seats", "sleeps", "capacidad", "plazas")
            ),
            None,
        )
        if holds is not None:
            role.role, role.column = "low", holds
            return
    role.column = match_column(draft, word)
    if reads and not role.many and role.column not in draft.attributes:
        role.column = _list_column(draft, word) or role.column  # `tag` looks into `tags`
    about = cast_attribute(reading, draft, word)
    if about is not None:
        role.column = about
    if role.column not in draft.attributes and not reads:
        stem = reading.verb.word[:4]
        role.column = next((a for a in draft.attributes if a.endswith("_" + word) and a.startswith(stem)), role.column)
    shape = role.shape
    if role.role == "element" or (
        reading.verb.kind in (VerbClass.ADD, VerbClass.REMOVE)
        and role.required
        and reading.head != draft.name
        and _list_column(draft, word)
    ):
        role.role = "element"
        role.column = _list_column(draft, word) or column_name(word + "s" if not word.endswith("s") else word)
        shape = Shape(
            ColumnType.JSON,
            False,
            {
                "type": "array",
                "items": {k: v for k, v in role.schema.items() if k in ("type", "enum", "format")}
                or {"type": "string"},
            },
            True,
        )
    elif (
        reads
        and role.many
        and role.column in draft.attributes
        and draft.attributes[role.column].type != ColumnType.JSON
    ):
        shape = shape_of(role.shape.schema.get("items", {"type": "string"}))
    elif reads and role.many and role.column not in draft.attributes and singular(word) in draft.attributes:
        role.column = singular(word)
        shape = shape_of(role.shape.schema.get("items", {"type": "string"}))
    elif (
        reads
        and role.column in draft.attributes
        and draft.attributes[role.column].type == ColumnType.JSON
        and not role.many
    ):
        shape = Shape(
            ColumnType.JSON,
            True,
            draft.attributes[role.column].schema or {"type": "array", "items": {"type": "string"}},
            True,
        )
    held = draft.attributes.get(role.column)
    if (
        reads
        and held is not None
        and held.enum
        and shape.schema.get("enum")
        and not set(held.enum) & set(shape.schema["enum"])
    ):
        # a filter's own choice, not the values that rows show
        role.column = f"{role.column}_{'kind' if role.column != 'kind' else 'class'}"
    if reads and role.schema.get("default") is not None and not role.required:
        shape = shape._replace(schema={k: v for k, v in shape.schema.items() if k != "default"})
    attribute = draft.column(role.column, shape, role.description, f"{reading.tool.name}.{role.name}")
    if reading.verb.kind is VerbClass.CREATE and role.required and attribute.evidence[0].endswith(role.name):
        attribute.nullable = role.shape.nullable
    if (
        re.search(r"(?:^|_)(?:reason|motivo|grund|raison|comment|note)$", role.column)
        and attribute.kind is None
        and not attribute.enum
    ):
        attribute.kind = ColumnKind.FREE_TEXT


def _names_its_row(reading: Reading, role: Role) -> bool:
    """Whether another parameter of a deletion is the id: then this one only comments on it, and the row is gone."""
    others = [n for n in reading.tool.input_schema.get("required", []) if n != role.name]
    return (
        (not role.required and any(id_stem(n) is not None for n in others))
        or role.path[0] not in (role.name, "[]")
        or bool(re.search(r"(?:reason|comment|note|motivo)$", snake(role.name)))
    )


def cast_attribute(reading: Reading, draft: EntityDraft, word: str) -> str | None:
    """`set_mobile_data(enabled)` sets the column mobile_data, `set_roaming(enabled)` roaming_enabled."""
    if (
        word
        not in (
            "enabled",
            "on",
            "active",
            "value",
            "state",
            "mode",
            "status",
            "level",
            "setting",
            "is_enabled",
            "activated",
        )
        or word in draft.attributes
    ):
        return None
    noun = "_".join(reading.nouns)
    whole = "_".join(w for w in split_words(reading.tool.original_name) if w != reading.verb.word)
    return next(
        (
            a
            for a in (
                whole,
                f"{whole}_{word}",
                noun,
                f"{noun}_{word}",
                f"{reading.head}_{word}",
                f"is_{noun}",
                reading.head,
            )
            if a in draft.attributes
        ),
        None,
    )


def _list_column(draft: EntityDraft, word: str) -> str | None:
    """A JSON list column whose singular is the word."""
    for name, attribute in draft.attributes.items():
        if attribute.type == ColumnType.JSON and (
            singular(name) == word or name == word or singular(name) == word.rsplit("_", 1)[-1]
        ):
            return name
    return None


def match_column(draft: EntityDraft, word: str) -> str:
    """The entity's column for a documented name: same name, with or without the entity's own name or a generic
    ending.
    """
    name = column_name(word)
    if name in draft.attributes:
        return name
    words = split_words(draft.name)
    for prefix in (draft.name + "_", words[-1] + "_"):
        if name.startswith(prefix) and name[len(prefix) :] in draft.attributes:
            return name[len(prefix) :]
        if prefix + name in draft.attributes:
            return prefix + name
    squeezed = {a.replace("_", ""): a for a in draft.attributes}
    return squeezed.get(name.replace("_", ""), name)


def _settle_keys(cast: Cast, reading: Reading, draft: EntityDraft | None, roles: list[Role]) -> None:
    """A tool that reads or changes one row needs a key: where no id is given, the one required scalar that could name a
    row is it.
    """
    if draft is not None and sum(r.role == "key" for r in roles) > 1:
        _one_key(cast, reading, draft, roles)
    if draft is None or any(r.role in ("key", "batch") for r in roles):
        return
    old = next((r for r in roles if r.role == "old" and r.column), None)
    if old is not None and not old.shape.many:
        old.role, old.entity = "key", draft.name
        return
    one_row = reading.verb.kind in (
        VerbClass.GET,
        VerbClass.DELETE,
        VerbClass.STATE,
        VerbClass.TOGGLE,
        VerbClass.UPDATE,
        VerbClass.SET,
        VerbClass.MOVE,
        VerbClass.CHECK,
        VerbClass.RUN,
        VerbClass.ADD,
        VerbClass.REMOVE,
    )
    if not one_row or (reading.plural and reading.verb.kind is VerbClass.GET):
        return
    loose = reading.verb.kind in (VerbClass.STATE, VerbClass.DELETE, VerbClass.TOGGLE, VerbClass.MOVE) and not any(
        r.required for r in roles
    )
    candidates = [
        r
        for r in roles
        if split_words(r.name)[0] not in ("new", "nuevo", "neue", "updated")
        and (r.required or loose)
        and r.role in ("value", "filter")
        and r.column
        and (
            r.shape.type in (ColumnType.TEXT, ColumnType.INTEGER)
            or (r.shape.type is ColumnType.REAL and snake(r.name).rsplit("_", 1)[-1] in ("index", "number"))
        )
        and not r.shape.schema.get("enum")
    ]
    named = [r for r in candidates if _names_row(r, draft)]
    adds = reading.verb.kind is VerbClass.ADD and not any(r.role == "element" for r in roles)
    if named and not adds:
        named[0].role, named[0].entity = "key", draft.name


def _one_key(cast: Cast, reading: Reading, draft: EntityDraft, roles: list[Role]) -> None:
    """Of several ids of the same entity one is the key: the path's, else the bare `id`, else the first. The others
    refer, or must agree.
    """
    keys = [r for r in roles if r.role == "key"]
    http = reading.tool.http
    first = next((r for r in keys if http is not None and r.name in http.path_parameters), None) or next(
        (r for r in keys if id_stem(r.name) == ()), keys[0]
    )
    for role in keys:
        if role is first:
            continue
        if id_stem(role.name) == () or role.column is not None:
            role.role, role.column = "same", role.column
        else:
            role.role, role.column = "reference", column_name(role.name)
            if reading.verb.kind is VerbClass.TRANSFER:
                continue  # the other side of a transfer is no property of this one
            draft.column(
                role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}"
            ).references = draft.name


def _names_row(role: Role, draft: EntityDraft) -> bool:
    word = ascii_word(snake(role.name))
    last = word.removesuffix("_str").removesuffix("_string").rsplit("_", 1)[-1]
    if {"directory", "folder", "dir"} & set(word.split("_")) and draft.name not in ("directory", "folder"):
        return False
    return (
        last
        in (
            "name",
            "username",
            "symbol",
            "path",
            "code",
            "number",
            "slug",
            "key",
            "index",
            "email",
            "isbn",
            "sku",
            "url",
            "title",
            "handle",
            "ticker",
            "nombre",
            "codigo",
            "numero",
            "month",
            "nummer",
            "uri",
            "hash",
            "alias",
            "identifier",
            "phone",
            "serial",
            "vin",
            "iban",
        )
        or word == draft.name
    )
