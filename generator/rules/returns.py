"""From output plans, or their absence, to the expression that a tool returns.

Invariant: what is returned fits the documented output schema: a property that may be null and whose schema admits none
is left out, or given the least value of its schema when it is required. Not covered: fetching the main rows.
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Assign,
    Constant,
    Entity,
    Expression,
    Listing,
    Record,
    Return,
    Variable,
)
from autoforge.generator.rules.output_plans import RowPlan
from autoforge.generator.rules.planned_outputs import build_plan
from autoforge.generator.rules.public_records import child_lists, public_record
from autoforge.generator.rules.scene import Scene, call

__all__ = ["return_row", "return_rows"]


def return_row(scene: Scene, entity: Entity, row: str, *, extra: tuple[tuple[str, Expression], ...] = ()) -> None:
    """Return one row by the plan, or all its public columns."""
    if scene.plan is None:
        record = public_record(scene, entity, row)
        children = child_lists(scene, entity, row)
        if children:
            record = record.model_copy(update={"fields": (*record.fields, *children)})
        scene.add(Return(value=record.model_copy(update={"fields": (*record.fields, *extra)})))
        return
    scene.add(Return(value=build_plan(scene, scene.plan, {entity.name: row}, {})))


def return_rows(scene: Scene, entity: Entity, rows: str, *, total: str | None = None) -> None:
    """Return a list of rows by the plan, or as `{plural: […]}`."""
    if scene.plan is None:
        listing = Listing(over=Variable(name=rows), item="row", value=public_record(scene, entity, "row"))
        fields: list[tuple[str, Expression]] = [(entity.table, listing)]
        if total is not None:
            fields.append(("total", Variable(name=total)))
        scene.add(Return(value=Record(fields=tuple(fields))))
        return
    if isinstance(scene.plan, RowPlan):
        scene.add(Assign(name="first_row", value=call("at", Variable(name=rows), Constant(value=0))))
        scene.refuse(call("is_null", Variable(name="first_row")), f"No {entity.title.lower()} matches.", "missing")
        scene.bound["first_row"] = entity.name
        scene.add(Return(value=build_plan(scene, scene.plan, {entity.name: "first_row"}, {})))
        return
    scene.add(Return(value=build_plan(scene, scene.plan, {}, {entity.name: rows}, total)))
