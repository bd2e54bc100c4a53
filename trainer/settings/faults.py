"""What is wrong with settings, one sentence each: where it was written, which key, what to do.

Invariant: every key that is at fault is named as the person wrote it, with who gave it. Not covered: settings that are
right alone and do not go together (`consistency`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.settings.fields import all_keys
from autoforge.trainer.settings.layers import Layers
from autoforge.trainer.settings.nearest import meant

__all__ = ["fault", "refused"]

_MOST = 5
_HELP = "see autoforge-train --help-settings"


def refused(error: ValidationError, layers: Layers) -> BadInput:
    """The error that says it, the first five faults a line each."""
    found = list(dict.fromkeys(_sentence(detail, layers) for detail in error.errors()))
    more = [f"and {len(found) - _MOST} more."] if len(found) > _MOST else []
    return BadInput("\n".join([*found[:_MOST], *more]))


def fault(layers: Layers, key: str, words: str) -> str:
    """`FILE: KEY …`, with who gave the key, or the whole source where nobody did."""
    return f"{_origin(layers, key)}: {key} {words}"


def _origin(layers: Layers, key: str) -> str:
    """Who gave a key, or something below it."""
    inside = (origin for name, origin in layers.origins.items() if name.startswith(key + "."))
    return layers.origins.get(key) or next(inside, layers.source)


def _sentence(detail: ErrorDetails, layers: Layers) -> str:
    names = [str(part) for part in detail["loc"] if not isinstance(part, int)]
    key = ".".join(names)
    kind, given = detail["type"], detail["input"]
    if kind == "extra_forbidden":
        near = meant(key, all_keys()) if "." in key else meant(key, (*_tables(), *all_keys()))
        return fault(layers, key, f"is no setting{near}; {_HELP}.")
    if kind == "missing":
        return fault(layers, key, f"is missing; add it, or begin with a preset ({_HELP}).")
    message = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
    if kind == "value_error":
        return fault(layers, key, f"does not hold together: {message}; {_HELP}.")
    return fault(layers, key, f"= {_shown(given)} {message}; {_HELP}.")


def _tables() -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.partition(".")[0] for key in all_keys()))


def _shown(value: Any) -> str:
    text = "a table" if isinstance(value, Mapping) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"
