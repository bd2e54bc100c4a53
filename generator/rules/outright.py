"""What a tool's description says outright goes before what the verb in its name suggests.

`return_parcel` whose description is “Set the status of a parcel to returned.” sets a status and reads nothing.
Invariant: only a tool that names one row (or, without parameters, the only one) is changed, only by settings of
documented columns, and a tool that says that it creates goes on creating. Not covered: finding the settings
(`prose.settings`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autoforge.generator.data import DataSample
from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.prose import enum_in_prose
from autoforge.generator.rules.prose.setting_fields import Field, Row, is_status
from autoforge.generator.rules.prose.settings import Setting, settings_in
from autoforge.generator.rules.prose.states import is_known
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import READING_VERBS
from autoforge.generator.rules.shapes import properties_of, row_schema, shape_of
from autoforge.generator.rules.state_names import named_state
from autoforge.generator.rules.verbs import STATES, Verb, VerbClass, verb_in_prose
from autoforge.generator.rules.words import ascii_word, singular, snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["heed_settings"]

_CREATES = word_set(
    "create new register insert add append clone copy duplicate upload import generate crear registrar anlegen "
    "erstellen registrieren creer enregistrer criar cadastrar creare"
)
_CHANGES = frozenset({VerbClass.STATE, VerbClass.UPDATE, VerbClass.SET, VerbClass.MOVE, VerbClass.TOGGLE})
_NEVER = frozenset({VerbClass.LOGIN, VerbClass.LOGOUT})
_STATUS = Field("status", "text")


def heed_settings(readings: list[Reading], data: DataSample | None = None) -> None:
    """Give each reading the settings of its prose, and the verb that fits them."""
    documented = [(_nouns(r), _fields(r)) for r in readings]
    names = frozenset(r.tool.name for r in readings)
    for reading, (nouns, own) in zip(readings, documented, strict=True):
        if reading.verb.kind in _NEVER or not reading.tool.description.strip():
            continue
        shared = [f for others, theirs in documented if others & nouns for f in theirs]
        fields = _joined([*own, *shared, *_sampled(data, nouns)], reading)
        reading.states = _states(fields)
        reading.standings = _states([f for f in fields if is_status(f.name) or _is_state_flag(f)])
        settings = settings_in(reading.tool.description, _row(reading, fields, nouns, names))
        reading.said = tuple(settings)
        if settings and _acts_on_row(reading, nouns, fields, settings):
            reading.settings = tuple(settings)
            _take(reading, settings, fields)
        state = named_state(reading)
        if state is not None and not any(is_status(s.field) or s.value == state.state for s in reading.settings):
            _become(reading, state)


def _become(reading: Reading, verb: Verb) -> None:
    """The tool is a change of state, of the row that it names."""
    if reading.verb.kind not in _CHANGES:
        _rename(reading)
    named = id_stem(reading.tool.input_schema["required"][0]) or ()
    reading.nouns = tuple(n for n in reading.nouns if n not in (verb.word, verb.state)) or tuple(named) or reading.nouns
    reading.plural = reading.many = False
    reading.verb = verb
    reading.evidence.append(f"“{verb.word}” makes it {verb.state}, a documented state")


def _row(reading: Reading, fields: Sequence[Field], nouns: frozenset[str], names: frozenset[str]) -> Row:
    """What the prose of a tool may be about; `names` are those of all tools."""
    name, described = reading.tool.name, verb_in_prose(reading.tool.description)
    reads = described is not None and {described.kind, reading.verb.kind} <= READING_VERBS
    reads = reads and not {"return", "returns"} & set(split_words(name))
    return Row(tuple(fields), nouns, name, names - {name}, reads)


def _nouns(reading: Reading) -> frozenset[str]:
    """Words for the row that a tool is about: its noun, and what its required ids name."""
    words = {*reading.nouns[-1:], *reading.nouns[:1], *(w for c in reading.container[-1:] for w in c.split()[-1:])}
    stems = [id_stem(p) for p in reading.tool.input_schema.get("required", [])]
    words |= {stem[-1] for stem in stems[:1] if stem}
    plain = {singular(ascii_word(w)) for w in words}
    return frozenset(plain | {w.removesuffix("en") for w in plain if len(w) > 6})  # German plurals


def _fields(reading: Reading) -> list[Field]:
    """Properties of the row in a tool's answer, else in what it takes."""
    output = reading.tool.output_schema or {}
    row = row_schema(output) or output
    found = properties_of(row)
    if len(found) <= 2:
        for schema in list(found.values()):
            found = {**found, **properties_of(row_schema(schema) or schema)}
    given = {n: s for n, s in properties_of(reading.tool.input_schema).items() if n not in found}
    return [_field(n, s) for n, s in [*found.items(), *given.items()] if id_stem(n) is None and not shape_of(s).many]


def _field(name: str, schema: dict[str, Any]) -> Field:
    shape = shape_of(schema)
    values = tuple(v for v in shape.schema.get("enum", ()) if v is not None)
    if not values and shape.type is ColumnType.TEXT and is_status(name):
        values = enum_in_prose(str(schema.get("description", "")))
    if shape.type is ColumnType.BOOLEAN:
        return Field(name, "flag")
    if values:
        return Field(name, "choice", values)
    return Field(name, "number" if shape.type in (ColumnType.INTEGER, ColumnType.REAL) else "text")


def _joined(fields: Sequence[Field], reading: Reading) -> list[Field]:
    """One field a name, the most telling; those that the call itself gives are not set by the tool."""
    given = {snake(n) for n in properties_of(reading.tool.input_schema)}
    found: dict[str, Field] = {}
    for field in fields:
        name = snake(field.name)
        before = found.get(name)
        if name not in given and (before is None or (before.kind == "text" and field.kind != "text")):
            found[name] = field
    if reading.verb.kind is not VerbClass.STATE and not any(is_status(f.name) for f in (*found.values(), *fields)):
        found["status"] = _STATUS
    return list(found.values())


def _is_state_flag(field: Field) -> bool:
    return field.kind == "flag" and is_known(snake(field.name).removeprefix("is_"))


def _states(fields: Sequence[Field]) -> frozenset[str]:
    """Words that say in which state a row is, in lower case."""
    flags = {snake(f.name).removeprefix("is_") for f in fields if f.kind == "flag"}
    values = {str(v).lower() for f in fields if f.kind == "choice" for v in f.values if isinstance(v, str)}
    return frozenset(flags | values)


def _sampled(data: DataSample | None, nouns: frozenset[str]) -> Iterator[Field]:
    """Columns of the user's data that tools may set."""
    for entity in data.entities if data is not None else ():
        if not {singular(w) for w in split_words(entity.name)} & nouns:
            continue
        for attribute in entity.attributes:
            if attribute.enum:
                yield Field(attribute.name, "choice", tuple(attribute.enum))
            elif attribute.type is ColumnType.BOOLEAN:
                yield Field(attribute.name, "flag")


def _acts_on_row(reading: Reading, nouns: frozenset[str], fields: Sequence[Field], settings: Sequence[Setting]) -> bool:
    """Whether the call names one row of the tool's noun and does not make one."""
    described = verb_in_prose(reading.tool.description)
    if reading.verb.word in _CREATES or (described is not None and described.word in _CREATES):
        return False
    required = reading.tool.input_schema.get("required", [])
    if not properties_of(reading.tool.input_schema):
        return not reading.plural
    keys = [p for p in required if _is_key(p, reading, nouns, fields)]
    if not keys:
        return False
    if reading.verb.kind in (*_CHANGES, *READING_VERBS, VerbClass.DELETE) or settings[0].first:
        return True
    return len(required) == 1


def _is_key(name: str, reading: Reading, nouns: frozenset[str], fields: Sequence[Field]) -> bool:
    stem = id_stem(name)
    schema = properties_of(reading.tool.input_schema).get(name, {})
    if stem is not None and schema.get("type") != "object":
        return not stem or singular(stem[-1]) in nouns
    if shape_of(schema).type is ColumnType.JSON or schema.get("enum"):
        return False
    http = reading.tool.http
    if http is not None:
        return name in http.path_parameters[-1:]
    return len(reading.tool.input_schema.get("required", [])) == 1


def _take(reading: Reading, settings: Sequence[Setting], fields: Sequence[Field]) -> None:
    """The verb that does what the settings say, on the noun that the call names."""
    word, kind = reading.verb.word, reading.verb.kind
    status = next((s for s in settings if is_status(s.field)), None)
    undocumented = not any(f.kind == "choice" and is_status(f.name) for f in fields)
    if status is not None and (kind is VerbClass.STATE or undocumented):  # the values of a status come from such verbs
        verb = Verb(word, VerbClass.STATE, snake(str(status.value)))
    elif kind in (VerbClass.UPDATE, VerbClass.SET, VerbClass.MOVE) or _has_own_state(reading.verb, settings, fields):
        verb = reading.verb
    else:
        verb = Verb(word, VerbClass.UPDATE)
    if verb == reading.verb or (kind is VerbClass.TRANSFER and word in STATES and status):
        return  # paying keeps a record besides
    if kind not in _CHANGES:
        _rename(reading)
        reading.plural = reading.many = False
    reading.verb = verb
    if verb.kind is not kind:
        reading.evidence.append(f"said: {settings[0].message}")


def _has_own_state(verb: Verb, settings: Sequence[Setting], fields: Sequence[Field]) -> bool:
    """Whether a verb of state moves something besides: `complete` where the progress becomes 100."""
    said = {snake(str(s.value))[:5] for s in settings} | {snake(s.field)[:5] for s in settings}
    held = any(is_status(f.name) for f in fields)
    flags = any(isinstance(s.value, bool) for s in settings)
    return verb.kind is VerbClass.STATE and (flags or (held and (verb.state or "")[:5] not in said))


def _rename(reading: Reading) -> None:
    """Without the word of the name that was no noun: (divert) below (shipment) → shipment."""
    required = reading.tool.input_schema.get("required", [])
    stem = next((s for s in (id_stem(p) for p in required) if s), ())
    http = reading.tool.http
    if http is not None and reading.container and http.path.rstrip("/").rsplit("/", 2)[-2][:1] in ("{", ":"):
        reading.nouns, reading.container = tuple(reading.container[-1].split()), reading.container[:-1]
    elif stem and set(stem) <= set(reading.nouns):
        reading.nouns = stem
