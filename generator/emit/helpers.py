"""The helper functions that generated code may need, as source text; a module gets those that it uses.

Invariant: every helper is total and pure. It takes any JSON values, never raises, has no effect, and gives JSON
values: what has no answer (an unknown operand, a division by zero, a date that is none) is None, a comparison with
it False, a list of it empty. The documentation strings below are those of the generated code. Not covered: which
helper an expression uses (`functions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from autoforge.generator.emit.helper_dates import DATES
from autoforge.generator.emit.helper_lists import LISTS
from autoforge.generator.emit.helper_mathematics import MATHEMATICS
from autoforge.generator.emit.helper_numbers import NUMBERS
from autoforge.generator.emit.helper_paths import PATHS
from autoforge.generator.emit.helper_statistics import STATISTICS
from autoforge.generator.emit.helper_texts import TEXTS
from autoforge.generator.emit.helper_units import UNITS
from autoforge.generator.emit.helper_writing import WRITING

__all__ = ["HELPERS", "imports_of", "with_dependencies"]

_SOURCE = NUMBERS + TEXTS + LISTS + DATES + MATHEMATICS + STATISTICS + UNITS + WRITING + PATHS
HELPERS: dict[str, str] = {
    match.group(1): match.group(0).strip()
    for match in re.finditer(r"^def (_\w+)\(.*?(?=^def |\Z)", _SOURCE, flags=re.MULTILINE | re.DOTALL)
}
"""Source by name, in the order in which a module lists them."""

_MODULES = (
    ("hashlib.", "import hashlib"),
    ("json.", "import json"),
    ("math.", "import math"),
    ("re.", "import re"),
    ("unicodedata.", "import unicodedata"),
    ("datetime.", "from datetime import datetime"),
    ("timedelta(", "from datetime import timedelta"),
)


def with_dependencies(names: Iterable[str]) -> tuple[str, ...]:
    """The helpers of these names and those that they call, in the order of `HELPERS`."""
    wanted: set[str] = set()
    waiting = sorted(names)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += [called for called in re.findall(r"(?<!\w)(_\w+)\b", HELPERS[name]) if called in HELPERS]
    return tuple(name for name in HELPERS if name in wanted)


def imports_of(source: str) -> list[str]:
    """The import statements that helper source needs."""
    found = [statement for use, statement in _MODULES if use in source]
    both = {"from datetime import datetime", "from datetime import timedelta"}
    if both <= set(found):
        return [s for s in found if s not in both] + ["from datetime import datetime, timedelta"]
    return found
