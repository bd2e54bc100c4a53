"""Money and stock that move, computations without an entity, and calls whose meaning stays unknown.

Invariant: what leaves one place arrives at the other, and never more than is there. A computation uses every one of its
inputs. Not covered: rates that the documentation does not state: conversions read a table of rates that is part of the
state.
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Apply,
    Argument,
    Assign,
    Choose,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Log,
    Now,
    OperationKind,
    Record,
    Return,
    RowField,
    Update,
    Variable,
)
from autoforge.generator.rules.computations import formula_of
from autoforge.generator.rules.inserts import insert_record
from autoforge.generator.rules.least_values import least_value
from autoforge.generator.rules.outputs import RowPlan
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.rates import lookup_of
from autoforge.generator.rules.returns import return_row
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, equal
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.signature import Formula, replaced
from autoforge.generator.rules.word_tables import word_set
from autoforge.generator.rules.words import snake, split_words

__all__ = ["build_compute", "build_transfer", "build_weak", "clock_tool", "money_column", "transfer_shape"]

BALANCES = (
    "balance",
    "current_balance",
    "available_balance",
    "account_balance",
    "saldo",
    "solde",
    "credit",
    "points",
    "wallet_balance",
    "cash",
    "funds",
)
AMOUNTS = (
    "amount",
    "importe",
    "monto",
    "betrag",
    "montant",
    "value",
    "sum",
    "valor",
    "cantidad",
    "quantity",
    "points",
    "price",
    "funds",
)
_TAKES = word_set("withdraw spend debit charge pay retirar abheben retirer prelevare pagar zahlen")


def money_column(entity: Entity) -> str | None:
    return next(
        (
            c
            for c in BALANCES
            if (a := entity.attribute(c)) is not None and a.type in (ColumnType.REAL, ColumnType.INTEGER)
        ),
        None,
    )


def amount_role(scene: Scene) -> Role | None:
    numeric = [r for r in scene.roles if r.shape.type in (ColumnType.REAL, ColumnType.INTEGER)]
    return next((r for r in numeric if snake(r.name) in AMOUNTS or snake(r.name).rsplit("_", 1)[-1] in AMOUNTS), None)


def transfer_shape(scene: Scene) -> tuple[Entity, list[Role]] | None:
    """The entity with a balance and the parameters that name its rows, when there is an amount to move."""
    if amount_role(scene) is None:
        return None
    for entity in [
        e for e in ([scene.entity] if scene.entity else []) + list(scene.entities.values()) if e is not None
    ]:
        if money_column(entity) is None:
            continue
        rows = [r for r in scene.roles_of("key", "reference") if not r.many and (r.entity == entity.name)]
        session = scene.entities.get("session")
        own = session is not None and any(a.references == entity.name for a in session.attributes)
        if rows or entity.singleton or own:
            return entity, rows
        reached = _through(scene, entity)
        if reached is not None:
            return reached
    return None


def _through(scene: Scene, entity: Entity) -> tuple[Entity, list[Role]] | None:
    """A card has no balance but its account has: the row is reached through the key that is given."""
    for role in scene.roles_of("key"):
        holder = scene.entities.get(role.entity or "")
        if (
            holder is not None
            and holder.name != entity.name
            and any(a.references == entity.name for a in holder.attributes)
        ):
            return entity, [role]
    return None


def build_transfer(scene: Scene, entity: Entity, rows: list[Role]) -> None:
    """Move an amount between two rows of an entity with a balance, or in or out of one."""
    scene.kind = OperationKind.TRANSFER
    role, column = amount_role(scene), money_column(entity)
    assert role is not None and column is not None
    amount = scene.argument(role)
    scene.refuse(call("less_equal", amount, Constant(value=0)), "The amount must be more than 0.", "range")
    if len(rows) >= 2:
        rows = sorted(
            rows,
            key=lambda r: any(
                w in split_words(r.name)
                for w in ("to", "target", "destination", "dest", "recipient", "destino", "payee", "beneficiary")
            ),
        )
        scene.refuse(
            equal(scene.argument(rows[0]), scene.argument(rows[1])), "Both sides of the transfer are the same.", "other"
        )
        source = scene.find(entity, scene.argument(rows[0]), row=f"source_{entity.name}", shown=rows[0].path[0])
        target = scene.find(entity, scene.argument(rows[1]), row=f"target_{entity.name}", shown=rows[1].path[0])
        guard(scene, entity, source)
        _take(scene, entity, source, column, amount)
        _put(scene, entity, target, column, amount)
    else:
        row = (
            _row_of(scene, entity, rows[0])
            if rows
            else (None if entity.singleton else scene.own_row(entity)) or scene.find(entity, None)
        )
        guard(scene, entity, row)
        (_take if _takes_out(scene) else _put)(scene, entity, row, column, amount)
        source = row
    record_of_transfer(scene, entity, source, amount)


def _row_of(scene: Scene, entity: Entity, role: Role) -> str:
    """The row with the balance: named by the parameter, or referred to by the row that it names."""
    if role.entity == entity.name:
        return scene.find(entity, scene.argument(role), shown=role.path[0])
    holder = scene.entities[role.entity or ""]
    row = scene.find(holder, scene.argument(role), shown=role.path[0])
    guard(scene, holder, row)
    reference = next(a for a in holder.attributes if a.references == entity.name)
    return scene.find(entity, RowField(row=row, column=reference.name))


def _takes_out(scene: Scene) -> bool:
    return scene.reading.verb.word in _TAKES or any(w in _TAKES for w in split_words(scene.reading.tool.original_name))


def _take(scene: Scene, entity: Entity, row: str, column: str, amount: Expression) -> None:
    balance = RowField(row=row, column=column)
    scene.refuse(
        call("less", balance, amount),
        f"The {column.replace('_', ' ')} is {{{row}.{column}}}, which is less than the amount.",
        "balance",
    )
    scene.add(
        Update(
            row=row,
            entity=entity.name,
            values=((column, call("round", call("subtract", balance, amount), Constant(value=2))),),
        )
    )


def _put(scene: Scene, entity: Entity, row: str, column: str, amount: Expression) -> None:
    balance = RowField(row=row, column=column)
    scene.add(
        Update(
            row=row,
            entity=entity.name,
            values=((column, call("round", call("add", balance, amount), Constant(value=2))),),
        )
    )


def record_of_transfer(scene: Scene, entity: Entity, row: str, amount: Expression) -> None:
    """Keep the movement where the tools can list movements, then return."""
    own = scene.entity
    named = scene.cast.record_of_tool.get(scene.reading.tool.name)
    log = (
        scene.entities[named]
        if named in scene.entities
        else own
        if own is not None
        and own.name != entity.name
        and not own.singleton
        and not any(r.role == "key" and r.entity == own.name for r in scene.roles)
        else next(
            (
                e
                for e in scene.entities.values()
                if any(w in e.name for w in ("transaction", "transfer", "payment", "movimiento", "transferencia"))
                and e.name != entity.name
            ),
            None,
        )
    )
    made = None
    if log is not None:
        made = insert_record(scene, log, {entity.name: RowField(row=row, column=entity.key[-1])}, amount)
    elif scene.unused():
        _keep_rest(scene, entity, row)
    if scene.plan is None or (isinstance(scene.plan, RowPlan) and log is not None and scene.plan.entity == log.name):
        return_row(scene, log if made and log is not None else entity, made or row)
    else:
        return_row(scene, entity, row)


def _keep_rest(scene: Scene, entity: Entity, row: str) -> None:
    values = tuple(
        (r.column, scene.argument(r))
        for r in scene.roles
        if r.column and r.path[0] in scene.unused() and entity.attribute(r.column)
    )
    if values:
        scene.add(Update(row=row, entity=entity.name, values=values, when_given=tuple(c for c, _ in values)))


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
