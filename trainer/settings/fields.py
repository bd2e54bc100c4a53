"""Every setting by its dotted key, with type, default and meaning, read off the schema's own source.

Invariant: what is documented is what is there: the text under a field is its meaning, wherever its class is from. Not
covered: layout (`help_text`).
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
import typing
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["Setting", "Table", "all_keys", "tables"]


class Setting(NamedTuple):
    """One key."""

    key: str
    """Dotted."""
    kind: str
    """What it takes, in words."""
    default: Any
    """Ellipsis where it must be given, None where leaving it out means something of its own."""
    meaning: str


class Table(NamedTuple):
    """One table of the TOML."""

    key: str
    meaning: str
    settings: tuple[Setting, ...]


def tables(model: type[BaseModel] = TrainerSettings, key: str = "", meaning: str = "") -> Iterator[Table]:
    """All tables, each before those inside it; one without a setting of its own is left out."""
    meanings = meanings_of(model)
    inner, own = [], []
    for name, field in model.model_fields.items():
        whole = f"{key}.{name}" if key else name
        table = _table_class(field)
        if table is not None:
            inner.append((table, whole, meanings[name] or _first_line(table)))
        else:
            own.append(Setting(whole, _kind(field), _default(field), meanings[name]))
    if own:
        yield Table(key, meaning, tuple(own))
    for table, whole, words in inner:
        yield from tables(table, whole, words)


def all_keys() -> tuple[str, ...]:
    """The dotted keys of all settings, and `erpo.method`."""
    return (*(setting.key for table in tables() for setting in table.settings), "erpo.method")


@lru_cache(maxsize=64)
def meanings_of(model: type[BaseModel]) -> dict[str, str]:
    """What the source of a class says under each of its fields; empty where it says nothing."""
    [declared] = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(declared, ast.ClassDef)
    found = dict.fromkeys(model.model_fields, "")
    for field, below in zip(declared.body, [*declared.body[1:], ast.Pass()], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            found[field.target.id] = _said(below)
    return found


def _said(node: ast.stmt) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""


def _first_line(model: type[BaseModel]) -> str:
    return (inspect.getdoc(model) or "").partition("\n\n")[0].replace("\n", " ")


def _table_class(field: FieldInfo) -> type[BaseModel] | None:
    """The class of a field that is a table, optional or not."""
    for option in (field.annotation, *typing.get_args(field.annotation)):
        if isinstance(option, type) and issubclass(option, BaseModel):
            return option
    return None


def _default(field: FieldInfo) -> Any:
    return ... if field.is_required() else field.get_default(call_default_factory=True)


def _kind(field: FieldInfo) -> str:
    words = _type_words(field.annotation)
    bounds = [
        f"{_BOUNDS[name]} {getattr(limit, name):g}"
        for limit in field.metadata
        for name in _BOUNDS
        if hasattr(limit, name)
    ]
    return words + (f" ({', '.join(bounds)})" if bounds else "")


_BOUNDS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
_WORDS = {int: "whole number", float: "number", str: "text", bool: "true or false", Path: "path"}


def _type_words(annotation: Any) -> str:
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_type_words(option) for option in inner if option is not type(None))
    if origin is typing.Literal:
        return " | ".join(f'"{option}"' for option in inner)
    if origin is tuple:
        return f"list of {_type_words(inner[0])}s"
    return "table" if origin is dict else _WORDS.get(annotation, str(annotation))
