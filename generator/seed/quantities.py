"""How much each row of a pair holds (`pairs`): mostly more than enough, here and there little or nothing.

Invariant: see `cells.change`. Not covered: lines of an order, whose quantities are small by nature.
"""

from __future__ import annotations

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.seed.cells import change
from autoforge.generator.seed.pairs import amount_column, covers_pairs
from autoforge.generator.seed.setting import Row, Setting

__all__ = ["spread_quantities"]


def spread_quantities(setting: Setting) -> None:
    """Mostly more than enough of it, here and there little or nothing."""
    for entity in setting.world.entities:
        amount = amount_column(entity)
        rows = setting.rows[entity.name]
        if amount is None or not covers_pairs(setting.world, entity):
            continue
        draw = setting.draw(entity.name, amount.name, "@spread")
        for i, row in enumerate(rows):
            held = row.get(amount.name)
            few = i % 8 in (3, 6)
            if few or not isinstance(held, int | float) or held < 10:
                value = 0 if i % 8 == 3 else draw.integer(1, 3) if few else draw.integer(12, 90)
                _hold(setting, entity, rows, i, amount, value)


def _hold(setting: Setting, entity: Entity, rows: list[Row], i: int, amount: Attribute, value: int) -> None:
    change(setting, entity, rows, i, amount.name, float(value) if amount.type is ColumnType.REAL else value)
