"""Where the counters of generated ids stand after the seed.

Invariant: the next id that a tool generates is the id of no row. Not covered: ids that the template did not make;
they cannot collide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from autoforge.generator.emit.prepare import prepared
from autoforge.generator.ir import World
from autoforge.generator.seed.keys import template_number

__all__ = ["counters"]


def counters(world: World, rows: Mapping[str, Sequence[Mapping[str, JsonValue]]]) -> dict[str, int]:
    """The highest number used, by table, for every entity whose ids tools generate; 0 where there is none."""
    found: dict[str, int] = {}
    for entity in prepared(world).entities:
        if entity.id_template is not None:
            template = entity.id_template
            numbers = (
                template_number(template, row.get(column)) for row in rows.get(entity.name, ()) for column in entity.key
            )
            found[entity.table] = max((n for n in numbers if n is not None), default=0)
    return found
