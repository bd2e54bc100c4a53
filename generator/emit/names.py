"""Names and literals in SQL and Python, safe whatever the documentation calls its things.

Invariant: no text of the documentation reaches generated source except through a function of this module, so a
quote, a keyword, a line break or a bidirectional mark in it cannot change what the source means. Not covered:
choosing good names (`rules`).
"""

from __future__ import annotations

import builtins
import json
import keyword
import math
import re
import textwrap
import unicodedata

from pydantic import JsonValue

from autoforge.mcp_envs.errors import BadInput

__all__ = [
    "NameTable",
    "article",
    "docstring",
    "first_sentence",
    "human",
    "identifier",
    "json_text",
    "plain",
    "python_string",
    "quote",
    "sql_literal",
]

LONGEST_IDENTIFIER = 60
"""Characters kept of a name in Python source."""
RESERVED = frozenset(keyword.kwlist) | frozenset(dir(builtins)) | {"db", "ToolError"}
"""Names that no parameter or variable of a generated function may take."""
MODULE_NAMES = RESERVED | {"datetime", "hashlib", "json", "math", "re", "timedelta"}
"""Names that no generated function may take."""


def quote(name: str) -> str:
    """A table or column name as a quoted SQL identifier. Raises BadInput for a name that no SQL text can hold."""
    if not name or "\0" in name or any("\ud800" <= c <= "\udfff" for c in name):
        raise BadInput(f"the name {name!r} cannot be a table or column: SQL text cannot hold it; rename it")
    return '"' + name.replace('"', '""') + '"'


def sql_literal(value: JsonValue) -> str:
    """A JSON value as an SQL literal: booleans as 0 and 1, lists and objects are not taken."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return repr(value) if math.isfinite(value) else "NULL"
    if not isinstance(value, str):
        raise BadInput(f"{value!r} cannot be written as one SQL value; give a text, a number or a boolean")
    text = value.encode("utf-8", "replace").decode("utf-8")
    pieces = ["'" + piece.replace("'", "''") + "'" for piece in text.split("\0")]
    return pieces[0] if len(pieces) == 1 else "(" + " || char(0) || ".join(pieces) + ")"


def json_text(value: JsonValue) -> str:
    """A value as the runtime stores it in a JSON column."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain(text: str) -> str:
    """Text on one line without control, private or bidirectional characters, for comments and docstrings."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def first_sentence(text: str) -> str:
    """The first sentence of a documentation text, on one line; empty when there is none."""
    line = plain(text)
    match = re.search(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)[.!?](?=\s|$)", line)
    return line[: match.end()] if match else line


def human(name: str) -> str:
    """`order_item` as the words a sentence uses: `order item`."""
    return plain(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ")).lower() or "row"


def article(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def identifier(text: str, fallback: str = "value") -> str:
    """A legal ASCII identifier near to the text: not private, no keyword or builtin (they get an underscore behind)."""
    if text.isascii() and text.isidentifier() and not text.startswith("_") and len(text) <= LONGEST_IDENTIFIER:
        return text + "_" if text in RESERVED else text
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    name = re.sub(r"\W+", "_", ascii_text, flags=re.ASCII).strip("_")[:LONGEST_IDENTIFIER].rstrip("_")
    if not name or name[0].isdigit():
        name = f"{fallback}_{name}".rstrip("_")
    return name + "_" if name in RESERVED else name


class NameTable:
    """Unique Python names: what was asked for where it is free, else with a number."""

    def __init__(self, taken: frozenset[str] = RESERVED) -> None:
        self._taken = set(taken)

    def has(self, text: str) -> bool:
        """Whether somebody has the name that would be made of the text."""
        return identifier(text) in self._taken

    def take(self, text: str, fallback: str = "value") -> str:
        """A name near to the text that nobody has, from now on taken."""
        name = base = identifier(text, fallback)
        number = 2
        while name in self._taken:
            name = f"{base.rstrip('_')}_{number}"
            number += 1
        self._taken.add(name)
        return name


def python_string(text: str) -> str:
    """A Python string literal, in double quotes where that needs no escape."""
    literal = repr(text)
    return '"' + literal[1:-1] + '"' if literal[0] == "'" and '"' not in text else literal


def docstring(text: str, indent: str, width: int) -> list[str]:
    """The lines of a docstring with this text."""
    body = plain(text).replace("\\", "\\\\").replace('"', "'" if '"""' in text or text.rstrip().endswith('"') else '"')
    if len(indent) + len(body) + 6 <= width:
        return [f'{indent}"""{body}"""']
    lines = textwrap.wrap(body, width - len(indent) - 3, break_long_words=False, break_on_hyphens=False)
    return [f'{indent}"""{lines[0]}', *(indent + line for line in lines[1:]), f'{indent}"""']
