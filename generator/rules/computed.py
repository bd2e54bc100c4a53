"""Tools that only compute or tell the time, and tools that could not be understood.

Invariant: nothing is written. Not covered: formulas and conversions (`calculator`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Apply,
    Argument,
    Assign,
    Choose,
    ColumnType,
    Constant,
    Expression,
    Log,
    Now,
    OperationKind,
    Record,
    Return,
    Variable,
)
from autoforge.generator.rules.computations import formula_of
from autoforge.generator.rules.least_values import least_value
from autoforge.generator.rules.rates import lookup_of
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.signature import Formula, replaced
from autoforge.generator.rules.words import snake, split_words

__all__ = ["build_clock", "build_compute", "build_weak", "clock_tool"]


def clock_tool(scene: Scene) -> bool:
    """`get_current_time`: the state's clock."""
    words = set(split_words(scene.reading.tool.original_name))
    return (
        bool(words & {"time", "date", "datetime", "now", "clock"})
        and not properties_of(scene.reading.tool.input_schema)
        and bool(words & {"current", "now", "get", "today"})
        and len(words) <= 4
    )


def build_clock(scene: Scene) -> None:
    scene.kind = OperationKind.GET
    if scene.plan is None:
        scene.add(Return(value=Record(fields=(("now", Now()),))))
        return
    fields = []
    for name, schema in properties_of(scene.reading.tool.output_schema).items():
        shape = shape_of(schema)
        value: Expression = Now()
        if shape.type is ColumnType.DATE or ("date" in snake(name) and "time" not in snake(name)):
            value = call("date_of", Now())
        elif "HH:MM" in str(schema.get("description", "")) or snake(name) == "time":
            value = call("time_of", Now())
        elif shape.type is not ColumnType.TEXT and shape.type is not ColumnType.DATETIME:
            value = Constant(value=least_value(schema))
        fields.append((name, value))
    scene.add(Return(value=Record(fields=tuple(fields))))


def build_compute(scene: Scene) -> None:
    """Refuse what has no result, else return it under the documented names."""
    scene.kind = OperationKind.COMPUTE
    formula = formula_of(scene.reading)
    if formula is None:
        lookup = lookup_of(scene.reading, scene.cast)
        assert lookup is not None
        formula = lookup.formula
        scene.add(*lookup.finds)
        scene.bound.update({f.row: f.entity for f in lookup.finds})
    scene.add(*formula.refusals)
    result = scene.variable("result")
    scene.add(Assign(name=result, value=formula.value))
    if formula.kind != "list":
        scene.refuse(call("is_null", Variable(name=result)), _UNDEFINED, "range")
    _return_value(scene, formula, Variable(name=result))


_UNDEFINED = "There is no result for these values: it is not defined or out of range."


def _return_value(scene: Scene, formula: Formula, value: Expression) -> None:
    """The result under the first property that can hold it; the others repeat parameters or are further results."""
    properties = properties_of(scene.reading.tool.output_schema)
    if not properties:
        scene.add(
            Return(
                value=Record(
                    fields=(("result", value), *((n, replaced(o, formula.value, value)) for n, o in _told(formula)))
                )
            )
        )
        return
    echoes = {snake(r.name): scene.argument(r) for r in scene.roles if len(r.path) == 1}
    others = {name: replaced(other, formula.value, value) for name, other in formula.others}
    main = _main_property(properties, formula, {*echoes, *others})
    fields = []
    for name, schema in properties.items():
        word = snake(name)
        known = value if name == main else others.get(word, echoes.get(word))
        if known is None:
            known = (
                value
                if shape_of(schema).type is ColumnType.REAL and formula.kind == "number"
                else Constant(value=least_value(schema))
            )
        elif name != main and word in others and formula.kind == "number" and not _is_sure(known):
            known = _bound(scene, word, known)
        fields.append((name, _typed(known, schema)))
    scene.add(
        Return(
            value=Record(
                fields=tuple(fields),
                omit_null=tuple(n for n, v in fields if isinstance(v, Constant) and v.value is None),
            )
        )
    )


def _is_sure(value: Expression) -> bool:
    """Whether a further result cannot be null."""
    if isinstance(value, Choose):
        return _is_sure(value.then) and _is_sure(value.otherwise)
    sure = ("count", "length", "equal", "in", "matches", "contains_text", "occurrences")
    return isinstance(value, Argument | Constant | Variable) or (isinstance(value, Apply) and value.function in sure)


def _bound(scene: Scene, name: str, value: Expression) -> Variable:
    """A further result under a name, refused where there is none."""
    variable = scene.variable(name)
    scene.add(Assign(name=variable, value=value))
    scene.refuse(call("is_null", Variable(name=variable)), _UNDEFINED, "range")
    return Variable(name=variable)


def _main_property(properties: dict[str, dict[str, object]], formula: Formula, known: set[str]) -> str:
    """Where the result goes: a property that nothing else fills, of a fitting type where there is one."""
    kinds = {
        "number": (ColumnType.REAL, ColumnType.INTEGER),
        "boolean": (ColumnType.BOOLEAN,),
        "list": (ColumnType.JSON,),
    }
    types = kinds.get(formula.kind, (ColumnType.TEXT, ColumnType.DATE, ColumnType.DATETIME))
    free = [n for n in properties if snake(n) not in known] or [
        n for n in properties if snake(n) not in {o for o, _ in formula.others}
    ]
    fitting = [n for n in free if shape_of(properties[n]).type in types]
    return next(iter([*fitting, *free, ""])) if free and (fitting or not formula.others) else ""


def _told(formula: Formula) -> tuple[tuple[str, Expression], ...]:
    """Further results for a tool whose documentation names none: one name for each."""
    seen: list[Expression] = [formula.value]
    told: list[tuple[str, Expression]] = []
    for name, expression in formula.others:
        if expression not in seen and not isinstance(expression, Argument):
            seen.append(expression)
            told.append((name, expression))
    return tuple(told)


def _typed(value: Expression, schema: dict[str, object]) -> Expression:
    kind = shape_of(schema).type
    if isinstance(value, Constant):
        return value
    return (
        call("text", value)
        if kind is ColumnType.TEXT
        else call("integer", value)
        if kind is ColumnType.INTEGER
        else value
    )


def build_weak(scene: Scene) -> None:
    """A tool whose meaning is not known: it honours its schemas and logs the call."""
    scene.kind = OperationKind.WEAK
    scene.add(Log())
    if scene.reading.tool.output_schema:
        scene.add(Return(value=Constant(value=least_value({**scene.reading.tool.output_schema, "type": "object"}))))
    else:
        scene.add(Return(value=Record(fields=(("status", Constant(value="accepted")),))))
