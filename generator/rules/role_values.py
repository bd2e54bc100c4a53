"""Parameters that are values: what a tool writes into a column, or compares one with.

Invariant: a value ends in a column of the tool's own entity. Not covered: ids (`role_identity`), ranges and sorting
(`read_roles`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import ColumnKind, ColumnType
from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.role_columns import cast_attribute, list_column, match_column
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.shapes import Shape, contradict, shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import column_name, singular, snake, split_words

__all__ = ["as_value"]

_LIST_EDIT = re.compile(r"_to_(?:add|remove|delete|append)$|^(?:add|remove|append)_")


def as_value(reading: Reading, draft: EntityDraft | None, role: Role, reads: bool) -> None:
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
        word = list_column(draft, word) or word
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
        role.column = list_column(draft, word) or role.column  # `tag` looks into `tags`
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
        and list_column(draft, word)
    ):
        role.role = "element"
        role.column = list_column(draft, word) or column_name(word + "s" if not word.endswith("s") else word)
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
    both_json = held is not None and role.role == "value" and held.type is shape.type is ColumnType.JSON
    if held is not None and held.schema and both_json and contradict(held.schema, shape.schema):
        role.column = f"{role.column}_given"  # what outputs show is of another make
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
