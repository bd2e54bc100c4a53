"""A part of `server.py`: documented patterns, looked for in a time that grows with the text and no faster.

Invariant: no pattern and no text keep the server busy. The engine is the one of pydantic, which `mcp` brings (Rust's
`regex`): it does not backtrack, and refuses what it cannot match so (look-around, back references, millions of
repetitions). As in ECMAScript, `$` is the very end of the text. Not covered: what only ECMAScript knows.
"""

from __future__ import annotations

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
