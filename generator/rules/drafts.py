"""Entities while they are being inferred: mutable, merged from many small pieces of evidence, then frozen.

Invariant: evidence only widens a draft (a type that fits all, more enum values); order of evidence is the order of the
documentation, so the result is deterministic. Not covered: where evidence comes from (`entities`, `roles`, `outputs`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autoforge.generator.ir import Attribute, ColumnKind, ColumnType, Entity, Transition
from autoforge.generator.rules.meaning import meaning_of
from autoforge.generator.rules.shapes import Shape, wider
from autoforge.generator.rules.words import plural, singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["AttributeDraft", "EntityDraft"]

_PROSE = word_set(
    "description content body message text note notes comment comments reason summary details resolution "
    "feedback bio caption remarks instructions prompt review answer question explanation abstract memo "
    "observation observations motivo descripcion comentario nota mensaje observaciones beschreibung kommentar "
    "notiz nachricht grund commentaire texte raison descricao comentario motivo descrizione commento"
)
_CLOCKED = word_set(
    "created_at updated_at created_on updated_on modified_at last_modified created modified timestamp sent_at"
)


@dataclass(slots=True)
class AttributeDraft:
    """One column in the making."""

    name: str
    type: ColumnType
    nullable: bool = True
    description: str = ""
    enum: list[Any] = field(default_factory=list)
    default: Any = None
    references: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    unique: bool = False
    kind: ColumnKind | None = None
    format: str | None = None
    pattern: str | None = None
    schema: dict[str, Any] | None = None
    examples: list[Any] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    fixed_type: bool = False
    """An output schema named the type: parameters no longer widen it."""
    guessed: bool = False
    """Only prose named it so far: the first schema decides its type."""
    given: bool = False
    """The user's data have this column: its type and looseness stay."""

    def absorb(self, shape: Shape, description: str, where: str, *, output: bool = False) -> None:
        """Add what one more property says about this column."""
        if self.given:
            self.enum.extend(
                v for v in shape.schema.get("enum", ()) if self.enum and v not in self.enum and v is not None
            )
            self.description = self.description or description
            return
        if self.guessed:
            self.type, self.guessed = shape.type, False
        if output and not self.fixed_type:
            self.type, self.fixed_type = (
                (shape.type if self.type != ColumnType.JSON or shape.type != ColumnType.TEXT else self.type),
                True,
            )
        elif not self.fixed_type:
            self.type = wider(self.type, shape.type)
        self.description = self.description or description
        self.enum.extend(v for v in shape.schema.get("enum", ()) if v not in self.enum and v is not None)
        self.format = self.format or shape.schema.get("format")
        self.pattern = self.pattern or shape.schema.get("pattern")
        if self.type == ColumnType.JSON and shape.type == ColumnType.JSON and (self.schema is None or output):
            self.schema = shape.schema
        self._bounds(shape)
        for example in [
            *shape.schema.get("examples", ()),
            *([shape.schema["example"]] if "example" in shape.schema else []),
        ]:
            if example not in self.examples:
                self.examples.append(example)
        if where not in self.evidence:
            self.evidence.append(where)

    def _bounds(self, shape: Shape) -> None:
        low, high = shape.schema.get("minimum"), shape.schema.get("maximum")
        if isinstance(low, int | float):
            self.minimum = low if self.minimum is None else min(self.minimum, low)
        if isinstance(high, int | float):
            self.maximum = high if self.maximum is None else max(self.maximum, high)

    def freeze(self, key: tuple[str, ...], generated: bool) -> Attribute:
        if self.references is not None and self.kind is None:
            kind = ColumnKind.VALUE
        elif self.name in key:
            kind = ColumnKind.SURROGATE if generated else ColumnKind.KEY
        elif self.kind is not None:
            kind = self.kind
        else:
            kind = self._kind()
        meaning = (
            ""
            if self.references or self.enum
            else meaning_of(self.name, self.description, self.type, self.format, tuple(self.enum))
        )
        minimum, maximum = (None, None) if self.given else (self.minimum, self.maximum)
        enum = tuple(self.enum) if self.type not in (ColumnType.JSON, ColumnType.BOOLEAN) else ()
        return Attribute(
            name=self.name, type=self.type, kind=kind, description=_first_line(self.description), enum=enum,
            nullable=self.nullable and self.name not in key, default=self.default, unique=self.unique,
            references=self.references, minimum=minimum, maximum=maximum, pattern=self.pattern, meaning=meaning,
            item_schema=self.schema if self.type == ColumnType.JSON else None, examples=tuple(self.examples),
            evidence=tuple(self.evidence[:6]),
        )  # fmt: skip

    def _kind(self) -> ColumnKind:
        if self.name in _CLOCKED and self.type in (ColumnType.DATETIME, ColumnType.TEXT, ColumnType.DATE):
            return ColumnKind.CLOCK
        words = set(split_words(self.name))
        if self.type == ColumnType.TEXT and not self.enum and words & _PROSE and not words & {"id", "type", "code"}:
            return ColumnKind.FREE_TEXT
        return ColumnKind.VALUE


def _first_line(text: str) -> str:
    return " ".join(text.split())[:200]


@dataclass(slots=True)
class EntityDraft:
    """One table in the making."""

    name: str
    attributes: dict[str, AttributeDraft] = field(default_factory=dict)
    key: tuple[str, ...] = ()
    id_template: str | None = None
    singleton: bool = False
    label: str | None = None
    owner: str | None = None
    status: str | None = None
    transitions: list[Transition] = field(default_factory=list)
    seed_rows: int | None = None
    aliases: set[str] = field(default_factory=set)
    given: bool = False
    """The user's data have this entity."""
    table_name: str | None = None
    """The data's name for the table."""
    flag: str = "logged_in"
    """Of a session: the column that says whether somebody is logged in."""
    evidence: list[str] = field(default_factory=list)

    @property
    def table(self) -> str:
        if self.table_name is not None:
            return self.table_name
        words = self.name.split("_")
        return self.name if self.singleton else "_".join([*words[:-1], plural(words[-1])])

    def column(
        self, name: str, shape: Shape, description: str = "", where: str = "", *, output: bool = False
    ) -> AttributeDraft:
        """The attribute of that name, made or widened by one more piece of evidence."""
        draft = self.attributes.get(name)
        if draft is None:
            draft = self.attributes[name] = AttributeDraft(name, shape.type)
            if shape.type == ColumnType.JSON:
                draft.schema = shape.schema
        draft.absorb(shape, description, where, output=output)
        return draft

    def names(self) -> set[str]:
        return {self.name, self.name.replace("_", ""), *self.aliases}

    def freeze(self) -> Entity:
        generated = self.id_template is not None
        if self.given:
            for attribute in self.attributes.values():
                attribute.nullable = attribute.nullable or (not attribute.given and attribute.default is None)
                if not attribute.given:
                    attribute.unique = False
        ordered = sorted(self.attributes.values(), key=lambda a: (a.name not in self.key,))
        return Entity(
            name=self.name, table=self.table, title=self.name.replace("_", " ").capitalize(), key=self.key,
            id_template=self.id_template, attributes=tuple(a.freeze(self.key, generated) for a in ordered),
            singleton=self.singleton, label=self.label, owner=self.owner, status=self.status,
            transitions=tuple(self.transitions), seed_rows=self.seed_rows, evidence=tuple(self.evidence[:8]),
        )  # fmt: skip


def noun_key(words: tuple[str, ...] | list[str]) -> str:
    """An entity name of a noun phrase: singular head, snake_case."""
    return "_".join([*words[:-1], singular(words[-1])]) if words else ""
