"""Inside a loop over a list parameter: parameters are members of the item.

Invariant: an item scene has steps of its own and shares the variable names of the operation around it. Not covered: the
loop itself.
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import Constant, Entity, Expression, Find, Item, Variable
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, key_filter

__all__ = ["ItemScene", "item_scene"]


class ItemScene(Scene):
    """A scene inside a loop over objects: parameters are members of the item."""

    def find(self, entity: Entity, value: Expression | None, **options: Any) -> str:
        """As for a parameter, but the refusal cannot show what stands inside an item."""
        return (
            super().find(entity, value, **{**options, "shown": ""})
            if value is None
            else self._find(entity, value, options)
        )

    def _find(self, entity: Entity, value: Expression, options: dict[str, Any]) -> str:
        name = self.variable(options.get("row") or entity.name)
        missing = (
            None
            if options.get("optional")
            else f"There is no {entity.title.lower()} with this {entity.key[-1].replace('_', ' ')}."
        )
        self.add(
            Find(
                row=name,
                entity=entity.name,
                where=(*key_filter(entity, value), *options.get("extra", ())),
                missing=missing,
            )
        )
        self.bound[name] = entity.name
        return name

    def argument(self, role: Role) -> Expression:
        expression: Expression = Variable(name="item")
        for part in role.path:
            expression = Item(container=expression, key=Constant(value=part))
        return expression


def item_scene(scene: Scene, batch: Role) -> ItemScene:
    items = [r for r in batch.items]
    for role in items:
        role.path = role.path[-1:]
    return ItemScene(
        scene.reading,
        items,
        None,
        scene.entities,
        scene.cast,
        [],
        [],
        scene.names,
        scene.kind,
        scene.guesses,
        scene.evidence,
        dict(scene.bound),
    )
