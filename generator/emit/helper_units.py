"""Source of the helper function of generated code for units; the table is that of `rules.units`.

Invariant: the helper and `rules.units.unit_of` know the same names and read them the same way. Not covered: choosing
them (`helpers`).
"""

from __future__ import annotations

from autoforge.generator.rules.units import OFFSETS
from autoforge.generator.rules.units import UNITS as _KNOWN

__all__ = ["UNITS"]

_ROOM = 104


def _table(name: str, entries: list[str]) -> str:
    """A dictionary as source, as many entries on a line as there is room for."""
    lines = [f"    {name} = {{"]
    line = ""
    for entry in entries:
        if line and len(line) + len(entry) + 2 > _ROOM:
            lines.append(f"        {line}")
            line = ""
        line = f"{line} {entry}," if line else f"{entry},"
    return "\n".join([*lines, f"        {line}", "    }"])


_UNITS = _table("known", [f'"{name}": ("{dimension}", {factor!r})' for name, (dimension, factor) in _KNOWN.items()])
_OFFSETS = _table("offsets", [f'"{name}": {offset!r}' for name, offset in OFFSETS.items()])

UNITS = f'''
def _convert_unit(value, source, target):
    """A number in another unit of the same dimension; None when a unit is not known or the dimensions differ."""
{_UNITS}
{_OFFSETS}
    found = []
    for unit in (source, target):
        name = re.sub(r"\\s+", "_", (_text(unit) or "").strip().removeprefix("degrees ").removeprefix("°"))
        low = name.lower()
        forms = [name, low, low.removesuffix("s"), low.removesuffix("es"), name.upper() if len(name) == 1 else ""]
        found += [form for form in forms if form in known][:1]
    if len(found) < 2 or not _is_number(value) or known[found[0]][0] != known[found[1]][0]:
        return None
    first, last = [(known[name][1], offsets.get(name, 0.0)) for name in found]
    return _tidy((value + first[1]) * first[0] / last[0] - last[1])
'''
