"""What a documented output is made of: rows, lists of rows, counts, confirmations.

Invariant: a plan covers every property of the output schema, and every leaf that belongs to a row has a column, so what
a tool returns is read from the state. Not covered: fetching the rows (`operations`), tools without an output schema
(`default_plan`).
"""

from __future__ import annotations

import re
from typing import Any

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import Cast, id_stem
from autoforge.generator.rules.drafts import EntityDraft, noun_key
from autoforge.generator.rules.output_plans import (
    ConstantPlan,
    CountPlan,
    EnvelopePlan,
    ListPlan,
    MapPlan,
    Plan,
    RowPlan,
    ValuePlan,
)
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.role_columns import match_column
from autoforge.generator.rules.roles import READING_VERBS
from autoforge.generator.rules.shapes import Shape, properties_of, row_schema, shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import singular, snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["estimates", "plan_output"]

_CONFIRM = re.compile(
    r"^(?:success(?:ful)?|succeeded|ok|acknowledged|confirmed|done|error|errors|error_message|error_code|status_code"
    r"|http_status|warnings?|exito|erfolg|succes)$"
)


_ATTEMPT = re.compile(
    r"\b(?:operation|attempt|was successful|is successful|successfully|confirmation|result of the|indicat\w+ "
    r"(?:success|whether the)|response status)\b",
    re.IGNORECASE,
)


_COUNT = re.compile(r"(?:^|_)(?:count|total|totals|num|number_of|total_count|anzahl|cantidad)(?:$|_)")


_WRAPPER = word_set(
    "data result results response payload body items values value list records rows entries content output datos "
    "resultado resultados"
)


def plan_output(cast: Cast, reading: Reading) -> Plan | None:
    """The plan of a tool's documented output, None where there is none; creates the columns that rows need."""
    schema = reading.tool.output_schema
    if not schema or (not properties_of(schema) and "additionalProperties" not in schema):
        return None
    entity = cast.of_tool[reading.tool.name]
    draft = cast.entities.get(entity) if entity else None
    if estimates(reading):
        return None  # it is worked out, not stored
    record = _record_entity(cast, reading, draft, schema)
    if record is not None and draft is not None:
        cast.record_of_tool[reading.tool.name] = record.name
        plan = _plan_row(cast, reading, record, schema, None)
        plan.origin = draft.name
        return plan
    return _plan_object(cast, reading, draft, schema, root=True)


def estimates(reading: Reading) -> bool:
    """A computation that starts from rows or numbers: its outputs are no columns."""
    if reading.verb.kind is not VerbClass.COMPUTE:
        return False
    properties = properties_of(reading.tool.input_schema)
    return any(
        id_stem(n) is not None or shape_of(s).type in (ColumnType.INTEGER, ColumnType.REAL)
        for n, s in properties.items()
    )


def _record_entity(
    cast: Cast, reading: Reading, draft: EntityDraft | None, schema: dict[str, Any]
) -> EntityDraft | None:
    """The entity of the record that a transfer answers with: its id is in the output and the acting row's is not, or is
    not the first.
    """
    if draft is None or reading.verb.kind not in (VerbClass.TRANSFER, VerbClass.SEND, VerbClass.RUN):
        return None
    stems = [(n, cast.by_parameter(n)) for n in properties_of(schema) if id_stem(n)]
    if not stems or stems[0][1] in (None, draft.name):
        return None
    name = stems[0][1]
    taken = {cast.by_parameter(p) for p in properties_of(reading.tool.input_schema) if id_stem(p) is not None}
    return cast.entities[name] if name is not None and name not in taken else None


def _plan_object(
    cast: Cast, reading: Reading, draft: EntityDraft | None, schema: dict[str, Any], *, root: bool = False
) -> Plan:
    properties = properties_of(schema)
    if not properties:
        return _plan_map(draft, schema)
    required = set(shape_of(schema).schema.get("required", []))
    if draft is not None and _is_row(cast, reading, draft, properties, root=root):
        return _plan_row(cast, reading, draft, schema, None)
    plan = EnvelopePlan(required=required)
    for name, value in properties.items():
        member = plan.properties[name] = _plan_member(cast, reading, draft, name, value)
        if isinstance(member, ValuePlan):
            member.required = name in required
    return plan


def _is_row(cast: Cast, reading: Reading, draft: EntityDraft, properties: dict[str, Any], *, root: bool) -> bool:
    """Whether an object is a row of the entity rather than an envelope around rows."""
    if len(properties) == 1 and root:
        name, value = next(iter(properties.items()))
        if properties_of(value):
            return False
        if snake(name) in _WRAPPER or _entity_named(cast, name) or row_schema(value):
            return False
        if shape_of(value).many and reading.plural:
            return False
    inner = [
        n
        for n, v in properties.items()
        if (row_schema(v) and _entity_named(cast, n) is not None) or (properties_of(v) and snake(n) in _WRAPPER)
    ]
    plain = [
        n
        for n, v in properties.items()
        if not row_schema(v) and not _is_confirmation(reading, n, v) and not _COUNT.search(snake(n))
    ]
    if root and reading.plural and inner:
        return False
    if root and any(
        _entity_named(cast, n) == draft.name and (properties_of(v) or row_schema(v)) for n, v in properties.items()
    ):
        return False
    if not root:
        return bool(plain)
    known = [n for n in plain if match_column(draft, n) in draft.attributes or id_stem(n) is not None]
    return bool(known) or (
        bool(plain)
        and reading.verb.kind in (VerbClass.GET, VerbClass.CREATE, VerbClass.UPDATE, VerbClass.SEND, VerbClass.CHECK)
        and not inner
    )


def _entity_named(cast: Cast, name: str) -> str | None:
    words = split_words(name)
    if not words:
        return None
    key = noun_key(words)
    return key if key in cast.entities else cast.alias.get(key)


def _is_confirmation(reading: Reading, name: str, schema: dict[str, Any]) -> bool:
    word, kind = snake(name), shape_of(schema).type
    text = str(schema.get("description", ""))
    if _CONFIRM.match(word):
        return True
    if reading.verb.kind in READING_VERBS and not _ATTEMPT.search(text):
        return False
    if kind is ColumnType.BOOLEAN and (
        word.endswith(("_status", "_success"))
        or word in ("deleted", "created", "updated", "removed", "added", "sent")
        or _ATTEMPT.search(text)
    ):
        return True
    return kind is ColumnType.TEXT and (
        (bool(_ATTEMPT.search(text)) and not text.lower().startswith("new "))
        or (
            word in ("message", "msg", "confirmation", "confirmation_message", "result")
            and reading.head not in ("message", "result")
        )
    )


def _plan_row(cast: Cast, reading: Reading, draft: EntityDraft, schema: dict[str, Any], through: str | None) -> RowPlan:
    bare = shape_of(schema).schema
    required = set(bare.get("required", []))
    plan = RowPlan(draft.name, through=through, required=required)
    identified = any(id_stem(n) is not None for n in properties_of(schema))
    for name, value in properties_of(schema).items():
        state = (
            identified
            and snake(name) in ("done", "confirmed", "acknowledged")
            and shape_of(value).type is ColumnType.BOOLEAN
        )
        plan.properties[name] = _plan_field(cast, reading, draft, name, value, required=name in required, state=state)
    return plan


def _plan_field(
    cast: Cast,
    reading: Reading,
    draft: EntityDraft,
    name: str,
    schema: dict[str, Any],
    *,
    required: bool,
    state: bool = False,
) -> Plan:
    """One property of a row: a column, or another entity that the row refers to or holds. `state`: a flag of the row,
    whatever its name confirms.
    """
    where = f"{reading.tool.name} → {name}"
    shape = shape_of(schema)
    text = str(schema.get("description", ""))
    known = match_column(draft, name) in draft.attributes
    if not state and not known and _is_confirmation(reading, name, schema):
        return ConstantPlan(schema, name, confirms=True)
    other = _entity_named(cast, name) or _titled(cast, schema)
    if properties_of(schema) and other and other != draft.name and not shape.many:
        column = next((a.name for a in draft.attributes.values() if a.references == other), None) or f"{other}_id"
        attribute = draft.column(column, Shape(ColumnType.TEXT, True, {"type": "string"}, False), "", where)
        attribute.references = other
        return _plan_row(cast, reading, cast.entities[other], schema, column)
    rows = row_schema(schema)
    child = cast.children.get((draft.name, name))
    if rows and child is not None:
        return ListPlan(child, _plan_row(cast, reading, cast.entities[child], rows, None), child_of=draft.name)
    if (
        rows
        and other
        and other != draft.name
        and (_refers(cast, other, draft.name) or (other, draft.name) in cast.given_with)
    ):
        return ListPlan(other, _plan_row(cast, reading, cast.entities[other], rows, None), child_of=draft.name)
    column = match_column(draft, "id" if id_stem(name) == () else _after_change(reading, draft, name))
    attribute = draft.column(column, shape, text, where, output=True)
    if required and not shape.nullable:
        attribute.nullable = False
    stem = id_stem(name)
    if stem and shape.type in (ColumnType.TEXT, ColumnType.INTEGER):
        target = cast.by_parameter(name)
        if target and (target != draft.name or "parent" in stem):
            attribute.references = target
    return ValuePlan(column, schema, required)


def _after_change(reading: Reading, draft: EntityDraft, name: str) -> str:
    """`new_balance` of a tool that changes the balance is the balance, `addedObservations` are observations."""
    if reading.verb.kind in READING_VERBS:
        return name
    word = snake(name)
    rest = re.sub(r"^(?:added|removed|deleted|created)_", "", word)
    if rest in draft.attributes:
        return rest
    return re.sub(r"^(?:new|updated|remaining|current)_(?!(?:at|on|by|date|time)$)(?=\w)", "", word)


def _refers(cast: Cast, child: str, parent: str) -> bool:
    return any(a.references == parent for a in cast.entities[child].attributes.values())


def _titled(cast: Cast, schema: dict[str, Any]) -> str | None:
    title = (
        schema.get("title") or (schema.get("items") or {}).get("title")
        if isinstance(schema.get("items", {}), dict)
        else schema.get("title")
    )
    words = split_words(str(title)) if title else ()
    return _entity_named(cast, "_".join(words)) if words else None


def _plan_member(cast: Cast, reading: Reading, draft: EntityDraft | None, name: str, schema: dict[str, Any]) -> Plan:
    """One property of an envelope."""
    word, shape = snake(name), shape_of(schema)
    other = _entity_named(cast, name) or _titled(cast, schema)
    target = cast.entities[other] if other else draft
    rows = row_schema(schema)
    if rows and target is not None:
        return ListPlan(target.name, _plan_row(cast, reading, target, rows, None))
    if shape.many and target is not None:
        return _plan_scalars(reading, draft, target, name, schema)
    if properties_of(schema):
        return _plan_inner(cast, reading, draft, other, name, schema)
    if _is_confirmation(reading, name, schema) or draft is None:
        return ConstantPlan(schema, name, confirms=True)
    if shape.type is ColumnType.INTEGER and _COUNT.search(word):
        return CountPlan(_counted(cast, name, str(schema.get("description", ""))) or draft.name, total="total" in word)
    if shape.type is ColumnType.JSON and not shape.many and other and not reading.plural:
        return RowPlan(other, open=True)
    if shape.type is ColumnType.JSON and not shape.many:
        return _plan_map(target, schema)
    if reading.plural or re.search(r"page|cursor|token|offset|has_more|knowledge", word):
        return ConstantPlan(schema, name)
    column = match_column(draft, "id" if id_stem(name) == () else _after_change(reading, draft, name))
    draft.column(column, shape, str(schema.get("description", "")), f"{reading.tool.name} → {name}", output=True)
    return ValuePlan(column, schema)


def _plan_inner(
    cast: Cast, reading: Reading, draft: EntityDraft | None, other: str | None, name: str, schema: dict[str, Any]
) -> Plan:
    if other:
        return _plan_row(cast, reading, cast.entities[other], schema, None)
    if (
        snake(name) in _WRAPPER
        or draft is None
        or any(row_schema(v) for v in properties_of(schema).values())
        or any(_COUNT.search(snake(n)) for n in properties_of(schema))
    ):
        return _plan_object(cast, reading, draft, schema, root=True)
    return (
        _plan_row(cast, reading, draft, schema, None)
        if _is_row(cast, reading, draft, properties_of(schema), root=False)
        else _plan_object(cast, reading, draft, schema)
    )


def _plan_scalars(
    reading: Reading, draft: EntityDraft | None, target: EntityDraft, name: str, schema: dict[str, Any]
) -> Plan:
    """A list of plain values: a JSON column of the one row, or one column of many rows."""
    item = shape_of(schema).schema.get("items", {})
    if isinstance(item, dict) and item.get("type") == "object":
        return ListPlan(target.name, RowPlan(target.name, open=True))
    column = match_column(target, name)
    one_row = (
        not reading.plural
        and reading.verb.kind in (VerbClass.GET, VerbClass.CREATE, VerbClass.UPDATE)
        and draft is target
    )
    if one_row or (target.attributes.get(column) is not None and target.attributes[column].type is ColumnType.JSON):
        target.column(
            column, shape_of(schema), str(schema.get("description", "")), f"{reading.tool.name} → {name}", output=True
        )
        return ValuePlan(column, schema)
    single = "_".join([*split_words(name)[:-1], singular(split_words(name)[-1])])
    chosen = match_column(target, single)
    return ListPlan(target.name, ValuePlan(chosen if chosen in target.attributes else "", item))


def _plan_map(draft: EntityDraft | None, schema: dict[str, Any]) -> Plan:
    if draft is None:
        return ConstantPlan(schema)
    extra = shape_of(schema).schema.get("additionalProperties")
    counts = isinstance(extra, dict) and shape_of(extra).type in (ColumnType.INTEGER, ColumnType.REAL)
    return MapPlan(draft.name, counts)


def _counted(cast: Cast, name: str, description: str) -> str | None:
    """The entity that a count counts: named in the property or its description."""
    for text in (name, description):
        for word in split_words(text):
            found = cast.find((singular(word),))
            if found:
                return found
    return None
