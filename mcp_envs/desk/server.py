#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = ["mcp>=2.3,<3"]
# ///
"""The MCP server of this environment: `python server.py` or `uv run server.py`; `--help` lists the rest.

It is the same text in every environment and reads what is particular from its own folder: `environment.json`,
`docs.json`, `schema.sql`, `seed.sql`, `tools.py`, and `policy.md` for its instructions. It needs `mcp`, nothing else.

Invariant: a call either commits whole or changes nothing; a call depends on the state and its arguments only; stdout
carries the protocol only. Not covered: containment. `tools.py` runs in this process with what this process may do; use
a container for code that you do not trust.
"""

from __future__ import annotations


# ---------------------------------------------------------------------------------------------------------------------
# The state, and one call on it
# ---------------------------------------------------------------------------------------------------------------------

import json
import math
import sqlite3
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

CLOCK_TABLE = "autoforge_clock"
COUNTER_TABLE = "autoforge_counters"
LOG_TABLE = "autoforge_log"
CALL_TABLE = "autoforge_calls"
"""Replies by call id, kept by the contained worker; no tool touches it and no comparison of states reads it."""

CALL_SECONDS = 5.0
"""Deadline of the SQL inside one tool call."""
PROGRESS_OPCODES = 20_000
"""SQLite virtual-machine steps between two looks at the deadline: about a millisecond."""
LENGTH_LIMIT = 16_000_000
"""Largest text, blob or row in bytes."""

_SETTINGS = (
    *("foreign_keys=ON", "synchronous=OFF", "cache_size=-256", "temp_store=MEMORY", "trusted_schema=OFF"),
    "recursive_triggers=OFF",
)
_READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_WRITES = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_UNSAFE_FUNCTIONS = {
    *("load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "random", "randomblob", "last_insert_rowid"),
    *("changes", "total_changes"),
    *("current_timestamp", "current_time", "current_date", "date", "time", "datetime", "julianday", "unixepoch"),
    *("strftime", "timediff", "zeroblob", "printf", "format"),
}
"""What reaches outside, is not deterministic (`date('now')`: the time is `Database.now`) or fills the memory at
once."""

sqlite3.register_converter("BOOLEAN", lambda raw: raw not in (b"0", b""))
sqlite3.register_converter("JSON", lambda raw: json.loads(raw))
for _text in ("DATE", "TIMESTAMP"):  # for which sqlite3 would make date objects, and no JSON holds those
    sqlite3.register_converter(_text, lambda raw: raw.decode())


_TOOL_MARK = "/*tool*/ "
"""Begins every statement of a tool, so that none is ever a cached statement that was prepared outside a call, where all
is allowed."""


class DeadlineExceeded(Exception):
    """One call used more time than it may."""


class Guard:
    """What a connection allows now: everything outside a call; inside one no structure, no transaction, no chance and
    no time past `ends`.

    It is installed once. Setting an authorizer expires every prepared statement, so setting it for each call would
    prepare each of its statements again: twice the time of a small call.
    """

    __slots__ = ("ends", "trusted")

    def __init__(self) -> None:
        self.trusted = True
        self.ends = math.inf

    def authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        """SQLite's authorizer, asked once for each step of a statement when it is prepared."""
        if self.trusted:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            allowed = (second or "").lower() not in _UNSAFE_FUNCTIONS
        elif action in _WRITES:
            allowed = first not in (CALL_TABLE, CLOCK_TABLE)
        else:
            allowed = action in _READS and first != CALL_TABLE
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    def expired(self) -> bool:
        """SQLite's progress handler: whether to interrupt."""
        return time.monotonic() > self.ends


class Connection(sqlite3.Connection):
    """A connection that carries its guard; made by `connect` only."""

    guard: Guard


def connect(path: str | Path = ":memory:") -> Connection:
    """A connection for an episode: foreign keys on, explicit transactions, no durability (an episode is not worth an
    fsync)."""
    connection = sqlite3.connect(
        str(path),
        isolation_level=None,
        detect_types=sqlite3.PARSE_DECLTYPES,
        check_same_thread=False,
        cached_statements=256,
        factory=Connection,
    )
    connection.executescript("".join(f"PRAGMA {setting};" for setting in _SETTINGS))
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LENGTH_LIMIT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.guard = Guard()
    connection.set_authorizer(connection.guard.authorize)
    connection.set_progress_handler(connection.guard.expired, PROGRESS_OPCODES)
    return connection


def create_state(folder: Path, connection: sqlite3.Connection) -> None:
    """Fill an empty database from `schema.sql` and `seed.sql`."""
    for name in ("schema.sql", "seed.sql"):
        connection.executescript((folder / name).read_text(encoding="utf-8"))


def _bind(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return value.isoformat() if isinstance(value, date) else value


class Database:
    """The state as a tool function sees it: statements in, plain rows out.

    Booleans and JSON columns arrive as Python values and may be given as such. Names never come from arguments; values
    are always bound.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """Every row, as dictionaries by column name."""
        cursor = self._connection.execute(_TOOL_MARK + sql, [_bind(v) for v in values])
        names = [d[0] for d in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def one(self, sql: str, *values: Any) -> dict[str, Any] | None:
        """The first row, or None."""
        cursor = self._connection.execute(_TOOL_MARK + sql, [_bind(v) for v in values])
        row = cursor.fetchone()
        return None if row is None else dict(zip([d[0] for d in cursor.description], row, strict=True))

    def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row, or None."""
        row = self._connection.execute(_TOOL_MARK + sql, [_bind(v) for v in values]).fetchone()
        return None if row is None else row[0]

    def run(self, sql: str, *values: Any) -> int:
        """Run INSERT, UPDATE or DELETE; the number of rows changed."""
        return self._connection.execute(_TOOL_MARK + sql, [_bind(v) for v in values]).rowcount

    def next_id(self, counter: str) -> int:
        """The next number of a counter that is part of the state."""
        insert = f"INSERT INTO {COUNTER_TABLE}(name, value) VALUES (?, 1)"
        self.run(f"{insert} ON CONFLICT(name) DO UPDATE SET value = value + 1", counter)
        return int(self.value(f"SELECT value FROM {COUNTER_TABLE} WHERE name = ?", counter))

    def now(self) -> str:
        """The state's clock, `YYYY-MM-DDTHH:MM:SS`."""
        return str(self.value(f"SELECT now FROM {CLOCK_TABLE}"))

    def today(self) -> str:
        """The date of the state's clock, `YYYY-MM-DD`."""
        return self.now()[:10]

    def log(self, tool: str, arguments: dict[str, Any]) -> None:
        """Record a call in the log table, which no comparison of states reads."""
        self.run(f"INSERT INTO {LOG_TABLE}(tool, arguments) VALUES (?, ?)", tool, arguments)


def call(
    connection: sqlite3.Connection,
    function: Callable[..., Any],
    arguments: dict[str, Any],
    seconds: float = CALL_SECONDS,
    record: Callable[[str], object] | None = None,
) -> Any:
    """Run one tool function in a transaction that is rolled back when anything in it raises.

    `record` gets the result as JSON text and may write to the connection in the same transaction. `connection` comes
    from `connect`. Raises what the function raises (`ToolError` for a refusal), `DeadlineExceeded` when its SQL
    outlasts `seconds`, `ValueError` or `TypeError` when its result is not JSON in UTF-8.
    """
    if not isinstance(connection, Connection):
        raise TypeError("call needs a connection made by runtime.connect")
    guard = connection.guard
    if connection.in_transaction:  # a timer's exception met the end of the call before
        connection.execute("ROLLBACK")
    connection.execute("BEGIN IMMEDIATE")
    guard.ends = time.monotonic() + seconds
    guard.trusted = False
    try:
        result = function(Database(connection), **arguments)
        guard.trusted, guard.ends = True, math.inf
        text = json.dumps(result, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()
        if record is not None:
            record(text)
        connection.execute("COMMIT")
    except BaseException as error:
        guard.trusted, guard.ends = True, math.inf
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.OperationalError) and str(error) == "interrupted":
            raise DeadlineExceeded(f"the call did not end within {seconds:g} s") from None
        raise
    return result


# ---------------------------------------------------------------------------------------------------------------------
# values that JSON may carry and the state may not
# ---------------------------------------------------------------------------------------------------------------------

import math
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

TEXT_LIMIT = 1_000_000
"""Longest string argument, in characters."""
INTEGER_BOUND = 2**63

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)
FORMATS = {
    "date": "a date (YYYY-MM-DD)",
    "date-time": "a date and time (YYYY-MM-DDTHH:MM:SS, with or without an offset)",
}


class BadArguments(Exception):
    """The sentence that tells the agent which argument is wrong and why."""


def refuse_unstorable(value: Any, path: str) -> None:
    """Refuse what JSON may carry and SQLite may not. Raises `BadArguments`."""
    if isinstance(value, str):
        fault = text_fault(value)
        if fault:
            raise BadArguments(f"{path}: {fault}")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise BadArguments(f"{path}: the number is not finite")
    elif isinstance(value, int):
        if not -INTEGER_BOUND <= value < INTEGER_BOUND:
            raise BadArguments(f"{path}: the integer does not fit in 64 bits")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            refuse_unstorable(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for name, item in value.items():
            refuse_unstorable(name, path)
            refuse_unstorable(item, f"{path}.{name}")


def text_fault(text: str) -> str | None:
    if "\0" in text:
        return "the text contains a NUL character"
    if len(text) > TEXT_LIMIT:
        return f"the text is longer than {TEXT_LIMIT:,} characters"
    try:
        if not text.isascii():
            text.encode()
    except UnicodeEncodeError:
        return "the text contains half of a surrogate pair, which is not a character"
    return None


def is_date(value: object) -> bool:
    """Whether a string is a calendar date; anything else passes."""
    return not isinstance(value, str) or (_DATE.fullmatch(value) is not None and _parses(date.fromisoformat, value))


def is_date_time(value: object) -> bool:
    """Whether a string is an RFC 3339 time whose offset may be missing; anything else passes."""
    return not isinstance(value, str) or (
        _DATE_TIME.fullmatch(value) is not None and _parses(datetime.fromisoformat, value.upper())
    )


def _parses(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


# ---------------------------------------------------------------------------------------------------------------------
# documented patterns, looked for in a time that grows with the text and no faster
# ---------------------------------------------------------------------------------------------------------------------

import functools
from collections.abc import Callable

from pydantic_core import SchemaError, SchemaValidator, core_schema


class UnknownPattern(Exception):
    """A pattern that cannot be matched in a time that grows with the text only, or that is none."""


@functools.lru_cache(maxsize=1024)
def finder(pattern: str) -> Callable[[str], bool]:
    """A predicate: whether the pattern occurs in a text. Raises `UnknownPattern`."""
    try:
        validator = SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError as error:
        raise UnknownPattern(pattern) from error
    found: Callable[[str], bool] = validator.isinstance_python
    return found


# ---------------------------------------------------------------------------------------------------------------------
# a quick check of arguments, for schemas made of the usual keywords
# ---------------------------------------------------------------------------------------------------------------------

from collections.abc import Callable, Iterable
from typing import Any


Check = Callable[[Any], bool]

_ANNOTATIONS = {"title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly"}
_ANNOTATIONS |= {"$comment", "$schema"}
_STRING = ("enum", "minLength", "maxLength", "pattern", "format")
_NUMBER = ("minimum", "maximum")
_ARRAY = ("items", "minItems", "maxItems")
_OBJECT = ("properties", "required", "additionalProperties")


def never(_: Any) -> bool:
    """The check for a schema that has no quick one."""
    return False


def _quick(schema: Any) -> Check | None:
    """A predicate for a schema made of the usual keywords; None for any other schema."""
    if not isinstance(schema, dict):
        return None
    kind = schema.get("type")
    if isinstance(kind, list):
        return None if "enum" in schema else _quick_any([{**schema, "type": one} for one in kind])
    if kind is None:
        return _quick_any(schema["anyOf"]) if "anyOf" in schema and _only(schema, ("anyOf",)) else None
    if kind == "null":
        return (lambda value: value is None) if _only(schema, (*_STRING[1:], *_NUMBER, *_ARRAY, *_OBJECT)) else None
    if kind == "string":
        return _quick_string(schema)
    if kind == "boolean":
        return (lambda value: value is True or value is False) if _only(schema, ()) else None
    if kind in ("integer", "number"):
        return _quick_number(schema, (int,) if kind == "integer" else (int, float))
    if kind == "array":
        return _quick_array(schema)
    return quick_object(schema) if kind == "object" else None


def _quick_any(schemas: list[Any]) -> Check | None:
    checks = [check for check in map(_quick, schemas) if check is not None]
    return (lambda value: any(check(value) for check in checks)) if len(checks) == len(schemas) else None


def _only(schema: dict[str, Any], keywords: Iterable[str]) -> bool:
    """Whether every keyword that constrains is one of `keywords`."""
    return all(
        key == "type"
        or key in keywords
        or key in _ANNOTATIONS
        or key.startswith("x-")
        or (key == "format" and schema[key] not in FORMATS)
        for key in schema
    )


def _quick_string(schema: dict[str, Any]) -> Check | None:
    if not _only(schema, _STRING):
        return None
    if "enum" in schema:
        values = {value for value in schema["enum"] if isinstance(value, str)}
        return (lambda value: type(value) is str and value in values) if _only(schema, ("enum",)) else None
    low, high = schema.get("minLength", 0), min(schema.get("maxLength", TEXT_LIMIT), TEXT_LIMIT)
    try:
        found = finder(schema["pattern"]) if "pattern" in schema else None
    except UnknownPattern:
        return None
    dated = {"date": is_date, "date-time": is_date_time}.get(schema.get("format", ""))

    def check(value: Any) -> bool:
        if type(value) is not str or not low <= len(value) <= high or text_fault(value) is not None:
            return False
        return (found is None or found(value)) and (dated is None or dated(value))

    return check


def _quick_number(schema: dict[str, Any], types: tuple[type, ...]) -> Check | None:
    if not _only(schema, _NUMBER):
        return None
    low = max(schema.get("minimum", -INTEGER_BOUND), -INTEGER_BOUND)
    high = min(schema.get("maximum", INTEGER_BOUND - 1), INTEGER_BOUND - 1)
    return lambda value: type(value) in types and low <= value <= high


def _quick_array(schema: dict[str, Any]) -> Check | None:
    check = _quick(schema.get("items"))
    if check is None or not _only(schema, _ARRAY):
        return None
    low, high = schema.get("minItems", 0), schema.get("maxItems", TEXT_LIMIT)
    return lambda value: type(value) is list and low <= len(value) <= high and all(map(check, value))


def quick_object(schema: dict[str, Any]) -> Check | None:
    """A predicate for an object without unknown names, be they allowed or not."""
    properties, required = schema.get("properties") or {}, tuple(schema.get("required", ()))
    if not _only(schema, _OBJECT):
        return None
    checks = {name: _quick(one) for name, one in properties.items()}

    def check(value: Any) -> bool:
        if type(value) is not dict:
            return False
        for name, item in value.items():
            one = checks.get(name)
            if one is None or not one(item):
                return False
        return all(name in value for name in required)

    return check


# ---------------------------------------------------------------------------------------------------------------------
# what is wrong with a call's arguments, in one sentence that the agent can act on
# ---------------------------------------------------------------------------------------------------------------------

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any


if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

SHOWN = 80
"""Characters of a refused value that its sentence repeats."""


def urgency(error: ValidationError) -> tuple[int, int]:
    return (0 if error.validator == "required" else 1, len(error.absolute_path))


def _path(steps: Iterable[str | int]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")


def _show(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _listed(values: Sequence[Any]) -> str:
    shown = [_show(value) for value in values[:20]]
    return ", ".join(shown) + (", …" if len(values) > 20 else "")


def unknown_name(noun: str, name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    names = list(known)
    close = get_close_matches(name[:SHOWN], names, n=1)
    if close:
        return f"unknown {noun} {_show(name)}; did you mean '{close[0]}'?"
    return (
        f"unknown {noun} {_show(name)}; the {noun}s are {_listed(names)}"
        if names
        else f"unknown {noun} {_show(name)}; there are none"
    )


_BOUNDS = {
    "minimum": "is less than the minimum of",
    "maximum": "is greater than the maximum of",
    "exclusiveMinimum": "is not greater than",
    "exclusiveMaximum": "is not less than",
    "multipleOf": "is not a multiple of",
    "minLength": "is shorter, in characters, than",
    "maxLength": "is longer, in characters, than",
    "minItems": "has fewer items than",
    "maxItems": "has more items than",
    "pattern": "does not match the pattern",
    "const": "is not",
}


def sentence(error: ValidationError) -> str:
    """What is wrong with the arguments, for the agent."""
    while error.validator in ("anyOf", "oneOf") and error.context:
        error = max(error.context, key=lambda one: (len(one.absolute_path), one.validator != "type"))
    path = _path(error.absolute_path)
    said = _said(error, "property" if path else "parameter")
    return f"{path}: {said}" if path else said


def _said(error: ValidationError, noun: str) -> str:
    value: Any = error.instance
    limit: Any = error.validator_value
    keyword = str(error.validator)
    if keyword == "required":
        missing = [name for name in limit if name not in value]
        plural = "ies" if noun == "property" else "s"
        noun = noun if len(missing) == 1 else noun.removesuffix("y") + plural
        return f"missing required {noun} {_listed(missing)}"
    if keyword == "additionalProperties":
        known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
        return unknown_name(noun, next((name for name in value if name not in known), ""), known)
    if keyword == "type":
        return f"{_show(value)} is not of type " + " or ".join(
            f"'{one}'" for one in ([limit] if isinstance(limit, str) else limit)
        )
    if keyword == "enum":
        return f"{_show(value)} is not one of {_listed(limit)}"
    if keyword == "format":
        return f"{_show(value)} is not {FORMATS[limit]}"
    if keyword == "uniqueItems":
        return "an item occurs more than once"
    if keyword in _BOUNDS:
        return f"{_show(value)} {_BOUNDS[keyword]} {_show(limit)}"
    return error.message if len(error.message) <= 3 * SHOWN else error.message[: 3 * SHOWN] + "…"


# ---------------------------------------------------------------------------------------------------------------------
# the check of one call's arguments against the documented input schema
# ---------------------------------------------------------------------------------------------------------------------

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any


if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, FormatChecker


class Arguments:
    """The arguments of one tool; compiled at its first call, so that starting costs nothing."""

    __slots__ = ("_properties", "_quick", "_renamed", "_schema", "_validator")

    def __init__(self, schema: dict[str, Any], renamed: dict[str, str]) -> None:
        self._schema = schema
        self._properties: dict[str, Any] = schema.get("properties") or {}
        self._renamed = renamed
        self._quick: Check | None = None
        self._validator: Draft202012Validator | None = None

    def keywords(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The keyword arguments of the tool's function. Raises `BadArguments`."""
        if self._quick is None:
            self._quick = quick_object(self._schema) or never
        if not self._quick(arguments):
            arguments = self._full(arguments)
        if not self._renamed:
            return arguments
        return {self._renamed.get(name, name): value for name, value in arguments.items()}

    def _full(self, arguments: dict[str, Any]) -> dict[str, Any]:
        for name, value in arguments.items():
            if name not in self._properties:
                raise BadArguments(unknown_name("parameter", name, self._properties))
            refuse_unstorable(value, name)
        if self._validator is None:
            self._validator = _validator(self._schema)
        errors = list(self._validator.iter_errors(arguments))
        if errors:
            raise BadArguments(sentence(min(errors, key=urgency)))
        converted: dict[str, Any] = _convert(arguments, self._schema)
        return converted


def _validator(schema: dict[str, Any]) -> Draft202012Validator:
    from jsonschema import FormatChecker

    formats = FormatChecker(())
    formats.checks("date")(is_date)
    formats.checks("date-time")(is_date_time)
    return patient_validator(schema, formats)


def patient_validator(schema: dict[str, Any], formats: FormatChecker | None = None) -> Draft202012Validator:
    """JSON Schema's full check, with an engine for its patterns that no text keeps busy."""
    from jsonschema import Draft202012Validator, ValidationError, validators

    def pattern(validator: Any, expression: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
        try:
            if isinstance(instance, str) and not finder(expression)(instance):
                yield ValidationError(f"{instance!r} does not match {expression!r}")
        except UnknownPattern:  # a tool without the check is of more use than none
            return

    extend: Any = validators.extend
    validator: Draft202012Validator = extend(Draft202012Validator, {"pattern": pattern})(schema, format_checker=formats)
    return validator


def _convert(value: Any, schema: Any) -> Any:
    """Integral floats as integers where the schema wants an integer: JSON Schema takes 3.0 for one, Python does not."""
    if not isinstance(schema, dict):
        return value
    if isinstance(value, float) and value.is_integer() and _wants_integer(schema):
        return int(value)
    if isinstance(value, list):
        return [_convert(item, schema.get("items")) for item in value]
    if isinstance(value, dict):
        properties = schema.get("properties") or {}
        return {name: _convert(item, properties.get(name)) for name, item in value.items()}
    return value


def _wants_integer(schema: dict[str, Any]) -> bool:
    kind = schema.get("type")
    if kind is None:
        branches = [one for key in ("anyOf", "oneOf") for one in schema.get(key, ()) if isinstance(one, dict)]
        return any(map(_wants_integer, branches)) and not any(one.get("type") == "number" for one in branches)
    return kind == "integer" or (isinstance(kind, list) and "integer" in kind and "number" not in kind)


# ---------------------------------------------------------------------------------------------------------------------
# the tools as `docs.json`, `environment.json` and `tools.py` have them
# ---------------------------------------------------------------------------------------------------------------------

import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple


SIDE_KEY = "autoforge/side"


class BadStart(Exception):
    """The environment or the command line cannot be served: one sentence."""


class Tool(NamedTuple):
    """One served tool."""

    name: str
    side: str
    function: Callable[..., Any]
    arguments: Arguments
    input_schema: dict[str, Any]
    wrapped: bool
    """Whether even an object is wrapped, because the documented output schema is not one of an object."""
    listing: dict[str, Any]
    """The tool as `tools/list` shows it."""


class Toolbox(NamedTuple):
    """Every tool of an environment, and the exception of `tools.py` that means a refusal."""

    tools: dict[str, Tool]
    refusal: type[Exception]


def load_tools(folder: Path, manifest: dict[str, Any]) -> Toolbox:
    """The tools of the environment in `folder`. Raises `BadStart`."""
    module = _load_module(folder / "tools.py")
    records = {record["name"]: record for record in manifest["tools"]}
    tools = {}
    for document in read_json(folder / "docs.json"):
        record = records.get(document["name"])
        if record is None or not hasattr(module, record["function"]):
            raise BadStart(
                f"docs.json documents the tool '{document['name']}', which environment.json or tools.py does not have"
            )
        tools[document["name"]] = _tool(document, record, getattr(module, record["function"]))
    return Toolbox(tools, module.ToolError)


def read_json(path: Path) -> Any:
    """A JSON file of the environment. Raises `BadStart`."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadStart(f"{path} cannot be read: {error}") from None


def _load_module(path: Path) -> ModuleType:
    """`tools.py`, without a byte-code file left in the environment and without a word on the protocol's stdout."""
    module = ModuleType("tools")
    module.__file__ = str(path)
    try:
        code = compile(path.read_bytes(), str(path), "exec")
    except (OSError, SyntaxError, ValueError) as error:
        raise BadStart(f"{path} cannot be read: {error}") from None
    with contextlib.redirect_stdout(sys.stderr):
        exec(code, module.__dict__)
    return module


def _tool(document: dict[str, Any], record: dict[str, Any], function: Callable[..., Any]) -> Tool:
    listing = {key: value for key, value in document.items() if value is not None}
    listing["annotations"] = hints(listing.get("annotations") or {}, record.get("effects") or {})
    output: dict[str, Any] | None = listing.get("outputSchema")
    wrapped = output is not None and output.get("type") != "object"
    if output is not None and wrapped:
        listing["outputSchema"] = _wrap(output)
    side = (document.get("_meta") or {}).get(SIDE_KEY) or record.get("side", "agent")
    arguments = Arguments(document["inputSchema"], record.get("arguments") or {})
    return Tool(document["name"], side, function, arguments, document["inputSchema"], wrapped, listing)


def _wrap(schema: dict[str, Any]) -> dict[str, Any]:
    inner = {key: value for key, value in schema.items() if key not in ("$defs", "definitions", "$schema")}
    shared = {key: value for key, value in schema.items() if key in ("$defs", "definitions", "$schema")}
    return {"type": "object", "properties": {"result": inner}, "required": ["result"], **shared}


def hints(documented: dict[str, Any], effects: dict[str, Any]) -> dict[str, Any]:
    """MCP's tool annotations. Effects decide what they can; the documentation decides the rest."""
    overwrites = bool(effects.get("updates") or effects.get("deletes"))
    reads_only = not overwrites and not effects.get("creates")
    repeatable = reads_only or not (effects.get("creates") or effects.get("updates"))
    if not reads_only and isinstance(documented.get("idempotentHint"), bool):
        repeatable = documented["idempotentHint"]
    derived = {
        "readOnlyHint": reads_only,
        "destructiveHint": overwrites,
        "idempotentHint": repeatable,
        "openWorldHint": False,
    }
    return {**documented, **derived}


# ---------------------------------------------------------------------------------------------------------------------
# states as SQLite files, in memory and on disk
# ---------------------------------------------------------------------------------------------------------------------

import contextlib
import math
import os
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any


SQLITE_MAGIC = b"SQLite format 3\0"


class BadState(Exception):
    """A given initial state is no state of this environment: one sentence."""


def structure(connection: Connection) -> list[Any]:
    """What the tables are, without the one that the contained worker keeps its replies in."""
    named = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name <> ? ORDER BY type, name"
    return connection.execute(named, (CALL_TABLE,)).fetchall()


def from_image(image: bytes) -> Connection:
    """A state in memory. Raises `BadState`."""
    if not image.startswith(SQLITE_MAGIC) or len(image) < 512:
        raise BadState("the body is not a SQLite file")
    connection = connect()
    try:
        # Bytes 18 and 19 say whether the file is in WAL mode, which a database in memory cannot be.
        connection.deserialize(image if image[18:20] == b"\1\1" else image[:18] + b"\1\1" + image[20:])
        connection.execute("PRAGMA cache_size=-256")
    except sqlite3.Error as error:
        connection.close()
        raise BadState(f"the body is not a SQLite file ({error})") from None
    return connection


def run_initial(connection: Connection, statements: list[str]) -> None:
    """Run the statements of a task, which unlike a tool's may set the clock. Raises `BadState`."""
    connection.guard.ends = time.monotonic() + CALL_SECONDS
    try:
        for number, statement in enumerate(statements, 1):
            try:
                connection.execute(statement)
            except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
                raise BadState(f"initial statement {number}: {error}") from None
        if connection.in_transaction:
            raise BadState("the initial statements leave a transaction open")
    finally:
        connection.guard.ends = math.inf


def write_whole(path: Path, image: bytes, replace: bool = True) -> None:
    """Write a file that is never seen half written; without `replace` the one that is there first stays."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".autoforge-")
    with os.fdopen(handle, "wb") as file:
        file.write(image)
    if replace:
        os.replace(name, path)
        return
    with contextlib.suppress(FileExistsError):
        os.link(name, path)
    os.unlink(name)


# ---------------------------------------------------------------------------------------------------------------------
# the states of the episodes
# ---------------------------------------------------------------------------------------------------------------------

import contextlib
import os
import re
import secrets
import shutil
import sqlite3
import tempfile
from collections import OrderedDict
from pathlib import Path
from typing import Any


DEFAULT_EPISODE = "default"
"""The episode of clients that name none."""
MAX_EPISODES = 10_000
OPEN_BYTES = 128 * 2**20
"""Memory for the states that are open at once."""
OVERHEAD_BYTES = 192 * 2**10
"""What one open connection costs beside its pages: schema, statements, page cache; measured."""
MAX_OPEN = 512
"""Open states at most: each may hold a file descriptor."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)


class TooManyEpisodes(Exception):
    """There are as many episodes as `--max-episodes` allows."""


def is_episode_name(name: object) -> bool:
    """Whether `name` can name an episode: 1 to 64 ASCII letters, digits, `_`, `.` and `-`, and no path step."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None and name not in (".", "..")


class Episodes:
    """The states by episode name, for one thread.

    `path`: None keeps them in memory; a folder (or a path that ends with a separator) gives each a file
    `<name>.sqlite`; a file is the default state's, and the other episodes are kept in memory.
    """

    def __init__(self, environment: Path, path: str | None = None, limit: int = MAX_EPISODES) -> None:
        self._environment = environment
        self._limit = limit
        self._folder: Path | None = None
        self._file: Path | None = None
        self._open: OrderedDict[str, Connection] = OrderedDict()
        self._asleep: dict[str, Path | None] = {}  # None: as the seed made it
        self._changed: set[str] = (
            set()
        )  # open in memory, and not as the seed made it even if nothing was written since it was opened
        self._image: bytes | None = None
        self._structure: list[Any] = []
        self._process = secrets.token_hex(4)
        self._versions: dict[str, int] = {}
        self._touched = 0
        self._swap: Path | None = None
        self._swapped = 0
        if path is not None:
            self._place(path)

    def _place(self, path: str) -> None:
        if not path:
            raise BadStart("--db is empty; name a file, or a folder with / at its end")
        if path.endswith(("/", os.sep)) or Path(path).is_dir():
            self._folder = Path(path)
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise BadStart(f"--db {path}: the folder cannot be made ({error.strerror})") from None
            self._asleep = {file.stem: file for file in self._folder.glob("*.sqlite") if is_episode_name(file.stem)}
            return
        self._file = Path(path)
        if not self._file.parent.is_dir():
            raise BadStart(f"--db {path}: the folder {self._file.parent} does not exist")
        self._asleep[DEFAULT_EPISODE] = self._file
        try:
            self.connection(DEFAULT_EPISODE)
        except (BadState, OSError, sqlite3.Error) as error:
            raise BadStart(f"--db {path}: {error}") from None

    def connection(self, name: str) -> Connection:
        """The open state of an episode, made from the seed when there is none.

        Raises `TooManyEpisodes`; `BadState` when a file with its name is not a state of this environment.
        """
        connection = self._open.get(name)
        if connection is None:
            if name not in self._asleep and name != DEFAULT_EPISODE and self._count() >= self._limit:
                raise TooManyEpisodes(
                    f"{self._limit} episodes exist; delete one or start the server with a larger --max-episodes"
                )
            connection = self._open[name] = self._wake(name)
            self._asleep.pop(name, None)
            self._sleep_oldest()
        self._open.move_to_end(name)
        return connection

    def touch(self, name: str) -> None:
        """The state may not be as it was."""
        self._touched += 1
        self._versions[name] = self._touched

    def version(self, name: str) -> str:
        """The same as long as this process has not touched the state of an episode, and the same in no other."""
        return f"{self._process}.{self._versions.get(name, 0)}"

    def replace(self, name: str, initial: list[str] | bytes) -> None:
        """Give an episode a new state: statements on top of the seed, or a whole SQLite file.

        Raises `BadState`, and then the episode is as before; `TooManyEpisodes`.
        """
        known = name in self._open or name in self._asleep or name == DEFAULT_EPISODE
        if not known and self._count() >= self._limit:
            raise TooManyEpisodes(
                f"{self._limit} episodes exist; delete one or start the server with a larger --max-episodes"
            )
        image = initial if isinstance(initial, bytes) else self.seed_image()
        connection = from_image(image)
        with contextlib.closing(connection):  # and with it what no file holds: settings and temporary triggers
            if isinstance(initial, bytes):
                self._inspect(connection, every_page=True)
            else:
                run_initial(connection, initial)
                self._inspect(connection)
            image = connection.serialize()
        self.delete(name)
        self.touch(name)
        path = self._path(name)
        if path is not None:
            write_whole(path, image)
            self._asleep[name] = path
        else:
            self._open[name] = from_image(image)
            self._changed.add(name)
            self._sleep_oldest()

    def image(self, name: str) -> bytes | None:
        """The SQLite file of an episode's state; None when it has none yet."""
        if name in self._open:
            return self._open[name].serialize()
        if name in self._asleep:
            return self.connection(name).serialize()
        return None

    def delete(self, name: str) -> None:
        """Forget an episode's state; the next call on it starts from the seed."""
        connection = self._open.pop(name, None)
        if connection is not None:
            connection.close()
        self._changed.discard(name)
        self._versions.pop(name, None)
        file = self._asleep.pop(name, None) or self._path(name)
        if file is not None:
            for suffix in (
                "",
                "-journal",
                "-wal",
                "-shm",
            ):  # a journal left by a kill would be played into the next file
                file.with_name(file.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """Close every state and remove the temporary ones."""
        while self._open:
            self._open.popitem()[1].close()
        self._asleep.clear()
        self.remove_temporary()

    def remove_temporary(self) -> None:
        """Remove the temporary files, and leave open what is open: for the last moment of the process."""
        if self._swap is not None:
            shutil.rmtree(self._swap, ignore_errors=True)
            self._swap = None

    def seed_image(self) -> bytes:
        """The SQLite file that `schema.sql` and `seed.sql` make."""
        if self._image is None:
            with contextlib.closing(connect()) as connection:
                try:
                    create_state(self._environment, connection)
                except (OSError, sqlite3.Error) as error:
                    raise BadState(f"schema.sql and seed.sql make no state: {error}") from None
                self._image = connection.serialize()
                self._structure = structure(connection)
        return self._image

    def _count(self) -> int:
        return len(self._open.keys() | self._asleep.keys()) - (
            DEFAULT_EPISODE in self._open or DEFAULT_EPISODE in self._asleep
        )

    def _path(self, name: str) -> Path | None:
        if self._folder is not None:
            return self._folder / f"{name}.sqlite"
        return self._file if name == DEFAULT_EPISODE else None

    def _wake(self, name: str) -> Connection:
        path = self._path(name)
        if path is None:
            file = self._asleep.get(name)
            image = self.seed_image() if file is None else file.read_bytes()
            if file is not None:
                file.unlink()
                self._changed.add(name)
            return from_image(image)
        if not path.exists():
            write_whole(path, self.seed_image(), replace=False)
        try:
            connection = connect(path)
        except sqlite3.Error as error:
            raise BadState(f"the file is not a SQLite database that can be opened ({error})") from None
        with contextlib.ExitStack() as unusable:
            unusable.callback(connection.close)
            self._inspect(connection)
            connection.execute("PRAGMA journal_mode=DELETE")
            unusable.pop_all()
        return connection

    def _sleep_oldest(self) -> None:
        room = OPEN_BYTES // (len(self._image or b"") + OVERHEAD_BYTES)
        while len(self._open) > max(4, min(room, MAX_OPEN)):
            name, connection = self._open.popitem(last=False)
            file = self._path(name)
            if file is None and (connection.total_changes or name in self._changed):
                self._changed.discard(name)
                file = self._swap_file()
                file.write_bytes(connection.serialize())
            connection.close()
            self._asleep[name] = file

    def _swap_file(self) -> Path:
        if self._swap is None:
            self._swap = Path(tempfile.mkdtemp(prefix="autoforge-"))
        self._swapped += 1
        return self._swap / str(self._swapped)

    def _inspect(self, connection: Connection, every_page: bool = False) -> None:
        """Refuse a file with another structure than the environment's: tools would run against it, triggers and all."""
        self.seed_image()
        try:
            same = structure(connection) == self._structure
            sound = same and (not every_page or connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
        except sqlite3.DatabaseError as error:
            raise BadState(f"the file is not a SQLite database ({error})") from None
        if not sound:
            raise BadState("the file is not a state of this version of the environment; remove it or name another")


# ---------------------------------------------------------------------------------------------------------------------
# MCP's `tools/list` and `tools/call` over the tools and the episodes
# ---------------------------------------------------------------------------------------------------------------------

import json
import logging
import signal
import threading
import weakref
from pathlib import Path
from types import FrameType
from typing import Any, Literal

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams
from opentelemetry import trace


EPISODE_META = "autoforge/episode"
STATE_META = "autoforge/state"
EPISODE_HEADER = "x-autoforge-episode"
LIST_SECONDS = 3600
"""How long a client may keep the list of tools: it changes only with the files."""

COMPLETE = {"resultType": "complete"}
"""Results are given as they go on the wire: building SDK models first would only have them taken apart again. This one
key is its mark."""

Side = Literal["agent", "user", "all"]

_log = logging.getLogger("autoforge.server")


class Environment:
    """The environment in a folder, ready to be served: its tools, its episodes.

    Raises `BadStart` when the folder cannot be served.
    """

    def __init__(
        self,
        folder: Path,
        *,
        db: str | None = None,
        max_episodes: int = MAX_EPISODES,
        seconds: float = CALL_SECONDS,
        tells_state: bool = False,
    ) -> None:
        """`tells_state`: results say which state the call was on, and its version, which a write changes."""
        self.folder = folder
        self.manifest: dict[str, Any] = read_json(folder / "environment.json")
        self.tools, self._refusal = load_tools(folder, self.manifest)
        self.episodes = Episodes(folder, db, max_episodes)
        self._seconds = seconds
        self._tells_state = tells_state
        self._timer = False

    def start_timer(self) -> None:
        """Interrupt Python that outlasts a call's deadline, too, where there is a timer signal and this is the main
        thread."""
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, self._expire)
            self._timer = True

    def close(self) -> None:
        """Close every state; the server answers no more calls."""
        self.episodes.close()

    def answer(self, tool: Tool, arguments: dict[str, Any], episode: str) -> dict[str, Any]:
        """Run one call; the wire form of its result. Raises `MCPError` only for what is wrong with the episode."""
        if not self._tells_state:
            return self._run(tool, arguments, episode)
        connection = self._connection(episode)
        before = connection.total_changes
        result = self._run(tool, arguments, episode)
        if connection.total_changes != before:
            self.episodes.touch(episode)
        mark = connection.execute("PRAGMA user_version").fetchone()[0]
        return {**result, "_meta": {STATE_META: {"mark": mark, "version": self.episodes.version(episode)}}}

    def _run(self, tool: Tool, arguments: dict[str, Any], episode: str) -> dict[str, Any]:
        if self._timer:
            signal.setitimer(signal.ITIMER_REAL, self._seconds + 0.5, 0.5)
        try:
            keywords = tool.arguments.keywords(arguments)
            said: list[str] = []
            call(self._connection(episode), tool.function, keywords, self._seconds, said.append)
            return _result(said[0], tool.wrapped)
        except (BadArguments, self._refusal) as error:
            return _refused(str(error))
        except DeadlineExceeded:
            return _refused(f"The tool {tool.name} took too long and was rolled back; nothing was changed.")
        except MCPError:
            raise
        except (Exception, SystemExit):
            _log.exception("the tool %s failed", tool.name)
            return _refused(f"Internal error in tool {tool.name}; nothing was changed.")
        finally:
            if self._timer:
                signal.setitimer(signal.ITIMER_REAL, 0)

    def _connection(self, episode: str) -> Any:
        try:
            return self.episodes.connection(episode)
        except (TooManyEpisodes, BadState) as error:
            raise MCPError(INTERNAL_ERROR, f"The episode '{episode}' cannot be opened: {error}.") from None

    def _expire(self, signum: int, frame: FrameType | None) -> None:
        raise DeadlineExceeded(f"the call did not end within {self._seconds:g} s")


def build_server(environment: Environment, side: Side = "agent") -> Server[Any]:
    """The MCP server that offers the tools of one side."""
    tools = {name: tool for name, tool in environment.tools.items() if side in ("all", tool.side)}
    listed = {**COMPLETE, "tools": [tool.listing for tool in tools.values()]}

    async def list_tools(ctx: ServerRequestContext[Any], params: PaginatedRequestParams) -> dict[str, Any]:
        if params.cursor is not None:
            raise MCPError(INVALID_PARAMS, "Invalid cursor: the tools are listed on one page.")
        return listed

    async def call_tool(ctx: ServerRequestContext[Any], params: CallToolRequestParams) -> dict[str, Any]:
        tool = tools.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {_clean(params.name[:SHOWN])}")
        return environment.answer(tool, params.arguments or {}, episode_of(ctx))

    manifest, policy = environment.manifest, environment.folder / "policy.md"
    server: Server[Any] = Server(
        manifest["name"],
        version=f"{manifest['format_version']}+{manifest['provenance']['docs_digest'].rpartition(':')[2][:12]}",
        title=manifest.get("title") or None,
        description=manifest.get("description") or None,
        instructions=policy.read_text(encoding="utf-8") if side != "user" and policy.is_file() else None,
        cache_hints={"tools/list": CacheHint(ttl_ms=LIST_SECONDS * 1000, scope="public")},
        get_tool_input_schema=lambda name: tools[name].input_schema if name in tools else None,
    )
    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        server.middleware.clear()  # Nobody traces this process, and spans for nobody are a tenth of a call.
    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    return server


def build(
    folder: str | Path, *, side: Side = "agent", db: str | None = None, max_episodes: int = MAX_EPISODES
) -> Server[Any]:
    """A server of the environment in `folder`, for a client in this process: `Client(build(folder))`.

    Its states are closed when it is collected. Raises `BadStart`.
    """
    environment = Environment(Path(folder), db=db, max_episodes=max_episodes)
    server = build_server(environment, side)
    weakref.finalize(server, environment.close)
    return server


def episode_of(ctx: ServerRequestContext[Any]) -> str:
    """The episode that a request names: in its path, else its header, else its `_meta`; else the default one. Raises
    `MCPError`."""
    name: object = None
    if ctx.request is not None:
        name = ctx.request.path_params.get("episode") or ctx.request.headers.get(EPISODE_HEADER)
    if name is None and ctx.meta:
        name = ctx.meta.get(EPISODE_META)
    if name is None:
        return DEFAULT_EPISODE
    if not isinstance(name, str) or not is_episode_name(name):
        raise MCPError(
            INVALID_PARAMS, "An episode is named by 1 to 64 of the characters A-Z a-z 0-9 _ . - and is not '.' or '..'."
        )
    return name


def _result(text: str, wrapped: bool) -> dict[str, Any]:
    """A result whose text and structure are the same JSON, whatever keys and tuples the tool returned."""
    if wrapped or not text.startswith("{"):
        text = f'{{"result":{text}}}'
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": json.loads(text),
        "isError": False,
        **COMPLETE,
    }


def _refused(sentence: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": _clean(sentence)}], "isError": True, **COMPLETE}


def _clean(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


# ---------------------------------------------------------------------------------------------------------------------
# streamable HTTP, one path per side and episode, and the control route
# ---------------------------------------------------------------------------------------------------------------------

import contextlib
import hmac
import json
import socket
from collections.abc import AsyncIterator, Sequence
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp.types import INVALID_PARAMS
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send


STATE_TYPE = "application/vnd.sqlite3"
REPRESENTATION = "return=representation"
"""RFC 7240: the answer to a PUT is to hold the state."""
STATE_LIMIT = 64 * 2**20
"""Largest body of a PUT, in bytes."""


class EpisodeEndpoint:
    """An MCP endpoint whose path may name the episode."""

    def __init__(self, endpoint: StreamableHTTPASGIApp) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path_params"].get("episode")
        if name is not None and not is_episode_name(name):
            error = {"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_PARAMS, "message": "Invalid episode name"}}
            await JSONResponse(error, 400)(scope, receive, send)
            return
        await self._endpoint(scope, receive, send)


class Control:
    """The route by which the owner of the episodes, never an agent, puts, gets and deletes their states."""

    def __init__(self, environment: Environment, token: str, security: TransportSecuritySettings) -> None:
        self._episodes = environment.episodes
        self._token = token.encode()
        self._security = TransportSecurityMiddleware(security)

    async def answer(self, request: Request) -> Response:
        """The response to one PUT, GET or DELETE."""
        refused = await self._security.validate_request(request)
        if refused is not None:
            return refused
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), self._token):
            return _problem(401, "the control route needs its bearer token", {"WWW-Authenticate": "Bearer"})
        name = request.path_params["episode"]
        if not is_episode_name(name):
            return _problem(400, "invalid episode name")
        try:
            return await self._serve(request, name)
        except BadState as error:
            return _problem(400, str(error))
        except TooManyEpisodes as error:
            return _problem(503, str(error))

    async def _serve(self, request: Request, name: str) -> Response:
        if request.method == "DELETE":
            self._episodes.delete(name)
            return Response(status_code=204)
        if request.method == "PUT":
            body = await _body(request)
            if body is None:
                return _problem(413, f"the body is larger than {STATE_LIMIT:,} bytes")
            self._episodes.replace(name, _initial(body, request.headers.get("content-type", "")))
            if request.headers.get("prefer", "") != REPRESENTATION:
                return Response(status_code=204)
        image = self._episodes.image(name)
        return (
            _problem(404, f"the episode '{name}' has no state yet")
            if image is None
            else Response(image, media_type=STATE_TYPE, headers={"ETag": f'"{self._episodes.version(name)}"'})
        )


async def _body(request: Request) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > STATE_LIMIT:
            return None
    return bytes(body)


def _initial(body: bytes, content_type: str) -> list[str] | bytes:
    """The state that a PUT asks for. Raises `BadState`."""
    if content_type.partition(";")[0].strip().lower() == STATE_TYPE:
        return body
    if not body:
        return []
    try:
        initial = json.loads(body)["initial"]
    except (ValueError, KeyError, TypeError, RecursionError):
        initial = None
    if not isinstance(initial, list) or not all(isinstance(statement, str) for statement in initial):
        raise BadState(
            f'the body is to be empty, {{"initial": ["an SQL statement", …]}}, or a SQLite file of type {STATE_TYPE}'
        )
    return initial


def _problem(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": sentence}, status, headers)


def transport_security(host: str, allowed: Sequence[str]) -> TransportSecuritySettings:
    """Which Host and Origin headers are served: this machine's loopback names, the address bound to, and those allowed
    by the caller."""
    if "*" in allowed:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = ["127.0.0.1", "localhost", "[::1]", *allowed]
    names.append(socket.gethostname() if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host)
    hosts = [form for name in dict.fromkeys(names) for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{form}" for form in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def http_app(environment: Environment, side: Side, security: TransportSecuritySettings, token: str | None) -> Starlette:
    """The ASGI application; its lifespan runs the sessions."""
    managers: list[StreamableHTTPSessionManager] = []
    routes: list[Route] = []
    prefixes: dict[Side, str] = {"agent": "", "user": "/user"}
    for one, prefix in prefixes.items():
        if side in ("all", one):
            manager = StreamableHTTPSessionManager(
                build_server(environment, one), json_response=True, security_settings=security
            )
            endpoint = EpisodeEndpoint(StreamableHTTPASGIApp(manager))
            managers.append(manager)
            routes += [Route(f"{prefix}/mcp", endpoint), Route(f"{prefix}/episodes/{{episode}}/mcp", endpoint)]
    if token is not None:
        routes.append(
            Route("/episodes/{episode}", Control(environment, token, security).answer, methods=["GET", "PUT", "DELETE"])
        )

    @contextlib.asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            for manager in managers:
                await stack.enter_async_context(manager.run())
            yield

    return Starlette(routes=routes, lifespan=lifespan)


# ---------------------------------------------------------------------------------------------------------------------
# stdio
# ---------------------------------------------------------------------------------------------------------------------

import logging
import os
import select
import sys
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


class PipeOutput:
    """The asynchronous text file that the SDK's transport writes its messages to, one in each `write`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Write one message, without ever blocking the event loop."""
        data = text.encode()
        # POSIX: a pipe that polls as writable takes PIPE_BUF bytes without blocking.
        if len(data) <= select.PIPE_BUF and self._room.poll(0):
            os.write(self._descriptor, data)
        else:
            await anyio.to_thread.run_sync(self._write_all, data)

    async def flush(self) -> None:
        """Nothing is held back."""

    def _write_all(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


def take_stdout() -> PipeOutput | None:
    """The protocol's output, with descriptor 1 given to stderr; None, for the SDK's own, where there is no `poll`."""
    if not hasattr(select, "poll") or sys.stdout.fileno() != 1:
        return None
    sys.stdout.flush()
    descriptor = os.dup(1)
    os.dup2(2, 1)
    return PipeOutput(descriptor)


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one client until its input ends, or nobody reads the output any more."""
    output: Any = take_stdout()
    try:
        async with stdio_server(stdout=output) as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* BrokenPipeError:
        logging.getLogger("autoforge.server").info("the client reads no more")


# ---------------------------------------------------------------------------------------------------------------------
# the command line
# ---------------------------------------------------------------------------------------------------------------------

import argparse
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import anyio


TOKEN_VARIABLE = "AUTOFORGE_CONTROL_TOKEN"
KEEP_ALIVE_SECONDS = 120
"""How long an idle connection stays open. A busy server may read a request seconds after it came: with uvicorn's five
it then closes the connection instead."""
SHUTDOWN_SECONDS = 3
"""How long open HTTP requests may take to end when the server is told to stop."""


def arguments_parser() -> argparse.ArgumentParser:
    """The command line of `server.py`."""
    parser = argparse.ArgumentParser(
        description="Serve this environment as an MCP server: on stdio, or over HTTP with --http."
    )
    add = parser.add_argument
    add(
        "--http",
        type=int,
        metavar="PORT",
        help="serve streamable HTTP on this port (0: any free one) at /mcp and /episodes/{id}/mcp",
    )
    add("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    add(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a further Host header to serve, repeatable; '*' serves any",
    )
    add(
        "--db",
        metavar="PATH",
        help="where states live: a file (the default state), or a folder/ (one file per episode); else in memory",
    )
    add(
        "--side",
        choices=("agent", "user", "all"),
        default="agent",
        help="whose tools to serve (default agent); over HTTP the user's are at /user/mcp",
    )
    add("--include-user-tools", dest="side", action="store_const", const="all", help="the same as --side all")
    add(
        "--max-episodes",
        type=int,
        default=MAX_EPISODES,
        metavar="N",
        help=f"most named episodes at once (default {MAX_EPISODES})",
    )
    add(
        "--control-token-env",
        metavar="NAME",
        help=f"turn on /episodes/{{id}}, guarded by the token in this variable (default: {TOKEN_VARIABLE} if set)",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the input ends or a signal comes; the exit status."""
    options = arguments_parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        if options.http is not None and not 0 <= options.http < 2**16:
            raise BadStart(f"--http {options.http}: cannot listen on this port; name one from 0 to 65535")
        token = _control_token(options)
        environment = Environment(
            Path(__file__).resolve().parent,
            db=options.db,
            max_episodes=options.max_episodes,
            tells_state=token is not None,
        )
    except BadStart as error:
        print(f"server.py: {error}", file=sys.stderr)
        return 2
    environment.start_timer()
    _end_on_signals(environment)
    try:
        if options.http is None:
            anyio.run(serve_stdio, build_server(environment, options.side))
        else:
            _serve_http(environment, options, token)
    except BadStart as error:
        print(f"server.py: {error}", file=sys.stderr)
        return 2
    finally:
        environment.close()
    return 0


def _control_token(options: argparse.Namespace) -> str | None:
    """The token, taken out of the process's environment where a tool might read it. Raises `BadStart`."""
    if options.http is None and options.control_token_env is not None:
        raise BadStart("--control-token-env needs --http: there is no control route on stdio")
    token = os.environ.pop(options.control_token_env or TOKEN_VARIABLE, None)
    if options.control_token_env is not None and not token:
        raise BadStart(f"--control-token-env: the variable {options.control_token_env} is empty or not set")
    return token or None


def _end_on_signals(environment: Environment) -> None:
    """End at once: the reader of stdin cannot be cancelled, and SQLite rolls an open transaction back when its file is
    next opened."""

    def end(signum: int, frame: FrameType | None) -> None:
        environment.episodes.remove_temporary()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def _serve_http(environment: Environment, options: argparse.Namespace, token: str | None) -> None:
    import uvicorn

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[Any] | None = None) -> None:
            await super().startup(sockets)
            for server in self.servers:
                for one in server.sockets:
                    host, port = one.getsockname()[:2]
                    print(
                        f"serving http://{f'[{host}]' if ':' in host else host}:{port}/mcp", file=sys.stderr, flush=True
                    )

    app = http_app(environment, options.side, transport_security(options.host, options.allowed_host), token)
    # h11, because httptools leaves trailing blanks in header values, and a legal `Mcp-Name:  x  ` is then refused.
    config = uvicorn.Config(
        app, host=options.host, port=options.http, http="h11", ws="none", log_level="warning", access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS, timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )  # fmt: skip
    try:
        Announcing(config).run()
    except SystemExit:  # uvicorn has logged the system's words
        words = "choose another --host or --http"
        raise BadStart(f"cannot listen on {options.host}, port {options.http}; {words}") from None


if __name__ == "__main__":
    sys.exit(main())
