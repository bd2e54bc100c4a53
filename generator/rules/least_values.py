"""Values for what an output must have and no row holds: the least that its schema admits, or a sentence.

Invariant: the same schema has the same value. Not covered: values of rows (`seed`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import (
    ColumnType,
    Constant,
    Expression,
    Variable,
)
from autoforge.generator.rules.output_plans import ConstantPlan
from autoforge.generator.rules.patterns import text_like
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import snake

__all__ = ["fixed_value", "least_value"]


def fixed_value(scene: Scene, plan: ConstantPlan, total: str | None = None) -> Expression:
    shape = shape_of(plan.schema)
    told = next(
        (
            r
            for r in scene.roles
            if snake(r.name) == snake(plan.name) and r.shape.type is shape.type and len(r.path) == 1
        ),
        None,
    )
    if told is not None and plan.name and not plan.confirms:
        return call("coalesce", scene.argument(told), Constant(value=least_value(plan.schema)))
    if total is not None and plan.name:
        counted_pages = _pages(scene, plan, total)
        if counted_pages is not None:
            return counted_pages
    if plan.confirms and shape.type is ColumnType.BOOLEAN:
        return Constant(value="error" not in plan.name.lower())
    if (
        plan.confirms
        and shape.type is ColumnType.TEXT
        and not shape.schema.get("enum")
        and "error" not in plan.name.lower()
    ):
        return Constant(value=_sentence(scene))
    return Constant(value=least_value(plan.schema))


def _pages(scene: Scene, plan: ConstantPlan, total: str) -> Expression | None:
    """What a page says of the whole: how many pages, whether there is more."""
    word, shape = snake(plan.name), shape_of(plan.schema)
    limit = scene.first("limit")
    size: Expression = (
        call("coalesce", scene.argument(limit), Constant(value=10)) if limit is not None else Constant(value=10)
    )
    if shape.type is ColumnType.INTEGER and word in ("total_pages", "pages", "page_count", "num_pages", "last_page"):
        return call(
            "integer",
            call("divide", call("add", Variable(name=total), call("subtract", size, Constant(value=1))), size),
        )
    offset, page = scene.first("offset"), scene.first("page")
    seen: Expression | None = None
    if page is not None:
        seen = call("multiply", call("coalesce", scene.argument(page), Constant(value=1)), size)
    elif limit is not None:
        start = (
            call("coalesce", call("integer", scene.argument(offset)), Constant(value=0))
            if offset is not None
            else Constant(value=0)
        )
        seen = call("add", start, size)
    if (
        shape.type is ColumnType.BOOLEAN
        and seen is not None
        and word in ("has_more", "has_next", "more", "has_next_page", "truncated", "incomplete_results")
    ):
        return call("greater", Variable(name=total), seen)
    return None


def _sentence(scene: Scene) -> str:
    """What was done, as a short confirmation."""
    title = scene.entity.title if scene.entity is not None else "Request"
    done = {
        VerbClass.CREATE: "created", VerbClass.SEND: "sent", VerbClass.UPDATE: "updated", VerbClass.SET: "set",
        VerbClass.DELETE: "deleted", VerbClass.REMOVE: "removed", VerbClass.ADD: "added", VerbClass.MOVE: "moved",
        VerbClass.TRANSFER: "completed",
    }.get(scene.reading.verb.kind)  # fmt: skip
    state = scene.reading.verb.state
    return f"{title} {(state or done or 'done').replace('_', ' ')}."


def least_value(schema: dict[str, Any]) -> Any:
    """The smallest value that a schema admits: first enum value, default, minimum, empty text, list or object."""
    shape = shape_of(schema)
    bare = shape.schema
    for key in ("const", "default"):
        if key in bare and bare[key] is not None:
            return bare[key]
    if bare.get("enum"):
        return bare["enum"][0]
    if shape.nullable:
        return None
    kind = bare.get("type") or (shape_of(bare["anyOf"][0]).schema.get("type") if bare.get("anyOf") else None)
    if kind == "array":
        return [least_value(bare.get("items", {"type": "string"}))] * int(bare.get("minItems", 0))
    if kind == "object":
        return {n: least_value(v) for n, v in properties_of(bare).items() if n in bare.get("required", ())}
    if kind in ("integer", "number"):
        return bare.get("minimum", bare.get("exclusiveMinimum", -1) + 1 if "exclusiveMinimum" in bare else 0)
    if kind == "boolean":
        return False
    if isinstance(bare.get("pattern"), str) and (text := text_like(bare["pattern"])) is not None:
        return text
    return {"date": "2026-03-02", "date-time": "2026-03-02T09:00:00", "email": "info@example.com"}.get(
        str(bare.get("format")), "-" * int(bare.get("minLength", 0))
    )
