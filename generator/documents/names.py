"""Names of tools: legal for MCP, unique, and as close to the documented ones as can be.

A legal name is kept to the letter. Invariant: the same documentation gives the same names, whatever else is read with
it. Not covered: names of parameters (`arguments`).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable

__all__ = ["LONGEST", "PATH_PARAMETER", "free_name", "is_legal", "legal_name", "route_name"]

LONGEST = 128
"""Characters of an MCP tool name."""

_LEGAL = re.compile(r"[A-Za-z0-9_.-]{1,128}")
PATH_PARAMETER = re.compile(r"\{([^{}]*)\}|(?<=/):([A-Za-z_][A-Za-z0-9_]*)")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_]+")


def is_legal(name: str) -> bool:
    """Whether MCP allows `name`."""
    return _LEGAL.fullmatch(name) is not None


def legal_name(name: str) -> str:
    """`name` itself where it is legal; else a legal identifier made of it, `/cities/:id` becoming `cities_by_id`."""
    if is_legal(name):
        return name
    text = route_name("", name) if "/" in name else name
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    word = re.sub(r"_{2,}", "_", _ILLEGAL.sub("_", plain)).strip("_")
    if not re.search(r"[A-Za-z]", word):
        word = f"tool_{_mark(name)}"
    if word[0].isdigit():
        word = f"tool_{word}"
    return _shortened(word, name)


def _shortened(word: str, name: str) -> str:
    return word if len(word) <= LONGEST else f"{word[: LONGEST - 9]}_{_mark(name)}"


def _mark(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]


def route_name(method: str, path: str) -> str:
    """A name for an operation without one:

    `GET /users/{id}/orders` gives `get_users_by_id_orders`. Not yet legal for every path.
    """
    words = [method.lower()] if method else []
    after_parameter = False
    for segment in path.split("?")[0].split("/"):
        found = PATH_PARAMETER.findall(f"/{segment}")
        if found and not after_parameter:
            words.append("by")
        words.extend(part for part in re.split(r"[^\w]+", segment) if part)
        after_parameter = bool(found)
    return "_".join(words) or "root"


def free_name(name: str, original: str, group: str | None, is_taken: Callable[[str], bool]) -> str:
    """`name`, or where it is taken one that ends in the group, or in a mark made of the documented name."""
    candidates = [name]
    if group:
        candidates.append(_shortened(f"{name}_for_{legal_name(group)}", f"{group} {original}"))
    candidates.append(f"{name[: LONGEST - 9]}_{_mark(f'{group} {original}')}")
    for candidate in candidates:
        if not is_taken(candidate):
            return candidate
    number = 2
    while is_taken(f"{name[: LONGEST - 9]}_{number}"):
        number += 1
    return f"{name[: LONGEST - 9]}_{number}"
